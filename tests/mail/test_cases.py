"""Every mail of both collections is decided about as its JSON says; none makes a wrong command."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("LUDOPOST_TEST_BUILD") or ROOT / "build" / "asan")
PROGRAM = BUILD / "tests" / "mail_cases"
FOLDERS = ["cases", "cases-own"]


def decisions(folder):
    output = subprocess.run([PROGRAM, HERE / folder], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_mail_makes_a_wrong_command_and_nearly_all_are_right(folder):
    judged = subprocess.run(
        [sys.executable, HERE / "judge.py", HERE / folder, PROGRAM], check=False, capture_output=True, text=True
    )
    assert judged.returncode == 0, judged.stdout + judged.stderr
    assert judged.stdout.splitlines()[-1].startswith("wrong commands: 0, right: ")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_mail_is_decided_about_once(folder):
    ids = [decision["id"] for decision in decisions(folder)]
    assert ids == sorted(path.stem for path in (HERE / folder).glob("*.eml"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_only_accepted_and_rejected_mails_are_answered(folder):
    answered = [decision for decision in decisions(folder) if decision["may_answer"]]
    assert answered
    assert {decision["disposition"] for decision in answered} == {"accept", "reject"}
    assert all(decision["reason"] != "bad-secret" for decision in answered)


def test_the_judge_tells_wrong_commands_from_missing_ones(tmp_path):
    """A program that always answers the same: the judge must count what it does to each case."""
    fake = tmp_path / "fake"
    fake.write_text(
        "#!/bin/sh\n"
        """echo '{"id": "1", "disposition": "hold", "reason": null, "command": "c2-c4", "chat": null}'\n"""
        """echo '{"id": "2", "disposition": "accept", "reason": null, "command": null, "chat": " a  b"}'\n"""
    )
    fake.chmod(0o755)
    expect = {"disposition": "accept", "reason": None, "command": "c2-c5", "chat": "a b"}
    for number, lenient in (("1", None), ("2", {"command": None})):
        case = {"id": number, "context": {}, "expect": expect} | ({"lenient": lenient} if lenient else {})
        (tmp_path / f"{number}.json").write_text(json.dumps(case))
    judged = subprocess.run(
        [sys.executable, HERE / "judge.py", tmp_path, fake], check=False, capture_output=True, text=True
    )
    assert judged.returncode == 1
    assert judged.stdout.splitlines()[-1] == "wrong commands: 1, right: 1 of 2"
