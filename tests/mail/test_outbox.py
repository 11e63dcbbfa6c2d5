"""The outbox: what becomes of a delivery whatever the mail server, the sender or the row do."""

import email
import re
import subprocess

import pytest

from harness.catcher import Catcher, free_port
from harness.server import BINARY, environment, ludopost
from harness.smtp_server import DROP, STALL, SmtpServer

AFTER_A_QUARTER = "16 minutes"


@pytest.fixture
def match(world):
    """A game with Anna awaited; game, Anna, Bert."""
    anna, bert = world.player("Anna"), world.player("Bert", language="de")
    game, _ = world.game(anna, bert)
    return game, anna, bert


def message_id(wire):
    return email.message_from_bytes(wire)["Message-ID"]


def settled(world, number, *states):
    return lambda: world.state(number) in states and world.delivery(number)


@pytest.mark.sampled
# ---- what the mail server says -------------------------------------------------------------
@pytest.mark.parametrize(
    ("stage", "reply", "state", "address"),
    [
        ("BANNER", "421 4.3.2 not now", "retry", "confirmed"),
        ("BANNER", "554 5.3.2 no service here", "retry", "confirmed"),
        ("MAIL", "451 4.3.0 later", "retry", "confirmed"),
        ("MAIL", "550 5.7.1 not from you", "dead", "confirmed"),
        ("RCPT", "450 4.2.0 greylisted", "retry", "confirmed"),
        ("RCPT", "452 4.2.2 mailbox full", "retry", "confirmed"),
        ("RCPT", "550 5.1.1 no such user", "dead", "dead"),
        ("RCPT", "550 5.1.10 null MX", "dead", "dead"),
        ("RCPT", "550 no", "dead", "confirmed"),
        ("RCPT", "550 5.2.1 mailbox disabled", "dead", "confirmed"),
        ("DATA", "451 4.3.0 later", "retry", "confirmed"),
        ("DATA", "554 5.3.0 no", "dead", "confirmed"),
        ("END", "451 4.3.0 later", "retry", "confirmed"),
        ("END", "552 5.3.4 too large", "dead", "confirmed"),
        ("END", "554 5.7.1 looks like spam", "dead", "confirmed"),
    ],
)
def test_a_refusal_is_retried_or_final_as_its_code_says(world, match, work, eventually, stage, reply, state, address):
    number = world.turn(match[0], "a3-a4")
    with SmtpServer({stage: reply}) as server:
        work(server)
        row = eventually(settled(world, number, "retry", "dead", "sent", "unknown", "dropped"))
    assert row["state"] == state
    assert row["reply_code"] == int(reply[:3])
    assert row["reply"] == reply
    assert row["attempts"] == 1
    assert row["sent_at"] is None
    assert world.value("SELECT state FROM address WHERE player_id = %s", (match[2],)) == address


@pytest.mark.parametrize("stage", ["BANNER", "EHLO", "MAIL", "RCPT", "DATA", "END"])
def test_a_mail_server_that_stalls_delays_the_mail_and_no_other(world, match, work, eventually, stage):
    stalled = world.turn(match[0], "a3-a4")
    with SmtpServer({stage: [STALL]}) as server:
        work(server, smtp_timeout=1, mail_workers=1)
        row = eventually(settled(world, stalled, "retry", "unknown", "sent", "dead"))
        assert row["state"] == ("unknown" if stage == "END" else "retry")
        other = world.tell("game.started", "game-started", [match[1]], match[0], 0)[0]
        eventually(settled(world, other, "sent"))


@pytest.mark.parametrize("stage", ["BANNER", "EHLO", "MAIL", "RCPT", "DATA"])
def test_a_connection_lost_before_the_mail_was_whole_is_simply_tried_again(world, match, work, eventually, stage):
    number = world.turn(match[0], "a3-a4")
    with SmtpServer({stage: [DROP]}) as server:
        work(server)
        eventually(settled(world, number, "retry"))
        world.database.set_clock("2 minutes")
        row = eventually(settled(world, number, "sent"))
        assert row["attempts"] == 2
        assert len(server.mails) == 1


