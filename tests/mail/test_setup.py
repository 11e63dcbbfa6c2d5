"""The set-up of a game by mail: layouts as blocks, what is sealed, pairs, and what is refused."""

import itertools
import re

import pytest

from harness.inbound import DOMAIN, Inbound, letter, move_address, setup_address
from harness.layouts import USUAL, copy_of

ANNA, BERT = "Anna <anna@example.org>", "bert@example.org"
OTHER = "zhnhzvz/gnhnzv+n/+hzvhzvh"
_numbers = itertools.count(1)


def block(layout, word="layout"):
    return "\n".join([word, *layout.split("/")]) + "\n"


class Match:
    """A game of XO in its set-up: Anna (English) is Blue, Bert (German) is Red."""

    def __init__(self, world):
        self.world = world
        self.inbound = Inbound(world, inbound="yes")
        self.game = world.setup_game(world.player("Anna"), world.player("Bert", language="de"))

    def write(self, seat, stage, text, sender=None, message_id=None):
        """The inbox row of a mail to the address of a stage."""
        to = setup_address(self.game, seat, stage)
        message_id = message_id or f"<s{next(_numbers)}@mail.example.org>"
        self.inbound.deliver(letter(text, sender or (ANNA, BERT)[seat - 1], to, message_id=message_id), to)
        return self.inbound.last()

    def steps(self):
        return self.world.rows("SELECT seat, round, layout FROM setup_step WHERE game_id = %s ORDER BY step", (self.game,))

    def kinds(self):
        """(address, kind) of the answers."""
        return [(address, answer["kind"]) for _, address, answer in self.inbound.answers()]

    def phase(self):
        return self.world.value("SELECT phase FROM game WHERE id = %s", (self.game,))

    def told(self):
        """(template, player) of the mails that are no answers."""
        return self.world.rows(
            "SELECT delivery.template, player.name FROM delivery JOIN event ON event.id = event_id"
            " JOIN player ON player.id = delivery.player_id"
            " WHERE event.kind <> 'mail.answer' ORDER BY delivery.id"
        )

    def open(self):
        self.write(1, 0, block(USUAL))
        self.write(2, 0, block(copy_of(USUAL), "Aufstellung"))
        return self


@pytest.fixture
def match(world):
    return Match(world)


@pytest.fixture
def mails(world, work, sink, eventually):
    """mails(): all mails, once nothing waits to be sent."""

    def wait():
        eventually(lambda: world.value("SELECT count(*) FROM delivery WHERE state IN ('pending', 'sending', 'retry')") == 0)
        return sink.mails

    work(sink, inbound="yes")
    return wait


# ---- layouts -------------------------------------------------------------------------------


def test_a_block_is_a_layout_and_stays_sealed(match):
    row = match.write(1, 0, "Hello Bert!\n\n" + block(USUAL))
    assert (row["disposition"], row["command"], row["problem"]) == ("accept", "layout", None)
    assert match.steps() == [(1, 1, USUAL)]
    assert match.kinds() == [("anna@example.org", "layout-sealed")]
    assert match.told() == [("remark", "Bert")]


def test_the_second_layout_opens_both_and_asks_who_is_to_speak(match):
    match.open()
    assert match.kinds()[1] == ("bert@example.org", "layout-opened")
    assert match.told() == [("setup-round", "Anna")]


def test_two_rounds_then_play_begins(match):
    match.open()
    match.write(1, 1, block(OTHER))
    match.write(2, 2, "annehmen")
    assert match.phase() == "play"
    assert match.steps()[2:] == [(1, 2, OTHER), (2, 2, None)] or match.steps()[2:] == [(1, 1, OTHER), (2, 2, None)]
    assert match.told()[1:] == [("setup-round", "Bert"), ("your-turn", "Anna")]
    assert [kind for _, kind in match.kinds()][2:] == ["layout-changed", "setup-began"]


@pytest.mark.parametrize("word", ["accept", "yes", "да", "J’accepte", "Ja."])
def test_a_word_for_yes_accepts_the_pair_that_lies_open(match, word):
    match.open()
    match.write(1, 1, word)
    assert match.steps()[-1] == (1, 1, None) and match.kinds()[-1][1] == "setup-accepted"


