"""`ludopost admin prune`: what nobody needs goes, what belongs to a game stays."""

import psycopg2
import pytest

from harness.server import environment, ludopost

COUNTS = (
    "SELECT (SELECT count(*) FROM event WHERE kind LIKE 'mail.%%'), (SELECT count(*) FROM event WHERE kind NOT LIKE 'mail.%%'),"
    " (SELECT count(*) FROM delivery WHERE game_id IS NOT NULL), (SELECT count(*) FROM idempotency),"
    " (SELECT count(*) FROM mail_code), (SELECT count(*) FROM mail_rate)"
)


def prune(database):
    return ludopost("admin", "prune", env=environment(database)).stdout


def test_prune_takes_old_mails_codes_and_answers_and_leaves_games_alone(api, white, black, game_id, database, catcher):
    white.play(game_id, "a3-a4", ply=1, headers={"Idempotency-Key": "old"})
    api.sign_up("Ottokar", "ottokar@example.org")
    database.rows("UPDATE delivery SET state = 'sent', sent_at = clock_now() WHERE state <> 'sent'")
    before = database.rows(COUNTS)[0]
    assert 0 not in before
    assert prune(database) == "pruned mails=0 codes=0 answers=0 keys=0 sessions=0 tokens=0 addresses=0 rates=0 seen=0 inbox=0\n"
    assert database.rows(COUNTS)[0] == before
    database.set_clock("40 days")
    try:
        assert prune(database).startswith("pruned mails=")
    finally:
        database.set_clock("0 days")
    after = database.rows(COUNTS)[0]
    assert after == (0, before[1], before[2], 0, 0, 0)
    assert white.game(game_id)["ply"] == 1


def test_prune_forgets_tokens_that_ended_and_people_who_never_confirmed(api, database):
    player = api.sign_up("Tidy", "tidy@example.org")
    token = player.ask("POST", "/v1/tokens", {"name": "old", "scopes": ["read"]})
    player.ask("DELETE", f"/v1/tokens/{token['id']}")
    api.ask("POST", "/v1/players", {"email": "vague@example.org", "name": "Vague", "language": "en"})
    api.catcher.wait_for("vague@example.org")
    database.rows("INSERT INTO address (email, email_key, state, language) VALUES ('no@x.org', 'no@x.org', 'never', 'en')")
    database.rows("UPDATE delivery SET state = 'sent'")
    known = "SELECT email FROM address WHERE email IN ('tidy@example.org', 'vague@example.org', 'no@x.org') ORDER BY 1"
    database.set_clock("29 days")
    try:
        prune(database)
        assert len(database.rows(known)) == 3
        database.set_clock("40 days")
        prune(database)
    finally:
        database.set_clock("0 days")
    assert database.rows(known) == [("no@x.org",), ("tidy@example.org",)]
    assert database.value("SELECT count(*) FROM token WHERE id = %s", (token["id"],)) == 0
    assert player.ask("GET", "/v1/me")["name"] == "Tidy"


@pytest.mark.parametrize("statement", [
    "UPDATE turn SET text = 'a3-a5'", "DELETE FROM turn", "TRUNCATE turn", "UPDATE event SET kind = 'x'",
    "DELETE FROM event", "TRUNCATE event CASCADE", "CREATE TABLE mine (id integer)", "DROP TABLE turn",
    "ALTER TABLE turn ADD COLUMN more text",
])
def test_the_services_role_cannot_touch_what_happened(white, game_id, database, statement):
    white.play(game_id, "a3-a4", ply=1)
    with pytest.raises(psycopg2.errors.InsufficientPrivilege):
        database.rows(statement, role="ludopost")


def test_admin_says_what_it_wants(database):
    done = ludopost("admin", env=environment(database), check=False)
    assert done.returncode == 2 and "prune" in done.stderr
    done = ludopost("admin", "prune", env=environment(database, database_owner=None), check=False)
    assert done.returncode == 1 and "database_owner" in done.stderr


def test_queries_prints_the_statements_of_the_turn_path():
    rows = dict(line.split("\t", 1) for line in ludopost("queries").stdout.splitlines())
    assert {"token_auth", "game_find", "turn_play"} <= set(rows)
