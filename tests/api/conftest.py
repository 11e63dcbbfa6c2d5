"""Two players of each module's own, without the mails of the real doors."""

import pytest

from harness.people import make_player


@pytest.fixture(scope="module")
def new_player(api, database):
    """new_player(name=None, language="en"): a client that acts for a new player."""
    return lambda name=None, language="en": make_player(api, database, name, language)


@pytest.fixture(scope="module")
def white(new_player):
    return new_player("Wanda")


@pytest.fixture(scope="module")
def black(new_player):
    return new_player("Boris")


@pytest.fixture(scope="module")
def stranger(new_player):
    return new_player("Stefan")


@pytest.fixture
def game_id(white, black):
    """A new public game of Ordo that nobody has played in yet."""
    return white.start_game(black)
