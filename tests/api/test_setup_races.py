"""Set-ups when many act at the same moment, and when the service is killed between two steps."""

import random

import requests

from harness.api import Api
from harness.layouts import USUAL, Setup, copy_of, random_layout
from harness.people import make_player
from harness.racing import poster, race
from harness.server import migrate

CLIENTS = 50


def steps_of(database, game):
    return database.rows("SELECT step, seat, round, kind, layout FROM setup_step WHERE game_id = %s ORDER BY step", (game,))


def codes(answers):
    return sorted(answer.status_code for answer in answers)


def test_both_first_layouts_at_the_same_moment_are_both_taken(white, black, database):
    for _ in range(5):
        setup = Setup(white, black)
        answers = race([poster(white, setup.path, {"round": 1, "layout": USUAL}), poster(black, setup.path, {"round": 1, "layout": copy_of(USUAL)})])
        assert codes(answers) == [201, 201]
        assert {(seat, layout) for _, seat, _, _, layout in steps_of(database, setup.game)} == {(1, USUAL), (2, copy_of(USUAL))}
        game = white.game(setup.game)
        assert (game["version"], game["awaiting"]) == (3, [1])
        told = database.rows("SELECT player_id FROM delivery WHERE game_id = %s AND template = 'setup-round'", (setup.game,))
        assert told == [(white.player["id"],)]


def test_50_clients_with_one_first_layout_make_one(white, black, database):
    setup = Setup(white, black)
    answers = race([poster(white, setup.path, {"round": 1, "layout": USUAL})] * CLIENTS)
    assert codes(answers) == [200] * (CLIENTS - 1) + [201]
    assert len(steps_of(database, setup.game)) == 1 and white.game(setup.game)["version"] == 2


def test_50_clients_with_different_first_layouts_make_one(white, black, database, rng):
    setup = Setup(white, black)
    layouts = [random_layout(rng) for _ in range(CLIENTS)]
    answers = race([poster(white, setup.path, {"round": 1, "layout": layout}) for layout in layouts])
    assert codes(answers) == [201] + [409] * (CLIENTS - 1)
    [(_, seat, round_, kind, layout)] = steps_of(database, setup.game)
    taken = next(answer.json()["seats"][0]["layout"] for answer in answers if answer.status_code == 201)
    assert (seat, round_, kind, layout) == (1, 1, "layout", taken)


def test_50_clients_with_one_key_get_one_answer(white, black, database):
    setup = Setup(white, black)
    headers = {"Idempotency-Key": "race"}
    answers = race([poster(white, setup.path, {"round": 1, "layout": "random"}, headers)] * CLIENTS)
    assert codes(answers) == [201] * CLIENTS and len({answer.text for answer in answers}) == 1
    assert len(steps_of(database, setup.game)) == 1


def test_50_clients_of_both_seats_begin_one_game(white, black, database, rng):
    """Whoever is early or late is refused; at the end stands what the steps lead to."""
    setup = Setup(white, black).open()
    setup.sent(1, None)
    calls = [poster(black, setup.path, {"round": 1, "accept": True})] * (CLIENTS // 2)
    calls += [poster(white, setup.path, {"round": 1, "layout": random_layout(rng)}) for _ in range(CLIENTS // 2)]
    answers = race(calls)
    assert codes(answers[: CLIENTS // 2]) == [200] * (CLIENTS // 2 - 1) + [201]
    assert codes(answers[CLIENTS // 2:]) == [409] * (CLIENTS // 2)
    assert len(steps_of(database, setup.game)) == 4
    begun = "SELECT count(*) FROM event WHERE game_id = %s AND kind = 'game.play-began'"
    assert database.value(begun, (setup.game,)) == 1
    assert white.game(setup.game)["phase"] == "play"


def test_a_change_and_an_acceptance_at_the_same_moment_do_not_both_count(white, black, rng):
    """Red may accept only the pair that stands: if Blue's change came first, his acceptance is for an older one."""
    for _ in range(5):
        setup = Setup(white, black).open()
        setup.sent(1, random_layout(rng))
        setup.sent(2, random_layout(rng), 2)
        change, accept = race(
            [poster(white, setup.path, {"round": 3, "layout": random_layout(rng)}), poster(white, setup.path, {"round": 3, "accept": True})]
        )
        assert sorted((change.status_code, accept.status_code)) == [201, 409]
        assert white.game(setup.game)["phase"] == ("play" if accept.status_code == 201 else "setup")


def test_resigning_and_accepting_at_the_same_moment_end_in_one_of_both_orders(white, black):
    for _ in range(5):
        setup = Setup(white, black).open()
        setup.sent(1, None)
        accept, resign = race([poster(black, setup.path, {"round": 1, "accept": True}), poster(white, f"/v1/games/{setup.game}/resign", None)])
        assert resign.status_code == 200 and accept.status_code in (201, 409)
        game = white.game(setup.game)
        assert (game["phase"], game["winner"]) == ("over", 2)
        assert (" s " in game["board"]) == (accept.status_code == 409)


def test_kill_9_loses_no_layout_that_was_acknowledged(durable_cluster, catcher, start_process, seed):
    """The service dies between any two steps, and in the middle of some; whatever it said stands."""
    rng = random.Random(f"kill {seed}")
    database = durable_cluster.create_database()
    migrate(database)
    process = start_process("serve", database, catcher)
    blue, red = (make_player(Api(process.url, catcher), database) for _ in range(2))
    setup = Setup(blue, red)
    acknowledged = []
    for number in range(9):
        layout, seat = random_layout(rng), 1 + number % 2
        round_ = 1 if number < 2 else number - 1
        answer = setup.sent(seat, layout, round_)
        acknowledged.append((seat, layout))
        process.kill()
        process = start_process("serve", database, catcher)
        for client in (blue, red):
            client.url = process.url
        assert [(seat, layout) for _, seat, _, _, layout in steps_of(database, setup.game)] == acknowledged
        seen = setup.seen(setup.players[seat - 1])
        assert seen["seats"][seat - 1]["layout"] == layout and seen["round"] == answer["round"]
        # The answer might have been lost: the same again changes nothing.
        assert setup.send(seat, layout, round_).status_code == 200
    setup.sent(2, None, seen["round"])
    assert blue.game(setup.game)["phase"] == "play"


def test_kill_9_in_the_middle_of_a_step_leaves_all_of_it_or_nothing(durable_cluster, catcher, start_process, seed):
    rng = random.Random(f"middle {seed}")
    database = durable_cluster.create_database()
    migrate(database)
    process = start_process("serve", database, catcher)
    blue, red = (make_player(Api(process.url, catcher), database) for _ in range(2))
    for _ in range(4):
        setup = Setup(blue, red)
        layout = random_layout(rng)

        def last_words(session, path=setup.path, layout=layout):
            headers = {"Authorization": f"Bearer {blue.token}"}
            try:
                return session.post(blue.url + path, json={"round": 1, "layout": layout}, headers=headers, timeout=120).status_code
            except requests.RequestException:
                return None

        status, _ = race([last_words, lambda session: process.kill()])
        process = start_process("serve", database, catcher)
        for client in (blue, red):
            client.url = process.url
        kept = len(steps_of(database, setup.game))
        assert kept == 1 or status is None
        events = "SELECT count(*) FROM event WHERE game_id = %s AND kind = 'setup.layout'"
        version = blue.game(setup.game)["version"]
        assert (database.value(events, (setup.game,)), version) == (kept, 1 + kept)
        assert setup.send(1, layout).status_code == (200 if kept else 201)
