"""What is sealed stays sealed. Two copies of one database live through the same set-up, but for the
sealed layout: whatever anybody but its player can get must be the same, byte for byte."""

import random
import re
import time

import pytest

from harness.catcher import Catcher
from harness.layouts import Setup, random_layout
from harness.people import make_player
from harness.server import Process, ludopost, migrate
from harness.api import Api
from harness.visitor import contents, new_session

# Differ from call to call, whatever is asked.
PASSING = re.compile(
    rb'(?im)^(date|x-request-id|ratelimit|set-cookie): .*$|"request_id": ?"[^"]*"|name="(once|csrf)" value="[^"]*"'
)
QUEUED = re.compile(rb"queued as \d+")  # the mail server counts mails as they come
KEY = "the-same-key"
OPTIONS = {"board": "9x10", "territory": 4}


def masked(response):
    """Status, headers and body as they came, but for what passes."""
    head = "".join(f"{name}: {value}\n" for name, value in sorted(response.headers.items()))
    return PASSING.sub(b"", f"{response.status_code}\n{head}\n".encode() + response.content)


def settle(database):
    """Waits until every mail is out."""
    waiting = "SELECT count(*) FROM delivery WHERE state IN ('pending', 'retry', 'sending')"
    deadline = time.monotonic() + 60
    while database.value(waiting):
        assert time.monotonic() < deadline, "mails are not sent"
        time.sleep(0.02)


class World:
    """One copy of the database with the service on it."""

    def __init__(self, cluster, template, folder, scene):
        self.database = cluster.create_database(template=template.name)
        self.catcher = Catcher(folder / "Maildir").start()
        self.server = Process("serve", self.database, self.catcher, public_url="http://play.example.org", log_level="debug").start()
        self.scene = scene
        self.people = {name: self.client(token) for name, token in scene["tokens"].items()}

    def client(self, token):
        return Api(self.server.url, self.catcher, token)

    def close(self):
        self.server.stop()
        self.catcher.stop()
        self.database.drop()

    # ---- the doors -------------------------------------------------------------------------
    def doors(self, game):
        """Every path of a game, of the lists it is in, and of the challenge it came from."""
        table = [line.split("\t") for line in ludopost("routes").stdout.splitlines()]
        paths = [path for method, path, *_ in table if method == "GET" and "/games/{id}" in path]
        assert len(paths) > 12 and "/v1/games/{id}/setup" in paths and "/games/{id}" in paths
        for path in paths:
            yield path.replace("{id}", str(game)).replace("{ply}", "1")
        base = f"/v1/games/{game}"
        for form in ("svg", "png", "txt"):
            for query in ("?ply=0", "?orientation=2", "?ply=0&orientation=second"):
                yield f"{base}/board.{form}{query}"
        for prefix in ("a3~", "a3-a4", "pass", "nonsense"):
            yield f"{base}/steps?prefix={prefix}"
        challenge = self.database.value("SELECT id FROM challenge WHERE game_id = %s", (game,))
        yield from (f"/v1/challenges/{challenge}", f"/challenges/{challenge}", "/games", "/", "/metrics")
        yield from ("/v1/games", "/v1/games?rules=xo&phase=setup", "/v1/games?awaiting=me", "/v1/games?mine=true")
        yield from (f"/v1/players/{self.scene['players']['blue']}", f"/v1/games?player={self.scene['players']['blue']}")

    def looks(self, game):
        """What everybody but Blue gets at every door: with a token, with a cookie, with neither."""
        settle(self.database)
        for name in ("red", "stranger", None):
            client = self.people[name] if name else self.client(None)
            cookie = {"Cookie": f"ludopost_session={self.scene['cookies'][name]}"} if name else {}
            for path in self.doors(game):
                page = not path.startswith("/v1")
                plain = {"Accept": "text/html", **cookie} if page else {}
                method = self.client(None).call if page else client.call
                yield f"{name} GET {path}", masked_metrics(path, method("GET", path, headers=plain))
                yield f"{name} HEAD {path}", masked_metrics(path, method("HEAD", path, headers=plain))
                tag = method("GET", path, headers=plain).headers.get("ETag")
                if tag:
                    yield f"{name} again {path}", masked(method("GET", path, headers={**plain, "If-None-Match": tag}))

    def tries(self, game, layout):
        """What Red is answered when he tries things, with Blue's own key among them."""
        red, base = self.people["red"], f"/v1/games/{game}"
        bodies = [
            {"round": 1, "accept": True}, {"round": 2, "accept": True}, {"round": 1, "layout": "vvv"}, {"round": 3, "layout": layout},
            {"round": 1, "layout": f"like {game}"}, {"layout": layout},
        ]  # fmt: skip
        for body in bodies:
            for headers in ({}, {"Idempotency-Key": KEY}, {"If-Match": '"g1-v1"'}):
                yield f"red {body} {headers}", masked(red.post(f"{base}/setup", body, headers=headers))
        yield "red plays", masked(red.post(f"{base}/turns", {"ply": 1, "turn": "a10~"}))
        for name, body in (("stranger", {"round": 1, "layout": layout}), ("stranger", {"round": 1, "layout": f"like {game}"})):
            yield f"{name} {body}", masked(self.people[name].post(f"{base}/setup", body))

    # ---- behind the doors -------------------------------------------------------------------
    def mails(self):
        settle(self.database)
        yield from ((f"mail to {mail.to}: {mail.subject}", mail.content) for mail in sorted(self.catcher.mails, key=mail_order))

    def operators(self):
        """What those who run the service see: commands, log, and every table but the sealed one (and
        the answers kept for Blue's own key)."""
        for command in (["deliveries"], ["deliveries", "--dead"], ["prune"]):
            yield f"admin {command}", ludopost("admin", *command, env=self.server.env).stdout.encode()
        yield "log", "\n".join(sorted(map(masked_line, self.server.log.splitlines()))).encode()
        blue = str(self.scene["players"]["blue"])
        for table, rows in contents(self.database).items():
            if table == "setup_step":
                continue
            if table == "idempotency":
                rows = [row for row in rows if not str(row).startswith(f"(({blue},") and f"({blue}," not in str(row)]
            yield f"table {table}", repr(sorted(map(str, rows))).encode()


