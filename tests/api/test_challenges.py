"""Challenges: to a player, to an address, open to all; answered once, whoever races."""

import pytest

from harness.problems import problem_of
from harness.server import ludopost


def make(client, status=201, **wish):
    response = client.post("/v1/challenges", {"rules": "ordo", **wish})
    assert response.status_code == status, response.text
    return response.json()


def answer(client, challenge, word, **options):
    return client.post(f"/v1/challenges/{challenge['id']}/{word}", **options)


def templates_of(database, challenge):
    return database.rows(
        "SELECT delivery.template, address.email FROM delivery JOIN event ON event.id = event_id"
        " JOIN address ON address.id = delivery.address_id"
        " WHERE event.challenge_id = %s ORDER BY delivery.id", (challenge["id"],))


def ids_of(client, query):
    return [one["id"] for one in client.get(f"/v1/challenges?{query}").json()["challenges"]]


@pytest.mark.parametrize("by", ["name", "id"])
def test_a_challenge_to_a_player_is_told_and_accepted(white, black, database, by):
    challenge = make(white, opponent=black.player[by], message="Fancy a game?\nSlowly.", seat="second")
    assert challenge["kind"] == "player"
    assert challenge["opponent"] == {"id": black.player["id"], "name": "Boris"}
    assert (challenge["state"], challenge["game_id"], challenge["seat"]) == ("open", None, "second")
    assert challenge["message"] == "Fancy a game?\nSlowly."
    assert challenge["clock"] == {"kind": "none"}
    assert templates_of(database, challenge) == [("challenge", black.email)]
    response = answer(black, challenge, "accept")
    assert response.status_code == 201
    game = response.json()["game"]
    assert response.headers["Location"] == f"/v1/games/{game['id']}"
    assert response.json()["challenge"]["state"] == "accepted"
    assert [seat["player"]["name"] for seat in game["seats"]] == ["Boris", "Wanda"]
    assert sorted(templates_of(database, challenge)[1:]) == sorted(
        [("game-started", white.email), ("game-started", black.email)])


def test_accepting_twice_is_200_with_the_same_game(white, black, database):
    challenge = make(white, opponent="Boris")
    first, again = answer(black, challenge, "accept"), answer(black, challenge, "accept")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert database.value("SELECT count(*) FROM event WHERE challenge_id = %s AND kind = 'game.started'",
                          (challenge["id"],)) == 1


