"""The line that `make run` prints: mutt itself, a reply typed in an editor, and `ludopost deliver` as its sendmail."""

import os
import pty
import select
import shlex
import stat
import time

from harness.people import make_player
from harness.api import Api
from harness.server import BINARY, ROOT, environment

LONGEST_S = 120


def run_in_terminal(arguments, folder):
    """Runs a program that wants a terminal to its end; (exit code, what it showed)."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        for name in [name for name in os.environ if name.startswith("LUDOPOST_")]:
            del os.environ[name]  # of the test run, no settings
        os.environ.update(TERM="xterm", HOME=str(folder), LC_ALL="C.UTF-8", LINES="40", COLUMNS="120")
        os.execvp(arguments[0], arguments)
    shown, deadline = b"", time.monotonic() + LONGEST_S
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # the terminal is closed: it has ended
                break
    else:
        os.kill(pid, 9)
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode(errors="replace")


def test_r_the_turn_and_y_play_it(monkeypatch, tmp_path, world, sink, start_process):
    monkeypatch.syspath_prepend(str(ROOT / "docker" / "local"))
    import common
    import run

    monkeypatch.setattr(common, "BINARY", BINARY)
    service = start_process("serve", world.database, sink, inbound="yes")
    api = Api(service.url, sink)
    anna, boris = (make_player(api, world.database, name) for name in ("Anna", "Boris"))
    game = anna.start_game(boris)
    mail = sink.wait_for(anna.email)
    assert mail["Reply-To"].startswith(f"move+g{game}.t1.")
    # What `make run` writes: settings, muttrc, and the command line.
    values = environment(world.database, sink, inbound="yes")
    settings = {name[9:].lower(): value for name, value in values.items() if name.startswith("LUDOPOST_")}
    run.write_settings(settings, tmp_path / "ludopost.conf")
    assert stat.S_IMODE((tmp_path / "ludopost.conf").stat().st_mode) == 0o600
    command = run.mutt_command(tmp_path / "Maildir", tmp_path / "ludopost.conf", tmp_path / "muttrc")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "c2-c4\\n" | cat - "$1" >"$1.new" && mv "$1.new" "$1"\n')
    editor.chmod(0o755)
    keys = f"<search>~t {anna.email}<enter>ry<quit>"
    arguments = [*shlex.split(command), "-e", f'set editor="{editor}"', "-e", f'push "{keys}"']
    code, shown = run_in_terminal(arguments, tmp_path)
    assert code == 0, shown
    assert [row[0] for row in world.rows("SELECT text FROM turn WHERE game_id = %s", (game,))] == ["c2-c4"], shown
    assert world.rows("SELECT disposition, command FROM inbox") == [("accept", "move")]
    asked = sink.wait(lambda all_mails: [one for one in all_mails.to(boris.email) if "c2-c4" in one.text])[0]
    assert asked["Reply-To"].startswith(f"move+g{game}.t2.")
    sink.wait(lambda all_mails: [one for one in all_mails.to(anna.email) if one["Auto-Submitted"] == "auto-replied"])
