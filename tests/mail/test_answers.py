"""The answers to mails that came in: what they look like on the wire, how many there are, and which
time a turn counts."""

import pytest

from harness.inbound import DOMAIN, Inbound, letter, move_address

ANNA = "Anna <anna@example.org>"


@pytest.fixture
def inbound(world):
    return Inbound(world, inbound="yes")


@pytest.fixture
def match(world):
    anna, bert = world.player("Anna"), world.player("Bert", language="de")
    return world.game(anna, bert)[0]


@pytest.fixture
def mails(world, work, sink, eventually):
    """mails(count): that many have been sent; all of them."""

    def wait(count):
        eventually(lambda: len(sink.mails) >= count)
        return sink.mails

    work(sink, inbound="yes")
    return wait


def test_an_answer_stays_in_the_thread_and_starts_no_loop(inbound, match, mails):
    inbound.reply("a3-a4", match, 1, 1, ANNA, message_id="<mine.1@mail.example.org>")
    answer = next(mail for mail in mails(2) if mail.to == "anna@example.org")
    assert answer.sender in ("", "<>", None)
    assert answer["Auto-Submitted"] == "auto-replied"
    assert answer["In-Reply-To"] == "<mine.1@mail.example.org>"
    assert answer["References"].split()[0] == f"<g{match}@{DOMAIN}>"
    assert answer["References"].split()[-1] == "<mine.1@mail.example.org>"
    assert answer["Reply-To"] == move_address(match, 1, 2)
    assert f"Game {match}: Anna vs Bert" in answer.subject
    assert answer.text.startswith("=-=-= Write your answer above this line =-=-=\n")
    assert "a3-a4" in answer.text and answer.text.index("a3-a4") < answer.text.index("Bert’s turn")


def test_words_around_a_turn_stand_quoted_in_the_opponents_mail(inbound, match, mails):
    inbound.reply("Viel Glück!\nresign\n\na3-a4", match, 1, 1, ANNA)
    inbound.reply("Viel Glück!\n\na3-a4", match, 1, 1, ANNA)
    told = next(mail for mail in mails(3) if mail.to == "bert@example.org")
    assert "Anna schreibt:\n\n> Viel Glück!\n" in told.text


def test_words_without_a_turn_are_told_at_once(inbound, world, match, mails):
    row = inbound.reply("I am away until Monday.", match, 1, 1, ANNA)
    assert (row["disposition"], row["command"], row["answer"]["passed"]) == ("accept", None, True)
    told = next(mail for mail in mails(2) if mail.to == "bert@example.org")
    assert "> I am away until Monday." in told.text
    assert world.value("SELECT template FROM delivery JOIN event ON event.id = event_id WHERE kind = 'remark.said'") == "remark"


def test_words_are_told_once(inbound, match, mails):
    inbound.reply("Buena suerte\n\na3-a4", match, 1, 1, ANNA)
    inbound.reply("say something else", match, 1, 1, ANNA)
    told = [mail.text for mail in mails(4) if mail.to == "bert@example.org"]
    assert ["> Buena suerte" in text for text in told] == [True, False]
    assert ["> something else" in text for text in told] == [False, True]


def test_an_answer_says_that_no_mail_reaches_the_opponent(inbound, world, match, mails):
    world.rows("UPDATE address SET state = 'dead', dead_at = now() WHERE email = 'bert@example.org'")
    inbound.reply("board", match, 1, 1, ANNA)
    assert "No mail reaches Bert" in " ".join(mails(1)[0].text.split())


@pytest.mark.parametrize("words", ["Wort " * 900, "Wort\n" * 199, "слово " * 1500], ids=["one line", "many lines", "Cyrillic"])
def test_words_that_are_too_many_end_visibly_for_both(inbound, world, match, mails, words):
    words = words if len(words) > 2000 else words + "x" * 1100
    inbound.reply("a3-a4\n\n" + words, match, 1, 1, ANNA)
    kept = world.value("SELECT text FROM remark")
    assert kept.endswith(" …") and 900 < len(kept) <= 2000
    assert " ".join(words.split()).startswith(" ".join(kept[:-2].split()))
    told = {mail.to: mail.text for mail in mails(2)}
    assert "Only a part of your words was passed on" in told["anna@example.org"]
    assert "…" in told["bert@example.org"]


