"""Pages about people: privacy, remarks, guests and addresses that cannot be reached."""

import pytest

from harness.visitor import Visitor

WORDS = {"en": "Privacy", "es": "Privacidad", "fr": "Données personnelles", "ru": "Личные данные", "de": "Datenschutz"}
NEVER = {"en": "never", "es": "nunca", "fr": "jamais", "ru": "никогда", "de": "nie"}


@pytest.mark.parametrize("language", list(WORDS))
def test_every_page_leads_to_what_is_kept_in_the_readers_language(server, language):
    visitor = Visitor(server.url, language)
    for path in ("/", "/rules", "/login"):
        page = visitor.get(path)
        assert "/privacy" in page.links() and WORDS[language] in page.words("footer")
    page = visitor.get("/privacy")
    assert (page.status, page.lang) == (200, language)
    assert NEVER[language] in page.words() and "30" in page.words()
    assert "postmaster@play.example.org" in page.words()


def test_remarks_are_switched_off_and_on_in_the_settings(open_browser, enter, new_player, server):
    player = new_player()
    visitor = enter(player)
    page = visitor.get("/settings")
    assert "is shown to the opponent" in page.words()
    assert visitor.send(page, "/settings/remarks", remarks="no").status == 303
    assert player.ask("GET", "/v1/me")["remarks"] is False
    page = visitor.get("/settings")
    assert "is not passed on" in page.words()
    browser = open_browser()
    browser.open("/")
    browser.driver.add_cookie({"name": "ludopost_session", "value": visitor.cookies["ludopost_session"]})
    browser.open("/settings").send("/settings/remarks")
    assert "Saved." in browser.text
    assert player.ask("GET", "/v1/me")["remarks"] is True


def test_remarks_are_switched_by_rest(new_player):
    player = new_player()
    assert player.ask("GET", "/v1/me")["remarks"] is True
    assert player.ask("PATCH", "/v1/me", {"remarks": False})["remarks"] is False
    assert player.ask("PATCH", "/v1/me", {"language": "de"})["remarks"] is False
    assert player.patch("/v1/me", {"remarks": "no"}).status_code == 422


@pytest.mark.parametrize("column", ["guest", "dead"])
def test_pages_remind_of_what_is_to_be_mended(enter, new_player, database, column):
    player = new_player()
    visitor = enter(player)
    quiet = visitor.get("/games").words()
    if column == "guest":
        database.rows("UPDATE player SET guest = true WHERE id = %s", (player.player["id"],))
    else:
        database.rows("UPDATE address SET state = 'dead' WHERE player_id = %s", (player.player["id"],))
    told = visitor.get("/games").words()
    word = "under a name of ours" if column == "guest" else "come back"
    assert word not in quiet and word in told
