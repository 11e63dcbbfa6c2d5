"""A name server of the test's own: answers what a dictionary says."""

import socket
import struct
import threading

KINDS = {"A": 1, "PTR": 12, "MX": 15, "TXT": 16, "AAAA": 28}
NAME_ERROR = 3


def wire_name(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def wire_data(kind, text):
    if kind == "A":
        return socket.inet_aton(text)
    if kind == "AAAA":
        return socket.inet_pton(socket.AF_INET6, text)
    if kind == "TXT":
        parts = [text[at : at + 255].encode() for at in range(0, len(text), 255)]
        return b"".join(bytes([len(part)]) + part for part in parts)
    return (struct.pack(">H", 10) if kind == "MX" else b"") + wire_name(text)


class NameServer:
    """records: {(name, kind): [texts]}; a name it does not have at all does not exist."""

    def __init__(self, records):
        self.records = {(name.lower(), kind): texts for (name, kind), texts in records.items()}
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    @property
    def address(self):
        return f"127.0.0.1:{self.socket.getsockname()[1]}"

    def stop(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self.socket.getsockname())
        self.thread.join()
        self.socket.close()

    def _serve(self):
        while True:
            question, client = self.socket.recvfrom(4096)
            if not question:
                return
            self.socket.sendto(self._answer(question), client)

    def _answer(self, question):
        labels, at = [], 12
        while question[at]:
            labels.append(question[at + 1 : at + 1 + question[at]].decode())
            at += 1 + question[at]
        name = ".".join(labels).lower()
        number = struct.unpack(">H", question[at + 1 : at + 3])[0]
        kind = next((word for word, value in KINDS.items() if value == number), None)
        texts = self.records.get((name, kind), [])
        known = any(name == one for one, _ in self.records)
        head = question[:2] + struct.pack(">HHHHH", 0x8580 | (0 if known else NAME_ERROR), 1, len(texts), 0, 0)
        answers = b""
        for text in texts:
            data = wire_data(kind, text)
            answers += b"\xc0\x0c" + struct.pack(">HHIH", number, 1, 60, len(data)) + data
        return head + question[12 : at + 5] + answers
