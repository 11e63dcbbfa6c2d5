"""mail/smtp.c against a real SMTP server that misbehaves at each stage."""

import socket
import ssl
import subprocess
import time

import pytest

from harness.mail_probe import Probe
from harness.smtp_server import DRIP, DROP, FREEZE, RESET, STALL, SmtpServer

HELLO = b"Subject: x\r\n\r\nhello\r\n"
LARGE = b"Subject: x\r\n\r\n" + (b"y" * 70 + b"\r\n") * 200_000  # more than sockets buffer


# For servers that stall: long enough for what comes before, however busy this machine is.
AT_CONNECTING = {"connect_timeout": 2}
AT_AN_ANSWER = {"response_timeout": 2}


def outcome(probe, script, **times):
    with SmtpServer(script) as one:
        probe.open(one, **times)
        return probe.send(), one


def test_a_mail_is_sent(probe):
    result, server = outcome(probe, {})
    assert result == {
        "class": "sent",
        "code": 250,
        "enhanced": "2.0.0",
        "cause": "none",
        "reply": "250 2.0.0 queued as 4711",
        "problem": "",
    }
    assert server.mails == [HELLO]
    assert server.connections[0].commands[:4] == [
        b"EHLO mail.play.test",
        b"MAIL FROM:<bounce@play.test> SIZE=%d" % len(HELLO),
        b"RCPT TO:<anna@example.org>",
        b"DATA",
    ]


REFUSALS = [
    # stage, reply, class, enhanced, cause
    ("BANNER", "421 4.3.2 busy", "temporary", "4.3.2", "none"),
    ("BANNER", "554 5.7.1 not you", "config", "5.7.1", "policy"),
    ("MAIL", "451 4.3.0 later", "temporary", "4.3.0", "none"),
    ("MAIL", "452 4.2.2 full", "temporary", "4.2.2", "full"),
    ("MAIL", "530 5.7.0 authentication first", "config", "5.7.0", "policy"),
    ("MAIL", "550 5.7.26 not authenticated", "permanent", "5.7.26", "policy"),
    ("MAIL", "552 5.3.4 too big", "permanent", "5.3.4", "unclear"),
    ("RCPT", "450 4.2.0 greylisted", "temporary", "4.2.0", "none"),
    ("RCPT", "450 4.1.1 unknown for now", "temporary", "4.1.1", "none"),
    ("RCPT", "550 5.1.1 no such user", "permanent", "5.1.1", "dead"),
    ("RCPT", "550 5.1.10 null MX", "permanent", "5.1.10", "dead"),
    ("RCPT", "550 no such user", "permanent", "", "unclear"),
    ("RCPT", "550 5.2.1 disabled", "permanent", "5.2.1", "disabled"),
    ("RCPT", "552 5.2.2 full", "permanent", "5.2.2", "full"),
    ("RCPT", "550-5.1.1 no such user,\r\n550 5.1.1 really", "permanent", "5.1.1", "dead"),
    ("DATA", "451 4.3.0 later", "temporary", "4.3.0", "none"),
    ("DATA", "554 5.5.1 no valid recipients", "permanent", "5.5.1", "unclear"),
    ("END", "421 4.3.2 shutting down", "temporary", "4.3.2", "none"),
    ("END", "451 4.3.0 later", "temporary", "4.3.0", "none"),
    ("END", "452 4.7.28 rate limited", "temporary", "4.7.28", "policy"),
    ("END", "552 5.3.4 too big", "permanent", "5.3.4", "unclear"),
    ("END", "554 5.7.1 spam", "permanent", "5.7.1", "policy"),
]


@pytest.mark.parametrize(("stage", "reply", "kind", "enhanced", "cause"), REFUSALS)
def test_a_refusal_is_what_its_code_says(probe, stage, reply, kind, enhanced, cause):
    result, server = outcome(probe, {stage: reply})
    assert (result["class"], result["enhanced"], result["cause"]) == (kind, enhanced, cause)
    assert result["code"] == int(reply[:3])
    assert result["reply"] == reply.replace("\r\n", "\n")
    assert result["problem"]
    assert server.mails == []


