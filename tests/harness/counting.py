"""Counts of what test programs say, for tests/run."""

import os
import re
import signal
import xml.etree.ElementTree as ElementTree


def tap_counts(text):
    """(passed, failed) of TAP: a skipped test and a plan that was not kept count as failed."""
    passed = failed = 0
    planned = None
    for line in text.splitlines():
        plan = re.match(r"1\.\.(\d+)\b", line)
        result = re.match(r"(not )?ok\b(.*)$", line)
        if plan:
            planned = int(plan.group(1))
        elif line.startswith("Bail out!"):
            failed += 1
        elif result and not re.match(r"(not )?ok$", line.strip()):
            skipped = re.search(r"#\s*(skip|todo)", result.group(2), re.I)
            if result.group(1) or skipped:
                failed += 1
            else:
                passed += 1
    if planned is None:
        failed += 1
    elif planned > passed + failed:
        failed += planned - passed - failed
    return passed, failed


def junit_counts(report):
    """(passed, failed, [(seconds, test)]) of a pytest report; no report is one failure."""
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return 0, 1, []
    times = [(float(case.get("time", 0)), f"{case.get('classname')}::{case.get('name')}") for case in cases]
    bad = set()
    good = set()
    for number, case in enumerate(cases):
        # A test that failed and then failed again while cleaning up stands twice.
        identity = (case.get("classname"), case.get("name"))
        broken = any(child.tag in ("failure", "error", "skipped") for child in case)
        (bad if broken else good).add(identity if broken else (*identity, number))
    bad_names = {identity[:2] for identity in bad}
    return len([one for one in good if one[:2] not in bad_names]), len(bad), times


def end_group(process):
    """Ends whatever a command left behind in its process group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
