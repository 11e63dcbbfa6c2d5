"""Names of players: one script, unique after NFKC, case folding and look-alikes."""

import pytest

from harness.accounts import new_email, refused, refused_field


def ask(api, name):
    return api.post("/v1/players", {"email": new_email("named"), "name": name, "language": "en"})


@pytest.mark.parametrize(
    "name",
    ["Al", "Jean-Luc", "anna_b", "Anna B", "Müller", "Żółć", "Ольга", "Γιάννης", "李小龍", "김철수", "שרה", "محمد", "हिन्दी", "x1",
     "a" * 30, "ж" * 30, "e\u0301lan"],
)  # fmt: skip
def test_a_name_of_letters_digits_and_separators_in_one_script_is_accepted(api, name):
    assert ask(api, name).status_code == 202


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "too-short"),
        ("A", "too-short"),
        ("a" * 31, "too-long"),
        ("ж" * 31, "too-long"),
        ("anna@example.org", "character-not-allowed"),
        ("O'Neill", "character-not-allowed"),
        ("Anna.B", "character-not-allowed"),
        ("Anna 😀", "character-not-allowed"),
        ("An\u200bna", "character-not-allowed"),
        ("An\u202ena", "character-not-allowed"),
        ("An\u3164na", "character-not-allowed"),
        ("Anna\nB", "control-character"),
        (" Anna", "separator-misplaced"),
        ("Anna ", "separator-misplaced"),
        ("Anna  B", "separator-misplaced"),
        ("Anna--B", "separator-misplaced"),
        ("--", "separator-misplaced"),
        ("42", "no-letter"),
        ("Аnna", "mixed-scripts"),  # a Cyrillic A
        ("Αnna", "mixed-scripts"),  # a Greek one
        ("Anna Анна", "mixed-scripts"),
        ("Ludopost", "reserved"),
        ("ADMIN", "reserved"),
        ("b0ard", "reserved"),
        (7, "not-text"),
        (["Anna"], "not-text"),
    ],
)  # fmt: skip
def test_any_other_name_is_refused_with_its_reason(api, name, fault):
    refused_field(ask(api, name), "name", fault)


@pytest.mark.parametrize(
    ("taken", "wanted"),
    [
        ("Klara", "kLARA"),
        ("Straße", "STRASSE"),
        ("Paul", "PauI"),
        ("Billy", "Bi1ly"),
        ("Otto", "0tto"),
        ("Emma", "Ernrna"),
        ("Paypa", "Раура"),  # all Cyrillic
        ("НОРЕ", "HOPE"),  # all Latin, the first one Cyrillic
        ("Zoë", "Zoe\u0308"),
        ("Full Width", "Ｆｕｌｌ Ｗｉｄｔｈ"),
    ],
)
def test_a_name_that_reads_or_looks_the_same_is_taken(api, taken, wanted):
    api.sign_up(taken)
    refused(ask(api, wanted), 409, "name-taken")


@pytest.mark.parametrize(("one", "other"), [("Kai", "Kal"), ("Marta", "Márta"), ("Ann B", "Ann-B"), ("Иван", "Ivan")])
def test_names_that_can_be_told_apart_live_side_by_side(api, one, other):
    api.sign_up(one)
    assert api.sign_up(other).player["name"] == other


def test_a_name_is_stored_in_nfkc(api):
    assert api.sign_up("Ｗｉｄｅ ﬁsh").player["name"] == "Wide fish"


@pytest.mark.parametrize("language", ["en", "es", "fr", "ru", "de"])
def test_every_reason_is_told_in_every_language(api, language):
    told = set()
    for name in ("A", "a" * 31, "a@b", "Anna  B", "42", "Аnna", "admin"):
        wish = {"email": new_email(), "name": name, "language": "en"}
        response = api.post("/v1/players", wish, headers={"Accept-Language": language})
        assert response.headers["Content-Language"] == language
        told.add(response.json()["errors"][0]["detail"])
    assert len(told) == 7
