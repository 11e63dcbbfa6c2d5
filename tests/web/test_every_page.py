"""What holds for all pages: five languages, sound HTML, no script, no change by looking, proof for every form."""

import re

import pytest
import requests
from harness.server import ludopost
from harness.visitor import Visitor, assert_sound, contents, new_session

LANGUAGES = {"en": "Rules", "es": "Reglas", "fr": "Règles", "ru": "Правила", "de": "Regeln"}
STRANGERS = (
    "/ /login /sign-up /confirm /confirm/aaaaaaaaaaaaaaaa /rules /rules/ordo /rules/ordox /rules/xo /problems "
    "/problems/turn-illegal /lost {game} {game}?ply=0 {challenge} {invitation} {unsubscribe} {confirm}"
).split()
PLAYERS = "/ /games /settings /challenges/new /rules/ordo {game} {game}?ply=1 {challenge} {theirs} {private} {laying}".split()


@pytest.fixture(scope="module")
def world(api, new_player, database, catcher):
    """Two players, games, challenges, and paths that mails lead to."""
    anna, bert = new_player("Anna"), new_player("Bert")
    game = anna.start_game(bert)
    anna.play(game, "c2-c3")
    private = anna.start_game(bert, visibility="private")
    laying = anna.start_game(bert, rules="xo")
    challenge = anna.ask("POST", "/v1/challenges", {"rules": "ordox", "seat": "random", "message": "<i>&amp;</i>"})
    theirs = bert.ask("POST", "/v1/challenges", {"opponent": "Anna", "rules": "ordo", "seat": "first"})
    anna.ask("POST", "/v1/challenges", {"email": "guest@example.org", "rules": "ordo", "seat": "first"})
    api.ask("POST", "/v1/players", {"email": "new@example.org", "name": "Newcomer", "language": "en"})
    email = database.value("SELECT email FROM address WHERE player_id = %s", (bert.player["id"],))
    turn = catcher.wait(lambda one: [mail for mail in one.to(email) if "c2-c3" in mail.text])[0]
    return {
        "anna": anna,
        "bert": bert,
        "game": f"/games/{game}",
        "private": f"/games/{private}",
        "laying": f"/games/{laying}",
        "challenge": f"/challenges/{challenge['id']}",
        "theirs": f"/challenges/{theirs['id']}",
        "invitation": path_in(catcher.wait_for("guest@example.org").text, "/invitations/"),
        "confirm": path_in(catcher.wait_for("new@example.org").text, "/confirm/"),
        "unsubscribe": path_in(turn["List-Unsubscribe"], "/unsubscribe/"),
    }


def path_in(text, part):
    return re.search(rf"http://[^/]*({part}[^\s#>]*)", text).group(1)


@pytest.fixture
def anna_visits(server, database, world):
    def visit(languages="en"):
        one = Visitor(server.url, languages)
        one.cookies["ludopost_session"] = new_session(database, world["anna"].player["id"])
        return one

    return visit


def pages_of(visitor, paths, world, query=""):
    for path in paths:
        path = path.format(**world)
        yield path, visitor.get(path + (("&" if "?" in path else "?") + query if query else ""))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_the_language_asked_for(server, world, anna_visits, database, language):
    database.rows("UPDATE player SET language = %s WHERE name = 'Anna'", (language,))
    stranger = Visitor(server.url, f"xx, {language};q=0.7")
    try:
        shown = [*pages_of(anna_visits("xx"), PLAYERS, world)]
    finally:
        database.rows("UPDATE player SET language = 'en' WHERE name = 'Anna'")
    mailed = {world["invitation"], world["unsubscribe"]}
    for path, page in [*pages_of(stranger, STRANGERS, world), *shown]:
        assert_sound(path, page)
        wanted = "en" if path in mailed else language
        assert (page.lang, page.response.headers["Content-Language"]) == (wanted, wanted), path
        assert LANGUAGES[wanted] in "".join(page.one("header").itertext()), path


def test_pages_of_different_languages_have_no_sentence_in_common(server, world):
    for path in ("/", "/login", "/confirm", "{invitation}", "{unsubscribe}"):
        sentences = {}
        for language in LANGUAGES:
            [(_, page)] = pages_of(Visitor(server.url), [path], world, f"lang={language}")
            assert page.lang == language
            for element in page.one("main").iter():
                text = (element.text or "").strip()
                if element.tag in ("h1", "h2", "p", "label", "li") and " " in text:
                    sentences.setdefault(text, set()).add(language)
        shared = {text: found for text, found in sentences.items() if len(found) > 1 and "Anna" not in text}
        assert shared == {}


