"""Reading games, lists of games, steps, pictures, and resigning."""

import xml.etree.ElementTree as ElementTree

import pytest

from harness.people import make_token
from harness.problems import problem_of
from harness.server import ludopost

START = "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w"


def ids_of(client, path):
    """The ids of a whole list, page after page by its Link header."""
    found = []
    while path:
        response = client.get(path)
        assert response.status_code == 200, response.text
        found += [game["id"] for game in response.json()["games"]]
        path = response.links.get("next", {}).get("url")
        assert response.json()["next"] == path
    return found


def test_a_game_has_everything_a_client_needs(white, black, game_id, server):
    game = white.game(game_id)
    assert game["id"] == game_id
    assert (game["rules"], game["options"], game["phase"], game["visibility"]) == ("ordo", {}, "play", "public")
    assert (game["board"], game["start_board"]) == (START, START)
    assert (game["ply"], game["next_ply"], game["awaiting"], game["last_turn"]) == (0, 1, [1], None)
    assert game["seats"] == [
        {"seat": 1, "side": "white", "player": {"id": white.player["id"], "name": "Wanda"}, "reachable": True},
        {"seat": 2, "side": "black", "player": {"id": black.player["id"], "name": "Boris"}, "reachable": True},
    ]
    assert (game["winner"], game["reason"], game["deadline"], game["ended_at"]) == (None, None, None, None)
    assert game["clock"] == {"kind": "none"}
    assert game["created_at"].endswith("Z") and game["created_at"][10] == "T"
    for name in ("self", "turns", "steps", "board_svg", "board_png", "board_txt", "record_txt"):
        path = game["links"][name].removeprefix(server.url)
        assert white.get(path).status_code == 200, name


def test_a_game_known_to_the_client_is_304(white, game_id):
    first = white.get(f"/v1/games/{game_id}")
    assert first.headers["ETag"] == f'"{first.json()["etag"]}"' == f'"g{game_id}-v1"'
    known = white.get(f"/v1/games/{game_id}", headers={"If-None-Match": first.headers["ETag"]})
    assert (known.status_code, known.content) == (304, b"")
    white.play(game_id, "a3-a4", ply=1)
    changed = white.get(f"/v1/games/{game_id}", headers={"If-None-Match": first.headers["ETag"]})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != first.headers["ETag"]


def test_anybody_may_look_at_a_public_game(api, game_id):
    assert api.get(f"/v1/games/{game_id}").status_code == 200
    problem_of(api.get("/v1/games/999999999"), 404, "not-found")


SUB_RESOURCES = ["", "/turns", "/turns/1", "/steps", "/board.svg", "/board.png", "/board.txt", "/record.json",
                 "/record.txt", "/board.svg?ply=0"]


@pytest.mark.parametrize("suffix", SUB_RESOURCES)
def test_a_private_game_is_404_to_others(white, black, stranger, api, suffix):
    game = white.start_game(black, visibility="private")
    white.play(game, "a3-a4", ply=1)
    white.post(f"/v1/games/{game}/resign")
    for client in (stranger, api):
        problem_of(client.get(f"/v1/games/{game}{suffix}"), 404, "not-found")
    for client in (white, black):
        assert client.get(f"/v1/games/{game}{suffix}").status_code == 200


def test_a_private_game_is_404_to_others_who_act(white, black, stranger):
    game = white.start_game(black, visibility="private")
    problem_of(stranger.post(f"/v1/games/{game}/resign"), 404, "not-found")


def test_a_token_without_the_scope_read_shows_no_private_game(white, black, database):
    game = white.start_game(black, visibility="private")
    blind = white.with_token(make_token(database, white.player["id"], ["webhook"]))
    problem_of(blind.get(f"/v1/games/{game}"), 404, "not-found")
    problem_of(blind.play(game, "a3-a4", ply=1), 403, "scope-missing")


