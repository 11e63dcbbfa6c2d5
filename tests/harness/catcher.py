"""A real SMTP server (aiosmtpd) that keeps each mail in memory and in a Maildir, and misbehaves
at the stage a test names."""

import asyncio
import email
import email.policy
import mailbox
import re
import socket
import threading
import time

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

STALL = "stall"  # never answers
DROP = "drop"  # cuts the connection without an answer


class Mail:
    """One mail as it came: envelope, bytes, and the parsed message."""

    def __init__(self, sender, recipients, content):
        self.sender = sender
        self.recipients = recipients
        self.content = content
        self.message = email.message_from_bytes(content, policy=email.policy.default)

    def __getitem__(self, header):
        return self.message[header]

    @property
    def to(self):
        return self.recipients[0]

    @property
    def subject(self):
        return str(self.message["Subject"])

    @property
    def text(self):
        """The text/plain part."""
        part = self.message.get_body(preferencelist=("plain",))
        return part.get_content().replace("\r\n", "\n") if part else ""

    @property
    def html(self):
        part = self.message.get_body(preferencelist=("html",))
        return part.get_content().replace("\r\n", "\n") if part else ""

    def links(self):
        return re.findall(r"https?://[^\s<>\"]+", self.text)

    def __repr__(self):
        return f"<Mail to {self.to}: {self.subject}>"


class _Session(SMTP):
    """The protocol, with a place to misbehave before each command."""

    catcher = None

    async def _guard(self, stage, argument=""):
        action = self.catcher.action_for(stage, argument or "")
        if action is None:
            return True
        if action == STALL:
            await asyncio.sleep(3600)
        elif action == DROP:
            self.transport.abort()
        else:
            await self.push(action)
        return False

    async def smtp_EHLO(self, hostname):
        if await self._guard("EHLO", hostname):
            await super().smtp_EHLO(hostname)

    async def smtp_MAIL(self, arg):
        if await self._guard("MAIL", arg):
            await super().smtp_MAIL(arg)

    async def smtp_RCPT(self, arg):
        if await self._guard("RCPT", arg):
            await super().smtp_RCPT(arg)

    async def smtp_DATA(self, arg):
        if await self._guard("DATA"):
            await super().smtp_DATA(arg)

    async def smtp_QUIT(self, arg):
        if await self._guard("QUIT"):
            await super().smtp_QUIT(arg)


class _Controller(Controller):
    def __init__(self, catcher, port):
        self.catcher = catcher
        super().__init__(catcher, hostname="127.0.0.1", port=port)

    def factory(self):
        session = _Session(self.handler, hostname="catcher.test", timeout=3600, data_size_limit=10_000_000)
        session.catcher = self.catcher
        return session


class Catcher:
    """catcher.mails is what came; behave() makes it refuse, stall or drop."""

    def __init__(self, maildir=None, port=0):
        self.mails = []
        self.dropped = []  # came whole, but the answer was never given
        self.rules = []
        self.changed = threading.Condition()
        self.maildir = mailbox.Maildir(maildir) if maildir else None
        self.port = port or free_port()
        self.controller = None

    def start(self):
        self.controller = _Controller(self, self.port)
        self.controller.start()
        return self

    def stop(self):
        if self.controller:
            self.controller.stop(no_assert=True)
            self.controller = None

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    def behave(self, stage, action, match="", times=None):
        """At stage (EHLO MAIL RCPT DATA END QUIT): action is a reply such as "451 4.3.0 later",
        STALL or DROP; only where match occurs in the command (or the recipient); times = how often."""
        self.rules.append({"stage": stage, "action": action, "match": match, "times": times})

    def behave_well(self):
        self.rules.clear()

    def action_for(self, stage, argument):
        for rule in self.rules:
            if rule["stage"] == stage and rule["match"] in argument and rule["times"] != 0:
                if rule["times"] is not None:
                    rule["times"] -= 1
                return rule["action"]
        return None

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 (aiosmtpd's name)
        mail = Mail(envelope.mail_from, list(envelope.rcpt_tos), envelope.original_content)
        action = self.action_for("END", ",".join(mail.recipients))
        if action in (STALL, DROP):
            with self.changed:
                self.dropped.append(mail)
                self.changed.notify_all()
            if action == STALL:
                await asyncio.sleep(3600)
            server.transport.abort()
            return "250 OK"
        if action:
            return action
        with self.changed:
            self.mails.append(mail)
            if self.maildir is not None:
                self.maildir.add(envelope.original_content)
            self.changed.notify_all()
        return f"250 2.0.0 queued as {len(self.mails)}"

    def to(self, address, template=None):
        """The mails to an address so far, whose text holds template if given."""
        with self.changed:
            return [mail for mail in self.mails if mail.to == address and (not template or template in mail.text)]

    def wait(self, condition, seconds=20):
        """Waits until condition(self) is true and returns it."""
        deadline = time.monotonic() + seconds
        with self.changed:
            while True:
                found = condition(self)
                if found:
                    return found
                if not self.changed.wait(timeout=max(0, deadline - time.monotonic())) and time.monotonic() >= deadline:
                    raise AssertionError(f"the mail awaited did not come within {seconds} s; there are {self.mails}")

    def wait_for(self, address, count=1, seconds=20):
        """Waits for the count-th mail to an address and returns it."""
        return self.wait(lambda catcher: len(catcher.to(address)) >= count and catcher.to(address)[count - 1], seconds)

    def clear(self):
        with self.changed:
            self.mails.clear()
            self.dropped.clear()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
