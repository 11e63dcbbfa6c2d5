"""Set-ups through REST: sealed layouts, the open pair, changes, acceptance, and what is refused."""

import json

import pytest

from harness.layouts import USUAL, Setup, board_of, copy_of, random_layout, squares
from harness.people import make_player, make_token
from harness.problems import problem_of


@pytest.fixture
def setup(white, black):
    """The set-up of a new game of XO, white being Blue."""
    return Setup(white, black)


def seats(answer, *members):
    """These members of both seats."""
    return [tuple(seat[member] for member in members) for seat in answer["seats"]]


def mails_of(database, game):
    """(template, player) of every mail about a game, in order."""
    return database.rows("SELECT template, player_id FROM delivery WHERE game_id = %s ORDER BY id", (game,))


def events_of(database, game):
    return database.rows("SELECT kind, data FROM event WHERE game_id = %s ORDER BY id", (game,))


# ---- the whole life of a set-up ------------------------------------------------------------
def test_a_game_begins_with_nothing_laid_out_and_both_awaited(setup, white, stranger):
    game = white.game(setup.game)
    assert (game["phase"], game["ply"], game["next_ply"], game["awaiting"]) == ("setup", 0, 1, [1, 2])
    assert game["board"] == game["start_board"] == board_of("", "", "s 1 1 0 0 0")
    assert game["links"]["setup"].endswith(setup.path)
    answer = setup.seen(stranger)
    assert (answer["round"], answer["sealed"], answer["awaiting"]) == (1, True, [1, 2])
    assert seats(answer, "given", "accepted", "changes_left", "layout", "copy") == [(False, False, 5, None, None)] * 2
    assert [len(seat["territory"]) for seat in answer["seats"]] == [21, 21]
    assert answer["seats"][0]["territory"][::10] == ["a1", "d2", "g3"]
    assert seats(answer, "side") == [("blue",), ("red",)]


def test_a_game_without_a_set_up_has_no_such_link_and_no_such_door(white, black):
    game = white.start_game(black)
    assert "setup" not in white.game(game)["links"]
    problem_of(white.get(f"/v1/games/{game}/setup"), 409, "no-setup")
    problem_of(white.post(f"/v1/games/{game}/setup", {"round": 1, "layout": USUAL}), 409, "no-setup")


def test_a_first_layout_is_seen_by_its_own_player_only(setup, white, black, stranger):
    answer = setup.sent(1, USUAL)
    assert answer["seats"][0]["layout"] == USUAL
    assert answer["seats"][0]["copy"] == "zhnh+zzv/gnhnz+vn/vzhvzhv"
    assert answer["board"] == board_of(USUAL, "", "s 1 1 0 0 0")
    assert setup.seen(white) == answer
    for client in (black, stranger):
        sealed = setup.seen(client)
        assert (sealed["sealed"], sealed["awaiting"]) == (True, [2])
        assert seats(sealed, "given", "layout", "copy") == [(True, None, None), (False, None, None)]
        assert sealed["board"] == board_of("", "", "s 1 1 0 0 0")


def test_both_layouts_are_open_when_both_are_in(setup, stranger):
    red = copy_of(USUAL)
    setup.open(USUAL, red)
    answer = setup.seen(stranger)
    assert (answer["sealed"], answer["awaiting"], answer["round"]) == (False, [1], 1)
    assert seats(answer, "layout", "copy") == [(USUAL, red), (red, USUAL)]
    assert answer["board"] == board_of(USUAL, red, "s 1 0 0 0 0") == stranger.game(setup.game)["board"]


def test_play_begins_when_both_have_accepted_the_same_pair(setup, white, stranger):
    setup.open()
    answer = setup.sent(1, None)
    assert (answer["phase"], answer["awaiting"]) == ("setup", [2])
    assert seats(answer, "accepted") == [(True,), (False,)]
    answer = setup.sent(2, None)
    assert (answer["phase"], answer["awaiting"], answer["round"]) == ("play", [], 1)
    assert seats(answer, "accepted", "layout") == [(True, USUAL), (True, USUAL)]
    game = white.game(setup.game)
    assert (game["phase"], game["ply"], game["next_ply"], game["awaiting"]) == ("play", 0, 1, [1])
    assert game["board"] == game["start_board"] == answer["board"] == board_of(USUAL, USUAL, "b")
    assert white.play(setup.game, "a3~,b1-d1", 1).status_code == 422  # rotates, and moves into a piece
    assert white.play(setup.game, "a3~", 1).status_code == 201
    after = setup.seen(stranger)
    assert (after["phase"], after["sealed"], after["round"]) == ("play", False, 1)
    assert seats(after, "layout", "accepted") == [(USUAL, True), (USUAL, True)]
    assert after["board"] == board_of(USUAL, USUAL, "b")