def test_words_of_the_greatest_length_are_whole(inbound, world, match, mails):
    words = "слово " * 333 + "x."
    assert len(words) == 2000
    inbound.reply("a3-a4\n\n" + words, match, 1, 1, ANNA)
    assert world.value("SELECT text FROM remark") == words
    assert not any("Only a part of your words" in mail.text for mail in mails(2))


def test_one_refusal_an_hour_then_one_a_day(inbound, world, match):
    def refusals():
        inbound.reply("a3-a8", match, 1, 1, ANNA)
        return len(inbound.answers())

    assert [refusals() for _ in range(3)] == [1, 1, 1]
    world.database.set_clock("61 minutes")
    assert [refusals() for _ in range(2)] == [2, 2]
    world.database.set_clock("3 hours")
    assert refusals() == 2
    world.database.set_clock("25 hours")
    assert refusals() == 3


OWN = "mx.example.org (mx.example.org [192.0.2.9])"


def received(host, minutes, source="mx.elsewhere.example (mx.elsewhere.example [192.0.2.1])"):
    return f"from {source} by {host} (Postfix) with ESMTP id 4711; Mon, 30 Nov 2020 06:{minutes:02d}:00 +0100 (CET)"


def played_at(inbound, world, match, *lines):
    """When the turn of a mail with these Received lines counts as played, if the game began in 2020."""
    world.rows("UPDATE game SET created_at = '2020-11-30T05:00:00Z'")
    to = move_address(match, 1, 1)
    head = "".join(f"Received: {line}\r\n" for line in lines).encode()
    inbound.deliver(head + letter("a3-a4", ANNA, to), to, mail_trusted_hosts="mx.example.org inner.example.org")
    return world.value("SELECT to_char(played_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') FROM turn")


def test_a_turn_counts_from_when_our_mail_server_had_it_first(inbound, world, match):
    lines = [received("inner.example.org", 9, OWN), received("mx.example.org", 7), received("mx.example.net", 3)]
    assert played_at(inbound, world, match, *lines) == "2020-11-30 05:07"


@pytest.mark.parametrize("source", [OWN, "mx.example.org", "localhost (localhost [127.0.0.1])", "x (unknown [127.0.0.1])"])
def test_a_line_below_counts_if_our_own_server_brought_the_mail(inbound, world, match, source):
    lines = [received("inner.example.org", 9, source), received("mx.example.org", 7)]
    assert played_at(inbound, world, match, *lines) == "2020-11-30 05:07"


@pytest.mark.parametrize("source", [
    "evil.example (evil.example [192.0.2.6])", "mx.example.org (unknown [192.0.2.6])", "evil.example",
    "[192.0.2.6] (helo=mx.example.org)", "evil.example (evil.example [192.0.2.6]) (by mx.example.org)",
])
def test_nobody_plays_earlier_by_writing_a_line_of_ours_himself(inbound, world, match, source):
    lines = [received("mx.example.org", 9, source), received("mx.example.org", 3, OWN), received("mx.example.org", 3)]
    assert played_at(inbound, world, match, *lines) == "2020-11-30 05:09"


def test_a_line_of_others_tells_no_time(inbound, world, match):
    time = played_at(inbound, world, match, received("mx.example.net", 9), received("mx.example.org", 7))
    assert time == world.value("SELECT to_char(arrived_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') FROM inbox")


def test_a_turn_is_not_played_before_the_one_before_it(inbound, world, match):
    world.rows("UPDATE game SET created_at = '2020-11-30T05:00:00Z'")
    world.turn(match, "a3-a4")
    before = world.value("SELECT played_at FROM turn")
    to = move_address(match, 2, 2)
    head = f"Received: {received('mx.example.org', 7)}\r\n".encode()
    inbound.deliver(head + letter("a6-a5", "bert@example.org", to), to, mail_trusted_hosts="mx.example.org")
    assert world.rows("SELECT played_at FROM turn WHERE ply = 2") == [(before,)]


def test_an_address_works_until_30_days_after_the_game(inbound, world, match):
    inbound.reply("resign", match, 1, 1, ANNA)
    world.database.set_clock("29 days")
    assert inbound.reply("board", match, 1, 1, ANNA)["disposition"] == "accept"
    world.database.set_clock("31 days")
    assert inbound.reply("board", match, 1, 1, ANNA)["reason"] == "bad-secret"
