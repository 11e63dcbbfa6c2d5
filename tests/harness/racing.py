"""Calls of many clients at the same moment."""

import concurrent.futures
import threading

import requests


def race(calls):
    """Runs all calls at the same moment, each in a thread with a connection of its own."""
    gate = threading.Barrier(len(calls))

    def run(call):
        with requests.Session() as session:
            session.trust_env = False
            gate.wait(timeout=120)
            return call(session)

    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def poster(client, path, body, headers=None):
    all_headers = {"Authorization": f"Bearer {client.token}", **(headers or {})}
    return lambda session: session.post(client.url + path, json=body, headers=all_headers, timeout=120)
