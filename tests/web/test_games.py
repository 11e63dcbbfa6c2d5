"""The page of a game: boards at any ply, turns, results, forms for playing, what was mailed."""

import pytest


@pytest.fixture(scope="module")
def white(new_player):
    return new_player("Wanda")


@pytest.fixture(scope="module")
def black(new_player):
    return new_player("Boris", language="ru")


@pytest.fixture
def game_id(white, black):
    return white.start_game(black)


def play(game_id, *turns):
    for player, turn in turns:
        assert player.play(game_id, turn).status_code == 201


def picture(page):
    [image] = [image for image in page.all("img") if image.get("class") == "board"]
    return image


def test_a_game_is_shown_at_every_ply(visitor, white, black, game_id):
    play(game_id, (white, "c2-c3"), (black, "c7-c6"), (white, "a3-a4"))
    for ply, caption in enumerate(["The board at the start", "After turn 1: c2-c3", "After turn 2: c7-c6", "After turn 3: a3-a4"]):
        page = visitor.get(f"/games/{game_id}?ply={ply}")
        assert caption in page.words("figcaption")
        image = picture(page)
        assert image.get("alt") == "Ordo board. White, 20 stones; Black, 20 stones."
        drawn = visitor.get(image.get("src"))
        assert drawn.status == 200 and drawn.response.headers["Content-Type"] == "image/svg+xml"
        assert drawn.text == visitor.get(f"/v1/games/{game_id}/board.svg?ply={ply}").text
    now = visitor.get(f"/games/{game_id}")
    assert now.words("figcaption") == "After turn 3: a3-a4 · Wanda (White): a3 moves to a4."
    assert "Boris (Black) is to move." in now.words()
    rows = ["|".join("".join(cell.itertext()) for cell in row) for row in now.all("tbody/tr")]
    assert rows == ["1|c2-c3|White|c2 moves to c3", "2|c7-c6|Black|c7 moves to c6", "3|a3-a4|White|a3 moves to a4"]


def test_the_way_through_a_game(open_browser, white, black, game_id):
    play(game_id, (white, "c2-c3"), (black, "c7-c6"))
    browser = open_browser()
    browser.open(f"/games/{game_id}")
    steps = []
    for name in ("Back", "Back", "Forward", "Start", "Now"):
        [link] = [link for link in browser.all(".plies a") if link.text == name]
        browser.driver.get(link.get_attribute("href"))
        steps.append(browser.path)
        assert browser.driver.execute_script("return document.querySelector('img.board').naturalWidth") > 0
    assert [step.split("ply=")[1] for step in steps] == ["1", "0", "1", "0", "2"]


@pytest.mark.parametrize("ply", ["3", "99999999999", "-1", "x"])
def test_a_board_that_never_was_is_not_shown(visitor, white, black, game_id, ply):
    play(game_id, (white, "c2-c3"))
    assert visitor.get(f"/games/{game_id}?ply={ply}").status in (400, 404)


def test_a_turn_is_played_by_the_form(open_browser, server, database, white, black, game_id):
    browser = open_browser()
    browser.open("/")
    browser.driver.add_cookie(session_cookie(database, white))
    browser.open(f"/games/{game_id}")
    assert "It is your turn." in browser.text
    browser.fill("turn", "C2 – c3", ".turn-form").send(f"/games/{game_id}/turns")
    assert browser.path == f"/games/{game_id}?done=turn-played"
    assert "Your turn was played." in browser.text and "Boris (Black) is to move." in browser.text
    assert browser.all(".turn-form") == []
    assert database.rows("SELECT text, channel FROM turn WHERE game_id = %s", (game_id,)) == [("c2-c3", "web")]


def session_cookie(database, player):
    from harness.visitor import new_session

    return {"name": "ludopost_session", "value": new_session(database, player.player["id"]), "path": "/", "secure": True}


def test_a_refused_turn_is_explained_with_legal_ones_near_it(enter, white, game_id):
    visitor = enter(white)
    page = visitor.get(f"/games/{game_id}")
    refused = visitor.send(page, f"/games/{game_id}/turns", turn="c2-c9")
    assert refused.status == 400
    [alert] = refused.all("div[@role='alert']")
    words = "".join(alert.itertext())
    assert "There is no such square on this board." in words
    assert "Legal turns close to it" in words
    [link, *_] = refused.all("div[@role='alert']//a")
    nearest = link.text
    filled = visitor.get(link.get("href"))
    assert filled.form(f"/games/{game_id}/turns")["turn"] == nearest
    assert refused.form(f"/games/{game_id}/turns")["turn"] == "c2-c9"
    illegal = visitor.send(refused, f"/games/{game_id}/turns", turn="c7-c6")
    assert illegal.status == 422 and "belongs to your opponent" in illegal.words()
    assert visitor.send(illegal, f"/games/{game_id}/turns", turn=nearest).status == 303


def test_a_form_sent_twice_plays_once(enter, white, black, game_id, database):
    visitor = enter(white)
    page = visitor.get(f"/games/{game_id}")
    for _ in range(2):
        assert visitor.send(page, f"/games/{game_id}/turns", turn="c2-c3").status == 303
    other = visitor.send(page, f"/games/{game_id}/turns", turn="a2-b3")
    assert other.status == 409 and "Another turn was already played with this number." in other.words()
    assert database.value("SELECT count(*) FROM turn WHERE game_id = %s", (game_id,)) == 1


