"""What is measured. Each part gets the Bench and adds rows to its report."""

import json
import resource
import socket
import statistics
import subprocess
import time

import requests

import mail_in
from data import goes_on, script_of, stored_players, token_hash, token_of
from measure import (
    BINARY, DATABASE_CONNECTIONS, HTTP_CLIENTS, PROGRAMS, Nginx, Service, ended_seconds, http_load, median_of, pgbench,
    pgbench_statement, program_queries, request_line, resident_kb, serve,
)
from scripts import PLIES, STORED_PLIES

IDLE_CONNECTIONS = 1000
MAILS = 2000
FURTHER_PLIES = 8
SUBMITS_A_SECOND = 6000
PLAY_SEED = 20261130


def ratio_of(ours, others):
    """The median of the rounds' ratios: the two runs of a round follow each other."""
    return statistics.median(one.rate / other.rate for one, other in zip(ours, others))


def milliseconds(value):
    return f"{value:.2f} ms"


def cpu_text(cpu):
    return ", ".join(f"{name} {value:.0f}" for name, value in cpu.items()) + " µs CPU"


# ---- turns --------------------------------------------------------------------------------------
def turn_lines(first, count):
    """Every turn of fresh games, one ply of all after the other: line i is of client i modulo 32."""
    for ply in range(1, PLIES + 1):
        for place in range(count):
            game = first + place
            token = token_of(2 * (place % HTTP_CLIENTS) + 2 - ply % 2)
            yield request_line("POST", f"/v1/games/{game}/turns", token, {"ply": ply, "turn": script_of(game).turns[ply - 1]})


def turn_script(first, count):
    """The statements of a turn for pgbench: each client plays its own games, ply after ply."""
    queries = program_queries()
    names = "game version board key awaiting winners reasons seat player text channel none none none board".split()
    own = count // DATABASE_CONNECTIONS
    clients = ", ".join(
        f"({client}, {first + client * own}, {2 * client + 1}, {2 * client + 2}, '{token_hash(2 * client + 1)}',"
        f" '{token_hash(2 * client + 2)}')"
        for client in range(DATABASE_CONNECTIONS)
    )
    reads = [
        "\\startpipeline\n" + pgbench_statement(queries["token_auth"], [f"hash_{seat}"])
        + pgbench_statement(queries["game_find"], ["game"]) + "\\endpipeline\n"
        for seat in (1, 2)
    ]
    return (
        "\\if :ready = 0\n"
        f"SELECT * FROM (VALUES {clients}) AS client (id, first, player_1, player_2, hash_1, hash_2) WHERE id = :client_id \\gset\n"
        "\\set ready 1\n\\set n 0\n\\endif\n"
        f"\\set game :first + :n % {own}\n\\set version 1 + :n / {own}\n\\set n :n + 1\n"
        "\\set seat 2 - :version % 2\n\\set awaiting 3 - :seat\n\\set key random(1, 9000000000000000000)\n"
        f"\\if :seat = 1\n\\set player :player_1\n{reads[0]}\\else\n\\set player :player_2\n{reads[1]}\\endif\n"
        "\\startpipeline\n" + pgbench_statement(queries["turn_play"], names) + "\\endpipeline\n"
    )


def turn_variables():
    script = script_of(1)
    return {
        "ready": 0, "board": script.boards[STORED_PLIES], "text": script.turns[STORED_PLIES], "channel": "rest",
        "winners": "{NULL,NULL,NULL}", "reasons": "{NULL,NULL,NULL}",
    }


def written_check(before, after, run, what):
    """Each request must have written one turn, one event and one delivery."""
    grown = [new - old for old, new in zip(before, after)]
    if any(count < run.requests or count > run.requests + DATABASE_CONNECTIONS for count in grown):
        raise SystemExit(f"{what}: {run.requests} requests wrote {grown} turns, events, deliveries")


