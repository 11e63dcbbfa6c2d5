"""POST /v1/games/{id}/turns: what counts, what is refused, and what comes again."""

import pytest

from harness.problems import problem_of

START = "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w"
SHUFFLE = ["h1-i1", "h8-i8", "i1-h1", "i8-h8"]


def count_of(database, table, game_id):
    return database.value(f"SELECT count(*) FROM {table} WHERE game_id = %s", (game_id,))


def test_a_turn_is_answered_with_what_followed_from_it(white, game_id):
    response = white.play(game_id, "C2:D2 – c4", ply=1)
    assert response.status_code == 201
    turn = response.json()
    assert response.headers["Location"] == f"/v1/games/{game_id}/turns/1"
    assert response.headers["ETag"] == f'"g{game_id}-v2"'
    assert (turn["game_id"], turn["ply"], turn["next_ply"], turn["seat"]) == (game_id, 1, 2, 1)
    assert turn["turn"] == "c2:d2-c4"
    assert turn["player"] == {"id": white.player["id"], "name": "Wanda"}
    assert turn["board"] == "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/2ww6/ww2ww2ww/ww2wwwwww/2ww2ww2 b"
    assert (turn["phase"], turn["awaiting"], turn["winner"], turn["reason"]) == ("play", [2], None, None)
    assert white.get(response.headers["Location"]).json()["turn"] == "c2:d2-c4"


def test_the_game_shows_the_last_turn_and_the_next_ply(white, game_id):
    before = white.game(game_id)
    assert (before["ply"], before["next_ply"], before["last_turn"], before["board"]) == (0, 1, None, START)
    white.play(game_id, "a3-a4", ply=1)
    after = white.game(game_id)
    assert (after["ply"], after["next_ply"], after["awaiting"]) == (1, 2, [2])
    assert after["last_turn"]["turn"] == "a3-a4"
    assert after["version"] == before["version"] + 1


def test_a_missing_ply_is_400(white, game_id):
    problem_of(white.post(f"/v1/games/{game_id}/turns", {"turn": "a3-a4"}), 400, "ply-missing")
    problem_of(white.post(f"/v1/games/{game_id}/turns", {"ply": None, "turn": "a3-a4"}), 400, "ply-missing")


@pytest.mark.parametrize("ply", ["1", 1.5, 0, -1, True, 2**40, 1e300])
def test_a_ply_that_is_no_positive_number_is_refused(white, game_id, ply):
    problem_of(white.post(f"/v1/games/{game_id}/turns", {"ply": ply, "turn": "a3-a4"}), 422, "field-invalid")


