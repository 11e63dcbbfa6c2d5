"""The real program as a child process, with settings from the environment and its log looked at."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

import requests

from .catcher import free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("LUDOPOST_TEST_BINARY") or ROOT / "build" / "asan" / "ludopost")
# What must never stand in a log: a sanitizer's report, a failed assertion, an internal error.
BAD_LOG = re.compile(
    r"ERROR: (Address|Leak|Undefined)\w*Sanitizer|runtime error:|event=panic|-CRITICAL \*\*|-ERROR \*\*|Bail out!"
)


# One test calls more in a minute than a player does in a month.
GENEROUS = {
    "rate_read": "1000000/1m",
    "rate_write": "1000000/1m",
    "rate_login": "1000000/1m",
    "rate_mail_address": "1000000/1h",
    "rate_mail_client": "1000000/1h",
    "rate_invitation": "1000000/1d",
    "rate_invitation_same": "1000000/1d",
    "mail_brake": 1000000,
}
# Each thread prepares all statements on a connection of its own, which takes most of a start.
FEW = {"workers": 4, "mail_workers": 2}


def environment(database, catcher=None, port=0, **settings):
    """The settings of a test service; settings=... are names of settings, None leaves one out."""
    values = {
        "database": database.service_dsn,
        "database_owner": database.owner_dsn,
        "listen": "127.0.0.1",
        "port": port,
        "public_url": f"http://127.0.0.1:{port}",
        "smtp_url": catcher.url if catcher else None,
        "mail_from": "Ludopost <turns@play.example.org>",
        "mail_domain": "play.example.org",
        "secret_key_1": "0123456789abcdef0123456789abcdef",
        **GENEROUS,
        **FEW,
        **settings,
    }
    kept = ("PATH", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
    result = {name: os.environ[name] for name in kept if name in os.environ}
    result.update({f"LUDOPOST_{name.upper()}": str(value) for name, value in values.items() if value is not None})
    result.setdefault("LSAN_OPTIONS", f"suppressions={ROOT}/tests/harness/lsan.txt:print_suppressions=0")
    result.update(LC_ALL="C.UTF-8", TZ="Pacific/Auckland", G_DEBUG="fatal-criticals")
    return result


def ludopost(*arguments, env=None, stdin=None, check=True, timeout=120):
    """Runs `ludopost ARGUMENTS` to its end; the finished process with text output."""
    done = subprocess.run(
        [str(BINARY), *map(str, arguments)], env=env, input=stdin, capture_output=True, text=True, check=False, timeout=timeout
    )
    assert not BAD_LOG.search(done.stderr), done.stderr
    if check:
        assert done.returncode == 0, f"ludopost {' '.join(map(str, arguments))}: {done.returncode}\n{done.stderr}"
    return done


def migrate(database):
    return ludopost("migrate", env=environment(database))


class Process:
    """`ludopost serve` or `ludopost work` while it runs."""

    def __init__(self, command, database, catcher=None, **settings):
        self.command = command
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = environment(database, catcher, self.port, **settings)
        self.folder = tempfile.TemporaryDirectory(prefix="ludopost-log-")
        self.log_path = pathlib.Path(self.folder.name) / "stderr"
        self.process = None

    def start(self, wait=True):
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [str(BINARY), self.command], env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        if wait and self.command == "serve":
            self.wait_ready()
        elif wait:
            self.wait_at_work()
        return self

    def wait_at_work(self, seconds=60):
        """Until `ludopost work` takes signals, or has ended."""
        deadline = time.monotonic() + seconds
        while self.running() and not self.events("work_started"):
            assert time.monotonic() < deadline, f"ludopost {self.command} does not begin:\n{self.log}"
            time.sleep(0.02)

    def wait_ready(self, seconds=60):
        deadline = time.monotonic() + seconds
        while True:
            try:
                if requests.get(self.url + "/readyz", timeout=5).status_code == 200:
                    return
            except requests.RequestException:
                pass
            if self.process.poll() is not None:
                raise AssertionError(f"ludopost {self.command} ended with {self.process.returncode}:\n{self.log}")
            if time.monotonic() > deadline:
                raise AssertionError(f"ludopost {self.command} is not ready after {seconds} s:\n{self.log}")
            time.sleep(0.05)

    @property
    def log(self):
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def events(self, name):
        """The log lines of one kind of event, as dictionaries."""
        return [
            dict(re.findall(r"(\w+)=(\"(?:\\.|[^\"])*\"|\S*)", line))
            for line in self.log.splitlines()
            if f"event={name}" in line
        ]

    def running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """kill -9: what a crash looks like."""
        self.process.kill()
        self.process.wait()

    def terminate(self, seconds=60):
        """SIGTERM; the exit code."""
        if self.running():
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=seconds)

    def stop(self):
        """Ends it and fails the test when it left in disorder or its log has what must not be."""
        if self.process is None:
            return
        crashed = self.process.poll()
        try:
            code = self.terminate()
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"ludopost {self.command} did not end on SIGTERM:\n{self.log[-4000:]}") from None
        finally:
            log = self.log
            self.folder.cleanup()
            self.process = None
        bad = BAD_LOG.search(log)
        assert not bad, log[max(0, bad.start() - 500): bad.start() + 6000] if bad else ""
        killed_by_test = crashed == -signal.SIGKILL
        assert code == 0 or killed_by_test, f"ludopost {self.command} ended with {code}:\n{log[-4000:]}"
