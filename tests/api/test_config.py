"""Settings: where they come from, which wins, and that a wrong one stops the start."""

import os
import re

import pytest

from harness.server import ludopost

KEY = "k" * 32


def run(*arguments, env=None, check=True):
    clean = {"PATH": os.environ["PATH"], **(env or {})}
    for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            clean[name] = os.environ[name]
    return ludopost(*arguments, env=clean, check=check)


def settings(*arguments, env=None):
    """name → (value, origin), as `ludopost config` prints them."""
    found = {}
    for line in run("config", *arguments, env=env).stdout.splitlines():
        name, value, origin = re.fullmatch(r"(\w+) = ?(.*?) *# (.*)", line).groups()
        found[name] = (value, origin)
    return found


def test_every_setting_has_a_default_and_says_so():
    table = [line.split("\t") for line in run("config", "--table").stdout.splitlines()]
    shown = settings()
    assert [row[0] for row in table] == list(shown)
    assert all(origin == "default" for _, origin in shown.values())
    assert all(len(row) == 4 and row[2] and row[3].endswith(".") for row in table)


def test_a_byte_order_mark_at_the_beginning_of_the_file_is_not_seen(tmp_path):
    file = tmp_path / "ludopost.conf"
    for text in ("workers = 3\n", "# a comment\nworkers = 3\n", "\r\nworkers = 3\r\n"):
        file.write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert settings("--config", file)["workers"][0] == "3"


def test_later_sources_win_and_are_named(tmp_path):
    file, secret = tmp_path / "ludopost.conf", tmp_path / "secret"
    file.write_text("# a comment\n\n port = 1 \nworkers=3\nlisten = ::1\nsmtp_user = a#b\n")
    secret.write_text("2001:db8::7\n")
    shown = settings(
        "--config", file, env={"LUDOPOST_WORKERS": "4", "LUDOPOST_LISTEN": "0.0.0.0", "LUDOPOST_LISTEN_FILE": str(secret)}
    )
    assert shown["port"] == ("1", f"{file}:3")
    assert shown["workers"] == ("4", "environment LUDOPOST_WORKERS")
    assert shown["listen"] == ("2001:db8::7", f"file {secret} (LUDOPOST_LISTEN_FILE)")
    assert shown["smtp_user"] == ("a#b", f"{file}:6")
    assert shown["idle_timeout"] == ("1m", "default")


def test_secrets_are_hidden():
    env = {
        "LUDOPOST_SECRET_KEY_2": KEY,
        "LUDOPOST_SMTP_PASSWORD": "hunter2",
        "LUDOPOST_DATABASE": "host=db user=ludopost password=hunter3 dbname=ludopost",
        "LUDOPOST_DATABASE_OWNER": "postgresql://owner:hunter4@db/ludopost",
    }
    output = run("config", env=env).stdout
    assert KEY not in output and "hunter" not in output
    assert "secret_key_2 = (hidden)" in output and "host=db" in output and "user=owner" in output


