"""Signing up, logging in and out, and settings, as people do it: in a browser without script."""

import concurrent.futures
import re
import secrets

import pytest
import requests
from harness.api import Api, code_of


def mailed_link(catcher, email, count=1):
    [link] = [link for link in catcher.wait_for(email, count).links() if "/confirm/" in link]
    return link


def sign_up(browser, catcher, name, email, language="en"):
    browser.open("/sign-up")
    browser.fill("email", email).fill("name", name).fill("language", language)
    browser.fill("time_zone", "Europe/Vienna").send("/sign-up")
    browser.open(mailed_link(catcher, email)).press("main form button")
    return browser


def test_somebody_signs_up_with_nothing_but_a_browser(open_browser, catcher, database):
    browser = open_browser()
    browser.open("/")
    assert browser.one('form[action="/sign-up"]')
    browser.fill("email", "frida@example.org", form='form[action="/sign-up"]')
    browser.fill("name", "Frida", form='form[action="/sign-up"]')
    browser.fill("time_zone", "America/Lima", form='form[action="/sign-up"]').send("/sign-up")
    assert browser.heading == "Look into your mailbox"
    browser.open(mailed_link(catcher, "frida@example.org"))
    assert browser.heading == "Confirm your address"
    assert database.rows("SELECT 1 FROM player WHERE name = 'Frida'") == []
    browser.press("main form button")
    assert browser.path == "/games?done=signed-up"
    assert "Logged in as Frida." in browser.text
    assert database.rows("SELECT language, time_zone FROM player WHERE name = 'Frida'") == [("en", "America/Lima")]
    cookie = browser.cookies()["ludopost_session"]
    assert cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Lax"
    assert cookie["value"] not in str(database.rows("SELECT * FROM session"))


def test_a_link_looked_at_by_scanners_still_works(visitor, api, catcher, database):
    api.ask("POST", "/v1/players", {"email": "gil@example.org", "name": "Gil", "language": "fr"})
    path = re.sub("^http://[^/]*", "", mailed_link(catcher, "gil@example.org"))
    for _ in range(3):
        for method in ("GET", "HEAD"):
            assert requests.request(method, visitor.url + path, timeout=30).status_code == 200
    assert database.rows("SELECT 1 FROM player WHERE name = 'Gil'") == []
    page = visitor.send(visitor.get(path), path)
    assert (page.status, page.location) == (303, "/games?done=signed-up")
    assert visitor.follow(page).lang == "fr"


def test_a_click_done_twice_is_told_that_all_is_done(visitor, api, catcher):
    api.ask("POST", "/v1/players", {"email": "hanna@example.org", "name": "Hanna", "language": "en"})
    path = re.sub("^http://[^/]*", "", mailed_link(catcher, "hanna@example.org"))
    page = visitor.get(path)
    assert visitor.send(page, path).status == 303
    again = visitor.send(page, path)
    assert (again.status, again.heading) == (200, "Already done")
    assert "you are logged in" in again.words()
    visitor.cookies.pop("ludopost_session")
    stranger = visitor.get(path)
    assert (stranger.status, stranger.heading) == (410, "Already done")
    assert "/login" in stranger.links()


def test_a_name_taken_meanwhile_can_be_replaced(server, visitor, api, catcher, new_player):
    api.ask("POST", "/v1/players", {"email": "ida@example.org", "name": "Ida Late", "language": "en"})
    path = re.sub("^http://[^/]*", "", mailed_link(catcher, "ida@example.org"))
    new_player("Ida Late")
    page = visitor.send(visitor.get(path), path)
    assert page.status == 409 and "already has this name" in page.words()
    assert visitor.send(page, path, name="Ida Early").status == 303


def test_a_login_by_typed_code_leads_where_somebody_wanted_to_go(open_browser, api, catcher):
    kim = api.sign_up("Kim", language="de")
    browser = open_browser("ru")
    browser.open("/settings")
    assert browser.path == "/login?next=%2Fsettings"
    before = len(catcher.to(kim.email))
    browser.fill("email", kim.email).send("/login")
    code = code_of(catcher.wait_for(kim.email, before + 1))
    grouped = "-".join(code[i:i + 4] for i in range(0, 16, 4)).upper()
    browser.fill("code", grouped).send("/confirm")
    assert browser.path == "/settings?done=logged-in"
    assert browser.one("html").get_attribute("lang") == "de"


