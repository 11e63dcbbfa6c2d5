"""What the mails say, to whom, in each language; by the real service and a real mail server."""

import email.utils
import re
import subprocess

import pytest

from harness.server import BINARY

DOMAIN = "play.example.org"
LANGUAGES = ["en", "es", "fr", "ru", "de"]
RESULT = {
    "en": "Weiß en wins by resignation.",
    "es": "Victoria de Weiß es",
    "fr": "Weiß fr gagne",
    "ru": "Weiß ru — победа:",
    "de": "Weiß de gewinnt",
}
YOUR_TURN = {"en": "it is your turn", "es": "te toca", "fr": "à vous de jouer", "ru": "Ваш ход", "de": "du bist am Zug"}


def part(mail, kind):
    return [one for one in mail.message.walk() if one.get_content_type() == kind]


def is_turn_mail(mail, game, ply):
    """Whether a mail says that after ply turns of a game the reader is awaited."""
    return mail["Message-ID"].startswith(f"<g{game}.t{ply}.d") and mail["Feedback-ID"].startswith("your-turn:")


@pytest.fixture(scope="module", params=LANGUAGES)
def played(request, api, catcher):
    """A game of three turns and a resignation between two readers of one language."""
    language = request.param
    first = api.sign_up(f"Weiß {language}", language=language, time_zone="Asia/Kolkata")
    second = api.sign_up(f"Noir {language}", language=language, time_zone="America/New_York")
    game = first.start_game(second, message="Viel Spaß <b>&amp;</b> {{board}}")
    # Played on only after each mail: else it would no longer be true and rightly not come.
    catcher.wait(lambda c: sum(mail["Message-ID"].startswith(f"<g{game}.t0.d") for mail in c.mails) == 2)
    for ply, (player, turn) in enumerate(((first, "a3-a4"), (second, "a6-a5"), (first, "c2:d2-c4")), 1):
        assert player.play(game, turn).status_code == 201
        catcher.wait(lambda c, ply=ply: any(is_turn_mail(mail, game, ply) for mail in c.mails))
    assert second.post(f"/v1/games/{game}/resign").status_code == 200
    catcher.wait(lambda c: sum(".t3.d" in mail["Message-ID"] for mail in c.mails if f"<g{game}." in mail["Message-ID"]) == 3)
    mails = [mail for mail in catcher.mails if mail["Message-ID"].startswith(f"<g{game}.")]
    return {"language": language, "game": game, "first": first, "second": second, "mails": mails}


def of(played, player, ply=None):
    return [
        mail
        for mail in played["mails"]
        if mail.to == played[player].email and (ply is None or f".t{ply}." in mail["Message-ID"])
    ]


def turn_mail(played, player, ply):
    return next(mail for mail in of(played, player, ply) if mail["Feedback-ID"].startswith("your-turn:"))


def test_each_turn_is_told_to_the_player_awaited_and_nobody_else(played):
    turns = [mail for mail in played["mails"] if mail["Feedback-ID"].startswith("your-turn:")]
    got = sorted((int(re.search(r"\.t(\d+)\.", mail["Message-ID"]).group(1)), mail.recipients) for mail in turns)
    first, second = [played["first"].email], [played["second"].email]
    assert got == [(1, second), (2, first), (3, second)]


def test_both_are_told_of_the_start_and_of_the_end(played):
    for template in ("game-started", "game-over"):
        told = sorted(mail.to for mail in played["mails"] if mail["Feedback-ID"].startswith(template + ":"))
        assert told == sorted([played["first"].email, played["second"].email]), template


def test_the_subject_is_the_same_for_the_whole_game(played):
    subjects = {mail.subject for mail in played["mails"]}
    assert len(subjects) == 1
    subject = subjects.pop()
    assert str(played["game"]) in subject
    assert f"Weiß {played['language']}" in subject
    assert f"Noir {played['language']}" in subject