WRONG = {
    "port": ("99999", "from 0 to 65535"),
    "workers": ("0", "from 1 to 64"),
    "run_workers": ("maybe", "yes or no"),
    "log_level": ("loud", "error, warning, info, debug"),
    "idle_timeout": ("5 minutes", "such as 30s, 5m, 2h, 3d"),
    "rate_read": ("100", "such as 100/1m"),
    "public_url": ("play.example.org", "http://, https://"),
    "smtp_url": ("http://localhost", "smtp://, smtps://"),
    "listen": ("localhost", "numeric address"),
    "trusted_proxies": ("10.0.0.1 proxy", "numeric addresses"),
    "database": ("host=a nonsense", "connection string"),
    "smtp_tls": ("sometimes", "auto, required, none"),
    "body_limit": ("-5", "from 1024"),
    "mail_from": ("the referee", "a mail address such as"),
    "mail_domain": ("play example org", "a domain name such as"),
    "smtp_ca_file": ("/nowhere/ca.pem", "a file that can be read"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_setting_stops_with_its_place_and_what_is_allowed(tmp_path, name):
    value, allowed = WRONG[name]
    file = tmp_path / "ludopost.conf"
    file.write_text(f"\n{name} = {value}\n")
    for command in ("serve", "config", "migrate"):
        done = run(command, "--config", file, check=False)
        assert done.returncode == 1 and done.stdout == ""
        assert f"{file}:2" in done.stderr and name in done.stderr and allowed in done.stderr
    done = run("config", env={f"LUDOPOST_{name.upper()}": value}, check=False)
    assert done.returncode == 1 and f"LUDOPOST_{name.upper()}" in done.stderr and allowed in done.stderr


@pytest.mark.parametrize("url", ["http://", "http:///games", "http://x?a=b", "http://x/#top", "http://u@x", "http://x:99999", "http://x y"])
def test_a_public_url_is_one_that_paths_can_follow(url):
    done = run("config", env={"LUDOPOST_PUBLIC_URL": url}, check=False)
    assert done.returncode == 1 and "LUDOPOST_PUBLIC_URL" in done.stderr


def test_a_password_in_a_refused_url_is_not_shown():
    done = run("config", env={"LUDOPOST_SMTP_URL": "smtp://user:hunter2@mail.example.org"}, check=False)
    assert done.returncode == 1 and "smtp_url" in done.stderr and "hunter2" not in done.stderr


def test_a_setting_whose_name_ends_in_file_is_set_like_any_other(tmp_path):
    ca, path = tmp_path / "ca.pem", tmp_path / "path"
    ca.write_text("x")
    path.write_text(f"{ca}\n")
    variable = "LUDOPOST_SMTP_CA_FILE"
    assert settings(env={variable: str(ca)})["smtp_ca_file"] == (str(ca), f"environment {variable}")
    assert settings(env={f"{variable}_FILE": str(path)})["smtp_ca_file"][0] == str(ca)


def test_a_short_key_is_refused_without_being_shown():
    done = run("config", env={"LUDOPOST_SECRET_KEY_1": "short-key"}, check=False)
    assert done.returncode == 1 and "at least 32 bytes" in done.stderr and "short-key" not in done.stderr


@pytest.mark.parametrize(
    "text, said",
    [
        ("prot = 1\n", 'unknown setting "prot"'),
        ("port = 1\nport = 2\n", "already set in"),
        ("port\n", 'must be "name = value"'),
        ("PORT = 1\n", 'unknown setting "PORT"'),
        ("port = 1 # here\n", "whole number"),
    ],
)
def test_a_line_that_is_none_stops_the_start(tmp_path, text, said):
    file = tmp_path / "ludopost.conf"
    file.write_text(text)
    done = run("serve", "--config", file, check=False)
    assert done.returncode == 1 and said in done.stderr and f"{file}:" in done.stderr


def test_unknown_variables_and_missing_files_stop_the_start(tmp_path):
    for env, said in (
        ({"LUDOPOST_PROT": "1"}, "LUDOPOST_PROT"),
        ({"LUDOPOST_PROT_FILE": "/etc/hostname"}, "LUDOPOST_PROT_FILE"),
        ({"LUDOPOST_SECRET_KEY_1_FILE": str(tmp_path / "none")}, "LUDOPOST_SECRET_KEY_1_FILE"),
    ):
        done = run("config", env=env, check=False)
        assert done.returncode == 1 and said in done.stderr
    assert run("config", "--config", tmp_path / "none", check=False).returncode == 1


def test_serve_needs_a_key():
    done = run("serve", env={"LUDOPOST_DATABASE": "host=/nowhere"}, check=False)
    assert done.returncode == 1 and "secret_key_1" in done.stderr


def test_usage():
    for command in ("serve", "deliver", "migrate", "admin", "doctor", "config", "rules", "work"):
        assert run(command, "--help").stdout.startswith(f"Usage: ludopost {command}")
    assert run("--help").stdout.startswith("Ludopost") and re.fullmatch(r"ludopost \S+\n", run("--version").stdout)
    for arguments in ((), ("dance",), ("serve", "now"), ("config", "--config"), ("routes", "x")):
        done = run(*arguments, check=False)
        assert done.returncode == 2 and "--help" in done.stderr
