"""Tokens: made, listed and revoked by their owner; scopes, expiry, shown once, stored hashed."""

import hashlib

import pytest

from harness.accounts import at_once, later, new_email, refused, refused_field
from harness.api import Api
from harness.people import make_token

ALL = ["read", "play", "challenge", "chat", "tournament", "webhook"]


@pytest.fixture(scope="module")
def anna(api):
    return api.sign_up("Anna")


@pytest.fixture(scope="module")
def bert(api):
    return api.sign_up("Bert")


def make(player, *scopes, name="bot", **wishes):
    return player.ask("POST", "/v1/tokens", {"name": name, "scopes": list(scopes), **wishes}, status=(201,))


def row_of(player, token_id):
    return [row for row in player.ask("GET", "/v1/tokens")["tokens"] if row["id"] == token_id]


def test_a_token_is_shown_once_and_listed_by_its_beginning(anna):
    token = make(anna, "read", "play", name="My Bot")
    assert token["token"].startswith("lp_") and len(token["token"]) == 43
    assert token["prefix"] == token["token"][:7]
    (listed,) = row_of(anna, token["id"])
    assert listed == {name: value for name, value in token.items() if name != "token"}
    assert (listed["name"], listed["scopes"], listed["expires_at"]) == ("My Bot", ["read", "play"], None)


def test_only_the_hash_of_a_token_is_stored(anna, database):
    token = make(anna, "read")["token"]
    row = database.value("SELECT token::text FROM token WHERE hash = %s", (hashlib.sha256(token.encode()).digest(),))
    assert token not in row and token[7:] not in row


def test_a_request_for_a_token_sent_twice_makes_one_and_keeps_no_secret(anna, database):
    wish, key = {"name": "kept", "scopes": ["read"]}, {"Idempotency-Key": "token-1"}
    first = anna.ask("POST", "/v1/tokens", wish, headers=key)
    again = anna.ask("POST", "/v1/tokens", wish, headers=key)
    assert again == {name: value for name, value in first.items() if name != "token"}
    assert [row["id"] for row in anna.ask("GET", "/v1/tokens")["tokens"] if row["name"] == "kept"] == [first["id"]]
    kept = database.rows("SELECT idempotency::text FROM idempotency")
    assert kept and not any(first["token"] in text for (text,) in kept)
    refused(anna.post("/v1/tokens", {**wish, "name": "other"}, headers=key), 422, "idempotency-mismatch")


@pytest.mark.parametrize(
    ("scopes", "method", "path", "missing"),
    [
        (["play"], "GET", "/v1/me", "read"),
        (["play"], "GET", "/v1/tokens", "read"),
        (["read"], "PATCH", "/v1/me", "play"),
        (["read", "play"], "POST", "/v1/challenges", "challenge"),
        (["read"], "POST", "/v1/me/addresses", "play"),
        (["read", "challenge"], "POST", "/v1/games/1/resign", "play"),
    ],
)
def test_a_token_does_only_what_its_scopes_say(anna, scopes, method, path, missing):
    client = anna.with_token(make(anna, *scopes)["token"])
    problem = refused(client.call(method, path, json={}), 403, "scope-missing")
    assert problem["scope"] == missing


def test_a_token_with_its_scope_gets_in(anna):
    assert anna.with_token(make(anna, "read")["token"]).ask("GET", "/v1/me")["name"] == "Anna"


def test_a_token_cannot_make_one_with_more_scopes(anna):
    client = anna.with_token(make(anna, "read", "play")["token"])
    response = client.post("/v1/tokens", {"name": "greedy", "scopes": ["read", "challenge"]})
    assert refused(response, 403, "scope-missing")["scope"] == "challenge"
    assert make(client, "read")["scopes"] == ["read"]


def test_a_token_ends_when_it_expires(anna, database):
    expires_at = database.value("SELECT rfc3339(clock_now() + interval '1 day')")
    token = make(anna, "read", expires_at=expires_at)
    assert token["expires_at"] == expires_at
    client = anna.with_token(token["token"])
    with later(database, "23 hours"):
        assert client.get("/v1/me").status_code == 200
    with later(database, "25 hours"):
        refused(client.get("/v1/me"), 401, "unauthorized")
        assert row_of(anna, token["id"]) == []


def test_an_offset_in_the_expiry_is_understood(anna):
    assert make(anna, "read", expires_at="2099-01-01T02:00:00+02:00")["expires_at"] == "2099-01-01T00:00:00Z"


@pytest.mark.parametrize("text", ["tomorrow", "2099-01-01", "2099-13-01T00:00:00Z", "2099-01-01T00:00:00", "infinity", "4102444800", ""])
def test_an_expiry_that_is_no_instant_is_refused(anna, text):
    response = anna.post("/v1/tokens", {"name": "bot", "scopes": ["read"], "expires_at": text})
    refused_field(response, "expires_at", "not-a-time")


def test_an_expiry_in_the_past_is_refused(anna):
    response = anna.post("/v1/tokens", {"name": "bot", "scopes": ["read"], "expires_at": "2020-01-01T00:00:00Z"})
    refused_field(response, "expires_at", "in-the-past")


@pytest.mark.parametrize(
    ("wish", "field", "fault"),
    [
        ({"scopes": ["read"]}, "name", "missing"),
        ({"name": "", "scopes": ["read"]}, "name", "missing"),
        ({"name": "n" * 61, "scopes": ["read"]}, "name", "too-long"),
        ({"name": "bot"}, "scopes", "missing"),
        ({"name": "bot", "scopes": []}, "scopes", "missing"),
        ({"name": "bot", "scopes": "read"}, "scopes", "not-list"),
        ({"name": "bot", "scopes": ["admin"]}, "scopes", "not-a-choice"),
        ({"name": "bot", "scopes": [7]}, "scopes", "not-a-choice"),
        ({"name": "bot", "scopes": ["read"], "player": 1}, "player", "unknown"),
    ],
)
def test_a_token_that_does_not_fit_is_refused_by_field(anna, wish, field, fault):
    refused_field(anna.post("/v1/tokens", wish), field, fault)


