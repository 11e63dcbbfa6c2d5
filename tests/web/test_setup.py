"""The page of a game whose armies are being laid out: by two people with browsers, step by step, and what it shows to whom."""

import base64
import re

import pytest
from harness.visitor import assert_sound, form_values, new_session

LANGUAGES = ("en", "es", "fr", "ru", "de")
BLUE = "vhzvhzv\nn+vznhng\nvz+zhnhz"
RED = "hvzvhzv\nn+vznhng\nvz+znhhz"
OTHER = "zzzzzzz\nzzvvvvv\nvvvv+v+zg"


@pytest.fixture(scope="module")
def blue(new_player):
    return new_player("Wanda")


@pytest.fixture(scope="module")
def red(new_player):
    return new_player("Boris")


@pytest.fixture
def game_id(blue, red):
    return blue.start_game(red, rules="xo")


def action(game_id):
    return f"/games/{game_id}/setup"


def lay(visitor, game_id, layout, what="layout", **values):
    """Fills the form for a layout and presses one of its buttons."""
    page = visitor.get(f"/games/{game_id}")
    form = {**forms(page, game_id)[-1], "layout": layout, "do": what, **values}
    return visitor.post(action(game_id), form)


def accept(visitor, game_id):
    page = visitor.get(f"/games/{game_id}")
    return visitor.post(action(game_id), {**forms(page, game_id)[0], "do": "accept"})


def forms(page, game_id):
    return [form_values(form) for form in page.all("form") if form.get("action") == action(game_id)]


def picture(page):
    """The drawing in the page itself."""
    images = [image for image in page.all("img") if image.get("class") == "board"]
    return base64.b64decode(images[-1].get("src").removeprefix("data:image/svg+xml;base64,")).decode()


def pieces(page, seat):
    return picture(page).count(f'class="piece seat-{seat}"')


def log_in(browser, database, player):
    browser.open("/")
    session = {"name": "ludopost_session", "value": new_session(database, player.player["id"]), "path": "/", "secure": True}
    browser.driver.add_cookie(session)
    return browser


def test_two_people_lay_out_their_armies_and_begin(open_browser, database, blue, new_player):
    red = new_player("Gerd", "de")
    game_id = blue.start_game(red, rules="xo")
    wanda, gerd = log_in(open_browser(), database, blue), log_in(open_browser("de"), database, red)
    path = f"/games/{game_id}"
    wanda.open(path)
    assert "Lay out your army. Nobody else sees it until both layouts are in." in wanda.text
    wanda.fill("layout", BLUE, ".layout-form").press("button[value=layout]")
    assert wanda.path == f"{path}?done=layout-sent"
    assert "Your layout is in. Nobody else sees it until Gerd’s is in, too." in wanda.text
    assert "The board with your army alone; only you see it." in wanda.text
    assert wanda.all(".layout-form") == []
    gerd.open(path)
    assert "Wanda hat eine Aufstellung gesandt" in gerd.text.replace("\n", " ")
    assert "vhzvhzv" not in gerd.source.lower()
    gerd.press("button[value=random]")
    assert "Deine Aufstellung ist da." in gerd.text
    assert "Wanda (Blau) stimmt dem Paar zu oder sendet eine andere Aufstellung." in gerd.text
    assert "vhzvhzv/n+vznhng/vz+zhnhz" in gerd.text and "zhnh+zzv/gnhnz+vn/vzhvzhv" in gerd.text
    wanda.open(path)
    assert "Both layouts are open, and it is your turn to speak" in wanda.text
    assert wanda.one(".layout-form textarea").get_attribute("value") == BLUE
    wanda.fill("layout", RED, ".layout-form").press("button[value=layout]")
    assert "Pair 2 of layouts" in wanda.text and "4 changes left" in wanda.text
    gerd.open(path).press("button[value=accept]")
    assert gerd.path == f"{path}?done=play-began"
    assert "Das Spiel beginnt." in gerd.text and "Wanda (Blau) ist am Zug." in gerd.text
    wanda.open(path)
    assert "It is your turn." in wanda.text
    steps = "SELECT seat, round, kind, channel FROM setup_step WHERE game_id = %s ORDER BY step"
    assert database.rows(steps, (game_id,)) == [
        (1, 1, "layout", "web"), (2, 1, "layout", "web"), (1, 1, "layout", "web"), (2, 2, "accept", "web")
    ]  # fmt: skip
    wanda.fill("turn", "pass", ".turn-form").send(f"{path}/turns")
    assert "Gerd (Red) is to move." in wanda.text and "the turn is passed" in wanda.text


