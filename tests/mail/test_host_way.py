"""The way mails take through the documented mail host: what is refused, what comes again, who reads what."""

import smtplib
import subprocess
import time

import pytest

from harness.mail_host import DOMAIN
from harness.mail_service import MailService
from harness.server import BINARY, environment


@pytest.fixture(params=[True, False], ids=["piped by Postfix", "fetched by IMAP"])
def either(request, world):
    one = MailService(world.database, request.param).start()
    yield one
    one.stop()


@pytest.fixture
def piped(world):
    """With an address whose mails come to nowhere behind the first server."""
    one = MailService(world.database, aliases={"carla@example.org": "nobody@example.org"}).start()
    yield one
    one.stop()


def eventually(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "what was awaited did not happen"
        time.sleep(0.1)


def start(service):
    """A game, and the mail that asks for its first turn."""
    anna, anna_mails = service.player("anna", "en")
    boris, boris_mails = service.player("boris", "fr")
    game = anna.start_game(boris)
    return game, anna_mails, boris_mails, anna_mails.wait_for(lambda mail: str(mail["Reply-To"]).startswith(f"move+g{game}.t1."))


def test_the_doctor_finds_the_way_back(either):
    env = environment(either.database, None, **either.host.settings, public_url="https://play.example.org")
    done = subprocess.run(
        [BINARY, "doctor", "--resolver", "127.0.0.1:9", "--wait", "60"], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + either.host.servers_log()
    lines = {line[9:23].strip(): line for line in done.stdout.splitlines()[:-1]}
    for what in ("database", "migrations", "SMTP", "SMTP sender", "mail in", "mail in time"):
        assert lines[what].startswith("OK"), done.stdout
    assert "mail.play.example.org" in lines["SMTP"]
    assert either.inbox() == [("ignore", "loop", None, None)]


def test_a_database_that_is_away_costs_no_mail(either):
    game, anna, boris, asked = start(either)
    mend = either.host.break_settings("database", "host=/nonexistent dbname=x user=y connect_timeout=1")
    anna.reply(asked, "c2-c4")
    eventually(lambda: "event=mail_not_kept" in either.host.log("deliver"))
    assert either.inbox() == []
    mend()

    def came():
        either.host.queue_run()
        return either.inbox()

    eventually(came, 90)
    boris.wait_for(lambda mail: "c2-c4" in mail.text and f"+g{game}.t2." in str(mail["Reply-To"]))
    assert either.inbox() == [("accept", None, "move", None)]


def test_people_read_what_is_written_to_people(piped):
    anna, reader = piped.somebody("anna", "en"), piped.somebody("you", "en")
    for name in ("postmaster", "abuse", "turns"):
        anna.write(f"{name}@{DOMAIN}", f"hello {name}")
        reader.wait_for(lambda mail, name=name: f"hello {name}" in mail.text)
    assert piped.inbox() == []


def test_the_mail_server_refuses_what_nobody_would_read(piped):
    message = b"Subject: x\r\n\r\nhello\r\n"
    with smtplib.SMTP("127.0.0.1", piped.host.smtp_port) as smtp:
        for name in ("nobody", "moves", "move-g1.t1.x"):
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                smtp.sendmail("anna@example.org", [f"{name}@{DOMAIN}"], message)
            assert list(refused.value.recipients.values())[0][0] == 550
        with pytest.raises(smtplib.SMTPSenderRefused) as too_large:
            smtp.sendmail("anna@example.org", [f"move+g1.t1.x@{DOMAIN}"], message + b"x" * 1100000)
        assert too_large.value.smtp_code == 552
    assert piped.inbox() == []


def test_a_report_of_another_server_comes_back_to_the_turns_address(piped):
    """The first server took the mail; the one behind it did not: a report to the envelope's sender."""
    anna, anna_mails = piped.player("anna", "en")
    carla, _ = piped.player("carla", "en")
    anna.start_game(carla)
    eventually(lambda: ("bounce", "hard") in [row[:2] for row in piped.inbox()])
    assert piped.database.value("SELECT state FROM address WHERE email = 'carla@example.org'") == "dead"


def test_two_mails_in_one_are_one(piped):
    """A bare line feed must not end a mail and begin another, with a sender nobody checked."""
    game, anna, boris, asked = start(piped)
    raw = (
        f"From: boris@example.org\r\nTo: {asked['Reply-To']}\r\nSubject: x\r\nMessage-ID: <smuggler@example.org>\r\n\r\nhello\n.\r\n"
        f"MAIL FROM:<anna@example.org>\r\nRCPT TO:<{asked['Reply-To']}>\r\nDATA\r\nFrom: anna@example.org\r\n\r\nresign\r\n"
    )
    with smtplib.SMTP("127.0.0.1", piped.host.smtp_port) as smtp:
        smtp.mail("boris@example.org")
        smtp.rcpt(asked["Reply-To"])
        smtp.docmd("DATA")
        smtp.send(raw.encode() + b"\r\n.\r\n")
        smtp.getreply()
    eventually(piped.inbox)
    assert piped.database.value("SELECT count(*) FROM inbox") == 1
    assert piped.database.value("SELECT phase FROM game WHERE id = %s", (game,)) == "play"
