"""Whole games of XO through REST: set-up in rounds, turns chosen step by step, and their ends."""

import pytest

from harness.layouts import USUAL, Setup, board_of, random_layout
from harness.problems import problem_of
from harness.server import ludopost

# From the usual layouts to the last piece: confrontations, kills, survivors that rotate, bonus turns.
TURNS = """
    a3*a10 g10-f9 d3xd10,d10~ g11xg3,d11~ d10xe10,d1~,f3-g4 g3xf2,b10-a10 g2xf2 g12xg4,c10~,f9-e9
    e10xf10,f2-g3 b11xb3,b3~,g4-g8 g3xg8,c3-g7 b3xe3,c10~,f12-g12 f10xc10,d2-c3 e3xc3 c10xa10,g8-e10 d11-c10
    d1*d12 pass e10xe9,g7-f6 c3~ a10xc10,c10~,f6-d4 pass e9xe11,a1~ pass e11xc11,c10~,e2-g2 pass
    e1xc3,a2~,g2-f2 pass c11xf11,c10~ pass c10xc12,f2-g2 pass b2xb12,f1-e1 pass f11xa11,g2-d2 pass a11xa12
    pass a12-g6 pass g6xg12,d4-g7 pass g12xe12
""".split()


def steps(client, game, prefix=""):
    return client.ask("GET", f"/v1/games/{game}/steps?prefix={prefix}")


def walk(client, game, turn):
    """Goes through a turn step by step as a client does that knows no rules: each step is offered,
    each offer tells its part, and the turn may end where it ends."""
    prefix, part = "", "main"
    order = ["main", "survivor", "bonus"]
    for step in turn.split(","):
        offered = steps(client, game, prefix)
        assert offered["prefix"] == prefix and offered["may_end"] is (prefix != "")
        assert [one["part"] for one in offered["parts"]] == sorted({one["part"] for one in offered["steps"]}, key=order.index)
        assert all(one["optional"] is offered["may_end"] for one in offered["parts"])
        [chosen] = [one for one in offered["steps"] if one["step"] == step]
        assert chosen["may_end"] is True and order.index(chosen["part"]) >= order.index(part)
        part = chosen["part"]
        prefix = f"{prefix},{step}" if prefix else step
    assert steps(client, game, prefix)["may_end"] is True


def play_all(setup, turns, walked=True):
    """Plays turns in turn; the last answer."""
    answer = None
    for place, turn in enumerate(turns):
        player = setup.players[place % 2]
        if walked:
            walk(player, setup.game, turn)
        response = player.play(setup.game, turn, place + 1)
        assert response.status_code == 201, f"{turn}: {response.text}"
        answer = response.json()
        assert answer["turn"] == turn
    return answer


def test_a_whole_game_from_a_pair_that_is_rejected_to_the_last_piece(white, black, stranger, rng, database):
    setup = Setup(white, black).open(random_layout(rng), random_layout(rng))
    assert setup.sent(1, USUAL)["round"] == 2
    answer = setup.sent(2, USUAL, 2)
    assert (answer["round"], answer["awaiting"]) == (3, [1])
    assert setup.sent(1, None, 3)["phase"] == "play"
    start = white.game(setup.game)["board"]
    assert start == board_of(USUAL, USUAL, "b")
    last = play_all(setup, TURNS)
    assert (last["phase"], last["winner"], last["reason"], last["awaiting"]) == ("over", 1, "annihilated", [])
    game = stranger.game(setup.game)
    lines = ludopost("rules", "play", "xo", start, *TURNS).stdout.splitlines()
    assert (game["board"], lines[-1]) == (lines[-2], "result 1 annihilated")
    record = stranger.get(f"/v1/games/{setup.game}/record.json").json()
    assert record["header"]["startingPosition"] == start
    assert [turn for round_ in record["moves"] for turn in round_ if turn] == TURNS
    told = database.rows("SELECT template, count(*) FROM delivery WHERE game_id = %s GROUP BY 1", (setup.game,))
    assert dict(told) == {"game-started": 2, "setup-round": 3, "your-turn": len(TURNS), "game-over": 2}


