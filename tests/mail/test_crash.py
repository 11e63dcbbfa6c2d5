"""kill -9 of the service, a sender and PostgreSQL in the middle of traffic: what was acknowledged is
there, and each turn's mail goes out, never under two names."""

import collections
import contextlib
import json
import os
import pathlib
import re
import threading
import time
import uuid

import psycopg2
import pytest
import requests

from harness.api import Api
from harness.blocked import eventually
from harness.server import Process, migrate

GAMES = pathlib.Path(__file__).resolve().parents[1] / "rules/oracle/ordo_games.jsonl"
OPEN = "SELECT count(*) FROM delivery WHERE id <= %s AND state NOT IN ('sent', 'dropped', 'dead') AND due_at < 'infinity'"
NEVER = 120  # seconds after which something that must happen counts as not happening


class Pair(threading.Thread):
    """Two players at game after game. A turn is given again until it is acknowledged, and the next
    one waits for its mail, since a mail that is no longer true is rightly not sent."""

    def __init__(self, first, second, records, over):
        super().__init__(daemon=True)
        self.players = {1: first, 2: second}
        self.records = records
        self.over = over
        self.acknowledged = {}
        self.repeated = 0
        self.failure = None

    def run(self):
        try:
            while not self.over.is_set():
                self.play(next(self.records))
        except Exception as failure:  # noqa: BLE001 (told by the test)
            self.failure = failure

    def insist(self, player, path, body, wanted):
        """Gives an order until an answer comes that is none of the crash's."""
        deadline = time.monotonic() + NEVER
        key = {"Idempotency-Key": str(uuid.uuid4())}
        while True:
            with contextlib.suppress(requests.RequestException):
                answer = player.post(path, body, headers=key)
                if answer.status_code in wanted:
                    return answer
                assert answer.status_code == 503, f"{path}: {answer.status_code} {answer.text}"
                assert int(answer.headers["Retry-After"]) > 0
            assert time.monotonic() < deadline, f"{path} was not answered"
            time.sleep(0.02)

    def start_game(self):
        wanted = {"opponent": self.players[2].player["name"], "rules": "ordo", "seat": "first"}
        challenge = self.insist(self.players[1], "/v1/challenges", wanted, (200, 201)).json()["id"]
        answer = self.insist(self.players[2], f"/v1/challenges/{challenge}/accept", None, (200, 201)).json()
        return answer["game"]["id"]

    def play(self, turns):
        game = self.start_game()
        for ply, turn in enumerate(turns, start=1):
            if self.over.is_set():
                return
            seat = 1 if ply % 2 else 2
            answer = self.insist(self.players[seat], f"/v1/games/{game}/turns", {"ply": ply, "turn": turn}, (200, 201))
            self.repeated += answer.status_code == 200
            played = answer.json()
            assert played["turn"] == turn
            self.acknowledged[(game, ply)] = turn
            if played["phase"] == "over":
                return
            reader = self.players[3 - seat]
            reader.catcher.wait(
                lambda catcher, name=f"<g{game}.t{ply}.": any(name in str(mail["Message-ID"]) for mail in catcher.to(reader.email)),
                seconds=NEVER,
            )


class Crashes:
    """The processes, and the clock that is moved on so that nobody waits for leases."""

    def __init__(self, cluster, database, catcher, rng):
        self.cluster = cluster
        self.database = database
        self.serve = Process("serve", database, catcher, workers=4, mail_workers=2).start()
        self.work = Process("work", database, catcher, mail_workers=2, public_url=self.serve.url).start()
        self.rng = rng
        self.minutes = 0
        self.logs = collections.Counter()

    def crash(self, what):
        if what == "postgres":
            self.cluster.kill()
            self.cluster.start()
        else:
            process = getattr(self, what)
            process.kill()
            process.start()
        self.settle()

    def settle(self):
        """Lets leases run out and doubtful mails be sent again, before the next crash: a mail whose
        sender dies twice is by design left unknown."""
        deadline = time.monotonic() + NEVER
        last = None
        while True:
            with contextlib.suppress(psycopg2.Error):
                last = last or self.database.value("SELECT max(id) FROM delivery")
                if self.database.value(OPEN, (last,)) == 0:
                    return
                self.minutes += 6
                self.database.set_clock(f"{self.minutes} minutes")
                self.database.rows("NOTIFY ludopost_work")
            assert time.monotonic() < deadline, "mails stay unsent"
            time.sleep(0.3)

    def stop(self):
        for process in (self.work, self.serve):
            process.stop()


@pytest.fixture
def database(durable_cluster):
    one = durable_cluster.create_database()
    migrate(one)
    return one


def feed_is_whole(database):
    """Whether the feed has every event once."""
    events = database.value("SELECT count(*) FROM event WHERE kind NOT LIKE 'mail.%%'")
    return database.rows("SELECT count(*), count(DISTINCT event_id) FROM feed") == [(events, events)]


