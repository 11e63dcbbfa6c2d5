"""Whole games by mail alone, through real servers: Postfix pipes into `ludopost deliver`, or fetchmail brings what lies in
an IMAP mailbox; the service mails through Postfix; people read with IMAP and answer as mail programs do."""

import threading

import pytest

from harness.api import Api
from harness.mail_client import MailClient
from harness.mail_host import MailHost
from harness.people import make_token
from harness.server import Process, ludopost

# Ordo X to its end.
SHORT = (
    "i3:j3-h3,g1:g2-g4 e6:f6-c6,c6:c8-c3 g5-h5,c2-g6 h8-j8,d6:d8-d4 h2:h3-g2,f3xf7 e7-d7,d4:d7-d3 i3-h3,j2-e7"
    " a7:b7-c7,d4xe3 e7:f7-g7,i2-i8"
).split()
LONGER = (
    "i3:j3-h3,j2-j4 f6-g6,h7:h8-h4 h3-g3,g2-j5 c8:d8-b8,b6:b8-b4 j4-i4,f3xh5 g8-h8,e7-f6 h5-i5,h2-h6 c8-f8,f6:f8-f3"
    " g3xf3,b2xg7 f4-e4,c7:d7-c3 e3xd3,f3-f7 c3xb3,a6:a7-a1"
).split()
GAME_OVER = {"es": "ha terminado", "ru": "окончена"}


class Service:
    """The program with a mail host of its own."""

    def __init__(self, database, piped):
        self.database = database
        self.host = MailHost(database, ["anna", "boris", "carla"], piped=piped)
        self.process = None
        self.fetching = threading.Event()
        self.fetcher = threading.Thread(target=self._fetch)

    def start(self):
        self.host.start()
        self.process = Process("serve", self.database, None, **self.host.settings).start()
        if not self.host.piped:
            self.fetcher.start()
        return self

    def _fetch(self):
        while not self.fetching.wait(0.2):
            self.host.fetch()

    def stop(self):
        self.fetching.set()
        if self.fetcher.is_alive():
            self.fetcher.join()
        try:
            self.process.stop()
        finally:
            self.host.stop()

    def player(self, local, language):
        """Somebody with an account; (a client of the REST interface, a mail program)."""
        address = f"{local}@example.org"
        player = self.database.value(
            "INSERT INTO player (name, name_key, name_look, language, time_zone)"
            " VALUES (%s, %s, %s, %s, 'Europe/Berlin') RETURNING id",
            (local.capitalize(), local, local, language),
        )
        self.database.rows(
            "INSERT INTO address (email, email_key, player_id, state, is_primary, language, confirmed_at)"
            " VALUES (%s, %s, %s, 'confirmed', true, %s, clock_now())",
            (address, address, player, language),
        )
        client = Api(self.process.url, None, make_token(self.database, player), address, {"id": player, "name": local.capitalize()})
        return client, MailClient(self.host, local, language)

    def inbox(self):
        """What was decided about the mails that came in, oldest first."""
        return self.database.rows("SELECT disposition, reason, command, problem FROM inbox ORDER BY id")


@pytest.fixture(params=[True, False], ids=["piped by Postfix", "fetched by IMAP"])
def service(request, world):
    one = Service(world.database, request.param).start()
    yield one
    one.stop()


def ply_of(mail):
    """The turn a mail's Reply-To is for; None: it is about no game."""
    words = str(mail["Reply-To"] or "").split(".")
    return int(words[1][1:]) if words[0].startswith("move+g") else None


def play_by_mail(people, game, turns):
    """Each turn is the answer to the mail that asks for it. The last mails of both."""
    for place, turn in enumerate(turns):
        me, other = people[place % 2], people[1 - place % 2]
        asked = me.wait_for(lambda mail, ply=place + 1: ply_of(mail) == ply and f"+g{game}." in mail["Reply-To"])
        me.reply(asked, turn)
        if place + 1 < len(turns):
            # One answer to the mover: his turn was played. The other is asked for his.
            other.wait_for(lambda mail, ply=place + 2: ply_of(mail) == ply)
    return [one.wait_for(lambda mail, word=GAME_OVER[one.language]: word in mail.text) for one in people]


def test_a_whole_game_of_ordo_x_in_two_languages(service):
    anna, anna_mails = service.player("anna", "es")
    boris, boris_mails = service.player("boris", "ru")
    game = anna.start_game(boris, "ordox")
    turns = LONGER if service.host.piped else SHORT
    play_by_mail((anna_mails, boris_mails), game, turns)
    state = anna.game(game)
    assert state["phase"] == "over"
    assert [row[0] for row in service.database.rows("SELECT text FROM turn WHERE game_id = %s ORDER BY ply", (game,))] == turns
    last = ludopost("rules", "play", "ordox", "start", *turns).stdout.splitlines()[-1].split()
    assert [str(state["winner"]), state["reason"]] == last[1:]
    assert service.inbox() == [("accept", None, "move", None)] * len(turns)
    assert all(row == ("sent",) for row in service.database.rows("SELECT state FROM delivery"))
