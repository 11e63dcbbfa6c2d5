"""Steps of people with their accounts: what tests of sign-up, login and addresses share."""

import contextlib
import itertools
from concurrent.futures import ThreadPoolExecutor

from .api import code_of

_numbers = itertools.count(1)
# Headers that differ from answer to answer, whatever was asked.
PASSING_HEADERS = {"date", "x-request-id", "ratelimit", "content-length"}


def new_email(word="somebody"):
    return f"{word}.{next(_numbers)}@example.net"


def refused(response, status, kind):
    """The problem of an answer that must refuse."""
    assert response.status_code == status, f"{response.status_code} {response.text}"
    assert response.headers["Content-Type"].startswith("application/problem+json")
    problem = response.json()
    assert problem["type"].endswith("/" + kind), problem
    assert problem["status"] == status
    assert problem["title"] and problem["detail"]
    return problem


def refused_field(response, field, fault):
    error = refused(response, 422, "field-invalid")["errors"][0]
    assert (error["field"], error["problem"]) == (field, fault), error
    assert error["detail"]


@contextlib.contextmanager
def mail_to(catcher, email):
    """with mail_to(catcher, email) as mail: ask for it; then mail() is the one that came."""
    before = len(catcher.to(email))
    yield lambda: catcher.wait_for(email, before + 1)


def sign_up_mail(api, name, email, **wishes):
    """Asks for an account; the mail with the code."""
    with mail_to(api.catcher, email) as mail:
        response = api.post("/v1/players", {"email": email, "name": name, "language": "en", **wishes})
        assert response.status_code == 202, response.text
        return mail()


def sign_up_code(api, name, email, **wishes):
    return code_of(sign_up_mail(api, name, email, **wishes))


def login_code(api, email):
    with mail_to(api.catcher, email) as mail:
        assert api.post("/v1/logins", {"email": email}).status_code == 202
        return code_of(mail())


def address_code(player, email, **wishes):
    """Asks to add an address; the code mailed to it."""
    with mail_to(player.catcher, email) as mail:
        assert player.post("/v1/me/addresses", {"email": email, **wishes}).status_code == 202
        return code_of(mail())


def confirm(api, code, **wishes):
    return api.post("/v1/logins/confirm", {"code": code, **wishes})


def add_address(player, email, **wishes):
    """A further address, confirmed."""
    done = confirm(player, address_code(player, email, **wishes))
    assert done.status_code == 200, done.text
    assert done.json()["did"] == "address-added"


def addresses_of(player):
    return {row["email"]: row for row in player.ask("GET", "/v1/me/addresses")["addresses"]}


def at_once(calls):
    """Runs all calls at the same time; their results in order."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def steady_headers(response):
    return {name.lower(): value for name, value in response.headers.items() if name.lower() not in PASSING_HEADERS}


def alike(one, other):
    """Nothing of two answers but the address that was asked for tells them apart."""
    assert one.status_code == other.status_code
    assert steady_headers(one) == steady_headers(other)
    assert {**one.json(), "email": ""} == {**other.json(), "email": ""}


@contextlib.contextmanager
def later(database, offset):
    """with later(database, "31 minutes"): the service's clock stands later."""
    database.set_clock(offset)
    try:
        yield
    finally:
        database.set_clock("0")