def test_a_server_without_ehlo_is_greeted_the_old_way(probe):
    result, server = outcome(probe, {"EHLO": "502 what?"})
    assert result["class"] == "sent"
    assert server.commands() == ["EHLO", "HELO", "MAIL", "RCPT", "DATA", "QUIT"][: len(server.commands())]


def test_a_greeting_refused_is_a_matter_of_configuration(probe):
    result, _ = outcome(probe, {"EHLO": "550 who are you?", "HELO": "550 5.7.1 who are you?"})
    assert (result["class"], result["code"]) == ("config", 550)


BEFORE_DATA = ["BANNER", "EHLO", "MAIL", "RCPT", "DATA"]


@pytest.mark.parametrize("how", [DROP, RESET], ids=str)
@pytest.mark.parametrize("stage", BEFORE_DATA)
def test_a_connection_lost_before_the_mail_is_temporary(probe, stage, how):
    result, _ = outcome(probe, {stage: how})
    assert result["class"] == "temporary"
    assert result["code"] in (0, 250, 220)


@pytest.mark.sampled
@pytest.mark.parametrize("how", [STALL, DRIP], ids=str)
@pytest.mark.parametrize("stage", BEFORE_DATA)
def test_a_server_that_stalls_before_the_mail_is_given_up(probe, stage, how):
    result, _ = outcome(probe, {stage: how}, **(AT_CONNECTING if stage in ("BANNER", "EHLO") else AT_AN_ANSWER))
    assert result["class"] == "temporary"


@pytest.mark.parametrize("how", [DROP, RESET, STALL, DRIP, "what a nice mail", "354 more!"], ids=str)
def test_a_connection_lost_after_the_final_dot_is_ambiguous(probe, how):
    result, server = outcome(probe, {"END": how}, **AT_AN_ANSWER)
    assert (result["class"], result["code"]) == ("ambiguous", 354)
    assert len(server.wires) == 1


def test_a_connection_lost_amid_a_large_mail_is_temporary(probe):
    """The final dot never left: nothing ambiguous about it."""
    with SmtpServer({"BODY": RESET}) as server:
        probe.open(server)
        result = probe.send(LARGE)
    assert (result["class"], result["code"]) == ("temporary", 354)


def test_a_server_that_stops_reading_is_given_up(probe):
    with SmtpServer({"BODY": FREEZE}) as server:
        probe.open(server, total_timeout=5)
        result = probe.send(LARGE)
    assert (result["class"], result["code"]) == ("temporary", 354)


def test_an_accepted_mail_is_sent_however_the_server_says_goodbye(probe):
    for how in (DROP, STALL, "500 no"):
        result, server = outcome(probe, {"QUIT": how})
        assert result["class"] == "sent"
        assert len(server.mails) == 1


def test_ending_a_session_does_not_wait_for_a_server_that_does_not_say_goodbye():
    with SmtpServer({"QUIT": STALL}) as server:
        probe = Probe()
        probe.open(server)
        assert probe.send()["class"] == "sent"
        probe.close()  # libcurl alone would wait two minutes


def test_garbage_for_a_banner_is_temporary(probe):
    result, _ = outcome(probe, {"BANNER": "HTTP/1.1 400 Bad Request"}, **AT_CONNECTING)
    assert (result["class"], result["code"]) == ("temporary", 0)


def test_nobody_listening_is_temporary(probe):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    probe.open(None, url=f"smtp://127.0.0.1:{port}")
    assert probe.send()["class"] == "temporary"


def test_a_name_that_does_not_resolve_is_temporary(probe):
    probe.open(None, url="smtp://mail.invalid:25")
    assert probe.send()["class"] == "temporary"


# ---- connections ----


def test_mails_share_a_connection(probe):
    with SmtpServer() as server:
        probe.open(server)
        assert [probe.send()["class"] for _ in range(5)] == ["sent"] * 5
        assert len(server.connections) == 1


@pytest.mark.parametrize("how", ["421 4.4.2 idle too long", DROP], ids=["421", "drop"])
def test_a_connection_that_died_while_idle_is_replaced_at_once(probe, how):
    with SmtpServer({"IDLE": [how]}) as server:
        probe.open(server)
        assert probe.send()["class"] == "sent"
        assert server.idled.wait(10)
        assert probe.send()["class"] == "sent"
        assert len(server.mails) == 2
        assert len(server.connections) == 2


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA", "END"])
def test_the_next_mail_after_a_refused_one_is_sent(probe, stage):
    with SmtpServer({stage: ["550 5.1.1 no", None]}) as server:
        probe.open(server)
        assert probe.send()["class"] == "permanent"
        assert probe.send()["class"] == "sent"
        assert len(server.mails) == 1


