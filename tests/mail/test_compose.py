"""Messages made by mail/compose.c, read by Python's email package and sent through aiosmtpd."""

import base64
import email
import email.header
import email.policy
import re
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.catcher import Catcher

PNG = b"\x89PNG\r\n\x1a\n" + zlib.compress(bytes(range(256)) * 20)
FULL = {
    "from_name": "Ludopost",
    "from_address": "turns@play.test",
    "to_address": "anna@example.org",
    "reply_to": "move+g1042.t17.k7q2m9x4w8ztb3n5@play.test",
    "subject": "[Ludopost] Game 1042: Anna vs Piotr",
    "date": 1709474700,
    "message_id": "g1042.t17.u77.1@play.test",
    "references": ["g1042@play.test", "g1042.t15.u77.1@play.test"],
    "loop_domain": "play.test",
    "list_name": "Board games",
    "list_id": "turns.play.test",
    "unsubscribe_url": "https://play.test/u/TOKEN",
    "unsubscribe_address": "unsubscribe+u77.TOKEN@play.test",
    "feedback_id": "turn:board::boardplay",
    "text": "Привет, мир!\n\n8 . . b\n",
    "html": "<p>Grüße</p>",
    "png": base64.b64encode(PNG).decode(),
    "content_id": "board@play.test",
    "alt": "board",
}


def parsed(raw):
    """The message as both of Python's readers see it."""
    modern = email.message_from_bytes(raw, policy=email.policy.default)
    assert not modern.defects
    for part in modern.walk():
        assert not part.defects
    return modern


def check_wire(raw):
    assert isinstance(raw, bytes), raw
    assert raw.endswith(b"\r\n")
    lines = raw.split(b"\r\n")
    assert b"\n" not in b"".join(lines)
    assert b"\r" not in b"".join(lines)
    assert re.fullmatch(rb"[\t\x20-\x7e]*", b"".join(lines))
    head = raw.split(b"\r\n\r\n")[0].split(b"\r\n")
    for line in lines:
        # Over 76 only where a single word is, such as a long URL or id.
        assert len(line) <= 76 or (line in head and len(line) <= 998 and len(line.split()) <= 2)


def test_a_full_message_has_every_header_once(probe):
    raw = probe.compose(**FULL)
    check_wire(raw)
    message = parsed(raw)
    expected = {
        "From": "Ludopost <turns@play.test>",
        "To": "anna@example.org",
        "Reply-To": "move+g1042.t17.k7q2m9x4w8ztb3n5@play.test",
        "Subject": "[Ludopost] Game 1042: Anna vs Piotr",
        "Date": "Sun, 03 Mar 2024 14:05:00 +0000",
        "Message-ID": "<g1042.t17.u77.1@play.test>",
        "In-Reply-To": "<g1042.t15.u77.1@play.test>",
        "References": "<g1042@play.test> <g1042.t15.u77.1@play.test>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "List-Id": "Board games <turns.play.test>",
        "List-Unsubscribe": "<https://play.test/u/TOKEN>, <mailto:unsubscribe+u77.TOKEN@play.test>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Feedback-ID": "turn:board::boardplay",
        "X-Board-Loop": "play.test",
        "MIME-Version": "1.0",
    }
    assert {name: str(message[name]) for name in expected} == expected
    assert sorted(message.keys()) == sorted([*expected, "Content-Type"])


def test_the_parts_are_alternative_with_related_inside(probe):
    message = parsed(probe.compose(**FULL))
    assert message.get_content_type() == "multipart/alternative"
    text, related = message.iter_parts()
    assert (text.get_content_type(), text.get_content_charset()) == ("text/plain", "utf-8")
    assert text.get_content() == FULL["text"].replace("\n", "\r\n")  # base64 keeps the line ends of the wire
    assert related.get_content_type() == "multipart/related"
    html, picture = related.iter_parts()
    assert (html.get_content_type(), html.get_content_charset()) == ("text/html", "utf-8")
    assert html.get_content().splitlines() == FULL["html"].splitlines()
    assert picture.get_content_type() == "image/png"
    assert picture["Content-ID"] == "<board@play.test>"
    assert picture.get_content_disposition() == "inline"
    assert picture.get_content() == PNG
    boundaries = {part.get_boundary() for part in message.walk() if part.is_multipart()}
    assert len(boundaries) == 2


def test_a_retry_gives_the_same_bytes_and_another_mail_other_boundaries(probe):
    assert probe.compose(**FULL) == probe.compose(**FULL)
    other = {**FULL, "message_id": "g1042.t19.u77.1@play.test"}
    assert parsed(probe.compose(**FULL)).get_boundary() != parsed(probe.compose(**other)).get_boundary()


