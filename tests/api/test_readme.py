"""README.md is true: its commands run, its table is the program's, its files exist."""

import json
import os
import pathlib
import re
import subprocess

import pytest

from harness.api import code_of
from harness.server import BINARY

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```sh tested\n(.*?)^```", README, re.M | re.S)


def test_the_table_of_settings_is_the_programs(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docker" / "local"))
    import common
    import settings_table

    monkeypatch.setattr(common, "BINARY", BINARY)
    assert settings_table.table() in README, "make readme writes it anew"


def test_every_make_target_exists():
    for name in re.findall(r"`make ([a-z-]+)", README) + re.findall(r"^    make ([a-z-]+)", README, re.M):
        done = subprocess.run(["make", "-n", "-q", name], cwd=ROOT, capture_output=True, text=True, check=False)
        assert "No rule" not in done.stderr, name


def test_every_file_named_exists():
    named = re.findall(r"`((?:rules|db|mail|service|tests|docker)/[^`\s<>…*]*)`", README)
    assert named
    for path in named:
        assert (ROOT / path).exists(), path


def test_every_route_named_exists():
    shown = subprocess.run([BINARY, "routes"], capture_output=True, text=True, check=True).stdout
    paths = {re.sub(r"\{\w+\}", "*", word) for word in shown.split() if word.startswith("/")}
    named = set(re.findall(r"(/v1/[\w/*$.-]+|/healthz|/readyz|/metrics|/openapi\.json)", README))
    for path in named:
        pattern = re.sub(r"\$\w+", "*", path.rstrip(".,"))
        alike = re.sub(r"/(ordo|ordox|xo)$", "/*", pattern)
        assert pattern in paths or alike in paths, path


@pytest.fixture(scope="module")
def shell(server):
    """Runs one block with the variables so far; what each curl printed, as JSON or text."""
    variables = {}

    def run(block):
        script = block.replace("http://127.0.0.1:8080", server.url).replace("build/ludopost", str(BINARY))
        environment = {"PATH": os.environ["PATH"], "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""), **variables}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script.replace("curl -s", "curl -sS --fail-with-body")],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    run.variables = variables
    return run


def objects(text):
    """The JSON values that follow each other in a text."""
    decoder, values, at = json.JSONDecoder(), [], 0
    text = text.strip()
    while at < len(text):
        value, end = decoder.raw_decode(text, at)
        values.append(value)
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return values


def game_agreed(shell, challenge):
    """The number of the game that the two commands of the block make."""
    first, second = challenge.split("curl -s -X POST http://127.0.0.1:8080/v1/challenges/")
    shell.variables["CHALLENGE"] = str(objects(shell(first))[0]["id"])
    accepted = objects(shell("curl -s -X POST http://127.0.0.1:8080/v1/challenges/" + second))[0]
    return str(accepted["game"]["id"])


def test_the_five_minutes_with_rest(shell, bert, catcher):
    sign_up, confirm, challenge, look, play, set_up, deliveries = [block for block in BLOCKS if "/v1/" in block]
    shell.variables["BERT"] = bert.token
    shell(sign_up)
    shell.variables["CODE"] = code_of(catcher.wait_for("dora@example.org"))
    shell.variables["TOKEN"] = objects(shell(confirm))[0]["token"]
    shell.variables["GAME"] = game_agreed(shell, challenge)
    assert "ａｂｃｄｅｆｇｈｉｊ" in shell(look)
    assert objects(shell(play))[0]["turn"] == "c2:d2-c4"
    catcher.wait(lambda all_mails: [mail for mail in all_mails.to(bert.email) if "c2:d2-c4" in mail.text])
    assert objects(shell(deliveries))
    shell.variables["XO"] = game_agreed(shell, challenge.replace('"ordo"', '"xo","options":{"board":"9x10","territory":4}'))
    shell.variables["XO"] = game_agreed(shell, challenge.replace('"ordo"', '"xo"'))
    assert [answer["sealed"] for answer in objects(shell(set_up))] == [True, False, False]


@pytest.mark.parametrize("block", [block for block in BLOCKS if "build/ludopost" in block])
def test_the_referee_on_the_command_line(block):
    script = block.replace("build/ludopost", str(BINARY))
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "190114" in done.stdout if "perft" in block else "xo:7x12:3 " in done.stdout and "open 1" in done.stdout
