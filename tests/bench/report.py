"""The table and build/bench.json."""

import json
import os
import pathlib
import platform
import subprocess

from measure import cpu_of, median_of


class Report:
    """Rows in the order in which they were measured."""

    def __init__(self, bench):
        self.bench = bench
        self.rows = []
        self.details = {}

    def add(self, part, what, value, other, other_value, ratio, aim=None):
        """A figure beside that of a reference; the aim is the least ratio wanted."""
        self.rows.append(
            {"part": part, "what": what, "value": round(value, 1), "reference": other, "reference_value": round(other_value, 1),
             "ratio": round(ratio, 3), "aim": aim, "reached": None if aim is None else ratio >= aim}
        )

    def plain(self, part, what, value, unit, aim=None):
        """A figure of its own; the aim is the most wanted."""
        self.rows.append(
            {"part": part, "what": what, "value": round(value, 3), "unit": unit, "aim": aim,
             "reached": None if aim is None else value <= aim}
        )

    def latency(self, part, ours, others):
        """Latencies and CPU time of both sides."""
        self.details[part] = {
            side: {
                "p50_ms": median_of(runs, "p50_ms"), "p99_ms": median_of(runs, "p99_ms"), "cpu_us_per_request": cpu_of(runs)
            }
            for side, runs in (("ludopost", ours), ("reference", others))
        }

    def keep(self, part, **values):
        self.details.setdefault(part, {}).update(values)

    def write(self, path):
        content = {
            "machine": {
                "cpus": os.cpu_count(), "cpu": cpu_name(), "kernel": platform.release(),
                "postgresql": subprocess.run(
                    ["/usr/lib/postgresql/15/bin/postgres", "--version"], capture_output=True, text=True, check=True
                ).stdout.strip(),
                "load": os.getloadavg(),
            },
            "seconds": self.bench.seconds, "rounds": self.bench.rounds, "rows": self.rows, "details": self.details,
        }
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

    def show(self):
        print(f"\n{'':52} {'ludopost':>12} {'reference':>12}  {'ratio':>6}  aim")
        for row in self.rows:
            print(self._line(row))
        print(f"\n{'':16} {'p50':>9} {'p99':>9}  CPU µs a request")
        for part, detail in self.details.items():
            for side in ("ludopost", "reference"):
                if side in detail:
                    print(side_line(part, side, detail[side]))

    @staticmethod
    def _line(row):
        mark = {None: "", True: "reached", False: "MISSED"}[row["reached"]]
        if "ratio" in row:
            aim = "" if row["aim"] is None else f"≥ {row['aim']} {mark}"
            return (
                f"{row['what']:52} {row['value']:12,.0f} {row['reference_value']:12,.0f}  {row['ratio']:6.2f}  {aim}  ({row['reference']})"
            )
        aim = "" if row["aim"] is None else f"≤ {row['aim']} {mark}"
        return f"{row['what']:52} {row['value']:12,.2f} {row['unit']:12}  {'':6}  {aim}"


def side_line(part, side, values):
    p99 = f"{values['p99_ms']:6.1f} ms" if values["p99_ms"] else ""
    cpu = ", ".join(f"{name} {micros:.0f}" for name, micros in values["cpu_us_per_request"].items())
    return f"{part if side == 'ludopost' else '':12} {side:9} {values['p50_ms']:6.1f} ms {p99:>9}  {cpu}"


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()
