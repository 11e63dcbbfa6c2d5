"""The mails' texts: complete in every language, and what mail/template.c makes of them."""

import html.parser
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "mail" / "templates"
LANGUAGES = ["en", "es", "fr", "ru", "de"]
GAME_MAILS = ["game-started", "setup-round", "your-turn", "game-over", "answer-game", "remark", "watch", "watch-day"]
MAILS = [
    "confirm", "login", "known-address", "address-change-old", "address-change-new", "address-primary", "held", "challenge",
    "challenge-declined", "invitation", "answer", "rules", "announcement", *GAME_MAILS,
]  # fmt: skip
PARTS = [
    "game-subject", "game-footer", "account-footer", "next-yours", "next-theirs",
    "how-to-answer-web", "how-to-answer-mail", "how-to-answer-invitation", "how-to-answer-challenge", "replies-not-read", "now-yours", "now-theirs", "watch-footer",
    "write-above-line", "rules-title", "how-to-lay-out-mail", "how-to-lay-out-web", "how-to-agree-mail", "how-to-agree-web",
    "how-to-accept-mail",
]  # fmt: skip
FILES = [(language, name) for language in LANGUAGES for name in MAILS + PARTS]
OTHERS = [(language, name) for language, name in FILES if language != "en"]
BOARD = "8 . . b b . .\n7 b b b b b b\n6 b . . b b .\n  a b c d e f"
VALUES = {
    "player": "Anna", "opponent": "Piotr", "game": "1042", "first": "Anna", "second": "Piotr", "rules": "Ordo X",
    "options": "Board size: 7x12.", "seat": "W", "clock": "—", "turn": "c2:d2-c4", "turn_words": "(turn in words)", "board": BOARD,
    "pieces": "W: " + "a2 a3 b2 b3 c1 c2 " * 8 + "\nB: h7 h8", "deadline": "(deadline)", "valid_until": "(until)",
    "result": "(result)", "message": "Hi!\n\nSecond line", "message_author": "(challenger)", "code": "ABCD-1234", "new_address": "new@example.org",
    "rules_summary": "(summary of the rules)", "rules_url": "https://play.test/rules/ordox", "url": "https://play.test/c/TOKEN?a=1&b=2",
    "accept_url": "https://play.test/i/yes", "decline_url": "https://play.test/i/no", "never_url": "https://play.test/i/never",
    "game_url": "https://play.test/games/1042", "unsubscribe_url": "https://play.test/u/TOKEN", "site_url": "https://play.test", "privacy_url": "https://play.test/privacy",
    "example": "a3-a4", "turn_how": "(steps)", "help_word": "help", "rules_whole": "rules\u00a0ordox", "example_word": "example", "unreachable": "(unreachable)",
    "from": "somebody@example.net", "what": "(what)", "turns": "1. Anna: c2-c4", "unfollow": "unfollow 1042",
    "play_address": "play@play.test", "subject": "(subject)", "body": "(body)", "answer": "(answer)", "remark": "(remark)", "remark_author": "(author)",
    "play_began": "(began)", "news": "(news)", "other_seat": "B", "layout_line": "vhz/n+v", "layout_signs": "(signs)", "layout_word": "layout", "layout_whole": "layout\u00a0vhz/n+v",
    "layout_forms": "(forms)", "accept_word": "accept", "file": "a", **{f"ranks_{name}": f"vhz\nn+v{name[0]}" for name in ("yours", "theirs", "example")},
    "start": "(start)", "rules_text": "(rules)", "notation_text": "(notation)", "grounds_text": "(grounds)",
    **{f"board_{n}": BOARD + f"\n{n}" for n in (1, 2, 3)}, **{f"caption_{n}": f"(caption {n})" for n in (1, 2, 3)},
}  # fmt: skip
CHOICES = {
    "now": "now-yours", "next": "next-yours", "how_to_answer": "how-to-answer-web", "write_above": "write-above-line",
    "rules_subject": "rules-title",
}  # fmt: skip
PICTURE = {"content_id": "board@play.test", "alt": 'White: a2 "and" <more>'}
MAY_BE_EMPTY = ["deadline", "valid_until", "message", "rules_summary", "turn", "turn_words", "example", "unreachable", "remark", "remark_author", "play_began", "message_author", "turn_how"]


def source(language, name):
    return (FOLDER / language / f"{name}.txt").read_text(encoding="utf-8")


def placeholders(text):
    return re.findall(r"{{(.*?)}}", text)