def test_yes_is_a_remark_to_whoever_is_not_asked(match):
    row = match.write(1, 0, "yes\n")
    assert row["command"] is None and match.steps() == []


def test_an_equal_layout_accepts(match):
    match.open()
    match.write(1, 1, block(USUAL))
    assert match.kinds()[-1][1] == "setup-accepted"


def test_lots_and_former_layouts(match, world):
    former = world.setup_game(world.value("SELECT id FROM player WHERE name = 'Bert'"), world.value("SELECT id FROM player WHERE name = 'Anna'"))
    to = setup_address(former, 2, 0)
    match.inbound.deliver(letter(block(OTHER), ANNA, to), to)
    match.write(1, 0, f"layout like {former}")
    match.write(2, 0, "Aufstellung zufällig")
    steps = match.steps()
    assert steps[0] == (1, 1, copy_of(OTHER))
    assert steps[1][0] == 2 and len(steps[1][2]) == 25 and steps[1][2] != OTHER


def test_a_former_layout_that_is_none_is_refused(match):
    row = match.write(1, 0, "layout like 4711")
    assert row["problem"] == "layout-like-unknown" and match.steps() == []


# ---- what is refused -----------------------------------------------------------------------


def test_every_fault_is_told_at_once_with_the_drawing(match, mails):
    row = match.write(1, 0, "layout\nvhzvhzvh\nnvzvhng\nvz+zhnhx\n")
    assert (row["problem"], match.steps()) == ("layout-faulty", [])
    text = mails()[0].text
    assert "Line 1 is too long" in text and "Line 3" in text and "x" in text
    assert "HoVe chief is missing" in text
    assert "This is how it was understood" in text and "Ｇ" in text


@pytest.mark.parametrize(
    ("ranks", "line", "sign"),
    [
        ("vhzvhzv\nn+vznhng\nvz+zhnha", 3, "a"),
        ("vhzvhzv\nn+vznhng\nvz+zhnhü", 3, "ü"),
        ("vhzvhzv\nn+vznhng\nvz+zhno0", 3, "o"),
        ("vhyvhyv\nn+vynhng\nvy+yhnhy", 2, "y"),
        ("│-/│-/│\n\\+│/\\-\\g\n│/+/-\\-/", 1, "│"),
        ("l-/l-/l\n\\+l/\\-\\g\nl/+/-\\-/", 1, "l"),
        ("↕↔⤢↕↔⤢↕\n⤡+↕⤢⤡↔⤡g\n↕⤢+⤢↔⤡↔⤢", 1, "↕"),
    ],
)
def test_signs_that_no_layout_has_are_named_and_the_rest_is_drawn(match, mails, ranks, line, sign):
    row = match.write(1, 0, f"layout\n{ranks}\nViele Grüße\n")
    assert (row["problem"], row["answer"].get("remark_withheld"), match.steps()) == ("layout-faulty", None, [])
    text = " ".join(mails()[0].text.split())
    assert re.search(f"Line {line}: [^.]*{sign}", text), text
    assert "lines; it needs" not in text and "This is how it was understood" in text


@pytest.mark.parametrize("ranks", ["vhzvhzv\nn + vznhng\nvz + zhnhz", "v h z v h z v\nn + v z n h n g\nv z + z h n h z"])
def test_blanks_behind_the_sign_of_a_chief_part_nothing(match, world, ranks):
    match.write(1, 0, f"layout\n{ranks}\nHannah\n")
    assert match.steps() == [(1, 1, USUAL)]
    assert world.rows("SELECT text FROM remark") == [("Hannah",)]


def test_faulty_layouts_are_answered_as_often_as_a_person_errs(match):
    for wrong in ("layout\nv\n", "layout\nvv\n", "layout\nvvv\n"):
        match.write(1, 0, wrong)
    assert [kind for _, kind in match.kinds()] == ["refused"] * 3


def test_the_word_alone_is_told_what_is_missing(match):
    match.write(1, 0, "layout\n\nHow does this go?\n")
    assert match.kinds() == [("anna@example.org", "layout-missing")] and match.told() == []


