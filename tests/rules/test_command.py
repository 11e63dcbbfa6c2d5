"""`ludopost rules …`: the referee on the command line."""

import base64
import json
import pathlib
import subprocess

import pytest

from harness.server import BINARY, ludopost

ORACLE = pathlib.Path(__file__).parent / "oracle"
START = "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w"
LONE = "10/10/10/6b3/8w1/10/10/10 w"
XO_KILL = "xo:7x12:3 g+h+z4/7/7/7/3z3/7/7/4Z2/3V3/7/5H1/G+H+Z4 b"
SPLIT_IN_TWO = "10/10/3bbb4/10/10/4w5/10/10 w"


def rows(name):
    return [json.loads(line) for line in (ORACLE / name).read_text().splitlines()]


def lines(*arguments, **keywords):
    return ludopost("rules", *arguments, **keywords).stdout.splitlines()


def refused(*arguments):
    """What `rules …` says on stderr when it refuses; (stdout lines, stderr)."""
    done = ludopost("rules", *arguments, check=False)
    assert done.returncode == 1
    return done.stdout.splitlines(), done.stderr


def test_list_names_every_game():
    assert [line.split("\t") for line in lines("list")] == [["ordo", "Ordo"], ["ordox", "Ordo X"], ["xo", "XO"]]


def test_legal_marks_the_steps_after_which_the_turn_may_end():
    steps = lines("legal", "ordox", "start")
    assert len(steps) == 92
    assert sum(step.endswith(".") for step in steps) == 60
    assert "b3-c3" in steps and "a3-a4." in steps


def test_legal_goes_on_from_a_prefix():
    steps = lines("legal", "ordox", LONE, "i4-h4")
    assert sorted(steps) == ["h4-h5.", "h4-h6.", "h4-h7.", "h4-h8.", "h4-i5.", "h4-j6.", "h4xg5."]
    assert lines("legal", "ordox", LONE, "I4 – H4") == steps
    assert lines("legal", "ordox", LONE, "i4-h4,h4-h5") == []
    assert refused("legal", "ordox", LONE, "i4-i3")[1].startswith("refused: backward i4 i3\n")


def test_turns_are_the_listed_ones():
    for row in rows("ordo_positions.jsonl")[::400] + rows("ordox_positions.jsonl")[:5]:
        assert sorted(lines("turns", row["rules"], row["board"])) == row["turns"]


def test_boards_from_standard_input_are_answered_line_by_line():
    some = rows("ordo_positions.jsonl")[:300]
    answers = lines("turns", "ordo", "-", stdin="".join(row["board"] + "\n" for row in some))
    assert [sorted(answer.split(" ")) if answer else [] for answer in answers] == [row["turns"] for row in some]


def test_steps_and_counts_of_boards_from_standard_input():
    assert lines("perft", "ordo", "-", "1", stdin=f"start\n{LONE}\n") == ["56", "18"]
    assert lines("legal", "ordox", "-", "i4-h4", stdin=LONE)[0].split(" ").count("h4-h5.") == 1


def test_a_line_may_bring_its_own_prefix_or_turns():
    with_prefix = f"{LONE}\ti4-h4\nstart\n{LONE}\ti4-h4\ti4-h4\n"
    done = ludopost("rules", "legal", "ordox", "-", stdin=with_prefix, check=False)
    first, second, third = done.stdout.splitlines()
    assert first.split(" ") == lines("legal", "ordox", LONE, "i4-h4")
    assert second.split(" ") == lines("legal", "ordox", "start")
    assert third == "error: bad-board"
    played = lines("play", "ordo", "-", stdin="start\ta3-a4\ta6-a5\nstart\nstart\ta3-a4\n")
    assert [line.split("\t") for line in played] == [
        lines("play", "ordo", "start", "a3-a4", "a6-a5"),
        ["open 1"],
        lines("play", "ordo", "start", "a3-a4"),
    ]
    given = ludopost("rules", "play", "ordo", "-", "a3-a4", stdin="start\ta3-a4\n", check=False)
    assert given.stdout == "error: bad-board\n"


def test_a_line_that_is_no_board_is_answered_in_its_place():
    done = ludopost("rules", "perft", "ordo", "-", "1", stdin=f"{LONE}\nnonsense\n\nstart\r\nstart\0\n", check=False)
    assert done.stdout.splitlines() == ["18", "error: bad-board", "error: bad-board", "56", "error: bad-board"]
    assert done.stderr.splitlines() == [f"line {number} refused: bad-board" for number in (2, 3, 5)]
    assert done.returncode == 1


