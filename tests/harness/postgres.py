"""A private PostgreSQL cluster on a unix socket: never the system's, never as root."""

import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

import psycopg2

BIN = pathlib.Path("/usr/lib/postgresql/15/bin")
OWNER = "ludopost_owner"
SERVICE = "ludopost"
PORT = 5432  # only names the socket file: nothing listens on TCP


def unprivileged():
    """What Popen needs to leave root: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    account = pwd.getpwnam("postgres")
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": [account.pw_gid]}


class Cluster:
    """durable=True keeps fsync on, for tests that kill the server."""

    def __init__(self, durable=False, settings=()):
        self.durable = durable
        self.settings = list(settings)
        # /var/tmp and not the checkout: its folders may be closed to the user postgres.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ludopost-test-", dir="/var/tmp"))
        # A socket's path is limited to 107 bytes.
        self.socket = pathlib.Path(tempfile.mkdtemp(prefix="lp-", dir="/tmp"))
        account = unprivileged()
        if account:
            for path in (self.folder, self.socket):
                os.chown(path, account["user"], account["group"])
        self.data = self.folder / "data"
        self.log = self.folder / "log"
        self.process = None
        self.databases = 0
        self._initialise()

    def _initialise(self):
        subprocess.run(
            [BIN / "initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8",
             *([] if self.durable else ["--no-sync"])],
            check=True, stdout=subprocess.DEVNULL, cwd="/", env=self._environment(), **unprivileged(),
        )

    @staticmethod
    def _environment():
        return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}

    def start(self):
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.socket),
            "port": str(PORT),
            "max_connections": "120",
            "shared_buffers": "64MB",
            "fsync": "on" if self.durable else "off",
            "synchronous_commit": "on" if self.durable else "off",
            "full_page_writes": "on" if self.durable else "off",
            "timezone": "Pacific/Chatham",  # nothing may depend on the server's zone
            **dict(self.settings),
        }
        arguments = [BIN / "postgres", "-D", self.data]
        for name, value in settings.items():
            arguments += ["-c", f"{name}={value}"]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", env=self._environment(), **unprivileged()
            )
        self.wait_ready()
        return self

    def wait_ready(self, seconds=30):
        deadline = time.monotonic() + seconds
        while True:
            try:
                psycopg2.connect(self.dsn("postgres", "postgres")).close()
                return
            except psycopg2.OperationalError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"PostgreSQL did not start:\n{self.log.read_text()[-3000:]}") from None
                time.sleep(0.05)

    def stop(self):
        """Fast shutdown: open transactions are rolled back."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=60)

    def kill(self):
        """kill -9 of the whole cluster, as a power cut: no backend survives the postmaster."""
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True, check=False
        ).stdout.split()
        for pid in [self.process.pid, *map(int, children)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        with contextlib.suppress(FileNotFoundError):
            (self.data / "postmaster.pid").unlink()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.socket, ignore_errors=True)

    def dsn(self, database, user):
        return f"host={self.socket} port={PORT} dbname={database} user={user}"

    def create_database(self, template="template1"):
        """A database of the owner's, empty or a copy, and the two roles if they are not there yet."""
        self.databases += 1
        name = f"ludopost_{self.databases}"
        connection = psycopg2.connect(self.dsn("postgres", "postgres"))
        connection.autocommit = True
        with connection.cursor() as cursor:
            for role in (OWNER, SERVICE):
                cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,))
                if not cursor.fetchone():
                    cursor.execute(f"CREATE ROLE {role} LOGIN")
            cursor.execute(f"CREATE DATABASE {name} OWNER {OWNER} TEMPLATE {template}")
        connection.close()
        return Database(self, name)


class Database:
    """One database of a cluster, with both roles' connection strings."""

    def __init__(self, cluster, name):
        self.cluster = cluster
        self.name = name
        self.owner_dsn = cluster.dsn(name, OWNER)
        self.service_dsn = cluster.dsn(name, SERVICE)

    def connect(self, role=OWNER):
        connection = psycopg2.connect(self.cluster.dsn(self.name, role))
        connection.autocommit = True
        return connection

    def rows(self, query, parameters=(), role=OWNER):
        """Runs one statement on a connection of its own; its rows, or [] if it has none."""
        with contextlib.closing(self.connect(role)) as connection, connection.cursor() as cursor:
            cursor.execute(query, parameters)
            return cursor.fetchall() if cursor.description else []

    def value(self, query, parameters=(), role=OWNER):
        return self.rows(query, parameters, role)[0][0]

    def set_clock(self, offset):
        """Moves clock_now() by an interval such as '8 days'; only the owner can."""
        self.rows(
            "CREATE OR REPLACE FUNCTION clock_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE"
            f" AS $$SELECT statement_timestamp() + interval '{offset}'$$"
        )

    def drop(self):
        with contextlib.closing(psycopg2.connect(self.cluster.dsn("postgres", "postgres"))) as connection:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)")