def test_a_mail_whose_fate_is_unknown_is_sent_once_more_with_the_same_bytes(world, match, work, eventually):
    number = world.turn(match[0], "a3-a4")
    with SmtpServer({"END": [DROP, None]}) as server:
        work(server)
        row = eventually(settled(world, number, "unknown"))
        assert row["sent_at"] is None
        world.database.set_clock("14 minutes")
        marker = world.tell("game.started", "game-started", [match[1]], match[0], 0)[0]
        eventually(settled(world, marker, "sent"))
        assert world.state(number) == "unknown", "it was sent again before the 15 minutes were over"
        world.database.set_clock(AFTER_A_QUARTER)
        eventually(settled(world, number, "sent"))
        wires = [wire for wire in server.wires if b".t1.d" in message_id(wire).encode()]
        assert len(wires) == 2
        assert wires[0] == wires[1]


def test_a_mail_whose_fate_stays_unknown_is_not_sent_a_third_time(world, match, work, eventually):
    number = world.turn(match[0], "a3-a4")
    with SmtpServer({"END": [DROP, DROP]}) as server:
        work(server)
        eventually(settled(world, number, "unknown"))
        world.database.set_clock(AFTER_A_QUARTER)
        eventually(lambda: world.delivery(number)["doubts"] == 2)
        assert world.state(number) == "unknown"
        world.database.set_clock("3 days")
        marker = world.tell("game.started", "game-started", [match[1]], match[0], 0)[0]
        eventually(settled(world, marker, "sent"))
        assert world.state(number) == "unknown"
        assert len(server.wires) == 3


def test_a_mail_that_may_have_been_sent_and_is_no_longer_true_stays_unknown(world, match, work, eventually):
    number = world.turn(match[0], "a3-a4")
    with SmtpServer({"END": [DROP, None]}) as server:
        work(server)
        eventually(settled(world, number, "unknown"))
        world.turn(match[0], "a6-a5")
        world.database.set_clock(AFTER_A_QUARTER)
        row = eventually(lambda: world.delivery(number)["attempts"] == 2 and world.state(number) != "sending" and world.delivery(number))
    assert row["state"] == "unknown"
    assert row["reply"] == "the turn was already played"
    assert row["due_at"] == "infinity"


def test_retries_repeat_the_mail_byte_for_byte(world, match, work, eventually):
    number = world.turn(match[0], "a3-a4")
    with SmtpServer({"END": ["451 4.3.0 later", "452 4.3.1 later", None]}) as server:
        work(server)
        for attempt, clock in ((1, "0"), (2, "2 minutes"), (3, "20 minutes")):
            world.database.set_clock(clock)
            eventually(lambda wanted=attempt: world.delivery(number)["attempts"] == wanted and world.state(number) != "sending")
        assert world.state(number) == "sent"
        assert len(server.wires) == 3
        assert len(set(server.wires)) == 1


def test_retries_follow_the_schedule_and_end_after_three_days(world, match, work, eventually):
    number = world.turn(match[0], "a3-a4")
    minutes = [1, 5, 15, 60, 120, 240, 480, 480]
    waits = []
    with SmtpServer({"RCPT": "451 4.3.0 later"}) as server:
        work(server, mail_workers=1)
        offset = 0.0
        while world.state(number) != "dead":
            attempts = world.delivery(number)["attempts"]
            eventually(lambda wanted=attempts + 1: world.delivery(number)["attempts"] == wanted and world.state(number) != "sending")
            if world.state(number) == "dead":
                break
            wait = world.value(
                "SELECT EXTRACT(EPOCH FROM due_at - changed_at)::double precision / 60 FROM delivery WHERE id = %s", (number,)
            )
            waits.append(wait)
            offset += wait
            world.database.set_clock(f"{offset + 0.1} minutes")
    for wait, nominal in zip(waits, minutes):
        assert 0.8 * nominal <= wait <= 1.2 * nominal, waits
    assert all(0.8 * 480 <= wait <= 1.2 * 480 for wait in waits[6:])
    assert len({round(wait / nominal, 3) for wait, nominal in zip(waits, minutes)}) > 1, "there is no jitter"
    assert 60 <= offset / 60 <= 72
    assert world.delivery(number)["reply"] == "451 4.3.0 later"


