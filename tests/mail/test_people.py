"""People who own nothing but a mailbox: invitations answered by mail, guests and their claim, mails that are held."""

import itertools
import re

import pytest

from harness.accounts import addresses_of, mail_to, refused
from harness.api import code_of
from harness.blocked import eventually
from harness.inbound import DOMAIN, letter, move_address, secret
from harness.visitor import Visitor, new_session

INBOUND = {"mail_authserv_id": "mx.example.org"}

_numbers = itertools.count(1)
TRUSTED = {"Authentication_Results": "mx.example.org; dmarc=pass header.from=example.org"}


@pytest.fixture
def host(api):
    return api.sign_up(f"Host {next(_numbers)}")


def invite(host, email=None, language="en", **wishes):
    """An invitation by mail; its challenge and the address."""
    email = email or f"friend.{next(_numbers)}@example.net"
    wanted = {"email": email, "rules": "ordo", "seat": "second", "language": language, **wishes}
    return host.ask("POST", "/v1/challenges", wanted)["id"], email


def invite_address(challenge):
    return f"invite+c{challenge}.{secret('invite', challenge)}@{DOMAIN}"


def answer(inbound, challenge, email, text, **headers):
    """Answers an invitation by mail; the inbox row."""
    to = invite_address(challenge)
    inbound.deliver(letter(text, email, to, **headers), to)
    return inbound.last()


GUESTS = [("en", "yes", "Guest"), ("es", "sí", "Invitado"), ("fr", "oui", "Invité"), ("ru", "да", "Гость"), ("de", "ja", "Gast")]


@pytest.mark.sampled
@pytest.mark.parametrize(("language", "word", "name"), GUESTS)
def test_one_word_by_mail_makes_a_guest_who_plays(host, inbound, catcher, database, language, word, name):
    challenge, email = invite(host, language=language)
    invitation = catcher.wait_for(email)
    assert invitation["Reply-To"] == invite_address(challenge)
    row = answer(inbound, challenge, email, word)
    assert (row["disposition"], row["problem"]) == ("accept", None), row
    started = catcher.wait_for(email, 2)
    assert started.text.count(name) >= 1
    guest, guest_language, is_guest = database.rows(
        "SELECT player.name, player.language, guest FROM player JOIN address ON player_id = player.id WHERE email = %s", (email,)
    )[0]
    assert re.fullmatch(rf"{name} \d+", guest)
    assert (guest_language, is_guest) == (language, True)
    game = host.ask("GET", f"/v1/challenges/{challenge}")["game_id"]
    inbound.reply("c2-c4", game, 1, 1, email)
    assert eventually(lambda: host.game(game)["ply"] == 1 or None)
    again = answer(inbound, challenge, email, word)
    assert (again["answer"]["kind"], again["answer"]["game"]) == ("accepted", game)


@pytest.mark.parametrize("words", ["Hello, who are you?", "help"])
def test_who_asks_first_may_still_say_yes_to_the_answer(host, inbound, catcher, words):
    challenge, email = invite(host, language="de")
    catcher.wait_for(email)
    answer(inbound, challenge, email, words)
    told = catcher.wait_for(email, 2)
    assert told["Reply-To"] == invite_address(challenge)
    assert "ja" in told.text
    assert (answer(inbound, challenge, email, "ja")["disposition"]) == "accept"
    assert host.ask("GET", f"/v1/challenges/{challenge}")["state"] == "accepted"


def test_a_guest_who_signs_up_keeps_the_games(api, host, inbound, catcher):
    challenge, email = invite(host)
    answer(inbound, challenge, email, "yes")
    catcher.wait_for(email, 2)
    game = host.ask("GET", f"/v1/challenges/{challenge}")["game_id"]
    name = f"Claimed {next(_numbers)}"
    with mail_to(catcher, email) as mail:
        api.ask("POST", "/v1/players", {"email": email, "name": name, "language": "de", "time_zone": "Europe/Vienna"})
        code = code_of(mail())
    player = api.confirm(code, email)
    assert (player.player["name"], player.player["guest"], player.player["language"]) == (name, False, "de")
    assert [row["id"] for row in player.ask("GET", "/v1/games?mine=true")["games"]] == [game]
    assert player.play(game, "c2-c4").status_code == 201
    with mail_to(catcher, email) as mail:
        api.ask("POST", "/v1/players", {"email": email, "name": name + " X", "language": "de"})
        assert "schon" in mail().text or "bereits" in mail().text


