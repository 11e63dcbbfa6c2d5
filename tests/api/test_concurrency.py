"""Many clients at the same moment: one turn, one event, one mail; one game for one challenge."""

from harness.racing import poster, race

CLIENTS = 200


def written(database, game_id):
    """(turns, turn events, mails about them) of a game."""
    return database.rows(
        "SELECT (SELECT count(*) FROM turn WHERE game_id = %(game)s),"
        " (SELECT count(*) FROM event WHERE game_id = %(game)s AND kind = 'turn.played'),"
        " (SELECT count(*) FROM delivery WHERE game_id = %(game)s AND template = 'your-turn')", {"game": game_id})[0]


def test_200_clients_with_one_turn_make_exactly_one(white, game_id, database):
    path = f"/v1/games/{game_id}/turns"
    answers = race([poster(white, path, {"ply": 1, "turn": "a3-a4"})] * CLIENTS)
    assert sorted({answer.status_code for answer in answers}) == [200, 201]
    assert [answer.status_code for answer in answers].count(201) == 1
    assert len({answer.text for answer in answers}) == 1
    assert written(database, game_id) == (1, 1, 1)


def test_200_clients_with_different_turns_make_exactly_one(white, game_id, database):
    path = f"/v1/games/{game_id}/turns"
    turns = [step["step"] for step in white.get(f"/v1/games/{game_id}/steps").json()["steps"]]
    answers = race([poster(white, path, {"ply": 1, "turn": turns[i % len(turns)]}) for i in range(CLIENTS)])
    codes = [answer.status_code for answer in answers]
    assert codes.count(201) == 1 and set(codes) <= {200, 201, 409}
    assert written(database, game_id) == (1, 1, 1)
    winner = next(answer.json()["turn"] for answer in answers if answer.status_code == 201)
    for answer in answers:
        if answer.status_code == 409:
            assert answer.json()["game"]["last_turn"]["turn"] == winner
        else:
            assert answer.json()["turn"] == winner


def test_clients_with_one_key_get_one_answer(white, game_id, database):
    path = f"/v1/games/{game_id}/turns"
    calls = [poster(white, path, {"ply": 1, "turn": "a3-a4"}, {"Idempotency-Key": "race-1"})] * 40
    answers = race(calls)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert written(database, game_id) == (1, 1, 1)


def test_one_key_for_turns_of_many_games_plays_one(white, black, database):
    games = [white.start_game(black) for _ in range(20)]
    answers = race([poster(white, f"/v1/games/{game}/turns", {"ply": 1, "turn": "a3-a4"}, {"Idempotency-Key": "race-2"})
                    for game in games])
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [201] + [422] * 19
    assert sum(written(database, game)[0] for game in games) == 1


def test_two_devices_resigning_and_playing_at_once_leave_one_end(white, black, portion, database):
    for _ in range(portion(100)):
        game = white.start_game(black)
        answers = race([
            poster(white, f"/v1/games/{game}/turns", {"ply": 1, "turn": "a3-a4"}),
            poster(white, f"/v1/games/{game}/resign", None),
            poster(black, f"/v1/games/{game}/resign", None),
        ])
        codes = [answer.status_code for answer in answers]
        assert codes[0] in (201, 409) and sorted(codes[1:]) == [200, 409]
        kinds = [row[0] for row in database.rows(
            "SELECT kind FROM event WHERE game_id = %s AND kind IN ('turn.played', 'game.over') ORDER BY id", (game,))]
        assert kinds == (["turn.played"] if codes[0] == 201 else []) + ["game.over"]
        assert white.game(game)["ply"] == (1 if codes[0] == 201 else 0)


def test_200_clients_accepting_one_open_challenge_make_one_game(white, new_player, database):
    players = [new_player() for _ in range(20)]
    challenge = white.ask("POST", "/v1/challenges", {"rules": "ordo"})
    path = f"/v1/challenges/{challenge['id']}/accept"
    answers = race([poster(player, path, None) for player in players for _ in range(10)])
    codes = [answer.status_code for answer in answers]
    assert codes.count(201) == 1 and codes.count(200) == 9 and codes.count(409) == 190
    games = {answer.json()["game"]["id"] for answer in answers if answer.status_code < 300}
    assert len(games) == 1
    rows = database.rows("SELECT kind, count(*) FROM event WHERE challenge_id = %s GROUP BY 1 ORDER BY 1",
                         (challenge["id"],))
    assert rows == [("challenge.accepted", 1), ("challenge.created", 1), ("game.started", 1)]


def test_accepting_declining_and_cancelling_at_once_leave_one_answer(white, black, portion):
    for _ in range(portion(100)):
        challenge = white.ask("POST", "/v1/challenges", {"rules": "ordo", "opponent": "Boris"})
        path = f"/v1/challenges/{challenge['id']}"
        answers = race([poster(black, f"{path}/accept", None), poster(black, f"{path}/decline", None),
                        poster(white, f"{path}/cancel", None)])
        assert sorted(answer.status_code for answer in answers if answer.status_code == 409) == [409, 409]
        state = white.get(path).json()["state"]
        winner = [answer.status_code < 300 for answer in answers].index(True)
        assert state == ("accepted", "declined", "cancelled")[winner]


def test_one_key_makes_one_challenge_however_often_it_is_sent_at_once(white, black, database):
    before = database.value("SELECT count(*) FROM challenge")
    answers = race([poster(white, "/v1/challenges", {"rules": "ordo", "opponent": "Boris"},
                           {"Idempotency-Key": "race-3"})] * 30)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert database.value("SELECT count(*) FROM challenge") == before + 1