MINIMAL = {key: FULL[key] for key in ("from_address", "to_address", "subject", "date", "message_id", "text")}


def test_what_is_not_given_leaves_no_header(probe):
    raw = probe.compose(**MINIMAL)
    check_wire(raw)
    message = parsed(raw)
    assert message.get_content_type() == "text/plain"
    assert message.get_content().splitlines() == FULL["text"].splitlines()
    for name in ("Reply-To", "References", "In-Reply-To", "List-Id", "List-Unsubscribe", "List-Unsubscribe-Post", "Feedback-ID", "Cc", "Bcc"):
        assert message[name] is None


def test_html_without_a_picture_is_alternative_alone(probe):
    message = parsed(probe.compose(**{**MINIMAL, "html": "<p>x</p>"}))
    assert [part.get_content_type() for part in message.walk()] == ["multipart/alternative", "text/plain", "text/html"]


def test_the_answer_to_a_mail_says_so(probe):
    assert parsed(probe.compose(**{**MINIMAL, "replied": True}))["Auto-Submitted"] == "auto-replied"


SUBJECTS = [
    "Anna vs Piotr",
    "Анна – Пётр",
    "Ж" * 200,
    "a" * 400,
    "👩‍👩‍👧‍👦" * 30,
    "=?utf-8?q?Bcc:_x?= and =?UTF-8?B?QmNj?=",
    "two  blanks and one at the end ",
    " blank first",
    "ümlaut " * 40,
    "short words " * 40 + "x",
    "=?",
    "?=",
    "“quotes”, commas; <brackets> (and) \\ more: \"x\"",
]


def phrase(value):
    """What a header says, by hand: RFC 5322 quoted string, RFC 2047 words, or as it stands."""
    value = re.sub(r"\r\n", "", value)
    if "=?" not in value:
        return re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') and value.endswith('"') and len(value) > 1 else value
    decoded = email.header.decode_header(value)
    return "".join(text.decode(charset or "ascii") if isinstance(text, bytes) else text for text, charset in decoded)


@pytest.mark.parametrize("subject", SUBJECTS, ids=range(len(SUBJECTS)))
def test_a_subject_reads_back_as_it_was(probe, subject):
    raw = probe.compose(**{**FULL, "subject": subject})
    check_wire(raw)
    assert str(parsed(raw)["Subject"]) == subject
    legacy = email.message_from_bytes(raw, policy=email.policy.compat32)["Subject"]
    assert legacy == subject or phrase(legacy) == subject