def mail_order(mail):
    return (mail.to, mail.subject, str(mail["Message-ID"]))


def masked_line(line):
    """A line of the log without time, names of requests and how long things took."""
    line = re.sub(r"\b(us|ms|port|pid|request|address|seconds)=\S*", r"\1=", line)
    return re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.]+Z?", "", re.sub(r"^\S*\d{2}:\d{2}:\d{2}\S*\s", "", line))


def masked_metrics(path, response):
    found = masked(response)
    if path != "/metrics":
        return found
    # Times, and counts of what other requests do meanwhile.
    lines = found.decode().splitlines()
    return "\n".join(line for line in lines if not re.search(r"second|duration|bytes|connection|busy|Content-Length", line)).encode()


def scene_make(api, database):
    """Two games of Blue and Red, public, and somebody who follows; what must be known of them."""
    people = {name: make_player(api, database, f"Sealed {name}") for name in ("blue", "red", "stranger")}
    games = [Setup(people["blue"], people["red"], options=OPTIONS).game for _ in range(2)]
    for game in games:
        database.rows(
            "INSERT INTO follow (game_id, player_id, rhythm, told_on, told_ply) VALUES (%s, %s, 'turn', '2026-01-01', 0)",
            (game, people["stranger"].player["id"]),
        )
    return {
        "games": games,
        "tokens": {name: one.token for name, one in people.items()},
        "players": {name: one.player["id"] for name, one in people.items()},
        "cookies": {name: new_session(database, one.player["id"]) for name, one in people.items()},
    }


@pytest.fixture(scope="module")
def scene(cluster, tmp_path_factory):
    """A database in which time stands still and two set-ups have just begun."""
    database = cluster.create_database()
    migrate(database)
    catcher = Catcher(tmp_path_factory.mktemp("scene") / "Maildir").start()
    server = Process("serve", database, catcher).start()
    made = scene_make(Api(server.url, catcher), database)
    settle(database)  # a mail still to be sent would show Blue his own layout in one world only
    server.stop()
    catcher.stop()
    database.rows(
        "CREATE OR REPLACE FUNCTION clock_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$SELECT "
        "timestamptz '2031-03-03 03:03:03Z'$$"
    )
    database.rows("UPDATE session SET expires_at = clock_now() + interval '1 day'")
    yield {**made, "database": database}
    database.drop()


@pytest.fixture
def worlds(cluster, scene, tmp_path):
    made = []
    try:
        for place in (1, 2):
            folder = tmp_path / str(place)
            folder.mkdir()
            made.append(World(cluster, scene["database"], folder, scene))
        yield made
    finally:
        for world in made:
            world.close()


def layouts(seed):
    """Two layouts of which even the lengths differ."""
    rng = random.Random(f"leaks {seed}")
    first = random_layout(rng, 9, 4)
    while True:
        second = random_layout(rng, 9, 4)
        if len(second) != len(first):
            return first, second


def send(world, name, game, body, **options):
    return world.people[name].post(f"/v1/games/{game}/setup", body, **options)


def differences(worlds, look):
    """What differs between the two worlds in what look(world) yields, told in short."""
    one, other = ([(name, QUEUED.sub(b"", found)) for name, found in look(world)] for world in worlds)
    assert [name for name, _ in one] == [name for name, _ in other] and len(one) > 0
    return [(name, first[-300:], second[-300:]) for (name, first), (_, second) in zip(one, other) if first != second]


def test_nothing_that_anybody_else_can_get_depends_on_a_sealed_layout(worlds, scene, seed):
    game, given_up = scene["games"]
    sealed = layouts(seed)
    red_own = random_layout(random.Random(seed), 9, 4)
    for world, layout in zip(worlds, sealed):
        for number in (game, given_up):
            body = {"round": 1, "layout": layout}
            sent = send(world, "blue", number, body, headers={"Idempotency-Key": f"{KEY}-{number}"})
            assert sent.status_code == 201 and sent.json()["seats"][0]["layout"] == layout
            # Refusals of his own orders, with drawings of them in their answers.
            assert send(world, "blue", number, {"round": 1, "layout": sealed[0] + "v"}).status_code == 409
    assert differences(worlds, lambda world: world.looks(game)) == []
    assert differences(worlds, lambda world: world.tries(game, red_own)) == []
    for world in worlds:
        world.people["red"].ask("POST", f"/v1/games/{given_up}/resign")
    assert differences(worlds, lambda world: world.looks(given_up)) == []
    assert differences(worlds, lambda world: world.mails()) == []
    for world in worlds:
        world.people["stranger"].ask("GET", f"/v1/games/{game}")
    assert differences(worlds, lambda world: world.operators()) == []
    # The test can fail: once both are in, the same doors differ.
    for world in worlds:
        assert send(world, "red", game, {"round": 1, "layout": red_own}).status_code == 201
    opened = [name for name, _, _ in differences(worlds, lambda world: world.looks(game))]
    for path in ("", "/setup", "/board.svg", "/board.png", "/board.txt", "/record.txt", "/steps"):
        assert f"stranger GET /v1/games/{game}{path}" in opened, path
    tables = [name for name, _, _ in differences(worlds, lambda world: world.operators())]
    assert "table game" in tables