def test_a_layout_for_an_older_pair_is_refused(match):
    match.open()
    match.write(1, 1, block(OTHER))
    row = match.write(2, 1, "ja")
    assert row["problem"] == "setup-other-round" and match.phase() == "setup"
    row = match.write(2, 0, block(OTHER))
    assert row["problem"] == "setup-other-round"
    assert len(match.steps()) == 3


def test_the_first_layout_again_after_both_are_open_changes_nothing(match):
    match.open()
    match.write(1, 0, block(USUAL))
    assert match.kinds()[-1][1] == "layout-repeated" and len(match.steps()) == 2


def test_the_same_layout_again_while_sealed_changes_nothing_and_another_is_refused(match):
    match.write(1, 0, block(USUAL))
    match.write(1, 0, block(USUAL.upper()))
    assert match.kinds()[-1][1] == "layout-repeated"
    assert match.write(1, 0, block(OTHER))["problem"] == "setup-not-awaited"
    assert match.steps() == [(1, 1, USUAL)]


def test_nothing_can_be_accepted_while_layouts_are_sealed(match):
    assert match.write(1, 0, "accept")["problem"] == "setup-nothing-to-accept"


def test_a_turn_during_set_up_is_refused_honestly(match):
    row = match.write(1, 0, "b3~\nc3-c6\n")
    assert row["problem"] == "setup-not-over"
    assert match.write(1, 0, "c3-c6")["problem"] == "setup-not-over"


def test_after_play_began_layouts_are_over_and_turns_of_older_mails_stale(match):
    match.open()
    match.write(1, 1, "accept")
    match.write(2, 1, "accept")
    assert match.phase() == "play"
    assert match.write(1, 1, block(OTHER))["problem"] == "setup-over"
    assert match.write(1, 1, "a1~")["reason"] == "stale-turn"


def test_the_same_mail_twice_counts_once(match):
    for _ in range(2):
        row = match.write(1, 0, block(USUAL), message_id="<twice@mail.example.org>")
    assert row["reason"] == "duplicate" and len(match.steps()) == 1 and len(match.kinds()) == 1


def test_a_game_without_set_up_takes_no_layouts(match, world):
    game, _ = world.game(*[world.value("SELECT id FROM player WHERE name = %s", (name,)) for name in ("Anna", "Bert")])
    assert match.inbound.reply("layout random", game, 1, 1, ANNA)["problem"] == "no-setup"


# ---- nothing leaks -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        USUAL.replace("/", "\n") + "\n",
        f"My army: {USUAL}, do you like it?\n",
        "Hello\n\nV H Z V H Z V\n",
        "say vhzvhzv/n+vznhng/vz+zhnhz\n",
        "resign\n\nvhzvhzv\n",
        "ｖｈｚｖｈｚｖ\n",
        "l-/l-/l\n\\+l/\\-\\g\nl/+/-\\-/\n",
        "│─╱│─╱│\n╲+│╱╲─╲g\n│╱+╱─╲─╱\n",
        "↕↔⤢↕↔⤢↕\n",
        "\\+|/\\-\\q\n",
        "vнzвнzv\nп+vzпнпg\nvz+zнпнz\n",
        "мрямрям\nт+мятртп\nмя+яртря\n",
        *(f"say {rank}\n" for rank in ("│-/│-/│", "l-/l-/l", "∣─╱∣─╱∣", "ǀ-/ǀ-/ǀ", "¦-/¦-/¦", "❘–∕❘–∕❘", "l - / l - / l", "|_/|_/|")),
    ],
)
def test_words_that_show_a_sealed_layout_go_nowhere(match, world, text):
    row = match.write(1, 0, text)
    assert row["problem"] == "layout-faulty"
    assert world.rows("SELECT 1 FROM remark") == [] and match.told() == [] and match.phase() == "setup"


def test_words_around_a_good_layout_are_withheld_if_they_show_one(match, world):
    row = match.write(1, 0, block(USUAL) + "\nI thought of\nzhnhzvz\nas well.\n")
    assert (row["problem"], row["answer"]["remark_withheld"]) == (None, True)
    assert match.steps() == [(1, 1, USUAL)] and world.rows("SELECT 1 FROM remark") == []


SPACED = "Meine Aufstelung:\n3: v h z v h z v\n2: n +v z n h n g\n1: v z +z h n h z\n"