NAMES = [
    "Anna",
    "Anna B.",
    "O'Neil, Anna",
    'Anna "the fox" \\ B',
    "Анна Каренина",
    "José 🎲",
    "Anna <victim@example.org>",
    "a@b.c",
    "N" * 300,
    "Ж" * 300,
    "Anna (comment)",
    "=?utf-8?q?x?=",
    "very long name " * 20 + "end",
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_is_one_name_and_never_an_address(probe, name):
    raw = probe.compose(**{**FULL, "from_name": name, "list_name": name})
    check_wire(raw)
    sender = parsed(raw)["From"].addresses
    assert [one.addr_spec for one in sender] == ["turns@play.test"]
    # Python puts a blank between encoded words of a name (python/cpython#92081), which is wrong.
    assert sender[0].display_name == name or (len(name) > 200 and sender[0].display_name.replace(" ", "") == name)
    # The envelope of names is the same for a list, whose id Python does not read as an address.
    assert "<turns.play.test>" in " ".join(raw.decode().split("List-Id:")[1].split("\r\nList-Unsub")[0].split())


CONTROLS = ["x\r\nBcc: victim@example.org", "x\ny", "x\ry", "\tx", "x\x01", "x\x1b[31m", "x\x7f", "x\n"]
HEADER_FIELDS = ["from_name", "subject", "message_id", "feedback_id", "loop_domain", "list_name", "list_id", "unsubscribe_url", "content_id"]


@pytest.mark.parametrize("field", HEADER_FIELDS)
@pytest.mark.parametrize("value", CONTROLS)
def test_control_bytes_in_a_header_are_refused(probe, field, value):
    assert "error" in probe.compose(**{**FULL, field: value})


@pytest.mark.parametrize("field", ["from_address", "to_address", "reply_to", "unsubscribe_address"])
@pytest.mark.parametrize("value", ["a@b.c\r\nBcc: v@x.y", "a@b.c, d@e.f", "A <a@b.c>", "жук@example.org", "", "a b@c.d", "a@b.c\n"])
def test_what_is_not_one_address_is_refused(probe, field, value):
    assert probe.compose(**{**FULL, field: value})["code"] == 0


@pytest.mark.parametrize("reference", ["a@b\r\nX: y", "a b@c", "<a@b>", "ж@b", "no-at-sign", "", "a@b>,<c@d"])
def test_what_is_no_message_id_is_refused(probe, reference):
    assert "error" in probe.compose(**{**FULL, "references": [reference]})
    assert "error" in probe.compose(**{**FULL, "message_id": reference})


def test_ids_are_folded_and_never_encoded(probe):
    ids = [f"g1042.t{ply}.u77.{'x' * 40}@play.test" for ply in range(20)]
    raw = probe.compose(**{**FULL, "references": ids})
    check_wire(raw)
    assert b"=?" not in raw.split(b"References:")[1].split(b"\r\nAuto-Submitted")[0]
    assert str(parsed(raw)["References"]).split() == [f"<{one}>" for one in ids]


def test_a_long_url_is_never_broken(probe):
    url = "https://play.test/u/" + "t" * 500
    raw = probe.compose(**{**FULL, "unsubscribe_url": url, "text": f"see {url}\n"})
    assert url.encode() in raw.split(b"\r\n\r\n")[0]
    assert url in parsed(raw).get_body(("plain",)).get_content()
    assert "error" in probe.compose(**{**FULL, "unsubscribe_url": "https://play.test/" + "t" * 1000})


def test_an_international_domain_becomes_punycode(probe):
    message = parsed(probe.compose(**{**FULL, "to_address": "Anna@EXÄMPLE.org"}))
    assert message["To"] == "Anna@xn--exmple-cua.org"


BODIES = [
    "",
    "x",
    "no line end",
    "a\r\nb\rc\n",
    ".\n..\n.leading dots\n",
    "From the start\nFrom\n>From\n",
    "-- \nsignature  \n",
    "tabs\tand   blanks   \n   \n\n\n",
    "x" * 5000 + "\n",
    "Ж" * 5000 + "\n",
    "=3D = == =\n=20",
    "--=_boundary--\n",
    "\u2028\u0085\u00a0\u200b\ufeff",
    "👩‍👩‍👧‍👦" * 500,
    ("héllo wörld " * 30 + "\n") * 30,
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_a_body_reads_back_as_it_was(probe, body):
    raw = probe.compose(**{**FULL, "text": body, "html": body})
    check_wire(raw)
    expected = re.sub("\r\n?", "\n", body)
    expected += "" if expected.endswith("\n") else "\n"
    message = parsed(raw)
    assert message.get_body(("plain",)).get_content().replace("\r\n", "\n") == expected
    assert message.get_body(("html",)).get_content().replace("\r\n", "\n") == expected


WORDS = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0\r\n"), max_size=200)
PRINTABLE = WORDS.map(lambda text: re.sub(r"[\x00-\x1f\x7f]", "", text))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(subject=PRINTABLE.filter(bool), name=PRINTABLE.filter(bool), body=WORDS)
def test_any_text_survives(probe, subject, name, body):
    raw = probe.compose(**{**FULL, "subject": subject, "from_name": name, "text": body})
    check_wire(raw)
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    unfolded = re.sub("\r\n", "", message["Subject"])
    assert (phrase(unfolded) if "=?" in unfolded else unfolded) == subject
    assert phrase(message["From"].rsplit(" <turns@", 1)[0].rstrip("\r\n")) == name
    plain = message.get_payload()[0].get_payload(decode=True).decode().replace("\r\n", "\n")
    assert plain == body + "\n"


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(value=st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), min_size=1, max_size=60))
def test_no_header_value_makes_another_header(probe, value):
    names = set(parsed(probe.compose(**FULL)).keys())
    for field in HEADER_FIELDS:
        raw = probe.compose(**{**FULL, field: value})
        if isinstance(raw, bytes):
            assert set(email.message_from_bytes(raw).keys()) == names
        else:
            assert raw["error"]


def test_every_byte_survives_a_real_server(probe):
    catcher = Catcher().start()
    try:
        probe.open(catcher)
        for body in BODIES:
            raw = probe.compose(**{**FULL, "text": body})
            assert probe.send(raw, sender="bounce+d7@play.test")["class"] == "sent"
            mail = catcher.mails[-1]
            assert mail.content == raw
            assert (mail.sender, mail.recipients) == ("bounce+d7@play.test", ["anna@example.org"])
    finally:
        catcher.stop()
