"""HTTP as bytes on a socket, for what no client library would send."""

import contextlib
import re
import socket
import time


class Wire:
    """One connection. read_all() reads until the server closes it."""

    def __init__(self, port, seconds=30):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=seconds)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        """Sends; a server that has closed already is no error."""
        with contextlib.suppress(ConnectionError):
            self.socket.sendall(data if isinstance(data, bytes) else data.encode())
        return self

    def read_all(self):
        """Everything until the end of the stream; fails when the server keeps the connection."""
        while True:
            try:
                data = self.socket.recv(65536)
            except ConnectionError:
                data = b""
            if not data:
                found, self.buffer = self.buffer, b""
                return found
            self.buffer += data

    def is_open(self):
        """Whether the server has not closed (nothing may be waiting to be read)."""
        self.socket.setblocking(False)
        try:
            return self.socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        finally:
            self.socket.settimeout(30)

    def closed_within(self, seconds):
        """Reads until the server closes; whether it did in time, and what it said."""
        deadline = time.monotonic() + seconds
        said = b""
        while time.monotonic() < deadline:
            self.socket.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                data = self.socket.recv(65536)
            except TimeoutError:
                break
            except ConnectionError:
                return True, said
            if not data:
                return True, said
            said += data
        return False, said

    def answer(self):
        """The next whole answer: (status, headers in lower case, body)."""
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        size = 0 if status in (204, 304) else int(headers.get("content-length", 0))
        while len(self.buffer) < size:
            self._more()
        body, self.buffer = self.buffer[:size], self.buffer[size:]
        return status, headers, body

    def _more(self):
        data = self.socket.recv(65536)
        if not data:
            raise EOFError(f"the server closed after {self.buffer!r}")
        self.buffer += data


def exchange(port, data):
    """Sends bytes and reads all there is; the statuses of all answers, and the bytes."""
    with Wire(port) as wire:
        said = wire.send(data).read_all()
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", said)], said
