#!/usr/bin/python3
"""Seeds each fault of tests/rules/mutants/ into a copy of the referee and runs its tests.

    tests/rules/mutants.py BUILD CC LINKER-FLAGS...        (make mutants)

A .mutant file names a source, a text that stands in it exactly once, and what to write instead.
Speaks TAP, a table of which test caught which fault; the last line is `N passed, N failed`.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MUTANTS = ROOT / "tests" / "rules" / "mutants"
# The cheap tests first: most faults are caught there.
PROGRAMS = ("test_refusals", "test_turns", "test_xo", "test_xo_setup", "test_perft", "test_oracle", "test_every_game")
SECONDS_MAX = 120
ENVIRONMENT = {**os.environ, "LUDOPOST_ROUNDS": "30", "LUDOPOST_SEED": "1", "LUDOPOST_PERFT_MAX": "200000"}


class Misfit(Exception):
    """The fault cannot be seeded any more."""


def read(path):
    """(source, old, new) of a .mutant file."""
    source, rest = path.read_text().split("\n--- instead of\n")
    old, new = rest.split("\n--- write\n")
    return source, old, new.removesuffix("\n")


def seed(path, folder):
    """Writes a faulty copy of rules/ below folder; the sources that must be compiled."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "rules", folder / "rules")
    if path is None:
        return []
    source, old, new = read(path)
    text = (folder / source).read_text()
    if text.count(old) != 1:
        raise Misfit(f"the text to replace stands {text.count(old)} times in {source}")
    (folder / source).write_text(text.replace(old, new))
    if source.endswith(".c"):
        return [folder / source]
    return sorted((folder / "rules").glob("*.c"))


def run(arguments):
    subprocess.run(arguments, check=True, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


class Bench:
    """What all mutants are built with."""

    def __init__(self, build, compiler, flags):
        self.build = pathlib.Path(build).resolve()
        self.compiler = compiler
        self.flags = flags

    def referee(self, folder, sources):
        """The objects of the referee: those of the sound one but for the changed sources."""
        objects = {path.stem: path for path in (self.build / "rules").glob("*.o")}
        for source in sources:
            objects[source.stem] = source.with_suffix(".o")
            run([self.compiler, "-std=c11", "-D_GNU_SOURCE", "-O2", "-w", "-c", source, "-o", objects[source.stem]])
        return sorted(objects.values())

    def program(self, name, folder, objects):
        tests = self.build / "tests" / "rules"
        run([self.compiler, tests / f"{name}.o", tests / "check.o", tests / "xo_rows.o", *objects, "-o", folder / name, *self.flags])
        return folder / name

    def first_failure(self, path, folder):
        """The test that fails first, or None."""
        objects = self.referee(folder, seed(path, folder))
        for name in PROGRAMS:
            failure = test(self.program(name, folder, objects))
            if failure:
                return f"{name}: {failure}"
        return None


def test(program):
    """The name of the failing test of a program, or None."""
    try:
        done = subprocess.run(
            [program, "--tap"], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, errors="replace", timeout=SECONDS_MAX
        )
    except subprocess.TimeoutExpired:
        return "no end"
    if done.returncode == 0:
        return None
    passed = re.findall(r"^ok \d+ (\S+)", done.stdout, re.M)
    names = subprocess.run([program, "-l"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    left = [name for name in names if name.startswith("/") and name not in passed]
    return left[0].rsplit("/", 1)[1] if left else "crash"


def judge(bench, path):
    """(caught, what to print) for one mutant."""
    name = path.stem.split("-", 1)[1]
    folder = bench.build / "mutants" / path.stem
    try:
        failure = bench.first_failure(path, folder)
    except Misfit as misfit:
        return False, f"{name:40} does not fit: {misfit}"
    except subprocess.CalledProcessError as error:
        return False, f"{name:40} does not build: {error.stderr.strip().splitlines()[0]}"
    shutil.rmtree(folder)
    if failure is None:
        return False, f"{name:40} NOT CAUGHT"
    return True, f"{name:40} {failure}"


def main():
    bench = Bench(sys.argv[1], sys.argv[2], sys.argv[3:])
    paths = sorted(MUTANTS.glob("*.mutant"))
    failed = 0
    print(f"1..{len(paths) + 1}", flush=True)
    sound = bench.first_failure(None, bench.build / "mutants" / "sound")
    failed += sound is not None
    print(f"{'not ok' if sound else 'ok'} 1 - {'the referee without a fault':40} {sound or 'passes all tests'}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 2)) as pool:
        for number, (caught, line) in enumerate(pool.map(lambda path: judge(bench, path), paths), 2):
            failed += not caught
            print(f"{'ok' if caught else 'not ok'} {number} - {line}", flush=True)
    print(f"{len(paths) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
