#!/usr/bin/python3
"""Judges what mail_cases decides about a folder of mails.

    tests/mail/judge.py DIR [PROGRAM]        (PROGRAM: build/tests/mail_cases)

One line per difference; the last line is `wrong commands: N, right: M of K`. Right = disposition,
reason and command are as expected, and the remark is after collapsing white space; or all fields of
the case's `lenient` answer are. A wrong command is any command other than the expected one, also
when held. Ends with 1 if there is a wrong command or less than 97 % are right.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "tests" / "mail_cases"
RIGHT_AT_LEAST = 0.97


def collapsed(text):
    return " ".join(text.split()) if text else None


def answers(folder, program):
    output = subprocess.run([program, folder], check=True, capture_output=True, text=True).stdout
    return {answer["id"]: answer for answer in map(json.loads, output.splitlines())}


def fits(answer, expected):
    """Whether an answer has every field of `expected` that counts."""
    return all(
        collapsed(answer.get("chat")) == collapsed(value) if key == "chat" else answer.get(key) == value
        for key, value in expected.items()
        if key in ("disposition", "reason", "command", "chat")
    )


def is_right(answer, case):
    return fits(answer, case["expect"]) or ("lenient" in case and fits(answer, case["lenient"]))


def is_wrong_command(answer, case):
    return answer.get("command") is not None and answer["command"] != case["expect"]["command"]


def judge(folder, program=PROGRAM):
    """(differences as lines, number of wrong commands, of right answers, of cases)"""
    folder = pathlib.Path(folder)
    given = answers(folder, program)
    differences, wrong, right, count = [], 0, 0, 0
    for path in sorted(folder.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        answer = given.get(case["id"], {})
        count += 1
        right += is_right(answer, case)
        wrong += is_wrong_command(answer, case)
        for key in ("disposition", "reason", "command", "chat", "secret_from"):
            expected, got = case["expect"].get(key), answer.get(key)
            if key == "chat":
                expected, got = collapsed(expected), collapsed(got)
            if expected != got:
                note = "" if is_right(answer, case) else " NOT RIGHT"
                note = " WRONG COMMAND" if key == "command" and is_wrong_command(answer, case) else note
                differences.append(f"{case['id']}: {key}: expected {expected!r}, got {got!r}{note}")
    return differences, wrong, right, count


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__)
        return 2
    differences, wrong, right, count = judge(*arguments)
    for difference in differences:
        print(difference)
    print(f"wrong commands: {wrong}, right: {right} of {count}")
    return 0 if wrong == 0 and count > 0 and right >= RIGHT_AT_LEAST * count else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