def test_what_is_sealed_stands_on_no_page_but_its_own(enter, visitor, blue, red, new_player, database):
    """Whatever the first layout is, everybody else gets the same bytes."""
    seen = {}
    stranger = enter(new_player())
    others = {"opponent": enter(red), "stranger": stranger, "nobody": visitor}
    for layout in (BLUE, OTHER):
        game_id = blue.start_game(red, rules="xo")
        assert lay(enter(blue), game_id, layout).status == 303
        own = enter(blue).get(f"/games/{game_id}")
        assert layout.replace("\n", "/") in own.text and (pieces(own, 1), pieces(own, 2)) == (21, 0)
        assert own.response.headers["Cache-Control"] == "private, no-store"
        for who, one in others.items():
            page = one.get(f"/games/{game_id}")
            assert (pieces(page, 1), pieces(page, 2)) == (0, 0)
            assert page.response.headers["Cache-Control"] == "private, no-store"
            for line in layout.split("\n"):
                assert line not in page.text.lower()
            text = re.sub(rf"(/games/|XO ){game_id}\b", r"\1GAME", page.text)
            text = re.sub(r'(name="(?:csrf|once)" value)="[^"]*"', r"\1", text)
            text = re.sub(r'<time.*?</time>|<div class="scroll cards".*?</div>', "", text, flags=re.DOTALL)
            seen.setdefault(who, []).append(text)
    for who, (first, second) in seen.items():
        assert first == second, who


def test_all_mistakes_are_told_with_the_drawing_as_understood(enter, game_id, red, database):
    boris = enter(red)
    wrong = "vhzvhzvv\nn+vz?hng\nvz+zhnh"
    page = lay(boris, game_id, wrong)
    assert page.status == 422
    [alert] = page.all("div[@role='alert']")
    words = "".join(alert.itertext())
    for part in ("Line 1 is too long: it has 8 squares instead of 7.", "Line 2: 1 sign means nothing in a layout: ?",
                 "Line 3 is too short: it has 6 squares instead of 7.", "Missing: 2 Diagos", "outside your territory"):
        assert part in words, words
    assert forms(page, game_id)[-1]["layout"] == wrong
    assert "The layout as it was understood" in page.words()
    assert pieces(page, 2) > 15
    assert database.value("SELECT count(*) FROM setup_step WHERE game_id = %s", (game_id,)) == 0
    assert lay(boris, game_id, "").status == 422
    assert "There is no layout of yours to take over" not in page.words()
    like = lay(boris, game_id, "like 99999999")
    assert like.status == 422 and "99999999" in like.words("*[@role='alert']")
    assert lay(boris, game_id, RED).status == 303


def test_a_form_sent_twice_acts_once(enter, blue, red, game_id, database):
    wanda, boris = enter(blue), enter(red)
    count = "SELECT count(*) FROM setup_step WHERE game_id = %s"
    page = wanda.get(f"/games/{game_id}")
    sent = {**forms(page, game_id)[-1], "do": "random"}
    for _ in range(2):
        assert wanda.post(action(game_id), sent).location == f"/games/{game_id}?done=layout-sent"
    page = boris.get(f"/games/{game_id}")
    sent = {**forms(page, game_id)[-1], "layout": RED, "do": "layout"}
    for _ in range(2):
        assert boris.post(action(game_id), sent).status == 303
    assert database.value(count, (game_id,)) == 2
    page = wanda.get(f"/games/{game_id}")
    sent = {**forms(page, game_id)[0], "do": "accept"}
    for _ in range(2):
        assert wanda.post(action(game_id), sent).location == f"/games/{game_id}?done=pair-accepted"
    assert database.value(count, (game_id,)) == 3


