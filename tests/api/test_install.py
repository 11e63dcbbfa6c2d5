"""`make install` and the image carry what the program needs."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_install_puts_program_units_and_examples(tmp_path):
    done = subprocess.run(
        ["make", "install", f"DESTDIR={tmp_path}", "PREFIX=/usr"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    program = tmp_path / "usr/bin/ludopost"
    assert subprocess.run([program, "config"], capture_output=True, env={}, check=False).returncode == 0
    units = list((tmp_path / "usr/lib/systemd/system").iterdir())
    assert {unit.name for unit in units} == {path.name for path in (ROOT / "docker/systemd").iterdir()}
    for unit in units:
        assert "ExecStart=/usr/bin/ludopost " in unit.read_text()
    assert (tmp_path / "usr/share/doc/ludopost/README.md").is_file()


def test_the_image_has_every_library_the_program_needs():
    """The Debian packages of the libraries the program names are those the Dockerfile installs."""
    dynamic = subprocess.run(["objdump", "-p", "build/ludopost"], cwd=ROOT, capture_output=True, text=True, check=True)
    needed = [name for name in re.findall(r"NEEDED\s+(\S+)", dynamic.stdout) if not re.match(r"lib(c|m|pthread|resolv)\.so", name)]
    owners = set()
    for name in needed:
        found = subprocess.run(["dpkg-query", "-S", f"*/{name}"], capture_output=True, text=True, check=True).stdout
        owners |= {line.split(":")[0] for line in found.splitlines() if line.endswith(f"/{name}") and "-gnu" in line}
    final_stage = (ROOT / "docker/Dockerfile").read_text().split("\nFROM ")[-1]
    installed = set(re.findall(r"^\s{8}([a-z0-9.+-]+)", final_stage, re.M))
    assert owners <= installed, owners - installed