def test_lists_are_filtered(new_player, black):
    anna, bert = new_player(), new_player()
    first = anna.start_game(bert)
    second = anna.start_game(black, rules="ordox", visibility="private")
    third = bert.start_game(anna)
    assert ids_of(anna, "/v1/games?mine=true") == [third, second, first]
    assert ids_of(anna, "/v1/games?awaiting=me") == [second, first]
    assert ids_of(anna, "/v1/games?mine=true&rules=ordox") == [second]
    assert ids_of(bert, f"/v1/games?player={anna.player['id']}") == [third, first]
    assert ids_of(bert, f"/v1/games?player={anna.player['name'].upper()}") == [third, first]
    assert ids_of(black, f"/v1/games?player={anna.player['id']}") == [third, second, first]
    anna.post(f"/v1/games/{first}/resign")
    assert ids_of(anna, "/v1/games?mine=true&phase=over") == [first]
    assert ids_of(anna, "/v1/games?mine=true&phase=play&rules=ordo") == [third]
    everything = ids_of(anna, "/v1/games?limit=100")
    assert {first, third} <= set(everything) and second not in everything
    assert first in ids_of(anna, "/v1/games?phase=over") and third not in ids_of(anna, "/v1/games?phase=over")
    assert second not in ids_of(bert, "/v1/games?rules=ordox")
    assert third in ids_of(bert, "/v1/games?rules=ordo&phase=play")


def test_filters_that_are_none_are_refused(white, api):
    for query in ("rules=chess", "phase=begun", "mine=yes", "awaiting=you", "player=nobody", "player=0", "colour=red",
                  "limit=101", "limit=x"):
        problem_of(white.get(f"/v1/games?{query}"), 400, "query-invalid")
    for cursor in ("0", "", "zz", "-5", "aaaaaaaaaaaaaaaaaaaaaaaa"):
        problem_of(white.get(f"/v1/games?cursor={cursor}"), 400, "cursor-invalid")
    problem_of(api.get("/v1/games?mine=true"), 401, "unauthorized")


def test_pages_are_complete_and_stable_while_games_are_added(new_player):
    anna, bert = new_player(), new_player()
    games = [anna.start_game(bert) for _ in range(7)]
    path, seen = "/v1/games?mine=true&limit=3", []
    while path:
        response = anna.get(path)
        seen += [game["id"] for game in response.json()["games"]]
        anna.start_game(bert)
        path = response.links.get("next", {}).get("url")
    assert seen == games[::-1]


