"""Pages that mails lead to: invitations, challenges, and the end of mails."""

import re

import requests


def path_of(catcher, email, part, count=1):
    [link] = {link.split("#")[0] for link in catcher.wait_for(email, count).links() if part in link}
    return re.sub("^http://[^/]*", "", link)


def invite(player, email, **options):
    return player.ask("POST", "/v1/challenges", {"email": email, "rules": "ordo", "seat": "first", **options})


def test_somebody_without_an_account_accepts_an_invitation(open_browser, new_player, catcher, database):
    host = new_player("Wendelin")
    invite(host, "yves@example.org", language="fr", message="On <joue> ?")
    browser = open_browser("en")
    browser.open(path_of(catcher, "yves@example.org", "/invitations/"))
    assert browser.one("html").get_attribute("lang") == "fr"
    assert browser.heading == "Wendelin vous invite à Ordo" and "On <joue> ?" in browser.text
    form = "form:has([name=name])"
    browser.fill("name", "Yves", form).fill("time_zone", "Europe/Paris", form).press(f"{form} button")
    assert browser.path.endswith("?done=signed-up") and browser.path.startswith("/games/")
    assert "Vous êtes connecté en tant que Yves." in browser.text
    browser.open("/settings")
    assert "yves@example.org" in browser.text
    assert database.rows("SELECT language, time_zone FROM player WHERE name = 'Yves'") == [("fr", "Europe/Paris")]


def test_an_invitation_accepted_twice_makes_one_game_and_lets_nobody_in_again(visitor, server, new_player, catcher, database):
    host = new_player()
    challenge = invite(host, "zoe@example.org")
    path = path_of(catcher, "zoe@example.org", "/invitations/")
    page = visitor.get(path)
    values = {**page.form_of("accept"), "name": "Zoe"}
    first = visitor.post(path, values)
    assert first.status == 303
    visitor.cookies.pop("ludopost_session")
    again = visitor.post(path, values)
    assert "ludopost_session" not in visitor.cookies
    assert again.status == 200 and "log in with it to play" in again.words()
    count = database.value("SELECT count(*) FROM game WHERE id = (SELECT game_id FROM challenge WHERE id = %s)", (challenge["id"],))
    assert count == 1


def test_a_name_that_is_taken_is_asked_for_again(visitor, new_player, catcher):
    host = new_player("Ylva")
    invite(host, "ylva.too@example.org")
    path = path_of(catcher, "ylva.too@example.org", "/invitations/")
    page = visitor.post(path, {**visitor.get(path).form_of("accept"), "name": "YLVA"})
    assert page.status == 409 and "already has this name" in page.words()


def test_an_invitation_is_declined(visitor, new_player, catcher, database):
    challenge = invite(new_player(), "anton@example.org")
    path = path_of(catcher, "anton@example.org", "/invitations/")
    page = visitor.get(path)
    assert visitor.post(path, page.form_of("decline")).location == path + "?done=challenge-declined"
    assert "This challenge was declined." in visitor.get(path).words()
    assert database.value("SELECT state FROM challenge WHERE id = %s", (challenge["id"],)) == "declined"
    late = visitor.post(path, {**page.form_of("accept"), "name": "Anton"})
    assert late.status == 409


def test_never_again_holds_until_it_is_taken_back(visitor, new_player, catcher, database):
    invite(new_player(), "berta@example.org", language="de")
    path = path_of(catcher, "berta@example.org", "/invitations/")
    page = visitor.get(path)
    visitor.follow(visitor.post(path, page.form_of("never")))
    state = "SELECT state FROM address WHERE email = 'berta@example.org'"
    assert database.value(state) == "never"
    page = visitor.get(path)
    assert visitor.post(path, page.form_of("allow")).status == 303
    assert database.value(state) == "new"


def test_a_wrong_secret_opens_nothing(visitor, new_player, catcher):
    challenge = invite(new_player(), "carl@example.org")
    path = path_of(catcher, "carl@example.org", "/invitations/")
    token = visitor.get(path).form_of("never")
    wrong = f"/invitations/{challenge['id']}/" + "a" * 16
    assert visitor.get(wrong).status == 404
    assert visitor.post(wrong, token).status == 404


