"""Logging in: no passwords, a code by mail, and nobody learns whether an address is known."""

import pytest

from harness.accounts import (
    add_address, alike, at_once, confirm, later, login_code, mail_to, new_email, refused, refused_field,
)  # fmt: skip
from harness.api import Api, code_of


@pytest.fixture(scope="module")
def anna(api):
    return api.sign_up("Anna", language="de")


def test_a_login_by_mail_gives_a_token_that_works(api, anna):
    answer = confirm(api, login_code(api, anna.email)).json()
    assert (answer["did"], answer["player"]["id"]) == ("logged-in", anna.player["id"])
    assert api.with_token(answer["token"]).ask("GET", "/v1/me")["name"] == "Anna"


def test_the_login_token_may_do_everything_for_ninety_days(api, anna, database):
    answer = confirm(api, login_code(api, anna.email)).json()
    assert answer["scopes"] == ["read", "play", "challenge", "chat", "tournament", "webhook"]
    days = database.value(
        "SELECT extract(day FROM expires_at - created_at) FROM token WHERE id = %s", (answer["token_id"],)
    )
    assert days == 90
    client = api.with_token(answer["token"])
    with later(database, "89 days"):
        assert client.get("/v1/me").status_code == 200
    with later(database, "91 days"):
        refused(client.get("/v1/me"), 401, "unauthorized")


def test_a_key_of_a_stranger_mails_once(api, anna, database):
    count = "SELECT count(*) FROM mail_code JOIN address ON address.id = address_id WHERE email = %s"
    email, headers = new_email(), {"Idempotency-Key": "stranger-1"}
    wish = {"email": email, "name": "Stranger One", "language": "en"}
    answers = at_once([lambda: api.post("/v1/players", wish, headers=headers)] * 5)
    assert {answer.status_code for answer in answers} == {202} and len({answer.text for answer in answers}) == 1
    assert database.value(count, (email,)) == 1
    before = database.value(count, (anna.email,))
    for key, more in (("stranger-1", 1), ("stranger-1", 1), ("stranger-2", 2)):
        answer = api.post("/v1/logins", {"email": anna.email}, headers={"Idempotency-Key": key})
        assert answer.status_code == 202 and database.value(count, (anna.email,)) == before + more
    with later(database, "11 minutes"):
        assert api.post("/v1/logins", {"email": anna.email}, headers=headers).status_code == 202
    assert database.value(count, (anna.email,)) == before + 3
    refused(api.post("/v1/logins", {"email": anna.email}, headers={"Idempotency-Key": "a b"}), 400, "idempotency-key-invalid")


def test_the_login_mail_is_in_the_players_language(api, anna):
    with mail_to(api.catcher, anna.email) as mail:
        api.ask("POST", "/v1/logins", {"email": anna.email}, headers={"Accept-Language": "fr"})
        assert mail().text.startswith("Hallo Anna")


def test_an_address_is_known_in_any_case(api, anna):
    with mail_to(api.catcher, anna.email) as mail:
        api.ask("POST", "/v1/logins", {"email": anna.email.upper()})
        assert confirm(api, code_of(mail())).status_code == 200


def test_a_login_request_answers_the_same_for_known_and_unknown_addresses(api, anna):
    known = api.post("/v1/logins", {"email": anna.email})
    unknown = api.post("/v1/logins", {"email": new_email("unknown")})
    assert known.status_code == 202
    alike(known, unknown)


def test_an_unknown_address_gets_no_mail(api, database):
    email = new_email("unknown")
    assert api.post("/v1/logins", {"email": email}).status_code == 202
    assert database.value("SELECT count(*) FROM address WHERE email = %s", (email,)) == 0


def test_what_is_no_address_is_refused(api):
    refused_field(api.post("/v1/logins", {"email": "nobody"}), "email", "not-an-address")
    refused_field(api.post("/v1/logins", {}), "email", "missing")


def test_any_confirmed_address_of_the_player_logs_in(api):
    player = api.sign_up("Two Boxes")
    further = new_email("further")
    add_address(player, further)
    assert confirm(api, login_code(api, further)).json()["player"]["id"] == player.player["id"]


def test_a_login_code_counts_once(api, anna):
    code = login_code(api, anna.email)
    assert confirm(api, code).status_code == 200
    refused(confirm(api, code), 410, "code-used")


def test_of_eight_logins_with_one_code_at_once_one_gets_in(api, anna):
    code = login_code(api, anna.email)
    answers = at_once([lambda: Api(api.url, None).post("/v1/logins/confirm", {"code": code})] * 8)
    assert sorted(answer.status_code for answer in answers) == [200] + [410] * 7


def test_a_login_code_is_good_for_half_an_hour(api, anna, database):
    in_time, too_late = login_code(api, anna.email), login_code(api, anna.email)
    with later(database, "31 minutes"):
        refused(confirm(api, too_late), 410, "code-expired")
    with later(database, "29 minutes"):
        assert confirm(api, in_time).status_code == 200


def test_older_codes_die_when_a_newer_one_is_used(api, anna):
    older, newer = login_code(api, anna.email), login_code(api, anna.email)
    assert confirm(api, newer).status_code == 200
    refused(confirm(api, older), 410, "code-used")


def test_a_code_is_not_in_the_database(api, anna, database):
    code = login_code(api, anna.email)
    rows = database.rows("SELECT mail_code::text FROM mail_code")
    assert rows and not any(code in row[0] for row in rows)
    events = database.rows("SELECT event::text FROM event UNION ALL SELECT delivery::text FROM delivery")
    assert not any(code in row[0] for row in events)


def test_codes_and_addresses_are_not_in_the_log(server, api, anna):
    code = login_code(api, anna.email)
    token = confirm(api, code).json()["token"]
    api.with_token(token).ask("GET", "/v1/me")
    for secret in (code, token, token[3:], anna.email):
        assert secret not in server.log


def test_a_login_brings_a_dead_address_back_to_life(api, database):
    player = api.sign_up("Back Again")
    database.rows("UPDATE address SET state = 'dead', dead_at = clock_now() WHERE email = %s", (player.email,))
    assert confirm(api, login_code(api, player.email)).status_code == 200
    assert database.value("SELECT state FROM address WHERE email = %s", (player.email,)) == "confirmed"


def test_a_player_who_stopped_mails_about_games_still_gets_codes(api):
    player = api.sign_up("Quiet One")
    player.ask("PATCH", "/v1/me", {"mail": False})
    assert confirm(api, login_code(api, player.email)).status_code == 200
