#!/usr/bin/python3
"""`make run`: a private PostgreSQL, an SMTP catcher and `ludopost serve` on this machine.

Everything lies in .run/ and is used again by the next run. Ctrl-C ends every process."""

import contextlib
import ctypes
import fcntl
import hashlib
import json
import os
import pathlib
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import common

POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")
LOGS = common.RUN / "log"
SECRETS = common.RUN / "secrets"
OWNER = "ludopost_owner"
SERVICE = "ludopost"
PR_SET_PDEATHSIG = 1


def say(text=""):
    print(text, flush=True)


def end(text):
    say(text)
    sys.exit(1)


def free_port(wanted):
    """wanted, or the next free one on 127.0.0.1."""
    for port in range(wanted, wanted + 200):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    return end(f"No port from {wanted} to {wanted + 199} is free.")


def dies_with_us(signal_number):
    """For Popen: the child gets this signal if we are killed, so that nothing stays behind."""
    library = ctypes.CDLL(None)
    return lambda: library.prctl(PR_SET_PDEATHSIG, signal_number)


class Ended(Exception):
    """Somebody asked us to end."""


class Parent:
    """make, which waits for us. An interrupt sent to make alone (not by a terminal, which sends it
    to all) is not passed on; but make then stops catching the signal, which /proc shows."""

    def __init__(self):
        self.pid = os.getppid()
        self.caught = self._catches_interrupt()

    def _catches_interrupt(self):
        try:
            status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return False
        return bool(int(status.split("SigCgt:")[1].split()[0], 16) >> (signal.SIGINT - 1) & 1)

    def was_interrupted(self):
        return self.caught and not self._catches_interrupt()


class Children:
    """The processes of this run; ended in the opposite order of their start."""

    def __init__(self):
        self.started = []

    def start(self, name, arguments, end_signal=signal.SIGTERM, env=None, account=None, cwd=common.ROOT):
        with open(LOGS / f"{name}.log", "ab") as log:
            # Sessions of their own: Ctrl-C reaches us alone, and we end them in order.
            process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, env=env,
                cwd=cwd, preexec_fn=dies_with_us(end_signal), **(account or {}),
            )
        self.started.append((name, process, end_signal))
        return process

    def ended(self):
        """What ended by itself, as a sentence; None while all run."""
        for name, process, _ in self.started:
            if process.poll() is not None:
                return f"{name} ended by itself (exit code {process.returncode}); see {LOGS}/{name}.log"
        return None

    def wait(self, parent):
        """Waits until one ends by itself and says which."""
        while self.ended() is None:
            if parent.was_interrupted():
                raise Ended
            time.sleep(0.2)
        return self.ended()

    def end_all(self):
        for name, process, end_signal in reversed(self.started):
            if process.poll() is None:
                process.send_signal(end_signal)
                try:
                    process.wait(timeout=30)
                except subprocess.TimeoutExpired:
                    say(f"{name} does not end; killing it.")
                    process.kill()
                    process.wait()