def test_an_address_in_what_the_server_said_is_not_kept(world, match, work, eventually):
    number = world.turn(match[0], "a3-a4")
    with SmtpServer({"RCPT": "550 5.1.1 <bert@example.org>: forwarded to secret.person@example.net, unknown"}) as server:
        process = work(server)
        row = eventually(settled(world, number, "dead"))
        assert row["reply"] == "550 5.1.1 <…@…>: forwarded to …@…, unknown"
        assert "@" not in process.log


def test_a_mail_server_that_is_away_is_waited_for_without_flooding_the_log(world, match, work, eventually):
    port = free_port()
    process = work(type("Nowhere", (), {"url": f"smtp://127.0.0.1:{port}"}), mail_workers=1)
    for _ in range(30):
        world.tell("game.started", "game-started", [match[1]], match[0], 0)
    eventually(lambda: process.events("mail_server_unavailable"))
    eventually(lambda: len(process.events("mail_retry")) >= 2)
    assert len(process.events("mail_server_unavailable")) == 1
    assert world.value("SELECT sum(attempts) FROM delivery") < 10, "every row was tried although nothing answers"
    server = Catcher(port=port).start()
    try:
        world.database.set_clock("2 minutes")
        eventually(lambda: world.states() == {"sent": 30}, seconds=60)
    finally:
        server.stop()
    assert len(process.events("mail_server_available")) == 1


# ---- rows ----------------------------------------------------------------------------------
def test_a_row_that_can_be_no_mail_is_buried_and_blocks_nothing(world, match, work, eventually, sink):
    game, anna, bert = match
    poison = [
        world.tell("game.started", "no-such-template", [anna], game, 0)[0],
        world.tell("mail.login", "login", [anna])[0],
        world.tell("turn.played", "your-turn", [anna])[0],
    ]
    broken, _ = world.game(world.player("Carl", email="carl@@example..org"), world.player("Dora", email="x\r\nRCPT TO:<y@z>@q"))
    poison += world.tell("game.started", "game-started", [world.seated(broken, 1), world.seated(broken, 2)], broken, 0)
    unreadable, _ = world.game(anna, bert)
    world.rows("UPDATE game SET start_board = 'nonsense' WHERE id = %s", (unreadable,))
    poison += world.tell("game.started", "game-started", [anna], unreadable, 0)
    unknown, _ = world.game(anna, bert)
    world.rows("UPDATE game SET rules = 'chess' WHERE id = %s", (unknown,))
    poison += world.tell("game.started", "game-started", [anna], unknown, 0)
    good = world.turn(game, "a3-a4")
    process = work(sink, mail_workers=1)
    eventually(settled(world, good, "sent"))
    for number in poison:
        row = eventually(settled(world, number, "dead"))
        assert row["reply"]
        assert row["attempts"] == 1
    assert len(process.events("mail_poison")) == len(poison)
    assert [mail.to for mail in sink.mails] == ["bert@example.org"]
    assert "carl" not in process.log


def test_a_turn_already_answered_is_not_mailed(world, match, work, eventually, sink):
    stale = world.turn(match[0], "a3-a4")
    fresh = world.turn(match[0], "a6-a5")
    work(sink)
    assert eventually(settled(world, stale, "dropped"))["reply"] == "the turn was already played"
    eventually(settled(world, fresh, "sent"))
    assert [mail.to for mail in sink.mails] == ["anna@example.org"]


