"""Each command of the table, written in each language and answered in it: real `ludopost deliver`, real mails."""

import configparser
import itertools
import pathlib
import re

import pytest

from harness.catcher import Catcher
from harness.inbound import DOMAIN, Inbound, letter, move_address
from harness.server import Process
from harness.world import World

pytestmark = pytest.mark.sampled

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = ["en", "es", "fr", "ru", "de"]
SETTINGS = {"mail_workers": 2, "smtp_timeout": 20, "public_url": "https://play.example.org", "inbound": "true"}

# Commands in a game's thread: what is written, by language, and the text the answer begins with.
IN_GAME = {
    "board": (["board", "tablero", "plateau", "доска", "Brett"], "board"),
    "legal": (["legal", "legales", "légal", "можно", "erlaubt"], "legal"),
    "legal c2": (["Legal c2", "legales c2", "légal c2", "можно c2", "erlaubt c2"], "legal_from"),
    "legal e5": (["legal e5", "legales e5", "legal e5", "можно e5", "erlaubt e5"], "legal_none"),
    "history": (["history", "historial", "historique", "ходы", "Verlauf"], "history.other"),
    "record": (["record", "registro", "notation", "запись", "Aufzeichnung"], "record"),
    "clock": (["clock", "reloj", "pendule", "часы", "Uhr"], "clock_none"),
    "draw": (["draw", "tablas", "nulle", "ничья", "remis"], "draw"),
    "accept": (["accept", "acepto", "j’accepte", "принимаю", "ich nehme an"], "accept_none"),
    "decline": (["decline", "rechazo", "je refuse", "отклоняю", "ich lehne ab"], "decline_none"),
    "rematch": (["rematch", "revancha", "revanche", "реванш", "Revanche"], "rematch_not_over"),
    "games": (["games", "partidas", "parties", "партии", "Partien"], "games.one"),
    "challenge": (
        ["challenge bert ordox second private", "reto bert ordox segundo privada", "défi bert ordox second privée",
         "вызов bert ordox вторым закрытая", "fordere bert ordox nachziehen privat"],
        "challenged",
    ),
    "unknown": (["challenge nobody ordo", "reto nobody ordo", "défi nobody ordo", "вызов nobody ordo", "fordere nobody ordo"], "player-unknown"),
    "wish": (["challenge bert ordo quickly", "reto bert ordo deprisa", "défi bert ordo vite", "вызов bert ordo быстро", "fordere bert ordo schnell"], "challenge_option"),
    "twice": (["challenge bert ordo first second", "reto bert ordo primero segundo", "défi bert ordo premier second", "вызов bert ordo первым вторым", "fordere bert ordo beginnen nachziehen"], "challenge_twice"),
    "away": ([f"{word} 2099-12-24 2100-01-02" for word in ("away", "ausente", "absent", "отсутствую", "abwesend")], "away"),
    "away again": ([f"{word} 2099-12-24 2100-01-02" for word in ("away", "ausente", "absent", "отсутствую", "abwesend")], "away_repeated"),
    "away backwards": ([f"{word} 2100-01-02 2099-12-24" for word in ("away", "ausente", "absent", "отсутствую", "abwesend")], "away_backwards"),
    "away past": ([f"{word} 2001-01-01 2001-01-02" for word in ("away", "ausente", "absent", "отсутствую", "abwesend")], "away_past"),
    "away long": ([f"{word} 2099-01-01 2100-12-31" for word in ("away", "ausente", "absent", "отсутствую", "abwesend")], "away_long"),
    "rules": (["rules", "reglas", "règles", "правила", "Regeln"], "rules"),
    "example": (["example", "ejemplo", "exemple", "пример", "Beispiel"], "example"),
    "help": (["help", "ayuda", "aide", "помощь", "Hilfe"], "help.intro"),
    "say": (["say Hello!", "digo ¡Hola!", "dire Bonjour !", "сказать Привет!", "sage Hallo!"], "remark"),
    "pause": (["pause", "pausa", "pause", "пауза", "pause"], "paused"),
    "stop": (["stop", "parar", "arrêter", "стоп", "stopp"], "stopped_game"),
    "stop all": (["stop all", "parar todo", "arrêter tout", "стоп все", "stopp alle"], "stopped_all"),
    "board at last": (["board", "tablero", "plateau", "доска", "Brett"], "board"),
}  # fmt: skip