def test_a_key_makes_one_challenge(white, black):
    headers = {"Idempotency-Key": "challenge-1"}
    first = white.post("/v1/challenges", {"rules": "ordo", "opponent": "Boris"}, headers=headers)
    again = white.post("/v1/challenges", {"rules": "ordo", "opponent": "Boris"}, headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Idempotent-Replayed"] == "true"
    problem_of(white.post("/v1/challenges", {"rules": "ordox", "opponent": "Boris"}, headers=headers), 422,
               "idempotency-mismatch")
    problem_of(answer(white, first.json(), "cancel", headers=headers), 422, "idempotency-mismatch")


def test_only_the_one_challenged_may_answer(white, black, stranger, api):
    challenge = make(white, opponent="Boris")
    for word in ("accept", "decline", "cancel"):
        problem_of(answer(stranger, challenge, word), 404, "not-found")
        problem_of(answer(api, challenge, word), 401, "unauthorized")
    problem_of(stranger.get(f"/v1/challenges/{challenge['id']}"), 404, "not-found")
    problem_of(answer(white, challenge, "accept"), 409, "own-challenge")
    problem_of(answer(white, challenge, "decline"), 409, "own-challenge")
    problem_of(answer(black, challenge, "cancel"), 403, "not-allowed")
    assert black.get(f"/v1/challenges/{challenge['id']}").json()["state"] == "open"


def test_declining_tells_the_challenger_once(white, black, database):
    challenge = make(white, opponent="Boris")
    for _ in range(2):
        response = answer(black, challenge, "decline")
        assert (response.status_code, response.json()["state"]) == (200, "declined")
    assert templates_of(database, challenge)[1:] == [("challenge-declined", white.email)]
    problem = problem_of(answer(black, challenge, "accept"), 409, "challenge-closed")
    assert problem["challenge"]["state"] == "declined"
    problem_of(answer(white, challenge, "cancel"), 409, "challenge-closed")


def test_cancelling_tells_nobody(white, black, database):
    challenge = make(white, opponent="Boris")
    for _ in range(2):
        response = answer(white, challenge, "cancel")
        assert (response.status_code, response.json()["state"]) == (200, "cancelled")
    assert len(templates_of(database, challenge)) == 1
    problem_of(answer(black, challenge, "accept"), 409, "challenge-closed")


def test_an_open_challenge_is_anybodys(white, black, stranger, database):
    challenge = make(white, visibility="private", seat="first")
    assert (challenge["kind"], challenge["opponent"]) == ("open", None)
    assert templates_of(database, challenge) == []
    assert challenge["id"] in ids_of(stranger, "list=open")
    problem_of(answer(white, challenge, "accept"), 409, "own-challenge")
    problem_of(answer(stranger, challenge, "decline"), 403, "not-allowed")
    game = answer(stranger, challenge, "accept").json()["game"]
    assert game["visibility"] == "private"
    assert challenge["id"] not in ids_of(stranger, "list=open")
    problem = problem_of(answer(black, challenge, "accept"), 409, "challenge-closed")
    assert problem["challenge"]["game_id"] is None
    assert problem["challenge"]["opponent"] is None


def test_random_seats_are_both_drawn(white, black):
    drawn = set()
    for _ in range(40):
        game = answer(black, make(white, opponent="Boris", seat="random"), "accept").json()["game"]
        drawn.add(game["seats"][0]["player"]["name"])
        if len(drawn) == 2:
            break
    assert drawn == {"Wanda", "Boris"}


def test_challenges_are_listed(new_player):
    anna, bert = new_player(), new_player()
    first = make(anna, opponent=bert.player["id"])
    second = make(bert, opponent=anna.player["id"])
    assert ids_of(anna, "") == [second["id"], first["id"]]
    assert ids_of(anna, "list=incoming") == [second["id"]]
    assert ids_of(anna, "list=outgoing") == [first["id"]]
    answer(anna, second, "decline")
    assert ids_of(anna, "list=incoming") == []
    assert ids_of(anna, "list=incoming&state=declined") == [second["id"]]
    assert ids_of(anna, "state=any") == [second["id"], first["id"]]
    problem_of(anna.get("/v1/challenges?list=all"), 400, "query-invalid")
    problem_of(anna.get("/v1/challenges?state=lost"), 400, "query-invalid")
    for _ in range(4):
        make(anna, opponent=bert.player["id"])
    page = anna.get("/v1/challenges?list=outgoing&limit=2")
    seen = [one["id"] for one in page.json()["challenges"]]
    while "next" in page.links:
        make(anna, opponent=bert.player["id"])
        page = anna.get(page.links["next"]["url"])
        seen += [one["id"] for one in page.json()["challenges"]]
    assert len(seen) == len(set(seen)) == 5 and seen[-1] == first["id"]


@pytest.mark.parametrize("wish, field", [
    ({"rules": "chess"}, "rules"),
    ({"rules": None}, "rules"),
    ({"options": "7x7"}, "options"),
    ({"seat": "third"}, "seat"),
    ({"visibility": "secret"}, "visibility"),
    ({"message": "x" * 501}, "message"),
    ({"message": "bell\u0007"}, "message"),
    ({"email": "nobody"}, "email"),
    ({"email": "a@example.org", "opponent": "Boris"}, "email"),
    ({"email": "a@example.org", "language": "it"}, "language"),
    ({"kind": "open", "opponent": "Boris"}, "kind"),
    ({"opponent": None}, "opponent"),
    ({"email": None}, "email"),
    ({"clock": {"kind": "none", "x": 1}}, "clock.x"),
    ({"kind": "player"}, "opponent"),
    ({"clock": "none"}, "clock"),
    ({"clock": {}}, "clock.kind"),
    ({"clock": {"kind": "hourglass"}}, "clock.kind"),
    ({"clock": {"kind": "none", "initial_s": 5}}, "clock.initial_s"),
    ({"clock": {"kind": "per_move"}}, "clock.initial_s"),
    ({"clock": {"kind": "bank", "initial_s": 5, "increment_s": -1, "cap_s": 9}}, "clock.increment_s"),
    ({"clock": {"kind": "total", "initial_s": 1.5}}, "clock.initial_s"),
    ({"opponents": "Boris"}, "opponents"),
    ({"options": ""}, "options"),
    ({"options": {"size": 7}}, "options.size"),
    ({"clock": {"kind": "none", "options": {"grace": 1}}}, "clock.options.grace"),
])
def test_wishes_that_do_not_fit_name_the_field(white, wish, field):
    problem = problem_of(white.post("/v1/challenges", {"rules": "ordo", **wish}), 422, "field-invalid")
    assert [error["field"] for error in problem["errors"]] == [field]


@pytest.mark.parametrize("clock", [
    {"kind": "per_move", "initial_s": 259200},
    {"kind": "bank", "initial_s": 1814400, "increment_s": 172800, "cap_s": 2592000, "options": {}},
    {"kind": "total", "initial_s": 864000},
])
def test_clocks_that_run_cannot_be_chosen_yet(white, clock):
    problem_of(white.post("/v1/challenges", {"rules": "ordo", "clock": clock}), 422, "clock-not-yet")


def test_a_game_with_a_set_up_begins_with_it(white, black):
    game = white.get(f"/v1/games/{white.start_game(black, 'xo')}").json()
    assert (game["phase"], game["ply"], game["next_ply"], game["awaiting"]) == ("setup", 0, 1, [1, 2])


def test_no_clock_may_be_said_in_full(white):
    clock = {"kind": "none", "initial_s": 0, "increment_s": 0, "cap_s": None, "options": {}}
    assert make(white, clock=clock)["clock"] == {"kind": "none"}


def test_all_fields_that_do_not_fit_are_named_at_once(white):
    wish = {
        "rules": "chess", "seat": "third", "visibility": 1, "message": "x" * 501, "opponents": "Boris", "email": "nobody",
        "options": {"size": 7}, "clock": {"kind": "bank", "initial_s": 0, "increment_s": "x"},
    }  # fmt: skip
    problem = problem_of(white.post("/v1/challenges", wish), 422, "field-invalid")
    faults = {error["field"]: error["problem"] for error in problem["errors"]}
    assert faults == {
        "rules": "not-a-choice", "seat": "not-a-choice", "visibility": "not-a-choice", "message": "too-long",
        "opponents": "unknown", "email": "not-an-address", "options.size": "unknown", "clock.initial_s": "too-small",
        "clock.increment_s": "not-integer", "clock.cap_s": "missing",
    }  # fmt: skip
    pointers = {error["field"]: error["pointer"] for error in problem["errors"]}
    assert pointers["clock.cap_s"] == "#/clock/cap_s" and pointers["rules"] == "#/rules"
    assert all(error["detail"] in problem["detail"] for error in problem["errors"])


def test_an_opponent_of_null_is_everybody_only_if_that_is_said(white):
    wish = {"kind": "open", "opponent": None, "email": None, "message": None, "clock": None}
    assert make(white, **wish)["kind"] == "open"


def test_a_pointer_is_escaped(white):
    problem = problem_of(white.post("/v1/challenges", {"rules": "ordo", "clock": {"kind": "none", "~/": 1}}), 422, "field-invalid")
    assert problem["errors"][0]["pointer"] == "#/clock/~0~1"


@pytest.mark.parametrize("options", [None, {}])
def test_no_options_are_an_empty_object(white, black, options):
    challenge = make(white, opponent="Boris", options=options, clock={"kind": "none", "options": {}})
    assert challenge["options"] == {}
    assert answer(black, challenge, "accept").json()["game"]["options"] == {}


def test_a_clock_is_written_without_blanks(white, black):
    made = white.post("/v1/challenges", {"rules": "ordo", "opponent": "Boris"})
    accepted = answer(black, made.json(), "accept")
    listed = white.get("/v1/games?mine=true")
    for response in (made, accepted, listed):
        assert '"clock":{"kind":"none"}' in response.text and '{"kind": ' not in response.text


def test_an_address_as_opponent_is_sent_to_the_field_for_addresses(white):
    problem = problem_of(white.post("/v1/challenges", {"rules": "ordo", "opponent": "dora@example.org"}), 422, "field-invalid")
    assert [(error["field"], error["problem"]) for error in problem["errors"]] == [("opponent", "address-not-name")]
    assert "email" in problem["errors"][0]["detail"]


def test_unknown_players_and_oneself_cannot_be_challenged(white):
    problem_of(white.post("/v1/challenges", {"rules": "ordo", "opponent": "Nobody"}), 422, "player-unknown")
    problem_of(white.post("/v1/challenges", {"rules": "ordo", "opponent": 999999999}), 422, "player-unknown")
    problem_of(white.post("/v1/challenges", {"rules": "ordo", "opponent": "Wanda"}), 409, "own-challenge")
    problem_of(white.post("/v1/challenges", {"rules": "ordo", "email": white.email}), 409, "own-challenge")


# ---- to an address ---------------------------------------------------------------------------
def test_an_address_without_an_account_gets_an_invitation_in_the_language_wished(new_player, database, catcher):
    inviter = new_player("Inés", language="es")
    first = make(inviter, email="first.guest@example.net")
    second = make(inviter, email="second.guest@example.net", language="ru")
    assert (first["kind"], first["email"], first["language"]) == ("address", "first.guest@example.net", "es")
    assert (second["language"], second["opponent"]) == ("ru", None)
    assert templates_of(database, first) == [("invitation", "first.guest@example.net")]
    assert "Inés" in catcher.wait_for("first.guest@example.net").text
    assert "приглашает" in catcher.wait_for("second.guest@example.net").subject.lower()


def test_an_address_of_a_player_makes_an_ordinary_challenge_and_tells_nothing(white, new_player, database):
    carla = new_player("Carla")
    known = make(white, email=carla.email.upper())
    unknown = make(white, email="unknown.guest@example.net")
    assert templates_of(database, known) == [("challenge", carla.email)]
    for one in (known, unknown):
        for name in ("id", "created_at", "links", "email"):
            one.pop(name)
    assert known == unknown
    incoming = carla.get("/v1/challenges?list=incoming").json()["challenges"]
    assert [one["challenger"]["name"] for one in incoming] == ["Wanda"]
    assert incoming[0]["email"] is None
    assert answer(carla, incoming[0], "accept").status_code == 201


def test_an_address_that_wants_no_mail_gets_none_and_the_challenger_cannot_tell(white, database):
    shunned = "never.again@example.net"
    make(white, email=shunned)
    database.rows("UPDATE address SET state = 'never' WHERE email = %s", (shunned,))
    challenge = make(white, email=shunned)
    assert challenge["state"] == "open"
    assert templates_of(database, challenge) == []


def test_who_signs_up_with_the_invited_address_finds_the_challenge(white, api, catcher):
    challenge = make(white, email="newcomer@example.net")
    catcher.wait_for("newcomer@example.net")
    newcomer = api.sign_up("Newcomer", "newcomer@example.net")
    assert [one["id"] for one in newcomer.get("/v1/challenges?list=incoming").json()["challenges"]] == [challenge["id"]]
    game = answer(newcomer, challenge, "accept").json()["game"]
    assert {seat["player"]["name"] for seat in game["seats"]} == {"Wanda", "Newcomer"}


def test_mails_that_challenges_cause_are_limited(start_process, database, catcher, white, black):
    strict = start_process("serve", database, catcher, rate_mail_client="3/1h", rate_mail_address="2/1h")
    sender = type(white)(strict.url, catcher, white.token, white.email, white.player)
    database.rows("DELETE FROM mail_rate")
    for expected in (201, 201, 429):
        response = sender.post("/v1/challenges", {"rules": "ordo", "email": "flooded@example.net"})
        assert response.status_code == expected, response.text
    assert int(response.headers["Retry-After"]) > 0
    assert sender.post("/v1/challenges", {"rules": "ordo", "opponent": "Boris"}).status_code == 201
    problem_of(sender.post("/v1/challenges", {"rules": "ordo", "opponent": "Boris"}), 429, "rate-limited")
    assert sender.post("/v1/challenges", {"rules": "ordo"}).status_code == 201


def test_every_game_of_the_referee_can_be_challenged_to(white, black):
    for line in ludopost("rules", "list").stdout.splitlines():
        key = line.split()[0]
        if key == "xo":
            continue  # see test_a_game_with_a_set_up_cannot_be_agreed_yet
        game = white.game(white.start_game(black, rules=key))
        assert game["rules"] == key
