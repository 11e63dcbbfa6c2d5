"""Migrations, roles and the agreement of queries and schema."""

import contextlib
import pathlib
import re
import subprocess

import psycopg2
import pytest

from harness.server import BINARY, environment, ludopost, migrate

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def empty(cluster):
    database = cluster.create_database()
    yield database
    database.drop()


@pytest.fixture
def migrated(empty):
    migrate(empty)
    return empty


def queries():
    return dict(line.split("\t", 1) for line in ludopost("queries").stdout.splitlines())


def test_migrating_again_changes_nothing(migrated):
    before = migrated.rows("SELECT * FROM schema_migration ORDER BY version")
    assert len(before) == len(list((ROOT / "db/migrations").glob("*.sql")))
    migrate(migrated)
    assert migrated.rows("SELECT * FROM schema_migration ORDER BY version") == before


def test_several_migrations_at_once_do_it_once(empty):
    env = environment(empty)
    running = [
        subprocess.Popen([str(BINARY), "migrate"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)
    ]
    done = [one.communicate(timeout=120) for one in running]
    assert [one.returncode for one in running] == [0] * 4, done
    assert empty.value("SELECT count(*) FROM schema_migration") == len(list((ROOT / "db/migrations").glob("*.sql")))


def test_a_migration_changed_after_it_was_applied_is_refused_by_name(migrated):
    migrated.rows("UPDATE schema_migration SET checksum = repeat('0', 64) WHERE version = 1")
    done = ludopost("migrate", env=environment(migrated), check=False)
    assert done.returncode == 1
    assert "0001" in done.stderr
    assert "changed" in done.stderr


@pytest.mark.parametrize("command", ["serve", "work"])
def test_a_database_without_migrations_is_refused_with_what_to_do(empty, command):
    done = ludopost(command, env=environment(empty), check=False)
    assert done.returncode == 1
    assert "ludopost migrate" in done.stderr


@pytest.mark.parametrize("command", ["serve", "work"])
def test_a_query_that_does_not_fit_the_schema_stops_the_start_by_name(migrated, command):
    migrated.rows("ALTER TABLE delivery RENAME COLUMN due_at TO due")
    done = ludopost(command, env=environment(migrated), check=False)
    assert done.returncode == 1
    assert re.search(r'query \w+: column "due_at"', done.stderr)
    assert "due_at" in done.stderr


def test_a_newer_database_is_accepted(migrated, start_process):
    migrated.rows("INSERT INTO schema_migration VALUES (9999, '9999_later.sql', 'x', clock_now())")
    migrated.rows("ALTER TABLE delivery ADD COLUMN later text")
    start_process("serve", migrated)


def test_every_query_fits_a_fresh_schema(migrated):
    with contextlib.closing(migrated.connect("ludopost")) as connection, connection.cursor() as cursor:
        for name, sql in queries().items():
            if sql in ("BEGIN", "COMMIT", "ROLLBACK"):
                continue
            cursor.execute(f"PREPARE {name} AS {sql}")


def test_queries_write_in_capitals_take_parameters_only_and_read_no_other_clock():
    for name, sql in queries().items():
        assert not re.search(r"\b(now\(\)|clock_timestamp|current_timestamp|current_date|localtime)", sql, re.I), name
        outside = re.sub(r"'[^']*'|\"[^\"]*\"", "", sql)
        assert not re.search(r"\b(select|insert|update|delete|where|from|join|returning|order by|limit)\b", outside), name


def test_time_is_read_by_clock_now_alone(migrated):
    functions = migrated.rows(
        "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ~* '(\\mnow\\s*\\(|timestamp)'"
    )
    assert [name for name, _ in functions] == ["clock_now"]
    defaults = migrated.rows(
        "SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef"
        " WHERE pg_get_expr(adbin, adrelid) ~* '(now|timestamp|date)' AND adrelid::regclass::text NOT LIKE 'pg_%%'"
    )
    assert {text for (text,) in defaults} == {"clock_now()"}
    assert migrated.value("SELECT provolatile FROM pg_proc WHERE proname = 'clock_now'") == "s"


REFUSED = [
    "UPDATE turn SET text = 'a3-a5'",
    "DELETE FROM turn",
    "TRUNCATE turn",
    "UPDATE event SET kind = 'x'",
    "DELETE FROM event",
    "TRUNCATE event CASCADE",
    "UPDATE setup_step SET layout = 'v'",
    "DELETE FROM setup_step",
    "TRUNCATE setup_step",
    "UPDATE feed SET event_id = 1",
    "DELETE FROM feed",
    "DELETE FROM delivery",
    "DELETE FROM game",
    "CREATE TABLE mine (id integer)",
    "CREATE TEMPORARY TABLE mine (id integer)",
    "CREATE OR REPLACE FUNCTION clock_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT statement_timestamp()'",
    "DROP TABLE turn",
    "ALTER TABLE turn ADD COLUMN more text",
    "UPDATE schema_migration SET checksum = ''",
    "INSERT INTO schema_migration VALUES (2, 'x', 'x', clock_now())",
]


@pytest.mark.parametrize("statement", REFUSED)
def test_the_services_role_may_not(migrated, statement):
    with pytest.raises(psycopg2.errors.InsufficientPrivilege):
        migrated.rows(statement, role="ludopost")


def test_the_owner_may_what_the_service_may_not(migrated):
    """Else the test above would pass for statements that are simply wrong."""
    for statement in REFUSED[:13]:
        migrated.rows(statement)


def test_a_ply_can_be_used_once(migrated):
    migrated.rows("INSERT INTO player (name, name_key, name_look, language, time_zone) VALUES ('Anna', 'anna', 'anna', 'en', 'UTC')")
    migrated.rows(
        "INSERT INTO game (rules, phase, visibility, start_board, start_key, board, awaiting) VALUES ('ordo', 'play', 'public', '', 0, '', 1)"
    )
    turn = (
        "INSERT INTO turn (game_id, ply, seat, player_id, text, board, board_key, channel) VALUES (1, 1, 1, 1, %s, '', 0, 'rest')"
    )
    migrated.rows(turn, ("a3-a4",))
    with pytest.raises(psycopg2.errors.UniqueViolation):
        migrated.rows(turn, ("b3-b4",))


def test_one_event_is_told_once_by_a_channel_to_an_address(migrated):
    migrated.rows("INSERT INTO address (email, email_key, language) VALUES ('a@example.org', 'a@example.org', 'en')")
    migrated.rows("INSERT INTO event (kind) VALUES ('mail.login')")
    delivery = "INSERT INTO delivery (event_id, address_id, template) VALUES (1, 1, 'login')"
    migrated.rows(delivery)
    with pytest.raises(psycopg2.errors.UniqueViolation):
        migrated.rows(delivery)


def setup_game(migrated):
    """A game in set-up, the first of an empty database."""
    migrated.rows("INSERT INTO player (name, name_key, name_look, language, time_zone) VALUES ('Anna', 'anna', 'anna', 'en', 'UTC')")
    migrated.rows(
        "INSERT INTO game (rules, phase, visibility, start_board, start_key, board, awaiting)"
        " VALUES ('xo', 'setup', 'public', 'nothing', 0, 'nothing', 3)"
    )


def test_a_game_in_set_up_is_arranged_once_for_each_version_and_not_in_play(migrated):
    setup_game(migrated)

    def arranged(version, phase):
        with contextlib.closing(migrated.connect("ludopost")) as connection, connection.cursor() as cursor:
            cursor.execute("PREPARE arrange AS " + queries()["game_arrange"])
            cursor.execute("EXECUTE arrange (1, %s, %s, 'laid out', 7, 1)", (version, phase))
            return cursor.rowcount

    assert arranged(2, "setup") == 0
    assert arranged(1, "setup") == 1
    assert arranged(1, "setup") == 0
    assert arranged(2, "play") == 1
    assert arranged(3, "play") == 0
    row = migrated.rows("SELECT version, phase, start_board, board, start_key, awaiting FROM game")
    assert row == [(3, "play", "laid out", "laid out", 7, 1)]


def test_a_step_of_a_set_up_has_its_place_once_and_a_layout_unless_it_accepts(migrated):
    setup_game(migrated)
    add = (
        "INSERT INTO setup_step (game_id, step, seat, round, kind, layout, player_id, channel)"
        " VALUES (1, %s, 1, 1, %s, %s, 1, 'rest')"
    )
    migrated.rows(add, (1, "layout", "vvv"), role="ludopost")
    migrated.rows(add, (2, "accept", None), role="ludopost")
    with pytest.raises(psycopg2.errors.UniqueViolation):
        migrated.rows(add, (2, "accept", None))
    for wrong in ((3, "layout", None), (3, "accept", "vvv"), (0, "accept", None)):
        with pytest.raises(psycopg2.errors.CheckViolation):
            migrated.rows(add, wrong)
