"""`ludopost doctor` with everything right, and with one thing after another broken on purpose."""

import re
import threading
from types import SimpleNamespace

import pytest

from harness.catcher import free_port
from harness.name_server import NameServer
from harness.server import environment, ludopost

DOMAIN = "play.example.org"
RECORDS = {
    (DOMAIN, "MX"): ["mail.example.org"],
    (DOMAIN, "TXT"): ["some-site-verification=1", "v=spf1 a:mail.example.org -all"],
    ("ludopost._domainkey.play.example.org", "TXT"): ["v=DKIM1; k=rsa; p=" + "MIIBIjANBgkq" * 30],
    ("_dmarc.example.org", "TXT"): ["v=DMARC1; p=quarantine"],
    ("catcher.test", "A"): ["192.0.2.25"],
    ("25.2.0.192.in-addr.arpa", "PTR"): ["catcher.test"],
}


class Report:
    """What the doctor said: lines of (state, what, text)."""

    def __init__(self, done):
        self.code = done.returncode
        self.text = done.stdout
        *lines, self.summary = done.stdout.splitlines()
        self.lines = [(line[:8].strip(), line[9:23].strip(), line[24:]) for line in lines]

    def state(self, what):
        """The gravest state of the lines about something; None: it was not looked at."""
        states = [state for state, name, _ in self.lines if name == what]
        return max(states, key=["OK", "warning", "failure"].index, default=None)

    def about(self, what):
        return " ".join(text for _, name, text in self.lines if name == what)


@pytest.fixture
def name_server():
    """name_server(changes): a server with RECORDS and these instead."""
    started = []

    def start(changes=None):
        records = {**RECORDS, **(changes or {})}
        started.append(NameServer({key: texts for key, texts in records.items() if texts is not None}))
        return started[-1].address

    yield start
    for one in started:
        one.stop()


@pytest.fixture
def examine(world, sink, name_server):
    """examine(**settings): the doctor's report, with DNS as in RECORDS unless a resolver is given."""

    def run(resolver=None, wait=30, database=world.database, **settings):
        defaults = {"public_url": "https://play.example.org", "smtp_tls": "none"}
        env = environment(database, sink, **{**defaults, **settings})
        done = ludopost("doctor", "--wait", wait, "--resolver", resolver or name_server(), env=env, check=False)
        return Report(done)

    return run


@pytest.fixture
def way_back(world, sink):
    """way_back(header=b""): what reaches the mail server at our domain comes into the inbox, with this on top."""
    ended = threading.Event()
    threads = []

    def carry(header, received):
        done = 0
        while not ended.wait(0.05):
            for mail in sink.mails[done:]:
                done += 1
                world.database.rows(
                    "INSERT INTO inbox (via, sender, recipient, raw, state, disposition, reason, decided_at, received_at)"
                    " VALUES ('deliver', %s, %s, %s, 'done', 'ignore', 'loop', clock_now(),"
                    " CASE WHEN %s THEN clock_now() END)",
                    (mail.sender, mail.to, header + mail.content, received),
                )

    def start(header=b"", received=True):
        threads.append(threading.Thread(target=carry, args=(header, received)))
        threads[-1].start()

    yield start
    ended.set()
    for one in threads:
        one.join()


def test_all_is_well(examine, way_back):
    way_back(b"DKIM-Signature: v=1; a=rsa-sha256; d=play.example.org;\r\n s=ludopost; b=x\r\n")
    report = examine(inbound="yes")
    assert report.code == 0, report.text
    told = {"settings", "database", "migrations", "outbox", "inbox", "time zones", "SMTP", "SMTP sender", "mail in", "mail in time"}
    for what in told | {"MX", "SPF", "DKIM", "DMARC", "PTR"}:
        assert report.state(what) == "OK", report.text
    assert report.summary == f"{len([1 for line in report.lines if line[0] == 'OK'])} OK, " + report.summary.split("OK, ")[1]
    assert " 0 failures" in report.summary


