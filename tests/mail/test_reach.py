"""What reports of mail servers, complaints and requests to leave do: to addresses, players, and what others see."""

import itertools
from email.message import EmailMessage

import pytest

from harness.accounts import mail_to
from harness.blocked import eventually
from harness.inbound import DOMAIN, letter, secret
from harness.visitor import Visitor, new_session

_numbers = itertools.count(1)


@pytest.fixture
def game(api, game):
    """(number, host, friend): the host has seat 1, both got their first mail."""
    number, host, friend = game
    for player in (host, friend):
        player.first = api.catcher.wait(
            lambda catcher: next((mail for mail in catcher.to(player.email) if f"Game {number}:" in mail.subject), None)
        )
    return number, host, friend


def report(status, recipient, action="failed"):
    """A delivery report (RFC 3464) as a mail server writes it."""
    text = f"Reporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; {recipient}\nAction: {action}\nStatus: {status}\n"
    head = "From: MAILER-DAEMON@mx.example.net\nTo: somebody@play.example.org\nSubject: Undelivered\n"
    head += f"Message-ID: <r{next(_numbers)}@mx.example.net>\nMIME-Version: 1.0\n"
    head += 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
    body = f"--b\nContent-Type: text/plain\n\nNot delivered.\n\n--b\nContent-Type: message/delivery-status\n\n{text}\n--b--\n"
    return (head + body).encode()


def bounce(inbound, mail, status, **options):
    """Sends a mail of ours back; the inbox row."""
    inbound.deliver(report(status, mail.to, **options), mail.sender)
    return inbound.last()


def delivery_of(database, email):
    return database.rows(
        "SELECT delivery.state, reply, cause, hard FROM delivery JOIN address ON address.id = address_id"
        " WHERE email = %s ORDER BY delivery.id DESC LIMIT 1", (email,),
    )[0]


def address_state(database, email):
    return database.value("SELECT state FROM address WHERE email = %s", (email,))


def settle(database, email):
    eventually(lambda: delivery_of(database, email)[0] == "sent")


def seats(player, number):
    return [seat["reachable"] for seat in player.game(number)["seats"]]


def test_a_mail_that_comes_back_for_good_makes_the_address_dead_and_everybody_sees_it(game, inbound, database, server, api):
    number, host, friend = game
    settle(database, friend.email)
    etag = host.get(f"/v1/games/{number}").headers["ETag"]
    assert seats(host, number) == [True, True]
    row = bounce(inbound, friend.first, "5.1.1")
    assert (row["disposition"], row["reason"]) == ("bounce", "hard")
    assert address_state(database, friend.email) == "dead"
    assert delivery_of(database, friend.email) == ("dead", "returned: 5.1.1", "dead", True)
    assert seats(host, number) == [True, False]
    assert host.get(f"/v1/games/{number}", headers={"If-None-Match": etag}).status_code == 200
    assert friend.ask("GET", "/v1/me")["reachable"] is False
    page = Visitor(server.url)
    page.cookies["ludopost_session"] = new_session(database, friend.player["id"])
    assert "come back" in page.get("/games").words()
    assert "cannot be reached" in page.get("/settings").words()
    page.cookies["ludopost_session"] = new_session(database, host.player["id"])
    assert f"No mail reaches {friend.player['name']}" in page.get(f"/games/{number}").words()
    host.play(number, "c2-c4")
    assert delivery_of(database, friend.email)[0] == "dropped"
    with mail_to(api.catcher, host.email) as mail:
        friend.play(number, "c7-c5")
        assert f"No mail reaches {friend.player['name']}" in " ".join(mail().text.split())
    back = api.log_in(friend.email)
    assert back.ask("GET", "/v1/me")["reachable"] is True
    assert seats(host, number) == [True, True]
    assert "come back" not in page.get("/games").words()


def test_a_mail_of_a_set_up_that_comes_back_counts_as_well(api, inbound, database):
    host, friend = api.sign_up("Lay Out"), api.sign_up("Lay In")
    with mail_to(api.catcher, friend.email) as mail:
        number = host.start_game(friend, rules="xo")
        started = mail()
    settle(database, friend.email)
    assert (bounce(inbound, started, "5.1.1")["disposition"], address_state(database, friend.email)) == ("bounce", "dead")
    assert seats(host, number) == [True, False]


@pytest.mark.parametrize(("status", "disposition", "state"), [
    ("5.2.2", "bounce", "confirmed"), ("5.7.1", "bounce", "confirmed"), ("5.0.0", "bounce", "confirmed"),
    ("5.2.1", "bounce", "confirmed"), ("5.1.10", "bounce", "dead"), ("5.1.2", "bounce", "dead"),
])
def test_one_report_is_enough_only_if_there_is_no_such_address(game, inbound, database, status, disposition, state):
    _, host, _ = game
    settle(database, host.email)
    assert bounce(inbound, host.first, status)["disposition"] == disposition
    assert (delivery_of(database, host.email)[0], address_state(database, host.email)) == ("dead", state)


