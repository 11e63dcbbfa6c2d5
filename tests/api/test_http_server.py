"""Connections, bodies, slow clients, stopping, methods, languages: what holds for every route."""

import concurrent.futures
import gzip
import json
import re
import socket
import time

import pytest
import requests

from harness.api import Api
from harness.blocked import Blocked, eventually
from harness.people import make_player
from harness.server import environment, ludopost
from harness.wire import Wire, exchange

PLAIN = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def gauge(server, name):
    text = requests.get(f"{server.url}/metrics", timeout=30).text
    return float(re.search(rf"^ludopost_{name} (\S+)$", text, re.M).group(1))


# ---- methods, media types, languages ---------------------------------------------------------
def test_head_is_get_without_its_body(server):
    with Wire(server.port) as wire:
        wire.send("HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n" + PLAIN)
        head = wire.socket.recv(65536)
        while b"\r\n\r\n" not in head:
            head += wire.socket.recv(65536)
        length = re.search(rb"Content-Length: (\d+)", head).group(1)
        first, _, rest = head.partition(b"\r\n\r\n")
        assert first.startswith(b"HTTP/1.1 200 ") and int(length) > 0
        wire.buffer = rest
        status, headers, body = wire.answer()
        assert status == 200 and headers["content-length"] == length.decode() and body


def test_options_and_405_name_the_methods(server):
    for method, status in (("OPTIONS", 204), ("DELETE", 405), ("BREW", 405)):
        answer = requests.request(method, f"{server.url}/healthz", timeout=30)
        assert answer.status_code == status
        assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert exchange(server.port, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")[0] == [204]


@pytest.mark.parametrize(
    "accept, status",
    [
        ("*/*", 200),
        ("application/*", 200),
        ("application/json", 200),
        ("text/html, application/json;q=0.1", 200),
        ("text/html", 406),
        ("application/json;q=0", 406),
        ("application/json;q=0, */*", 406),
    ],
)
def test_accept_is_heard(server, accept, status):
    answer = requests.get(f"{server.url}/healthz", headers={"Accept": accept}, timeout=30)
    assert answer.status_code == status
    if status == 406:
        assert answer.json()["type"] == "/problems/not-acceptable"


TITLES = {"en": "Not found", "es": "No encontrado", "fr": "Introuvable", "ru": "Не найдено", "de": "Nicht gefunden"}


@pytest.mark.parametrize("language", TITLES)
def test_a_problem_speaks_the_clients_language(server, language):
    headers = {"Accept-Language": f"xx, {language}-ZZ;q=0.8, en;q=0.1"}
    answer = requests.get(f"{server.url}/nothing", headers=headers, timeout=30)
    assert answer.status_code == 404 and answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Content-Language"] == language
    problem = answer.json()
    assert problem["title"] == TITLES[language] and problem["status"] == 404
    assert problem["request_id"] == answer.headers["X-Request-Id"]
    about = requests.get(server.url + problem["type"], headers=headers, timeout=30).json()
    assert about.pop("detail")
    assert about == {"type": "/problems/not-found", "title": TITLES[language], "status": 404}


def test_every_answer_is_guarded(server):
    for path in ("/healthz", "/nothing", "/metrics"):
        headers = requests.get(server.url + path, timeout=30).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] and headers["X-Request-Id"] and headers["Date"]


@pytest.mark.parametrize("path", ["/problems/0", "/problems/", "/problems/a/b", "/problems/" + "a" * 65, "/healthz/", "/nothing", "/%68ealthy"])
def test_paths_that_are_none_are_not_found(server, path):
    assert exchange(server.port, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")[0] == [404]


def test_escapes_of_letters_lead_to_the_same_place(server):
    assert exchange(server.port, "GET /%68e%61lthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")[0] == [200]


def test_a_query_parameter_given_twice_is_refused(server):
    for query, parameter in (("a=1&a=1", "a"), ("a=1&%61=2", "a"), ("=1", ""), ("a=%ff", "a"), ("a=%01", "a")):
        problem = requests.get(f"{server.url}/problems?{query}", timeout=30)
        assert problem.status_code == 400 and problem.json()["parameter"] == parameter


# ---- heads -----------------------------------------------------------------------------------
def test_a_target_that_is_too_long_is_told_so_by_a_problem(server):
    with Wire(server.port) as wire:
        wire.send("GET /healthz?" + "a" * 5_000 + " HTTP/1.1\r\nHost: x\r\n\r\n" + PLAIN)
        status, headers, body = wire.answer()
        assert (status, headers["content-type"], headers["connection"]) == (414, "application/problem+json", "close")
        assert json.loads(body)["type"] == "/problems/target-too-long"
        assert wire.read_all() == b""
    assert exchange(server.port, "GET /healthz?" + "a" * 4_000 + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")[0] == [200]


# ---- bodies ----------------------------------------------------------------------------------
LIMIT = 65536


def post(size, extra=""):
    return f"POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n{extra}\r\n"


def test_a_body_up_to_the_limit_is_read(server):
    with Wire(server.port) as wire:
        assert wire.send(post(LIMIT) + "a" * LIMIT).answer()[0] == 405
        assert wire.send(PLAIN).answer()[0] == 200


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "identity, gzip", "x"])
def test_a_packed_body_is_refused_and_the_answer_says_how_to_send_it(server, encoding):
    packed = gzip.compress(b'{"email":"anna@example.org"}')
    headers = {"Content-Type": "application/json", "Content-Encoding": encoding}
    answer = requests.post(f"{server.url}/v1/logins", data=packed, headers=headers, timeout=30)
    assert answer.status_code == 415 and answer.json()["type"] == "/problems/content-encoding-unsupported"
    assert answer.headers["Accept-Encoding"] == "identity"


