"""Spectators: a mail for each turn or for each day, and the way out; announcements; what is forgotten by itself."""

import itertools

import pytest

from harness.accounts import mail_to
from harness.blocked import eventually
from harness.inbound import DOMAIN, letter, move_address
from harness.server import environment, ludopost

_numbers = itertools.count(1)


@pytest.fixture
def fan(api):
    """fan(language): a player with a game of the own, from whose address commands come."""

    def make(language="en", time_zone="Europe/Berlin"):
        player = api.sign_up(f"Fan {next(_numbers)}", language=language, time_zone=time_zone)
        player.own = player.start_game(api.sign_up(f"Partner {next(_numbers)}"))
        return player

    return make


def say(inbound, player, text):
    """A command from a mail about the player's own game; the inbox row."""
    to = move_address(player.own, 1, 1)
    inbound.deliver(letter(text, player.email, to), to)
    return inbound.last()


def watched(catcher, player, game):
    return [mail for mail in catcher.to(player.email) if f"Game {game}:" in mail.subject or f"Partie {game}" in mail.subject]


def test_a_follower_gets_a_mail_for_each_turn_and_one_for_the_end(game, fan, inbound, catcher):
    number, host, friend = game
    player = fan("de")
    row = say(inbound, player, f"folgen {number}")
    assert row["answer"]["kind"] == "followed", row
    for count, (who, turn) in enumerate([(host, "c2-c4"), (friend, "c7-c5")], 1):
        who.play(number, turn)
        eventually(lambda: len(watched(catcher, player, number)) == count)
    mail = watched(catcher, player, number)[-1]
    assert "der du folgst" in mail.text and "c7-c5" in mail.text
    assert f"nicht mehr folgen {number}" in mail.text
    assert mail["Reply-To"] == f"play@{DOMAIN}"
    assert mail["List-Unsubscribe"]
    assert mail.sender.startswith("bounce+d")
    host.ask("POST", f"/v1/games/{number}/resign")
    eventually(lambda: len(watched(catcher, player, number)) == 3)


def test_whoever_ends_following_or_stops_mails_gets_no_more(game, fan, inbound, catcher, database):
    number, host, friend = game
    quiet, stopped, other = fan(), fan(), fan()
    for player in (quiet, stopped, other):
        say(inbound, player, f"follow {number}")
    assert say(inbound, quiet, f"unfollow {number}")["answer"]["kind"] == "unfollowed"
    stopped.ask("PATCH", "/v1/me", {"mail": False})
    host.play(number, "c2-c4")
    eventually(lambda: watched(catcher, other, number))
    states = dict(database.rows(
        "SELECT player_id, state FROM delivery WHERE template = 'watch' AND game_id = %s", (number,)
    ))
    assert quiet.player["id"] not in states
    assert states[stopped.player["id"]] == "dropped"
    assert watched(catcher, quiet, number) == watched(catcher, stopped, number) == []
    assert friend.game(number)["ply"] == 1


def test_following_can_be_ended_though_the_game_became_private(game, fan, inbound, database):
    number, _, _ = game
    player, stranger = fan(), fan()
    say(inbound, player, f"follow {number}")
    database.rows("UPDATE game SET visibility = 'private' WHERE id = %s", (number,))
    assert say(inbound, player, f"unfollow {number}")["answer"]["kind"] == "unfollowed"
    assert say(inbound, stranger, f"unfollow {number}")["problem"] == "not-found"
    assert database.value("SELECT count(*) FROM follow WHERE game_id = %s", (number,)) == 0


def test_nobody_follows_what_is_private_over_or_the_own(api, game, fan, inbound):
    number, host, friend = game
    player = fan()
    secret_one = host.start_game(friend, visibility="private")
    for named in (secret_one, 999999):
        assert say(inbound, player, f"follow {named}")["problem"] == "not-found"
    host.ask("POST", f"/v1/games/{number}/resign")
    assert say(inbound, player, f"follow {number}")["problem"] == "game-over"
    assert say(inbound, player, f"follow {player.own}")["answer"]["kind"] == "follow-own"