def render(probe, language, name, parts=None, picture=None, **changes):
    values = {**VALUES, **changes}
    chosen = {**CHOICES, **(parts or {})}
    if name == "invitation" and "how_to_answer" not in (parts or {}):
        chosen["how_to_answer"] = "how-to-answer-invitation"
    if name == "challenge" and "how_to_answer" not in (parts or {}):
        chosen["how_to_answer"] = "how-to-answer-challenge"
    return probe.ask("render", language=language, name=name, values=values, parts=chosen, **(picture or {}))


def test_every_language_has_every_file():
    for language in LANGUAGES:
        assert sorted(path.stem for path in (FOLDER / language).iterdir()) == sorted(MAILS + PARTS)
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(LANGUAGES)


@pytest.mark.parametrize(("language", "name"), FILES)
def test_a_mail_has_a_subject_and_a_part_has_none(language, name):
    subject, body = source(language, name).split("\n", 1)
    assert bool(subject) == (name in MAILS)
    assert body.strip()


@pytest.mark.parametrize(("language", "name"), FILES)
def test_a_text_is_tidy(language, name):
    text = source(language, name)
    assert text.endswith("\n")
    assert not re.search(r"[\t\r\u2028]|  \S.*  |\n\n\n|[^ ] +\n", text)
    assert max(map(len, text.splitlines())) <= 320
    assert text.count("{{") == text.count("}}") == len(re.findall(r"{{[a-z_0-9]+}}", text))
    assert text.count("\n--\n") == (1 if name in MAILS else 0)


@pytest.mark.parametrize(("language", "name"), OTHERS)
def test_every_language_has_the_same_values(language, name):
    assert sorted(placeholders(source(language, name))) == sorted(placeholders(source("en", name)))


@pytest.mark.parametrize(("language", "name"), OTHERS)
def test_nothing_is_left_in_english(language, name):
    english = {line for one in MAILS + PARTS for line in source("en", one).splitlines()}
    for line in source(language, name).splitlines():
        words = re.findall(r"\w{2,}", re.sub(r"{{.*?}}|\[Ludopost\]", "", line))
        assert not words or line not in english
    if language == "ru":
        prose = re.sub(r"{{.*?}}|Ludopost|REST|API", "", source(language, name))
        assert not re.search("[a-zA-Z]", prose)


@pytest.mark.parametrize("name", MAILS + PARTS)
def test_french_keeps_its_colons_with_their_words(name):
    assert not re.search(r"[ \w}] ?[:;!?](?= |$)", re.sub("\u00a0[:;!?]", "", source("fr", name)), re.MULTILINE)


@pytest.mark.parametrize("name", MAILS + PARTS)
def test_every_value_is_listed_for_those_who_render(name):
    listed = (ROOT / "mail" / "template.h").read_text(encoding="utf-8")
    for placeholder in placeholders(source("en", name)):
        is_part = placeholder.replace("_", "-") in PARTS
        assert is_part or re.search(rf"\b{placeholder}\b", listed)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", MAILS)
def test_a_rendered_text_is_complete_and_narrow(probe, language, name):
    text = render(probe, language, name)
    assert "{{" not in text["subject"] + text["body"] + text["html"]
    assert text["body"].endswith("\n")
    assert "\n\n\n" not in text["body"]
    for line in text["body"].splitlines():
        assert len(line) <= 72 or " " not in line.strip()
    for placeholder in placeholders(source(language, name).split("\n", 1)[1]):
        if placeholder in VALUES and placeholder not in ("message", "pieces"):
            assert VALUES[placeholder] in text["body"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_mails_of_a_game_have_one_subject(probe, language):
    subjects = {render(probe, language, name)["subject"] for name in GAME_MAILS}
    assert len(subjects) == 1
    subject = subjects.pop()
    assert subject.startswith("[Ludopost] ")
    assert re.search("1042.*Anna.*Piotr", subject)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAME_MAILS)
