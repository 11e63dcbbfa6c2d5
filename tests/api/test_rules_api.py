"""/v1/rules: the rules for people, by language."""

import pytest

from harness.problems import problem_of

LANGUAGES = ("en", "es", "fr", "ru", "de")


def test_all_rules_are_listed(api):
    rules = api.get("/v1/rules").json()["rules"]
    assert [one["key"] for one in rules] == ["ordo", "ordox"]
    for one in rules:
        assert one["summary"] and one["start_board"]
        assert [seat["side"] for seat in one["seats"]] == ["white", "black"]


@pytest.mark.parametrize("key", ["ordo", "ordox"])
def test_rules_have_statements_with_grounds_notation_and_the_start_board(api, key):
    rules = api.get(f"/v1/rules/{key}").json()
    assert rules["start_board"] == "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w"
    statements = [one for one in rules["rules"] if one["kind"] == "statement"]
    assert {letter for one in statements for letter in one["ground"]} <= set(rules["grounds"])
    assert any("R" in one["ground"] for one in statements), "rulings are marked as ours"
    assert any("T" in one["ground"] for one in statements)
    assert rules["notation"]


@pytest.mark.parametrize("key", ["ordo", "ordox"])
def test_rules_speak_every_language(api, key):
    seen = set()
    for language in LANGUAGES:
        response = api.get(f"/v1/rules/{key}", headers={"Accept-Language": language})
        assert response.headers["Content-Language"] == response.json()["language"] == language
        seen.add(response.json()["rules"][1]["text"])
    assert len(seen) == len(LANGUAGES)


def test_unknown_rules_are_404(api):
    problem_of(api.get("/v1/rules/chess"), 404, "not-found")