def test_a_guest_logs_in_and_chooses_a_name(api, host, inbound, catcher, database):
    challenge, email = invite(host)
    answer(inbound, challenge, email, "yes")
    catcher.wait_for(email, 2)
    player = api.log_in(email)
    assert player.player["guest"] is True
    page = Visitor(api.url)
    page.cookies["ludopost_session"] = new_session(database, player.player["id"])
    assert "You play under a name of ours" in page.get("/games").words()
    changed = player.ask("PATCH", "/v1/me", {"language": "fr"})
    assert changed["guest"] is True
    changed = player.ask("PATCH", "/v1/me", {"name": f"Chosen {next(_numbers)}"})
    assert changed["guest"] is False


def test_no_by_mail_declines_and_is_confirmed(host, inbound, catcher):
    challenge, email = invite(host, language="es")
    catcher.wait_for(email)
    row = answer(inbound, challenge, email, "no")
    assert row["answer"]["kind"] == "invitation-declined"
    assert "rechazado" in catcher.wait_for(email, 2).text
    assert host.ask("GET", f"/v1/challenges/{challenge}")["state"] == "declined"
    catcher.wait_for(host.email, 2)


def test_never_is_honoured_whoever_asks_and_however(api, host, inbound, catcher, database):
    challenge, email = invite(host)
    catcher.wait_for(email)
    answer(inbound, challenge, email, "never")
    assert host.ask("GET", f"/v1/challenges/{challenge}")["state"] == "declined"
    other = api.sign_up(f"Other {next(_numbers)}")
    again, _ = invite(other, email.upper())
    api.ask("POST", "/v1/players", {"email": email, "name": f"Forged {next(_numbers)}", "language": "en"})
    api.ask("POST", "/v1/logins", {"email": email})
    answer(inbound, again, "stranger@example.net", "yes")
    query = "SELECT count(*) FROM delivery JOIN address ON address.id = address_id WHERE email = %s AND delivery.state <> 'dropped'"
    assert database.value(query, (email,)) == 1
    with mail_to(catcher, host.email) as mail:
        api.ask("POST", "/v1/logins", {"email": host.email})
        mail()
    assert len(catcher.to(email)) + len(catcher.to(email.upper())) == 1


def test_a_guest_who_says_never_gets_no_more_mails_about_games(host, inbound, catcher, database):
    challenge, email = invite(host)
    answer(inbound, challenge, email, "yes")
    catcher.wait_for(email, 2)
    row = answer(inbound, challenge, email, "never")
    assert row["answer"]["kind"] == "silenced", row
    assert database.value(
        "SELECT mail_stopped_at IS NOT NULL FROM player JOIN address ON player_id = player.id WHERE email = %s", (email,)
    )


def test_one_player_invites_only_so_many_a_day_and_one_friend_only_so_often(start_process, database, catcher, host):
    server = start_process("serve", database, catcher, rate_invitation="4/1d", rate_invitation_same="2/1d")
    host.url = server.url
    for _ in range(2):
        invite(host, "twice@example.net")
    wanted = {"email": "twice@example.net", "rules": "ordo"}
    problem = host.post("/v1/challenges", wanted)
    refused(problem, 429, "rate-limited")
    assert int(problem.headers["Retry-After"]) > 3600
    refused(host.post("/v1/challenges", {**wanted, "email": "TWICE@example.net"}), 429, "rate-limited")
    invite(host)
    invite(host)
    refused(host.post("/v1/challenges", {**wanted, "email": "fifth@example.net"}), 429, "rate-limited")


# ---- mails that are held ----


@pytest.fixture
def playing(api, host):
    """(game, host, friend): the host has seat 1."""
    friend = api.sign_up(f"Friend {next(_numbers)}", language="fr")
    game = host.start_game(friend)
    for player in (host, friend):
        api.catcher.wait_for(player.email, 2)
    return game, host, friend


def held_link(mail):
    [link] = [link for link in mail.links() if "/confirm/" in link]
    return re.sub("^https?://[^/]*", "", link)