def test_a_turn_is_told_in_the_readers_language_with_board_and_notation(played):
    mail = turn_mail(played, "second", 3)
    assert YOUR_TURN[played["language"]] in mail.text
    assert "c2:d2-c4" in mail.text
    rows = [line for line in mail.text.splitlines() if re.search("[１-８]　", line)]
    assert len(rows) == 8
    assert [row.strip()[0] for row in rows] == list("１２３４５６７８"), "the reader's own side is not at the bottom"
    assert sum(row.count("Ｏ") for row in rows) == 2, "the stones just moved are not marked"
    assert re.search(r"\bc4\b.*\bd4\b|\bd4\b", mail.text), "there is no spoken list"
    assert f"/games/{played['game']}" in mail.text
    html = part(mail, "text/html")[0].get_content()
    assert f'lang="{played["language"]}"' in html
    assert "c2:d2-c4" in html


def test_the_board_is_an_inline_picture_with_alternative_text(played):
    mail = turn_mail(played, "second", 1)
    pictures = part(mail, "image/png")
    assert len(pictures) == 1
    assert pictures[0].get_content().startswith(b"\x89PNG\r\n\x1a\n")
    assert pictures[0].get_content_disposition() == "inline"
    content_id = pictures[0]["Content-ID"].strip("<>")
    html = part(mail, "text/html")[0].get_content()
    assert f"cid:{content_id}" in html
    assert re.search(r'<img[^>]+alt="[^"]{10,}"', html)
    assert not re.search(r'src="https?:', html), "something would be fetched"
    assert mail.message.get_content_type() == "multipart/alternative"


def test_the_headers_are_those_of_an_automatic_list_mail(played):
    for mail in played["mails"]:
        assert mail["Auto-Submitted"] == "auto-generated"
        assert mail["X-Auto-Response-Suppress"] == "All"
        assert mail["X-Board-Loop"] == DOMAIN
        assert f"<turns.{DOMAIN}>" in mail["List-Id"]
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert re.fullmatch(r"<https?://[^>]+/unsubscribe/\d+/[a-z0-9]{16}>", mail["List-Unsubscribe"])
        assert email.utils.parsedate_to_datetime(mail["Date"]).utcoffset().total_seconds() == 0
        assert email.utils.parseaddr(str(mail["From"]))[1] == f"turns@{DOMAIN}"
        assert email.utils.parseaddr(str(mail["To"]))[1] == mail.to
        assert len(mail.recipients) == 1
        for line in mail.content.split(b"\r\n"):
            assert len(line) <= 78
            line.decode("ascii")


def test_answers_would_go_to_the_turn_awaited_with_a_secret_of_its_own(played):
    game = played["game"]
    addresses = {}
    for mail in played["mails"]:
        ply = int(re.search(r"\.t(\d+)\.", mail["Message-ID"]).group(1))
        match = re.fullmatch(rf"move\+g{game}\.t(\d+)\.([a-z0-9]{{16}})@{DOMAIN}", str(mail["Reply-To"]))
        assert int(match.group(1)) == ply + 1
        addresses.setdefault((mail.to, ply), set()).add(match.group(2))
        assert re.fullmatch(rf"bounce\+g{game}\.t{ply + 1}\.[a-z0-9]{{16}}@{DOMAIN}", mail.sender)
        assert match.group(2) not in mail.sender
        assert match.group(2) not in mail.text
    assert all(len(secrets) == 1 for secrets in addresses.values())
    assert len({secret for secrets in addresses.values() for secret in secrets}) == len(addresses)


def test_a_reply_is_not_invited_while_nobody_reads_it(played):
    invitations = {"en": "Reply to this mail", "es": "Responde a este correo", "fr": "Répondez à ce message", "ru": "Ответьте на это письмо", "de": "Antworte auf diese Mail"}
    for mail in played["mails"]:
        assert invitations[played["language"]] not in mail.text
        assert "mailto:" not in mail.content.decode()


def test_the_mails_of_a_game_are_one_thread_for_each_reader(played):
    game = played["game"]
    for player in ("first", "second"):
        earlier = [f"<g{game}@{DOMAIN}>"]
        for mail in sorted(of(played, player), key=lambda one: int(re.search(r"\.d(\d+)@", one["Message-ID"]).group(1))):
            references = str(mail["References"]).split()
            assert references == earlier
            assert str(mail["In-Reply-To"]) == references[-1]
            earlier.append(str(mail["Message-ID"]))
    ids = [mail["Message-ID"] for mail in played["mails"]]
    assert len(set(ids)) == len(ids)