def test_the_test_mail_is_no_turn_and_wants_no_answer(examine, way_back, sink):
    way_back()
    examine(inbound="yes")
    (mail,) = sink.mails
    assert re.fullmatch(r"move\+g0\.t0\.[a-z0-9]{16}@play\.example\.org", mail.to)
    assert mail.sender.startswith("bounce+d0.")
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["X-Board-Loop"] == DOMAIN


def test_no_secret_key(examine):
    report = examine(secret_key_1=None)
    assert report.code == 1
    assert report.state("settings") == "failure" and "openssl rand" in report.about("settings")


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"public_url": "http://play.example.org"}, "https"),
        ({"mail_domain": "localhost"}, "mail_domain"),
        ({"mail_from": "Ludopost <turns@other.example>"}, "mail_from"),
    ],
)
def test_settings_that_work_but_should_not_stay(examine, settings, words):
    report = examine(**settings)
    assert report.state("settings") == "warning" and words in report.about("settings")


def test_no_database(examine):
    nowhere = SimpleNamespace(service_dsn="host=/nonexistent dbname=x user=y", owner_dsn="host=/nonexistent")
    report = examine(database=nowhere)
    assert report.code == 1
    assert report.state("database") == "failure"
    assert report.state("SMTP") == "OK", "the rest is looked at"


