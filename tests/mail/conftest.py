"""Fixtures of the mail tests."""

import pytest

from harness.mail_probe import Probe


@pytest.fixture
def probe():
    one = Probe()
    yield one
    one.close()
