"""Addresses of a player: several, one of them primary; a change is told to both and can be undone."""

import itertools

import pytest

from harness.accounts import (
    add_address, address_code, addresses_of, alike, at_once, confirm, later, login_code, mail_to, new_email, refused, refused_field,
)  # fmt: skip
from harness.api import code_of

_numbers = itertools.count(1)
SESSIONS = "SELECT count(*) FROM session WHERE player_id = %s"


@pytest.fixture
def mover(api):
    """A player of the test's own, about to move."""
    return api.sign_up(f"Mover {next(_numbers)}")


def make_primary(player, email):
    """Makes an address the primary one; the code mailed to the one before."""
    old = player.ask("GET", "/v1/me")["email"]
    with mail_to(player.catcher, old) as to_old, mail_to(player.catcher, email) as to_new:
        path = f"/v1/me/addresses/{addresses_of(player)[email]['id']}/primary"
        player.ask("POST", path)
        to_new()
        return code_of(to_old())


def move(player, email):
    """Adds an address and makes it the primary one; the code that undoes it."""
    add_address(player, email)
    return make_primary(player, email)


# ---- several addresses ----


def test_a_further_address_counts_once_it_is_confirmed(mover):
    further = new_email("further")
    code = address_code(mover, further)
    assert set(addresses_of(mover)) == {mover.email}
    answer = confirm(mover, code).json()
    assert answer["did"] == "address-added" and "token" not in answer
    rows = addresses_of(mover)
    assert (rows[further]["state"], rows[further]["primary"]) == ("confirmed", False)
    assert (rows[mover.email]["primary"], mover.ask("GET", "/v1/me")["email"]) == (True, mover.email)


def test_the_mail_to_a_further_address_is_in_the_players_language(mover):
    mover.ask("PATCH", "/v1/me", {"language": "es"})
    further = new_email("further")
    address_code(mover, further)
    mail = mover.catcher.to(further)[-1]
    assert mail.text.startswith(f"Hola, {mover.player['name']}:")


def test_an_address_code_is_good_for_three_days(mover, database):
    code = address_code(mover, new_email("late"))
    with later(database, "3 days 1 minute"):
        refused(confirm(mover, code), 410, "code-expired")
    assert set(addresses_of(mover)) == {mover.email}


def test_the_same_request_with_an_idempotency_key_sends_one_mail(mover, database):
    further = new_email("once")
    for _ in range(2):
        mover.ask("POST", "/v1/me/addresses", {"email": further}, headers={"Idempotency-Key": "add-1"})
    sent = "SELECT count(*) FROM delivery JOIN address ON address.id = address_id WHERE email = %s"
    assert database.value(sent, (further,)) == 1


def test_an_address_is_removed_and_no_longer_logs_in(mover, api, database):
    further = new_email("further")
    add_address(mover, further)
    code = login_code(api, further)
    assert mover.delete(f"/v1/me/addresses/{addresses_of(mover)[further]['id']}").status_code == 204
    assert set(addresses_of(mover)) == {mover.email}
    refused(confirm(api, code), 410, "code-used")
    before = database.value("SELECT count(*) FROM delivery")
    assert api.post("/v1/logins", {"email": further}).status_code == 202
    assert database.value("SELECT count(*) FROM delivery") == before


def test_the_primary_address_cannot_be_removed(mover):
    address_id = addresses_of(mover)[mover.email]["id"]
    refused(mover.delete(f"/v1/me/addresses/{address_id}"), 409, "address-primary")


def test_nobody_touches_anothers_addresses(mover, api):
    other = api.sign_up(f"Other {next(_numbers)}")
    address_id = addresses_of(mover)[mover.email]["id"]
    refused(other.delete(f"/v1/me/addresses/{address_id}"), 404, "not-found")
    refused(other.post(f"/v1/me/addresses/{address_id}/primary"), 404, "not-found")
    refused(other.post("/v1/me/addresses/999999/primary"), 404, "not-found")


def test_what_is_no_address_is_refused(mover):
    refused_field(mover.post("/v1/me/addresses", {"email": "nobody"}), "email", "not-an-address")
    refused_field(mover.post("/v1/me/addresses", {}), "email", "missing")
    refused_field(mover.post("/v1/me/addresses", {"email": new_email(), "primary": 1}), "primary", "not-boolean")


# ---- addresses of others ----


def test_adding_answers_the_same_for_anothers_address_and_a_new_one(mover, api):
    other = api.sign_up(f"Owner {next(_numbers)}")
    known = mover.post("/v1/me/addresses", {"email": other.email})
    unknown = mover.post("/v1/me/addresses", {"email": new_email()})
    assert known.status_code == 202
    alike(known, unknown)


def test_anothers_address_stays_his_and_he_can_log_in_with_the_code(mover, api):
    other = api.sign_up(f"Owner {next(_numbers)}")
    code = address_code(mover, other.email)
    assert confirm(api, code).json()["player"]["id"] == other.player["id"]
    assert set(addresses_of(mover)) == {mover.email}
    assert set(addresses_of(other)) == {other.email}


