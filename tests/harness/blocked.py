"""Waiting for what will be true soon, and a lock that makes requests wait."""

import time


def eventually(condition, seconds=30):
    """Waits until condition() is true, and returns what it gave."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it never became true"
        time.sleep(0.02)
    return found


class Blocked:
    """A lock of which /metrics waits for the end, until release()."""

    def __init__(self, database):
        self.database = database
        self.connection = database.connect()
        self.connection.autocommit = False
        self.cursor = self.connection.cursor()
        self.cursor.execute("LOCK TABLE delivery IN ACCESS EXCLUSIVE MODE")

    def wait_for_waiters(self, count):
        query = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'delivery'::regclass"
        eventually(lambda: self.database.value(query) >= count)

    def release(self):
        self.connection.rollback()
        self.connection.close()
