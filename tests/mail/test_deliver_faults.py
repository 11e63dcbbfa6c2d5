"""`ludopost deliver` when things go wrong: killed at any step, database away, disk full, wrong
arguments, mails that are too much. Whatever happens: one move, one answer, nothing lost."""

import base64
import json
import os
import signal
import subprocess

import psycopg2
import pytest

from harness.between import Between
from harness.inbound import DOMAIN, Inbound, letter, move_address
from harness.postgres import Cluster, unprivileged
from harness.server import ROOT, environment, ludopost, migrate
from harness.world import World

ANNA = "Anna <anna@example.org>"
# Limits on address space are for builds without sanitizers.
RELEASE = ROOT / "build" / "ludopost"


@pytest.fixture
def inbound(world):
    return Inbound(world)


@pytest.fixture
def players(world):
    return world.player("Anna"), world.player("Bert", language="de")


def outcome(world, game):
    """(turns played, answers told) of a game."""
    turns = world.value("SELECT count(*) FROM turn WHERE game_id = %s", (game,))
    answers = world.value("SELECT count(*) FROM event WHERE kind = 'mail.answer' AND game_id = %s", (game,))
    return turns, answers


def run_killed(inbound, world, raw, to, number, after):
    """Delivers through a relay and kills the program at a step; its exit code, and how many steps
    there were."""
    process = None

    def step(at, data):
        if at == number and (data is None) == after:
            process.kill()

    with Between(world.database, step) as between:
        process = inbound.start(to, dsn=between.dsn)
        process.communicate(raw, timeout=120)
        return process.returncode, between.count


# ---- killed --------------------------------------------------------------------------------


def test_killed_at_every_step_one_move_one_answer_nothing_lost(world, inbound, players, settle, rng, portion):
    games = []

    def deliver(number, after):
        game, _ = world.game(*players)
        to = move_address(game, 1, 1)
        raw = letter("a3-a4", ANNA, to)
        code, count = run_killed(inbound, world, raw, to, number, after)
        games.append((game, raw, to, code))
        return count

    steps = deliver(-1, False)
    assert games[0][3] == 0 and steps > 10
    moments = [(number, after) for number in range(steps) for after in (False, True)]
    for number, after in rng.sample(moments, max(8, portion(len(moments)))):
        deliver(number, after)
    assert {code for *_, code in games[1:]} <= {-signal.SIGKILL, 0}
    # Before anything was committed the mail server knows that it still has the mail.
    for game, raw, to, code in games:
        kept = world.value("SELECT count(*) FROM inbox WHERE recipient = %s", (to,))
        assert code != 0 or kept == 1
        if code != 0:
            inbound.deliver(raw, to)
    settle()
    assert {outcome(world, game) for game, *_ in games} == {(1, 1)}
    assert world.value("SELECT count(*) FROM inbox WHERE state = 'failed'") == 0


def test_killed_while_reading_keeps_nothing(world, inbound, players):
    game, _ = world.game(*players)
    process = inbound.start(move_address(game, 1, 1))
    process.stdin.write(letter("a3-a4", ANNA, move_address(game, 1, 1))[:200])
    process.stdin.flush()
    process.kill()
    process.communicate()
    assert inbound.rows() == [] and outcome(world, game) == (0, 0)


def test_a_signal_to_end_asks_for_the_mail_again(inbound):
    process = inbound.start()
    process.stdin.write(b"From: a@example.org\r\n" * 5000)  # more than a pipe holds: it reads by now
    process.stdin.flush()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 75


def test_a_mail_whose_readers_died_three_times_is_given_up(world, inbound, players, settle, eventually):
    game, _ = world.game(*players)
    world.rows(
        "INSERT INTO inbox (via, recipient, raw, attempts, lease_until) VALUES ('deliver', %s, %s, 3, clock_now())",
        (move_address(game, 1, 1), letter("a3-a4", ANNA, move_address(game, 1, 1))),
    )
    settle()
    assert inbound.last()["state"] == "failed" and outcome(world, game) == (0, 0)
    # Whoever runs the service sees it and lets it be read again.
    env = environment(world.database)
    head, line = ludopost("admin", "inbox", env=env).stdout.splitlines()
    row = dict(zip(head.split("\t"), line.split("\t")))
    assert (row["state"], row["via"], row["attempts"]) == ("failed", "deliver", "3") and "@" not in line
    assert ludopost("admin", "reread", row["id"], env=env).stdout == f"mail {row['id']} is read again now\n"
    eventually(lambda: inbound.last()["state"] == "done")
    assert outcome(world, game) == (1, 1)
    assert len(ludopost("admin", "inbox", env=env).stdout.splitlines()) == 1
    assert ludopost("admin", "reread", row["id"], env=env, check=False).returncode == 1
    assert ludopost("admin", "reread", "x", env=env, check=False).returncode == 2


