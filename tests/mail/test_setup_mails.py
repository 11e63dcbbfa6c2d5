"""The mails of a set-up: one for each step, to the one who must act, and none that is no longer true."""

import re

import pytest

from harness.api import Api
from harness.catcher import Catcher
from harness.layouts import USUAL, Setup, copy_of
from harness.people import make_player
from harness.server import Process, migrate

LANGUAGES = ["en", "es", "fr", "ru", "de"]
DOMAIN = "play.example.org"
RED = copy_of(USUAL)
# The same armies, one piece turned or two exchanged.
BLUE_2 = "hhzvhzv/n+vznhng/vz+zhnhz"
RED_2 = "znhh+zzv/gnhnz+vn/vzhvzhv"


def template_of(mail):
    return mail["Feedback-ID"].split(":")[0]


def stage_secret(mail, game):
    return re.fullmatch(rf"move\+g{game}\.t(\d+)\.([a-z0-9]{{16}})@{DOMAIN}", str(mail["Reply-To"])).groups()


def lines_of(layout):
    return layout.replace("/", "\n")


@pytest.fixture(scope="module")
def service(cluster, tmp_path_factory):
    """A service that reads answers, so that its mails tell how to answer."""
    database = cluster.create_database()
    migrate(database)
    catcher = Catcher(tmp_path_factory.mktemp("setup") / "Maildir").start()
    server = Process("serve", database, catcher, inbound="true").start()
    yield Api(server.url, catcher)
    server.stop()
    catcher.stop()
    database.drop()


@pytest.fixture(scope="module")
def arranged(service):
    """A set-up of three pairs between two readers of different languages: who is Blue, who Red, and its mails."""
    blue = service.sign_up("Blaue Änne", language="de")
    red = service.sign_up("Roger", language="fr")
    setup = Setup(blue, red)
    steps = [(1, USUAL, 1), (2, RED, 1), (1, None, 1), (2, RED_2, 1), (1, BLUE_2, 2), (2, None, 3)]
    told = 2
    service.catcher.wait(lambda c: len(of_game(c, setup.game)) == told)
    for seat, layout, round_ in steps:
        setup.sent(seat, layout, round_)
        told += (seat, layout) != (1, USUAL)
        service.catcher.wait(lambda c: len(of_game(c, setup.game)) >= told)
    return blue, red, setup.game, of_game(service.catcher, setup.game)


def of_game(catcher, game):
    return [mail for mail in catcher.mails if mail["Message-ID"].startswith(f"<g{game}.")]


def test_each_step_is_told_once_to_the_one_who_must_act(arranged):
    blue, red, _, mails = arranged
    assert {(template_of(mail), mail.to) for mail in mails[:2]} == {("game-started", blue.email), ("game-started", red.email)}
    assert [(template_of(mail), mail.recipients) for mail in mails[2:]] == [
        ("setup-round", [blue.email]),
        ("setup-round", [red.email]),
        ("setup-round", [blue.email]),
        ("setup-round", [red.email]),
        ("your-turn", [blue.email]),
    ]


def test_nothing_laid_out_is_shown_before_both_layouts_are_in(arranged):
    for mail in arranged[3][:2]:
        assert not re.search("[Ｖｖ]", mail.text.split("V HoVe")[0]), "there are pieces on the board"


def test_the_beginning_explains_what_to_send(arranged):
    blue, red, _, mails = arranged
    for mail in mails[:2]:
        own = USUAL if mail.to == blue.email else RED
        assert f"\n{lines_of(own)}\n" in mail.text
        assert own in mail.text
        assert ("a1–g3" if mail.to == blue.email else "a10–g12") in mail.text


def test_a_round_shows_both_armies_and_their_layouts(arranged):
    blue, red, _, mails = arranged
    pairs = [(USUAL, RED), (USUAL, RED), (USUAL, RED_2), (BLUE_2, RED_2)]
    for mail, (lower, upper), reader in zip(mails[2:6], pairs, [blue, red, blue, red], strict=True):
        first, second = (lower, upper) if reader is blue else (upper, lower)
        assert re.search(f"\n{re.escape(lines_of(first))}\n.*\n{re.escape(lines_of(second))}\n", mail.text, re.DOTALL)
        ranks = re.findall(r"^[\u3000１]?[１-９０](?=\u3000)", mail.text, re.MULTILINE)
        assert len(ranks) == 12
        assert ranks[0].strip("\u3000") == ("１２" if reader is blue else "１"), "the reader's side is not below"
        pictures = [one for one in mail.message.walk() if one.get_content_type() == "image/png"]
        assert len(pictures) == 1


def test_an_answer_goes_to_the_pair_that_the_mail_shows(arranged):
    _, _, game, mails = arranged
    stages = [stage_secret(mail, game) for mail in mails]
    assert [stage[0] for stage in stages] == ["0"] * 6 + ["1"]
    secrets = {(mail.to, stage[1]) for mail, stage in zip(mails, stages, strict=True)}
    assert len(secrets) == len(mails), "two pairs have one address"


def test_all_mails_are_one_thread(arranged):
    blue, red, game, mails = arranged
    for reader in (blue, red):
        assert len({mail.subject for mail in mails if mail.to == reader.email}) == 1
    assert len({mail["Message-ID"] for mail in mails}) == len(mails)
    assert all(str(mail["References"]).split()[0] == f"<g{game}@{DOMAIN}>" for mail in mails)


@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_that_is_past_is_told_no_more(world, sink, start_process, work, eventually, language):
    server = start_process("serve", world.database, sink, run_workers="no", mail_domain=DOMAIN)
    client = Api(server.url, sink)
    setup = Setup(*[make_player(client, world.database, language=language) for _ in range(2)])
    ids = [player.player["id"] for player in setup.players]
    for seat, layout, round_ in [(1, USUAL, 1), (2, RED, 1), (1, None, 1), (2, RED_2, 1)]:
        setup.sent(seat, layout, round_)
    work(sink)
    world.wake()
    query = "SELECT template, player_id, state FROM delivery WHERE game_id = %s ORDER BY id"
    eventually(lambda: all(row[2] not in ("pending", "sending") for row in world.rows(query, (setup.game,))))
    rows = world.rows(query, (setup.game,))
    assert sorted(row for row in rows if row[0] == "game-started") == [("game-started", one, "sent") for one in ids]
    assert [row for row in rows if row[0] == "setup-round"] == [
        ("setup-round", ids[0], "dropped"),
        ("setup-round", ids[1], "dropped"),
        ("setup-round", ids[0], "sent"),
    ]