def test_each_login_has_a_new_session_and_logout_ends_it(visitor, api, catcher, database):
    lou = api.sign_up("Lou")
    cookies = []
    for _ in range(2):
        before = len(catcher.to(lou.email))
        page = visitor.post("/login", {**visitor.get("/confirm").form("/confirm"), "email": lou.email})
        assert page.status == 200, page.text
        path = re.sub("^http://[^/]*", "", mailed_link(catcher, lou.email, before + 1))
        visitor.send(visitor.get(path), path)
        cookies.append(visitor.cookies["ludopost_session"])
    assert cookies[0] != cookies[1]
    count = "SELECT count(*) FROM session WHERE player_id = %s"
    assert database.value(count, (lou.player["id"],)) == 1
    page = visitor.get("/games")
    assert visitor.send(page, "/logout").location == "/?done=logged-out"
    assert "ludopost_session" not in visitor.cookies
    assert database.value(count, (lou.player["id"],)) == 0
    visitor.cookies["ludopost_session"] = cookies[1]
    assert visitor.get("/games").status == 303


def test_login_tells_nobody_whether_an_address_is_known(visitor, api, catcher):
    known = api.sign_up("Mara")
    answers = []
    for email in (known.email, "nobody@example.org"):
        page = visitor.send(visitor.get("/login"), "/login", email=email)
        assert page.status == 200
        answers.append(page.words().replace(email, "X"))
    assert answers[0] == answers[1]


def test_nobody_is_sent_away_to_another_site(visitor, api, catcher):
    nils = api.sign_up("Nils")
    for target in ("//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"):
        visitor.cookies.pop("ludopost_session", None)
        before = len(catcher.to(nils.email))
        page = visitor.get("/login?next=" + requests.utils.quote(target, safe=""))
        visitor.send(page, "/login", email=nils.email, next=target)
        path = re.sub("^http://[^/]*", "", mailed_link(catcher, nils.email, before + 1))
        assert visitor.send(visitor.get(path), path).location == "/games?done=logged-in"


def test_a_refused_sign_up_says_why_and_keeps_what_was_typed(visitor):
    page = visitor.send(visitor.get("/sign-up"), "/sign-up", email="oskar@example.org", name="O")
    assert page.status == 422
    assert "Name: must have at least 2 characters" in page.words()
    assert page.form("/sign-up")["email"] == "oskar@example.org"
    assert [field.get("name") for field in page.all("input[@aria-invalid='true']")] == ["name"]


def test_settings_change_name_language_and_zone(open_browser, catcher, database):
    browser = sign_up(open_browser(), catcher, "Petra", "petra@example.org")
    browser.open("/settings")
    form = 'form[action="/settings/profile"]'
    browser.fill("name", "Petronella", form).fill("language", "es", form).fill("time_zone", "Asia/Tokyo", form)
    browser.send("/settings/profile")
    assert browser.heading == "Ajustes" and "Guardado." in browser.text
    assert database.rows("SELECT language, time_zone FROM player WHERE name = 'Petronella'") == [("es", "Asia/Tokyo")]
    browser.open("/rules/ordo")
    browser.press('.languages button[value="ru"]')
    assert browser.path == "/rules/ordo" and browser.one("html").get_attribute("lang") == "ru"
    assert database.value("SELECT language FROM player WHERE name = 'Petronella'") == "ru"


def test_an_address_is_added_made_primary_and_the_change_undone(open_browser, catcher, database):
    browser = sign_up(open_browser(), catcher, "Quentin", "quentin@example.org")
    browser.open("/settings")
    browser.fill("email", "quentin.new@example.org", 'form[action="/settings/addresses"]').send("/settings/addresses")
    assert "a mail with a link is on its way" in browser.text
    browser.open(mailed_link(catcher, "quentin.new@example.org")).press("main form button")
    assert browser.path == "/settings?done=address-added"
    primary = "SELECT email FROM address WHERE is_primary AND player_id = (SELECT id FROM player WHERE name = 'Quentin')"
    before = len(catcher.to("quentin@example.org"))
    browser.press('form[action$="/primary"] button')
    assert database.value(primary) == "quentin.new@example.org"
    browser.open(mailed_link(catcher, "quentin@example.org", before + 1))
    assert browser.heading == "Undo the change of address"
    browser.press("main form button")
    assert browser.path == "/settings?done=address-reverted"
    assert database.value(primary) == "quentin@example.org"
    assert "quentin.new@example.org" not in browser.text


