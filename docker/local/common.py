"""What `make run` and `make demo` share: where things lie, mails in the Maildir, calls over HTTP."""

import email
import email.policy
import json
import pathlib
import re
import subprocess
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = ROOT / ".run"
BINARY = ROOT / "build" / "ludopost"
MAILDIR = RUN / "Maildir"
STATE = RUN / "state.json"  # of the server that runs now
SETTINGS = RUN / "ludopost.conf"  # of the server that runs now, for `ludopost deliver`
MUTTRC = RUN / "muttrc"
PLAYERS = RUN / "players.json"  # the demo players' tokens, kept between runs

# No proxy of the environment may stand between us and our own machine.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Refused(Exception):
    """The server answered with a problem."""

    def __init__(self, status, text):
        super().__init__(f"{status}: {text}")
        self.status = status


def call(method, url, body=None, token=None):
    """One request; the answer's JSON, or its text if it is none."""
    headers = {"Accept": "application/json, */*"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with _opener.open(request, timeout=30) as response:
            text = response.read().decode()
            return json.loads(text) if "json" in response.headers.get("Content-Type", "") else text
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.read().decode(errors="replace")) from None


def referee(*arguments):
    """What `ludopost rules …` prints, line by line."""
    done = subprocess.run([BINARY, "rules", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"ludopost rules {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.splitlines()


class Mail:
    """One mail of the Maildir."""

    def __init__(self, path):
        self.path = path
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        self.to = str(message["To"])
        self.subject = str(message["Subject"])
        self.id = str(message["Message-ID"])
        body = message.get_body(preferencelist=("plain",))
        self.text = body.get_content() if body else ""

    def code(self):
        """The code of a confirm or login mail."""
        found = re.search(r"/(?:confirm|login)/([^/\s?#>]+)", self.text)
        if not found:
            raise RuntimeError(f"no code in the mail {self.path}")
        return found.group(1)


def mail_paths():
    return {path for folder in ("new", "cur") for path in (MAILDIR / folder).glob("*")}


def wait_for_mail(seen, wanted, seconds=30):
    """The first mail not in seen that wanted(mail) accepts, or None if none comes in time."""
    deadline = time.monotonic() + seconds
    looked_at = set(seen)
    while True:
        for path in sorted(mail_paths() - looked_at):
            looked_at.add(path)
            mail = Mail(path)
            if wanted(mail):
                return mail
        if time.monotonic() > deadline:
            return None
        time.sleep(0.05)


class Player:
    """A player of the running server."""

    def __init__(self, url, name, address, token=None):
        self.url = url
        self.name = name
        self.address = address
        self.token = token

    def call(self, method, path, body=None):
        return call(method, self.url + path, body, self.token)

    def known(self):
        """Whether the token of an earlier run still opens the door."""
        try:
            return bool(self.token) and self.call("GET", "/v1/me")["name"] == self.name
        except Refused:
            return False

    def enter(self):
        """Signs up, or logs in if the address has an account: both mail a code."""
        code = self._mailed_code("/v1/players", {
            "email": self.address, "name": self.name, "language": "en", "time_zone": "Europe/Berlin",
        })
        self.token = call("POST", self.url + "/v1/logins/confirm", {"code": code})["token"]
        return self

    def _mailed_code(self, path, body):
        seen = mail_paths()
        call("POST", self.url + path, body)
        mail = wait_for_mail(seen, lambda mail: self.address in mail.to and "/confirm/" in mail.text)
        if mail is None:
            raise RuntimeError(f"no mail with a code for {self.address} came")
        return mail.code()


def start_game(first, second, rules):
    """A challenge from one player accepted by the other; the game's number."""
    challenge = first.call("POST", "/v1/challenges", {"opponent": second.name, "rules": rules, "seat": "first"})
    return second.call("POST", f"/v1/challenges/{challenge['id']}/accept", {})["game"]["id"]


def awaited_seat(rules, board):
    """The seat the referee awaits on a board, or None when the game is over."""
    last = referee("play", rules, board)[-1].split()
    return int(last[1]) if last[0] == "open" else None


def awaited_of(state):
    """The seats a game awaits, as the service says."""
    return state["awaiting"]


def winner_of(state):
    return state["winner"]


def seat_of(state, name):
    return next(seat["seat"] for seat in state["seats"] if seat["player"]["name"] == name)