def test_a_game_that_ended_is_only_told_to_be_over(world, match, work, eventually, sink):
    turn = world.turn(match[0], "a3-a4")
    over = world.end(match[0])
    work(sink)
    assert eventually(settled(world, turn, "dropped"))["reply"] == "the game is over"
    for number in over:
        eventually(settled(world, number, "sent"))
    assert sorted(mail.to for mail in sink.mails) == ["anna@example.org", "bert@example.org"]


def test_whoever_stopped_the_mails_gets_none(world, match, work, eventually, sink):
    number = world.turn(match[0], "a3-a4")
    world.rows("UPDATE player SET mail_stopped_at = clock_now() WHERE id = %s", (match[2],))
    work(sink)
    assert eventually(settled(world, number, "dropped"))["reply"] == "mails are stopped by the reader"
    assert sink.mails == []


def test_too_many_mails_to_one_address_wait_for_the_next_hour(world, match, work, eventually, sink):
    game, anna, bert = match
    numbers = [world.tell("game.started", "game-started", [anna], game, 0)[0] for _ in range(5)]
    process = work(sink, mail_brake=3, mail_workers=1)
    eventually(lambda: len(process.events("mail_braked")) == 2)
    other = world.turn(game, "a3-a4")
    eventually(settled(world, other, "sent"))
    assert sorted(world.state(number) for number in numbers) == ["pending", "pending", "sent", "sent", "sent"]
    assert len(sink.to("anna@example.org")) == 3
    world.database.set_clock("61 minutes")
    eventually(lambda: all(world.state(number) == "sent" for number in numbers))
    assert len(sink.to("anna@example.org")) == 5
    assert len({mail["Message-ID"] for mail in sink.mails}) == 6


# ---- addresses -----------------------------------------------------------------------------
def test_a_dead_address_gets_no_more_mails(world, match, work, eventually):
    game, anna, _ = match
    numbers = [world.tell("game.started", "game-started", [anna], game, 0)[0] for _ in range(4)]
    with SmtpServer({"RCPT": "550 5.1.1 no such user"}) as server:
        work(server, mail_workers=1)
        eventually(lambda: all(world.state(number) in ("dead", "dropped") for number in numbers))
        assert [world.state(number) for number in numbers] == ["dead", "dropped", "dropped", "dropped"]
        assert sum(connection.commands.count(b"RCPT TO:<anna@example.org>") for connection in server.connections) == 1
    state, reason, since = world.rows(
        "SELECT state, dead_reason, dead_at FROM address WHERE player_id = %s", (anna,)
    )[0]
    assert (state, reason) == ("dead", "550 5.1.1 no such user")
    assert since is not None
    assert world.delivery(numbers[1])["reply"] == "address cannot be reached"


@pytest.mark.parametrize(
    ("reply", "days", "state"),
    [
        ("550 no", ["0 days", "1 day", "2 days"], "dead"),
        ("550 no", ["0 days", "0 days", "0 days", "1 day"], "confirmed"),
        ("550 5.7.1 blocked", ["0 days", "1 day", "2 days", "3 days"], "confirmed"),
        ("552 5.2.2 full", ["0 days", "1 day"], "confirmed"),
    ],
)
def test_an_address_dies_of_hard_refusals_on_three_days(world, match, work, eventually, reply, days, state):
    game, anna, _ = match
    with SmtpServer({"RCPT": reply}) as server:
        work(server, mail_workers=1)
        for day in days:
            world.database.set_clock(day)
            number = world.tell("game.started", "game-started", [anna], game, 0)[0]
            eventually(settled(world, number, "dead"))
    assert world.value("SELECT state FROM address WHERE player_id = %s", (anna,)) == state