def turn(bench):
    """REST turn submit against pgbench running the statements of that path."""
    data = bench.small()
    service = serve(data.database)
    groups = {"service": service.process.pid, "postgres": bench.cluster.process.pid}
    ours, others = [], []
    expected = 10000
    for _ in range(bench.rounds):
        count = max(1, int(expected * 2 * bench.seconds / PLIES / HTTP_CLIENTS)) * HTTP_CLIENTS
        for side in (ours, others):
            first = data.fresh(count)
            data.tidy()
            before = data.written()
            if side is ours:
                run = http_load(service.port, turn_lines(first, count), bench.seconds, groups, 201, repeat=False)
            else:
                run = pgbench(bench.cluster, data.database, turn_script(first, count), bench.seconds, turn_variables())
            if run.exhausted:
                raise SystemExit("the prepared turns ran out: the service became quicker within the bench")
            written_check(before, data.written(), run, "the service" if side is ours else "pgbench")
            side.append(run)
        expected = max(ours[-1].rate, others[-1].rate)
    service.stop()
    bench.report.add("turn", "turns/s, 32 clients", median_of(ours, "rate"), "pgbench", median_of(others, "rate"), ratio_of(ours, others), 0.85)
    bench.report.latency("turn", ours, others)
    bench.report.keep("turn", rounds=[[a.rate, b.rate] for a, b in zip(ours, others)])


# ---- reads --------------------------------------------------------------------------------------
def read_lines(data, count, rng):
    for _ in range(count):
        game = rng.randint(1, data.games)
        token = token_of(stored_players(game, data.people)[rng.randint(0, 1)])
        yield request_line("GET", f"/v1/games/{game}", token)


def read_script(data):
    queries = program_queries()
    players = ", ".join(f"({client}, '{token_hash(client + 1)}')" for client in range(DATABASE_CONNECTIONS))
    return (
        f"\\if :ready = 0\nSELECT * FROM (VALUES {players}) AS client (id, hash) WHERE id = :client_id \\gset\n"
        "\\set ready 1\n\\endif\n"
        f"\\set game random(1, {data.games})\n\\startpipeline\n"
        + pgbench_statement(queries["token_auth"], ["hash"]) + pgbench_statement(queries["game_find"], ["game"])
        + "\\endpipeline\n"
    )


def read(bench):
    """REST game read against the same read in pgbench, and against nginx with a file of that size."""
    data = bench.small()
    data.store(bench.small_games)
    service = serve(data.database)
    groups = {"service": service.process.pid, "postgres": bench.cluster.process.pid}
    lines = list(read_lines(data, 20000, bench.rng))
    size = int(http_load(service.port, lines, 1, groups).body_bytes)
    nginx = Nginx(size)
    ours, others, files = [], [], []
    for _ in range(bench.rounds):
        ours.append(http_load(service.port, lines, bench.seconds, groups))
        others.append(pgbench(bench.cluster, data.database, read_script(data), bench.seconds, {"ready": 0}))
        files.append(
            http_load(nginx.port, [request_line("GET", "/game.json")] * HTTP_CLIENTS, bench.seconds, {"nginx": nginx.process.pid})
        )
    nginx.stop()
    service.stop()
    rate = median_of(ours, "rate")
    bench.report.add("read", "game reads/s, 32 clients", rate, "pgbench", median_of(others, "rate"), ratio_of(ours, others), 0.75)
    bench.report.latency("read", ours, others)
    bench.report.add("nginx", f"game reads/s ({size} bytes)", rate, "nginx, file", median_of(files, "rate"), ratio_of(ours, files))
    bench.report.latency("nginx", ours, files)
    bench.report.keep("read", rounds=[[a.rate, b.rate, c.rate] for a, b, c in zip(ours, others, files)])