@pytest.mark.parametrize("ply", ["1.0", "1e0", "10e-1"])
def test_a_number_may_be_written_as_json_allows(white, game_id, ply):
    body = '{"ply":%s,"turn":"a3-a4"}' % ply
    answer = white.call("POST", f"/v1/games/{game_id}/turns", data=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 201 and answer.json()["ply"] == 1


def test_a_missing_turn_or_an_unknown_field_is_refused(white, game_id):
    problem_of(white.post(f"/v1/games/{game_id}/turns", {"ply": 1}), 422, "field-invalid")
    problem_of(white.post(f"/v1/games/{game_id}/turns", {"ply": 1, "turn": 7}), 422, "field-invalid")
    problem_of(white.post(f"/v1/games/{game_id}/turns", {"ply": 1, "turn": "a3-a4", "x": 1}), 422, "field-invalid")


@pytest.mark.parametrize("text", ["", "hello", "a3", "z9-z8", "a3-a4 please", "\u0007", "a3-" * 5000, "♟"])
def test_a_text_that_is_no_turn_is_400(white, game_id, text):
    problem = problem_of(white.play(game_id, text, ply=1), 400, "turn-unreadable")
    assert problem["rule"] in ("unreadable", "too-long", "off-board", "destination-missing")
    assert problem["detail"]


def test_an_illegal_turn_is_422_with_rule_squares_and_nearest_turns(white, game_id):
    problem = problem_of(white.play(game_id, "a3-a2", ply=1), 422, "turn-illegal")
    assert problem["rule"] == "backward"
    assert set(problem["squares"]) <= {"a2", "a3"}
    assert "a3-a4" in problem["nearest"]
    assert "backward" in problem["detail"]
    assert problem["game"]["ply"] == 0


def test_a_refusal_speaks_the_players_language(new_player, black):
    anna = new_player(language="de")
    game = anna.start_game(black)
    problem = problem_of(anna.play(game, "a3-a2", ply=1), 422, "turn-illegal")
    assert problem["title"] == "Regelwidriger Zug"
    assert "rückwärts" in problem["detail"].lower()


def test_accept_language_goes_before_the_players_language(new_player):
    anna = new_player(language="de")
    for wanted, title in (("fr", "Introuvable"), ("xx", "Nicht gefunden"), ("*", None), ("ru;q=0", "Nicht gefunden")):
        answer = anna.get("/v1/games/999999999", headers={"Accept-Language": wanted})
        assert title is None or answer.json()["title"] == title


def test_not_your_turn_is_409(white, black, game_id):
    problem = problem_of(black.play(game_id, "a7-a5", ply=1), 409, "not-your-turn")
    assert problem["game"]["awaiting"] == [1]


def test_the_same_turn_again_is_200_with_what_is_stored(white, black, game_id, database):
    first = white.play(game_id, "a3-a4", ply=1)
    again = white.play(game_id, "A3 a4", ply=1)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    black.play(game_id, "a6-a5", ply=2)
    late = white.play(game_id, "a3-a4", ply=1)
    assert late.status_code == 200
    assert late.json() == first.json()
    assert count_of(database, "turn", game_id) == 2


def test_the_same_turn_again_is_200_even_after_the_end(white, black, game_id):
    first = white.play(game_id, "a3-a4", ply=1)
    assert black.post(f"/v1/games/{game_id}/resign").status_code == 200
    late = white.play(game_id, "a3-a4", ply=1)
    assert late.status_code == 200
    assert late.json() == first.json()


def test_another_turn_for_a_played_ply_is_409_with_the_current_state(white, black, game_id):
    white.play(game_id, "a3-a4", ply=1)
    problem = problem_of(white.play(game_id, "j3-j4", ply=1), 409, "ply-played")
    assert problem["game"]["ply"] == 1
    # The opponent's turn with this number is not the player's own.
    problem_of(black.play(game_id, "a3-a4", ply=1), 409, "ply-played")
    problem_of(white.play(game_id, "nonsense", ply=1), 409, "ply-played")


def test_a_ply_too_far_ahead_is_409_with_the_current_state(white, game_id):
    problem = problem_of(white.play(game_id, "a3-a4", ply=3), 409, "ply-ahead")
    assert problem["game"]["next_ply"] == 1


def test_if_match_that_fits_plays_and_one_that_does_not_is_412(white, black, game_id):
    etag = white.get(f"/v1/games/{game_id}").headers["ETag"]
    fits = white.play(game_id, "a3-a4", ply=1, headers={"If-Match": f'"other", {etag}'})
    assert fits.status_code == 201
    stale = black.play(game_id, "a6-a5", ply=2, headers={"If-Match": etag})
    problem = problem_of(stale, 412, "precondition-failed")
    assert problem["game"]["ply"] == 1
    assert stale.headers["ETag"] == fits.headers["ETag"]
    problem_of(black.play(game_id, "a6-a5", ply=2, headers={"If-Match": f"W/{fits.headers['ETag']}"}), 412,
               "precondition-failed")
    problem_of(black.play(game_id, "a6-a5", ply=2, headers={"If-Match": "g7"}), 400, "precondition-malformed")
    assert black.play(game_id, "a6-a5", ply=2, headers={"If-Match": "*"}).status_code == 201


def test_if_none_match_that_fits_is_412_and_plays_nothing(white, black, game_id):
    etag = white.get(f"/v1/games/{game_id}").headers["ETag"]
    for value in ("*", etag, f'"other", W/{etag}'):
        problem = problem_of(white.play(game_id, "a3-a4", ply=1, headers={"If-None-Match": value}), 412, "precondition-failed")
        assert problem["game"]["ply"] == 0
        problem_of(black.post(f"/v1/games/{game_id}/resign", headers={"If-None-Match": value}), 412, "precondition-failed")
    problem_of(white.play(game_id, "a3-a4", ply=1, headers={"If-None-Match": "g7"}), 400, "precondition-malformed")
    assert white.play(game_id, "a3-a4", ply=1, headers={"If-None-Match": '"other"'}).status_code == 201


def test_a_retry_with_the_same_if_match_is_200(white, game_id):
    etag = white.get(f"/v1/games/{game_id}").headers["ETag"]
    first = white.play(game_id, "a3-a4", ply=1, headers={"If-Match": etag})
    again = white.play(game_id, "a3-a4", ply=1, headers={"If-Match": etag})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()


def test_who_does_not_play_in_the_game_is_403_or_404(white, black, stranger, api, game_id):
    problem_of(stranger.play(game_id, "a3-a4", ply=1), 403, "not-allowed")
    problem_of(api.play(game_id, "a3-a4", ply=1), 401, "unauthorized")
    private = white.start_game(black, visibility="private")
    problem_of(stranger.play(private, "a3-a4", ply=1), 404, "not-found")
    problem_of(white.post("/v1/games/999999999/turns", {"ply": 1, "turn": "a3-a4"}), 404, "not-found")


def test_the_third_time_the_same_board_stands_is_a_draw(white, black, game_id):
    for place, turn in enumerate(SHUFFLE * 2):
        answer = (white, black)[place % 2].play(game_id, turn, ply=place + 1).json()
        assert answer["phase"] == ("over" if place == 7 else "play"), place + 1
    assert (answer["winner"], answer["reason"], answer["awaiting"]) == (0, "repetition", [])
    game = white.game(game_id)
    assert (game["phase"], game["winner"], game["reason"], game["awaiting"]) == ("over", 0, "repetition", [])
    assert game["ended_at"]
    problem = problem_of(white.play(game_id, "a3-a4", ply=9), 409, "game-over")
    assert problem["game"]["reason"] == "repetition"
    again = black.play(game_id, "i8-h8", ply=8)
    assert (again.status_code, again.json()) == (200, answer)


def test_a_key_brings_the_first_answer_again(white, black, game_id, database):
    headers = {"Idempotency-Key": "4711-a"}
    first = white.play(game_id, "a3-a4", ply=1, headers=headers)
    black.play(game_id, "a6-a5", ply=2)
    again = white.play(game_id, "a3-a4", ply=1, headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert count_of(database, "turn", game_id) == 2


def test_a_key_with_another_body_is_422(white, black, game_id):
    headers = {"Idempotency-Key": "4711-b"}
    assert white.play(game_id, "a3-a4", ply=1, headers=headers).status_code == 201
    black.play(game_id, "a6-a5", ply=2)
    problem_of(white.play(game_id, "j3-j4", ply=3, headers=headers), 422, "idempotency-mismatch")
    problem_of(white.play(game_id, "nonsense", ply=3, headers=headers), 422, "idempotency-mismatch")
    assert white.play(game_id, "j3-j4", ply=3).status_code == 201


def test_a_turn_played_before_without_a_key_uses_the_key_up(white, black, game_id, database):
    first = white.play(game_id, "a3-a4", ply=1)
    black.play(game_id, "a6-a5", ply=2)
    headers = {"Idempotency-Key": "4711-e"}
    again, replayed = [white.play(game_id, "a3-a4", ply=1, headers=headers) for _ in range(2)]
    assert (again.status_code, replayed.status_code) == (200, 200)
    assert first.json() == again.json() == replayed.json()
    assert "Idempotent-Replayed" not in again.headers and replayed.headers["Idempotent-Replayed"] == "true"
    problem_of(white.play(game_id, "j3-j4", ply=3, headers=headers), 422, "idempotency-mismatch")
    assert count_of(database, "turn", game_id) == 2


def test_a_refused_turn_does_not_use_its_key_up(white, game_id):
    headers = {"Idempotency-Key": "4711-c"}
    problem_of(white.play(game_id, "a3-a2", ply=1, headers=headers), 422, "turn-illegal")
    assert white.play(game_id, "a3-a4", ply=1, headers=headers).status_code == 201


def test_keys_of_two_players_are_two_keys(white, black, game_id):
    headers = {"Idempotency-Key": "4711-d"}
    assert white.play(game_id, "a3-a4", ply=1, headers=headers).status_code == 201
    assert black.play(game_id, "a6-a5", ply=2, headers=headers).status_code == 201


@pytest.mark.parametrize("key", ["", "two words", "x" * 256])
def test_a_key_that_is_none_is_400(white, game_id, key):
    problem_of(white.play(game_id, "a3-a4", ply=1, headers={"Idempotency-Key": key}), 400, "idempotency-key-invalid")


def test_each_turn_tells_the_player_awaited_once(white, black, game_id, catcher, database):
    white.play(game_id, "a3-a4", ply=1)
    white.play(game_id, "a3-a4", ply=1)
    black.play(game_id, "a6-a5", ply=2)
    rows = database.rows(
        "SELECT event.ply, delivery.player_id, delivery.template FROM delivery JOIN event ON event.id = event_id"
        " WHERE delivery.game_id = %s AND template = 'your-turn' ORDER BY 1", (game_id,))
    assert rows == [(1, black.player["id"], "your-turn"), (2, white.player["id"], "your-turn")]
    kinds = [row[0] for row in database.rows("SELECT kind FROM event WHERE game_id = %s ORDER BY id", (game_id,))]
    assert kinds == ["challenge.accepted", "game.started", "turn.played", "turn.played"]


def test_the_turn_that_ends_a_game_tells_both_players_that_it_is_over(white, black, game_id, database):
    for place, turn in enumerate(SHUFFLE * 2):
        (white, black)[place % 2].play(game_id, turn, ply=place + 1)
    rows = database.rows(
        "SELECT event.kind, delivery.player_id, delivery.template FROM event LEFT JOIN delivery ON event.id = event_id"
        " WHERE event.game_id = %s AND event.ply = 8 ORDER BY event.id, delivery.player_id", (game_id,))
    assert rows == [
        ("turn.played", None, None),
        ("game.over", white.player["id"], "game-over"),
        ("game.over", black.player["id"], "game-over"),
    ]


def test_turns_are_listed_in_pages_that_stay_true_while_turns_are_added(white, black, game_id):
    for place, turn in enumerate(SHUFFLE):
        (white, black)[place % 2].play(game_id, turn, ply=place + 1)
    page = white.get(f"/v1/games/{game_id}/turns?limit=2")
    assert [turn["turn"] for turn in page.json()["turns"]] == SHUFFLE[:2]
    white.play(game_id, "a3-a4", ply=5)
    following = page.links["next"]["url"]
    assert following == page.json()["next"]
    seen = []
    while following:
        page = white.get(following)
        seen += [turn["ply"] for turn in page.json()["turns"]]
        following = page.json()["next"]
    assert seen == [3, 4, 5]
    assert "Link" not in page.headers
    problem_of(white.get(f"/v1/games/{game_id}/turns?cursor=zzz"), 400, "cursor-invalid")
    problem_of(white.get(f"/v1/games/{game_id}/turns?limit=0"), 400, "query-invalid")
