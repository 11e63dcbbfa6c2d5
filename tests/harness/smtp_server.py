"""A real SMTP server on a socket that does at each stage what its script says.

Unlike harness.catcher (aiosmtpd, well-behaved unless told otherwise) this one works on bytes: it
can answer with garbage, letter by letter, or say goodbye while idle, and keeps what was on the wire.

    server = SmtpServer({"RCPT": "550 5.1.1 no such user"})
    server = SmtpServer({"END": [DROP, None]})     the first time, then as usual

Stages: BANNER EHLO HELO STARTTLS AUTH MAIL RCPT DATA BODY (before reading it) END QUIT, and IDLE
(after a mail was accepted; what it says comes unasked, then the connection ends).
"""

import contextlib
import enum
import socket
import threading


class Fault(enum.Enum):
    STALL = 1  # says nothing, but goes on reading
    FREEZE = 2  # does not even read
    DROP = 3  # ends the connection
    RESET = 4  # ends the connection with an RST
    DRIP = 5  # promises further lines of a reply for ever


STALL, FREEZE, DROP, RESET, DRIP = Fault

USUAL = {
    "BANNER": "220 scripted.test ESMTP",
    "HELO": "250 scripted.test",
    "STARTTLS": "220 2.0.0 go ahead",
    "AUTH": "235 2.7.0 welcome",
    "MAIL": "250 2.1.0 sender ok",
    "RCPT": "250 2.1.5 recipient ok",
    "DATA": "354 go ahead",
    "END": "250 2.0.0 queued as 4711",
    "QUIT": "221 2.0.0 bye",
}


class _Over(Exception):
    pass


class Connection:
    """One conversation: the commands as they came and the mails."""

    def __init__(self, server, sock):
        self.server = server
        self.sock = sock
        self.buffer = b""
        self.commands = []
        self.mail = None  # the last one, as the sender meant it
        self.secure = False

    def run(self):
        with contextlib.suppress(_Over, OSError):
            self.do("BANNER")
            while True:
                self.command(self.line())
        self.sock.close()

    def line(self, until=b"\r\n"):
        while until not in self.buffer:
            received = self.sock.recv(65536)
            if not received:
                raise _Over
            self.buffer += received
        line, self.buffer = self.buffer.split(until, 1)
        return line

    def command(self, line):
        self.commands.append(line)
        verb = line.split(b" ")[0].decode("latin-1").upper()
        if verb == "EHLO":
            self.do("EHLO", self.greeting())
        elif verb == "STARTTLS":
            if self.do("STARTTLS").startswith("220"):
                self.sock = self.server.tls.wrap_socket(self.sock, server_side=True)
                self.secure = True
        elif verb == "DATA":
            if self.do("DATA").startswith("354"):
                self.data()
        elif verb == "AUTH":
            if len(line.split(b" ")) < 3:
                self.say("334 ")
                self.line()
            self.do("AUTH")
        elif verb in USUAL:
            self.do(verb)
            if verb == "QUIT":
                raise _Over
        else:
            self.say("502 5.5.1 what?")

    def greeting(self):
        extensions = ["scripted.test", "8BITMIME", "SIZE 10000000", "ENHANCEDSTATUSCODES"]
        if self.server.tls and not self.secure:
            extensions.append("STARTTLS")
        if self.server.auth:
            extensions.append("AUTH PLAIN")
        return "\r\n".join(f"250{' ' if n == len(extensions) - 1 else '-'}{text}" for n, text in enumerate(extensions))

    def data(self):
        self.do("BODY", "")
        wire = self.line(b"\r\n.\r\n") + b"\r\n"
        self.server.wires.append(wire)
        self.mail = unstuffed(wire)
        if self.do("END").startswith("250"):
            action = self.server.action("IDLE")
            if action is not None:
                if isinstance(action, str):
                    self.say(action)
                self.sock.close()
                self.server.idled.set()
                raise _Over

    def do(self, stage, usual=None):
        """Acts as scripted; the reply given."""
        action = self.server.action(stage)
        if action is None:
            action = USUAL.get(stage, "") if usual is None else usual
        if action is STALL:
            while self.sock.recv(65536):
                pass
            raise _Over
        if action is FREEZE:
            self.server.over.wait()
        if action in (DROP, FREEZE):
            raise _Over
        if action is RESET:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            raise _Over
        if action is DRIP:
            self.drip()
        if stage == "END" and action.startswith("250"):
            # Before the answer: whoever has it may look at once.
            self.server.mails.append(self.mail)
        if action:
            self.say(action)
        return action

    def drip(self):
        """Lines that promise more lines, one every tenth of a second."""
        self.sock.settimeout(0.1)
        while True:
            self.sock.sendall(b"250-wait\r\n")
            with contextlib.suppress(TimeoutError):
                if not self.sock.recv(65536):
                    raise _Over

    def say(self, text):
        self.sock.sendall(text.encode("latin-1") + b"\r\n")


def unstuffed(wire):
    """RFC 5321 4.5.2: without the dots that the sender put before dots."""
    lines = wire.split(b"\r\n")
    return b"\r\n".join(line[1:] if line.startswith(b".") else line for line in lines)


class SmtpServer:
    def __init__(self, script=None, auth=False, tls=None):
        self.script = {stage: list(action) if isinstance(action, list) else action for stage, action in (script or {}).items()}
        self.auth = auth
        self.tls = tls  # an ssl.SSLContext: STARTTLS is offered
        self.connections = []
        self.mails = []  # as the sender meant them
        self.wires = []  # as they came
        self.idled = threading.Event()
        self.over = threading.Event()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    def commands(self, n=-1):
        """The verbs of one conversation."""
        return [line.split(b" ")[0].split(b":")[0].decode() for line in self.connections[n].commands]

    def action(self, stage):
        with self.lock:
            action = self.script.get(stage)
            if isinstance(action, list):
                return action.pop(0) if action else None
            return action

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                sock, _ = self.listener.accept()
                connection = Connection(self, sock)
                self.connections.append(connection)
                threading.Thread(target=connection.run, daemon=True).start()

    def close(self):
        self.over.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