def ordo_game(match):
    seats = [match.world.seated(match.game, seat) for seat in (1, 2)]
    return match.world.game(*seats)[0]


def withheld(world, row, match):
    assert row["problem"] == "layout-faulty", row
    assert world.rows("SELECT 1 FROM remark") == [] and match.told() == []
    assert match.kinds()[-1] == ("anna@example.org", "refused")


@pytest.mark.parametrize("text", [SPACED, USUAL.replace("/", "\n"), f"a3-a4\n\n{SPACED}", f"say {USUAL}"])
def test_no_other_game_carries_a_sealed_layout(match, world, text):
    game = ordo_game(match)
    row = match.inbound.reply(text + "\n", game, 1, 1, ANNA)
    withheld(world, row, match)
    assert world.rows("SELECT 1 FROM turn WHERE game_id = %s", (game,)) == []


def test_a_block_in_a_game_without_set_up_is_answered_so_and_passed_to_nobody(match, world):
    row = match.inbound.reply(block(USUAL), ordo_game(match), 1, 1, ANNA)
    assert row["problem"] == "no-setup"
    assert world.rows("SELECT 1 FROM remark") == [] and match.steps() == []


def test_words_pass_in_other_games_once_the_pair_lies_open(match, world):
    game = ordo_game(match)
    match.open()
    assert match.inbound.reply(SPACED, game, 1, 1, ANNA)["problem"] is None
    assert len(world.rows("SELECT 1 FROM remark WHERE game_id = %s", (game,))) == 1


@pytest.mark.parametrize("words", [block(USUAL), SPACED])
def test_a_challenge_carries_no_layout_to_the_opponent(world, words):
    world.player("Anna"), world.player("Bert")
    world.rows("UPDATE address SET mail_trusted_at = clock_now()")
    inbound = Inbound(world, inbound="yes", mail_authserv_id="mx.example.org")
    trusted = {"Authentication_Results": "mx.example.org; dmarc=pass header.from=example.org"}
    play = f"play@{DOMAIN}"
    inbound.deliver(letter(f"challenge Bert xo\n\n{words}", ANNA, play, **trusted), play)
    assert inbound.last()["problem"] == "layout-faulty"
    assert [answer["kind"] for _, _, answer in inbound.answers()] == ["refused"]
    assert world.rows("SELECT 1 FROM challenge") == []


@pytest.mark.parametrize(
    "text",
    [
        "On 2026-12-24 I am away; see http://example.org/zhng -- or call +49 30 1234567.",
        "and/or ^_^ ¯\\_(ツ)_/¯ :-/ from 3/4/2026, then a3-a4",
        "Прям щас не могу: я в г. Н. Новгород, и т. п.",
    ],
)
def test_ordinary_words_pass_while_layouts_are_sealed(match, world, text):
    match.write(1, 0, text)
    assert world.rows("SELECT text FROM remark") == [(text,)]


def test_a_sealed_layout_stands_in_no_mail_to_the_other(match, mails):
    for stage, text in ((0, block(USUAL)), (0, "board"), (0, "history"), (0, "legal"), (0, "record"), (0, "clock"), (0, "Hi there")):
        match.write(1, stage, text)
    for text in ("Brett", "Verlauf", "erlaubt", "Aufzeichnung", "Uhr"):
        match.write(2, 0, text)
    sent = mails()
    mine = [mail for mail in sent if mail.to == "anna@example.org"]
    theirs = [mail for mail in sent if mail.to == "bert@example.org"]
    assert len(mine) == 7 and len(theirs) == 6
    assert USUAL in mine[0].text and "Ｇ" in mine[0].text
    for mail in theirs:
        for rank in USUAL.split("/"):
            assert rank not in mail.text.lower() and rank not in mail.html.lower()
        assert "Ｇ" not in mail.text and "+V" not in mail.text
    # The pictures of two different layouts are the same to the other.
    assert len({picture for mail in theirs for picture in pictures(mail)}) == 1


def pictures(mail):
    return [part.get_content() for part in mail.message.walk() if part.get_content_type() == "image/png"]


def test_every_answer_of_a_set_up_leads_back_to_its_stage(match, mails):
    match.open()
    sent = mails()
    asked = next(mail for mail in sent if mail.to == "anna@example.org" and "setup" not in mail.subject and copy_of(USUAL) in mail.text.replace("\n", "/"))
    assert asked["Reply-To"] == setup_address(match.game, 1, 1)