def test_another_layout_makes_a_new_pair_that_its_sender_has_accepted(setup, rng):
    first, second = random_layout(rng), random_layout(rng)
    setup.open()
    answer = setup.sent(1, first)
    assert (answer["round"], answer["awaiting"]) == (2, [2])
    assert seats(answer, "layout", "accepted", "changes_left") == [(first, True, 4), (USUAL, False, 5)]
    answer = setup.sent(2, second, 2)
    assert (answer["round"], answer["awaiting"]) == (3, [1])
    assert seats(answer, "layout", "accepted", "changes_left") == [(first, False, 4), (second, True, 4)]
    answer = setup.sent(1, None, 3)
    assert (answer["phase"], answer["round"], answer["board"]) == ("play", 3, board_of(first, second, "b"))


def test_each_may_change_five_times_and_then_only_accept(setup, rng):
    setup.open()
    for change in range(5):
        for seat in (1, 2):
            answer = setup.sent(seat, random_layout(rng), 1 + 2 * change + seat - 1)
            assert answer["seats"][seat - 1]["changes_left"] == 4 - change
    assert answer["round"] == 11
    problem = problem_of(setup.send(1, random_layout(rng), 11), 409, "setup-no-changes-left")
    assert problem["game"]["phase"] == "setup"
    assert setup.sent(1, None, 11)["phase"] == "play"


def test_an_equal_layout_is_an_acceptance_however_it_is_written(setup):
    setup.open()
    lines = USUAL.upper().replace("/", "\n")
    assert seats(setup.sent(1, lines), "accepted", "changes_left") == [(True, 5), (False, 5)]
    assert setup.sent(2, " " + USUAL + " ")["phase"] == "play"


def test_a_layout_is_read_in_letters_and_in_the_drawn_signs(setup):
    drawn = "|-/|-/|\n\\+|/\\-\\g\n|/+/-\\-/"
    assert setup.sent(1, drawn)["seats"][0]["layout"] == USUAL
    pasted = "V H Z V H Z V\r\n\r\nN +V Z N Н N G\r\n  V Z +Z Н N Н Z\r\n"  # with Cyrillic letters
    assert setup.sent(2, pasted)["seats"][1]["layout"] == USUAL


@pytest.mark.parametrize(
    "typed",
    [
        "vhzvhzv/\nn+vznhng/\nvz+zhnhz",
        "v h z v h z v\nn + v z n h n g\nv z + z h n h z",
        "vhzvhzv / n + vznhng / vz + zhnhz.",
        "| - / | - / |\n\\ + | / \\ - \\ g\n| / + / - \\ - /",
    ],
)
def test_a_layout_may_stand_apart_and_have_its_ranks_parted_twice(setup, typed):
    assert setup.sent(1, typed)["seats"][0]["layout"] == USUAL


def test_random_lays_out_a_whole_army_anew_each_time(white, black):
    found = set()
    for _ in range(3):
        setup = Setup(white, black)
        for seat, word in ((1, "random"), (2, "Random")):
            layout = setup.sent(seat, word)["seats"][seat - 1]["layout"]
            assert sorted("".join(sum(squares(layout), [])).translate(str.maketrans("hn", "vz"))) == sorted(
                "".join("v" * 9 + "z" * 9) + "+v+zg"
            )
            found.add(layout)
    assert len(found) == 6


def test_random_in_the_open_pair_is_a_change(setup):
    setup.open()
    answer = setup.sent(1, "random")
    assert (answer["round"], answer["awaiting"]) == (2, [2])
    assert answer["seats"][0]["layout"] != USUAL