def test_resigning_needs_a_second_thought(enter, white, black, game_id, visitor):
    player = enter(black, "fr")
    page = player.get(f"/games/{game_id}")
    refused = player.send(page, f"/games/{game_id}/resign")
    assert refused.status == 422 and white.game(game_id)["phase"] == "play"
    done = player.send(page, f"/games/{game_id}/resign", sure="yes")
    assert done.location == f"/games/{game_id}?done=resigned"
    shown = visitor.get(f"/games/{game_id}")
    assert "Wanda wins by resignation." in shown.words()
    assert shown.all("form") == []


def test_private_games_are_for_their_players_only(enter, visitor, white, black, new_player):
    game_id = white.start_game(black, visibility="private")
    stranger = enter(new_player())
    for somebody in (visitor, stranger):
        for path in (f"/games/{game_id}", f"/games/{game_id}/board.svg", f"/games/{game_id}?ply=0"):
            page = somebody.get(path)
            assert page.status == 404 and page.heading == "Not found"
    forged = stranger.post(f"/games/{game_id}/turns", {**stranger.get("/games").form("/logout"), "ply": "1", "turn": "c2-c3"})
    assert forged.status == 404
    page = enter(black).get(f"/games/{game_id}")
    assert page.status == 200
    board = enter(black).get(picture(page).get("src"))
    assert board.status == 200 and "private" in board.response.headers["Cache-Control"]
    assert "ply=0&orientation=2" in picture(page).get("src")


def test_players_see_what_was_mailed_to_them(enter, visitor, white, black, game_id, catcher, database):
    play(game_id, (white, "c2-c3"))
    email = database.value("SELECT email FROM address WHERE player_id = %s", (black.player["id"],))
    catcher.wait(lambda one: any(f"/games/{game_id}" in mail.text and "c2-c3" in mail.text for mail in one.to(email)))
    wait_sent(database, game_id)
    page = enter(black).get(f"/games/{game_id}")
    tables = ["".join(table.itertext()) for table in page.all("table")]
    assert email in tables[-1] and "Ваш ход" in tables[-1] and "принято почтовым сервером" in tables[-1]
    assert "queued as" in tables[-1]
    mine = enter(white).get(f"/games/{game_id}")
    assert email not in mine.text
    assert "Mails sent to you" not in visitor.get(f"/games/{game_id}").words()


def wait_sent(database, game_id, seconds=20):
    import time

    deadline = time.monotonic() + seconds
    waiting = "SELECT count(*) FROM delivery WHERE game_id = %s AND state IN ('pending', 'sending', 'retry')"
    while database.value(waiting, (game_id,)) > 0:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_opponent_whom_no_mail_reaches_is_named(enter, visitor, white, new_player, database):
    unreachable = new_player("Ulla")
    game_id = white.start_game(unreachable)
    warning = "No mail reaches Ulla at present"
    assert warning not in enter(white).get(f"/games/{game_id}").words()
    database.rows("UPDATE address SET state = 'dead' WHERE player_id = %s", (unreachable.player["id"],))
    assert warning in enter(white).get(f"/games/{game_id}").words()
    assert warning not in visitor.get(f"/games/{game_id}").words()


def test_my_games_come_with_those_that_wait_for_me_first(enter, white, black, new_player):
    player = new_player("Xenia")
    mine = player.start_game(black)
    theirs = player.start_game(white, seat="second")
    page = enter(player).get("/games")
    words = page.words()
    assert words.index("It is your turn") < words.index(f"Ordo {mine}") < words.index("Games in progress")
    assert f"/games/{theirs}" in page.links()


def test_a_long_game_is_shown_in_parts(visitor, white, black, game_id, database):
    """240 turns as the database would hold them; the same one again and again serves as well."""
    play(game_id, (white, "c2-c3"), (black, "c7-c6"))
    database.rows(
        "INSERT INTO turn (game_id, ply, seat, player_id, text, board, board_key, channel)"
        " SELECT game_id, ply + 2 * n, seat, player_id, text, board, board_key, channel"
        " FROM turn, generate_series(1, 119) AS n WHERE game_id = %s",
        (game_id,),
    )
    database.rows("UPDATE game SET ply = 240 WHERE id = %s", (game_id,))
    database.rows("UPDATE turn SET board = (SELECT start_board FROM game WHERE id = %s) WHERE game_id = %s", (game_id, game_id))
    database.rows("UPDATE turn SET text = 'a3-a4' WHERE game_id = %s", (game_id,))
    for ply, shown in ((1, range(1, 101)), (100, range(1, 101)), (101, range(101, 201)), (240, range(201, 241))):
        page = visitor.get(f"/games/{game_id}?ply={ply}")
        assert [int(row[0].text) for row in page.all("tbody/tr")] == list(shown)
        assert [row[0].text for row in page.all("tr[@class='shown']")] == [str(ply)]
        numbers = {int(link.split("ply=")[1]) for link in page.links() if "?ply=" in link}
        assert shown[0] == 1 or shown[0] - 1 in numbers
        assert shown[-1] == 240 or shown[-1] + 1 in numbers
