"""`serve` and `work` side by side: who sends, who calls whom, how they end."""

import select
import time
import types

import pytest

from harness.api import Api


@pytest.fixture
def split(world, sink, start_process):
    """A server that sends no mail itself, and a client of it."""
    server = start_process("serve", world.database, sink, run_workers="no")
    return Api(server.url, sink)


def test_a_server_told_not_to_work_leaves_the_mails_to_work(split, world, sink, start_process):
    answer = split.post("/v1/players", {"email": "anna@example.org", "name": "Anna", "language": "en", "time_zone": "UTC"})
    assert answer.status_code == 202
    assert world.states() == {"pending": 1}
    start_process("work", world.database, sink)
    sink.wait_for("anna@example.org")
    assert world.value("SELECT count(*) FROM feed") == 0


def test_other_processes_are_called_after_commit_and_not_for_each_turn(split, world, start_process, sink):
    start_process("work", world.database, sink)
    anna, bert = split.sign_up("Anna"), split.sign_up("Bert")
    games = [anna.start_game(bert) for _ in range(10)]
    listener = world.database.connect()
    with listener.cursor() as cursor:
        cursor.execute("LISTEN ludopost_work")
    began = time.monotonic()
    for game in games:
        assert anna.play(game, "a3-a4", ply=1).status_code == 201
    took = time.monotonic() - began
    for game in games:
        sink.wait(lambda catcher, name=f"<g{game}.t1.d": any(name in str(mail["Message-ID"]) for mail in catcher.mails))
    calls = 0
    while select.select([listener], [], [], 0.5)[0]:
        listener.poll()
        calls += len(listener.notifies)
        listener.notifies.clear()
    listener.close()
    assert calls >= 1
    assert calls <= 2 + took / 0.1, "more than one call in a tenth of a second"


def test_the_turn_itself_never_notifies(split, world):
    queries = world.rows("SELECT prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ~* 'notify'")
    assert queries == []
    assert world.value("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal") == 0


def test_metrics_count_what_waits_and_what_died(split, world):
    first, second = world.player("Anna"), world.player("Bert")
    game, _ = world.game(first, second)
    numbers = [world.turn(game, turn) for turn in ("a3-a4", "a6-a5", "b3-a3")]
    world.rows("UPDATE delivery SET state = 'dead' WHERE id = %s", (numbers[0],))
    world.rows("UPDATE delivery SET state = 'unknown', due_at = 'infinity' WHERE id = %s", (numbers[1],))
    text = split.get("/metrics").text
    for state in ("dead", "unknown", "pending"):
        assert f'ludopost_deliveries{{state="{state}"}} 1' in text
    assert "ludopost_db_up 1" in text


def test_a_server_stopped_while_a_mail_is_sent_ends_in_order(world, sink, start_process):
    server = start_process("serve", world.database, sink, stop_timeout=1, smtp_timeout=100)
    sink.behave("RCPT", "stall", times=1)
    api = Api(server.url, sink)
    api.post("/v1/players", {"email": "anna@example.org", "name": "Anna", "language": "en", "time_zone": "UTC"})
    deadline = time.monotonic() + 30
    while world.states() != {"sending": 1}:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert server.terminate(seconds=30) == 0
    assert world.states() == {"retry": 1}


def test_work_shows_that_it_is_well_for_as_long_as_it_is(world, sink, start_process, tmp_path):
    beat, none = tmp_path / "beat", tmp_path / "none"
    start_process("work", world.database, sink, heartbeat=beat)
    nowhere = types.SimpleNamespace(service_dsn="host=127.0.0.1 port=1 dbname=nothing", owner_dsn="dbname=nothing")
    lost = start_process("work", nowhere, sink, heartbeat=none)
    deadline = time.monotonic() + 60

    def wait_for(condition):
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.05)

    wait_for(beat.exists)
    first = beat.stat().st_mtime_ns
    wait_for(lambda: beat.stat().st_mtime_ns > first)
    wait_for(lambda: "event=database_unavailable" in lost.log)
    assert not none.exists()