def test_what_an_opponent_wrote_is_shown_and_never_markup(played):
    mail = next(mail for mail in of(played, "second") if mail["Feedback-ID"].startswith("game-started:"))
    assert "Viel Spaß <b>&amp;</b> {{board}}" in mail.text
    assert "Viel Spaß &lt;b&gt;&amp;amp;&lt;/b&gt; {{board}}" in part(mail, "text/html")[0].get_content()
    said = mail.text.split("Viel Spaß")[0].splitlines()
    assert any(f"Weiß {played['language']}" in line for line in said[-4:])


def test_who_wrote_the_challenge_is_not_told_the_own_words(played):
    mail = next(mail for mail in of(played, "first") if mail["Feedback-ID"].startswith("game-started:"))
    assert "Viel Spaß" not in mail.text


def test_the_end_says_who_won_and_why(played):
    for mail in played["mails"]:
        if mail["Feedback-ID"].startswith("game-over:"):
            assert RESULT[played["language"]] in " ".join(mail.text.split())
            assert "c2:d2-c4" in mail.text


def test_the_players_see_what_was_sent_to_them(played):
    game = played["game"]
    for player in ("first", "second"):
        client = played[player]
        rows = client.ask("GET", f"/v1/games/{game}/deliveries")["deliveries"]
        mine = of(played, player)
        assert {row["state"] for row in rows} == {"sent"}
        assert len(rows) == len(mine)
        assert {row["email"] for row in rows} == {client.email}
        assert sorted(f".d{row['id']}@" for row in rows) == sorted(re.search(r"\.d\d+@", mail["Message-ID"]).group(0) for mail in mine)
        for row in rows:
            assert row["reply_code"] == 250
            assert row["reply"].startswith("250 2.0.0 queued as")
            assert row["sent_at"]
            assert row["due_at"] is None
            assert row["attempts"] == 1
        assert [row["template"] for row in rows][0] == "game-started"
        pages = []
        path = f"/v1/games/{game}/deliveries?limit=2"
        while path:
            answer = client.get(path)
            pages += answer.json()["deliveries"]
            path = answer.json()["next"] and answer.json()["next"].removeprefix(client.url)
        assert pages == rows


def test_strangers_see_no_deliveries(played, api, anna):
    game = played["game"]
    assert anna.ask("GET", f"/v1/games/{game}/deliveries")["deliveries"] == []
    assert api.get(f"/v1/games/{game}/deliveries").status_code == 401
    assert anna.get("/v1/games/999999/deliveries").status_code == 404


# ---- mails without a game ------------------------------------------------------------------
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_code_is_mailed_as_link_and_as_text_and_cannot_be_unsubscribed_from(api, catcher, language):
    player = api.sign_up(f"Codes {language}", language=language)
    assert api.post("/v1/logins", {"email": player.email}).status_code == 202
    confirm, login = catcher.wait_for(player.email, 1), catcher.wait_for(player.email, 2)
    for mail in (confirm, login):
        link = next(url for url in mail.links() if "/confirm/" in url)
        code = re.search(r"^\s*([a-z0-9]{4}(?:-[a-z0-9]{4}){3})\s*$", mail.text, re.M).group(1)
        assert link.endswith("/confirm/" + code.replace("-", ""))
        assert f"Codes {language}" in mail.text
        assert mail["List-Unsubscribe"] is None
        assert mail["Reply-To"] is None
        assert mail["Auto-Submitted"] == "auto-generated"
        assert re.fullmatch(rf"bounce\+d\d+\.[a-z0-9]{{16}}@{DOMAIN}", mail.sender)
    assert confirm.subject != login.subject
    assert "UTC" in login.text


