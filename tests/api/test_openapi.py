"""openapi.json: valid, equal to the table of routes, and true of every operation's answers."""

import json
import pathlib
import re

import jsonschema
import pytest

from harness.contract import DOCUMENT, Contract, contract
from harness.people import make_token
from harness.server import ludopost

META = json.loads((pathlib.Path(__file__).parent / "openapi-3.1.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def rows():
    """The rows of routes[] that are no pages: operation → (method, path, access, scopes, query, takes_body)."""
    table = [line.split("\t") for line in ludopost("routes").stdout.splitlines()]
    return {row[2]: (row[0].lower(), row[1], row[3], row[4].split(), row[5].split(), row[6] == "body") for row in table if row[2]}


def references(thing):
    if isinstance(thing, dict):
        if "$ref" in thing:
            yield thing["$ref"]
        for value in thing.values():
            yield from references(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from references(value)


def test_the_document_is_openapi_3_1():
    jsonschema.Draft202012Validator(META).validate(contract.document)
    for name, schema in contract.document["components"]["schemas"].items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema.get("description") or schema["type"] == "object", name


def test_every_reference_leads_somewhere_and_every_part_is_used():
    used = set(references(contract.document))
    for reference in used:
        assert contract.resolve({"$ref": reference})
    for kind in ("schemas", "parameters", "headers", "responses"):
        for name in contract.document["components"][kind]:
            assert f"#/components/{kind}/{name}" in used, f"{kind} {name} is used nowhere"


def test_the_document_has_the_routes_and_nothing_else(rows):
    described = {
        operation["operationId"]: (method, path)
        for path, methods in contract.document["paths"].items()
        for method, operation in methods.items()
    }
    assert described == {name: row[:2] for name, row in rows.items()}


def test_the_document_says_what_a_token_needs(rows):
    for name, operation in contract.operations().items():
        _, _, access, scopes, _, _ = rows[name]
        wanted = {"nobody": [], "anyone": [{}, {"token": scopes}], "token": [{"token": scopes}]}[access]
        assert operation["security"] == wanted, name


def query_of(operation):
    return [one for one in map(contract.resolve, operation.get("parameters", [])) if one["in"] == "query"]


def test_the_document_knows_the_parameters_and_bodies_of_the_routes(rows):
    for name, operation in contract.operations().items():
        *_, query, takes_body = rows[name]
        assert [one["name"] for one in query_of(operation)] == query, name
        assert ("requestBody" in operation) == takes_body, name


def test_what_a_route_does_not_know_is_refused(api, rows):
    player = api.sign_up("Quentin Query")
    for name, (method, path, access, _, _, takes_body) in rows.items():
        if not path.startswith("/v1/"):
            assert player.call(method.upper(), re.sub(r"{\w+}", "internal", path) + "?utm_source=x").status_code == 200
            continue
        target = re.sub(r"{\w+}", "1", path)
        refused = player.call(method.upper(), target + "?utm_source=x")
        assert refused.status_code == 400 and refused.json()["parameter"] == "utm_source", name
        if method in ("get", "delete") or takes_body:
            continue
        for body, status in (({"seat": "first"}, 422), ([1], 400)):
            assert player.call(method.upper(), target, body).status_code == status, (name, access)
        text = player.call(method.upper(), target, data="no thanks", headers={"Content-Type": "text/plain"})
        assert text.status_code == 415, name
        assert player.call(method.upper(), target, {}).status_code not in (400, 415, 422), name


def test_pages_are_as_long_as_the_document_says(api, rows):
    player, other = api.sign_up("Lea Limit"), api.sign_up("Leo Limit")
    game = player.start_game(other)
    for name, operation in contract.operations().items():
        limit = [one for one in query_of(operation) if one["name"] == "limit"]
        target = rows[name][1].replace("{id}", str(game))
        for one in limit:
            most = one["schema"]["maximum"]
            assert player.get(f"{target}?limit={most}").status_code == 200, name
            assert player.get(f"{target}?limit={most + 1}").status_code == 400, name


def test_every_part_of_a_path_is_a_parameter():
    for path, methods in contract.document["paths"].items():
        for operation in methods.values():
            parameters = [contract.resolve(one) for one in operation.get("parameters", [])]
            found = {one["name"] for one in parameters if one["in"] == "path"}
            assert found == set(re.findall(r"{(\w+)}", path)), path


def test_the_service_gives_the_document_away(api):
    response = api.get("/openapi.json")
    assert response.content == DOCUMENT.read_bytes()


def test_every_problem_type_leads_to_its_description(api):
    problems = api.ask("GET", "/problems")["problems"]
    assert len(problems) > 40
    for problem in problems:
        assert api.ask("GET", problem["type"]) == problem


@pytest.mark.parametrize(
    "broken",
    [
        {"status": "ok"},
        {"status": "ok", "version": 1},
        {"status": "good", "version": "1"},
        {"status": "ok", "version": "1", "secret": 1},
    ],
)
def test_the_check_of_answers_notices(broken):
    with pytest.raises(AssertionError):
        Contract().validate(broken, {"$ref": "#/components/schemas/Health"}, "getHealth")


def account(api, catcher):
    """Every door of accounts, by one player; who then has a token."""
    anna = api.sign_up("Anna")
    me = anna.ask("GET", "/v1/me")
    anna.ask("PATCH", "/v1/me", {"language": "de", "mail": True})
    anna.ask("GET", f"/v1/players/{me['id']}")
    anna.ask("GET", "/v1/players?name=anna")
    assert api.post("/v1/logins", {"email": "nobody@example.org"}).status_code == 202
    anna.log_in()
    anna.ask("POST", "/v1/me/addresses", {"email": "anna.two@example.org"})
    from harness.api import code_of

    code = code_of(catcher.wait_for("anna.two@example.org", 1))
    api.ask("POST", "/v1/logins/confirm", {"code": code})
    first, second = anna.ask("GET", "/v1/me/addresses")["addresses"]
    anna.ask("POST", f"/v1/me/addresses/{second['id']}/primary")
    anna.ask("DELETE", f"/v1/me/addresses/{first['id']}")
    token = anna.ask("POST", "/v1/tokens", {"name": "bot", "scopes": ["read"]})
    anna.ask("GET", "/v1/tokens")
    anna.ask("DELETE", f"/v1/tokens/{token['id']}")
    return anna


def challenges(anna, bert):
    """Every door of challenges; the number of a game that began."""
    first = anna.ask("POST", "/v1/challenges", {"opponent": bert.player["id"], "rules": "ordo", "seat": "first"})
    second = anna.ask("POST", "/v1/challenges", {"opponent": "Bert", "rules": "ordox", "message": "Again?"})
    third = anna.ask("POST", "/v1/challenges", {"rules": "ordo", "visibility": "private"})
    anna.ask("POST", "/v1/challenges", {"email": "carl@example.org", "rules": "ordo", "language": "fr"})
    bert.ask("GET", "/v1/challenges?list=incoming&limit=1")
    bert.ask("GET", f"/v1/challenges/{first['id']}")
    game = bert.ask("POST", f"/v1/challenges/{first['id']}/accept")["game"]["id"]
    bert.ask("POST", f"/v1/challenges/{first['id']}/accept")
    bert.ask("POST", f"/v1/challenges/{second['id']}/decline")
    anna.ask("POST", f"/v1/challenges/{third['id']}/cancel")
    return game


def games(anna, bert, game):
    """Every door of a game, to its end."""
    base = f"/v1/games/{game}"
    assert anna.play(game, "a3-a4", 1).status_code == 201
    assert anna.play(game, "a3-a4", 1).status_code == 200
    assert anna.play(game, "a3-a4", 2).status_code == 409
    assert bert.play(game, "a8-a1", 2).status_code == 422
    assert bert.play(game, "a turn", 2).status_code == 400
    for path in ("", "/turns", "/turns/1", "/steps?prefix=", "/board.svg", "/board.png?ply=0", "/board.txt", "/record.txt"):
        anna.ask("GET", base + path) if "board" not in path and "txt" not in path else anna.get(base + path)
    etag = anna.get(base).headers["ETag"]
    assert anna.get(base, headers={"If-None-Match": etag}).status_code == 304
    assert anna.post(f"{base}/resign", headers={"If-Match": '"old"'}).status_code == 412
    anna.ask("POST", f"{base}/resign")
    anna.ask("GET", f"{base}/record.json")
    anna.ask("GET", "/v1/games?mine=true&limit=1")
    anna.get(f"{base}/deliveries")


def setups(anna, bert):
    """Every door of a set-up: sealed, open, refused and over."""
    challenge = anna.ask("POST", "/v1/challenges", {"opponent": "Bert", "rules": "xo", "seat": "first"})["id"]
    path = f"/v1/games/{bert.ask('POST', f'/v1/challenges/{challenge}/accept')['game']['id']}/setup"
    for player in (anna, bert):
        player.ask("POST", path, {"round": 1, "layout": "random"})
        player.ask("GET", path)
    assert anna.post(path, {"round": 1, "layout": "vhz"}).status_code == 422
    for player in (anna, bert):
        player.ask("POST", path, {"round": 1, "accept": True})


def test_every_operation_answers_as_the_document_says(api, catcher, database):
    bert = api.sign_up("Bert")
    anna = account(api, catcher)
    provider = anna.with_token(make_token(database, anna.ask("GET", "/v1/me")["id"], ["mail"]))
    provider.call("POST", "/v1/mail", data=b"From: a@example.org\r\n\r\nhelp", headers={"Content-Type": "message/rfc822"})
    games(anna, bert, challenges(anna, bert))
    setups(anna, bert)
    for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/problems", "/problems/internal", "/v1/rules", "/v1/rules/ordo"):
        api.get(path)
    succeeded = {operation for operation, status in contract.seen if status < 400}
    assert set(contract.operations()) - succeeded == set()
