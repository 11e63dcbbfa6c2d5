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
    assert [line.split("\t") for line in lines("list")] == [["ordo", "Ordo"], ["ordox", "Ordo X"]]


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
