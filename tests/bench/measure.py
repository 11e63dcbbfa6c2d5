"""Loads, references and meters: the HTTP client, pgbench, nginx, CPU time, memory."""

import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import tempfile
import time

from harness.catcher import free_port
from harness.postgres import BIN
from harness.server import BINARY, Process

PROGRAMS = BINARY.parent / "tests" / "bench"
HTTP_CLIENTS = 32
DATABASE_CONNECTIONS = 8
TICKS = os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass
class Run:
    """One run of a load: answers a second, latencies in ms, CPU µs a request of each process group."""

    rate: float
    requests: int
    cpu_us: dict
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    body_bytes: float = 0.0
    exhausted: bool = False


def median_of(runs, name):
    return statistics.median(getattr(run, name) for run in runs)


def cpu_of(runs):
    """Medians of CPU µs a request, by process group."""
    return {name: round(statistics.median(run.cpu_us[name] for run in runs), 1) for name in runs[0].cpu_us}


# ---- CPU time -----------------------------------------------------------------------------------
def stat_of(pid):
    """(parent, own CPU seconds, CPU seconds of children that ended) of a process."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    own, ended = (sum(map(int, fields[at : at + 2])) / TICKS for at in (11, 13))
    return int(fields[1]), own, ended


def children_of(root):
    """CPU seconds of the processes that a process has started and not yet seen end."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent, own, _ = stat_of(entry.name)
            except (FileNotFoundError, ProcessLookupError):
                continue
            if parent == root:
                found[entry.name] = own
    return found


def tree_seconds(root):
    """CPU seconds of a process and its children, the ended ones included."""
    return sum(stat_of(root)[1:]) + sum(children_of(root).values())


def ended_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Meter:
    """CPU time of some processes, and of the load itself, between two moments."""

    def __init__(self, groups):
        self.groups = groups
        self.start = {name: tree_seconds(pid) for name, pid in groups.items()}
        self.children = {pid: len(children_of(pid)) for pid in groups.values()}
        self.ended = ended_seconds()

    def _settle(self):
        """Waits until backends of a load that has ended are gone: only then does their time count."""
        deadline = time.monotonic() + 10
        while any(len(children_of(pid)) > count for pid, count in self.children.items()) and time.monotonic() < deadline:
            time.sleep(0.01)

    def per_request(self, requests):
        self._settle()
        spent = {name: tree_seconds(pid) - self.start[name] for name, pid in self.groups.items()}
        spent["load"] = ended_seconds() - self.ended
        return {name: seconds * 1e6 / requests for name, seconds in spent.items()}


# ---- loads --------------------------------------------------------------------------------------
def request_line(method, path, token="", body=None):
    return f"{method}\t{path}\t{token}\t{json.dumps(body, separators=(',', ':')) if body else ''}\n"


def http_load(port, lines, seconds, groups, status=200, repeat=True, clients=HTTP_CLIENTS):
    """Runs tests/bench/load.c; any answer with another status ends the bench."""
    with tempfile.NamedTemporaryFile("w", prefix="ludopost-load-") as file:
        file.writelines(lines)
        file.flush()
        meter = Meter(groups)
        done = subprocess.run(
            [PROGRAMS / "load", str(port), str(clients), str(seconds), str(status), file.name, *(["repeat"] if repeat else [])],
            capture_output=True, text=True, check=False,
        )
    if done.returncode != 0:
        raise SystemExit(f"the load failed: {done.stderr}\n{done.stdout}")
    found = json.loads(done.stdout)
    return Run(
        found["rate"], found["requests"], meter.per_request(found["requests"]), found["p50_ms"], found["p99_ms"],
        found["body_bytes"], found["exhausted"],
    )


def pgbench(cluster, database, script, seconds, variables=None):
    """Runs pgbench with as many connections as the service has; any failed transaction ends the bench."""
    with tempfile.NamedTemporaryFile("w", prefix="ludopost-pgbench-", suffix=".sql") as file:
        file.write(script)
        file.flush()
        meter = Meter({"postgres": cluster.process.pid})
        done = subprocess.run(
            [BIN / "pgbench", "-n", "-M", "prepared", "-c", str(DATABASE_CONNECTIONS), "-j", "2", "-T", str(seconds),
             "-f", file.name, *(f"-D{name}={value}" for name, value in (variables or {}).items()), database.service_dsn],
            capture_output=True, text=True, check=False,
        )
    count = re.search(r"transactions actually processed: (\d+)", done.stdout)
    rate = re.search(r"tps = ([\d.]+)", done.stdout)
    if done.returncode != 0 or "number of failed transactions: 0 " not in done.stdout or not count or not rate:
        raise SystemExit(f"pgbench failed: {done.stderr}\n{done.stdout}")
    requests = int(count.group(1))
    latency = re.search(r"latency average = ([\d.]+)", done.stdout)
    return Run(float(rate.group(1)), requests, meter.per_request(requests), p50_ms=float(latency.group(1)))


def program_queries():
    """The statements of the program itself, by name."""
    text = subprocess.run([BINARY, "queries"], capture_output=True, text=True, check=True).stdout
    return dict(line.split("\t", 1) for line in text.splitlines())


def pgbench_statement(sql, names):
    """A statement of the program for pgbench: $1… become its variables, in the order of names."""
    return re.sub(r"\$(\d+)", lambda number: ":" + names[int(number.group(1)) - 1], sql) + ";\n"


# ---- processes ----------------------------------------------------------------------------------
_begun = []


class Service(Process):
    """A process of the program that end_services() ends when the part that began it failed."""

    def start(self, wait=True):
        _begun.append(self)
        return super().start(wait)


def end_services():
    """Ends whatever a part has left."""
    for one in _begun:
        if one.process is not None and one.process.poll() is None:
            one.process.kill()
            one.process.wait()
    _begun.clear()


def serve(database, **settings):
    """`ludopost serve` with as many connections as pgbench, and no mail workers beside it."""
    wanted = {"workers": DATABASE_CONNECTIONS, "run_workers": "no", "rate_read": "10000000/1m", "rate_write": "10000000/1m"}
    return Service("serve", database, **{**wanted, **settings}).start()


class Nginx:
    """nginx serving one file of a size, as fast as it can."""

    CONFIG = """
worker_processes auto;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    open_file_cache max=10;
    types {{ application/json json; }}
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{ listen 127.0.0.1:{port}; root {folder}; }}
}}
"""

    def __init__(self, size):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ludopost-nginx-"))
        self.folder.chmod(0o755)
        self.port = free_port()
        (self.folder / "game.json").write_text("x" * size)
        (self.folder / "nginx.conf").write_text(self.CONFIG.format(folder=self.folder, port=self.port))
        _begun.append(self)
        self.process = subprocess.Popen(
            [shutil.which("nginx") or "/usr/sbin/nginx", "-p", self.folder, "-c", self.folder / "nginx.conf",
             "-e", self.folder / "error.log", "-g", "daemon off;"]
        )
        deadline = time.monotonic() + 10
        while not (self.folder / "pid").exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"nginx did not start: {(self.folder / 'error.log').read_text()}")
            time.sleep(0.02)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        shutil.rmtree(self.folder)


def resident_kb(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1))
