"""Whole games by mail alone, through real servers: Postfix pipes into `ludopost deliver`, or fetchmail brings what lies in
an IMAP mailbox; the service mails through Postfix; people read with IMAP and answer as mail programs do."""

import re

import pytest

from harness.layouts import USUAL, board_of, copy_of
from harness.mail_service import MailService
from harness.server import ludopost

pytestmark = pytest.mark.sampled

# Ordo X to its end.
SHORT = (
    "i3:j3-h3,g1:g2-g4 e6:f6-c6,c6:c8-c3 g5-h5,c2-g6 h8-j8,d6:d8-d4 h2:h3-g2,f3xf7 e7-d7,d4:d7-d3 i3-h3,j2-e7"
    " a7:b7-c7,d4xe3 e7:f7-g7,i2-i8"
).split()
LONGER = (
    "i3:j3-h3,j2-j4 f6-g6,h7:h8-h4 h3-g3,g2-j5 c8:d8-b8,b6:b8-b4 j4-i4,f3xh5 g8-h8,e7-f6 h5-i5,h2-h6 c8-f8,f6:f8-f3"
    " g3xf3,b2xg7 f4-e4,c7:d7-c3 e3xd3,f3-f7 c3xb3,a6:a7-a1"
).split()
# XO after a set-up in which the first layout was changed: kills, bonuses, and passes to the end.
CHANGED = "zhnhzvz/gnhnzv+n/+hzvhzvh"
XO = (
    "f3xf10,g3~,f2-f4 f11xf10,d10-d5 g2xd5,e1~,e2-f3 a10xa3,e10-f11 b3xa3,c1~,f3-e2 a11xa3,d11-f9 pass pass pass pass"
).split()
GAME_OVER = {"es": "ha terminado", "ru": "окончена"}


@pytest.fixture(params=[True, False], ids=["piped by Postfix", "fetched by IMAP"])
def service(request, world):
    one = MailService(world.database, request.param).start()
    yield one
    one.stop()


def ply_of(mail):
    """The turn a mail's Reply-To is for; None: it is about no game."""
    words = str(mail["Reply-To"] or "").split(".")
    return int(words[1][1:]) if words[0].startswith("move+g") else None


def play_by_mail(people, game, turns, as_lines=False):
    """Each turn is the answer to the mail that asks for it. The last mails of both."""
    for place, turn in enumerate(turns):
        me, other = people[place % 2], people[1 - place % 2]
        asked = me.wait_for(lambda mail, ply=place + 1: ply_of(mail) == ply and f"+g{game}." in mail["Reply-To"])
        # Every other turn of several steps has a line for each.
        me.reply(asked, turn.replace(",", "\n") if place % 2 and "," in turn and as_lines else turn)
        if place + 1 < len(turns):
            # One answer to the mover: his turn was played. The other is asked for his.
            other.wait_for(lambda mail, ply=place + 2: ply_of(mail) == ply)
    return [one.wait_for(lambda mail, word=GAME_OVER[one.language]: word in mail.text) for one in people]


def check_result(service, client, game, turns, rules="ordox", board="start"):
    """Every turn is there as it was written, and the result is the referee's."""
    state = client.game(game)
    assert state["phase"] == "over"
    assert [row[0] for row in service.database.rows("SELECT text FROM turn WHERE game_id = %s ORDER BY ply", (game,))] == turns
    last = ludopost("rules", "play", rules, board, *turns).stdout.splitlines()[-1].split()
    assert [str(state["winner"]), state["reason"]] == last[1:]
    # Who answers at once, before the mail about the pair is sent, does not get it any more.
    past = "template = 'setup-round' AND state = 'dropped'"
    assert service.database.rows(f"SELECT DISTINCT state FROM delivery WHERE NOT ({past})") == [("sent",)]


def test_a_whole_game_of_ordo_x_in_two_languages(service):
    anna, anna_mails = service.player("anna", "es")
    boris, boris_mails = service.player("boris", "ru")
    game = anna.start_game(boris, "ordox")
    turns = LONGER if service.host.piped else SHORT
    play_by_mail((anna_mails, boris_mails), game, turns)
    check_result(service, anna, game, turns)
    assert service.inbox() == [("accept", None, "move", None)] * len(turns)


def test_from_the_invitation_to_the_end_without_an_account(service):
    anna, anna_mails = service.player("anna", "es")
    boris_mails = service.somebody("boris", "ru")
    wanted = {"email": boris_mails.address, "rules": "ordox", "seat": "first", "language": "ru"}
    anna.ask("POST", "/v1/challenges", wanted)
    invitation = boris_mails.wait_for(lambda mail: str(mail["Reply-To"]).startswith("invite+"))
    boris_mails.reply(invitation, "да")
    asked = anna_mails.wait_for(lambda mail: ply_of(mail) == 1)
    game = int(re.match(r"move\+g(\d+)\.", asked["Reply-To"]).group(1))
    play_by_mail((anna_mails, boris_mails), game, SHORT)
    check_result(service, anna, game, SHORT)
    assert service.inbox() == [("accept", None, "yes", None)] + [("accept", None, "move", None)] * len(SHORT)


def block(word, layout):
    return "\n".join([word, *layout.split("/")])


def set_up_by_mail(people, game, first, second, changed):
    """Both lay out their armies, the first changes it, the second accepts the new pair."""
    blue, red = people
    for person, word, layout in ((blue, "colocación", first), (red, "расстановка", second)):
        person.reply(person.wait_for(lambda mail: ply_of(mail) == 0 and f"+g{game}." in mail["Reply-To"]), block(word, layout))
    pair = blue.wait_for(lambda mail: second.split("/")[0] in mail.text and ply_of(mail) == 0)
    blue.reply(pair, block("colocación", changed))
    red.reply(red.wait_for(lambda mail: changed.split("/")[0] in mail.text), "да")


def test_a_whole_game_of_xo_with_two_rounds_of_set_up(service):
    anna, anna_mails = service.player("anna", "es")
    boris, boris_mails = service.player("boris", "ru")
    people = (anna_mails, boris_mails)
    game = anna.start_game(boris, "xo")
    set_up_by_mail(people, game, USUAL, copy_of(USUAL), CHANGED)
    play_by_mail(people, game, XO, as_lines=True)
    check_result(service, anna, game, XO, "xo", board_of(CHANGED, copy_of(USUAL), "b"))
    decided = [("accept", None, command, None) for command in ("layout", "layout", "layout", "accept")]
    assert sorted(service.inbox()[:2]) == sorted(decided[:2])
    assert service.inbox()[2:] == decided[2:] + [("accept", None, "move", None)] * len(XO)