def test_a_token_is_shown_once_works_and_is_revoked(open_browser, catcher, server, api):
    browser = sign_up(open_browser(), catcher, "Rita", "rita@example.org")
    browser.open("/settings")
    form = 'form[action="/settings/tokens"]'
    browser.fill("token_name", "chess clock", form).check("scope_chat", form).send("/settings/tokens")
    token = browser.one(".secret").text
    client = Api(server.url, catcher, token)
    [listed] = [one for one in client.ask("GET", "/v1/tokens")["tokens"] if one["name"] == "chess clock"]
    assert listed["scopes"] == ["read", "play", "challenge", "chat"]
    assert client.ask("GET", "/v1/me")["name"] == "Rita"
    browser.open("/settings")
    assert token not in browser.source
    browser.press(f'form[action="/settings/tokens/{listed["id"]}/revoke"] button')
    assert "chess clock" not in browser.text
    assert client.get("/v1/me").status_code == 401


def test_a_token_needs_a_permission_and_a_day_to_come(enter, new_player):
    visitor = enter(new_player())
    page = visitor.get("/settings")
    fields = page.form("/settings/tokens")
    none = {name: None for name in fields if name.startswith("scope_")}
    refused = visitor.send(page, "/settings/tokens", token_name="x", **none)
    assert refused.status == 422 and "Permissions: is required" in refused.words()
    refused = visitor.send(page, "/settings/tokens", token_name="x", expires_on="2001-01-01")
    assert refused.status == 422 and "Last day: must lie in the future" in refused.words()
    assert visitor.send(page, "/settings/tokens", token_name="x", expires_on="2999-01-01").status == 200


def test_logging_out_everywhere_ends_every_session(enter, new_player, database):
    player = new_player()
    here, there = enter(player), enter(player)
    assert here.send(here.get("/settings"), "/settings/sessions").location == "/?done=logged-out-everywhere"
    assert there.get("/settings").status == 303
    assert database.value("SELECT count(*) FROM session WHERE player_id = %s", (player.player["id"],)) == 0


def test_a_session_ends_after_thirty_days(enter, new_player, database):
    visitor = enter(new_player())
    try:
        database.set_clock("29 days 23 hours")
        assert visitor.get("/games").status == 200
        database.set_clock("30 days 1 hour")
        assert visitor.get("/games").status == 303
    finally:
        database.set_clock("0")


@pytest.mark.parametrize("door", ["/sign-up", "/login"])
def test_a_form_for_strangers_sent_twice_mails_once(visitor, new_player, catcher, database, door):
    email = new_player().email if door == "/login" else f"twice{secrets.token_hex(4)}@example.org"
    filled = {**visitor.get(door).form(door), "email": email}
    if door == "/sign-up":
        filled["name"] = f"Twice {secrets.token_hex(4)}"
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: visitor.post(door, filled), range(4)))
    assert [answer.status for answer in answers] == [200] * 4
    assert len({answer.words() for answer in answers}) == 1
    count = "SELECT count(*) FROM mail_code JOIN address ON address.id = address_id WHERE email = %s AND used_at IS NULL"
    assert database.value(count, (email,)) == 1
    again = {**filled, "once": visitor.get(door).form(door)["once"]}
    assert visitor.post(door, again).status == 200
    assert database.value(count, (email,)) == 2


def test_a_challenge_sent_twice_is_one(enter, new_player, database):
    anna, bert = new_player(), new_player()
    visitor = enter(anna)
    filled = {**visitor.get("/challenges/new").form("/challenges"), "opponent": bert.player["name"]}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: visitor.post("/challenges", filled), range(4)))
    assert {answer.status for answer in answers} == {303} and len({answer.location for answer in answers}) == 1
    count = "SELECT count(*) FROM challenge WHERE challenger_id = %s"
    assert database.value(count, (anna.player["id"],)) == 1
    assert visitor.post("/challenges", {**filled, "message": "Another one"}).status == 303
    assert database.value(count, (anna.player["id"],)) == 2


def test_a_player_without_a_browser_script_can_challenge_somebody(open_browser, catcher, new_player, enter):
    sonja = new_player("Sonja")
    browser = sign_up(open_browser(), catcher, "Theo", "theo@example.org")
    browser.press('main a[href="/challenges/new"]')
    browser.fill("opponent", "Sonja").fill("rules", "ordox").fill("seat", "first")
    browser.fill("message", "Shall <we> play?").send("/challenges")
    assert browser.heading == "Challenge by Theo"
    path = browser.path.split("?")[0]
    other = enter(sonja)
    page = other.get(path)
    assert "Shall <we> play?" in page.words()
    accepted = other.send(page, path + "/accept")
    assert accepted.location.endswith("?done=challenge-accepted")
    assert other.send(page, path + "/accept").location == accepted.location
    browser.open(path)
    assert "This challenge was accepted." in browser.text
