"""The counting of the test driver itself: nothing that went wrong may pass as right."""

import smtplib

import pytest

from harness import counting
from harness.catcher import DROP, Catcher


@pytest.mark.parametrize(
    "text, counts",
    [
        ("1..2\nok 1 a\nok 2 b\n", (2, 0)),
        ("ok 1 a\nnot ok 2 b\n1..2\n", (1, 1)),
        ("1..2\nok 1 a # SKIP no reason\nok 2 b\n", (1, 1)),
        ("1..3\nok 1 a\n", (1, 2)),
        ("ok 1 a\n", (1, 1)),
        ("1..1\nok 1 a\nBail out! x\n", (1, 1)),
        ("1..2\nok 1 /rules/a\n# ok\nok 2 /rules/b\nok\nAll tests successful.\n", (2, 0)),
        ("", (0, 1)),
    ],
)
def test_tap_counts(text, counts):
    assert counting.tap_counts(text) == counts


def test_a_report_that_was_not_written_is_a_failure(tmp_path):
    assert counting.junit_counts(tmp_path / "none.xml")[:2] == (0, 1)


def test_a_skipped_test_counts_as_failed(tmp_path):
    report = tmp_path / "r.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="a" name="x" time="1"/>'
        '<testcase classname="a" name="y" time="2"><skipped/></testcase>'
        '<testcase classname="a" name="z" time="2"><failure/></testcase>'
        '<testcase classname="a" name="z" time="2"><error/></testcase></testsuite></testsuites>'
    )
    assert counting.junit_counts(report)[:2] == (1, 2)


def test_the_catcher_files_refuses_and_drops(tmp_path):
    catcher = Catcher(tmp_path / "Maildir").start()
    try:
        catcher.behave("RCPT", "550 5.1.1 nobody", match="nobody@")
        catcher.behave("END", DROP, match="dropped@", times=1)
        message = b"Subject: hello\r\n\r\ncode\r\n"
        with smtplib.SMTP("127.0.0.1", catcher.port) as client:
            client.sendmail("a@example.org", ["b@example.org"], message)
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                client.sendmail("a@example.org", ["nobody@example.org"], message)
        with pytest.raises(smtplib.SMTPServerDisconnected), smtplib.SMTP("127.0.0.1", catcher.port) as client:
            client.sendmail("a@example.org", ["dropped@example.org"], message)
        assert catcher.wait_for("b@example.org").subject == "hello"
        assert [mail.to for mail in catcher.dropped] == ["dropped@example.org"]
        assert len(catcher.maildir) == 1
    finally:
        catcher.stop()