def records(rng):
    games = [json.loads(line)["turns"] for line in GAMES.read_text().splitlines()]
    while True:
        yield rng.choice(games)


def test_nothing_acknowledged_is_lost_and_every_turn_is_mailed_under_one_name(durable_cluster, database, sink, rng, portion):
    rounds = int(os.environ.get("LUDOPOST_ROUNDS") or portion(60))
    crashes = Crashes(durable_cluster, database, sink, rng)
    over = threading.Event()
    try:
        api = Api(crashes.serve.url, sink)
        pairs = [Pair(api.sign_up(f"First {n}"), api.sign_up(f"Second {n}"), records(rng), over) for n in range(3)]
        for pair in pairs:
            pair.start()
        played = lambda: sum(len(pair.acknowledged) for pair in pairs)  # noqa: E731
        for number in range(rounds):
            before = played()
            deadline = time.monotonic() + NEVER
            while played() < before + rng.randrange(3, 20):
                assert not any(pair.failure for pair in pairs), [pair.failure for pair in pairs]
                assert time.monotonic() < deadline, "no turns were played any more"
                time.sleep(0.01)
            crashes.crash(["serve", "work", "postgres"][number % 3] if number < 3 else rng.choice(["serve", "work", "postgres"]))
        over.set()
        for pair in pairs:
            pair.join(timeout=NEVER)
        assert [pair.failure for pair in pairs if pair.failure or pair.is_alive()] == []
        crashes.settle()
        eventually(lambda: feed_is_whole(database), NEVER)  # it is filled a little later
    finally:
        over.set()
        crashes.stop()
    check(database, sink, pairs)


def check(database, sink, pairs):
    acknowledged = {}
    for pair in pairs:
        acknowledged.update(pair.acknowledged)
    assert acknowledged, "nothing was played"
    stored = {(game, ply): text for game, ply, text in database.rows("SELECT game_id, ply, text FROM turn")}
    assert {key: stored.get(key) for key in acknowledged} == acknowledged
    # One event and one mail for each turn, whatever was tried twice.
    assert database.rows("SELECT game_id, ply FROM event WHERE kind = 'turn.played' GROUP BY 1, 2 HAVING count(*) <> 1") == []
    assert database.value("SELECT count(*) FROM event WHERE kind = 'turn.played'") == len(stored)
    # Its sender died, it had arrived, and was answered before it could be sent once more.
    answered = ("unknown", 1, "the turn was already played")
    assert set(database.rows("SELECT state, CASE state WHEN 'sent' THEN 0 ELSE doubts END, CASE state WHEN 'sent' THEN '' ELSE reply END"
                             " FROM delivery WHERE template = 'your-turn'")) <= {("sent", 0, ""), answered}
    names = collections.defaultdict(set)
    bodies = collections.defaultdict(set)
    for mail in sink.mails:
        found = re.match(r"<g(\d+)\.t(\d+)\.d(\d+)@", str(mail["Message-ID"]))
        if found and mail["Feedback-ID"].startswith("your-turn:"):
            names[(int(found.group(1)), int(found.group(2)))].add(str(mail["Message-ID"]))
            bodies[str(mail["Message-ID"])].add(mail.content)
    told = {(game, ply) for game, ply in database.rows(
        "SELECT event.game_id, event.ply FROM event JOIN delivery ON delivery.event_id = event.id WHERE template = 'your-turn'"
    )}
    assert set(names) == told, "a turn was not mailed"
    assert {len(ids) for ids in names.values()} == {1}, "a turn was mailed under two names"
    assert {len(same) for same in bodies.values()} == {1}, "a mail was repeated with other bytes"


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_while_the_database_is_away_requests_are_told_so_and_mails_wait(durable_cluster, database, sink, start_process, end):
    server = start_process("serve", database, sink)
    api = Api(server.url, sink)
    anna, bert = api.sign_up("Anna"), api.sign_up("Bert")
    game = anna.start_game(bert)
    assert anna.play(game, "a3-a4").status_code == 201
    getattr(durable_cluster, end)()
    for answer in (anna.get("/v1/me"), bert.play(game, "a6-a5", ply=2), api.post("/v1/logins", {"email": anna.email}), api.get("/readyz")):
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.headers["Content-Type"].startswith("application/problem+json")
    assert api.get("/healthz").status_code == 200
    assert "ludopost_db_up 0" in api.get("/metrics").text
    durable_cluster.start()
    deadline = time.monotonic() + NEVER
    while (answer := bert.play(game, "a6-a5", ply=2)).status_code == 503:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert answer.status_code == 201
    assert [turn["turn"] for turn in anna.ask("GET", f"/v1/games/{game}/turns")["turns"]] == ["a3-a4", "a6-a5"]
    sink.wait(lambda catcher: any(f"<g{game}.t2.d" in str(mail["Message-ID"]) for mail in catcher.mails), seconds=NEVER)
