"""Reads that have gathered share one round trip: each still gets its own answer and no other's."""

import pytest

from harness.api import Api
from harness.blocked import Blocked
from harness.people import make_player
from harness.wire import Wire



@pytest.fixture
def world(database, catcher, start_process):
    """A server with one worker; players, each with a private game of his or her own."""
    server = start_process("serve", database, catcher, workers=1, run_workers="no")
    api = Api(server.url, catcher)
    players = [make_player(api, database) for _ in range(6)]
    games = []
    for place, player in enumerate(players):
        games.append(player.start_game(players[place - 1], visibility="private"))
    return server, players, games


def ask(server, game, token=None):
    head = f"GET /v1/games/{game} HTTP/1.1\r\nHost: x\r\n"
    return Wire(server.port).send(head + (f"Authorization: Bearer {token}\r\n\r\n" if token else "\r\n"))


def gathered(server, database, requests, meanwhile=lambda: None):
    """The answers to requests that all came while the only worker was busy."""
    blocked = Blocked(database)
    busy = Wire(server.port).send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    blocked.wait_for_waiters(1)
    wires = [ask(server, *request) for request in requests]
    # The network thread reads in order: once this is answered it has seen all of the above.
    assert Wire(server.port).send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").answer()[0] == 200
    meanwhile()
    blocked.release()
    assert busy.answer()[0] == 200
    return [wire.answer() for wire in wires]


def expected(players, games):
    """(request, status) of every kind of caller, many times mixed."""
    rows = []
    for place, player in enumerate(players):
        rows += [
            ((games[place], player.token), 200),
            ((games[place], players[place - 3].token), 404),
            ((games[place], "lp_" + "x" * 40), 401),
            ((games[place], None), 404),
            ((999999, player.token), 404),
            ((games[(place + 1) % len(games)], player.token), 200),
        ]
    return rows


def check(rows, answers, also=None):
    for ((game, _), status), (got, _, body) in zip(rows, answers):
        assert got in (status, also), body
        if got == 200:
            assert body.startswith(f'{{"id":{game},'.encode()), body


def test_each_of_many_gets_its_own_answer(world, database):
    server, players, games = world
    rows = expected(players, games)
    check(rows, gathered(server, database, [request for request, _ in rows]))


def test_a_lost_connection_mixes_nothing_up(world, database):
    server, players, games = world
    rows = expected(players, games)

    def terminate():
        database.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ludopost' AND datname = %s",
            (database.name,),
            role="postgres",
        )

    check(rows, gathered(server, database, [request for request, _ in rows], terminate), also=503)
    server.wait_ready()
    check(rows, gathered(server, database, [request for request, _ in rows]))


def test_a_statement_that_fails_harms_only_itself(world, database):
    server, players, games = world
    rows = expected(players, games)
    bad = players[0].start_game(players[1])
    for place in (0, 7, 20):
        rows.insert(place, ((bad, players[0].token), 503))
    # Whoever reads this row is told that the statement took too long.
    database.rows(
        f"""
        CREATE FUNCTION readable(id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
            IF id = {bad} THEN RAISE 'too long' USING ERRCODE = '57014'; END IF;
            RETURN true;
        END
        $$"""
    )
    database.rows("CREATE POLICY readable ON game USING (readable(id))")
    database.rows("ALTER TABLE game ENABLE ROW LEVEL SECURITY")
    check(rows, gathered(server, database, [request for request, _ in rows]))