# ---- who writes ----------------------------------------------------------------------------


def test_a_layout_from_elsewhere_is_held_and_only_its_owner_is_asked(match, world, mails):
    row = match.write(1, 0, block(USUAL), sender="eve@example.net")
    assert (row["disposition"], row["reason"], match.steps()) == ("hold", "from-mismatch", [])
    sent = mails()
    assert [mail.to for mail in sent] == ["anna@example.org"]
    assert "vhzvhzv" in sent[0].text and f"{match.game}" in sent[0].text


def test_the_games_number_names_it_where_the_address_does_not(match):
    to = f"play@{DOMAIN}"
    match.world.rows("UPDATE address SET mail_trusted_at = clock_now()")
    signed = {"Authentication_Results": "in.play.example.org; dmarc=pass"}
    inbound = Inbound(match.world, inbound="yes", mail_authserv_id="in.play.example.org")
    inbound.deliver(letter(block(USUAL, f"layout {match.game}"), ANNA, to, **signed), to)
    assert match.steps() == [(1, 1, USUAL)]
    match.write(2, 0, block(OTHER))
    # Which pair it was, nothing tells: the answer leads to the one that lies open.
    inbound.deliver(letter(f"accept {match.game}", ANNA, to, **signed), to)
    assert match.steps()[-1] == (2, 1, OTHER)
    assert inbound.answers()[-1][2]["kind"] == "setup-which"
    assert match.write(1, 1, "accept")["problem"] is None and match.steps()[-1] == (1, 1, None)


def test_who_accepts_again_is_told_so_and_of_a_newer_pair(match):
    match.open()
    match.write(1, 1, "accept")
    match.write(1, 1, "accept\n\nDid it arrive?")
    assert match.inbound.answers()[-1][2]["kind"] == "setup-accepted-repeated"
    match.write(2, 1, block(USUAL))
    row = match.write(1, 1, "accept\n\nOnce more.")
    assert row["problem"] == "setup-other-round"
    assert match.steps()[-1][0] == 2


# ---- turns ---------------------------------------------------------------------------------


def begun(match):
    match.open()
    match.write(1, 1, "accept")
    match.write(2, 1, "annehmen")
    return match.game


def test_a_turn_in_steps_is_explained_in_words(match, mails):
    game = begun(match)
    row = match.inbound.reply("a1~\nc3-e5\n", game, 1, 1, ANNA)
    assert (row["command"], row["problem"]) == ("move", None)
    answer = next(mail for mail in mails() if "Your turn a1~,c3-e5 was played" in " ".join(mail.text.split()))
    assert "turns; then" in " ".join(answer.text.split()) or "a1 turns" in answer.text


def test_legal_lists_steps_and_a_beginning_what_follows(match, mails):
    game = begun(match)
    match.inbound.reply("legal", game, 1, 1, ANNA)
    match.inbound.reply("legal a1~", game, 1, 1, ANNA)
    texts = [mail.text for mail in mails() if mail.to == "anna@example.org"][-2:]
    assert all("These are steps" in text and len(text.splitlines()) < 250 for text in texts)
    assert "a1~,c3-e5" in texts[1] and "pass" in texts[0]


def test_legal_tells_why_no_turn_begins_with_some_steps(match, mails):
    game = begun(match)
    for steps, why in (("a1~,b1~", "a second rotation is not allowed"), ("a1~,a1-a4", "has just been rotated may not move")):
        match.inbound.reply(f"legal {steps}", game, 1, 1, ANNA)
        text = " ".join([mail.text for mail in mails() if mail.to == "anna@example.org"][-1].split())
        assert f"No legal turn begins with {steps}." in text and why in text


def test_two_dashes_are_no_pass(match, world):
    game = begun(match)
    row = match.inbound.reply("--\n", game, 1, 1, ANNA)
    assert row["reason"] == "empty-reply"
    assert match.inbound.reply("pass\n", game, 1, 1, ANNA)["problem"] is None
    assert world.rows("SELECT text FROM turn") == [("pass",)]
    assert move_address(game, 2, 2)