def test_a_board_with_a_deeper_territory_has_room_to_spare(white, black):
    setup = Setup(white, black, options={"board": "9x10", "territory": 4})
    layout = "9/3vhzvhz/vn+vznhngv/1z+zhnhz2"
    problem = problem_of(setup.send(1, USUAL), 422, "layout-faulty")
    assert {fault["code"] for fault in problem["faults"]} == {"too-few-lines", "line-too-short"}
    answer = setup.sent(1, layout)
    assert answer["seats"][0]["layout"] == layout
    assert len(answer["seats"][0]["territory"]) == 36


# ---- like a former game ----------------------------------------------------------------------
def test_like_takes_the_own_last_layout_of_a_former_game(white, black, rng):
    first, second = random_layout(rng), random_layout(rng)
    former = Setup(white, black).open(first, USUAL)
    former.sent(1, second)
    setup = Setup(white, black)
    answer = setup.sent(1, f"like {former.game}")
    assert answer["seats"][0]["layout"] == second
    # Red's own of the former game, and neither the newest there nor the opponent's.
    assert setup.sent(2, f"Like  #{former.game}")["seats"][1]["layout"] == USUAL


def test_like_turns_a_layout_round_for_the_other_side(white, black, rng):
    layout = random_layout(rng)
    former = Setup(white, black).open(layout, USUAL)
    setup = Setup(black, white)
    answer = setup.sent(2, f"like {former.game}")
    assert answer["seats"][1]["layout"] == copy_of(layout) == setup.seen(white)["seats"][1]["layout"]


def test_like_tells_what_is_wrong(setup, white, black, stranger):
    def refused(text):
        problem = problem_of(setup.send(1, text), 422, "layout-like-unknown")
        return problem["reason"], problem["detail"]

    ordo = white.start_game(black)
    empty = Setup(white, black).game
    other = Setup(black, stranger, visibility="private").open()
    deeper = Setup(white, black, options={"territory": 4})
    deeper.sent(1, "random")
    reasons = {}
    for text in ("like", "like it", f"like {ordo}", f"like {empty}", f"like {other.game}", "like 999999999", f"like {deeper.game}"):
        reasons[text] = refused(text)
    assert [reason for reason, _ in reasons.values()] == ["number", "number", "board", "layout", "game", "game", "board"]
    # A private game of others looks like none.
    assert reasons[f"like {other.game}"][1] == reasons["like 999999999"][1].replace("999999999", str(other.game))
    assert setup.seen(white)["seats"][0]["given"] is False


# ---- what is told ----------------------------------------------------------------------------
def test_each_step_tells_the_one_who_must_act_and_nobody_else(setup, white, black, database, rng):
    blue, red = white.player["id"], black.player["id"]
    started = [("game-started", one) for one in sorted((blue, red))]
    assert sorted(mails_of(database, setup.game)) == started

    def told():
        return mails_of(database, setup.game)[2:]

    setup.sent(2, USUAL)
    assert told() == []
    setup.sent(1, USUAL)
    assert told() == [("setup-round", blue)]
    setup.sent(1, random_layout(rng))
    assert told()[1:] == [("setup-round", red)]
    setup.sent(2, random_layout(rng), 2)
    assert told()[2:] == [("setup-round", blue)]
    setup.sent(1, None, 3)
    assert told()[3:] == [("your-turn", blue)]
    assert events_of(database, setup.game)[2:] == [
        ("setup.layout", {"round": 1}), ("setup.layout", {"round": 1}), ("setup.layout", {"round": 2}),
        ("setup.layout", {"round": 3}), ("setup.accepted", {"round": 3}), ("game.play-began", {}),
    ]  # fmt: skip


def test_each_step_is_in_the_feed_and_raises_the_version_once(setup, white, database):
    versions = [white.game(setup.game)["version"]]
    for seat, layout in ((1, USUAL), (2, USUAL), (1, None), (2, None)):
        setup.sent(seat, layout)
        versions.append(white.game(setup.game)["version"])
    assert versions == [1, 2, 3, 4, 5]
    unread = "SELECT count(*) FROM event WHERE game_id = %s AND id NOT IN (SELECT event_id FROM feed UNION SELECT event_id FROM feed_pending)"
    assert database.value(unread, (setup.game,)) == 0