def test_steps_tell_which_parts_are_open_and_that_they_are_optional(white, black):
    setup = Setup(white, black)
    setup.begin()

    def parts(prefix):
        found = steps(white, setup.game, prefix)
        kinds = {one["part"]: set(one["kinds"]) for one in found["parts"]}
        told = {}
        for one in found["steps"]:
            told.setdefault(one["part"], set()).add(one["kind"])
        assert kinds == told
        return found["may_end"], kinds

    assert parts("") == (False, {"main": {"rotation", "move", "capture", "confrontation", "pass"}})
    assert parts("a3~") == (True, {"main": {"move", "capture"}})
    assert parts("d3xd10") == (True, {"survivor": {"rotation"}, "bonus": {"rotation", "move"}})
    assert parts("d3xd10,d10~") == (True, {"bonus": {"rotation", "move"}})
    assert parts("d3xd10,d10~,d2~") == (True, {"bonus": {"move"}})
    for ended in ("d3xd10,d10~,d2~,g3-g4", "a3*a10", "a3-a4", "pass"):
        assert parts(ended) == (True, {})


def test_steps_of_games_without_bonus_belong_to_the_main_part(white, black):
    game = white.start_game(black, "ordox")
    half = next(one["step"] for one in steps(white, game)["steps"] if not one["may_end"])
    for prefix in ("", half):
        found = steps(white, game, prefix)
        assert [(one["part"], one["optional"]) for one in found["parts"]] == [("main", False)]
        assert {(one["part"], one["kind"]) for one in found["steps"]} == {("main", kind) for kind in found["parts"][0]["kinds"]}


REFUSED = {
    "a3~,a3-a4": "just-rotated",
    "a3~,b3~": "already-rotated",
    "a3-a4,b3~": "rotation-after-move",
    "a3*a10,b3~": "confrontation-ends-turn",
    "d3xd10,d10-d9": "survivor-may-not-move",
    "d3xd10,d2~,d10~": "survivor-too-late",
    "d3xd10,g3xg10": "bonus-may-not-attack",
    "d3xd10,d2~,c2~": "already-rotated",
    "pass,a3~": "pass-not-alone",
    "g2~": "giro-has-no-axis",
    "b3-b4": "off-axis",
    "a3xa4": "nothing-to-capture",
    "d3*d10": "kill-not-confrontation",
    "d3-d10": "attack-without-sign",
}


@pytest.mark.parametrize("prefix", REFUSED)
def test_steps_say_which_rule_forbids_a_prefix(white, black, prefix):
    setup = Setup(white, black)
    setup.begin()
    problem = problem_of(white.get(f"/v1/games/{setup.game}/steps?prefix={prefix}"), 422, "turn-illegal")
    assert (problem["rule"], problem["step"]) == (REFUSED[prefix], prefix.count(","))
    played = problem_of(white.play(setup.game, prefix, 1), 422, "turn-illegal")
    assert (played["rule"], played["step"]) == (problem["rule"], problem["step"])


def test_four_passes_in_a_row_are_a_draw(white, black):
    setup = Setup(white, black)
    setup.begin()
    last = play_all(setup, ["pass"] * 4)
    assert (last["phase"], last["winner"], last["reason"]) == ("over", 0, "passes")


def test_the_board_after_set_up_counts_as_the_first_time(white, black):
    setup = Setup(white, black)
    setup.begin()
    last = play_all(setup, ["a3~", "a12~"] * 3 + ["a3~"], walked=False)
    assert last["phase"] == "play"
    last = black.play(setup.game, "a12~", 8).json()
    assert (last["phase"], last["winner"], last["reason"]) == ("over", 0, "repetition")


def test_whoever_resigns_after_set_up_loses(white, black):
    setup = Setup(white, black)
    setup.begin()
    play_all(setup, ["a3~"], walked=False)
    over = white.ask("POST", f"/v1/games/{setup.game}/resign")
    assert (over["winner"], over["reason"], over["ply"]) == (2, "resign", 1)
