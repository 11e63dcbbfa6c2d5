"""/v1/rules: the rules for people, by language."""

import pytest

from harness.problems import problem_of

LANGUAGES = ("en", "es", "fr", "ru", "de")


def test_all_rules_are_listed(api):
    rules = api.get("/v1/rules").json()["rules"]
    assert [one["key"] for one in rules] == ["ordo", "ordox", "xo"]
    for one in rules:
        assert one["summary"] and one["start_board"]
        assert [seat["side"] for seat in one["seats"]] == (["blue", "red"] if one["key"] == "xo" else ["white", "black"])


START = "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w"
XO_START = "xo:7x12:3 zhnh+zzv/gnhnz+vn/vzhvzhv/7/7/7/7/7/7/VHZVHZV/N+VZNHNG/VZ+ZHNHZ b"


@pytest.mark.parametrize(("key", "start"), [("ordo", START), ("ordox", START), ("xo", XO_START)])
def test_rules_have_statements_with_grounds_notation_and_the_start_board(api, key, start):
    rules = api.get(f"/v1/rules/{key}").json()
    assert rules["start_board"] == start
    statements = [one for one in rules["rules"] if one["kind"] == "statement"]
    assert {letter for one in statements for letter in one["ground"]} <= set(rules["grounds"])
    assert any("R" in one["ground"] for one in statements), "rulings are marked as ours"
    assert any("T" in one["ground"] for one in statements)
    assert rules["notation"]


@pytest.mark.parametrize("key", ["ordo", "ordox", "xo"])
def test_rules_speak_every_language(api, key):
    seen = set()
    for language in LANGUAGES:
        response = api.get(f"/v1/rules/{key}", headers={"Accept-Language": language})
        assert response.headers["Content-Language"] == response.json()["language"] == language
        seen.add(response.json()["rules"][1]["text"])
    assert len(seen) == len(LANGUAGES)


def test_xo_says_that_its_board_is_a_reconstruction(api):
    words = {"en": "reconstruction", "es": "reconstrucción", "fr": "reconstitution", "ru": "реконструкция", "de": "Rekonstruktion"}
    for language, word in words.items():
        rules = api.get("/v1/rules/xo", headers={"Accept-Language": language}).json()["rules"]
        assert [one["ground"] for one in rules if word in one["text"]] == [["R"]]


def test_unknown_rules_are_404(api):
    problem_of(api.get("/v1/rules/chess"), 404, "not-found")