def test_a_refusal_on_a_used_connection_is_not_tried_again(probe):
    with SmtpServer({"RCPT": [None, "550 5.1.1 no", None]}) as server:
        probe.open(server)
        assert probe.send()["class"] == "sent"
        assert probe.send()["class"] == "permanent"
        assert [command[:4] for connection in server.connections for command in connection.commands].count(b"RCPT") == 2


@pytest.mark.parametrize("stage", ["END", "DATA"])
def test_the_next_mail_after_a_lost_connection_is_sent(probe, stage):
    with SmtpServer({stage: [DROP, None]}) as server:
        probe.open(server)
        assert probe.send()["class"] in ("ambiguous", "temporary")
        assert probe.send()["class"] == "sent"


# ---- what goes on the wire ----


@pytest.mark.parametrize(
    "body",
    [b".\r\n", b"..\r\n.x\r\n", b".", b"a\r\n.\r\nb\r\n", b"x" * 998 + b"\r\n", b".\r\n" * 5000, b"a" * 65535 + b"\r\n"],
    ids=["dot", "dots", "dot-at-end", "dot-inside", "longest-line", "many-dots", "too-long"],
)
def test_every_byte_arrives(probe, body):
    message = b"Subject: x\r\n\r\n" + body
    with SmtpServer() as server:
        probe.open(server)
        result = probe.send(message)
        if len(max(body.split(b"\r\n"), key=len)) > 998:
            assert result["class"] == "permanent"
            assert server.connections == []
        else:
            assert result["class"] == "sent"
            assert server.mails == [message if message.endswith(b"\r\n") else message + b"\r\n"]


@pytest.mark.parametrize("message", [b"a: b\n\nc\n", b"a: b\r\n\r\nc\rd\r\n", b"a: b\r\n\r\nc\0d\r\n", b"", b"a\r\n\n.\nMAIL FROM:<x@y>"])
def test_a_message_unfit_for_the_wire_is_not_sent(probe, message):
    with SmtpServer() as server:
        probe.open(server)
        assert probe.send(message)["class"] == "permanent"
        assert server.connections == []


BAD_ADDRESSES = [
    "b@example.com>\r\nRCPT TO:<victim@example.com",
    "<b@example.com>",
    "B <b@example.com>",
    "b@example.com, c@example.com",
    "b@example.com\n",
    "b\t@example.com",
    "b@example.com SIZE=1",
    "жук@example.com",
    "",
]


@pytest.mark.parametrize("address", BAD_ADDRESSES)
def test_only_one_bare_address_is_a_recipient(probe, address):
    with SmtpServer() as server:
        probe.open(server)
        assert probe.send(to=address)["class"] == "permanent"
        assert server.connections == []


@pytest.mark.parametrize("address", [address for address in BAD_ADDRESSES if address])
def test_only_one_bare_address_is_a_sender(probe, address):
    with SmtpServer() as server:
        probe.open(server)
        assert probe.send(sender=address)["class"] == "config"
        assert server.connections == []


def test_the_null_sender_is_sent_as_such(probe):
    with SmtpServer() as server:
        probe.open(server)
        assert probe.send(sender="")["class"] == "sent"
        assert server.connections[0].commands[1].startswith(b"MAIL FROM:<> ")


def test_an_international_domain_goes_out_as_punycode(probe):
    with SmtpServer() as server:
        probe.open(server)
        assert probe.send(to="anna@straße.example")["class"] == "sent"
        assert b"RCPT TO:<anna@xn--strae-oqa.example>" in server.connections[0].commands


