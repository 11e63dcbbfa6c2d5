"""`ludopost deliver`: a mail server's delivery program, and what comes of the mails it takes."""

import pytest

from harness.inbound import DOMAIN, Inbound, letter, move_address


@pytest.fixture
def inbound(world):
    return Inbound(world)


@pytest.fixture
def match(world):
    """A game of Ordo: Anna (English) is awaited, then Bert (German)."""
    anna, bert = world.player("Anna"), world.player("Bert", language="de")
    game, _ = world.game(anna, bert)
    return game


ANNA, BERT = "Anna <anna@example.org>", "bert@example.org"


def turns(world, game):
    return [text for (text,) in world.rows("SELECT text FROM turn WHERE game_id = %s ORDER BY ply", (game,))]


# ---- what comes of it ----------------------------------------------------------------------


def test_a_reply_is_a_move(inbound, world, match):
    row = inbound.reply("a3-a4\n", match, 1, 1, ANNA)
    assert (row["state"], row["disposition"], row["command"], row["written"]) == ("done", "accept", "move", "a3-a4")
    assert turns(world, match) == ["a3-a4"]
    assert inbound.answers() == [("answer-game", "anna@example.org", {"kind": "turn-played", "turn": "a3-a4", "remark": False})]
    assert world.rows("SELECT channel FROM turn") == [("mail",)]


def test_the_opponent_is_told_with_the_words_around_it(inbound, world, match):
    row = inbound.reply("Good luck!\n\na3-a4\n", match, 1, 1, ANNA)
    assert row["answer"]["remark"] is True
    assert world.rows("SELECT ply, text, with_turn FROM remark") == [(1, "Good luck!", True)]
    assert world.value("SELECT count(*) FROM delivery WHERE template = 'your-turn'") == 1


def test_words_are_not_kept_for_who_switched_them_off(inbound, world, match):
    world.rows("UPDATE player SET remarks = false")
    row = inbound.reply("Good luck!\n\na3-a4\n", match, 1, 1, ANNA)
    assert row["answer"]["remark"] is False
    assert world.rows("SELECT text FROM remark") == []


def test_a_turn_that_breaks_a_rule_is_refused_and_told_why(inbound, world, match):
    row = inbound.reply("a3-a8\n", match, 1, 1, ANNA)
    assert (row["disposition"], row["problem"]) == ("accept", "turn-illegal")
    assert turns(world, match) == []
    assert [kind for _, _, kind in inbound.answers()][0]["kind"] == "refused"


def test_an_answer_to_an_old_mail_is_stale(inbound, world, match):
    world.turn(match, "a3-a4")
    world.turn(match, "a6-a5")
    row = inbound.reply("b3-b4", match, 1, 1, ANNA)
    assert (row["disposition"], row["reason"]) == ("reject", "stale-turn")
    assert len(inbound.answers()) == 1 and turns(world, match) == ["a3-a4", "a6-a5"]


def test_the_turn_that_was_played_is_not_answered_again(inbound, world, match):
    inbound.reply("a3-a4", match, 1, 1, ANNA)
    row = inbound.reply("A3 - A4", match, 1, 1, ANNA)
    assert (row["disposition"], row["reason"]) == ("ignore", "already-played")
    assert len(inbound.answers()) == 1


def test_whoever_is_not_awaited_is_refused(inbound, match):
    row = inbound.reply("a6-a5", match, 2, 1, BERT)
    assert row["problem"] == "not-your-turn"


def test_two_turns_are_ambiguous_and_both_are_named(inbound, world, match):
    row = inbound.reply("a3-a4\nb3-b4\n", match, 1, 1, ANNA)
    assert row["reason"] == "ambiguous-command"
    assert row["answer"]["candidates"] == ["a3-a4", "b3-b4"]
    assert turns(world, match) == []


def test_an_empty_reply_is_told_so(inbound, match):
    row = inbound.reply("> a3-a4\n", match, 1, 1, ANNA)
    assert row["reason"] == "empty-reply" and len(inbound.answers()) == 1


def test_resigning_ends_the_game_and_the_mail_about_it_is_the_answer(inbound, world, match):
    row = inbound.reply("resign", match, 1, 1, ANNA)
    assert row["command"] == "resign"
    assert world.rows("SELECT phase, winner, reason FROM game") == [("over", 2, "resign")]
    assert inbound.answers() == []
    assert world.value("SELECT count(*) FROM delivery WHERE template = 'game-over'") == 2


def test_a_stranger_who_knows_the_address_plays_nothing(inbound, world, match):
    row = inbound.reply("a3-a4", match, 1, 1, "eve@example.net")
    assert (row["disposition"], row["reason"]) == ("hold", "from-mismatch")
    assert turns(world, match) == []


def test_a_guessed_secret_gets_no_answer(inbound, match):
    to = f"move+g{match}.t1.aaaabbbbccccdddd@{DOMAIN}"
    inbound.deliver(letter("a3-a4", ANNA, to), to)
    row = inbound.last()
    assert (row["disposition"], row["reason"]) == ("reject", "bad-secret") and inbound.answers() == []


def test_a_reply_from_an_alias_is_answered_there(inbound, world, match):
    world.rows(
        "INSERT INTO address (email, email_key, player_id, state, language)"
        " SELECT 'anna@work.example', 'anna@work.example', id, 'confirmed', 'en' FROM player WHERE name = 'Anna'"
    )
    inbound.reply("a3-a4", match, 1, 1, "anna@work.example")
    assert inbound.answers()[0][:2] == ("answer-game", "anna@work.example")


# ---- once ----------------------------------------------------------------------------------


def test_the_same_mail_again_does_nothing(inbound, world, match):
    to = move_address(match, 1, 1)
    raw = letter("Hello!", ANNA, to)
    for _ in range(2):
        inbound.deliver(raw, to)
    assert [row["reason"] for row in inbound.rows()] == [None, "duplicate"]
    assert world.value("SELECT count(*) FROM remark") == 1 and len(inbound.answers()) == 1


def test_a_mail_without_message_id_counts_once_by_its_date_and_text(inbound, world, match):
    to = move_address(match, 1, 1)
    raw = letter("Hello!", ANNA, to, message_id="")
    inbound.deliver(b"Received: from a by b; Mon, 30 Nov 2026 06:00:01 +0000\r\n" + raw, to)
    inbound.deliver(b"Received: from a by c; Mon, 30 Nov 2026 06:09:01 +0000\r\n" + raw, to)
    assert [row["reason"] for row in inbound.rows()] == [None, "duplicate"]
    assert world.value("SELECT count(*) FROM remark") == 1


def test_fifty_copies_at_once_are_one_move_and_one_answer(inbound, world, match, settle):
    to = move_address(match, 1, 1)
    raw = letter("a3-a4\n\nGood luck!", ANNA, to)
    processes = [inbound.start(to) for _ in range(50)]
    for process in processes:
        process.stdin.write(raw)
    for process in processes:
        process.stdin.close()
        process.stdin = None
    codes = [process.wait(timeout=120) for process in processes]
    for process in processes:
        process.communicate()
    # On a busy machine one may be told to come again, or be left to the workers.
    assert set(codes) <= {0, 75}
    for _ in range(codes.count(75)):
        inbound.deliver(raw, to)
    settle()
    assert turns(world, match) == ["a3-a4"]
    assert len(inbound.answers()) == 1 and world.value("SELECT count(*) FROM remark") == 1
    assert sorted(str(row["reason"]) for row in inbound.rows()) == ["None"] + ["duplicate"] * 49
