"""Fixtures: a private PostgreSQL cluster, a migrated database for each module, a real SMTP
server, the real program with sanitizers, and players to call it with."""

import os
import random

import pytest

from harness.api import Api
from harness.catcher import Catcher
from harness.postgres import Cluster
from harness.server import Process, migrate


SEED = int(os.environ.get("LUDOPOST_SEED", "1"))
PERCENT = int(os.environ.get("LUDOPOST_PERCENT", "10"))


def pytest_collection_modifyitems(config, items):
    """Of tests marked `sampled` that are the same in many languages or ways, `make test` runs one
    variant, chosen by the seed and the same in a whole module; `make soak` runs all."""
    variants = {}
    for item in items:
        if PERCENT < 100 and item.get_closest_marker("sampled"):
            variants.setdefault(item.nodeid.split("[")[0], []).append(item)
    left_out = set()
    for group in variants.values():
        group.sort(key=lambda item: item.nodeid)
        chosen = random.Random(f"{SEED} {group[0].path.name} {len(group)}").choice(group)
        left_out.update(item for item in group if item is not chosen)
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def seed():
    """The seed of this run; tests/run prints it."""
    return SEED


@pytest.fixture
def rng(seed, request):
    """A random generator of the test's own: the same for the same seed and test."""
    return random.Random(f"{seed} {request.node.nodeid}")


@pytest.fixture(scope="session")
def portion():
    """portion(1000) is how many of 1000 rounds this run does: a tenth, or all in `make soak`."""
    return lambda count: max(1, count * PERCENT // 100)


@pytest.fixture(scope="session")
def cluster():
    """PostgreSQL without fsync, shared by all modules of a worker."""
    one = Cluster().start()
    yield one
    one.remove()


@pytest.fixture
def durable_cluster():
    """PostgreSQL of the test's own with fsync, to be killed."""
    one = Cluster(durable=True).start()
    yield one
    one.remove()


@pytest.fixture(scope="module")
def database(cluster):
    """A migrated database of the module's own."""
    one = cluster.create_database()
    migrate(one)
    yield one
    one.drop()


@pytest.fixture(scope="module")
def catcher(tmp_path_factory):
    one = Catcher(tmp_path_factory.mktemp("mail") / "Maildir").start()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def server(database, catcher):
    """`ludopost serve`, ready. At the end its log and exit code are looked at."""
    one = Process("serve", database, catcher).start()
    yield one
    one.stop()


@pytest.fixture
def start_process():
    """start_process(command, database, catcher, **settings): more processes, ended after the test."""
    started = []

    def start(command, database, catcher=None, wait=True, **settings):
        one = Process(command, database, catcher, **settings)
        started.append(one)
        return one.start(wait)

    yield start
    for one in reversed(started):
        one.stop()


@pytest.fixture(scope="module")
def api(server, catcher):
    """A client without an account; api.sign_up(name) gives one with a token."""
    return Api(server.url, catcher)


@pytest.fixture(scope="module")
def anna(api):
    return api.sign_up("Anna")


@pytest.fixture(scope="module")
def bert(api):
    return api.sign_up("Bert")
