"""Players and games made without the mails of the real doors, for tests that are about games."""

import hashlib
import itertools

from .api import Api

_numbers = itertools.count(1)
SCOPES = ("read", "play", "challenge", "chat", "tournament", "webhook")


def plain_name(number):
    """A name whose key is its small letters: no letter of it looks like another."""
    return "Guest " + "".join("abdeghknot"[int(digit)] for digit in f"{number:03d}")


def make_token(database, player_id, scopes=SCOPES):
    """A new token of a player, written into the database as the service does it."""
    token = f"lp_test{next(_numbers):036d}"
    database.rows(
        "INSERT INTO token (player_id, name, prefix, hash, scopes) VALUES (%s, 'test', %s, %s, %s)",
        (player_id, token[:8], hashlib.sha256(token.encode()).digest(), list(scopes)),
    )
    return token


def make_player(api, database, name=None, language="en"):
    """A player with a confirmed address and a token with all scopes; a client that acts for him. The
    name's key is its small letters: letters with look-alikes (i, l, m, digits) need the real doors."""
    number = next(_numbers)
    name = name or plain_name(number)
    email = f"p{number}@example.org"
    player_id = database.value(
        "INSERT INTO player (name, name_key, name_look, language, time_zone)"
        " VALUES (%s, %s, %s, %s, 'Europe/Berlin') RETURNING id",
        (name, name.lower(), name, language),
    )
    database.rows(
        "INSERT INTO address (email, email_key, player_id, state, is_primary, language, confirmed_at)"
        " VALUES (%s, %s, %s, 'confirmed', true, %s, clock_now())",
        (email, email, player_id, language),
    )
    return Api(api.url, api.catcher, make_token(database, player_id), email, {"id": player_id, "name": name})


def play_out(game_id, first, second, turns):
    """Plays turns by turns; every one must be accepted. The last answer."""
    answer = None
    for place, turn in enumerate(turns):
        player = (first, second)[place % 2]
        response = player.play(game_id, turn, ply=place + 1)
        assert response.status_code == 201, f"ply {place + 1} {turn}: {response.status_code} {response.text}"
        answer = response.json()
    return answer