# ---- connections, start -------------------------------------------------------------------------
def idle(bench):
    """Memory at 1,000 idle connections, each of which has asked something before."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4 * IDLE_CONNECTIONS)), hard))
    data = bench.small()
    service = serve(data.database, connections_per_address=2 * IDLE_CONNECTIONS, idle_timeout="10m")
    before = resident_kb(service.process.pid)
    clients = []
    for _ in range(IDLE_CONNECTIONS):
        client = socket.create_connection(("127.0.0.1", service.port))
        client.sendall(b"GET /v1/rules/ordo HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        if not client.recv(65536).startswith(b"HTTP/1.1 200"):
            raise SystemExit("an idle client was refused")
        clients.append(client)
    after = resident_kb(service.process.pid)
    for client in clients:
        client.close()
    service.stop()
    bench.report.plain("idle", "memory at start", before / 1024, "MB")
    bench.report.plain("idle", f"memory with {IDLE_CONNECTIONS} idle connections", after / 1024, "MB")
    bench.report.plain("idle", "memory a connection", (after - before) / IDLE_CONNECTIONS, "kB")


def ready_seconds(process):
    """From the start of the program until it answers /readyz with 200."""
    begin = time.monotonic()
    process.start(wait=False)
    while True:
        try:
            if requests.get(process.url + "/readyz", timeout=5).status_code == 200:
                return time.monotonic() - begin
        except requests.ConnectionError:
            pass
        if process.process.poll() is not None or time.monotonic() > begin + 30:
            raise SystemExit(f"the service did not start:\n{process.log}")
        time.sleep(0.001)


def start(bench):
    """From exec to ready: connected to the database, every query prepared."""
    data = bench.small()
    took = []
    for _ in range(5):
        process = Service("serve", data.database, run_workers="no", workers=DATABASE_CONNECTIONS)
        took.append(ready_seconds(process))
        process.stop()
    bench.report.plain("start", "start until ready", statistics.median(took) * 1000, "ms")


# ---- mail ---------------------------------------------------------------------------------------
def mail(bench):
    """Mails a second from the outbox to a mail server that takes everything."""
    data = bench.small()
    data.store(bench.small_games)
    due = (
        "UPDATE delivery SET state = 'pending', due_at = clock_now(), attempts = 0, sent_at = NULL, changed_at = NULL"
        " FROM event JOIN game ON game.id = event.game_id"
        " WHERE delivery.event_id = event.id AND event.ply = game.ply AND game.phase = 'play' AND game.id <= {}"
    )
    left = "SELECT count(*) FROM delivery WHERE state <> 'sent'"
    sink = subprocess.Popen([PROGRAMS / "sink"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    port = sink.stdout.readline().strip()
    data.run(due.format(MAILS * 3 // 2))
    data.tidy()
    count = data.value(left)
    worker = Service("work", data.database, smtp_url=f"smtp://127.0.0.1:{port}", mail_from="Ludopost <turns@play.example.org>")
    spent = ended_seconds()
    begin = time.monotonic()
    worker.start()
    while data.value(left) > 0:
        if time.monotonic() > begin + 120:
            raise SystemExit(f"the mails were not sent:\n{worker.log[-2000:]}")
        time.sleep(0.05)
    took = time.monotonic() - begin
    worker.stop()
    spent = ended_seconds() - spent
    dead = data.value("SELECT count(*) FROM delivery WHERE state = 'sent' AND reply NOT LIKE '%%taken%%'")
    sink.stdin.close()
    sink.wait(timeout=20)
    if dead:
        raise SystemExit(f"{dead} mails were not taken")
    bench.report.plain("mail", f"mails/s to a local sink ({count} mails with board and picture)", count / took, "")
    bench.report.plain("mail", "CPU a mail, sender", spent * 1e3 / count, "ms")


# ---- the referee --------------------------------------------------------------------------------
def perft(bench):
    """Counting every game of a few turns, one thread, no positions cached."""
    for rules, depth, aim in (("ordo", 4, 1.0), ("ordox", 2, 0.5), ("xo", 2, None)):
        took, count = [], 0
        for _ in range(max(3, bench.rounds)):
            begin = time.monotonic()
            done = subprocess.run(
                [BINARY, "rules", "perft", rules, "start", str(depth)], capture_output=True, text=True, check=True
            )
            took.append(time.monotonic() - begin)
            count = int(done.stdout.split()[-1])
        seconds = statistics.median(took)
        bench.report.plain("perft", f"{rules} depth {depth}: {count:,} turns", seconds, "s", aim)
        bench.report.plain("perft", f"{rules} turns/s", count / seconds / 1e6, "million")


def play(bench):
    """Random games of XO, each step chosen among all that are legal: turns a second, the longest list of steps."""
    runs = []
    for round_number in range(max(3, bench.rounds)):
        done = subprocess.run(
            [PROGRAMS / "play", "xo", str(bench.seconds), str(PLAY_SEED + round_number)], capture_output=True, text=True, check=True
        )
        runs.append(json.loads(done.stdout))
    longest = max(runs, key=lambda run: run["longest"])
    lists = sum(run["lists"] for run in runs)
    bench.report.plain("play", "xo turns/s in random play", statistics.median(run["rate"] for run in runs) / 1e3, "thousand")
    bench.report.plain("play", f"longest of {lists:,} steps answers (seed {PLAY_SEED})", longest["longest"], "steps")
    bench.report.keep("play", seed=PLAY_SEED, runs=runs)


# ---- from a thousand to a million games ---------------------------------------------------------
def list_lines(data, count, rng):
    """The lists people look at: their own games, those that wait for them, public ones by filter."""
    paths = ("?mine=true", "?awaiting=me", "", "?phase=play", "?rules=ordox&phase=over", "?player={player}")
    for place in range(count):
        player = rng.randint(1, data.people)
        path = paths[place % len(paths)].format(player=rng.randint(1, data.people))
        yield request_line("GET", f"/v1/games{path}{'&' if path else '?'}limit=20", token_of(player))


def submit_lines(data, games):
    """Some further turns of stored games, one ply of all after the other."""
    for ply in range(STORED_PLIES + 1, STORED_PLIES + 1 + FURTHER_PLIES):
        for game in games:
            token = token_of(stored_players(game, data.people)[(ply + 1) % 2])
            yield request_line("POST", f"/v1/games/{game}/turns", token, {"ply": ply, "turn": script_of(game).turns[ply - 1]})


class Store:
    """A database with stored games and a service on it."""

    def __init__(self, bench, games):
        self.bench = bench
        self.data = bench.database()
        begin = time.monotonic()
        self._fill(games)
        bench.say(f"{games} games stored in {time.monotonic() - begin:.0f} s")
        self.service = None
        self.groups = {}

    def _fill(self, games):
        """Stores games; those that go on wait in random order to be played on."""
        self.data.store(games)
        self.waiting = [game for game in range(1, games + 1) if goes_on(game)]
        self.bench.rng.shuffle(self.waiting)

    def open(self):
        self.data.prewarm()
        self.service = serve(self.data.database)
        self.groups = {"service": self.service.process.pid, "postgres": self.bench.cluster.process.pid}

    def close(self):
        self.service.stop()
        self.data.database.drop()

    def run(self, kind):
        seconds = self.bench.seconds
        if kind == "submit":
            wanted = min(SUBMITS_A_SECOND * seconds, len(self.waiting)) // HTTP_CLIENTS * HTTP_CLIENTS
            if wanted < min(SUBMITS_A_SECOND * seconds // HTTP_CLIENTS * HTTP_CLIENTS, self.data.games // 2):
                self._fill(self.data.games)
                return self.run(kind)
            games = [self.waiting.pop() for _ in range(wanted)]
            self.data.tidy()
            return http_load(self.service.port, submit_lines(self.data, games), seconds, self.groups, 201, repeat=False)
        make = read_lines if kind == "read" else list_lines
        return http_load(self.service.port, make(self.data, 30000, self.bench.rng), seconds, self.groups)


def scale(bench):
    """How read, list and submit change when a thousand stored games become a million."""
    bench.restart(wal_level="minimal", max_wal_senders="0", **bench.memory())
    few, many = Store(bench, bench.few_games), Store(bench, bench.many_games)
    bench.cluster.stop()
    with bench.huge_pages():
        bench.restart(**bench.memory())
        scale_measure(bench, few, many)
        bench.cluster.stop()
    bench.restart()


def scale_measure(bench, few, many):
    """Both in memory, as on a server that has run for a while."""
    for store in (few, many):
        store.open()
    for kind in ("read", "list", "submit"):
        first, second = [], []
        for store in (few, many):
            store.run(kind)  # warms the connections
        for _ in range(bench.rounds):
            second.append(many.run(kind))
            first.append(few.run(kind))
        bench.report.add(
            "scale", f"{kind}s/s at {bench.many_games:,} games", median_of(second, "rate"), f"at {bench.few_games:,}",
            median_of(first, "rate"), ratio_of(second, first), 0.85,
        )
        bench.report.latency(f"scale {kind}", second, first)
    for store in (few, many):
        store.close()


PARTS = {
    "turn": turn, "read": read, "idle": idle, "start": start, "mail": mail, "deliver": mail_in.deliver, "post": mail_in.post,
    "strip": mail_in.strip, "perft": perft, "play": play, "scale": scale,
}
