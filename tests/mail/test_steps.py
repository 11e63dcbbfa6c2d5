"""Turns of several steps by mail: what is played, and that nothing is where it is in doubt."""

import pytest

from harness.inbound import DOMAIN, Inbound, letter
from harness.layouts import USUAL

ANNA = "anna@example.org"
BOARD = f"xo:7x12:3 {USUAL}/7/7/7/7/7/7/{USUAL.upper()} b"
HOST = "in.play.example.org"


@pytest.fixture
def inbound(world):
    return Inbound(world, inbound="yes", mail_authserv_id=HOST)


@pytest.fixture
def game(world):
    number, _ = world.game(world.player("Anna"), world.player("Bert"), "xo")
    world.rows("UPDATE game SET board = %s, start_board = %s WHERE id = %s", (BOARD, BOARD, number))
    world.rows("UPDATE address SET mail_trusted_at = clock_now()")
    return number


def turns(world):
    return [text for text, in world.rows("SELECT text FROM turn")]


def remarks(world):
    return [text for text, in world.rows("SELECT text FROM remark")]


def named(inbound, text):
    """A mail to the address that names no game."""
    to = f"play@{DOMAIN}"
    inbound.deliver(letter(text, ANNA, to, Authentication_Results=f"{HOST}; dmarc=pass"), to)
    return inbound.last()


@pytest.mark.parametrize("text", [
    "b3~,d3xd10,d10~,\na3~,c3-e5\n\nHello", "- b3~\n- d3xd10\n- d10~\n- a3~\n- c3-e5\n\nHello",
    "b3~;\n\nd3xd10;\nd10~;\na3~;\nc3-e5;\n\nHello",
])
def test_lines_of_steps_are_one_turn(inbound, world, game, text):
    row = inbound.reply(text, game, 1, 1, ANNA)
    assert (row["disposition"], row["problem"]) == ("accept", None), row
    assert (turns(world), remarks(world)) == (["b3~,d3xd10,d10~,a3~,c3-e5"], ["Hello"])


@pytest.mark.parametrize("text, candidates", [
    ("d3xd1O\na3~", ["a3~", "d3xd1O"]),
    ("b3~ and\nd3xd10", ["d3xd10", "b3~ and"]),
    ("a3~\nor rather\nc3-e5", ["a3~", "c3-e5"]),
    ("d3xd10,d10~\na3~", ["d3xd10,d10~", "a3~"]),
])
def test_in_doubt_nothing_is_played_and_the_lines_are_named(inbound, world, game, text, candidates):
    row = inbound.reply(text, game, 1, 1, ANNA)
    assert row["reason"] == "ambiguous-command"
    assert row["answer"]["candidates"] == candidates
    assert (turns(world), remarks(world)) == ([], [])


def test_words_with_a_step_are_passed_on_and_the_writer_learns_that_nothing_was_played(
    inbound, world, game, work, sink, eventually
):
    inbound.reply("c3-e5 looks good to me", game, 1, 1, ANNA)
    assert (turns(world), remarks(world)) == ([], ["c3-e5 looks good to me"])
    work(sink, inbound="yes")
    eventually(lambda: any(mail.to == ANNA for mail in sink.mails))
    answer = next(mail for mail in sink.mails if mail.to == ANNA)
    assert "There is no turn in your mail, so none was played." in " ".join(answer.text.split())


def test_a_game_named_in_the_line_has_its_turns_read_as_carefully(inbound, world, game):
    row = named(inbound, f"move {game} b3~\nand d3xd10")
    assert (row["reason"], row["answer"]["candidates"]) == ("ambiguous-command", ["b3~", "and d3xd10"])
    assert (turns(world), remarks(world)) == ([], [])
    row = named(inbound, f"move {game} b3~,d3xd10\n\nHello")
    assert (row["disposition"], row["problem"]) == ("accept", None), row
    assert (turns(world), remarks(world)) == (["b3~,d3xd10"], ["Hello"])


@pytest.mark.parametrize("text, told", [
    ("legal d3xd10,pass", ["No legal turn begins with d3xd10,pass. A pass is a whole turn"]),
    ("legal: pass ?", ["the legal turns with pass:", "The turn may end here."]),
    ("legal d3 x d10", ["the legal turns with d3xd10:", "The turn may end here.", "Rotation of the survivor (optional):",
                        "d3xd10,d10~", "Bonus turn (optional):", "After each of them the turn may end."]),
    ("legal is d3xd10 good?", ["No legal turn begins with is d3xd10 good. This is not a turn."]),
])  # fmt: skip
def test_who_asks_whether_a_beginning_is_legal_does_not_tell_the_opponent(
    inbound, world, game, work, sink, eventually, text, told
):
    inbound.reply(text, game, 1, 1, ANNA)
    assert (turns(world), remarks(world)) == ([], [])
    work(sink, inbound="yes")
    eventually(lambda: any(mail.to == ANNA for mail in sink.mails))
    answer = " ".join(next(mail for mail in sink.mails if mail.to == ANNA).text.split())
    at = 0
    for words in told:
        at = answer.index(words, at)
