"""The program behind a mail host of its own, and people who own nothing but a mailbox."""

import threading

from .api import Api
from .mail_client import MailClient
from .mail_host import MailHost
from .people import make_token
from .server import Process


class MailService:
    """piped: Postfix pipes into `ludopost deliver`; else fetchmail brings what lies in an IMAP mailbox."""

    def __init__(self, database, piped=True, mailboxes=("anna", "boris", "carla"), **options):
        self.database = database
        self.host = MailHost(database, mailboxes, piped=piped, **options)
        self.process = None
        self.ended = threading.Event()
        self.fetcher = threading.Thread(target=self._fetch)

    def start(self):
        self.host.start()
        self.process = Process("serve", self.database, None, **self.host.settings).start()
        if not self.host.piped:
            self.fetcher.start()
        return self

    def _fetch(self):
        while not self.ended.wait(0.2):
            self.host.fetch()

    def stop(self):
        self.ended.set()
        if self.fetcher.is_alive():
            self.fetcher.join()
        try:
            self.process.stop()
        finally:
            self.host.stop()

    def player(self, local, language):
        """Somebody with an account: a client of the REST interface, and a mail program."""
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
        account = {"id": player, "name": local.capitalize()}
        return Api(self.process.url, None, make_token(self.database, player), address, account), self.somebody(local, language)

    def somebody(self, local, language):
        """Somebody without an account."""
        return MailClient(self.host, local, language)

    def inbox(self):
        """What was decided about the mails that came in, oldest first."""
        return self.database.rows("SELECT disposition, reason, command, problem FROM inbox ORDER BY id")
