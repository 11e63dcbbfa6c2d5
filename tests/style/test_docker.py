"""What docker/ says of itself holds: files, secrets, packages, units."""

import configparser
import pathlib
import re
import stat
import subprocess

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCKER = ROOT / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text())


def test_services_of_the_program_are_closed_up():
    for name in ("serve", "work", "migrate"):
        service = COMPOSE["services"][name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
        assert service["command"] == [name]


def test_serve_and_work_start_after_the_migrations():
    for name in ("serve", "work"):
        assert COMPOSE["services"][name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert COMPOSE["services"]["migrate"]["depends_on"]["db"]["condition"] == "service_healthy"


def test_the_owners_secret_is_the_migrations_alone():
    for name, service in COMPOSE["services"].items():
        has_it = "database_owner" in service.get("secrets", [])
        assert has_it == (name == "migrate")


def test_each_secret_is_mounted_where_a_setting_looks_for_it():
    for service in COMPOSE["services"].values():
        for name, value in service.get("environment", {}).items():
            if name.endswith("_FILE"):
                secret = value.removeprefix("/run/secrets/")
                assert secret in service["secrets"]
                assert secret in COMPOSE["secrets"]
            else:
                assert "password" not in str(value).lower()


def test_the_secrets_script_makes_every_secret_once(tmp_path):
    script = tmp_path / "secrets.sh"
    script.write_text((DOCKER / "secrets.sh").read_text())
    subprocess.run(["sh", script], check=True)
    made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert set(made) == set(COMPOSE["secrets"])
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    assert made["service_password"].strip() in made["database"]
    assert made["owner_password"].strip() in made["database_owner"]
    subprocess.run(["sh", script], check=True)
    assert {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()} == made


def test_every_mounted_file_exists():
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (DOCKER / source).is_file(), source
            else:
                assert source in COMPOSE["volumes"]
    for service in COMPOSE["services"].values():
        if "build" in service:
            assert (ROOT / service["build"]["dockerfile"]).is_file()


@pytest.mark.parametrize("name", ["Dockerfile", "catcher.Dockerfile"])
def test_images_do_not_run_as_root(name):
    text = (DOCKER / name).read_text()
    users = re.findall(r"^USER (.+)$", text, re.M)
    assert users and re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1])
    assert "HEALTHCHECK" in text


@pytest.mark.parametrize("path", sorted(DOCKER.glob("systemd/*.service")), ids=lambda path: path.name)
def test_units_are_well_formed(path):
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(path)
    assert unit["Service"]["ExecStart"].startswith("@PREFIX@/bin/ludopost ")
    assert unit["Service"]["User"] == "ludopost"
    assert unit["Service"]["NoNewPrivileges"] == "yes"


def test_the_proxy_is_strict():
    text = (DOCKER / "nginx" / "ludopost.conf").read_text()
    for line in (
        "ignore_invalid_headers on;", "underscores_in_headers off;", "merge_slashes off;",
        "proxy_set_header X-Forwarded-For $remote_addr;", "proxy_http_version 1.1;", "proxy_request_buffering on;",
    ):
        assert line in text
    assert re.search(r"proxy_pass http://ludopost;", text), "a path here would rewrite the target"


def test_the_mail_host_is_what_is_documented(tmp_path):
    """compose.yaml's mail host: docker/postfix/ with its own names, no relay for strangers."""
    names = {"MAIL_HOST_NAME": "mx.ludo.test", "LUDOPOST_MAIL_DOMAIN": "ludo.test", "POSTMASTER": "boss@elsewhere.test"}
    subprocess.run(
        ["sh", DOCKER / "mailhost" / "start.sh", "configure", DOCKER / "postfix", tmp_path],
        env={"PATH": "/usr/sbin:/usr/bin:/bin", **names}, check=True,
    )
    assert "example.org" not in "".join(
        line for path in tmp_path.iterdir() for line in path.read_text().splitlines(True) if not line.startswith("#")
    )
    postconf = ["/usr/sbin/postconf", "-c", str(tmp_path)]
    shown = subprocess.run([*postconf, "-n"], capture_output=True, text=True, check=True)
    assert shown.stderr == ""
    settings = dict(line.split(" = ", 1) for line in shown.stdout.splitlines())
    assert settings["virtual_mailbox_domains"] == "ludo.test"
    assert settings["smtpd_forbid_bare_newline"] == "normalize"
    assert settings["mynetworks"] == "127.0.0.0/8"
    services = subprocess.run([*postconf, "-M"], capture_output=True, text=True, check=True).stdout
    assert "user=ludopost" in services and "deliver --sender ${sender} --recipient ${original_recipient}" in services
    assert "boss@elsewhere.test" in (tmp_path / "ludopost-people").read_text()
    for name in ("postmaster@ludo.test", "abuse@ludo.test"):
        assert name in (tmp_path / "ludopost-people").read_text()


def test_only_the_port_for_containers_relays():
    assert COMPOSE["services"]["mailhost"]["ports"] == ["25:25"]
    assert COMPOSE["services"]["mailhost"]["profiles"] == ["mailhost"]
