"""Challenges between players who write mails: answered by a plain reply, made with names of several words."""

import itertools
import re

import pytest

from harness.accounts import mail_to
from harness.api import code_of
from harness.inbound import DOMAIN, letter, secret
from harness.server import Process

INBOUND = {"inbound": "yes", "mail_authserv_id": "mx.example.org"}

_numbers = itertools.count(1)
TRUSTED = {"Authentication_Results": "mx.example.org; dmarc=pass header.from=example.org"}
# By language: to accept, to decline, and how the mail says it.
WORDS = {
    "en": (["yes", "Accept"], ["no", "i decline"], "one word: yes or no."),
    "es": (["Sí", "aceptar"], ["no", "rechazar"], "una palabra: sí o no."),
    "fr": (["oui", "j’accepte"], ["Non.", "refuser"], "seul mot : oui ou non."),
    "ru": (["да", "принять"], ["нет", "отклонить"], "одним словом: да или нет."),
    "de": (["Ja", "annehmen"], ["nein", "ich lehne ab"], "einem Wort: ja oder nein."),
}
LANGUAGES = list(WORDS)


@pytest.fixture(scope="module")
def server(database, catcher):
    one = Process("serve", database, catcher, inbound="yes").start()
    yield one
    one.stop()


@pytest.fixture
def host(api):
    return api.sign_up(f"Host {next(_numbers)}")


def challenge_address(challenge):
    return f"invite+c{challenge}.{secret('invite', challenge)}@{DOMAIN}"


def challenged(api, host, language="en", by_address=False):
    """A player who was challenged, the challenge and the mail about it."""
    player = api.sign_up(f"Bert {next(_numbers)}", language=language)
    whom = {"email": player.email} if by_address else {"opponent": player.player["name"]}
    with mail_to(api.catcher, player.email) as mail:
        challenge = host.ask("POST", "/v1/challenges", {**whom, "rules": "ordo", "seat": "second"})["id"]
        return player, challenge, mail()


def reply(inbound, challenge, sender, text, **headers):
    """Answers the mail about a challenge; the inbox row."""
    to = challenge_address(challenge)
    inbound.deliver(letter(text, sender, to, **headers), to)
    return inbound.last()


def state(player, challenge):
    return player.ask("GET", f"/v1/challenges/{challenge}")["state"]


def caused(inbound, row):
    """How many mails answer one, beside those about the game that began."""
    return inbound.world.value("SELECT count(*) FROM event JOIN delivery ON event_id = event.id WHERE inbox_id = %s", (row["id"],))


def test_a_layout_sent_with_yes_is_said_not_to_be_taken(api, host, inbound):
    player = api.sign_up(f"Bert {next(_numbers)}")
    wish = {"opponent": player.player["name"], "rules": "xo", "seat": "second"}
    challenge = host.ask("POST", "/v1/challenges", wish)["id"]
    row = reply(inbound, challenge, player.email, "yes\n\nlayout\nvhzvhzv\nn+vznhng\nvz+zhnhz\n")
    assert state(player, challenge) == "accepted" and row["command"] == "yes"
    assert inbound.answers()[-1][2]["kind"] == "layout-not-taken"
    assert inbound.world.rows("SELECT 1 FROM setup_step") == []


