"""A client of the REST interface as a player writes one: sign-up by the mailed code, games, turns."""

import itertools
import re

import requests

from .contract import contract

_numbers = itertools.count(1)


class Api:
    """Calls with the token of one player, or with none."""

    def __init__(self, url, catcher, token=None, email=None, player=None):
        self.url = url
        self.catcher = catcher
        self.token = token
        self.email = email
        self.player = player
        self.http = requests.Session()
        self.http.trust_env = False

    def call(self, method, path, json=None, headers=None, **options):
        all_headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        all_headers.update(headers or {})
        response = self.http.request(method, self.url + path, json=json, headers=all_headers, timeout=60, **options)
        contract.check(response)
        return response

    def get(self, path, **options):
        return self.call("GET", path, **options)

    def post(self, path, json=None, **options):
        return self.call("POST", path, json=json, **options)

    def patch(self, path, json=None, **options):
        return self.call("PATCH", path, json=json, **options)

    def delete(self, path, **options):
        return self.call("DELETE", path, **options)

    def ask(self, method, path, json=None, status=(200, 201, 202, 204), **options):
        """A call that must succeed; its JSON."""
        response = self.call(method, path, json=json, **options)
        assert response.status_code in status, f"{method} {path}: {response.status_code} {response.text}"
        return response.json() if response.content else None

    def with_token(self, token):
        return Api(self.url, self.catcher, token, self.email, self.player)

    # ---- people ----------------------------------------------------------------------------
    def sign_up(self, name, email=None, language="en", time_zone="Europe/Berlin"):
        """A new player through the real doors: sign up, read the code from the mail, confirm."""
        email = email or f"{re.sub(r'[^a-z0-9]', '', name.lower()) or 'player'}.{next(_numbers)}@example.org"
        before = len(self.catcher.to(email))
        self.ask("POST", "/v1/players", {"email": email, "name": name, "language": language, "time_zone": time_zone})
        code = code_of(self.catcher.wait_for(email, before + 1))
        return self.confirm(code, email)

    def log_in(self, email=None):
        email = email or self.email
        before = len(self.catcher.to(email))
        self.ask("POST", "/v1/logins", {"email": email})
        return self.confirm(code_of(self.catcher.wait_for(email, before + 1)), email)

    def confirm(self, code, email):
        answer = self.ask("POST", "/v1/logins/confirm", {"code": code})
        client = Api(self.url, self.catcher, answer["token"], email)
        client.player = client.ask("GET", "/v1/me")
        return client

    # ---- games -----------------------------------------------------------------------------
    def start_game(self, opponent, rules="ordo", **options):
        """A game between this player (seat 1) and another; its number."""
        wanted = {"opponent": opponent.player["name"], "rules": rules, "seat": "first", **options}
        challenge = self.ask("POST", "/v1/challenges", wanted)
        return opponent.ask("POST", f"/v1/challenges/{challenge['id']}/accept")["game"]["id"]

    def game(self, game_id, **options):
        return self.ask("GET", f"/v1/games/{game_id}", **options)

    def play(self, game_id, turn, ply=None, **options):
        """Plays a turn (as the next one if no ply is given); the response, whatever it says."""
        if ply is None:
            ply = self.game(game_id)["next_ply"]
        return self.post(f"/v1/games/{game_id}/turns", {"ply": ply, "turn": turn}, **options)


def code_of(mail):
    """The code a confirm or login mail carries."""
    for link in mail.links():
        found = re.search(r"[?&]code=([^&#]+)", link) or re.search(r"/(?:confirm|login)/([^/?#]+)", link)
        if found:
            return found.group(1)
    raise AssertionError(f"no code in the mail {mail.subject}:\n{mail.text}")
