"""Rows made in SQL: players, games that begin, and any number of stored games of ten turns."""

import concurrent.futures
import contextlib
import hashlib
import json
import pathlib
import re

import psycopg2

from scripts import VARIANTS, all_scripts

FRESH_PLAYERS = 64
GAMES_A_PLAYER = 10
STORED = pathlib.Path(__file__).with_name("stored.sql").read_text(encoding="utf-8")


def token_of(player):
    return f"lp_bench{player:036d}"


def token_hash(player):
    return "\\x" + hashlib.sha256(token_of(player).encode()).hexdigest()


# ---- which game is what, as stored.sql says it --------------------------------------------------
def script_of(game):
    rules = "ordox" if game % 5 == 0 else "ordo"
    return all_scripts()[rules, game % VARIANTS[rules]]


def goes_on(game):
    return game % 3 != 0


def stored_players(game, people):
    first = 1 + game * 7919 % people
    return first, 1 + (first + game % (people - 1)) % people


class Data:
    """One migrated database, filled by the superuser (who can leave out the checks of references)."""

    TABLES = (
        "player, address, mail_code, address_change, token, session, game, seat, turn, challenge, event,"
        " feed_pending, feed, delivery, idempotency, mail_rate"
    )

    def __init__(self, database):
        self.database = database
        self.games = 0
        self.people = 0

    def run(self, *statements):
        """Runs statements in one transaction, without checks of references."""
        connection = psycopg2.connect(self.database.cluster.dsn(self.database.name, "postgres"))
        with contextlib.closing(connection), connection, connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
            for statement in statements:
                cursor.execute(statement)

    def rows(self, query):
        return self.database.rows(query, role="postgres")

    def value(self, query):
        return self.rows(query)[0][0]

    def tidy(self):
        """As autovacuum would have done, which is off so that it hits no side."""
        self.rows("VACUUM (ANALYZE)")
        self.rows("CHECKPOINT")

    def prewarm(self):
        """Reads what turns and reads touch into PostgreSQL's memory, indexes and the rows they lead to."""
        self.rows("CREATE EXTENSION IF NOT EXISTS pg_prewarm")
        self.rows(
            "SELECT pg_prewarm(index.oid) FROM pg_class AS index JOIN pg_index ON indexrelid = index.oid"
            " WHERE relnamespace = 'public'::regnamespace AND indrelid::regclass::text IN"
            " ('game', 'seat', 'turn', 'player', 'address', 'token', 'event', 'delivery')"
        )
        self.rows("SELECT pg_prewarm(name::regclass) FROM unnest('{game, seat, turn, player, address, token}'::text[]) AS name")

    def written(self):
        """How many turns, events and deliveries were ever written."""
        return self.rows("SELECT (SELECT count(*) FROM turn), (SELECT count(*) FROM event), (SELECT count(*) FROM delivery)")[0]

    def fresh(self, count):
        """Games on their start board, played by the same few players in pairs; the first's number."""
        people = self.value("SELECT count(*) FROM player")
        first = self.value("SELECT COALESCE(max(id), 0) + 1 FROM game")
        self.run(
            *([] if people else players(FRESH_PLAYERS)),
            script_table(),
            "INSERT INTO game (id, rules, phase, visibility, start_board, start_key, board, awaiting)"
            " OVERRIDING SYSTEM VALUE"
            " SELECT i, rules, 'play', 'public', board, key, board, 1"
            f" FROM generate_series({first}, {first + count - 1}) AS i"
            " JOIN bench_script ON ply = 0 AND rules = CASE WHEN mod(i, 5) = 0 THEN 'ordox' ELSE 'ordo' END AND variant = 0",
            "INSERT INTO seat (game_id, seat, player_id)"
            f" SELECT i, seat, 2 * mod(i - {first}, {FRESH_PLAYERS // 2}) + seat"
            f" FROM generate_series({first}, {first + count - 1}) AS i, generate_series(1, 2) AS seat",
            sequences(),
        )
        return first

    def together(self, *works):
        """Runs lists of statements at the same time, each as one transaction."""
        with concurrent.futures.ThreadPoolExecutor(len(works)) as pool:
            for done in [pool.submit(self.run, *work) for work in works]:
                done.result()

    def store(self, games):
        """Empties the database and stores games of ten turns; indexes are made at the end."""
        self.games = games
        self.people = max(games // GAMES_A_PLAYER, 10)
        indexes = self.rows(
            "SELECT indexname, indexdef FROM pg_indexes LEFT JOIN pg_constraint ON conname = indexname"
            " WHERE schemaname = 'public' AND conname IS NULL ORDER BY tablename"
        )
        text = STORED.replace(":games", str(games)).replace(":players", str(self.people))
        _, first, turns, events, last = re.split("^-- part .$", text, flags=re.MULTILINE)
        self.run(
            f"TRUNCATE {self.TABLES} RESTART IDENTITY CASCADE",
            *(f"DROP INDEX {name}" for name, _ in indexes),
            *players(self.people),
            script_table("UNLOGGED"),
            first,
        )
        self.together([turns], [events])
        self.together(*([definition for _, definition in indexes[start::2]] for start in range(2)))
        self.run(last, sequences())
        self.tidy()


def script_table(kind="TEMP"):
    """A statement that makes the scripts a table."""
    rows = []
    for (rules, variant), script in all_scripts().items():
        for ply, board in enumerate(script.boards):
            text = script.turns[ply - 1] if ply else ""
            data = json.dumps({"seat": 2 - ply % 2, "turn": text})
            rows.append(f"('{rules}', {variant}, {ply}, {2 - ply % 2}, '{text}', '{board}', '{data}'::jsonb)")
    return (
        f"CREATE {kind} TABLE bench_script AS SELECT *, hashtextextended(board, 0) AS key FROM (VALUES "
        + ", ".join(rows)
        + ") AS rows (rules, variant, ply, seat, text, board, data)"
    )


def sequences():
    """A statement that lets every table's numbers go on after its rows."""
    tables = {"player": "id", "address": "id", "game": "id", "challenge": "id", "event": "id", "delivery": "id", "feed": "position"}
    return "SELECT " + ", ".join(
        f"setval(pg_get_serial_sequence('{table}', '{column}'), (SELECT COALESCE(max({column}), 1) FROM {table}))"
        for table, column in tables.items()
    )


def players(count):
    """Statements: players 1…count, each with an address of the same number and a token."""
    return [
        "INSERT INTO player (id, name, name_key, name_look, language, time_zone) OVERRIDING SYSTEM VALUE"
        " SELECT i, 'Player ' || i, 'player ' || i, 'Player ' || i, 'en', 'Europe/Berlin'"
        f" FROM generate_series(1, {count}) AS i",
        "INSERT INTO address (id, email, email_key, player_id, state, is_primary, language, confirmed_at)"
        " OVERRIDING SYSTEM VALUE SELECT i, 'p' || i || '@example.org', 'p' || i || '@example.org', i, 'confirmed', true,"
        f" 'en', clock_now() FROM generate_series(1, {count}) AS i",
        "INSERT INTO token (player_id, name, prefix, hash, scopes, last_used_at)"
        " SELECT i, 'bench', 'lp_bench', sha256(convert_to('lp_bench' || lpad(i::text, 36, '0'), 'UTF8')),"
        f" '{{read,play,challenge}}', clock_now() FROM generate_series(1, {count}) AS i",
    ]