def catalogue(language):
    """Every text of the catalogue by "section.key"."""
    texts = {}
    for path in sorted((ROOT / "service" / "text").glob(f"{language}*.ini")):
        parser = configparser.RawConfigParser(delimiters=("=",), comment_prefixes=("#",), strict=True)
        parser.optionxform = str
        parser.read(path, encoding="utf-8")
        texts.update({f"{section}.{key}": value for section in parser for key, value in parser[section].items()})
    return texts


TEXTS = {language: catalogue(language) for language in LANGUAGES}


def flat(text):
    return re.sub(r"\s+", " ", text).strip()


def pattern(language, key):
    """What a text of the catalogue looks like when it is filled."""
    text = TEXTS[language][key if "." in key and key in TEXTS[language] else f"answer.{key}"]
    return re.compile(".+?".join(re.escape(flat(one)) for one in re.split(r"{{.*?}}", flat(text))).replace(r"\ ", " ") or ".")


class Thread:
    """A player who writes, and gets the answers, in his language."""

    def __init__(self, cluster, migrated, folder, language):
        self.language = language
        self.database = cluster.create_database(template=migrated.name)
        self.world = World(self.database)
        self.sink = Catcher(folder / "Maildir").start()
        self.inbound = Inbound(self.world)
        self.anna = self.world.player("Anna", language=language)
        self.bert = self.world.player("Bert", language="de" if language != "de" else "es")
        self.game, _ = self.world.game(self.anna, self.bert)
        self.world.turn(self.game, "a3-a4", tell=False)
        self.world.turn(self.game, "a6-a5", tell=False)
        self.work = Process("work", self.database, self.sink, **SETTINGS).start()
        self.numbers = itertools.count(1)

    def write(self, text, to=None, ply=3):
        """The inbox row of a mail, and its Message-ID."""
        message_id = f"<c{next(self.numbers)}@mail.example.org>"
        to = to or move_address(self.game, 1, ply)
        self.inbound.deliver(letter(text, "Anna <anna@example.org>", to, message_id=message_id), to)
        return self.inbound.last(), message_id

    def answer(self, text, to=None, ply=3):
        """The mail that answers one; exactly one does."""
        row, message_id = self.write(text, to, ply)
        assert row["disposition"] == "accept", (text, row)
        self.world.wake()
        self.sink.wait(lambda sink: any(mail["In-Reply-To"] == message_id for mail in sink.mails))
        mails = [mail for mail in self.sink.mails if mail["In-Reply-To"] == message_id]
        assert len(mails) == 1
        mails[0].row = row
        return mails[0]

    def close(self):
        self.work.stop()
        self.sink.stop()
        self.world.close()
        self.database.drop()


@pytest.fixture(scope="module", params=LANGUAGES)
def thread(request, cluster, migrated, tmp_path_factory):
    one = Thread(cluster, migrated, tmp_path_factory.mktemp("commands"), request.param)
    yield one
    one.close()


@pytest.fixture(scope="module")
def answers(thread):
    """The answer to each command, asked in the order of the table."""
    place = LANGUAGES.index(thread.language)
    return {name: thread.answer(words[place] + "\n") for name, (words, _) in IN_GAME.items()}


def test_each_command_is_answered_in_the_readers_language(thread, answers):
    for name, (_, key) in IN_GAME.items():
        text = re.sub("^=-=-= .*? =-=-= ", "", flat(answers[name].text))
        assert pattern(thread.language, key).match(text), f"{name}: {text[:300]}"


def test_nothing_is_left_in_english(thread, answers):
    if thread.language == "en":
        return
    english = [
        flat(text)
        for key, text in TEXTS["en"].items()
        if len(text) > 12 and "{{" not in text and text != TEXTS[thread.language].get(key)
    ]
    for name, mail in answers.items():
        text = flat(mail.text) + flat(re.sub("<.*?>", " ", mail.html))
        assert "{{" not in text
        assert [one for one in english if one in text] == [], name