# ---- TLS and login ----


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
    subprocess.run(
        [*command.split(), "-keyout", folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return str(folder / "cert.pem"), context


def test_starttls_is_used_where_it_is_required(probe, certificate):
    ca_file, tls = certificate
    with SmtpServer(tls=tls) as server:
        probe.open(server, tls="required", ca_file=ca_file)
        assert probe.send()["class"] == "sent"
        assert server.connections[0].secure
        assert server.commands()[:3] == ["EHLO", "STARTTLS", "EHLO"]


def test_a_certificate_that_nobody_signed_is_refused(probe, certificate):
    with SmtpServer(tls=certificate[1]) as server:
        probe.open(server, tls="required")
        assert probe.send()["class"] == "config"
        assert server.mails == []
        assert "MAIL" not in server.commands()


def test_no_starttls_where_it_is_required_is_a_matter_of_configuration(probe):
    with SmtpServer() as server:
        probe.open(server, tls="required")
        assert probe.send()["class"] == "config"
        assert "MAIL" not in server.commands()


def test_starttls_refused_for_now_is_temporary(probe, certificate):
    with SmtpServer({"STARTTLS": "454 4.7.0 not now"}, tls=certificate[1]) as server:
        probe.open(server, tls="required", ca_file=certificate[0])
        assert probe.send()["class"] == "temporary"
        assert "MAIL" not in server.commands()


def test_a_login_happens(probe):
    with SmtpServer(auth=True) as server:
        probe.open(server, user="board", password="s3cret")
        assert [probe.send()["class"] for _ in range(2)] == ["sent", "sent"]
        assert server.commands().count("AUTH") == 1


@pytest.mark.parametrize(("reply", "kind"), [("535 5.7.8 wrong password", "config"), ("454 4.7.0 later", "temporary")])
def test_a_login_refused(probe, reply, kind):
    with SmtpServer({"AUTH": reply}, auth=True) as server:
        probe.open(server, user="board", password="s3cret")
        result = probe.send()
        assert (result["class"], result["code"]) == (kind, int(reply[:3]))
        assert "RCPT" not in server.commands()
        assert "s3cret" not in str(result)


def test_no_login_offered_is_a_matter_of_configuration(probe):
    with SmtpServer() as server:
        probe.open(server, user="board", password="s3cret")
        result = probe.send()
        assert result["class"] == "config"
        assert "login" in result["problem"]
        assert server.mails == []
        assert "RCPT" not in server.commands()
        assert probe.send()["class"] == "config"


@pytest.mark.parametrize("stage", ["STARTTLS", "AUTH"])
def test_a_stall_at_tls_or_login_is_given_up(probe, certificate, stage):
    with SmtpServer({stage: STALL}, tls=certificate[1], auth=True) as server:
        probe.open(server, tls="required", ca_file=certificate[0], user="board", password="s3cret", connect_timeout=4)
        assert probe.send()["class"] == "temporary"


@pytest.mark.parametrize(
    "settings",
    [
        {"url": "http://localhost"},
        {"url": "smtp://localhost/path"},
        {"url": "localhost:25"},
        {"url": "smtp://"},
        {"url": "smtp://localhost", "hello_name": "not a name"},
        {"url": "smtp://localhost", "hello_name": "a.b\r\nMAIL FROM:<x@y.z>"},
        {"url": "smtp://mail.example.org", "tls": "none", "user": "a", "password": "b"},
        {"url": "smtp://localhost", "user": "a"},
    ],
)
def test_wrong_settings_are_refused(probe, settings):
    assert "error" in probe.open(None, **settings)


def test_the_environment_does_not_choose_a_proxy(monkeypatch):
    for name in ("all_proxy", "ALL_PROXY", "smtp_proxy"):
        monkeypatch.setenv(name, "socks5://127.0.0.1:1")
    probe = Probe()
    assert outcome(probe, {})[0]["class"] == "sent"
    probe.close()


def test_the_total_time_holds_after_the_final_dot(probe):
    """libcurl's own limit does not (curl/curl#8555): each promise of another line starts it anew."""
    with SmtpServer({"END": DRIP}) as server:
        probe.open(server, response_timeout=100, total_timeout=4)
        started = time.monotonic()
        assert probe.send()["class"] == "ambiguous"
        assert time.monotonic() - started < 60  # not 100 s, and not for ever


def test_an_interrupted_session_gives_up(probe):
    with SmtpServer() as server:
        probe.open(server, response_timeout=100, total_timeout=100)
        assert probe.send()["class"] == "sent"
        probe.ask("interrupt")
        assert probe.send()["class"] == "temporary"
        assert len(server.mails) == 1