def test_a_hard_report_counts_after_a_soft_one_about_the_same_mail(game, inbound, database):
    _, host, _ = game
    settle(database, host.email)
    bounce(inbound, host.first, "4.2.2")
    assert address_state(database, host.email) == "confirmed"
    bounce(inbound, host.first, "5.1.1")
    assert (delivery_of(database, host.email)[1], address_state(database, host.email)) == ("returned: 5.1.1", "dead")


def test_a_mail_that_is_late_changes_nothing(game, inbound, database):
    _, host, _ = game
    settle(database, host.email)
    assert bounce(inbound, host.first, "4.4.1", action="delayed")["disposition"] == "ignore"
    assert delivery_of(database, host.email)[0] == "sent"


def test_three_hard_bounces_on_three_days_are_enough(game, inbound, database, api):
    number, host, friend = game
    mails, turns = [host.first], [("c2-c4", "c7-c5"), ("d2-d4", "d7-d5")]
    for own, reply in turns:
        host.play(number, own)
        with mail_to(api.catcher, host.email) as mail:
            friend.play(number, reply)
            mails.append(mail())
    settle(database, host.email)
    try:
        for day, mail in enumerate(mails):
            assert address_state(database, host.email) == "confirmed"
            database.set_clock(f"{day} days")
            bounce(inbound, mail, "5.2.1")
    finally:
        database.set_clock("0")
    assert address_state(database, host.email) == "dead"


def test_a_forged_report_changes_nothing(game, inbound, database):
    number, host, friend = game
    settle(database, host.email)
    for to in (f"bounce+g{number}.t1.{'a' * 16}@{DOMAIN}", f"bounce@{DOMAIN}", f"fbl@{DOMAIN}"):
        inbound.deliver(report("5.1.1", host.email), to)
    assert address_state(database, host.email) == "confirmed"
    assert inbound.answers() == []


def test_the_same_report_again_does_not_kill_an_address_that_was_revived(game, inbound, database, api):
    _, host, _ = game
    settle(database, host.email)
    bounce(inbound, host.first, "5.1.1")
    api.log_in(host.email)
    bounce(inbound, host.first, "5.1.1")
    assert address_state(database, host.email) == "confirmed"


def complaint(mail, kind="abuse"):
    """A feedback report (RFC 5965) about one of our mails."""
    head = f"From: fbl@mail.example.net\nTo: fbl@{DOMAIN}\nSubject: FW: complaint\nMIME-Version: 1.0\n"
    head += f"Message-ID: <c{next(_numbers)}@mail.example.net>\n"
    head += 'Content-Type: multipart/report; report-type=feedback-report; boundary="b"\n\n'
    body = "--b\nContent-Type: text/plain\n\nSpam.\n\n--b\nContent-Type: message/feedback-report\n\n"
    body += f"Feedback-Type: {kind}\nUser-Agent: x/1\nVersion: 1\nOriginal-Mail-From: <{mail.sender}>\n\n--b\n"
    body += f"Content-Type: message/rfc822\n\nFrom: x@{DOMAIN}\nMessage-ID: {mail['Message-ID']}\n\ntext\n--b--\n"
    return (head + body).encode()


def test_a_complaint_stops_the_mails_about_games(game, inbound):
    _, host, _ = game
    inbound.deliver(complaint(host.first), f"fbl@{DOMAIN}")
    assert inbound.last()["disposition"] == "complaint"
    assert host.ask("GET", "/v1/me")["mail"] is False


@pytest.mark.parametrize("kind", ["not-spam", "Auth-Failure"])
def test_a_report_that_nobody_complains_in_changes_nothing(game, inbound, kind):
    _, host, _ = game
    inbound.deliver(complaint(host.first, kind), f"fbl@{DOMAIN}")
    assert inbound.last()["disposition"] == "ignore"
    assert host.ask("GET", "/v1/me")["mail"] is True


def test_a_complaint_of_somebody_invited_ends_all_mails_there(game, inbound, database, api):
    _, host, _ = game
    email = f"cross.{next(_numbers)}@example.net"
    host.ask("POST", "/v1/challenges", {"email": email, "rules": "ordo"})
    inbound.deliver(complaint(api.catcher.wait_for(email)), f"fbl@{DOMAIN}")
    assert address_state(database, email) == "never"


def test_a_mail_to_leave_stops_the_mails_about_games_without_an_answer(game, inbound):
    _, host, _ = game
    player = host.player["id"]
    wish = f"unsubscribe+u{player}.{secret('unsubscribe', player)}@{DOMAIN}"
    inbound.deliver(letter("unsubscribe", host.email, wish), wish)
    assert inbound.last()["disposition"] == "unsubscribe"
    assert host.ask("GET", "/v1/me")["mail"] is False
    assert inbound.answers() == []


def test_an_away_notice_is_neither_a_bounce_nor_a_turn(game, inbound, database):
    number, host, _ = game
    settle(database, host.email)
    notice = EmailMessage()
    notice["From"], notice["To"], notice["Subject"] = host.email, host.first.sender, "Out of office"
    notice["Auto-Submitted"] = "auto-replied"
    notice.set_content("c2-c4")
    for to in (host.first.sender, host.first["Reply-To"]):
        inbound.deliver(notice.as_bytes(), to)
        assert inbound.last()["disposition"] == "ignore"
    assert (address_state(database, host.email), host.game(number)["ply"]) == ("confirmed", 0)