def test_a_turn_from_a_strange_address_is_played_once_its_player_says_so(playing, inbound, catcher, server):
    game, host, _ = playing
    with mail_to(catcher, host.email) as mail:
        row = inbound.reply("c2-c4", game, 1, 1, "elsewhere@example.com")
        assert (row["disposition"], row["reason"]) == ("hold", "from-mismatch")
        held = mail()
    assert held.subject == "[Ludopost] Is this mail yours?"
    assert "elsewhere@example.com" in held.text and "c2-c4" in held.text and f"Game {game}" in held.text
    assert catcher.to("elsewhere@example.com") == []
    visitor = Visitor(server.url)
    page = visitor.get(held_link(held))
    assert page.heading == "Is this mail yours?"
    assert "elsewhere@example.com" in page.words() and "c2-c4" in page.words()
    assert host.game(game)["ply"] == 0
    with mail_to(catcher, host.email) as mail:
        done = visitor.send(page, held_link(held))
        assert (done.status, done.heading) == (200, "Thank you")
        assert "ludopost_session" not in visitor.cookies
        assert "c2-c4" in mail().text
    assert host.game(game)["ply"] == 1
    assert host.ask("GET", f"/v1/games/{game}/turns")["turns"][0]["channel"] == "mail"
    assert visitor.send(page, held_link(held)).status == 410
    assert host.game(game)["ply"] == 1


def test_a_mail_that_is_confirmed_too_late_is_answered_all_the_same(playing, inbound, catcher, api):
    game, host, _ = playing
    with mail_to(catcher, host.email) as mail:
        inbound.reply("c2-c4", game, 1, 1, "elsewhere@example.com")
        code = code_of(mail())
    host.play(game, "d2-d4")
    with mail_to(catcher, host.email) as mail:
        assert api.ask("POST", "/v1/logins/confirm", {"code": code})["did"] == "mail-acted"
        assert "the game has moved on" in " ".join(mail().text.split())
    assert host.game(game)["ply"] == 1


def test_many_forged_mails_about_a_turn_ask_once_an_hour(playing, inbound, catcher, database):
    game, host, _ = playing
    for text in ("c2-c4", "c2-c3", "resign"):
        inbound.reply(text, game, 1, 1, "forger@example.com")
    query = "SELECT count(*) FROM event JOIN delivery ON event_id = event.id WHERE event.kind = 'mail.held' AND player_id = %s"
    assert database.value(query.replace("player_id", "delivery.player_id"), (host.player["id"],)) == 1
    assert host.game(game)["ply"] == 0


def test_a_code_by_rest_lets_a_mail_act_and_gives_no_token(playing, inbound, catcher, api):
    game, host, _ = playing
    with mail_to(catcher, host.email) as mail:
        inbound.reply("resign", game, 1, 1, "elsewhere@example.com")
        code = code_of(mail())
    answer = api.ask("POST", "/v1/logins/confirm", {"code": code})
    assert (answer["did"], answer["player"]["id"]) == ("mail-acted", host.player["id"])
    assert "token" not in answer
    assert host.game(game)["reason"] == "resign"


def play_letter(inbound, player, text, **headers):
    to = f"play@{DOMAIN}"
    inbound.deliver(letter(text, player.email, to, **headers), to)
    return inbound.last()


def test_commands_without_a_game_are_held_once_then_trusted_while_our_mail_server_vouches(playing, inbound, catcher, api, database):
    game, host, _ = playing
    with mail_to(catcher, host.email) as mail:
        row = play_letter(inbound, host, f"move {game} c2-c4", **TRUSTED)
        assert (row["disposition"], row["reason"]) == ("hold", "no-secret"), row
        code = code_of(mail())
    assert api.ask("POST", "/v1/logins/confirm", {"code": code})["did"] == "mail-acted"
    assert host.game(game)["ply"] == 1
    assert play_letter(inbound, host, "games", **TRUSTED)["disposition"] == "accept"
    query = "SELECT count(*) FROM event WHERE kind = 'mail.answer' AND inbox_id = %s"
    for wrong in ("games 7", f"challenge {host.player['name'].replace(' ', '')} chess", "language klingon"):
        row = play_letter(inbound, host, wrong, **TRUSTED)
        assert database.value(query, (row["id"],)) == 1, row
    assert play_letter(inbound, host, "games")["disposition"] == "hold"
    assert addresses_of(host)[host.email]["state"] == "confirmed"


def test_a_held_mail_nobody_confirms_never_acts(playing, inbound, catcher, api, database):
    game, host, _ = playing
    with mail_to(catcher, host.email) as mail:
        inbound.reply("c2-c4", game, 1, 1, "elsewhere@example.com")
        code = code_of(mail())
    database.set_clock("4 days")
    try:
        refused(api.post("/v1/logins/confirm", {"code": code}), 410, "code-expired")
    finally:
        database.set_clock("0")
    assert host.game(game)["ply"] == 0


def test_move_address_is_what_the_service_makes(playing, catcher):
    game, host, _ = playing
    started = [mail for mail in catcher.to(host.email) if f"Game {game}" in mail.subject][0]
    assert started["Reply-To"] == move_address(game, 1, 1)