@pytest.mark.parametrize("rules", ["ordo", "ordox"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_invitation_explains_the_game_in_the_language_chosen(api, catcher, language, rules):
    host = api.sign_up(f"Host {language} {rules}")
    guest = f"guest.{language}.{rules}@example.net"
    wanted = {"email": guest, "rules": rules, "seat": "second", "language": language, "message": "Come & play"}
    host.ask("POST", "/v1/challenges", wanted)
    mail = catcher.wait_for(guest)
    text = " ".join(mail.text.split())
    assert host.player["name"] in text
    assert "Come & play" in text
    assert f"/rules/{rules}" in text
    assert len(text) > 900, "the game is not explained"
    links = [url for url in mail.links() if "/invitations/" in url]
    assert len(links) == 3
    assert len({url.split("#")[0] for url in links}) == 1
    assert f'lang="{language}"' in mail.html
    sides = {"en": "White", "es": "Blancas", "fr": "Blanc", "ru": "Белые", "de": "Weiß"}
    assert sides[language] in text, "the guest's side is not the one that is left"


def test_mails_invite_to_reply_where_replies_are_read(world, work, sink, eventually):
    first, second = world.player("Anna"), world.player("Bert")
    game, _ = world.game(first, second)
    number = world.turn(game, "a3-a4")
    work(sink, inbound="yes")
    eventually(lambda: world.state(number) == "sent")
    mail = sink.wait_for("bert@example.org")
    assert "Reply to this mail" in mail.text
    assert re.search(r"For example: [a-j][1-8]", mail.text)
    assert re.search(rf"<mailto:unsubscribe\+u{second}\.[a-z0-9]{{16}}@{DOMAIN}>", mail["List-Unsubscribe"])


@pytest.mark.parametrize(
    ("language", "zone", "words"),
    [("en", "Asia/Kolkata", "02:30"), ("de", "Europe/Berlin", "22:00"), ("fr", "America/New_York", "16:00"), ("ru", "Pacific/Chatham", "10:45")],
)
def test_a_deadline_is_told_in_the_readers_zone_and_in_utc(world, work, sink, eventually, language, zone, words):
    first, second = world.player("Anna"), world.player("Bert", language=language, time_zone=zone)
    game, _ = world.game(first, second, deadline="2027-01-10 21:00:00+00")
    number = world.turn(game, "a3-a4")
    work(sink)
    eventually(lambda: world.state(number) == "sent")
    text = sink.wait_for("bert@example.org").text
    assert words in text
    assert "21:00" in text
    assert "UTC" in text


# ---- a whole game --------------------------------------------------------------------------
def turns_of(rules, count, rng):
    """A random game: its turns, and the seat that played each."""
    board = "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w"
    turns = []
    while len(turns) < count:
        legal = subprocess.run([BINARY, "rules", "turns", rules, board], capture_output=True, text=True, check=True).stdout.split()
        if not legal:
            break
        turn = rng.choice(legal)
        after = subprocess.run([BINARY, "rules", "play", rules, board, turn], capture_output=True, text=True, check=True).stdout.splitlines()
        turns.append((1 if board.endswith("w") else 2, turn))
        board = after[-2]
        if after[-1].startswith("result"):
            break
    return turns


@pytest.mark.sampled
@pytest.mark.parametrize("rules", ["ordo", "ordox"])
def test_the_recipients_of_a_whole_game_are_the_seats_awaited(api, catcher, rng, rules):
    players = {1: api.sign_up(f"One {rules}"), 2: api.sign_up(f"Two {rules}", language="fr")}
    game = players[1].start_game(players[2], rules=rules)
    wanted = []
    over = False
    for ply, (seat, turn) in enumerate(turns_of(rules, 24, rng), start=1):
        answer = players[seat].play(game, turn, ply=ply)
        assert answer.status_code == 201, answer.text
        over = answer.json()["phase"] == "over"
        if not over:
            wanted.append((ply, players[3 - seat].email))
            catcher.wait(lambda c, ply=ply: any(is_turn_mail(mail, game, ply) for mail in c.mails))
    if not over:
        assert players[1].post(f"/v1/games/{game}/resign").status_code == 200
    catcher.wait(lambda c: sum(m["Feedback-ID"].startswith("game-over:") for m in c.mails if f"<g{game}.t" in m["Message-ID"]) == 2)
    got = []
    for mail in catcher.mails:
        found = re.match(rf"<g{game}\.t(\d+)\.d", str(mail["Message-ID"]))
        if found and mail["Feedback-ID"].startswith("your-turn:"):
            got.append((int(found.group(1)), mail.to))
    assert sorted(got) == wanted
