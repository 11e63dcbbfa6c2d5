"""db.h on a real PostgreSQL: transactions, conflicts, servers that go away."""

import contextlib
import os
import pathlib
import subprocess
import time

import pytest

from harness.server import migrate

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LUDOPOST_TEST_BUILD") or ROOT / "build" / "asan")
UNAVAILABLE, SCHEMA, CONSTRAINT, CONFLICT, FAILED = range(5)


class Probe:
    """db_probe: a program with one connection."""

    def __init__(self, database):
        self.process = subprocess.Popen(
            [BUILD / "tests/db/db_probe", database.service_dsn], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def send(self, order):
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()

    def hear(self):
        return self.process.stdout.readline().strip()

    def ask(self, order):
        self.send(order)
        return self.hear()

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(timeout=30) == 0


def prepare(database):
    migrate(database)
    database.rows("CREATE TABLE counter (id integer CONSTRAINT counter_once PRIMARY KEY, n integer NOT NULL)")
    database.rows("INSERT INTO counter VALUES (1, 0), (2, 0)")
    database.rows("GRANT SELECT, INSERT, UPDATE ON counter TO ludopost")


@pytest.fixture
def counted(cluster):
    database = cluster.create_database()
    prepare(database)
    yield database
    database.drop()


@pytest.fixture
def probe(counted):
    with contextlib.closing(Probe(counted)) as one:
        yield one


def value(database, row=1):
    return database.value("SELECT n FROM counter WHERE id = %s", (row,))


def soon(probe, order, seconds=30):
    """Gives the order again until it succeeds."""
    deadline = time.monotonic() + seconds
    while True:
        answer = probe.ask(order)
        if answer.startswith("ok"):
            return answer
        assert answer.startswith(f"error {UNAVAILABLE} "), answer
        assert time.monotonic() < deadline, answer
        time.sleep(0.05)


def test_a_transaction_in_another_joins_it(probe, counted):
    assert probe.ask("nest") == "ok 11"
    assert value(counted) == 11


def test_a_transaction_that_gives_up_takes_the_inner_one_with_it(probe, counted):
    assert probe.ask("nest-bad") == f"error {FAILED} the outer work gave up"
    assert value(counted) == 0
    assert probe.ask("add 1 3") == "ok 3"


def test_work_that_goes_on_after_a_failed_statement_is_not_committed(probe, counted):
    assert probe.ask("spoil").startswith(f"error {FAILED} ")
    assert value(counted) == 0
    assert probe.ask("get 1") == "ok 0"


def test_transactions_that_block_each_other_run_again_and_both_succeed(counted):
    with contextlib.closing(Probe(counted)) as one, contextlib.closing(Probe(counted)) as other:
        assert one.ask("cross 1 2") == "half"
        assert other.ask("cross 2 1") == "half"
        one.send("go")
        other.send("go")
        assert sorted([one.hear(), other.hear()]) == ["ok 1", "ok 2"], "neither or both were run again"
    assert (value(counted, 1), value(counted, 2)) == (2, 2)


def test_a_violated_constraint_is_told_by_its_name(probe):
    assert probe.ask("make 7") == "ok 0"
    assert probe.ask("make 7") == f"error {CONSTRAINT} counter_once"
    assert probe.ask("get 7") == "ok 0"


def test_a_failure_in_a_pipeline_undoes_all_of_it_and_nothing_later(probe, counted):
    assert probe.ask("pipeline") == "ok 2", "what follows a failure did not fail"
    assert value(counted) == 0
    assert probe.ask("add 1 4") == "ok 4"


def test_a_connection_ended_while_idle_is_replaced_unnoticed(probe, counted):
    assert probe.ask("add 1 1") == "ok 1"
    counted.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ludopost'", role="postgres")
    assert probe.ask("add 1 1") == "ok 2"


def test_a_connection_ended_inside_a_transaction_undoes_it(probe, counted):
    assert probe.ask("pause") == "half"
    counted.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ludopost'", role="postgres")
    assert probe.ask("go").startswith(f"error {UNAVAILABLE} ")
    assert value(counted) == 0
    assert soon(probe, "add 1 1") == "ok 1"


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_after_the_server_came_back_everything_is_prepared_anew(durable_cluster, end):
    database = durable_cluster.create_database()
    prepare(database)
    with contextlib.closing(Probe(database)) as probe:
        assert probe.ask("add 1 1") == "ok 1"
        getattr(durable_cluster, end)()
        assert probe.ask("add 1 1").startswith(f"error {UNAVAILABLE} ")
        assert probe.ask("nest").startswith(f"error {UNAVAILABLE} ")
        durable_cluster.start()
        assert soon(probe, "add 1 1") == "ok 2"
        assert probe.ask("nest") == "ok 13"


def test_while_the_server_is_away_it_is_not_asked_all_the_time(durable_cluster):
    database = durable_cluster.create_database()
    prepare(database)
    with contextlib.closing(Probe(database)) as probe:
        assert probe.ask("get 1") == "ok 0"
        durable_cluster.stop()
        answers = [probe.ask("get 1") for _ in range(200)]
    assert all(answer.startswith(f"error {UNAVAILABLE} ") for answer in answers)
    waiting = [answer for answer in answers if "waiting before the next try" in answer]
    assert len(waiting) > 150


def test_a_query_that_does_not_fit_the_schema_is_named_when_the_connection_opens(counted):
    counted.rows("ALTER TABLE counter RENAME COLUMN n TO m")
    with contextlib.closing(Probe(counted)) as probe:
        answer = probe.ask("connect")
        assert answer.startswith(f"error {SCHEMA} ")
        assert "counter_get" in answer
        counted.rows("ALTER TABLE counter RENAME COLUMN m TO n")
        assert probe.ask("connect") == "ok 0"
