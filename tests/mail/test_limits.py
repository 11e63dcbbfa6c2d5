"""Hostile mails end soon: no input takes over 2 s of CPU or 256 MiB (the release build)."""

import json
import os
import pathlib
import resource
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "tests" / "mail_cases"
CPU_SECONDS = 2
MEMORY = 256 << 20
MEGABYTE = 1 << 20
CONTEXT = {
    "game": 1042,
    "turn": 17,
    "secret": "k7q2m9x4w8ztb3n5",
    "player": "anna@example.com",
    "envelope_to": "move+g1042.t17.k7q2m9x4w8ztb3n5@play.example.org",
    "sent_message_id": "<g1042.t17.1772568840@play.example.org>",
}
HEAD = b"From: anna@example.com\r\nMessage-ID: <x@example.com>\r\nMIME-Version: 1.0\r\n"
PLAIN = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
HTML = HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n"


def filled(head, piece, size=MEGABYTE):
    return (head + piece * (size // len(piece)))[:size]


def nested(depth, kind="multipart/mixed"):
    opened = b"".join(b'Content-Type: %s; boundary="b%d"\r\n\r\n--b%d\r\n' % (kind.encode(), i, i) for i in range(depth))
    return (HEAD + opened + b"\r\nc2-c4\r\n")[:MEGABYTE]


HOSTILE = {
    "nested-multiparts": nested(20000),
    "nested-messages": filled(HEAD, b"Content-Type: message/rfc822\r\n\r\n"),
    "tiny-parts": filled(HEAD + b"Content-Type: multipart/mixed; boundary=a\r\n\r\n", b"--a\r\n\r\nx\r\n"),
    "same-boundary": filled(HEAD, b"Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n"),
    "long-parameter-name": HEAD + b"Content-Type: multipart/mixed; " + b"\xd1\x9c" * 20000 + b'="\xd1"\r\n\r\nc2-c4\r\n',
    "many-parameters": HEAD + b"Content-Type: text/plain" + b"; a*0*=x" * 7000 + b"\r\n\r\nc2-c4\r\n",
    "encoded-words": HEAD + b"Subject: " + b"=?utf-8?Q?=00?= " * 3500 + b"\r\n\r\nc2-c4\r\n",
    "address-groups": HEAD + b"To: " + b"a:b:c;<" * 9000 + b"\r\n\r\nc2-c4\r\n",
    "address-comments": HEAD + b"To: " + b"(" * 60000 + b"\r\n\r\nc2-c4\r\n",
    "folded-header": HEAD + b"References: <a@b>\r\n" + b" x\r\n" * 15000 + b"\r\nc2-c4\r\n",
    "one-line": filled(PLAIN, b"a"),
    "blank-lines": filled(PLAIN, b"\n"),
    "blanks": filled(PLAIN, b" "),
    "quote-marks": filled(PLAIN, b">"),
    "short-lines": filled(PLAIN, b"x\n"),
    "dates": filled(PLAIN, b"On Tue, 3 Mar 2026 21:14\n"),
    "attribution-starts": filled(PLAIN, b"on a@b\n"),
    "attribution-ends": filled(PLAIN, b"on 3 Mar 2026:\n"),
    "header-labels": filled(PLAIN, b"From: a\n"),
    "moves": filled(PLAIN, b"c2-c4 "),
    "move-lines": filled(PLAIN, b"c2-c4\n"),
    "combining-letters": filled(PLAIN, "a\u0301".encode()),
    "ligatures": filled(PLAIN, "\ufdfa".encode()),
    "flowed": filled(HEAD + b"Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n", b"a \n"),
    "flowed-quotes": filled(HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n", b">>>>>>>> \n"),
    "base64": filled(HEAD + b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n", b"YTJhMmEy\r\n"),
    "soft-breaks": filled(HEAD + b"Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n", b"=\r\n"),
    "iso-2022-jp": filled(HEAD + b"Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n", b"\x1b$B!!\x1b(B"),
    "utf-7": filled(HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\n", b"+AAA-+"),
    "utf-16": filled(HEAD + b"Content-Type: text/plain; charset=utf-16\r\n\r\n", b"\xd8\x00"),
    "bad-bytes": filled(HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n", b"\xff\xfe\x80"),
    "html-divs": filled(HTML, b"<div>"),
    "html-quotes": filled(HTML, b"<blockquote>"),
    "html-paragraphs": filled(HTML, b"<p class='gmail_quote gmail_attr'>"),
    "html-ends-of-none": filled(HTML + b"<b>" * 1000, b"</i>"),
    "html-items-in-depth": filled(HTML + b"<b>" * 1000, b"<li></li>"),
    "html-struck-in-depth": filled(HTML + b"<s>" * 1000, b"<div></div>"),
    "html-styles": filled(HTML, b"<style></style"),
    "html-open-style": filled(HTML, b"<style><"),
    "html-comments": filled(HTML, b"<!--"),
    "html-attributes": filled(HTML + b"<div ", b"a=b "),
    "html-open-attribute": filled(HTML, b'<a b="'),
    "html-entities": filled(HTML, b"&#x26;"),
    "html-ampersands": filled(HTML, b"&"),
    "html-class-words": filled(HTML + b'<div class="', b"x_"),
    "report": filled(
        HEAD + b"Content-Type: multipart/report; report-type=delivery-status; boundary=a\r\n\r\n--a\r\n"
        b"Content-Type: message/delivery-status\r\n\r\n",
        b"Final-Recipient: rfc822; a\r\n\r\n",
    ),
    "over-a-megabyte": filled(PLAIN, b"c2-c4\n", 3 * MEGABYTE),
}


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_mail_ends_soon(name, tmp_path):
    (tmp_path / "1.eml").write_bytes(HOSTILE[name])
    (tmp_path / "1.json").write_text(json.dumps({"id": "1", "context": CONTEXT}))
    ended = subprocess.run(
        [PROGRAM, tmp_path], check=False, capture_output=True, preexec_fn=limited, env={**os.environ, "G_SLICE": "always-malloc"}
    )
    assert ended.returncode == 0, ended.stderr.decode(errors="replace")
    assert json.loads(ended.stdout)["command"] in (None, "c2-c4")
