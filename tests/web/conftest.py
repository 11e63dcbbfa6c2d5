"""People with browsers, and people whose requests are put together by hand."""

import pytest

from harness.browser import Browser
from harness.people import make_player
from harness.visitor import Visitor, new_session


@pytest.fixture
def open_browser(server):
    """open_browser(languages="en", **options): browsers of their own, without script, closed at the end; what their
    consoles complained about fails the test."""
    opened = []

    def open_one(languages="en", **options):
        one = Browser(server.url, languages, **options)
        opened.append(one)
        return one

    yield open_one
    complaints = [line for one in opened for line in one.complaints() if "responded with a status of 4" not in line]
    for one in opened:
        one.close()
    assert complaints == []


@pytest.fixture
def visitor(server):
    return Visitor(server.url)


@pytest.fixture(scope="module")
def new_player(api, database):
    """new_player(name=None, language="en"): a client that acts for a new player."""
    return lambda name=None, language="en": make_player(api, database, name, language)


@pytest.fixture
def enter(server, database):
    """enter(player, languages="en"): a visitor who is logged in as that player."""

    def enter_one(player, languages="en"):
        one = Visitor(server.url, languages)
        one.cookies["ludopost_session"] = new_session(database, player.player["id"])
        return one

    return enter_one