@pytest.mark.sampled
@pytest.mark.parametrize("by_address", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_challenge_is_accepted_by_a_plain_reply(api, host, inbound, catcher, language, by_address):
    accept, _, how = WORDS[language]
    player, challenge, mail = challenged(api, host, language, by_address)
    assert mail["Reply-To"] == challenge_address(challenge)
    assert mail.text.startswith("=-=-= ")
    assert how in re.sub(r"\s+", " ", mail.text)
    quoted = "\n".join("> " + line for line in mail.text.splitlines())
    with mail_to(catcher, player.email) as answer:
        row = reply(inbound, challenge, player.email, f"{accept[by_address]}\n\n{quoted}\n")
        assert (row["disposition"], row["problem"], row["player_id"]) == ("accept", None, player.player["id"]), row
        started = answer()
    game = host.ask("GET", f"/v1/challenges/{challenge}")["game_id"]
    assert started["Reply-To"].startswith(f"move+g{game}.t1.")
    assert caused(inbound, row) == 0
    with mail_to(catcher, player.email) as answer:
        again = reply(inbound, challenge, player.email, accept[0])
        assert (again["answer"]["kind"], again["answer"]["game"]) == ("accepted", game)
        assert str(game) in answer().text
    assert inbound.world.value("SELECT count(*) FROM game JOIN seat ON game_id = id WHERE player_id = %s", (player.player["id"],)) == 1
    late = reply(inbound, challenge, player.email, WORDS[language][1][0])
    assert (late["disposition"], late["problem"]) == ("accept", "challenge-closed")
    assert host.game(game)["phase"] == "play"


@pytest.mark.sampled
@pytest.mark.parametrize("by_address", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_challenge_is_declined_by_a_plain_reply(api, host, inbound, catcher, language, by_address):
    player, challenge, _ = challenged(api, host, language, by_address)
    with mail_to(catcher, host.email) as told, mail_to(catcher, player.email) as answer:
        row = reply(inbound, challenge, player.email, WORDS[language][1][by_address])
        assert (row["disposition"], row["answer"]["kind"]) == ("accept", "declined"), row
        assert str(challenge) in answer().text and host.player["name"] in answer().text
        told()
    assert state(host, challenge) == "declined"
    assert caused(inbound, row) == 1
    with mail_to(catcher, player.email) as answer:
        row = reply(inbound, challenge, player.email, WORDS[language][0][0])
        assert row["problem"] == "challenge-closed"
        answer()
    assert state(host, challenge) == "declined"


def test_a_challenge_that_was_taken_back_is_answered_honestly(api, host, inbound, catcher):
    player, challenge, _ = challenged(api, host, "de")
    host.ask("POST", f"/v1/challenges/{challenge}/cancel")
    with mail_to(catcher, player.email) as answer:
        assert reply(inbound, challenge, player.email, "ja")["problem"] == "challenge-closed"
        assert "Das ging nicht. " in answer().text
    assert state(host, challenge) == "cancelled"


def test_who_gets_no_mails_about_games_is_told_that_it_began(api, host, inbound, catcher):
    player, challenge, _ = challenged(api, host, "fr")
    player.ask("PATCH", "/v1/me", {"mail": False})
    with mail_to(catcher, player.email) as answer:
        row = reply(inbound, challenge, player.email, "oui")
        assert row["answer"]["kind"] == "accepted"
        game = host.ask("GET", f"/v1/challenges/{challenge}")["game_id"]
        assert str(game) in answer().text
    assert caused(inbound, row) == 1


def test_a_reply_from_elsewhere_asks_the_challenged_player_first(api, host, inbound, catcher):
    player, challenge, _ = challenged(api, host)
    other = api.sign_up(f"Other {next(_numbers)}")
    with mail_to(catcher, player.email) as held:
        row = reply(inbound, challenge, other.email, "no")
        assert (row["disposition"], row["reason"]) == ("hold", "from-mismatch")
        code = code_of(held())
    assert state(host, challenge) == "open"
    with mail_to(catcher, player.email) as answer:
        assert api.ask("POST", "/v1/logins/confirm", {"code": code})["did"] == "mail-acted"
        assert str(challenge) in answer().text
    assert state(host, challenge) == "declined"
    assert not [mail for mail in catcher.to(other.email) if "challenge" in mail.text.lower()]


def test_an_answer_to_the_mail_without_its_address_is_held(api, host, inbound, catcher):
    player, challenge, mail = challenged(api, host)
    with mail_to(catcher, player.email) as held:
        to = f"invite@{DOMAIN}"
        inbound.deliver(letter("yes", player.email, to, In_Reply_To=mail["Message-ID"]), to)
        assert (inbound.last()["disposition"], inbound.last()["reason"]) == ("hold", "no-secret")
        code = code_of(held())
    assert api.ask("POST", "/v1/logins/confirm", {"code": code})["did"] == "mail-acted"
    assert state(host, challenge) == "accepted"


@pytest.mark.parametrize("by_address", [False, True])
def test_a_player_who_says_never_declines_and_gets_no_more_mails_about_games(api, host, inbound, catcher, by_address):
    player, challenge, _ = challenged(api, host, "es", by_address)
    with mail_to(catcher, player.email) as answer:
        row = reply(inbound, challenge, player.email, "nunca")
        assert row["answer"]["kind"] == "silenced"
        answer()
    assert state(host, challenge) == "declined"
    assert player.ask("GET", "/v1/me")["mail"] is False


def test_the_secret_of_a_challenge_opens_no_invitation(api, host, server):
    _, challenge, _ = challenged(api, host)
    assert api.get(f"/v1/invitations/{challenge}?secret={secret('invite', challenge)}").status_code == 404


# ---- names of several words ----


def write(inbound, player, text):
    """A mail to play@ by somebody whose address is trusted."""
    inbound.world.rows("UPDATE address SET mail_trusted_at = clock_now() WHERE email = %s", (player.email,))
    to = f"play@{DOMAIN}"
    inbound.deliver(letter(text, player.email, to, **TRUSTED), to)
    return inbound.last()


NAMES = [
    ("en", "Anna Maria Ostrow", "challenge {} ordo first", "ordo", "first"),
    ("es", "José Luis Ñandú", "reto {} ordox segundo privada", "ordox", "second"),
    ("fr", "Zoé de la Tour", "défi « {} » ordo x premier", "ordox", "first"),
    ("ru", "Анна Ветрова", "вызов {} ordo вторым", "ordo", "second"),
    ("ru", "Ольга Ветрова", "challenge {} ordo", "ordo", "random"),
    ("de", "Ordo Ordo", "fordere „{}“ ordo beginnen", "ordo", "first"),
    ("en", "Ann-Kathrin von Au", 'challenge "{}" ordox', "ordox", "random"),
    ("de", "Solo", "fordere 'SOLO' ordo", "ordo", "random"),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("language", "name", "line", "rules", "seat"), NAMES)
def test_a_name_of_several_words_is_challenged_by_mail(api, inbound, catcher, language, name, line, rules, seat):
    writer = api.sign_up(f"Writer {next(_numbers)}", language=language)
    opponent = api.sign_up(name)
    with mail_to(catcher, opponent.email) as told, mail_to(catcher, writer.email) as answer:
        row = write(inbound, writer, line.format(name))
        assert (row["disposition"], row["problem"], row["answer"]["kind"]) == ("accept", None, "challenged"), row
        assert writer.player["name"] in told().text
        assert name in answer().text
    query = "SELECT rules, seat FROM challenge WHERE opponent_id = %s"
    assert inbound.world.rows(query, (opponent.player["id"],)) == [(rules, seat)]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("words", "options", "told_words"),
    [
        ("xo", "", "Board size: 7x12. Territory depth: 3."),
        ("xo 9x10 4 first", "9x10:4", "Board size: 9x10. Territory depth: 4."),
        ("xo territory 4", "7x12:4", "Board size: 7x12. Territory depth: 4."),
        ("xo доска 9х10", "9x10", "Board size: 9x10. Territory depth: 3."),
    ],
)
def test_board_and_territory_are_chosen_by_mail_and_told(api, host, inbound, catcher, words, options, told_words):
    opponent = api.sign_up(f"Bert {next(_numbers)}")
    with mail_to(catcher, opponent.email) as told, mail_to(catcher, host.email) as answer:
        row = write(inbound, host, f"challenge '{opponent.player['name']}' {words}")
        assert row["answer"]["kind"] == "challenged", row
        assert told_words in told().text and told_words in answer().text
    query = "SELECT options FROM challenge WHERE opponent_id = %s"
    assert inbound.world.rows(query, (opponent.player["id"],)) == [(options,)]


@pytest.mark.parametrize("words", ["xo 99x10", "xo 9x10 territory 9", "xo 7x12 7"])
def test_what_cannot_be_a_board_is_told_by_mail_with_what_is_allowed(api, host, inbound, catcher, words):
    opponent = api.sign_up(f"Bert {next(_numbers)}")
    with mail_to(catcher, host.email) as answer:
        assert write(inbound, host, f"challenge '{opponent.player['name']}' {words}")["answer"]["kind"] == "challenge-fault"
        text = re.sub(r"\s+", " ", answer().text)
        assert "nobody was challenged" in text and "at most 16 files, 16 ranks and 128 squares" in text
    assert inbound.world.value("SELECT count(*) FROM challenge WHERE opponent_id = %s", (opponent.player["id"],)) == 0


@pytest.mark.parametrize("line", ["challenge Anna Maria Nobody ordo", "challenge 'Anna Maria Nobody' ordo"])
def test_a_name_of_several_words_that_nobody_has_is_named_in_the_answer(host, inbound, catcher, line):
    with mail_to(catcher, host.email) as answer:
        assert write(inbound, host, line)["answer"]["kind"] == "player-unknown"
        assert "anna maria nobody" in answer().text.lower()


@pytest.mark.parametrize("line", ["challenge accepted, my friend: ordo it is", "challenge ordo", "challenge me at it@example.org ordo"])
def test_a_sentence_about_a_challenge_is_none(host, inbound, line):
    row = write(inbound, host, line)
    assert row["command"] is None