def test_a_database_that_only_reads(examine, world):
    name = world.database.name
    world.rows(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    report = examine()
    assert report.code == 1 and report.state("database") == "failure"


def test_a_migration_is_missing(examine, world):
    world.rows("DELETE FROM schema_migration WHERE version = (SELECT max(version) FROM schema_migration)")
    report = examine()
    assert report.code == 1
    assert report.state("migrations") == "failure" and "ludopost migrate" in report.about("migrations")


def test_a_newer_database(examine, world):
    world.rows("INSERT INTO schema_migration VALUES (9999, '9999_later.sql', 'x', clock_now())")
    report = examine()
    assert report.code == 0 and report.state("migrations") == "warning"


@pytest.mark.parametrize("offset, state, code", [("5 seconds", "warning", 0), ("-1 hour", "failure", 1)])
def test_clocks_that_differ(examine, world, offset, state, code):
    world.database.set_clock(offset)
    report = examine()
    assert report.code == code
    assert report.state("clock") == state and "apart" in report.about("clock")


def test_mails_that_nobody_sends(examine, world):
    first, second = world.player("Anna"), world.player("Bert")
    game, _ = world.game(first, second)
    delivery = world.tell("game.started", "game-started", [first], game, 0)[0]
    world.rows("UPDATE delivery SET due_at = clock_now() - interval '1 hour' WHERE id = %s", (delivery,))
    report = examine()
    assert report.state("outbox") == "warning" and "1 mails" in report.about("outbox")


def test_mails_that_could_not_be_decided(examine, world):
    world.rows("INSERT INTO inbox (via, raw, state) VALUES ('deliver', 'x', 'failed')")
    assert examine().state("inbox") == "warning"


def test_nothing_listens(examine):
    report = examine(smtp_url=f"smtp://127.0.0.1:{free_port()}")
    assert report.code == 1
    assert report.state("SMTP") == "failure" and "at connect" in report.about("SMTP")


def test_no_tls_where_it_is_wanted(examine):
    report = examine(smtp_tls="required")
    assert report.code == 1
    assert report.state("SMTP") == "failure" and "STARTTLS" in report.about("SMTP")


def test_a_refused_sender(examine, sink):
    sink.behave("MAIL", "550 5.7.1 not from you")
    report = examine()
    assert report.code == 1
    assert report.state("SMTP") == "failure"
    assert "at mail" in report.about("SMTP") and "not from you" in report.about("SMTP")


def test_our_own_addresses_are_refused(examine, sink):
    sink.behave("RCPT", "550 5.1.1 unknown user", match="move+")
    report = examine(inbound="yes")
    assert report.code == 1
    assert report.state("mail in") == "failure"
    assert "unknown user" in report.about("mail in") and "virtual_mailbox_domains" in report.about("mail in")


def test_a_test_mail_that_does_not_come_back(examine):
    report = examine(inbound="yes", wait=1)
    assert report.code == 1
    assert report.state("mail in") == "failure" and "ludopost deliver" in report.about("mail in")


def test_no_trusted_host_received_it(examine, way_back):
    way_back(received=False)
    report = examine(inbound="yes")
    assert report.state("mail in") == "OK"
    assert report.state("mail in time") == "warning" and "mail_trusted_hosts" in report.about("mail in time")


def test_mails_without_signature(examine, way_back):
    way_back()
    report = examine(inbound="yes")
    assert report.state("DKIM") == "warning" and "opendkim" in report.about("DKIM")


def test_mails_signed_by_somebody_else(examine, way_back, name_server):
    way_back(b"DKIM-Signature: v=1; d=provider.example; s=k1; b=x\r\n")
    resolver = name_server({("k1._domainkey.provider.example", "TXT"): ["p=abc"]})
    report = examine(inbound="yes", resolver=resolver)
    assert report.state("DKIM") == "warning" and "provider.example" in report.about("DKIM")


def test_inbound_is_off(examine):
    report = examine(inbound="no")
    assert report.code == 0
    assert report.state("mail in") == "warning" and "inbound" in report.about("mail in")


@pytest.mark.parametrize(
    "what, changes, state, words",
    [
        ("MX", {(DOMAIN, "MX"): []}, "warning", "MX 10"),
        ("SPF", {(DOMAIN, "TXT"): []}, "failure", "v=spf1"),
        ("SPF", {(DOMAIN, "TXT"): ["v=spf1 -all", "v=spf1 mx -all"]}, "failure", "2 SPF records"),
        ("SPF", {(DOMAIN, "TXT"): ["v=spf1 +all"]}, "warning", "everybody"),
        ("DKIM", {("ludopost._domainkey.play.example.org", "TXT"): None}, "failure", "opendkim-genkey"),
        ("DKIM", {("ludopost._domainkey.play.example.org", "TXT"): ["v=DKIM1; p="]}, "failure", "no key"),
        ("DMARC", {("_dmarc.example.org", "TXT"): None}, "warning", "v=DMARC1"),
        ("PTR", {("25.2.0.192.in-addr.arpa", "PTR"): ["host-25.isp.example"]}, "failure", "host-25.isp.example"),
        ("PTR", {("25.2.0.192.in-addr.arpa", "PTR"): None}, "failure", "nothing"),
        ("PTR", {("catcher.test", "A"): None}, "failure", "no address"),
        ("PTR", {("catcher.test", "A"): ["192.168.1.4"]}, "warning", "private"),
    ],
)
def test_records_that_are_wrong(examine, name_server, what, changes, state, words):
    report = examine(resolver=name_server(changes))
    assert report.state(what) == state, report.text
    assert words in report.about(what)
    assert report.code == (1 if state == "failure" else 0)


def test_without_mx_nothing_comes_in(examine, way_back, name_server):
    way_back()
    report = examine(inbound="yes", resolver=name_server({(DOMAIN, "MX"): []}))
    assert report.state("MX") == "failure"


def test_no_name_server_answers(examine):
    report = examine(resolver=f"127.0.0.1:{free_port()}")
    assert report.state("DNS") == "warning"
    assert report.state("SPF") is None
    assert report.code == 0


@pytest.mark.parametrize("arguments", [["--wait"], ["--wait", "0"], ["--wait", "x"], ["--what", "1"]])
def test_arguments_that_are_none(arguments):
    assert ludopost("doctor", *arguments, env={}, check=False).returncode == 2