def test_a_mail_that_arrives_forgives_earlier_refusals(world, match, work, eventually):
    game, anna, _ = match
    with SmtpServer({"RCPT": ["550 no", "550 no", None, "550 no"]}) as server:
        work(server, mail_workers=1)
        for day, state in enumerate(["dead", "dead", "sent", "dead"]):
            world.database.set_clock(f"{day} days")
            number = world.tell("game.started", "game-started", [anna], game, 0)[0]
            eventually(settled(world, number, state))
    assert world.value("SELECT state FROM address WHERE player_id = %s", (anna,)) == "confirmed"


# ---- senders -------------------------------------------------------------------------------
def test_several_senders_never_send_a_mail_twice(world, match, work, eventually, sink):
    game, anna, bert = match
    for _ in range(60):
        world.tell("game.started", "game-started", [anna, bert], game, 0)
    for _ in range(3):
        work(sink, mail_workers=4, smtp_timeout=30)
    eventually(lambda: world.states() == {"sent": 120}, seconds=60)
    ids = [mail["Message-ID"] for mail in sink.mails]
    assert len(ids) == 120
    assert len(set(ids)) == 120
    assert world.rows("SELECT DISTINCT attempts FROM delivery") == [(1,)]


def test_a_sender_killed_while_sending_leaves_an_unknown_mail_that_is_sent_once_more(world, match, work, eventually):
    number = world.turn(match[0], "a3-a4")
    with SmtpServer({"END": [STALL, None]}) as server:
        first = work(server, smtp_timeout=60)
        eventually(lambda: len(server.wires) == 1)
        first.kill()
        assert world.state(number) == "sending"
        work(server)
        marker = world.tell("game.started", "game-started", [match[1]], match[0], 0)[0]
        eventually(settled(world, marker, "sent"))
        assert world.state(number) == "sending", "another sender took it although its lease still ran"
        world.database.set_clock("6 minutes")
        eventually(settled(world, number, "unknown"))
        world.database.set_clock("22 minutes")
        eventually(settled(world, number, "sent"))
        twice = [wire for wire in server.wires if b".t1.d" in message_id(wire).encode()]
        assert len(twice) == 2
        assert twice[0] == twice[1]


def test_a_sender_told_to_stop_gives_back_what_it_has_not_begun(world, match, work, eventually):
    game, anna, _ = match
    numbers = [world.tell("game.started", "game-started", [anna], game, 0)[0] for _ in range(6)]
    with SmtpServer({"END": STALL}) as server:
        process = work(server, smtp_timeout=100, mail_workers=1, stop_timeout=1)
        eventually(lambda: len(server.wires) == 1)
        assert process.terminate(seconds=30) == 0
    rows = [world.delivery(number) for number in numbers]
    assert [row["state"] for row in rows] == ["unknown"] + ["pending"] * 5
    assert all(row["lease_until"] is None for row in rows)
    assert [row["attempts"] for row in rows] == [1, 0, 0, 0, 0, 0]