def test_a_body_that_is_not_packed_may_say_so(server):
    headers = {"Content-Type": "application/json", "Content-Encoding": "Identity"}
    answer = requests.post(f"{server.url}/v1/logins", data='{"email":"anna@example.org"}', headers=headers, timeout=30)
    assert answer.status_code == 202


def test_a_body_over_the_limit_is_refused_and_the_reason_can_be_read(server):
    with Wire(server.port) as wire:
        status, _, body = wire.send(post(LIMIT + 1) + "a" * (LIMIT + 1)).answer()
        assert status == 413 and b'"limit":65536' in body
        assert wire.send(PLAIN).answer()[0] == 200


def test_a_body_far_over_the_limit_is_refused_before_it_comes(server):
    statuses, _ = exchange(server.port, post(50_000_000) + "a" * 1000 + PLAIN)
    assert statuses == [413]


def test_a_client_that_asks_first_is_spared_the_sending(server):
    with Wire(server.port) as wire:
        status, headers, _ = wire.send(post(LIMIT + 1, "Expect: 100-continue\r\n")).answer()
        assert status == 413 and headers["connection"] == "close"
    with Wire(server.port) as wire:
        wire.send(post(3, "Expect: 100-continue\r\n"))
        assert wire.answer()[0] == 100
        assert wire.send("abc").answer()[0] == 405


def test_a_chunked_body_over_the_limit_is_refused(server):
    head = "POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = f"{0x1000:x}\r\n{'a' * 0x1000}\r\n"
    statuses, _ = exchange(server.port, head + chunk * 17 + "0\r\n\r\n")
    assert statuses == [413]
    statuses, _ = exchange(server.port, head + chunk * 16 + "0\r\n\r\n")
    assert statuses == [405]