def test_an_answer_to_an_older_pair_is_refused_with_the_present_one(enter, blue, red, game_id):
    wanda, boris = enter(blue), enter(red)
    lay(wanda, game_id, BLUE)
    lay(boris, game_id, RED)
    old = wanda.get(f"/games/{game_id}")
    assert lay(wanda, game_id, OTHER).status == 303
    late = wanda.post(action(game_id), {**forms(old, game_id)[0], "do": "accept"})
    assert late.status in (200, 303, 409)
    page = boris.post(action(game_id), {**boris.get(f"/games/{game_id}").form("/logout"), "round": "1", "do": "accept"})
    assert page.status == 409 and "Pair 2 of layouts" in page.words()
    assert "another pair" in page.words("*[@role='alert']")


def test_who_may_not_change_any_more_can_accept(enter, blue, red, game_id):
    wanda, boris = enter(blue), enter(red)
    lay(wanda, game_id, BLUE)
    lay(boris, game_id, RED)
    for number in range(5):
        assert lay(wanda, game_id, "random", what="random").status == 303
        if number < 4:
            assert lay(boris, game_id, "random", what="random").status == 303
    assert lay(boris, game_id, [BLUE, OTHER][1]).status == 303
    page = wanda.get(f"/games/{game_id}")
    assert "You have changed your layout as often as is allowed" in page.words()
    assert len(forms(page, game_id)) == 1
    assert accept(wanda, game_id).location == f"/games/{game_id}?done=play-began"


def test_resigning_in_the_set_up_ends_the_game(enter, blue, red, game_id):
    wanda = enter(blue)
    page = wanda.get(f"/games/{game_id}")
    assert wanda.send(page, f"/games/{game_id}/resign", sure="yes").status == 303
    assert "Boris wins by resignation." in wanda.get(f"/games/{game_id}").words()


def test_forms_of_others_and_without_proof_are_refused(enter, blue, red, new_player, game_id, visitor):
    wanda, stranger = enter(blue), enter(new_player())
    sent = {**forms(wanda.get(f"/games/{game_id}"), game_id)[-1], "layout": BLUE, "do": "layout"}
    assert wanda.post(action(game_id), {**sent, "csrf": "x"}).status == 403
    assert stranger.post(action(game_id), {**sent, **stranger.get("/games").form("/logout")}).status == 403
    assert visitor.post(action(game_id), sent).status in (303, 401, 403)
    assert forms(stranger.get(f"/games/{game_id}"), game_id) == []
    private = blue.start_game(red, rules="xo", visibility="private")
    assert stranger.post(action(private), {**sent, **stranger.get("/games").form("/logout")}).status == 404
    ordo = blue.start_game(red)
    refused = wanda.post(action(ordo), sent)
    assert refused.status == 409 and "pieces stand where they stand" in refused.words()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_set_up_speaks_every_language(enter, new_player, language):
    blue, red = new_player(language=language), new_player(language=language)
    game_id = blue.start_game(red, rules="xo")
    wanda, boris = enter(blue), enter(red)
    path = f"/games/{game_id}"
    pages = [wanda.get(path), lay(wanda, game_id, "vhz\nx")]
    lay(wanda, game_id, BLUE)
    pages += [wanda.get(path), boris.get(path)]
    lay(boris, game_id, RED)
    pages += [wanda.get(path), boris.get(path)]
    accept(wanda, game_id)
    accept(boris, game_id)
    pages += [wanda.get(path), wanda.get(path + "?turn=b3~"), wanda.get(path + "?turn=b3-b3")]
    for number, page in enumerate(pages):
        assert page.lang == language
        assert_sound(f"{number} {path}", page)