def test_a_days_turns_come_in_one_mail_in_the_followers_morning(game, fan, inbound, catcher, database, start_process):
    number, host, friend = game
    player = fan(time_zone="Pacific/Auckland")
    assert say(inbound, player, f"follow {number} day")["answer"]["kind"] == "followed-day"
    host.play(number, "c2-c4")
    friend.play(number, "c7-c5")
    database.set_clock("1 day")
    try:
        start_process("work", database, catcher)
        [mail] = eventually(lambda: watched(catcher, player, number))
        assert f"1. {host.player['name']}: c2-c4" in mail.text
        assert f"2. {friend.player['name']}: c7-c5" in mail.text
        database.set_clock("2 days")
        start_process("work", database, catcher)
        told = "SELECT told_on > (clock_now() - INTERVAL '36 hours')::date FROM follow WHERE game_id = %s"
        eventually(lambda: database.value(told, (number,)))
    finally:
        database.set_clock("0")
    query = "SELECT count(*) FROM event WHERE kind = 'mail.news.watch' AND game_id = %s"
    assert database.value(query, (number,)) == 1


# ---- announcements ----


def announce(database, path, check=True):
    return ludopost("admin", "announce", path, env=environment(database), check=check)


def test_an_announcement_reaches_every_player_once(api, catcher, database, tmp_path):
    one, two, silent = (api.sign_up(f"Reader {next(_numbers)}", language=language) for language in ("en", "ru", "en"))
    silent.ask("PATCH", "/v1/me", {"mail": False})
    file = tmp_path / "news.txt"
    file.write_text("A pause on Sunday\n\nFrom 10:00 to 11:00 UTC nothing answers.\n\nNo game loses time.\n")
    assert announce(database, file).stdout.startswith("announced to ")
    for player in (one, two):
        mail = catcher.wait_for(player.email, 2)
        assert mail.subject == "[Ludopost] A pause on Sunday"
        assert "nothing answers.\n\nNo game" in mail.text
        assert mail["List-Unsubscribe"]
    assert "Здравствуйте" in catcher.to(two.email)[-1].text
    assert announce(database, file).stdout == "announced before: nobody is told again\n"
    counts = "SELECT count(*), count(DISTINCT address_id) FROM delivery WHERE template = 'announcement'"
    players = database.value("SELECT count(*) FROM player")
    assert database.rows(counts) == [(players, players)]
    assert database.value(
        "SELECT state FROM delivery WHERE template = 'announcement' AND player_id = %s", (silent.player["id"],)
    ) == "dropped"


@pytest.mark.parametrize("text", ["", "only a subject", "\n\nno subject", "x" * 151 + "\ntext", "subject\n\x07bell"])
def test_what_is_no_announcement_is_refused(database, tmp_path, text):
    file = tmp_path / "bad.txt"
    file.write_text(text)
    assert announce(database, file, check=False).returncode == 2
    assert announce(database, tmp_path / "missing.txt", check=False).returncode == 1


# ---- what is forgotten ----


def test_raw_mails_go_after_inbox_days_by_themselves_and_decisions_stay(game, inbound, catcher, database, start_process):
    number, host, _ = game
    row = inbound.reply("c2-c4", number, 1, 1, host.email)
    assert row["kept"] and row["sender"] is None or row["recipient"]
    database.set_clock("8 days")
    try:
        patient = start_process("work", database, catcher, inbox_days=9)
        with mail_to(catcher, host.email) as mail:
            host.ask("POST", f"/v1/games/{number}/resign")
            mail()
        patient.stop()  # one process prunes at a time
        assert inbound.last()["kept"]
        start_process("work", database, catcher, inbox_days=7)
        eventually(lambda: not inbound.last()["kept"])
    finally:
        database.set_clock("0")
    after = inbound.last()
    assert (after["recipient"], after["sender"]) == (None, None)
    assert {name: after[name] for name in ("disposition", "command", "written", "answer", "game_id")} == {
        name: row[name] for name in ("disposition", "command", "written", "answer", "game_id")
    }


def test_codes_counts_and_old_mails_go_by_themselves(api, catcher, database, start_process):
    api.sign_up(f"Past {next(_numbers)}")
    counts = "SELECT (SELECT count(*) FROM mail_code), (SELECT count(*) FROM mail_rate), (SELECT count(*) FROM event WHERE kind LIKE 'mail.%%')"
    assert 0 not in database.rows(counts)[0]
    database.set_clock("60 days")
    try:
        start_process("work", database, catcher)
        eventually(lambda: database.rows(counts) == [(0, 0, 0)])
    finally:
        database.set_clock("0")
