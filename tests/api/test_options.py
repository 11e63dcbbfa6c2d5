"""Options of games: what can be chosen about a game before it begins."""

import pytest

from harness.problems import problem_of

USUAL = {"board": "7x12", "territory": 3}


def challenge(client, status=201, **wish):
    response = client.post("/v1/challenges", {"rules": "xo", **wish})
    assert response.status_code == status, response.text
    return response.json()


def refused(client, rules="xo", **wish):
    """What is wrong with the fields, by name."""
    problem = problem_of(client.post("/v1/challenges", {"rules": rules, **wish}), 422, "field-invalid")
    return {one["field"]: one for one in problem["errors"]}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (None, USUAL),
        ({}, USUAL),
        ({"board": "7x12"}, USUAL),
        ({"territory": 3}, USUAL),
        ({"territory": 4}, {"board": "7x12", "territory": 4}),
        ({"board": "9x10"}, {"board": "9x10", "territory": 3}),
        ({"board": "9x10", "territory": 4}, {"board": "9x10", "territory": 4}),
        ({"board": "9X10", "territory": 4.0}, {"board": "9x10", "territory": 4}),
        ({"board": "16x8", "territory": 2}, {"board": "16x8", "territory": 2}),
        ({"board": None, "territory": None}, USUAL),
    ],
)
def test_options_are_shown_complete_in_challenges_games_and_lists(white, black, given, shown):
    made = challenge(white, opponent="Boris", **({} if given is None else {"options": given}))
    assert made["options"] == shown
    assert white.get(f"/v1/challenges/{made['id']}").json()["options"] == shown
    game = black.post(f"/v1/challenges/{made['id']}/accept").json()["game"]
    assert game["options"] == shown
    assert white.game(game["id"])["options"] == shown
    assert game["board"].startswith(f"xo:{shown['board']}:{shown['territory']} ")


def test_rules_show_their_usual_options(api):
    listed = {one["key"]: one["options"] for one in api.get("/v1/rules").json()["rules"]}
    assert listed == {"ordo": {}, "ordox": {}, "xo": USUAL}
    assert api.get("/v1/rules/xo").json()["options"] == USUAL
    assert api.get("/v1/rules/ordo").json()["options"] == {}


@pytest.mark.parametrize(
    "options",
    [
        {"board": "17x7"},
        {"board": "7x17"},
        {"board": "12x11"},
        {"board": "21x5"},
        {"board": "6x16"},
        {"board": "7"},
        {"board": "7x"},
        {"board": "x12"},
        {"board": "07x12"},
        {"board": "7x12x3"},
        {"board": "7x12:4"},
        {"board": "-7x12"},
        {"board": "7x12", "territory": 7},
        {"territory": 0},
        {"territory": 2},
        {"territory": -3},
        {"territory": 10**15},
        {"board": "16x8", "territory": 5},
    ],
)
def test_what_cannot_be_a_board_is_refused_with_what_is_allowed(white, options):
    for language, words in {"en": "at most 16 files", "de": "höchstens 16 Linien", "ru": "не больше 16"}.items():
        response = white.post("/v1/challenges", {"rules": "xo", "options": options}, headers={"Accept-Language": language})
        [fault] = problem_of(response, 422, "field-invalid")["errors"]
        assert (fault["field"], fault["problem"], fault["rules"]) == ("options", "bad-options", "xo")
        if language == "en":
            assert words in fault["detail"] and "7x12" in fault["detail"] and "21" in fault["detail"]


def test_names_and_kinds_of_options_are_checked_each(white):
    faults = refused(white, options={"size": "9x10", "territory": "4", "board": 9}, seat="third")
    assert {name: fault["problem"] for name, fault in faults.items()} == {
        "options.size": "not-a-choice",
        "options.territory": "not-integer",
        "options.board": "not-text",
        "seat": "not-a-choice",
    }
    assert faults["options.size"]["choices"] == "board, territory"
    assert "board, territory" in faults["options.size"]["detail"]
    assert refused(white, options="9x10")["options"]["problem"] == "not-object"
    assert refused(white, options={"board": ""})["options.board"]["problem"] == "missing"
    assert refused(white, options={"board": "7x12" * 9})["options.board"]["problem"] == "too-long"
    assert refused(white, options={"territory": 3.5})["options.territory"]["problem"] == "not-integer"


def test_games_without_options_have_none(white):
    for rules in ("ordo", "ordox"):
        assert challenge(white, rules=rules, options={})["options"] == {}
        for options in ({"board": "7x12"}, {"territory": 3}, {"size": 4}):
            [name] = options
            assert refused(white, rules, options=options)[f"options.{name}"]["problem"] == "unknown"


def test_rules_that_are_none_have_no_options(white):
    assert sorted(refused(white, "chess", options={"board": "7x12"})) == ["options.board", "rules"]
    assert sorted(refused(white, "chess", options=4)) == ["options", "rules"]