def test_a_strangers_choice_of_language_stays(visitor):
    page = visitor.get("/rules")
    [link] = [link for link in page.all("footer//a") if link.get("lang") == "de"]
    assert visitor.get(link.get("href")).lang == "de"
    assert visitor.get("/login").lang == "de"
    assert visitor.get("/rules/ordo?lang=fr").lang == "fr"


def test_pages_send_nothing_but_what_they_need(server, world, visitor):
    for path, page in pages_of(visitor, STRANGERS, world):
        headers = page.response.headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; img-src 'self' data:"), path
        for directive in ("form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"):
            assert directive in policy
        assert "script-src" not in policy and "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Cache-Control"] == "no-store"
    sheet = re.search(r'href="(/style.css[^"]*)"', visitor.get("/").text).group(1)
    answer = requests.get(server.url + sheet, timeout=30)
    assert "immutable" in answer.headers["Cache-Control"] and answer.headers["Content-Type"].startswith("text/css")
    again = requests.get(server.url + sheet, headers={"If-None-Match": answer.headers["ETag"]}, timeout=30)
    assert again.status_code == 304


def test_looking_changes_nothing(server, world, anna_visits, database, catcher):
    stranger, player = Visitor(server.url), anna_visits()
    player.get("/games")
    catcher.wait(lambda _: database.value("SELECT count(*) FROM delivery WHERE state IN ('pending', 'sending')") == 0)
    before = contents(database)
    for visitor, paths in ((stranger, STRANGERS), (player, PLAYERS)):
        for path in paths:
            for method in ("GET", "HEAD", "GET", "HEAD"):
                answer = visitor.ask(method, path.format(**world), headers={"Purpose": "prefetch"})
                assert answer.status < 500
    assert contents(database) == before


# ---- forms ---------------------------------------------------------------------------------


def post_paths(world):
    """Every POST of a page, as the table of routes says."""
    found = []
    for line in ludopost("routes").stdout.splitlines():
        method, path, operation, access = line.split("\t")[:4]
        if method == "POST" and not operation:
            found.append((path, access))
    assert len(found) > 15
    filled = {
        "/confirm/{code}": world["confirm"],
        "/games/{id}/turns": world["private"] + "/turns",
        "/games/{id}/resign": world["private"] + "/resign",
        "/invitations/{id}/{secret}": world["invitation"],
        "/unsubscribe/{player_id}/{secret}": world["unsubscribe"],
    }
    for answer in ("accept", "decline"):
        filled[f"/challenges/{{id}}/{answer}"] = f"{world['theirs']}/{answer}"
    filled["/challenges/{id}/cancel"] = world["challenge"] + "/cancel"
    return [(filled.get(path, path.replace("{id}", "1")), access) for path, access in found]


VALUES = {
    "email": "more@example.org", "name": "Other", "language": "de", "time_zone": "UTC", "code": "a" * 16, "ply": "1",
    "turn": "c2-c3", "sure": "yes", "answer": "never", "mail": "no", "rules": "ordo", "token_name": "x", "scope_read": "yes",
}


def test_no_form_is_taken_without_its_proof(server, world, anna_visits, database, catcher):
    player, stranger = anna_visits(), Visitor(server.url)
    foreign = Visitor(server.url).get("/login").form("/login")["csrf"]
    others = anna_visits().get("/games").form("/logout")["csrf"]
    stranger.get("/login")
    player.get("/games")
    catcher.wait(lambda _: database.value("SELECT count(*) FROM delivery WHERE state IN ('pending', 'sending')") == 0)
    before = contents(database)
    for path, access in post_paths(world):
        for visitor in (player, stranger):
            for token in (None, "", "a" * 16, foreign, others):
                values = {**VALUES, **({} if token is None else {"csrf": token})}
                page = visitor.post(path, values)
                wanted = 401 if visitor is stranger and access == "session" else 403
                assert page.status == wanted, f"{path} {access} {token}: {page.status}"
        assert stranger.post(path, None, headers={"Content-Type": "application/json"}).status in (401, 415)
    assert contents(database) == before


def test_a_stranger_cannot_use_a_form_of_another_browser(server):
    one, other = Visitor(server.url), Visitor(server.url)
    values = {**one.get("/login").form("/login"), "email": "x@example.org"}
    assert other.post("/login", values).status == 403
    other.get("/login")
    assert other.post("/login", values).status == 403
    assert one.post("/login", values).status == 200


