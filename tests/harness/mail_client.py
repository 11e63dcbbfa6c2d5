"""A person with a mailbox and a mail program: reads by IMAP, answers as mail programs do, sends by SMTP."""

import email
import email.policy
import email.utils
import html
import imaplib
import itertools
import smtplib
import time
from email.message import EmailMessage

from .catcher import Mail
from .mail_host import MAILBOX_DOMAIN, PASSWORD

_numbers = itertools.count(1)
# How the mail that is answered is announced: mail program, language.
GMAIL = {
    "en": "On Mon, Nov 30, 2026 at 5:47 AM {name} <\n{address}> wrote:",
    "es": "El lun, 30 nov 2026 a las 5:47, {name} (<{address}>)\nescribió:",
    "fr": "Le lun. 30 nov. 2026 à 05:47, {name} <{address}>\na écrit :",
    "ru": "пн, 30 нояб. 2026 г. в 05:47, {name} <{address}>:",
    "de": "Am Mo., 30. Nov. 2026 um 05:47 Uhr schrieb {name} <\n{address}>:",
}
THUNDERBIRD = {
    "en": "On 30/11/2026 05:47, {name} wrote:",
    "es": "El 30/11/26 a las 5:47, {name} escribió:",
    "fr": "Le 30/11/2026 à 05:47, {name} a écrit :",
    "ru": "30.11.2026 05:47, {name} пишет:",
    "de": "Am 30.11.26 um 05:47 schrieb {name}:",
}
MUTT = "On Mon, Nov 30, 2026 at 05:47:22AM +0000, {name} wrote:"
IPHONE = {
    "en": ("Sent from my iPhone", "On 30 Nov 2026, at 05:47, {name} <{address}> wrote:"),
    "es": ("Enviado desde mi iPhone", "El 30 nov 2026, a las 5:47, {name} <{address}> escribió:"),
    "fr": ("Envoyé de mon iPhone", "Le 30 nov. 2026 à 05:47, {name} <{address}> a écrit :"),
    "ru": ("Отправлено с iPhone", "30 нояб. 2026 г., в 05:47, {name} <{address}> написал(а):"),
    "de": ("Von meinem iPhone gesendet", "Am 30.11.2026 um 05:47 schrieb {name} <{address}>:"),
}


def quoted(text):
    return "".join(f"> {line}".rstrip() + "\n" for line in text.splitlines())


def as_gmail(language, words, mail, sender):
    """Text and HTML, the answer on top."""
    announced = GMAIL[language].format(**sender)
    message = EmailMessage()
    message.set_content(f"{words}\n\n{announced}\n\n{quoted(mail.text)}", cte="base64")
    message.add_alternative(
        f'<div dir="ltr">{html.escape(words)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f"{html.escape(announced)}<br></div><blockquote>{html.escape(mail.text)}</blockquote></div>",
        subtype="html",
    )
    return message


def as_thunderbird(language, words, mail, sender):
    """Below the quotation, with a signature."""
    message = EmailMessage()
    text = f"{THUNDERBIRD[language].format(**sender)}\n{quoted(mail.text)}\n{words}\n\n-- \nc2-c4 @ home\n"
    message.set_content(text, cte="quoted-printable")
    message.set_param("format", "flowed")
    return message


def as_mutt(_language, words, mail, sender):
    message = EmailMessage()
    message.set_content(f"{words}\n\n{MUTT.format(**sender)}\n{quoted(mail.text)}", cte="8bit")
    return message


def as_iphone(language, words, mail, sender):
    sent_from, announced = IPHONE[language]
    message = EmailMessage()
    # Its hyphens are typographic.
    words = words.replace("-", "–").capitalize()
    message.set_content(f"{words}\n\n{sent_from}\n\n> {announced.format(**sender)}\n> \n{quoted(mail.text)}", cte="quoted-printable")
    return message


PROGRAMS = (as_gmail, as_thunderbird, as_mutt, as_iphone)


class MailClient:
    """One person; local is the name of the mailbox."""

    def __init__(self, host, local, language):
        self.host = host
        self.local = local
        self.language = language
        self.address = f"{local}@{MAILBOX_DOMAIN}"
        self.programs = itertools.cycle(PROGRAMS)

    # ---- reading ---------------------------------------------------------------------------
    def mails(self):
        """Every mail in the mailbox, oldest first."""
        client = imaplib.IMAP4("127.0.0.1", self.host.imap_port)
        try:
            client.login(self.local, PASSWORD)
            client.select("INBOX", readonly=True)
            numbers = client.search(None, "ALL")[1][0].split()
            raw = [client.fetch(number, "(BODY.PEEK[])")[1][0][1] for number in numbers]
        finally:
            client.logout()
        return [Mail(None, [self.address], content) for content in raw]

    def wait_for(self, condition, seconds=90):
        """The newest mail for which condition(mail) is true; waits for one."""
        deadline = time.monotonic() + seconds
        while True:
            mails = self.mails()
            for mail in reversed(mails):
                if condition(mail):
                    return mail
            if time.monotonic() > deadline:
                raise AssertionError(f"the mail awaited did not come to {self.address}; there are {mails}\n" + self.host.servers_log())
            time.sleep(0.2)

    # ---- writing ---------------------------------------------------------------------------
    def reply(self, mail, words, program=None):
        """Presses r, types words and sends; the new mail's Message-ID."""
        name, address = email.utils.parseaddr(str(mail["From"]))
        make = program or next(self.programs)
        message = make(self.language, words, mail, {"name": name, "address": address})
        message["To"] = str(mail["Reply-To"] or mail["From"])
        subject = str(mail["Subject"])
        message["Subject"] = subject if subject.startswith("Re: ") else f"Re: {subject}"
        message["In-Reply-To"] = str(mail["Message-ID"])
        message["References"] = f"{mail['References'] or ''} {mail['Message-ID']}".strip()
        return self._send(message)

    def write(self, to, words, subject="hello"):
        message = EmailMessage()
        message.set_content(words + "\n")
        message["To"] = to
        message["Subject"] = subject
        return self._send(message)

    def _send(self, message):
        message["From"] = f"{self.local.capitalize()} <{self.address}>"
        message["Date"] = email.utils.formatdate()
        message["Message-ID"] = f"<{next(_numbers)}.{time.monotonic_ns()}@{self.local}.example.org>"
        with smtplib.SMTP("127.0.0.1", self.host.smtp_port) as smtp:
            smtp.send_message(message, self.address, [email.utils.parseaddr(message["To"])[1]])
        return message["Message-ID"]
