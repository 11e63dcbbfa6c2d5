"""What is measured of mail that comes in: turns played by `ludopost deliver` and POST /v1/mail, and reading mails alone."""

import concurrent.futures
import hashlib
import hmac
import http.client
import json
import subprocess
import threading
import time
import urllib.parse

from data import FRESH_PLAYERS, script_of
from measure import BINARY, PROGRAMS, ended_seconds, serve
from harness.server import ROOT, environment

KEY = "0123456789abcdef0123456789abcdef"
DOMAIN = "play.example.org"
LETTERS = "abcdefghjkmnopqrstuvwxyz23456789"
CLIENTS = 8
MAILS_A_SECOND = 400  # more than this machine can do
MAIL = """From: P <{sender}>
To: <{recipient}>
Subject: Re: [Ludopost] Game {game}
Message-ID: <bench.{game}@example.org>
In-Reply-To: <g{game}.t0.d1@play.example.org>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

{turn}

On Mon, Nov 30, 2026 at 5:47 AM Ludopost <turns@play.example.org> wrote:

{quoted}
"""
QUOTED = "".join(f"> line {number} of the mail that is answered, with its board and its words\n" for number in range(60))


def secret(purpose, *fields):
    """As service/secret.c makes it."""
    digest = hmac.new(KEY.encode(), "|".join([purpose, *map(str, fields)]).encode(), hashlib.sha256).digest()
    bits = "".join(f"{byte:08b}" for byte in digest[:10])
    return "".join(LETTERS[int(bits[at : at + 5], 2)] for at in range(0, 80, 5))


def first_turns(data, count):
    """Replies that play the first turn of fresh games: (sender, recipient, bytes)."""
    first = data.fresh(count)
    data.tidy()
    for game in range(first, first + count):
        sender = f"p{2 * ((game - first) % (FRESH_PLAYERS // 2)) + 1}@example.org"
        recipient = f"move+g{game}.t1.{secret('move', game, 1, 1)}@{DOMAIN}"
        text = MAIL.format(sender=sender, recipient=recipient, game=game, turn=script_of(game).turns[0], quoted=QUOTED)
        yield sender, recipient, text.encode()


def run_clients(mails, seconds, send):
    """CLIENTS threads send mails until the time is over; how many were sent, and in what time."""
    until = time.monotonic() + seconds
    lock, left = threading.Lock(), iter(mails)

    def client(_):
        count = 0
        while time.monotonic() < until:
            with lock:
                mail = next(left, None)
            if mail is None:
                raise SystemExit("the prepared mails ran out")
            send(*mail)
            count += 1
        return count

    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        count = sum(pool.map(client, range(CLIENTS)))
    return count, time.monotonic() - begin


def measured(bench, part, what, send):
    """One figure: every mail must have played its turn."""
    data = bench.small()
    mails = list(first_turns(data, MAILS_A_SECOND * bench.seconds))
    before = data.value("SELECT count(*) FROM turn")
    spent = ended_seconds()
    count, took = run_clients(mails, bench.seconds, send)
    played = data.value("SELECT count(*) FROM turn") - before
    if played != count:
        raise SystemExit(f"{part}: {count} mails played {played} turns")
    bench.report.plain(part, f"{what}, {CLIENTS} at once", count / took, "")
    return (ended_seconds() - spent) / count


def deliver(bench):
    """Turns played by mail through `ludopost deliver`, one process for each mail."""
    settings = environment(bench.small().database, None, secret_key_1=KEY, mail_domain=DOMAIN, inbound="yes")

    def send(sender, recipient, raw):
        done = subprocess.run(
            [BINARY, "deliver", "--sender", sender, "--recipient", recipient], input=raw, env=settings, capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            raise SystemExit(f"deliver: {done.returncode} {done.stderr.decode()}")

    cpu = measured(bench, "deliver", "mails/s through ludopost deliver", send)
    bench.report.plain("deliver", "CPU a mail, deliver", cpu * 1e3, "ms")


def post(bench):
    """Turns played by mail through POST /v1/mail."""
    data = bench.small()
    data.fresh(FRESH_PLAYERS)
    token = "lp_mail" + "x" * 36
    data.rows(
        "INSERT INTO token (player_id, name, prefix, hash, scopes)"
        f" VALUES (1, 'bench', 'lp_mail', sha256('{token}'), '{{mail}}') ON CONFLICT DO NOTHING"
    )
    service = serve(data.database, secret_key_1=KEY, mail_domain=DOMAIN, inbound="yes")
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "message/rfc822"}
    own = threading.local()

    def send(sender, recipient, raw):
        if not hasattr(own, "connection"):
            own.connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        query = urllib.parse.urlencode({"recipient": recipient, "sender": sender})
        own.connection.request("POST", f"/v1/mail?{query}", raw, headers)
        answer = own.connection.getresponse()
        text = answer.read()
        if answer.status // 100 != 2:
            raise SystemExit(f"POST /v1/mail: {answer.status} {text.decode()}")

    measured(bench, "post", "mails/s through POST /v1/mail", send)
    service.stop()


def strip(bench):
    """Mails read and stripped a second, one thread: every mail of the tests."""
    folders = [ROOT / "tests/mail/cases", ROOT / "tests/mail/cases-own"]
    done = subprocess.run([PROGRAMS / "strip", str(bench.seconds), *folders], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    bench.report.plain("strip", f"mails read and stripped/s, one thread ({found['mails']} mails)", found["rate"], "")
    bench.report.plain("strip", "the whole corpus", found["mails"] / found["rate"] * 1e3, "ms")
