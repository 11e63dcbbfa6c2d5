"""Mails to the service: our reply addresses, messages as mail programs write them, `ludopost deliver`."""

import hashlib
import hmac
import itertools
import subprocess
from email.message import EmailMessage

from .server import BAD_LOG, BINARY, environment

DOMAIN = "play.example.org"
KEY = b"0123456789abcdef0123456789abcdef"
_LETTERS = "abcdefghjkmnopqrstuvwxyz23456789"
_numbers = itertools.count(1)


def secret(purpose, *fields):
    """As service/secret.c makes it."""
    numbers = [*fields, 0, 0, 0][:3]
    digest = hmac.new(KEY, "|".join([purpose, *map(str, numbers)]).encode(), hashlib.sha256).digest()
    bits = int.from_bytes(digest[:10], "big")
    return "".join(_LETTERS[bits >> (75 - 5 * n) & 31] for n in range(16))


def move_address(game, seat, ply):
    return f"move+g{game}.t{ply}.{secret('move', game, seat, ply)}@{DOMAIN}"


def setup_address(game, seat, stage):
    """Of a game in set-up: stage 0 while layouts are sealed, then the number of the pair that lies open."""
    return f"move+g{game}.t0.{secret('move', game, seat, -stage)}@{DOMAIN}"


def letter(text, sender, to, message_id=None, **headers):
    """A plain mail as bytes; message_id "" leaves the header out."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = to
    message["Subject"] = "Re: a game"
    message["Date"] = "Mon, 30 Nov 2026 06:00:00 +0000"
    if message_id != "":
        message["Message-ID"] = message_id or f"<n{next(_numbers)}@mail.example.org>"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message.as_bytes()


class Inbound:
    """`ludopost deliver` on the database of a World."""

    def __init__(self, world, **settings):
        self.world = world
        self.settings = settings

    def start(self, *arguments, binary=BINARY, dsn=None, through=(), **more):
        """The process, to be given a mail; dsn: another way to the database; through: a command that runs it."""
        env = environment(self.world.database, **{"public_url": "https://play.example.org", **self.settings, **more})
        env["LUDOPOST_DATABASE"] = dsn or self.world.database.service_dsn
        return subprocess.Popen(
            [*through, str(binary), "deliver", *map(str, arguments)],
            env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )

    def deliver(self, raw, *recipients, code=0, **more):
        """Delivers a message to its end; what stood on stderr."""
        process = self.start("--", *recipients, **more)
        _, stderr = process.communicate(raw, timeout=120)
        text = stderr.decode()
        assert not BAD_LOG.search(text), text
        assert process.returncode == code, f"{process.returncode}: {text}"
        return text

    def rows(self):
        """The inbox as dictionaries, oldest first."""
        query = "SELECT to_jsonb(inbox) - 'raw' || jsonb_build_object('kept', raw IS NOT NULL) FROM inbox ORDER BY id"
        return [row[0] for row in self.world.rows(query)]

    def last(self):
        return self.rows()[-1]

    def answers(self):
        """(template, address, answer) of the answers so far."""
        return self.world.rows(
            "SELECT delivery.template, address.email, inbox.answer FROM event"
            " JOIN delivery ON delivery.event_id = event.id JOIN address ON address.id = delivery.address_id"
            " LEFT JOIN inbox ON inbox.id = event.inbox_id WHERE event.kind = 'mail.answer' ORDER BY event.id"
        )

    def reply(self, text, game, seat, ply, sender, code=0, **headers):
        """Answers a mail about a game; the inbox row that came of it."""
        to = move_address(game, seat, ply)
        self.deliver(letter(text, sender, to, **headers), to, code=code)
        return self.last()
