"""mail/ itself, reached from Python through build/…/tests/mail/mail_probe."""

import base64
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LUDOPOST_TEST_BUILD") or ROOT / "build" / "asan")


class Probe:
    """One process of mail_probe; an order is a dict, so is the answer."""

    def __init__(self):
        self.process = subprocess.Popen([BUILD / "tests/mail/mail_probe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, do, **order):
        self.process.stdin.write(json.dumps({"do": do, **order}).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, f"mail_probe ended at {do}"
        return json.loads(answer)

    def open(self, server, **settings):
        """A session to a server of smtp_server.py. Tests of a server that stalls give shorter times."""
        url = settings.pop("url", None) or server.url
        defaults = {"hello_name": "mail.play.test", "connect_timeout": 30, "response_timeout": 30, "total_timeout": 60}
        return self.ask("open", **{"url": url, **defaults, **settings})

    def send(self, message=b"Subject: x\r\n\r\nhello\r\n", sender="bounce@play.test", to="anna@example.org"):
        return self.ask("send", **{"from": sender, "to": to, "message": base64.b64encode(message).decode()})

    def compose(self, **fields):
        """The message's bytes, or the error as a dict."""
        answer = self.ask("compose", **fields)
        return base64.b64decode(answer["message"]) if "message" in answer else answer

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(timeout=20) == 0
