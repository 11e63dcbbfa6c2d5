#!/usr/bin/python3
"""Writes the table of settings into README.md from `ludopost config --table`."""

import re
import subprocess

import common

BEGIN, END = r"<!-- settings: [^\n]*-->\n", r"<!-- end of settings -->"


def table():
    """The table as Markdown."""
    lines = subprocess.run([common.BINARY, "config", "--table"], capture_output=True, text=True, check=True).stdout.splitlines()
    rows = ["| setting | default | allowed | what for |", "|---|---|---|---|"]
    for line in lines:
        name, initial, allowed, what_for = (cell.replace("|", "\\|") for cell in line.split("\t"))
        rows.append(f"| `{name}` | {f'`{initial}`' if initial else ''} | {allowed} | {what_for} |")
    return "\n".join(rows) + "\n"


def main():
    readme = common.ROOT / "README.md"
    text = readme.read_text()
    readme.write_text(re.sub(f"({BEGIN}).*({END})", lambda found: found.group(1) + table() + found.group(2), text, flags=re.S))


if __name__ == "__main__":
    main()
