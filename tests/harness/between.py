"""A relay between a client and PostgreSQL that looks at what the client sends and may step in."""

import contextlib
import pathlib
import shutil
import socket
import tempfile
import threading


class Between:
    """with Between(database, step) as one: one.dsn leads to the database through the relay.

    step(number, data) is asked before what the client sent (piece by piece) goes on, and again with
    data None after it did."""

    def __init__(self, database, step):
        self.database = database
        self.step = step
        self.count = 0
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lp-", dir="/tmp"))
        self.server = f"{database.cluster.socket}/.s.PGSQL.5432"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.folder / ".s.PGSQL.5432"))
        self.listener.listen()
        self.sockets = [self.listener]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def dsn(self):
        return self.database.service_dsn.replace(str(self.database.cluster.socket), str(self.folder))

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self.server)
                self.sockets += [client, server]
                threading.Thread(target=self._forth, args=(client, server), daemon=True).start()
                threading.Thread(target=self._back, args=(server, client), daemon=True).start()

    def _forth(self, client, server):
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                number = self.count
                self.count += 1
                self.step(number, data)
                server.sendall(data)
                self.step(number, None)
        self._end(server)

    def _back(self, server, client):
        with contextlib.suppress(OSError):
            while data := server.recv(65536):
                client.sendall(data)
        self._end(client)

    @staticmethod
    def _end(one):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.sockets:
            self._end(one)
            one.close()
        shutil.rmtree(self.folder, ignore_errors=True)