# ---- sent again ------------------------------------------------------------------------------
def test_the_same_again_changes_nothing(setup, white, database):
    def unchanged(seat, layout, round_):
        before = white.game(setup.game)
        answer = setup.sent(seat, layout, round_, status=200)
        assert white.game(setup.game) == before
        return answer

    setup.sent(1, USUAL)
    assert unchanged(1, USUAL.upper(), 1)["sealed"] is True
    setup.sent(2, USUAL)
    assert unchanged(2, USUAL, 1)["sealed"] is False
    change = copy_of(USUAL)
    setup.sent(1, change)
    unchanged(1, change, 1)  # the order that made the pair
    unchanged(1, change, 2)  # it accepts what it has accepted by sending it
    unchanged(1, None, 2)
    setup.sent(2, None, 2)
    assert unchanged(2, None, 2)["phase"] == "play"
    assert unchanged(1, change, 1)["phase"] == "play"
    setup.players[0].ask("POST", f"/v1/games/{setup.game}/resign")
    assert unchanged(2, None, 2)["phase"] == "over"
    assert database.value("SELECT count(*) FROM setup_step WHERE game_id = %s", (setup.game,)) == 4


def test_an_order_carried_out_stays_so_when_the_other_has_answered(setup, rng):
    first, second = random_layout(rng), random_layout(rng)
    setup.open()
    setup.sent(1, first)
    setup.sent(2, second, 2)
    assert setup.sent(1, first, 1, status=200)["round"] == 3
    assert problem_of(setup.send(1, USUAL, 1), 409, "setup-other-round")["round"] == 3


