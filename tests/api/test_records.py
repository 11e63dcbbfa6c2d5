"""Whole games over REST against games played by other engines, and their records."""

import json
import pathlib
import re

import jsonschema
import pytest

from harness.people import play_out
from harness.problems import problem_of

ORACLE = pathlib.Path(__file__).resolve().parents[1] / "rules" / "oracle"
SCHEMA = json.loads((pathlib.Path(__file__).parent / "gamerecord-1-0-0.json").read_text())


def oracle_games(rules):
    return [json.loads(line) for line in (ORACLE / f"{rules}_games.jsonl").read_text().splitlines()]


def short_games(rules, count):
    """Some games with each reason that occurs, the shortest first."""
    games = sorted(oracle_games(rules), key=lambda game: len(game["turns"]))
    by_reason = {}
    for game in games:
        by_reason.setdefault((game["winner"], game["reason"]), []).append(game)
    return [game for chosen in by_reason.values() for game in chosen[:count]]


@pytest.mark.parametrize("rules", ["ordo", "ordox"])
def test_whole_games_end_as_other_engines_say(white, black, rules, portion):
    for game in short_games(rules, portion(10)):
        game_id = white.start_game(black, rules=rules)
        answer = play_out(game_id, white, black, game["turns"])
        assert (answer["phase"], answer["winner"], answer["reason"]) == ("over", game["winner"], game["reason"])
        assert answer["board"] == game["final"]
        shown = white.game(game_id)
        assert (shown["phase"], shown["winner"], shown["reason"], shown["board"]) == (
            "over", game["winner"], game["reason"], game["final"])
        turns = white.get(f"/v1/games/{game_id}/turns?limit=500").json()["turns"]
        assert [turn["turn"] for turn in turns] == game["turns"]
        check_record(white, game_id, game)
        check_text(white, game_id, game)


def check_record(client, game_id, game):
    record = client.get(f"/v1/games/{game_id}/record.json").json()
    jsonschema.validate(record, SCHEMA)
    played = [turn for turns in record["moves"] for turn in turns]
    assert played == game["turns"] + [None] * (len(game["turns"]) % 2)
    header = record["header"]
    assert header["game"]["name"] == {"ordo": "Ordo", "ordox": "Ordo X"}[game["rules"]]
    assert [player["name"] for player in header["players"]] == ["Wanda", "Boris"]
    assert [player["result"] for player in header["players"]] == [int(game["winner"] == 1), int(game["winner"] == 2)]
    assert header["site"]["gameid"] == game_id
    assert header["date-start"] <= header["date-end"]


def check_text(client, game_id, game):
    response = client.get(f"/v1/games/{game_id}/record.txt")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', response.text, re.M))
    result = {1: "1-0", 2: "0-1", 0: "1/2-1/2"}[game["winner"]]
    assert (tags["White"], tags["Black"], tags["Result"]) == ("Wanda", "Boris", result)
    assert (tags["Termination"], tags["PlyCount"]) == (game["reason"], str(len(game["turns"])))
    moves = response.text.split("\n\n", 1)[1].split()
    assert moves[-1] == result
    assert [word for word in moves[:-1] if not re.fullmatch(r"\d+\.", word)] == game["turns"]


def test_a_draw_gives_both_players_the_same(white, black, game_id):
    play_out(game_id, white, black, ["h1-i1", "h8-i8", "i1-h1", "i8-h8"] * 2)
    record = white.get(f"/v1/games/{game_id}/record.json").json()
    jsonschema.validate(record, SCHEMA)
    assert [player["result"] for player in record["header"]["players"]] == [0, 0]
    assert white.get(f"/v1/games/{game_id}/record.txt").text.endswith("1/2-1/2\n")


def test_a_resigned_game_has_a_record_with_an_odd_turn(white, black, game_id):
    white.play(game_id, "a3-a4", ply=1)
    black.post(f"/v1/games/{game_id}/resign")
    record = white.get(f"/v1/games/{game_id}/record.json").json()
    jsonschema.validate(record, SCHEMA)
    assert record["moves"] == [["a3-a4", None]]
    assert record["header"]["termination"] == "resign"


def test_a_game_in_progress_has_a_text_but_no_record_yet(white, game_id):
    problem_of(white.get(f"/v1/games/{game_id}/record.json"), 409, "game-not-over")
    text = white.get(f"/v1/games/{game_id}/record.txt").text
    assert '[Result "*"]' in text and text.endswith("\n\n*\n")
