"""POST /v1/mail: mails that came in, brought by a provider of mail."""

import pytest

from harness.accounts import refused
from harness.inbound import DOMAIN, letter, move_address
from harness.people import make_player, make_token
from harness.server import ludopost

HEADERS = {"Content-Type": "message/rfc822"}


@pytest.fixture(scope="module")
def provider(api, database, server):
    """A client with the token that the admin command makes."""
    make_player(api, database, "Postbote")
    token = ludopost("admin", "mail-token", "postbote", env=server.env).stdout.strip()
    return api.with_token(token)


@pytest.fixture
def match(api, database):
    """A game in which the first player is awaited; its number, and both players."""
    first, second = make_player(api, database), make_player(api, database)
    challenge = first.ask("POST", "/v1/challenges", {"opponent": second.player["id"], "rules": "ordo", "seat": "first"})
    return second.ask("POST", f"/v1/challenges/{challenge['id']}/accept")["game"]["id"], first, second


def bring(provider, raw, recipient=None, **more):
    query = "" if recipient is None else "?recipient=" + recipient.replace("+", "%2B")
    return provider.call("POST", "/v1/mail" + query, data=raw, headers=HEADERS, **more)


def test_a_mail_that_is_brought_is_a_move(provider, match):
    game, first, _ = match
    to = move_address(game, 1, 1)
    answer = bring(provider, letter("a3-a4", first.email, to), to)
    assert answer.status_code == 200
    assert {name: answer.json()[name] for name in ("state", "disposition", "command", "problem")} == {
        "state": "done", "disposition": "accept", "command": "move", "problem": None
    }
    assert first.ask("GET", f"/v1/games/{game}")["ply"] == 1


def test_bringing_it_again_does_nothing(provider, match):
    game, first, _ = match
    to = move_address(game, 1, 1)
    raw = letter("a3-a4", first.email, to)
    bring(provider, raw, to)
    assert bring(provider, raw, to).json()["reason"] == "duplicate"
    assert first.ask("GET", f"/v1/games/{game}")["ply"] == 1


def test_brackets_around_a_recipient_are_no_part_of_it(provider, match):
    game, first, _ = match
    to = move_address(game, 1, 1)
    assert bring(provider, letter("a3-a4", first.email, to), f"<{to}>").json()["command"] == "move"
    refused(bring(provider, b"x", "<somebody@example.org>"), 400, "query-invalid")


def test_without_a_recipient_the_header_tells(provider, match):
    game, first, _ = match
    assert bring(provider, letter("a3-a9", first.email, move_address(game, 1, 1))).json()["problem"] == "turn-unreadable"


def test_players_cannot_bring_mails_nor_make_tokens_that_can(api, database, provider, match):
    game, first, _ = match
    to = move_address(game, 1, 1)
    refused(bring(first, letter("a3-a4", first.email, to), to), 403, "scope-missing")
    refused(bring(api, b"x"), 401, "unauthorized")
    refused(first.post("/v1/tokens", {"name": "x", "scopes": ["mail"]}), 403, "scope-missing")
    refused(provider.get("/v1/me"), 403, "scope-missing")
    assert bring(first.with_token(make_token(database, first.player["id"], ["mail"])), letter("?", "a@b.example", to), to)


def test_what_is_no_mail_for_us_is_refused(provider):
    raw = letter("help", "a@example.org", f"play@{DOMAIN}")
    refused(bring(provider, raw, "somebody@example.org"), 400, "query-invalid")
    refused(bring(provider, raw, f"nobody@{DOMAIN}"), 400, "query-invalid")
    refused(bring(provider, b""), 422, "field-invalid")
    refused(provider.post("/v1/mail", {"a": 1}), 415, "unsupported-media-type")


def test_a_mail_may_be_as_large_as_mails_may_be(provider, match):
    game, first, _ = match
    to = move_address(game, 1, 1)
    raw = letter("a3-a4\n", first.email, to)
    assert bring(provider, raw + b"\r\n" * 400000, to).json()["disposition"] == "accept"
    refused(bring(provider, raw + b"x" * (1 << 20), to), 413, "body-too-large")