def test_a_key_gets_the_first_answer_again(setup, white, black):
    headers = {"Idempotency-Key": "lay-it-out"}
    first = setup.send(1, USUAL, headers=headers)
    setup.sent(2, USUAL)
    # Without the key this would accept the pair.
    again = setup.send(1, USUAL, headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content and again.headers["Idempotent-Replayed"] == "true"
    assert seats(setup.seen(white), "accepted") == [(False,), (False,)]
    problem_of(setup.send(1, None, headers=headers), 422, "idempotency-mismatch")
    drawn = Setup(white, black)
    random = {"Idempotency-Key": "draw"}
    assert drawn.send(1, "random", headers=random).content == drawn.send(1, "random", headers=random).content


# ---- what is refused -------------------------------------------------------------------------
def test_who_may_not_act_is_told_so(setup, api, white, stranger, database, black):
    problem_of(setup.players[0].with_token(None).post(setup.path, {"round": 1, "layout": USUAL}), 401, "unauthorized")
    reader = white.with_token(make_token(database, white.player["id"], ["read"]))
    problem_of(reader.post(setup.path, {"round": 1, "layout": USUAL}), 403, "scope-missing")
    problem_of(stranger.post(setup.path, {"round": 1, "layout": USUAL}), 403, "not-allowed")
    hidden = Setup(white, black, visibility="private")
    problem_of(stranger.post(hidden.path, {"round": 1, "layout": USUAL}), 404, "not-found")
    problem_of(stranger.get(hidden.path), 404, "not-found")
    problem_of(api.get(hidden.path), 404, "not-found")
    assert hidden.sent(1, USUAL)["seats"][0]["layout"] == USUAL
    assert hidden.seen(black)["seats"][0]["given"] is True


def test_a_second_layout_waits_for_the_other_first_one(setup):
    setup.sent(1, USUAL)
    problem = problem_of(setup.send(1, copy_of(USUAL)), 409, "setup-not-awaited")
    assert problem["game"]["awaiting"] == [2] and USUAL not in json.dumps(problem)
    problem_of(setup.send(1, None), 409, "setup-not-awaited")


def test_nothing_can_be_accepted_before_both_are_in(setup):
    problem_of(setup.send(2, None), 409, "setup-nothing-to-accept")
    setup.sent(1, USUAL)
    problem_of(setup.send(2, None), 409, "setup-nothing-to-accept")


def test_red_speaks_after_blue(setup):
    setup.open()
    for layout in (None, copy_of(USUAL)):
        problem_of(setup.send(2, layout), 409, "setup-not-awaited")


def test_an_order_for_an_older_or_a_later_pair_is_refused_with_the_present_one(setup, rng):
    for round_ in (2, 2147483647):
        assert problem_of(setup.send(1, USUAL, round_), 409, "setup-other-round")["round"] == 1
    setup.open()
    setup.sent(1, random_layout(rng))
    for layout in (None, random_layout(rng)):
        problem = problem_of(setup.send(2, layout, 1), 409, "setup-other-round")
        assert problem["round"] == 2 and "2" in problem["detail"]


def test_turns_wait_for_the_end_of_the_set_up(setup, white):
    for prepare in (lambda: None, lambda: setup.sent(1, USUAL), lambda: setup.sent(2, USUAL), lambda: setup.sent(1, None)):
        prepare()
        problem = problem_of(white.play(setup.game, "pass", 1), 409, "setup-not-over")
        assert problem["game"]["phase"] == "setup"


def test_layouts_cannot_be_sent_once_play_has_begun(setup, rng):
    setup.begin()
    problem_of(setup.send(1, random_layout(rng)), 409, "setup-over")
    problem_of(setup.send(2, random_layout(rng), 2), 409, "setup-over")


def test_all_mistakes_come_at_once_with_what_was_understood(setup, white):
    problem = problem_of(setup.send(1, "vhzvhzvv/n+vzqhng/vz+zhnh4"), 422, "layout-faulty")
    faults = {(fault["code"], fault["line"], fault["count"], fault["wanted"], fault["piece"]) for fault in problem["faults"]}
    assert faults == {
        ("line-too-long", 1, 8, 7, None), ("outside", 1, 1, None, None), ("unknown-sign", 2, 1, None, None),
        ("line-too-long", 3, 10, 7, None), ("missing", None, 2, 9, "diago"),
        ("surplus", None, 1, 9, "hove"),
    }  # fmt: skip
    assert next(fault["text"] for fault in problem["faults"] if fault["code"] == "unknown-sign") == "q"
    assert all(fault["detail"] for fault in problem["faults"])
    ranks = problem["understood"].split("\n")
    assert any("+V" in rank and "G" in rank for rank in ranks)
    assert setup.seen(white)["seats"][0]["given"] is False


def test_a_mistake_is_told_in_the_callers_language(white, new_player):
    details = set()
    for language in ("en", "es", "fr", "ru", "de"):
        setup = Setup(new_player(language=language), white)
        problem = problem_of(setup.send(1, USUAL.replace("g", "1")), 422, "layout-faulty")
        assert [(fault["code"], fault["piece"]) for fault in problem["faults"]] == [("missing", "giro-chief")]
        details.add((problem["title"], problem["detail"], problem["faults"][0]["detail"]))
    assert len(details) == 5 and len({title for title, _, _ in details}) == 5


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({}, {"round": "missing", "layout": "missing"}),
        ({"round": 1}, {"layout": "missing"}),
        ({"round": 0, "layout": USUAL}, {"round": "too-small"}),
        ({"round": "1", "layout": 7, "more": 1}, {"round": "not-integer", "layout": "not-text", "more": "unknown"}),
        ({"round": 1, "layout": ""}, {"layout": "missing"}),
        ({"round": 1, "layout": "v" * 2001}, {"layout": "too-long"}),
        ({"round": 1, "accept": False}, {"accept": "not-a-choice"}),
        ({"round": 1, "accept": "yes"}, {"accept": "not-boolean"}),
        ({"round": 1, "accept": True, "layout": USUAL}, {"accept": "not-both"}),
    ],
)
def test_bodies_that_do_not_fit_are_refused_field_by_field(setup, white, body, faults):
    problem = problem_of(white.post(setup.path, body), 422, "field-invalid")
    found = {error["field"]: error["problem"] for error in problem["errors"]}
    assert {name: found.get(name) for name in faults} == faults
    assert setup.seen(white)["seats"][0]["given"] is False


# ---- conditions ------------------------------------------------------------------------------
def test_a_condition_holds_for_the_game_and_for_the_set_up_as_its_player_sees_it(setup, white, black):
    for seat, path in ((1, setup.path), (2, f"/v1/games/{setup.game}")):
        client = setup.players[seat - 1]
        etag = client.get(path).headers["ETag"]
        assert setup.send(seat, USUAL, headers={"If-Match": '"old"'}).status_code == 412
        assert setup.send(seat, USUAL, headers={"If-None-Match": etag}).status_code == 412
        assert setup.send(seat, USUAL, headers={"If-Match": etag}).status_code == 201
        assert client.get(path, headers={"If-None-Match": etag}).status_code == 200
    # Another seat's tag of the sealed set-up is not this one's.
    sealed = Setup(white, black)
    etag = black.get(sealed.path).headers["ETag"]
    assert sealed.send(1, USUAL, headers={"If-Match": etag}).status_code == 412