class Cluster:
    """A PostgreSQL cluster of this checkout's own."""

    def __init__(self, children):
        self.children = children
        self.account = {}
        uid = os.getuid()
        if uid == 0:  # PostgreSQL refuses to run as root
            entry = pwd.getpwnam("postgres")
            uid = entry.pw_uid
            self.account = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": [entry.pw_gid]}
        self.uid = uid
        self.folder = self._reachable_folder()
        self.data = self.folder / "data"
        self.socket = self._fresh_socket_folder()
        self._give(self.socket)

    @staticmethod
    def _fresh_socket_folder():
        """Short, because a socket's path is limited to 107 bytes; that of a killed run is removed."""
        note = common.RUN / "socket-folder"
        if note.exists():
            shutil.rmtree(note.read_text(), ignore_errors=True)
        folder = tempfile.mkdtemp(prefix="ludopost-", dir="/tmp")
        note.write_text(folder)
        return pathlib.Path(folder)

    def _give(self, folder):
        if self.account:
            os.chown(folder, self.account["user"], self.account["group"])

    def _reachable_folder(self):
        """.run/postgres, or a folder in /var/tmp if PostgreSQL's user cannot come to .run."""
        inside = common.RUN / "postgres"
        key = hashlib.sha256(str(common.ROOT).encode()).hexdigest()[:12]
        outside = pathlib.Path(f"/var/tmp/ludopost-{key}")
        choices = (outside, inside) if (outside / "data").exists() else (inside, outside)
        for folder in choices:
            folder.mkdir(mode=0o700, exist_ok=True)
            if folder.is_symlink() or folder.stat().st_uid not in (self.uid, os.getuid()):
                end(f"{folder} belongs to somebody else.")
            self._give(folder)
            if self._run(["test", "-w", f"{folder}/."]).returncode == 0:
                return folder
            with contextlib.suppress(OSError):
                folder.rmdir()
        return end(f"PostgreSQL's user can write neither {inside} nor {outside}.")

    def _run(self, arguments, **options):
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            arguments, cwd="/", env=environment, capture_output=True, text=True, check=False, **self.account, **options
        )

    def start(self):
        if not (self.data / "PG_VERSION").exists():
            self._initialise()
        settings = {
            "listen_addresses": "", "unix_socket_directories": self.socket, "port": 5432, "max_connections": 100,
        }
        arguments = [POSTGRES / "postgres", "-D", self.data]
        for name, value in settings.items():
            arguments += ["-c", f"{name}={value}"]
        process = self.children.start(
            "postgres", arguments, signal.SIGINT, {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, self.account, "/"
        )
        deadline = time.monotonic() + 60
        while self._sql("SELECT 1", "postgres").returncode != 0:
            if process.poll() is not None or time.monotonic() > deadline:
                end(f"PostgreSQL does not start; see {LOGS}/postgres.log")
            time.sleep(0.1)
        self._make_roles_and_database()

    def _initialise(self):
        # Made beside and renamed, so that an interrupted run leaves no half cluster.
        fresh = self.folder / "fresh"
        self._run(["rm", "-rf", str(fresh)])
        made = self._run(
            [POSTGRES / "initdb", "-D", fresh, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8"]
        )
        if made.returncode != 0:
            end(f"initdb failed:\n{made.stderr}")
        os.rename(fresh, self.data)

    def _sql(self, statement, database):
        return self._run(
            [POSTGRES / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", self.socket, "-U", "postgres", "-d", database,
             "-c", statement]
        )

    def _make_roles_and_database(self):
        roles = self._sql("SELECT rolname FROM pg_roles", "postgres").stdout.split()
        for role in (OWNER, SERVICE):
            if role not in roles:
                self._sql(f"CREATE ROLE {role} LOGIN", "postgres")
        if "ludopost" not in self._sql("SELECT datname FROM pg_database", "postgres").stdout.split():
            made = self._sql(f"CREATE DATABASE ludopost OWNER {OWNER}", "postgres")
            if made.returncode != 0:
                end(f"cannot make the database: {made.stderr}")

    def conninfo(self, user):
        return f"host={self.socket} dbname=ludopost user={user}"

    def remove_socket(self):
        shutil.rmtree(self.socket, ignore_errors=True)


def secret(name):
    """A secret file of this checkout, made once."""
    path = SECRETS / name
    if not path.exists():
        path.write_text(secrets.token_hex(32) + "\n")
        path.chmod(0o600)
    return path


def service_settings(cluster, port, smtp_port):
    """The settings of the service (see `ludopost config`)."""
    return {
        "database": cluster.conninfo(SERVICE),
        "database_owner": cluster.conninfo(OWNER),
        "listen": "127.0.0.1",
        "port": port,
        "public_url": f"http://127.0.0.1:{port}",
        "smtp_url": f"smtp://127.0.0.1:{smtp_port}",
        "smtp_tls": "none",
        # Whoever reads the catcher's mails answers with `ludopost deliver` as sendmail.
        "inbound": "yes",
        "secret_key_1": secret("secret_key_1").read_text().strip(),
        # `make demo` plays whole games in seconds.
        "rate_write": "6000/1m",
        "rate_read": "6000/1m",
        "rate_mail_address": "1000/1h",
        "rate_mail_client": "1000/1h",
    }


def write_settings(settings, path):
    """A file of settings, readable by nobody else: it holds a key."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))


def service_environment():
    """The environment without settings: those of the file are to count."""
    return {name: value for name, value in os.environ.items() if not name.startswith("LUDOPOST_")}


def start_catcher(children):
    """An SMTP server that files every mail into the Maildir."""
    port = free_port(8025)
    for folder in ("new", "cur", "tmp"):
        (common.MAILDIR / folder).mkdir(parents=True, exist_ok=True)
    children.start(
        "catcher",
        ["/usr/bin/python3", "-m", "aiosmtpd", "-n", "-l", f"127.0.0.1:{port}", "-c", "aiosmtpd.handlers.Mailbox", common.MAILDIR],
    )
    wait_until(lambda: accepts(port), "the SMTP catcher does not start")
    return port


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition, complaint, seconds=60, process=None):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline or (process and process.poll() is not None):
            end(f"{complaint}; see {LOGS}/")
        time.sleep(0.1)


def ready(url):
    try:
        common.call("GET", url + "/readyz")
        return True
    except (common.Refused, OSError):
        return False


def start_service(children, cluster, smtp_port):
    wanted = 8080
    port = free_port(wanted)
    write_settings(service_settings(cluster, port, smtp_port), common.SETTINGS)
    environment = service_environment()
    with_settings = ["--config", common.SETTINGS]
    migrated = subprocess.run([common.BINARY, "migrate", *with_settings], env=environment, capture_output=True, text=True, check=False)
    if migrated.returncode != 0:
        end(f"ludopost migrate failed:\n{migrated.stderr}")
    process = children.start("serve", [common.BINARY, "serve", *with_settings], env=environment)
    url = f"http://127.0.0.1:{port}"
    wait_until(lambda: ready(url), "ludopost serve does not start", process=process)
    if port != wanted:
        say(f"Port {wanted} is taken by another program: Ludopost listens on port {port}.")
    return url


def demo_players(url):
    """Anna, Bert and their game: those of an earlier run, else new ones through the real doors."""
    kept = json.loads(common.PLAYERS.read_text()) if common.PLAYERS.exists() else {}
    players = []
    for name in ("Anna", "Bert"):
        player = common.Player(url, name, f"{name.lower()}@example.org", kept.get(name))
        players.append(player if player.known() else player.enter())
    game = kept.get("game")
    if not game or game_of(players[0], game) is None:
        game = common.start_game(players[0], players[1], "ordo")
    common.PLAYERS.write_text(json.dumps({"Anna": players[0].token, "Bert": players[1].token, "game": game}))
    common.PLAYERS.chmod(0o600)
    return players, game


def game_of(player, game):
    try:
        return player.call("GET", f"/v1/games/{game}")
    except common.Refused:
        return None


def curl_turn(url, player, game, ply, turn):
    return (
        f"curl -s -X POST {url}/v1/games/{game}/turns -H 'Authorization: Bearer {player.token}' \\\n"
        f"     -H 'Content-Type: application/json' -d '{{\"ply\":{ply},\"turn\":\"{turn}\"}}'"
    )


def turns_to_try(url, players, game):
    """curl lines for the next two turns, whoever is to move; the referee finds legal ones."""
    state = players[0].call("GET", f"/v1/games/{game}")
    board, ply, lines = state["board"], state["next_ply"], []
    for _ in range(2):
        awaited = common.awaited_seat(state["rules"], board)
        if awaited is None:
            break
        turns = common.referee("turns", state["rules"], board)
        turn = turns[len(turns) // 2]
        player = players[common.seat_of(state, players[0].name) != awaited]
        lines.append((player.name, curl_turn(url, player, game, ply, turn)))
        board = common.referee("play", state["rules"], board, turn)[0]
        ply += 1
    return lines


MUTTRC = """# For the mails of `make run`: whoever they are to is who answers.
set from = anna@example.org
set realname = ""
set use_from = yes
set reverse_name = yes
alternates .*@example\\.org$
# r leads straight to the editor, with the mail quoted; y in the menu that follows sends.
set fast_reply = yes
set include = yes
set reply_to = yes
set edit_headers = no
set copy = no
set move = no
set sort = date
set charset = utf-8
ignore *
unignore from: to: reply-to: subject: date:
"""


def mutt_command(maildir, settings, muttrc):
    """A command line that reads the mails, and answers them through `ludopost deliver`. muttrc is written."""
    # Mutt asks whether to make its folder if that of the account is not there.
    muttrc.write_text(MUTTRC + f"set folder = '{maildir}'\n")
    sendmail = f"{common.BINARY} deliver --config {settings}"
    return f"""mutt -n -F '{muttrc}' -f '{maildir}' -e 'set sendmail="{sendmail}"'"""


def print_what_to_try(url, players, game, cluster):
    say(f"""
Ludopost serves on {url}  (Ctrl-C ends everything, `make run` goes on with the same data)

Two players, Anna and Bert, and their game {game}:

  curl -s {url}/v1/games/{game}
  curl -s {url}/v1/games/{game}/board.txt
  curl -s {url}/v1/rules/ordo
""")
    for name, line in turns_to_try(url, players, game):
        say(f"{name} plays; the opponent is told by mail:\n\n  {line}\n")
    say(f"""In a browser:  {url}/  (log in as anna@example.org or bert@example.org, or sign up)

The mails, also those with the link that logs in, lie in a Maildir. Read and answer them with the line
below: on a mail that asks for a turn press r, write the turn (such as c2-c4) into the first line, leave
the editor, press y. That plays it, and the answer comes as a mail.

  {mutt_command(common.MAILDIR, common.SETTINGS, common.MUTTRC)}

A whole game of each rule set, in another terminal:  make demo
Logs: {LOGS}/   Database: psql -h {cluster.socket} -U {OWNER} ludopost
""")


def lock():
    """One run at a time in one checkout."""
    handle = open(common.RUN / "lock", "w")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        url = json.loads(common.STATE.read_text())["url"] if common.STATE.exists() else "another port"
        end(f"It already runs, on {url}.")
    return handle


def prepare_folders():
    try:
        for folder in (common.RUN, LOGS, SECRETS):
            folder.mkdir(exist_ok=True)
        SECRETS.chmod(0o700)
        # PostgreSQL's user must be able to pass, if the folders above let it.
        common.RUN.chmod(0o755)
    except PermissionError as error:
        end(f"{error.filename} belongs to another user (was `make run` once called as root?); remove it or use that user.")


def ask_to_end(*_):
    raise Ended


def main():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ask_to_end)
    prepare_folders()
    held = lock()
    children = Children()
    parent = Parent()
    cluster = None
    code = 0
    try:
        cluster = Cluster(children)
        say(f"Starting PostgreSQL ({cluster.data}) …")
        cluster.start()
        smtp_port = start_catcher(children)
        say(f"Mail goes to a catcher on port {smtp_port}. Starting Ludopost …")
        url = start_service(children, cluster, smtp_port)
        common.STATE.write_text(json.dumps({"url": url}))
        players, game = demo_players(url)
        print_what_to_try(url, players, game, cluster)
        say(children.wait(parent))
        code = 1
    except Ended:
        say("\nending …")
    except (RuntimeError, common.Refused, OSError) as error:
        say(children.ended() or f"{error}; see {LOGS}/")
        code = 1
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        children.end_all()
        for path in (common.STATE, common.SETTINGS):
            path.unlink(missing_ok=True)
        if cluster:
            cluster.remove_socket()
        held.close()
    return code


if __name__ == "__main__":
    sys.exit(main())
