"""Players, games and deliveries made by SQL, for tests of what happens behind the requests."""

import json

from .server import ludopost

START = "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w"

class World:
    """Rows of one database, written as the service writes them but by the owner."""

    def __init__(self, database):
        self.database = database
        self.connection = database.connect()

    def rows(self, query, parameters=()):
        """Runs one statement; its rows, or [] if it has none."""
        with self.connection.cursor() as cursor:
            cursor.execute(query, parameters)
            return cursor.fetchall() if cursor.description else []

    def value(self, query, parameters=()):
        return self.rows(query, parameters)[0][0]

    def close(self):
        self.connection.close()

    def player(self, name, language="en", time_zone="Europe/Berlin", email=None, state="confirmed"):
        """A player with a primary address; his number."""
        email = email or f"{name.lower()}@example.org"
        player = self.value(
            "INSERT INTO player (name, name_key, name_look, language, time_zone) VALUES (%s, %s, %s, %s, %s) RETURNING id",
            (name, name.lower(), name.lower(), language, time_zone),
        )
        self.rows(
            "INSERT INTO address (email, email_key, player_id, state, is_primary, language)"
            " VALUES (%s, %s, %s, %s, true, %s)",
            (email, email, player, state, language),
        )
        return player

    def address(self, player):
        return self.value("SELECT id FROM address WHERE player_id = %s AND is_primary", (player,))

    def game(self, first, second, rules="ordo", deadline=None, message=None):
        """A game in which seat 1 is awaited, its challenge, and its game-started mails."""
        board = START
        game = self.value(
            "INSERT INTO game (rules, phase, visibility, start_board, start_key, board, awaiting, deadline)"
            " VALUES (%s, 'play', 'public', %s, 0, %s, 1, %s) RETURNING id",
            (rules, board, board, deadline),
        )
        for seat, player in ((1, first), (2, second)):
            self.rows("INSERT INTO seat (game_id, seat, player_id) VALUES (%s, %s, %s)", (game, seat, player))
        challenge = self.value(
            "INSERT INTO challenge (challenger_id, kind, opponent_id, rules, seat, message, state, game_id, closed_at)"
            " VALUES (%s, 'player', %s, %s, 'first', %s, 'accepted', %s, clock_now()) RETURNING id",
            (first, second, rules, message, game),
        )
        return game, challenge

    def setup_game(self, first, second, rules="xo", board="xo:7x12:3 7/7/7/7/7/7/7/7/7/7/7/7 s 1 1 0 0 0"):
        """A game whose armies are not laid out yet."""
        game, _ = self.game(first, second, rules)
        self.rows(
            "UPDATE game SET phase = 'setup', awaiting = 3, board = %s, start_board = %s WHERE id = %s",
            (board, board, game),
        )
        return game

    def tell(self, kind, template, players=(), game=None, ply=None, challenge=None, addresses=(), data=None, code=None):
        """An event and its deliveries; their numbers in the order of the recipients."""
        event = self.value(
            "INSERT INTO event (kind, game_id, ply, challenge_id, mail_code_id, data)"
            " VALUES (%s, %s, %s, %s, %s, %s) RETURNING id",
            (kind, game, ply, challenge, code, json.dumps(data or {})),
        )
        recipients = [(self.address(player), player) for player in players] + [(one, None) for one in addresses]
        return [
            self.value(
                "INSERT INTO delivery (event_id, address_id, template, player_id, game_id)"
                " VALUES (%s, %s, %s, %s, %s) RETURNING id",
                (event, address, template, player, game),
            )
            for address, player in recipients
        ]

    def turn(self, game, text, tell=True):
        """Plays a turn; the number of the delivery it caused (None if it was not to be told)."""
        board, rules, ply, awaiting = self.rows(
            "SELECT board, rules, ply, awaiting FROM game WHERE id = %s", (game,)
        )[0]
        after = ludopost("rules", "play", rules, board, text).stdout.splitlines()[-2]
        player = self.seated(game, awaiting)
        self.rows(
            "INSERT INTO turn (game_id, ply, seat, player_id, text, board, board_key, channel)"
            " VALUES (%s, %s, %s, %s, %s, %s, 0, 'rest')",
            (game, ply + 1, awaiting, player, text, after),
        )
        self.rows(
            "UPDATE game SET board = %s, ply = ply + 1, awaiting = %s WHERE id = %s", (after, 3 - awaiting, game)
        )
        if not tell:
            return None
        return self.tell("turn.played", "your-turn", [self.seated(game, 3 - awaiting)], game, ply + 1)[0]

    def seated(self, game, seat):
        return self.value(
            "SELECT player_id FROM seat WHERE game_id = %s AND seat = %s AND left_ply IS NULL", (game, seat)
        )

    def end(self, game, winner=1, reason="resign"):
        """Ends a game; the numbers of the deliveries."""
        self.rows(
            "UPDATE game SET phase = 'over', awaiting = 0, winner = %s, reason = %s, ended_at = clock_now() WHERE id = %s",
            (winner, reason, game),
        )
        ply = self.value("SELECT ply FROM game WHERE id = %s", (game,))
        return self.tell("game.over", "game-over", [self.seated(game, 1), self.seated(game, 2)], game, ply)

    # ---- deliveries ------------------------------------------------------------------------
    def delivery(self, number):
        """One row of the outbox as a dictionary."""
        return self.value("SELECT row_to_json(delivery) FROM delivery WHERE id = %s", (number,))

    def states(self):
        """How many deliveries there are in each state."""
        return dict(self.rows("SELECT state, count(*) FROM delivery GROUP BY state"))

    def state(self, number):
        return self.value("SELECT state FROM delivery WHERE id = %s", (number,))

    def wake(self):
        """Calls the workers, as a process does after COMMIT."""
        self.rows("NOTIFY ludopost_work")