def test_every_answer_stays_in_the_games_thread(thread, answers):
    for name, mail in answers.items():
        assert "Anna" in mail.subject and "Bert" in mail.subject and str(thread.game) in mail.subject, name
        assert mail["Reply-To"].startswith(f"move+g{thread.game}.t3."), name
        assert f"<g{thread.game}@{DOMAIN}>" in mail["References"], name
        assert mail["Auto-Submitted"] == "auto-replied"
        assert mail.sender == "<>"


def test_no_line_of_an_answer_is_a_command(probe, answers):
    for name, mail in answers.items():
        assert probe.ask("guard", text=mail.text)["commands"] == [], name


def test_answers_show_what_was_asked_for(thread, answers):
    assert "c2-c4" in answers["legal c2"].text and "a4-" not in answers["legal c2"].text.split("Ａ")[0].split("\n\n")[0]
    assert answers["legal"].text.count("b3") > 0
    assert "1. a3-a4 a6-a5" in flat(answers["history"].text)
    record = flat(answers["record"].text)
    assert '[Game "Ordo"]' in record and '[White "Anna"]' in record and "1. a3-a4 a6-a5 *" in record
    assert "Bert" in answers["games"].text and f"{thread.game}" in answers["games"].text
    assert "bert" in answers["challenge"].text.lower() and "Ordo X" in answers["challenge"].text
    assert "nobody" in answers["unknown"].text
    assert "2099" in answers["away"].text and "2100" in answers["away"].text
    for row in ("play@" + DOMAIN, "anna ordox"):
        assert row in answers["help"].text


def test_the_rules_come_with_pictures(answers):
    mail = answers["rules"]
    pictures = [part for part in mail.message.walk() if part.get_content_type() == "image/png"]
    assert len(pictures) == 4
    ids = [part["Content-ID"].strip("<>") for part in pictures]
    assert len(set(ids)) == 4 and all(f"cid:{one}" in mail.html for one in ids)
    assert all(part.get_content().startswith(b"\x89PNG") and part.get_content_disposition() == "inline" for part in pictures)
    assert "[TF]" in mail.text and "c2:d2-c4" in mail.text


def test_what_was_asked_for_is_stored(thread, answers):
    world = thread.world
    assert answers
    challenge = world.rows("SELECT rules, seat, visibility, opponent_id FROM challenge WHERE state = 'open'")
    assert challenge == [("ordox", "second", "private", thread.bert)]
    absence = world.rows("SELECT first_day::text, last_day::text FROM absence")
    assert absence == [("2099-12-24", "2100-01-02")]
    assert world.value("SELECT mail_stopped_at IS NOT NULL FROM player WHERE name = 'Anna'")
    assert world.rows("SELECT text FROM turn ORDER BY ply") == [("a3-a4",), ("a6-a5",)]
    # The last command was none that stops mails.
    assert world.rows("SELECT 1 FROM seat WHERE mail_stopped_at IS NOT NULL") == []


def test_whoever_stopped_all_mails_is_told_so(thread, answers):
    stopped = pattern(thread.language, "mail_is_stopped")
    assert stopped.search(flat(answers["board at last"].text))
    assert not stopped.search(flat(answers["board"].text))


def test_the_language_of_the_answer_is_the_new_one(thread, answers):
    assert answers
    new = LANGUAGES[LANGUAGES.index(thread.language) - 1]
    word = ["language", "idioma", "langue", "язык", "Sprache"][LANGUAGES.index(thread.language)]
    mail = thread.answer(f"{word} {new}")
    assert pattern(new, "language").search(flat(mail.text))
    back = ["language english", "idioma español", "langue français", "язык русский", "Sprache Deutsch"]
    mail = thread.answer(back[LANGUAGES.index(thread.language)])
    assert pattern(thread.language, "language").search(flat(mail.text))