def test_a_chunked_body_without_end_ends_with_the_connection(server):
    with Wire(server.port) as wire:
        wire.send("POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk = f"{0x8000:x}\r\n{'a' * 0x8000}\r\n"
        for _ in range(100):
            wire.send(chunk)
        assert b" 200 " not in wire.read_all()


# ---- connections -----------------------------------------------------------------------------
def test_pipelined_requests_are_answered_in_order(server):
    paths = ["/healthz", "/problems/internal", "/readyz", "/nothing", "/problems/not-found"] * 10
    with Wire(server.port) as wire:
        wire.send("".join(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n" for path in paths))
        said = [wire.answer() for _ in paths]
    assert [status for status, _, _ in said] == [200, 200, 200, 404, 200] * 10
    assert b"internal" in said[1][2] and b"not-found" in said[4][2]


@pytest.fixture(scope="module")
def strict(database, catcher):
    """A server that waits for nobody."""
    from harness.server import Process

    one = Process("serve", database, catcher, header_timeout="1s", body_timeout="1s", idle_timeout="1s", connections_per_address=40).start()
    yield one
    one.stop()


def drip(wire, data, seconds=20):
    """Sends a byte at a time, never silent for long, until the server ends the connection."""
    deadline = time.monotonic() + seconds
    said = b""
    for place in range(len(data)):
        wire.send(data[place : place + 1])
        closed, more = wire.closed_within(0.1)
        said += more
        if closed:
            return said
        assert time.monotonic() < deadline, "the slow client was never cut off"
    raise AssertionError("the slow client was never cut off")


@pytest.mark.parametrize(
    "quick, slow",
    [
        ("", PLAIN + " " * 500),
        ("GET /healthz HTTP/1.1\r\n", "X-A: " + "a" * 500),
        ("GET /healthz HTTP/1.1\r\nHost: x\r\n", "X: y\r\n" * 100),
        (post(1000), "a" * 999),
        ("POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n" * 100),
        ("POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "1;" + "a" * 500),
    ],
    ids=["line", "header", "headers", "body", "chunks", "chunk_extension"],
)
def test_a_slow_sender_is_told_and_cut_off(strict, quick, slow):
    with Wire(strict.port) as wire:
        said = drip(wire.send(quick), slow.encode() if quick else b"GET /" + b"a" * 500)
    assert said.startswith(b"HTTP/1.1 408 ")
    head, _, body = said.partition(b"\r\n\r\n")
    assert b"\r\nContent-Type: application/problem+json\r\n" in head and b"\r\nConnection: close" in head
    assert json.loads(body)["type"] == "/problems/request-timeout"
    with Wire(strict.port) as wire:
        assert wire.send(PLAIN).answer()[0] == 200


def test_a_slow_head_on_a_kept_connection_is_cut_off(strict):
    with Wire(strict.port) as wire:
        assert wire.send(PLAIN).answer()[0] == 200
        assert drip(wire.send("GET /healthz HTTP/1.1\r\n"), b"X-A: " + b"a" * 500).startswith(b"HTTP/1.1 408 ")


def test_an_idle_connection_ends_without_a_word(strict):
    with Wire(strict.port) as wire:
        assert wire.send(PLAIN).answer()[0] == 200
        assert wire.closed_within(20) == (True, b"")


def test_one_address_has_only_so_many_connections(strict):
    eventually(lambda: gauge(strict, "http_connections") == 1)
    wires = [Wire(strict.port) for _ in range(40)]
    with Wire(strict.port) as one_more:
        assert one_more.send(PLAIN).closed_within(20) == (True, b"")
    for wire in wires:
        wire.close()
    eventually(lambda: exchange(strict.port, PLAIN)[0] == [200])


def test_a_thousand_idle_connections_cost_little(database, catcher, start_process):
    server = start_process("serve", database, catcher)

    def memory():
        return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{server.process.pid}/status").read()).group(1))

    assert requests.get(f"{server.url}/healthz", timeout=30).ok
    before = memory()
    wires = [Wire(server.port) for _ in range(1000)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda wire: wire.send(PLAIN).answer()[0], wires)) == [200] * 1000
    assert gauge(server, "http_connections") >= 1000
    assert memory() - before < 40 * 1000
    for wire in wires:
        wire.close()
    eventually(lambda: gauge(server, "http_connections") <= 2)


# ---- stopping, and a database that blocks, goes away, comes back -------------------------------
def test_requests_in_flight_are_answered_when_the_service_stops(database, catcher, start_process):
    server = start_process("serve", database, catcher, run_workers="no")
    blocked = Blocked(database)
    idle = Wire(server.port)
    wires = [Wire(server.port).send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(4)]
    blocked.wait_for_waiters(4)
    server.process.terminate()
    assert idle.closed_within(20) == (True, b"")
    with pytest.raises(ConnectionRefusedError):
        eventually(lambda: Wire(server.port).close())
    blocked.release()
    for wire in wires:
        status, headers, body = wire.answer()
        assert status == 200 and headers["connection"] == "close" and b"ludopost_db_up 1" in body
    assert server.process.wait(timeout=60) == 0
    assert len(server.events("stopped")) == 1


def test_a_load_balancer_is_told_before_the_service_stops(database, catcher, start_process):
    server = start_process("serve", database, catcher, run_workers="no", stop_delay="5s")
    server.process.terminate()
    eventually(lambda: requests.get(f"{server.url}/readyz", timeout=30).status_code == 503)
    assert requests.get(f"{server.url}/healthz", timeout=30).status_code == 200
    assert server.process.wait(timeout=60) == 0


def test_more_requests_than_workers_wait_their_turn(database, catcher, start_process):
    server = start_process("serve", database, catcher, workers=2, run_workers="no")
    blocked = Blocked(database)
    wires = [Wire(server.port).send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(6)]
    blocked.wait_for_waiters(2)
    assert requests.get(f"{server.url}/healthz", timeout=30).ok
    blocked.release()
    assert [wire.answer()[0] for wire in wires] == [200] * 6


def test_a_client_that_left_meanwhile_harms_nobody(database, catcher, start_process):
    server = start_process("serve", database, catcher, workers=4, run_workers="no")
    blocked = Blocked(database)
    for _ in range(8):
        Wire(server.port).send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").close()
    blocked.wait_for_waiters(4)
    blocked.release()
    eventually(lambda: gauge(server, "http_in_flight") == 1)
    assert gauge(server, "http_queued") == 0
    eventually(lambda: gauge(server, "http_connections") == 1)


def test_a_database_that_goes_away_and_comes_back(durable_cluster, catcher, start_process):
    from harness.server import migrate

    database = durable_cluster.create_database()
    migrate(database)
    server = start_process("serve", database, catcher)
    durable_cluster.kill()
    eventually(lambda: requests.get(f"{server.url}/readyz", timeout=30).status_code == 503)
    answer = requests.get(f"{server.url}/readyz", timeout=30)
    assert answer.json()["type"] == "/problems/unavailable" and int(answer.headers["Retry-After"]) > 0
    assert requests.get(f"{server.url}/healthz", timeout=30).ok
    assert gauge(server, "db_up") == 0
    late = start_process("serve", database, catcher, wait=False)
    eventually(lambda: late.events("started"))
    assert requests.get(f"{late.url}/readyz", timeout=30).status_code == 503
    durable_cluster.start()
    for one in (server, late):
        one.wait_ready()
        eventually(lambda one=one: gauge(one, "db_connected") >= 1)


def test_a_database_of_another_schema_stops_the_start(cluster, catcher):
    database = cluster.create_database()
    done = ludopost("serve", env=environment(database, catcher), check=False)
    assert done.returncode == 1 and "migrate" in done.stderr
    database.drop()


def test_a_port_that_is_taken_stops_the_start(database, catcher):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = ludopost("serve", env=environment(database, catcher, port), check=False)
    assert done.returncode == 1 and str(port) in done.stderr


# ---- limits ----------------------------------------------------------------------------------
def test_too_many_requests_are_refused_with_the_time_to_wait(database, catcher, start_process):
    server = start_process("serve", database, catcher, rate_read="3/10m")
    answers = [requests.get(f"{server.url}/problems", timeout=30) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["RateLimit"].split(";")[1] for answer in answers] == ["r=2", "r=1", "r=0", "r=0"]
    assert all(answer.headers["RateLimit-Policy"] == '"read";q=3;w=600' for answer in answers)
    last = answers[-1]
    assert last.json()["policy"] == "read"
    assert last.json()["type"] == "/problems/rate-limited" and 0 < int(last.headers["Retry-After"]) <= 200
    assert last.headers["RateLimit"] == f'"read";r=0;t={last.headers["Retry-After"]}'
    assert gauge(server, r'rate_refused_total\{class="read"\}') == 1


def test_only_a_trusted_proxy_may_name_the_client(database, catcher, start_process):
    def status(server, forwarded):
        return requests.get(f"{server.url}/problems", headers={"X-Forwarded-For": forwarded}, timeout=30).status_code

    trusting = start_process("serve", database, catcher, rate_read="1/10m", trusted_proxies="127.0.0.1 10.0.0.1")
    assert [status(trusting, f"192.0.2.{last}") for last in (1, 2, 1)] == [200, 200, 429]
    assert status(trusting, "192.0.2.9, 192.0.2.1, 10.0.0.1") == 429, "the rightmost that is not trusted counts"
    assert [status(trusting, address) for address in ("2001:db8::1", "2001:db8:0:1::1", "2001:db8::2")] == [200, 200, 429]
    distrusting = start_process("serve", database, catcher, rate_read="1/10m")
    assert [status(distrusting, f"192.0.2.{last}") for last in (1, 2)] == [200, 429]


# ---- requests that share a round trip ----------------------------------------------------------
STUCK = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'ludopost'"


def test_one_that_fails_spoils_none_of_those_that_shared_its_round_trip(database, start_process, catcher):
    server = start_process("serve", database, catcher, workers=1, run_workers="no")
    player = make_player(Api(server.url, catcher), database)
    wires = [Wire(server.port) for _ in range(5)]
    lock = database.connect()
    lock.autocommit = False

    def ask(wire, path):
        wire.send(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {player.token}\r\n\r\n")

    def stuck():
        return database.rows(STUCK, role="postgres")

    with lock.cursor() as cursor:
        cursor.execute("LOCK TABLE game IN ACCESS EXCLUSIVE MODE")
        ask(wires[0], "/v1/games/1")
        worker = eventually(stuck)[0][0]
        for wire, path in zip(wires[1:], ("/v1/me", "/v1/games/1", "/v1/me", "/v1/games/1")):
            ask(wire, path)
        for _ in range(2):  # answered by the network thread, which has seen the others then
            assert requests.get(f"{server.url}/healthz", timeout=30).status_code == 200
        database.rows("SELECT pg_cancel_backend(%s)", (worker,), role="postgres")
        assert wires[0].answer()[0] == 503
        eventually(stuck)
        database.rows("SELECT pg_cancel_backend(%s)", (worker,), role="postgres")
        assert wires[1].answer()[0] == 200
        lock.rollback()
        assert [wire.answer()[0] for wire in wires[2:]] == [404, 200, 404]
    lock.close()
    for wire in wires:
        wire.socket.close()