def test_names_and_messages_are_never_markup(server, world, anna_visits, database):
    evil = "\"><script>alert(1)</script>&amp;'"
    database.rows("UPDATE player SET name = %s WHERE name = 'Bert'", (evil[:30],))
    database.rows("UPDATE challenge SET message = %s", (evil,))
    try:
        for path, page in [*pages_of(anna_visits(), PLAYERS, world), *pages_of(Visitor(server.url), STRANGERS, world)]:
            assert "<script" not in page.text, path
        page = anna_visits().get(world["game"])
        assert evil[:30] in page.heading
        page = Visitor(server.url).get("/login?next=%22%3E%3Cscript%3E&done=%3Cscript%3E")
        assert "<script" not in page.text and page.status == 200
        page = Visitor(server.url).post("/login", {**VALUES, "email": evil})
        assert "<script" not in page.text
    finally:
        database.rows("UPDATE player SET name = 'Bert' WHERE name = %s", (evil[:30],))


# ---- in a browser --------------------------------------------------------------------------


def test_keys_lead_through_a_page_in_reading_order(open_browser):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser = open_browser("en", script=True)
    browser.open("/login")
    seen = []
    for _ in range(9):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        element = browser.driver.switch_to.active_element
        seen.append(element.get_attribute("name") or element.text)
        outline = element.value_of_css_property("outline-width")
        assert outline == "3px", f"{seen[-1]}: {outline}"
    assert seen[:7] == ["Skip to content", "Ludopost", "Rules", "Log in", "Sign up", "email", "Send the mail"]


def test_pages_fit_a_phone(open_browser, world, server, database):
    browser = open_browser("de", script=True)
    browser.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": True}
    )
    browser.open("/")
    cookie = {"name": "ludopost_session", "value": new_session(database, world["anna"].player["id"]), "secure": True}
    for paths in (STRANGERS, PLAYERS):
        for path in paths:
            browser.open(path.format(**world))
            wide = browser.driver.execute_script("return document.documentElement.scrollWidth")
            assert wide <= 320, f"{path}: {wide} pixels wide"
        browser.driver.add_cookie({**cookie, "path": "/"})


def test_a_form_s_address_opened_as_a_page_says_so_with_the_methods_it_has(visitor):
    table = [line.split("\t") for line in ludopost("routes").stdout.splitlines()]
    methods = {}
    for row in table:
        if not row[2]:
            methods.setdefault(row[1], set()).add(row[0])
    only_sent = [path for path, known in methods.items() if known == {"POST"}]
    assert "/challenges" in only_sent and "/logout" in only_sent
    for path in only_sent:
        page = visitor.get(re.sub(r"{\w+}", "1", path))
        assert page.status == 405 and page.heading == "Method not allowed", path
        assert page.response.headers["Allow"] == "POST, OPTIONS", path


def test_the_start_page_links_to_the_description_for_machines(visitor):
    assert "/openapi.json" in visitor.get("/").links()


def test_the_mails_of_a_game_are_read_on_a_phone_without_scrolling_sideways(open_browser, world, database):
    for language in ("de", "ru"):
        browser = open_browser(language, script=True)
        browser.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
        )
        browser.open("/")
        session = {"name": "ludopost_session", "value": new_session(database, world["anna"].player["id"])}
        browser.driver.add_cookie({**session, "secure": True, "path": "/"})
        browser.open(world["game"])
        found = browser.driver.execute_script(
            "return [...document.querySelectorAll('.cards')].map(box => [box.scrollWidth, box.clientWidth,"
            " box.querySelectorAll('td').length, [...box.querySelectorAll('td')].every(cell => cell.dataset.head)])"
        )
        [(wide, room, cells, headed)] = found
        assert wide <= room and cells >= 6 and headed


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


COLOURS = """
const found = [];
for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!text || element.getClientRects().length === 0) continue;
    let behind = element, colour = 'rgba(0, 0, 0, 0)';
    while (behind && colour === 'rgba(0, 0, 0, 0)') {
        colour = getComputedStyle(behind).backgroundColor;
        behind = behind.parentElement;
    }
    found.push([element.tagName + ' ' + element.textContent.trim().slice(0, 30), getComputedStyle(element).color, colour]);
}
return found;
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(open_browser, world, database, scheme):
    browser = open_browser("en", script=True)
    browser.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    browser.open("/")
    cookie = {"name": "ludopost_session", "value": new_session(database, world["anna"].player["id"]), "secure": True}
    browser.driver.add_cookie({**cookie, "path": "/"})
    for path in ["/settings?done=saved", "/games", world["game"], world["private"], world["laying"], "/rules/ordo", "/challenges/new"]:
        browser.open(path)
        pairs = browser.driver.execute_script(COLOURS)
        assert len(pairs) > 10
        for what, front, behind in pairs:
            light, dark = sorted((luminance(front), luminance(behind)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, f"{path} {what}: {front} on {behind}"