def test_play_prints_each_board_and_the_seat_awaited():
    assert lines("play", "ordo", "start", "a3a4", "A6 – A5") == [
        "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/w9/1w2ww2ww/wwwwwwwwww/2ww2ww2 b",
        "2bb2bb2/bbbbbbbbbb/1b2bb2bb/b9/w9/1w2ww2ww/wwwwwwwwww/2ww2ww2 w",
        "open 1",
    ]
    assert lines("play", "ordo", "start") == ["open 1"]


def test_games_are_played_to_their_results():
    for row in rows("ordo_games.jsonl")[::30] + rows("ordox_games.jsonl")[::30]:
        played = lines("play", row["rules"], "start", *row["turns"])
        assert played[-2:] == [row["final"], f"result {row['winner']} {row['reason']}"]


def test_play_counts_repetitions_in_its_own_arguments():
    there = ["c1-b1", "c8-b8", "b1-c1", "b8-c8"]
    assert lines("play", "ordo", "start", *there)[-1] == "open 1"
    assert lines("play", "ordo", "start", *there, *there)[-1] == "result 0 repetition"
    played, reason = refused("play", "ordo", "start", *there, *there, "a3-a4")
    assert len(played) == 8
    assert reason.startswith("refused: game-over")


def test_play_answers_each_board_in_one_line():
    done = ludopost("rules", "play", "ordo", "-", "e3xe6", stdin=f"{SPLIT_IN_TWO}\n{LONE}\n", check=False)
    good, bad = done.stdout.splitlines()
    assert good.split("\t") == ["10/10/3bwb4/10/10/10/10/10 b", "open 2"]
    assert bad == "error: empty-square e3"
    assert done.returncode == 1


def test_a_refusal_names_the_rule_and_the_nearest_turns():
    played, reason = refused("play", "ordo", "start", "a3-a4", "a6xa5")
    assert len(played) == 1
    first, words, near = reason.splitlines()
    assert first == "refused: nothing-to-capture a5"
    assert words.startswith("a6xa5: ")
    assert "a6-a5" in near


def test_a_missing_choice_lists_the_squares():
    assert refused("play", "ordox", SPLIT_IN_TWO, "e3xe6")[1].startswith("refused: group-choice-missing d6 f6\n")


def test_perft_counts_and_divides():
    assert lines("perft", "ordo", "start", "3") == ["190114"]
    assert lines("perft", "ordo", "start", "0") == ["1"]
    divided = dict(line.split(" ") for line in lines("perft", "ordo", "start", "2", "--divide"))
    total = divided.pop("total")
    listed = next(row for row in rows("divide.jsonl") if row["rules"] == "ordo" and row["depth"] == 2)
    assert {turn: int(count) for turn, count in divided.items()} == listed["divide"]
    assert int(total) == listed["total"]


def test_perft_counts_the_steps_of_a_turn():
    assert lines("perft", "ordox", "start", "1", "--steps") == ["92"]
    assert lines("perft", "ordox", "start", "2", "--steps") == [str(2062 - 60)]
    counts = [int(lines("perft", "xo", XO_KILL, str(depth), "--steps")[0]) for depth in range(1, 7)]
    assert sum(counts) == int(lines("perft", "xo", XO_KILL, "1")[0]), "each beginning of a turn of XO is a turn"
    assert counts[5] == 0


def test_a_turn_of_xo_is_led_through_step_by_step():
    row = next(row for row in rows("xo_rulings.jsonl") if row["id"] == "xo-087")
    steps = lines("legal", "xo", row["board"], row["prefix"])
    assert sorted(step.removesuffix(".") for step in steps) == row["steps"]
    assert all(step.endswith(".") for step in steps)
    assert lines("legal", "xo", row["board"], "pass") == []
    assert lines("legal", "xo", "-", row["prefix"], stdin=row["board"] + "\n")[0].split(" ") == steps


def test_turns_of_xo_are_played_as_they_are_typed():
    boards = lines("play", "xo", XO_KILL, "B1~; D4×D8 D8～\nF2~, e5 – f6", "pass", "f2–f3")
    assert boards[0] == "xo:7x12:3 g+h+z4/7/7/7/3H3/7/5Z1/7/7/7/5V1/G+V+Z4 r"
    assert boards[1].endswith(" b 1 1") and boards[2].endswith(" r 2 0")
    assert boards[3] == "open 2"


def test_repetition_in_xo_does_not_look_at_counters():
    there = ["d4-d5", "a12-b11", "d5-d4", "b11-a12"]
    board = "xo:7x12:3 g6/7/7/7/7/7/7/7/3+V3/7/7/G6 b"
    assert lines("play", "xo", board, *there)[-1] == "open 1"
    assert lines("play", "xo", board, *there, *there)[-1] == "result 0 repetition"


def test_a_refused_attack_of_xo_names_the_legal_text():
    first, words, near = refused("play", "xo", XO_KILL, "b1~,d4*d8")[1].splitlines()
    assert first == "refused: kill-not-confrontation d8 b1~,d4xd8"
    assert "b1~,d4xd8" in words and near.endswith("b1~,d4xd8.")