def test_a_turn_is_put_together_step_by_step(enter, blue, red, game_id):
    wanda, boris = enter(blue), enter(red)
    lay(wanda, game_id, BLUE)
    lay(boris, game_id, RED)
    accept(wanda, game_id)
    accept(boris, game_id)
    page = wanda.get(f"/games/{game_id}")
    assert "b3~,c3-c6" in page.words(), "the hint shows a turn of this game"
    links = [link for link in page.links() if "?turn=" in link]
    assert f"/games/{game_id}?turn=b3~" in links and f"/games/{game_id}?turn=pass" in links
    page = wanda.get(f"/games/{game_id}?turn=b3~")
    assert "So far: HoVe b3 turns." in page.words() and "The turn may end here, or go on" in page.words()
    assert page.form(f"/games/{game_id}/turns")["turn"] == "b3~"
    links = [link for link in page.links() if "?turn=" in link]
    assert f"/games/{game_id}?turn=b3~%2Ca3-a4" in links
    assert not any("%2Cb3-" in link for link in links), "what was just rotated does not move"
    page = wanda.get(f"/games/{game_id}?turn=b3~,b3-b4")
    assert "A piece that has just been rotated may not move" in page.words()
    page = wanda.get(f"/games/{game_id}?turn=pass")
    assert "No step can follow: the turn ends here." in page.words()
    done = wanda.send(page, f"/games/{game_id}/turns")
    assert done.status == 303
    rows = ["|".join("".join(cell.itertext()) for cell in row) for row in wanda.get(f"/games/{game_id}").all("tbody/tr")]
    assert rows[0] == "1|pass|Blue|the turn is passed"


def test_the_set_up_and_the_board_of_xo_fit_a_phone(open_browser, database, blue, red, enter, game_id):
    browser = open_browser("ru", script=True)
    browser.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 400, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    )
    log_in(browser, database, blue)

    def assert_narrow():
        browser.open(f"/games/{game_id}?turn=b3~")
        wide = browser.driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= 400, f"{wide} pixels wide"
        assert browser.driver.execute_script("return document.querySelector('img.board').naturalWidth") > 0

    assert_narrow()
    lay(enter(red), game_id, RED)
    assert_narrow()
    lay(enter(blue), game_id, BLUE)
    assert_narrow()
    accept(enter(blue), game_id)
    accept(enter(red), game_id)
    assert_narrow()


def test_board_and_territory_are_chosen_by_the_form(open_browser, database, blue, red, enter):
    browser = log_in(open_browser(), database, blue)
    browser.open("/challenges/new")
    browser.fill("opponent", "Boris").fill("rules", "xo").fill("xo-board", "99x10").fill("xo-territory", "4")
    browser.send("/challenges")
    assert "Board and territory: allows a board such as 7x12" in browser.text
    assert browser.one("[name=xo-territory]").get_attribute("value") == "4"
    browser.fill("xo-board", "9x10").send("/challenges")
    assert "Board size" in browser.text and "9x10" in browser.text
    [made] = [one for one in blue.get("/v1/challenges?list=outgoing").json()["challenges"] if one["rules"] == "xo"]
    assert made["options"] == {"board": "9x10", "territory": 4}
    game = red.post(f"/v1/challenges/{made['id']}/accept").json()["game"]
    page = enter(red).get(f"/games/{game['id']}")
    assert "Board size9x10" in page.words().replace(" 9", "9")
    browser.open("/challenges/new")
    browser.fill("rules", "ordo").fill("xo-board", "99x10").send("/challenges")
    assert browser.path.endswith("done=challenge-made"), "what is asked of another game does not matter"