@pytest.mark.parametrize("path", ["", "/steps", "/record.txt", "/board.svg", "/board.png", "/board.txt"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_reading_has_the_conditions_of_rfc_9110(white, game_id, method, path):
    url = f"/v1/games/{game_id}{path}"
    first = white.get(url)
    etag = first.headers["ETag"]

    def status(**headers):
        answer = white.call(method, url, headers={name.replace("_", "-"): value for name, value in headers.items()})
        assert answer.headers.get("ETag", etag) == etag
        return answer.status_code

    assert status(If_Match=etag) == status(If_Match="*") == status(If_Match=f'"other", {etag}') == 200
    assert status(If_Match='"other"') == status(If_Match=f"W/{etag}") == 412
    assert status(If_Match="other") == 400
    assert status(If_Match=etag, If_None_Match=etag) == status(If_None_Match="*") == 304
    assert status(If_Match='"other"', If_None_Match=etag) == 412
    known = white.call(method, url, headers={"If-None-Match": etag})
    for name in ("ETag", "Vary", "Cache-Control"):
        assert known.headers.get(name) == first.headers.get(name), name


def test_what_has_no_entity_tag_cannot_depend_on_one(white):
    for method, path, body in (("PATCH", "/v1/me", {"mail": True}), ("DELETE", "/v1/tokens/999999", None)):
        problem_of(white.call(method, path, json=body, headers={"If-Match": '"any"'}), 412, "precondition-failed")
        problem_of(white.call(method, path, json=body, headers={"If-None-Match": "*"}), 412, "precondition-failed")
        problem_of(white.call(method, path, json=body, headers={"If-Match": "any"}), 400, "precondition-malformed")
    assert white.call("PATCH", "/v1/me", json={"mail": True}, headers={"If-Match": "*"}).status_code == 200


# ---- steps -----------------------------------------------------------------------------------
def test_steps_are_the_referees(white, game_id):
    answer = white.get(f"/v1/games/{game_id}/steps").json()
    assert (answer["ply"], answer["board"], answer["prefix"], answer["may_end"]) == (1, START, "", False)
    steps = [f"{step['step']}{'.' if step['may_end'] else ''}" for step in answer["steps"]]
    assert steps == ludopost("rules", "legal", "ordo", "start").stdout.split()


def test_steps_go_on_from_a_prefix(white, black):
    game = white.start_game(black, rules="ordox")
    answer = white.get(f"/v1/games/{game}/steps", params={"prefix": "A3 – b4"})
    problem_of(white.get(f"/v1/games/{game}/steps", params={"prefix": "a3-a2"}), 422, "turn-illegal")
    problem_of(white.get(f"/v1/games/{game}/steps", params={"prefix": "what"}), 400, "turn-unreadable")
    problem_of(white.get(f"/v1/games/{game}/steps?suffix=a3"), 400, "query-invalid")
    assert (answer.json()["may_end"], answer.json()["steps"]) == (True, [])
    assert answer.json()["prefix"] == "a3-b4"
    half = next(step["step"] for step in white.get(f"/v1/games/{game}/steps").json()["steps"] if not step["may_end"])
    rest = white.get(f"/v1/games/{game}/steps", params={"prefix": f" {half.upper()} "}).json()
    assert (rest["may_end"], rest["prefix"]) == (False, half)
    turn = f"{half},{rest['steps'][0]['step']}"
    assert rest["steps"][0]["may_end"] is True
    assert white.play(game, turn, ply=1).status_code == 201


def test_a_game_that_is_over_has_no_steps(white, game_id):
    white.post(f"/v1/games/{game_id}/resign")
    assert white.get(f"/v1/games/{game_id}/steps").json()["steps"] == []


# ---- pictures --------------------------------------------------------------------------------
def test_boards_are_drawn_at_any_ply(white, black, game_id):
    white.play(game_id, "a3-a4", ply=1)
    black.play(game_id, "a6-a5", ply=2)
    pictures = set()
    for ply in (0, 1, 2):
        svg = white.get(f"/v1/games/{game_id}/board.svg?ply={ply}")
        assert svg.headers["Content-Type"] == "image/svg+xml"
        ElementTree.fromstring(svg.content)
        pictures.add(svg.content)
        png = white.get(f"/v1/games/{game_id}/board.png?ply={ply}")
        assert png.headers["Content-Type"] == "image/png"
        assert png.content.startswith(b"\x89PNG\r\n\x1a\n")
        text = white.get(f"/v1/games/{game_id}/board.txt?ply={ply}")
        assert text.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert ("a4" in text.text) == (ply > 0)
    assert len(pictures) == 3
    last = white.get(f"/v1/games/{game_id}/board.svg")
    assert last.content in pictures
    for bad in ("3", "99999"):
        problem_of(white.get(f"/v1/games/{game_id}/board.svg?ply={bad}"), 404, "not-found")
    for bad in ("-1", "x", "1.0"):
        problem_of(white.get(f"/v1/games/{game_id}/board.png?ply={bad}"), 400, "query-invalid")


def test_boards_can_be_turned_round(white, game_id):
    one = white.get(f"/v1/games/{game_id}/board.svg?ply=0&orientation=1")
    two = white.get(f"/v1/games/{game_id}/board.svg?ply=0&orientation=2")
    assert one.content == white.get(f"/v1/games/{game_id}/board.svg?ply=0").content != two.content
    assert two.content == white.get(f"/v1/games/{game_id}/board.svg?ply=0&orientation=second").content
    assert one.headers["ETag"] != two.headers["ETag"]
    assert white.get(f"/v1/games/{game_id}/board.svg?ply=0&orientation=2",
                     headers={"If-None-Match": two.headers["ETag"]}).status_code == 304
    problem_of(white.get(f"/v1/games/{game_id}/board.svg?orientation=up"), 400, "query-invalid")


def test_the_spoken_board_is_in_the_language_asked_for(api, game_id):
    texts = {api.get(f"/v1/games/{game_id}/board.txt", headers={"Accept-Language": language}).text
             for language in ("en", "es", "fr", "ru", "de")}
    assert len(texts) == 5


# ---- resigning -------------------------------------------------------------------------------
def test_resigning_gives_the_game_to_the_opponent_also_when_not_on_move(white, black, game_id, database):
    answer = black.post(f"/v1/games/{game_id}/resign")
    assert answer.status_code == 200
    game = answer.json()
    assert (game["phase"], game["winner"], game["reason"], game["awaiting"]) == ("over", 1, "resign", [])
    assert game["ended_at"] and game["deadline"] is None
    assert answer.headers["ETag"] == f'"{game["etag"]}"'
    told = database.rows("SELECT player_id FROM delivery WHERE game_id = %s AND template = 'game-over' ORDER BY 1",
                         (game_id,))
    assert told == [(white.player["id"],), (black.player["id"],)]


def test_resigning_twice_is_once(white, black, game_id, database):
    first = white.post(f"/v1/games/{game_id}/resign")
    again = white.post(f"/v1/games/{game_id}/resign")
    assert (again.status_code, again.json()) == (200, first.json())
    problem = problem_of(black.post(f"/v1/games/{game_id}/resign"), 409, "game-over")
    assert problem["game"]["winner"] == 2
    assert database.value("SELECT count(*) FROM event WHERE game_id = %s AND kind = 'game.over'", (game_id,)) == 1


def test_resigning_has_conditions_and_keys(white, black, game_id):
    etag = white.get(f"/v1/games/{game_id}").headers["ETag"]
    white.play(game_id, "a3-a4", ply=1)
    problem = problem_of(black.post(f"/v1/games/{game_id}/resign", headers={"If-Match": etag}), 412,
                         "precondition-failed")
    assert problem["game"]["ply"] == 1
    headers = {"Idempotency-Key": "resign-1"}
    first = black.post(f"/v1/games/{game_id}/resign", headers=headers)
    again = black.post(f"/v1/games/{game_id}/resign", headers=headers)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"


def test_strangers_cannot_resign(stranger, api, game_id):
    problem_of(stranger.post(f"/v1/games/{game_id}/resign"), 403, "not-allowed")
    problem_of(api.post(f"/v1/games/{game_id}/resign"), 401, "unauthorized")


WRONG_PARAMETERS = {
    "limit=0": {"parameter": "limit", "problem": "too-small", "min": 1},
    "limit=-5": {"parameter": "limit", "problem": "too-small", "min": 1},
    "limit=1000000": {"parameter": "limit", "problem": "too-large", "max": 100},
    "limit=99999999999999999999": {"parameter": "limit", "problem": "too-large", "max": 100},
    "limit=ten": {"parameter": "limit", "problem": "not-integer"},
    "limit=": {"parameter": "limit", "problem": "not-integer"},
    "limit=1&limit=2": {"parameter": "limit", "problem": "given-twice"},
    "limt=1": {"parameter": "limt", "problem": "unknown"},
    "rules=chess": {"parameter": "rules", "problem": "not-a-choice", "choices": "ordo, ordox, xo"},
    "phase=paused": {"parameter": "phase", "problem": "not-a-choice", "choices": "setup, play, over"},
    "awaiting=you": {"parameter": "awaiting", "problem": "not-a-choice", "choices": "me"},
    "player=nobody%20such": {"parameter": "player", "problem": "not-a-player"},
    "cursor=%ff": {"parameter": "cursor", "problem": "bad-format"},
}


@pytest.mark.parametrize("query", WRONG_PARAMETERS)
def test_a_refused_parameter_says_what_is_wrong_and_what_would_fit(white, query):
    problem = problem_of(white.get(f"/v1/games?{query}"), 400, "query-invalid")
    expected = WRONG_PARAMETERS[query]
    assert {name: problem[name] for name in expected} == expected
    assert problem["detail"].startswith(expected["parameter"] + ": ")


def test_a_token_without_the_scope_is_told_so_when_it_asks_for_its_own_games(white, database):
    limited = white.with_token(make_token(database, white.player["id"], ["chat"]))
    for query in ("awaiting=me", "mine=true"):
        assert problem_of(limited.get(f"/v1/games?{query}"), 403, "scope-missing")["scope"] == "read"
