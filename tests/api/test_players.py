"""Sign-up and the player: what is promised of names, addresses, codes and what others see."""

import pytest
import requests

from harness.accounts import (
    alike, at_once, confirm, later, new_email, refused, refused_field, sign_up_code, sign_up_mail,
)  # fmt: skip
from harness.api import Api, code_of

LANGUAGES = ("en", "es", "fr", "ru", "de")


@pytest.fixture(scope="module")
def anna(api):
    return api.sign_up("Anna", language="en", time_zone="Europe/Berlin")


def players_of(database, email):
    return database.value(
        "SELECT count(*) FROM player JOIN address ON address.player_id = player.id WHERE email = %s", (email,)
    )


def test_there_is_no_player_before_the_address_is_confirmed(api, database):
    email = new_email()
    code = sign_up_code(api, "Early Bird", email)
    assert api.get("/v1/players?name=Early Bird").json() == {"players": []}
    assert confirm(api, code).json()["did"] == "signed-up"
    assert players_of(database, email) == 1


def test_a_new_player_gets_a_token_and_sees_what_was_wished_for(api):
    email = new_email()
    answer = confirm(api, sign_up_code(api, "Wished For", email, language="fr", time_zone="Pacific/Chatham")).json()
    assert answer["token"].startswith("lp_")
    assert answer["player"]["name"] == "Wished For"
    me = api.with_token(answer["token"]).ask("GET", "/v1/me")
    assert (me["id"], me["name"], me["language"], me["time_zone"]) == (answer["player"]["id"], "Wished For", "fr", "Pacific/Chatham")
    assert (me["email"], me["mail"]) == (email, True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_mail_with_the_code_is_in_the_language_that_was_chosen(api, language):
    greeting = {"en": "Hello", "es": "Hola", "fr": "Bonjour", "ru": "Здравствуйте", "de": "Hallo"}[language]
    mail = sign_up_mail(api, f"Speaks {language}", new_email(), language=language)
    assert f"{greeting}" in mail.text and f"Speaks {language}" in mail.text
    code = code_of(mail)
    assert f"/confirm/{code}" in mail.text
    grouped = "-".join(code[place:place + 4] for place in range(0, 16, 4))
    assert grouped in mail.text


def test_without_a_language_accept_language_decides(api):
    email = new_email()
    api.ask("POST", "/v1/players", {"email": email, "name": "Heinz"}, headers={"Accept-Language": "de-AT, en;q=0.5"})
    mail = api.catcher.wait_for(email)
    assert mail.text.startswith("Hallo Heinz")
    me = api.confirm(code_of(mail), email).player
    assert (me["language"], me["time_zone"]) == ("de", "UTC")


def test_a_code_is_read_as_people_type_it(api):
    code = sign_up_code(api, "Loud Typist", new_email())
    typed = f"  {code[:4].upper()}-{code[4:8]} {code[8:12].upper()}-{code[12:]} "
    assert confirm(api, typed).status_code == 200


def test_a_scanner_that_opens_the_link_uses_nothing_up(api):
    mail = sign_up_mail(api, "Scanned", new_email())
    link = [link for link in mail.links() if "/confirm/" in link][0]
    for method in ("GET", "HEAD", "GET"):
        api.http.request(method, link, timeout=30)
    assert confirm(api, code_of(mail)).status_code == 200


def test_a_code_counts_once(api, database):
    email = new_email()
    code = sign_up_code(api, "Only Once", email)
    assert confirm(api, code).status_code == 200
    refused(confirm(api, code), 410, "code-used")
    assert players_of(database, email) == 1


def test_a_sign_up_code_is_good_for_three_days(api, database):
    in_time = sign_up_code(api, "In Time", new_email())
    too_late = sign_up_code(api, "Too Late", new_email())
    with later(database, "2 days 23 hours 59 minutes"):
        assert confirm(api, in_time).status_code == 200
    with later(database, "3 days 1 minute"):
        refused(confirm(api, too_late), 410, "code-expired")
    assert api.get("/v1/players?name=Too Late").json() == {"players": []}


@pytest.mark.parametrize("code", ["abcd-efgh-jkmn-pqrs", "abcd", "x" * 200, "<script>", "абвг-abcd-efgh-jkmn"])
def test_a_code_that_was_never_mailed_is_unknown(api, code):
    refused(confirm(api, code), 422, "code-unknown")


def test_of_eight_confirmations_at_once_one_makes_the_player(api, database):
    email = new_email()
    code = sign_up_code(api, "Doubled Click", email)
    answers = at_once([lambda: Api(api.url, None).post("/v1/logins/confirm", {"code": code})] * 8)
    assert sorted(answer.status_code for answer in answers) == [200] + [410] * 7
    assert players_of(database, email) == 1
    assert database.value(
        "SELECT count(*) FROM token JOIN address ON address.player_id = token.player_id WHERE email = %s", (email,)
    ) == 1


def test_two_codes_of_one_address_make_one_player(api, database):
    email = new_email()
    first = sign_up_code(api, "First Thought", email)
    second = sign_up_code(api, "Second Thought", email)
    answers = at_once([
        lambda: Api(api.url, None).post("/v1/logins/confirm", {"code": first}),
        lambda: Api(api.url, None).post("/v1/logins/confirm", {"code": second}),
    ])
    assert sorted(answer.status_code for answer in answers) == [200, 410]
    assert players_of(database, email) == 1


def test_of_twenty_sign_ups_with_one_name_one_gets_it_and_the_others_choose_again(api, database):
    codes = [sign_up_code(api, "Desired", new_email("rival")) for _ in range(20)]
    answers = at_once([lambda code=code: Api(api.url, None).post("/v1/logins/confirm", {"code": code}) for code in codes])
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert database.value("SELECT count(*) FROM player WHERE name = 'Desired'") == 1
    losers = [code for code, answer in zip(codes, answers) if answer.status_code == 409]
    refused(confirm(api, losers[0]), 409, "name-taken")
    again = confirm(api, losers[0], name="Second Choice")
    assert again.json()["player"]["name"] == "Second Choice"


# ---- nobody learns whether an address is known ----


def test_sign_up_answers_the_same_for_known_and_unknown_addresses(api, anna):
    known = api.post("/v1/players", {"email": anna.email, "name": "Nosy A", "language": "en"})
    unknown = api.post("/v1/players", {"email": new_email(), "name": "Nosy B", "language": "en"})
    assert known.status_code == 202
    alike(known, unknown)


def test_the_owner_of_a_known_address_is_told_and_can_log_in(api, database):
    greta = api.sign_up("Greta", language="de")
    before = len(api.catcher.to(greta.email))
    api.ask("POST", "/v1/players", {"email": greta.email.upper(), "name": "Greta Two", "language": "en"})
    mail = api.catcher.wait_for(greta.email, before + 1)
    assert mail.subject == "[Ludopost] Du hast schon ein Konto"
    answer = confirm(api, code_of(mail)).json()
    assert (answer["did"], answer["player"]["id"]) == ("logged-in", greta.player["id"])
    assert players_of(database, greta.email) == 1


def test_an_address_that_is_never_to_be_written_to_gets_no_mail_and_the_same_answer(api, database):
    email = new_email("never")
    database.rows(
        "INSERT INTO address (email, email_key, state, language) VALUES (%s, %s, 'never', 'en')", (email, email)
    )
    never = api.post("/v1/players", {"email": email, "name": "Left Alone", "language": "en"})
    other = api.post("/v1/players", {"email": new_email(), "name": "Not Alone", "language": "en"})
    alike(never, other)
    state = "SELECT delivery.state FROM delivery JOIN address ON address.id = address_id WHERE email = %s"
    assert database.rows(state, (email,)) == [("dropped",)]
    assert api.catcher.to(email) == []


# ---- what is refused ----


@pytest.mark.parametrize(
    ("change", "field", "fault"),
    [
        ({"email": None}, "email", "missing"),
        ({"email": ""}, "email", "not-an-address"),
        ({"email": "anna"}, "email", "not-an-address"),
        ({"email": "anna@"}, "email", "not-an-address"),
        ({"email": "Anna <anna@example.org>"}, "email", "not-an-address"),
        ({"email": "a@example.org, b@example.org"}, "email", "not-an-address"),
        ({"email": "anna@example.org\r\nBcc: all@example.org"}, "email", "control-character"),
        ({"email": 7}, "email", "not-text"),
        ({"email": "a" * 250 + "@example.org"}, "email", "too-long"),
        ({"name": None}, "name", "missing"),
        ({"language": "it"}, "language", "not-a-choice"),
        ({"language": "EN"}, "language", "not-a-choice"),
        ({"time_zone": "ABC3"}, "time_zone", "not-a-time-zone"),
        ({"time_zone": "Europe/Atlantis"}, "time_zone", "not-a-time-zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone", "not-a-time-zone"),
        ({"password": "secret"}, "password", "unknown"),
    ],
)  # fmt: skip
def test_a_sign_up_that_does_not_fit_is_refused_by_field(api, change, field, fault):
    wish = {"email": new_email(), "name": "Fits Well", "language": "en", "time_zone": "Europe/Berlin", **change}
    refused_field(api.post("/v1/players", {name: value for name, value in wish.items() if value is not None}), field, fault)


def test_all_fields_of_a_sign_up_that_do_not_fit_are_named_at_once(api):
    wish = {"email": "nobody", "name": "x", "language": 7, "time_zone": "Mars/Base", "age": 44}
    problem = refused(api.post("/v1/players", wish), 422, "field-invalid")
    assert {error["field"]: error["problem"] for error in problem["errors"]} == {
        "email": "not-an-address", "name": "too-short", "language": "not-text", "time_zone": "not-a-time-zone", "age": "unknown",
    }  # fmt: skip


def test_all_fields_of_a_change_that_do_not_fit_are_named_at_once(anna):
    problem = refused(anna.patch("/v1/me", {"name": "x", "mail": "no", "time_zone": "Mars/Base"}), 422, "field-invalid")
    assert {error["field"] for error in problem["errors"]} == {"name", "mail", "time_zone"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_in_the_callers_language(api, language):
    details = {
        "en": "is not a time zone", "es": "no es una zona horaria", "fr": "n’est pas un fuseau horaire",
        "ru": "это не часовой пояс", "de": "ist keine Zeitzone",
    }  # fmt: skip
    wish = {"email": new_email(), "name": "Polyglot", "language": "en", "time_zone": "Mars/Base"}
    response = api.post("/v1/players", wish, headers={"Accept-Language": language})
    assert details[language] in response.json()["errors"][0]["detail"]


# ---- limits ----


def test_mails_to_one_address_are_limited_known_or_not(start_process, database, catcher, anna):
    slow = start_process("serve", database, catcher, rate_mail_address="2/1h")
    api = Api(slow.url, catcher)
    for email in (anna.email, new_email("limited")):
        database.rows("DELETE FROM mail_rate")
        ask = [api.post("/v1/logins", {"email": email}) for _ in range(2)]
        assert [response.status_code for response in ask] == [202, 202]
        for path, wish in (("/v1/logins", {}), ("/v1/players", {"name": "Limited", "language": "en"})):
            response = api.post(path, {"email": email, **wish})
            refused(response, 429, "rate-limited")
            assert int(response.headers["Retry-After"]) > 0
    database.rows("DELETE FROM mail_rate")


def test_mails_caused_by_one_client_are_limited(start_process, database, catcher):
    slow = start_process("serve", database, catcher, rate_mail_client="3/1h")
    database.rows("DELETE FROM mail_rate")
    api = Api(slow.url, catcher)
    asked = [api.post("/v1/logins", {"email": new_email("spray")}).status_code for _ in range(4)]
    assert asked == [202, 202, 202, 429]
    database.rows("DELETE FROM mail_rate")


def test_guessing_codes_is_limited(start_process, database, catcher):
    slow = start_process("serve", database, catcher, rate_login="5/1h")
    api = Api(slow.url, catcher)
    answers = [confirm(api, "abcdefghjkmnpqrs") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [422] * 5 + [429]
    assert int(answers[-1].headers["Retry-After"]) > 0


# ---- the player ----


def test_everybody_sees_id_name_and_since_and_nothing_else(api, anna):
    by_id = api.ask("GET", f"/v1/players/{anna.player['id']}")
    assert set(by_id) == {"id", "name", "since", "links"}
    assert api.ask("GET", "/v1/players/aNNa") == by_id
    assert api.ask("GET", "/v1/players?name=ANNA") == {"players": [by_id]}


def test_a_name_in_any_script_is_found(api):
    olga = api.sign_up("Ольга Ж", language="ru")
    found = api.http.get(api.url + "/v1/players", params={"name": "ОЛЬГА ж"}, timeout=30).json()["players"]
    assert [player["id"] for player in found] == [olga.player["id"]]


@pytest.mark.parametrize("name", ["Two Words", "Йцук Яя", "Ä" * 30, "a-b_c"])
def test_a_name_in_a_path_may_be_escaped(api, name):
    player = api.sign_up(name)
    name = player.player["name"]
    for path in (requests.utils.quote(name, safe=""), "".join(f"%{byte:02x}" for byte in name.encode())):
        assert api.ask("GET", f"/v1/players/{path}")["id"] == player.player["id"]


@pytest.mark.parametrize("player", ["999999999", "nobody-here", "9" * 30, "%ff", "%C3%28", "%20", "%D0%B9" * 30])
def test_a_player_who_is_not_there_is_not_found(api, player):
    refused(api.get(f"/v1/players/{player}"), 404, "not-found")


def test_a_player_changes_name_language_zone_and_mails(api, database):
    dora = api.sign_up("Dora")
    change = {"name": "Dora Two", "language": "ru", "time_zone": "Asia/Kolkata", "mail": False}
    me = dora.ask("PATCH", "/v1/me", change)
    assert {name: me[name] for name in change} == change
    assert dora.ask("GET", "/v1/me") == me
    stopped = "SELECT mail_stopped_at IS NOT NULL FROM player WHERE id = %s"
    assert database.value(stopped, (me["id"],)) is True
    assert dora.ask("PATCH", "/v1/me", {"mail": True})["mail"] is True
    assert dora.ask("PATCH", "/v1/me", {}) == {**me, "mail": True}


def test_errors_come_in_the_players_own_language(api):
    boris = api.sign_up("Борис", language="ru")
    response = boris.patch("/v1/me", {"language": "xx"})
    assert response.json()["title"] != api.post("/v1/players", {}).json()["title"]
    assert response.headers["Content-Language"] == "ru"


def test_a_taken_name_cannot_be_taken_again(api, anna):
    emil = api.sign_up("Emil")
    refused(emil.patch("/v1/me", {"name": "ANNA"}), 409, "name-taken")
    assert emil.ask("GET", "/v1/me")["name"] == "Emil"
    assert emil.ask("PATCH", "/v1/me", {"name": "EMIL"})["name"] == "EMIL"


def test_of_six_players_who_want_one_name_at_once_one_gets_it(api):
    players = [api.sign_up(f"Before {number}") for number in "abcdef"]
    answers = at_once([lambda player=player: player.patch("/v1/me", {"name": "Sought After"}) for player in players])
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 5
    named = [player for player in players if player.ask("GET", "/v1/me")["name"] == "Sought After"]
    assert len(named) == 1


def test_a_name_given_up_is_free_again(api):
    api.sign_up("Fleeting").ask("PATCH", "/v1/me", {"name": "Lasting"})
    assert api.sign_up("Fleeting").player["name"] == "Fleeting"


def test_strangers_see_and_change_nothing_of_a_player(api):
    refused(api.get("/v1/me"), 401, "unauthorized")
    refused(api.patch("/v1/me", {"name": "Mallory"}), 401, "unauthorized")