def test_a_revoked_token_is_worth_nothing(anna):
    token = make(anna, *ALL)
    assert anna.delete(f"/v1/tokens/{token['id']}").status_code == 204
    refused(anna.with_token(token["token"]).get("/v1/me"), 401, "unauthorized")
    assert row_of(anna, token["id"]) == []
    refused(anna.delete(f"/v1/tokens/{token['id']}"), 404, "not-found")


def test_a_token_may_revoke_itself_whatever_its_scopes(anna):
    token = make(anna, "play")
    client = anna.with_token(token["token"])
    assert client.delete(f"/v1/tokens/{token['id']}").status_code == 204
    refused(client.delete(f"/v1/tokens/{token['id']}"), 401, "unauthorized")


def test_a_token_with_few_scopes_revokes_no_other(anna):
    client = anna.with_token(make(anna, "read")["token"])
    other = make(anna, "read")
    refused(client.delete(f"/v1/tokens/{other['id']}"), 403, "scope-missing")
    assert row_of(anna, other["id"])


def test_nobody_sees_or_revokes_anothers_tokens(anna, bert):
    token = make(anna, "read")
    assert row_of(bert, token["id"]) == []
    refused(bert.delete(f"/v1/tokens/{token['id']}"), 404, "not-found")
    assert row_of(anna, token["id"])


def test_the_list_says_which_token_asks(anna):
    token = make(anna, *ALL)
    rows = anna.with_token(token["token"]).ask("GET", "/v1/tokens")["tokens"]
    assert [row["id"] for row in rows if row["current"]] == [token["id"]]


def test_the_last_day_of_use_is_visible(anna, database):
    token = make(anna, "read")
    assert row_of(anna, token["id"])[0]["last_used_on"] is None
    client = anna.with_token(token["token"])
    client.ask("GET", "/v1/me")
    today = database.value("SELECT to_char(clock_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')")
    assert row_of(anna, token["id"])[0]["last_used_on"] == today
    with later(database, "3 days"):
        client.ask("GET", "/v1/me")
    third = database.value("SELECT to_char((clock_now() + interval '3 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD')")
    assert row_of(anna, token["id"])[0]["last_used_on"] == third


def test_the_last_use_is_written_at_most_once_an_hour(anna, database):
    token = make(anna, "read")
    client = anna.with_token(token["token"])
    written = lambda: database.value("SELECT last_used_at FROM token WHERE id = %s", (token["id"],))  # noqa: E731
    client.ask("GET", "/v1/me")
    first = written()
    with later(database, "59 minutes"):
        client.ask("GET", "/v1/me")
    assert written() == first
    with later(database, "61 minutes"):
        client.ask("GET", "/v1/me")
    assert written() > first


@pytest.mark.parametrize("token", ["lp_", "lp_" + "a" * 40, "nonsense", "lp_" + "ä" * 5])
def test_a_token_that_was_never_made_is_refused(api, token):
    response = api.get("/v1/me", headers={"Authorization": f"Bearer {token}".encode()})
    refused(response, 401, "unauthorized")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_limited_token_cannot_make_one_that_outlives_it(white, database):
    limited = white.ask("POST", "/v1/tokens", {"name": "bot", "scopes": ["play"], "expires_at": "2099-01-01T00:00:00Z"})
    bot = white.with_token(limited["token"])
    for wish in ({}, {"expires_at": "2100-01-01T00:00:00Z"}):
        child = bot.ask("POST", "/v1/tokens", {"name": "child", "scopes": ["play"], **wish})
        assert child["expires_at"] == "2099-01-01T00:00:00Z"
    sooner = bot.ask("POST", "/v1/tokens", {"name": "child", "scopes": ["play"], "expires_at": "2098-01-01T00:00:00Z"})
    assert sooner["expires_at"] == "2098-01-01T00:00:00Z"


def test_the_challenge_says_what_is_wrong_with_a_token(white, database):
    nobody = white.with_token(None).get("/v1/me")
    wrong = white.with_token("lp_wrong").get("/v1/me")
    limited = white.with_token(make_token(database, white.player["id"], ["chat"])).get("/v1/me")
    assert nobody.headers["WWW-Authenticate"] == 'Bearer realm="ludopost"'
    assert 'error="invalid_token"' in wrong.headers["WWW-Authenticate"]
    assert limited.status_code == 403 and 'error="insufficient_scope"' in limited.headers["WWW-Authenticate"]


def test_a_player_has_only_so_many_tokens_and_addresses(start_process, database, catcher, api):
    few = start_process("serve", database, catcher, run_workers="no", tokens_per_player=3, addresses_per_player=1)
    carla = api.sign_up("Carla")
    client = Api(few.url, catcher, carla.token)
    made = at_once([lambda: client.post("/v1/tokens", {"name": "bot", "scopes": ["read"]})] * 6)
    assert sorted(answer.status_code for answer in made) == [201, 201, 409, 409, 409, 409]
    assert len(client.ask("GET", "/v1/tokens")["tokens"]) == 3
    one_more = client.post("/v1/tokens", {"name": "bot", "scopes": ["read"]})
    assert refused(one_more, 409, "limit-reached")["limit"] == 3
    assert refused(client.post("/v1/me/addresses", {"email": new_email()}), 409, "limit-reached")["limit"] == 1
