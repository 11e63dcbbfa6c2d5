"""Fixtures of the mail tests."""

import itertools
import time

import pytest

from harness.catcher import Catcher
from harness.inbound import Inbound
from harness.mail_probe import Probe
from harness.server import Process, migrate
from harness.world import World

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def probe():
    """One for all tests of a file: composing and sending leave nothing behind that may matter."""
    one = Probe()
    yield one
    one.close()


@pytest.fixture(scope="session")
def migrated(cluster):
    """A migrated database to be copied."""
    database = cluster.create_database()
    migrate(database)
    return database


@pytest.fixture
def world(cluster, migrated):
    """A migrated database of the test's own, to be filled by SQL."""
    database = cluster.create_database(template=migrated.name)
    one = World(database)
    yield one
    one.close()
    database.drop()


@pytest.fixture(scope="module")
def inbound(request, database):
    """`ludopost deliver` on the module's database, with the settings in the module's INBOUND."""
    one = World(database)
    yield Inbound(one, **getattr(request.module, "INBOUND", {}))
    one.close()


@pytest.fixture
def game(api):
    """(number, host, friend): the host has seat 1."""
    host = api.sign_up(f"Host {next(_numbers)}")
    friend = api.sign_up(f"Friend {next(_numbers)}")
    return host.start_game(friend), host, friend


@pytest.fixture
def sink(tmp_path):
    """A mail server of the test's own."""
    one = Catcher(tmp_path / "Maildir").start()
    yield one
    one.stop()


@pytest.fixture
def work(world):
    """work(server, **settings): `ludopost work` on the world's database, ended after the test."""
    started = []
    # Links in mails must not depend on which process sends them.
    defaults = {"mail_workers": 2, "smtp_timeout": 2, "public_url": "https://play.example.org"}

    def start(server, **settings):
        one = Process("work", world.database, server, **{**defaults, **settings})
        started.append(one)
        return one.start()

    yield start
    for one in reversed(started):
        one.stop()


@pytest.fixture
def eventually(world):
    """eventually(condition): calls the workers until it is true; its value."""

    def wait(condition, seconds=30):
        deadline = time.monotonic() + seconds
        while True:
            found = condition()
            if found:
                return found
            assert time.monotonic() < deadline, "what was awaited did not happen"
            world.wake()
            time.sleep(0.05)

    return wait


@pytest.fixture
def settle(world, work, sink, eventually):
    """settle(): time passes, and workers take up what was left in the inbox."""

    def run():
        world.database.set_clock("5 minutes")
        work(sink)
        eventually(lambda: world.value("SELECT count(*) FROM inbox WHERE state = 'new'") == 0)

    return run