def test_what_was_seen_is_not_sent_again(setup, white, black):
    setup.sent(1, USUAL)
    tags = {client: client.get(setup.path).headers["ETag"] for client in (white, black)}
    assert tags[white] != tags[black]
    for client, etag in tags.items():
        assert client.get(setup.path, headers={"If-None-Match": etag}).status_code == 304
    mine = white.get(setup.path)
    assert mine.headers["Cache-Control"] == "private, no-store" and "Authorization" in mine.headers["Vary"]


# ---- the end of a game in its set-up ----------------------------------------------------------
def test_who_resigns_in_the_set_up_loses_and_nothing_is_opened(setup, white, black, stranger):
    setup.sent(1, USUAL)
    over = black.ask("POST", f"/v1/games/{setup.game}/resign")
    assert (over["phase"], over["winner"], over["reason"], over["awaiting"]) == ("over", 1, "resign", [])
    assert over["board"] == board_of("", "", "s 1 1 0 0 0")
    problem_of(setup.send(2, USUAL), 409, "game-over")
    assert setup.sent(1, USUAL, status=200)["phase"] == "over"
    assert setup.seen(white)["seats"][0]["layout"] == USUAL
    for client in (black, stranger):
        assert seats(setup.seen(client), "layout") == [(None,), (None,)]
    record = stranger.get(f"/v1/games/{setup.game}/record.json").json()
    assert record["header"]["startingPosition"] == board_of("", "", "s 1 1 0 0 0") and record["moves"] == []


# ---- pictures and steps -----------------------------------------------------------------------
def test_pictures_show_a_player_the_own_sealed_layout_and_others_none(setup, white, black, stranger):
    setup.sent(1, USUAL)
    base = f"/v1/games/{setup.game}"
    for form in ("svg", "png", "txt"):
        mine = white.get(f"{base}/board.{form}")
        assert mine.headers["Cache-Control"] == "private, no-store"
        other, none = (client.get(f"{base}/board.{form}?ply=0") for client in (black, stranger))
        assert other.content == none.content != mine.content
        assert len({answer.headers["ETag"] for answer in (mine, other, none)}) == 3
        assert "max-age" not in none.headers["Cache-Control"]
    assert "HoVe chief b2" in white.get(f"{base}/board.txt").text
    assert "chief b2" not in stranger.get(f"{base}/board.txt").text
    setup.sent(2, USUAL)
    opened = stranger.get(f"{base}/board.txt?ply=0")
    assert "chief b2" in opened.text and opened.headers["ETag"] != none.headers["ETag"]


def test_steps_wait_for_play(setup, white):
    setup.sent(1, USUAL)
    steps = white.ask("GET", f"/v1/games/{setup.game}/steps?prefix=a3~")
    assert (steps["phase"], steps["steps"], steps["parts"], steps["may_end"]) == ("setup", [], [], False)


# ---- lists --------------------------------------------------------------------------------------
def test_lists_find_games_in_set_up_and_who_is_awaited_in_them(api, database):
    blue, red = make_player(api, database), make_player(api, database)
    setup = Setup(blue, red)

    def awaited(client):
        games = client.ask("GET", "/v1/games?awaiting=me&phase=setup&rules=xo")["games"]
        return [game["id"] for game in games]

    assert awaited(blue) == awaited(red) == [setup.game]
    setup.sent(2, USUAL)
    assert (awaited(blue), awaited(red)) == ([setup.game], [])
    setup.sent(1, USUAL)
    setup.sent(1, None)
    assert (awaited(blue), awaited(red)) == ([], [setup.game])
    setup.sent(2, None)
    assert awaited(blue) == awaited(red) == []
    assert [game["id"] for game in blue.ask("GET", "/v1/games?awaiting=me")["games"]] == [setup.game]