def test_the_wrong_step_of_a_turn_of_xo_is_the_one_that_is_mended():
    near = refused("play", "xo", XO_KILL, "d4xd8,d8~,e5-f7")[1].splitlines()[2]
    assert "d4xd8,d8~,e5-f6" in near


def test_boards_of_xo_are_drawn_with_kind_axis_grade_and_side():
    text = lines("draw", "xo", "start", "--text")
    assert " 3   V  H  Z  V  H  Z  V   3" in text and "11   g  n  h  n  z +v  n  11" in text
    assert len({len(line) for line in text[1:13]}) == 1
    svg = ludopost("rules", "draw", "xo", "start", "--svg").stdout
    assert svg.count('class="piece seat-1"') == svg.count('class="piece seat-2"') == 21


SET_UP = "xo:7x12:3 {}/7/7/7/7/7/7/{} s 1 {} 0 0 0"
BLUE, RED, NOBODY = "VHZVHZV/N+VZNHNG/VZ+ZHNHZ", "zhnh+zzv/gnhnz+vn/vzhvzhv", "7/7/7"


def test_boards_of_a_set_up_await_layouts_not_turns():
    for red, blue, sealed, awaited in ((NOBODY, NOBODY, 1, "1 2"), (NOBODY, BLUE, 1, "2"), (RED, NOBODY, 1, "1"), (RED, BLUE, 0, "1")):
        board = SET_UP.format(red, blue, sealed)
        assert lines("play", "xo", board) == [f"open {awaited}"]
        assert lines("legal", "xo", board) == lines("turns", "xo", board) == []
        assert lines("perft", "xo", board, "1") == ["0"]
        assert refused("play", "xo", board, "pass")[1].startswith("refused: setup-not-over\n")
        assert refused("legal", "xo", board, "a1~")[1].startswith("refused: setup-not-over\n")
        svg = ludopost("rules", "draw", "xo", board, "--svg").stdout
        assert svg.count('class="piece seat-1"') == (21 if blue == BLUE else 0)
        assert svg.count('class="piece seat-2"') == (21 if red == RED else 0)
        assert svg.count('class="territory seat-1"') > 0


def test_draw_makes_text_svg_and_png():
    assert "8  . . x x . . x x . .  8" in lines("draw", "ordo", "start", "--text")
    svg = ludopost("rules", "draw", "ordo", "start", "--svg").stdout
    assert svg.startswith("<svg ") and svg.endswith("</svg>\n")
    png = subprocess.run([BINARY, "rules", "draw", "ordo", "start", "--png"], capture_output=True, check=True).stdout
    assert png.startswith(b"\x89PNG\r\n\x1a\n") and png.endswith(b"IEND\xaeB`\x82")
    one_line = lines("draw", "ordo", "-", "--png", stdin="start\n")
    assert [base64.b64decode(line) for line in one_line] == [png]
    assert len(lines("draw", "ordo", "-", "--svg", stdin="start\nstart\n")) == 2
    assert len(lines("draw", "ordo", "-", "--text", stdin="start\nstart\n")) == 2


def test_a_bad_board_is_refused():
    assert refused("turns", "ordo", START + " ")[1].startswith("refused: bad-board\nThis is not a board.")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["juggle"],
        ["list", "ordo"],
        ["turns"],
        ["turns", "ordo"],
        ["turns", "chess", "start"],
        ["turns", "ordo", "start", "a3-a4"],
        ["turns", "ordo", *START.split(" ")],
        ["legal", "ordo", "start", "a3-a4", "b3-b4"],
        ["perft", "ordo", "start"],
        ["perft", "ordo", "start", "x"],
        ["perft", "ordo", "start", "-1"],
        ["perft", "ordo", "start", "1x"],
        ["perft", "ordo", "start", "1000"],
        ["perft", "ordo", "start", "1", "2"],
        ["perft", "ordo", "start", "1", "--conquer"],
        ["perft", "ordo", "start", "1", "--divide", "--steps"],
        ["draw", "ordo", "start"],
        ["draw", "ordo", "start", "--gif"],
        ["draw", "ordo", "start", "--svg", "--png"],
    ],
)
def test_wrong_usage_is_told_apart_from_refusals(arguments):
    done = ludopost("rules", *arguments, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Usage: ludopost rules" in done.stderr


@pytest.mark.parametrize("arguments", [("turns", "ordox", "start"), ("draw", "ordo", "start", "--png"), ("perft", "ordo", "start", "1")])
def test_output_that_cannot_be_written_is_a_failure(arguments):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([BINARY, "rules", *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1 and b"could not be written" in done.stderr