def test_of_two_players_who_confirm_one_address_one_gets_it(mover, api):
    other = api.sign_up(f"Rival {next(_numbers)}")
    wanted = new_email("wanted")
    codes = [address_code(mover, wanted), address_code(other, wanted)]
    answers = at_once([lambda code=code: confirm(api.with_token(None), code) for code in codes])
    assert sorted(answer.status_code for answer in answers) in ([200, 409], [200, 410])
    owners = [player for player in (mover, other) if wanted in addresses_of(player)]
    assert len(owners) == 1


# ---- changing the primary one ----


def test_a_change_is_told_to_both_addresses(mover, catcher):
    fresh = new_email("fresh")
    add_address(mover, fresh)
    with mail_to(catcher, fresh) as to_new, mail_to(catcher, mover.email) as to_old:
        rows = mover.ask("POST", f"/v1/me/addresses/{addresses_of(mover)[fresh]['id']}/primary")["addresses"]
        assert fresh in to_old().text
        assert to_new().subject == "[Ludopost] Mails now come to this address"
    assert [(row["email"], row["primary"]) for row in rows] == [(fresh, True), (mover.email, False)]
    assert mover.ask("GET", "/v1/me")["email"] == fresh


def test_an_address_may_be_added_as_the_primary_one_at_once(mover, catcher):
    fresh = new_email("fresh")
    with mail_to(catcher, mover.email) as to_old:
        add_address(mover, fresh, primary=True)
        assert fresh in to_old().text
    assert mover.ask("GET", "/v1/me")["email"] == fresh


def test_making_the_primary_address_primary_changes_nothing(mover, database):
    before = database.value("SELECT count(*) FROM delivery")
    mover.ask("POST", f"/v1/me/addresses/{addresses_of(mover)[mover.email]['id']}/primary")
    assert database.value("SELECT count(*) FROM delivery") == before


def test_the_old_address_can_undo_the_change(mover, api):
    fresh = new_email("thief")
    undo = move(mover, fresh)
    answer = confirm(api, undo).json()
    assert (answer["did"], answer["player"]["id"]) == ("address-reverted", mover.player["id"])
    owner = api.with_token(answer["token"])
    assert set(addresses_of(owner)) == {mover.email}
    assert owner.ask("GET", "/v1/me")["email"] == mover.email
    refused(confirm(api, undo), 410, "code-used")


def test_an_undone_change_ends_sessions_and_the_tokens_made_since(mover, api, database):
    before = mover.ask("POST", "/v1/tokens", {"name": "old", "scopes": ["read"]})["token"]
    fresh = new_email("thief")
    undo = move(mover, fresh)
    since = mover.ask("POST", "/v1/tokens", {"name": "thief", "scopes": ["read"]})["token"]
    database.rows(
        "INSERT INTO session (player_id, hash, expires_at) VALUES (%s, %s, clock_now() + interval '1 day')",
        (mover.player["id"], bytes(next(_numbers) for _ in range(32))),
    )
    assert confirm(api, undo).status_code == 200
    refused(api.with_token(since).get("/v1/me"), 401, "unauthorized")
    assert api.with_token(before).get("/v1/me").status_code == 200
    assert database.value(SESSIONS, (mover.player["id"],)) == 0


def test_the_address_changed_to_no_longer_logs_in_after_the_undoing(mover, api, database):
    fresh = new_email("thief")
    undo = move(mover, fresh)
    code = login_code(api, fresh)
    pending = address_code(mover, new_email("thief"))
    assert confirm(api, undo).status_code == 200
    refused(confirm(api, code), 410, "code-used")
    refused(confirm(api, pending), 410, "code-used")


def test_the_old_address_can_undo_the_change_even_when_it_was_removed(mover, api):
    undo = move(mover, new_email("thief"))
    assert mover.delete(f"/v1/me/addresses/{addresses_of(mover)[mover.email]['id']}").status_code == 204
    owner = api.with_token(confirm(api, undo).json()["token"])
    assert set(addresses_of(owner)) == {mover.email}


def test_undoing_the_first_of_two_changes_undoes_both(mover, api):
    second, third = new_email("thief"), new_email("thief")
    undo_first = move(mover, second)
    undo_second = move(mover, third)
    owner = api.with_token(confirm(api, undo_first).json()["token"])
    assert set(addresses_of(owner)) == {mover.email}
    refused(confirm(api, undo_second), 410, "code-used")


def test_a_change_can_be_undone_for_seven_days(mover, api, database):
    undo = move(mover, new_email("fresh"))
    with later(database, "7 days 1 minute"):
        refused(confirm(api, undo), 410, "code-expired")
    with later(database, "6 days 23 hours"):
        assert confirm(api, undo).status_code == 200