def test_the_board_is_on_the_first_screen(probe, language, name):
    text = render(probe, language, name, message="", message_author="", remark="", remark_author="")
    before = text["body"].split(BOARD)[0]
    assert len(before.splitlines()) <= 10
    assert f"\n\n{BOARD}\n\n" in text["body"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", MAILS)
def test_a_paragraph_without_its_value_vanishes(probe, language, name):
    full = render(probe, language, name)["body"]
    text = render(probe, language, name, **dict.fromkeys(MAY_BE_EMPTY, ""))["body"]
    assert "\n\n\n" not in text
    for value in MAY_BE_EMPTY:
        assert VALUES[value] not in text
    kept = [paragraph for paragraph in full.split("\n\n") if paragraph in text.split("\n\n")]
    assert len(kept) == len(text.split("\n\n"))


def test_a_part_is_chosen(probe):
    def answer(part):
        return " ".join(render(probe, "en", "your-turn", parts={"how_to_answer": part})["body"].split())

    assert "Replies to this mail are not read." in answer("how-to-answer-web")
    assert "Reply to this mail and write your turn" in answer("how-to-answer-mail")
    assert "For example: a3-a4" in answer("how-to-answer-mail")
    assert "repl" not in answer(None).lower()


def test_a_message_is_quoted_and_keeps_its_lines(probe):
    message = "one\n" + "word " * 40 + "\n\n{{code}} {{turn}}"
    body = render(probe, "en", "game-started", message=message)["body"]
    quoted = body.split("(challenger) wrote with the challenge:\n\n")[1].split("\n\n8 . .")[0].split("\n")
    assert quoted[0] == "> one"
    assert all(line.startswith("> word") for line in quoted[1:4])
    assert quoted[-2:] == [">", "> {{code}} {{turn}}"]


class Page(html.parser.HTMLParser):
    """Tags of a document, checked to close what they open."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.open = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "hr", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", MAILS)
def test_a_page_is_whole_and_fetches_nothing(probe, language, name):
    text = render(probe, language, name, picture=PICTURE)
    page = Page(text["html"])
    assert page.all("html") == [{"lang": language}]
    assert {tag for tag, _ in page.tags} <= {"html", "head", "meta", "title", "body", "div", "p", "a", "br", "hr", "img"}
    assert [image["src"] for image in page.all("img")] == (["cid:board@play.test"] if name in [*GAME_MAILS, "rules"] else [])
    assert all(link["href"] in VALUES.values() for link in page.all("a"))
    assert "url(" not in text["html"]
    assert "color:#000" not in text["html"]
    for image in page.all("img"):
        assert image["alt"] == PICTURE["alt"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", MAILS)
def test_text_and_page_say_the_same(probe, language, name):
    text = render(probe, language, name)
    words = " ".join(Page(text["html"]).text.split())
    for line in text["body"].splitlines():
        if line.strip(" ->") and not line.startswith("http") and not line.rstrip().endswith(":"):
            assert " ".join(line.removeprefix(">").split()) in words
    hrefs = [link["href"] for link in Page(text["html"]).all("a")]
    for url in re.findall(r"https?://\S+", text["body"]):
        assert url.rstrip(".,:") in hrefs or url in hrefs


def test_buttons_come_from_labels(probe):
    page = Page(render(probe, "fr", "invitation")["html"])
    buttons = [link for link in page.all("a") if "inline-block" in link.get("style", "")]
    assert [button["href"] for button in buttons] == [VALUES[name] for name in ("accept_url", "decline_url", "never_url")]
    assert ["background-color" in button["style"] for button in buttons] == [True, False, False]
    assert "Accepter" in page.text
    assert "Accepter\u00a0" not in page.text


EVIL = '<img src=x onerror=alert(1)> https://evil.test/ "\' &amp; {{url}} </p>'


@pytest.mark.parametrize("name", MAILS)
def test_what_players_write_is_never_markup_nor_a_link(probe, name):
    evil = {key: EVIL for key in ("player", "opponent", "first", "second", "message", "rules", "turn_words", "new_address")}
    text = render(probe, "en", name, picture=PICTURE, **evil)
    page = Page(text["html"])
    assert all(link["href"] in VALUES.values() for link in page.all("a"))
    assert all(image["src"].startswith("cid:") for image in page.all("img"))
    assert " ".join(EVIL.split()) in " ".join(page.text.split())


@pytest.mark.parametrize("url", ["javascript:alert(1)", "ftp://play.test/", "//play.test"])
def test_only_the_web_is_linked(probe, url):
    page = Page(render(probe, "en", "confirm", url=url)["html"])
    assert url not in [link["href"] for link in page.all("a")]
    assert url in page.text


def test_a_subject_is_one_line(probe):
    subject = render(probe, "en", "challenge", opponent="A\r\nBcc: x\x01\x7f")["subject"]
    assert not re.search(r"[\x00-\x1f\x7f]", subject)
    assert "A  Bcc: x" in subject


def test_the_board_stands_in_the_page_where_there_is_no_picture(probe):
    page = Page(render(probe, "en", "your-turn")["html"])
    assert BOARD in page.text
    assert page.all("img") == []
