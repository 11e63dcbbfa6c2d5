"""Fixtures of the mail tests."""

import pytest

from harness.mail_probe import Probe


@pytest.fixture(scope="module")
def probe():
    """One for all tests of a file: composing and sending leave nothing behind that may matter."""
    one = Probe()
    yield one
    one.close()