def test_senders_refuse_settings_that_contradict_each_other(world):
    for settings, words in (
        ({"smtp_url": "smtp://mail.example.org", "smtp_tls": "none", "smtp_user": "u", "smtp_password": "p" * 40}, "TLS"),
        ({"secret_key_1": None}, "secret_key_1"),
    ):
        done = subprocess.run(
            [str(BINARY), "work"], env=environment(world.database, **settings), capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 1
        assert words in done.stderr


# ---- the feed ------------------------------------------------------------------------------
def test_the_feed_holds_every_event_once_in_the_order_of_commit(world, match, work, eventually, sink):
    database = world.database
    late = database.connect()
    late.autocommit = False
    with late.cursor() as cursor:
        cursor.execute("INSERT INTO event (kind, game_id) VALUES ('test.late', %s) RETURNING id", (match[0],))
        late_id = cursor.fetchone()[0]
        cursor.execute("INSERT INTO feed_pending VALUES (%s)", (late_id,))
    early = []
    for _ in range(5):
        early.append(database.value("INSERT INTO event (kind, game_id) VALUES ('test.early', %s) RETURNING id", (match[0],)))
        database.rows("INSERT INTO feed_pending VALUES (%s)", (early[-1],))
    work(sink)
    work(sink)
    eventually(lambda: database.value("SELECT count(*) FROM feed") == 5)
    late.commit()
    late.close()
    eventually(lambda: database.value("SELECT count(*) FROM feed") == 6)
    assert [row[0] for row in database.rows("SELECT event_id FROM feed ORDER BY position")] == [*early, late_id]
    assert database.value("SELECT count(*) FROM feed_pending") == 0


def test_the_log_of_a_sent_mail_names_no_address(world, match, work, eventually, sink):
    number = world.turn(match[0], "a3-a4")
    process = work(sink)
    eventually(settled(world, number, "sent"))
    line = eventually(lambda: process.events("mail_sent"))[0]
    assert line["delivery"] == str(number)
    assert line["game"] == str(match[0])
    assert re.fullmatch(r"\d+", line["ms"])
    assert "@" not in process.log


# ---- people who run the service ------------------------------------------------------------
def test_dead_letters_are_listed_and_sent_again_when_told(world, match, work, eventually):
    number = world.turn(match[0], "a3-a4")
    env = environment(world.database)
    with SmtpServer({"RCPT": ["554 5.3.0 no", None]}) as server:
        work(server)
        eventually(settled(world, number, "dead"))
        head, line = ludopost("admin", "deliveries", "--dead", env=env).stdout.splitlines()
        row = dict(zip(head.split("\t"), line.split("\t")))
        assert (row["id"], row["state"], row["template"], row["code"]) == (str(number), "dead", "your-turn", "554")
        assert row["reply"] == "554 5.3.0 no"
        assert "@" not in line
        assert ludopost("admin", "retry", number, env=env).stdout == f"delivery {number} is due now\n"
        eventually(settled(world, number, "sent"))
    assert len(ludopost("admin", "deliveries", env=env).stdout.splitlines()) == 1
    assert ludopost("admin", "retry", number, env=env, check=False).returncode == 1
    assert ludopost("admin", "retry", "x", env=env, check=False).returncode == 2


# ---- domains that put mails off ------------------------------------------------------------
def test_a_domain_that_puts_mails_off_is_tried_by_one_mail_at_a_time_and_opens_again(world, work, eventually):
    slow = [world.player(f"Slow{number}", email=f"slow{number}@slow.example") for number in range(6)]
    quick = world.player("Quick", email="quick@quick.example")
    later = "451 4.3.0 later"
    with SmtpServer({"RCPT": [later, later, later, None, later]}) as server:
        work(server, mail_workers=1)
        games = [world.game(player, quick) for player in slow]
        told = [
            world.tell("game.started", "game-started", [player], game, 0, challenge)[0]
            for player, (game, challenge) in zip(slow, games)
        ]
        eventually(lambda: world.rows("SELECT failures FROM mail_domain WHERE domain = 'slow.example'") == [(3,)])
        waiting = "SELECT count(*) FROM delivery WHERE id = ANY(%s) AND lease_until IS NULL AND due_at > clock_now()"
        eventually(lambda: world.value(waiting, (told,)) == 6)
        assert [world.delivery(number)["attempts"] for number in told] == [1, 1, 1, 0, 0, 0]
        other = world.tell("game.started", "game-started", [quick], games[0][0], 0, games[0][1])[0]
        eventually(settled(world, other, "sent"))
        world.database.set_clock("5 minutes")
        eventually(lambda: world.rows("SELECT failures FROM mail_domain WHERE domain = 'slow.example'") == [(4,)])
        assert sum(world.delivery(number)["attempts"] for number in told) == 4
        world.database.set_clock("1 hour")
        eventually(lambda: all(world.state(number) == "sent" for number in told))
        assert world.rows("SELECT domain FROM mail_domain") == []