# ---- the database --------------------------------------------------------------------------


def test_a_database_that_is_away_is_a_fault_that_passes(inbound):
    text = inbound.deliver(
        letter("a3-a4", ANNA, f"play@{DOMAIN}"), f"play@{DOMAIN}", code=75, dsn="host=/nonexistent dbname=none user=x"
    )
    assert "try again later" in text


def test_a_connection_lost_after_keeping_is_no_fault_of_the_mail(world, inbound, players, settle):
    game, _ = world.game(*players)
    to = move_address(game, 1, 1)

    def step(_, data):
        # The mail's own transaction begins after it was kept.
        if data is not None and world.value("SELECT count(*) FROM inbox"):
            raise OSError

    with Between(world.database, step) as between:
        inbound.deliver(letter("a3-a4", ANNA, to), to, dsn=between.dsn)
    assert inbound.last()["state"] == "new"
    settle()
    assert outcome(world, game) == (1, 1)


@pytest.fixture
def own_cluster():
    one = Cluster().start()
    yield one
    one.remove()


def file_size_limit(cluster, limit):
    """No file of the server's next connections gets larger."""
    arguments = ["prlimit", "--pid", str(cluster.process.pid), f"--fsize={limit}:"]
    subprocess.run(arguments, check=True, cwd="/", **unprivileged())


def fill(world):
    """Stores mails until PostgreSQL can write no more."""
    with pytest.raises(psycopg2.Error):
        for _ in range(100):
            world.rows("INSERT INTO inbox (via, raw, state) VALUES ('rest', %s, 'failed')", (os.urandom(1 << 20),))


def test_a_disk_that_takes_no_more_is_a_fault_that_passes(own_cluster):
    database = own_cluster.create_database()
    migrate(database)
    file_size_limit(own_cluster, 20 << 20)
    world = World(database)
    inbound = Inbound(world)
    game, _ = world.game(world.player("Anna"), world.player("Bert"))
    to = move_address(game, 1, 1)
    fill(world)
    large = base64.encodebytes(os.urandom(400000)).decode()
    inbound.deliver(letter("a3-a4\n\n-- \n" + large, ANNA, to), to, code=75)
    assert outcome(world, game) == (0, 0)
    file_size_limit(own_cluster, "unlimited")
    inbound.deliver(letter("a3-a4\n\n-- \n" + large, ANNA, to), to)
    assert outcome(world, game) == (1, 1)
    world.close()


# ---- arguments -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, code, word",
    [
        (["--recipient"], 64, "--recipient needs"),
        (["--sender"], 64, "--sender needs"),
        (["--config"], 64, "--config needs"),
        (["--frobnicate"], 64, "unknown option"),
        (["-f"], 64, "lacks"),
        (["--", "anna@example.org"], 67, "anna@example.org"),
        (["--", f"nobody@{DOMAIN}"], 67, "no such address"),
        (["--", f"play@{DOMAIN}", "anna@example.org"], 67, "Nothing was delivered"),
    ],
)
def test_arguments_that_make_no_sense_have_their_exit_codes(inbound, arguments, code, word):
    process = inbound.start(*arguments)
    _, stderr = process.communicate(letter("help", ANNA, "x@y.example"), timeout=60)
    assert (process.returncode, word in stderr.decode()) == (code, True), stderr
    assert inbound.rows() == []


def test_a_recipient_that_is_refused_does_not_betray_its_secret(inbound):
    text = inbound.deliver(letter("a", ANNA, "x@y.example"), "move+g7.t1.abcdefghjkmnpqrs@other.example", code=67)
    assert "abcdefghjkmnpqrs" not in text and "move+…@other.example" in text


def test_no_mail_at_all_is_an_error_in_the_data(inbound):
    inbound.deliver(b"", f"play@{DOMAIN}", code=65)


def test_settings_that_are_wrong_are_a_fault_that_passes(inbound):
    inbound.deliver(b"x", f"play@{DOMAIN}", code=75, secret_key_1=None)
    inbound.deliver(b"x", f"play@{DOMAIN}", code=75, mail_domain="not a domain")


def test_a_mail_program_may_use_it_as_sendmail(world, inbound, players):
    game, _ = world.game(*players)
    to = move_address(game, 1, 1)
    process = inbound.start("-oi", "-oem", "-f", "anna@example.org", "-B8BITMIME", "--", to)
    process.communicate(letter("a3-a4", ANNA, to), timeout=60)
    assert process.returncode == 0 and outcome(world, game) == (1, 1)