def test_an_open_challenge_asks_strangers_to_log_in(visitor, enter, new_player):
    maker, taker = new_player("Dagmar"), new_player()
    challenge = maker.ask("POST", "/v1/challenges", {"rules": "ordo", "seat": "random"})
    path = f"/challenges/{challenge['id']}"
    assert path in visitor.get("/").links()
    page = visitor.get(path)
    assert "Log in or sign up to accept." in page.words() and page.all("form") == []
    own = enter(maker)
    assert [form.get("action") for form in own.get(path).all("main//form")] == [path + "/cancel"]
    other = enter(taker)
    assert other.send(other.get(path), path + "/accept").status == 303
    assert "This challenge was accepted." in own.get(path).words()


def test_who_owns_an_address_is_not_told_before_the_game(enter, new_player, database):
    maker, owner = new_player(), new_player("Hidden")
    email = database.value("SELECT email FROM address WHERE player_id = %s", (owner.player["id"],))
    challenge = invite(maker, email)
    visitor = enter(maker)
    for path in ("/games", f"/challenges/{challenge['id']}"):
        words = visitor.get(path).words()
        assert email in words and "Hidden" not in words
    assert enter(owner).get(f"/challenges/{challenge['id']}").status == 200


def test_a_challenge_between_players_is_nobody_elses(visitor, enter, new_player):
    maker, taker, stranger = new_player(), new_player(), new_player()
    challenge = maker.ask("POST", "/v1/challenges", {"opponent": taker.player["name"], "rules": "ordo", "seat": "first"})
    path = f"/challenges/{challenge['id']}"
    assert visitor.get(path).location == f"/login?next=%2Fchallenges%2F{challenge['id']}"
    assert visitor.get("/challenges/999999").location == "/login?next=%2Fchallenges%2F999999"
    assert enter(stranger).get(path).status == 404
    other = enter(taker)
    page = other.get(path)
    declined = other.send(page, path + "/decline")
    assert "This challenge was declined." in other.follow(declined).words()
    assert other.send(page, path + "/accept").status == 409


# ---- the end of mails ----------------------------------------------------------------------


def unsubscribe_path(catcher, database, player, opponent):
    game_id = opponent.start_game(player, seat="second")
    email = database.value("SELECT email FROM address WHERE player_id = %s", (player.player["id"],))
    mail = catcher.wait(lambda one: [mail for mail in one.to(email) if f"/games/{game_id}" in mail.text])[0]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return re.search(r"<http://[^/]*(/unsubscribe/[^>]*)>", mail["List-Unsubscribe"]).group(1)


def stopped(database, player):
    return database.value("SELECT mail_stopped_at IS NOT NULL FROM player WHERE id = %s", (player.player["id"],))


def test_mails_are_stopped_and_started_by_a_button(open_browser, new_player, catcher, database):
    player = new_player("Edda", language="es")
    path = unsubscribe_path(catcher, database, player, new_player())
    browser = open_browser("ru")
    browser.open(path)
    assert browser.one("html").get_attribute("lang") == "es" and not stopped(database, player)
    browser.press("main form button")
    assert stopped(database, player)
    browser.press("main form button")
    assert not stopped(database, player)


def test_one_click_needs_neither_cookie_nor_token(server, new_player, catcher, database):
    player = new_player("Egon")
    path = unsubscribe_path(catcher, database, player, new_player())
    for method in ("GET", "HEAD", "GET"):
        assert requests.request(method, server.url + path, timeout=30).status_code == 200
        assert not stopped(database, player)
    other = requests.post(server.url + path, data={"mail": "no"}, timeout=30)
    assert other.status_code == 403 and not stopped(database, player)
    answer = requests.post(server.url + path, data={"List-Unsubscribe": "One-Click"}, timeout=30)
    assert answer.status_code == 200 and not answer.history and stopped(database, player)
    database.rows("UPDATE player SET mail_stopped_at = NULL")
    parts = requests.post(server.url + path, files={"List-Unsubscribe": (None, "One-Click")}, timeout=30)
    assert parts.status_code == 200 and stopped(database, player)


def test_a_wrong_secret_stops_nothing(server, new_player, catcher, database):
    player, other = new_player(), new_player()
    path = unsubscribe_path(catcher, database, player, new_player())
    wrong = path.replace(f"/{player.player['id']}/", f"/{other.player['id']}/")
    for url in (wrong, path[:-1] + ("a" if path[-1] != "a" else "b")):
        answer = requests.post(server.url + url, data={"List-Unsubscribe": "One-Click"}, timeout=30)
        assert answer.status_code == 404
    assert not stopped(database, player) and not stopped(database, other)
