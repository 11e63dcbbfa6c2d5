"""Games to play in the bench: random legal turns (script.c)."""

import functools
import subprocess

from measure import PROGRAMS

PLIES = 40
STORED_PLIES = 10
# As in stored.sql.
VARIANTS = {"ordo": 6, "ordox": 2}


class Script:
    """One game: its turns, and the boards (the start board, then the one after each turn)."""

    def __init__(self, rules, seed):
        done = subprocess.run(
            [PROGRAMS / "script", rules, str(seed), str(PLIES)], capture_output=True, text=True, check=True
        )
        start, *lines = done.stdout.splitlines()
        self.turns = [line.split("\t")[0] for line in lines]
        self.boards = [start, *(line.split("\t")[1] for line in lines)]


@functools.cache
def all_scripts():
    """Every script by (rules, variant); the same ones in every run."""
    return {(rules, variant): Script(rules, variant + 1) for rules, count in VARIANTS.items() for variant in range(count)}
