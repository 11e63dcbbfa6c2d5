#!/usr/bin/python3
"""Measures Ludopost; prints a table and writes build/bench.json.

    tests/bench/run.py [PART...]         (make bench BENCH="turn read")

Everything runs on a private PostgreSQL cluster of the bench's own with fsync and synchronous_commit
on. What is compared runs in turns (A B A B …) on the same cluster; figures are medians of the
rounds, ratios medians of the rounds' ratios. BENCH_SECONDS (6) is the length of one run,
BENCH_ROUNDS (3) how many there are, BENCH_GAMES (1000000) how many games are stored for `scale`.
"""

import contextlib
import os
import pathlib
import random
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ["LUDOPOST_TEST_BINARY"] = os.environ.get("LUDOPOST_BENCH_BINARY") or str(ROOT / "build" / "ludopost")
sys.path.insert(0, str(ROOT / "tests"))

from harness.postgres import Cluster  # noqa: E402
from harness.server import migrate  # noqa: E402

from data import Data  # noqa: E402
from measure import end_services  # noqa: E402
from parts import PARTS  # noqa: E402
from report import Report  # noqa: E402

# As a well-kept server of this size has them; both sides run on it. Autovacuum would hit one side
# or the other: the bench does its work between the runs.
SETTINGS = {
    "shared_buffers": "512MB", "wal_compression": "lz4", "max_wal_size": "8GB", "checkpoint_timeout": "1h",
    "autovacuum": "off", "maintenance_work_mem": "512MB", "log_min_messages": "error",
}


HUGE_PAGES = pathlib.Path("/proc/sys/vm/nr_hugepages")
HUGE_PAGE_MB = 2


class Bench:
    """The cluster, the settings of this run and the report."""

    def __init__(self):
        self.seconds = int(os.environ.get("BENCH_SECONDS", "6"))
        self.rounds = int(os.environ.get("BENCH_ROUNDS", "3"))
        self.few_games = 1000
        self.many_games = int(os.environ.get("BENCH_GAMES", "1000000"))
        self.small_games = 5000
        self.rng = random.Random("ludopost")
        self.report = Report(self)
        self.cluster = Cluster(durable=True, settings=SETTINGS.items()).start()
        self._small = None

    @staticmethod
    def say(text):
        print(f"  {text}", flush=True)

    def database(self):
        """A new migrated database."""
        database = self.cluster.create_database()
        migrate(database)
        return Data(database)

    def small(self):
        """The database that all parts but `scale` share."""
        self._small = self._small or self.database()
        return self._small

    def restart(self, **settings):
        """Starts the cluster anew with other settings."""
        self.cluster.stop()
        self.cluster.settings = list({**SETTINGS, **settings}.items())
        self.cluster.start()

    @staticmethod
    def memory():
        """A quarter of the machine's memory as shared buffers, 8 GB at most."""
        bytes_of_all = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return {"shared_buffers": f"{min(bytes_of_all // 4, 8 << 30) >> 20}MB"}

    @contextlib.contextmanager
    def huge_pages(self):
        """Lends PostgreSQL huge pages for so much memory, where that may be done; it takes them by itself."""
        reserved = HUGE_PAGES.read_text() if HUGE_PAGES.exists() else ""
        wanted = int(self.memory()["shared_buffers"].rstrip("MB")) * 11 // 10 // HUGE_PAGE_MB
        try:
            HUGE_PAGES.write_text(str(int(reserved or 0) + wanted))
        except OSError:
            self.say("without huge pages: only root can lend them")
        try:
            yield
        finally:
            if os.access(HUGE_PAGES, os.W_OK):
                HUGE_PAGES.write_text(reserved)


def main(wanted):
    unknown = set(wanted) - set(PARTS)
    if unknown:
        print(f"no such part: {' '.join(sorted(unknown))}; there are: {' '.join(PARTS)}", file=sys.stderr)
        return 2
    bench = Bench()
    try:
        for name in wanted or PARTS:
            begin = time.monotonic()
            print(f"{name}: {PARTS[name].__doc__.splitlines()[0]}", flush=True)
            PARTS[name](bench)
            bench.say(f"{time.monotonic() - begin:.0f} s")
    finally:
        end_services()
        bench.cluster.remove()
    bench.report.write(ROOT / "build" / "bench.json")
    bench.report.show()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