def test_each_recipient_of_ours_gets_the_mail_once(world, inbound, players):
    games = [world.game(*players)[0] for _ in range(2)]
    first, second = (move_address(game, 1, 1) for game in games)
    raw = letter("a3-a4", ANNA, first)
    process = inbound.start("--sender", "anna@example.org", "--recipient", first, second, f"<{first.upper()}>")
    process.communicate(raw, timeout=60)
    assert process.returncode == 0
    assert [(row["sender"], row["recipient"]) for row in inbound.rows()] == [
        ("anna@example.org", first), ("anna@example.org", second)
    ]
    assert [outcome(world, game) for game in games] == [(1, 1), (1, 1)]


def test_without_recipients_the_header_tells(world, inbound, players):
    game, _ = world.game(*players)
    to = move_address(game, 1, 1)
    inbound.deliver(letter("a3-a4", ANNA, to))
    assert inbound.last()["recipient"] is None and outcome(world, game) == (1, 1)


# ---- too much ------------------------------------------------------------------------------


# What a process used is counted by a small parent: a child of a large one begins with its size.
METER = (
    "import json, resource, subprocess, sys; code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode;"
    " used = resource.getrusage(resource.RUSAGE_CHILDREN);"
    " print(json.dumps([code, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024]))"
)


def release(inbound, raw, *recipients, **more):
    """The release build, which has its limits; exit code, CPU seconds and bytes of memory."""
    process = inbound.start("--", *recipients, binary=RELEASE, through=("/usr/bin/python3", "-c", METER), **more)
    output, _ = process.communicate(raw, timeout=120)
    return json.loads(output)


def nested(depth):
    head = b"From: anna@example.org\r\nMIME-Version: 1.0\r\n"
    parts = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(depth)
    )
    return head + parts + b"\r\na3-a4\r\n"


@pytest.mark.parametrize(
    "name, raw",
    [
        ("two megabytes", b"x" * 2000000),
        ("one line", b"a3-a4 " * 160000),
        ("many lines", b"> quoted\r\n" * 100000),
        ("nothing but line ends", b"\r\n" * 500000),
        ("tags", b"<div>" * 200000),
        ("zeros", b"\0" * 1000000),
    ],
    ids=["megabytes", "line", "lines", "ends", "tags", "zeros"],
)
def test_no_text_takes_too_much_time_or_memory(world, inbound, players, name, raw):
    game, _ = world.game(*players)
    to = move_address(game, 1, 1)
    kind = b"text/html" if name == "tags" else b"text/plain"
    head = f"From: {ANNA}\r\nTo: {to}\r\nMessage-ID: <big@mail.example.org>\r\n".encode()
    code, seconds, memory = release(inbound, head + b"Content-Type: " + kind + b"\r\n\r\n" + raw, to)
    assert code == 0 and inbound.last()["state"] == "done"
    assert seconds < 2 and memory < 256 << 20


@pytest.mark.parametrize("depth, reason", [(25, "mime-too-deep"), (8000, "mime-too-deep")])
def test_what_is_nested_too_deep_is_told_so(world, inbound, players, depth, reason):
    game, _ = world.game(*players)
    to = move_address(game, 1, 1)
    code, seconds, _ = release(inbound, nested(depth), to)
    assert (code, inbound.last()["reason"]) == (0, reason) and seconds < 2


def test_a_mail_that_is_too_large_is_answered_and_kept_in_part(world, inbound, players):
    game, _ = world.game(*players)
    to = move_address(game, 1, 1)
    inbound.deliver(letter("a3-a4\n" + "x" * 70 + "\n", ANNA, to) + b"y" * (3 << 20), to)
    assert inbound.last()["reason"] == "message-too-large"
    assert world.value("SELECT octet_length(raw) FROM inbox") == (1 << 20) + 1
    assert outcome(world, game) == (0, 1)


def test_too_little_memory_is_a_fault_that_passes(world, inbound, players):
    game, _ = world.game(*players)
    to = move_address(game, 1, 1)
    env = environment(world.database)
    done = subprocess.run(
        ["sh", "-c", f'ulimit -v 60000; exec "{RELEASE}" deliver "{to}"'],
        input=letter("a3-a4", ANNA, to), env=env, capture_output=True, check=False,
    )
    assert done.returncode in (75, 127), done.stderr
    assert inbound.rows() == []


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGXCPU])
def test_a_crash_asks_for_the_mail_again(inbound, number):
    process = inbound.start(binary=RELEASE)
    process.stdin.write(b"From: a@example.org\r\n" * 5000)  # more than a pipe holds: it reads by now
    process.stdin.flush()
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == 75
