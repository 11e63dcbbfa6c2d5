"""A whole mail host on loopback ports: a private Postfix that pipes into `ludopost deliver` and fills mailboxes, a private
Dovecot that shows them by IMAP, and fetchmail. Nothing of the system's own mail servers is touched or needed."""

import getpass
import grp
import os
import pathlib
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time

from .catcher import free_port
from .server import BAD_LOG, BINARY, ROOT, environment

DOMAIN = "play.example.org"  # of the service
HOST_NAME = "mail.play.example.org"
MAILBOX_DOMAIN = "example.org"  # of the people
PASSWORD = "correct-horse"
ACCOUNT = "postgres" if os.geteuid() == 0 else getpass.getuser()  # who can reach the tests' database
SUDO = [] if os.geteuid() == 0 else ["sudo", "-n"]
POSTFIX_FOLDER = ROOT / "docker" / "postfix"
PIPE_COMMAND = "/usr/local/bin/ludopost"  # in the documented master.cf

# Every service of a plain Postfix, none of them in a chroot.
MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""

DOVECOT = """
base_dir = {folder}/dovecot
state_dir = {folder}/dovecot
log_path = {folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{folder}/boxes/%n
first_valid_uid = 1
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={account} gid={group} home={folder}/boxes/%n
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""


def as_root(*arguments, check=True):
    return subprocess.run([*SUDO, *map(str, arguments)], capture_output=True, text=True, check=check)


def group_of(account):
    return grp.getgrgid(pwd.getpwnam(account).pw_gid).gr_name


def documented(name):
    """The lines of one of docker/postfix/, comments left out."""
    lines = (POSTFIX_FOLDER / name).read_text().splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


class MailHost:
    """mailboxes are the local parts of people at example.org. With piped=False what comes for the service lies in the mailbox
    `incoming`, as at a provider who offers nothing but IMAP. aliases are addresses and where their mails go. settings are
    those of the program that delivers."""

    def __init__(self, database, mailboxes, piped=True, aliases=None, **settings):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lp-mail-", dir="/var/tmp"))
        self.folder.chmod(0o755)
        self.database = database
        self.mailboxes = [*mailboxes, "you", "incoming"]
        self.piped = piped
        self.aliases = aliases or {}
        self.smtp_port = free_port()
        self.imap_port = free_port()
        self.settings = {
            "smtp_url": self.url, "smtp_tls": "none", "inbound": "yes", "mail_domain": DOMAIN, "mail_authserv_id": HOST_NAME,
            "mail_trusted_hosts": HOST_NAME, **settings,
        }
        self.postfix = None
        self.dovecot = None

    @property
    def url(self):
        """Where the service hands its mails over."""
        return f"smtp://127.0.0.1:{self.smtp_port}"

    # ---- start and end ---------------------------------------------------------------------
    def start(self):
        for name in ("conf", "spool", "data", "boxes", "dovecot", "log", "fetchmail"):
            (self.folder / name).mkdir()
        self._write_program()
        self._write_postfix()
        self._write_dovecot()
        as_root("chown", "-R", ACCOUNT, self.folder / "boxes", self.folder / "log", self.folder / "fetchmail")
        as_root("chown", "postfix", self.folder / "data")
        as_root("chown", "-R", "root", self.folder / "conf")
        self._make_queue()
        self.postfix = self._spawn("postfix", "/usr/sbin/postfix", "-c", self.folder / "conf", "start-fg")
        self.dovecot = self._spawn("dovecot-start", "/usr/sbin/dovecot", "-c", self.folder / "dovecot.conf", "-F")
        self._wait_for_port(self.smtp_port, self.postfix)
        self._wait_for_port(self.imap_port, self.dovecot)
        return self

    def queue_run(self):
        """Lets Postfix try at once what it had put off."""
        as_root("/usr/sbin/postqueue", "-c", self.folder / "conf", "-f", check=False)

    def stop(self):
        """Ends both servers; a delivery that left in disorder fails the test."""
        as_root("/usr/sbin/postfix", "-c", self.folder / "conf", "stop", check=False)
        as_root("/usr/bin/doveadm", "-c", self.folder / "dovecot.conf", "stop", check=False)
        for process in (self.postfix, self.dovecot):
            if process:
                process.wait(timeout=30)
        log = self.log("deliver")
        as_root("rm", "-rf", self.folder)
        assert not BAD_LOG.search(log), log

    def log(self, name):
        path = self.folder / "log" / name
        return path.read_text(errors="replace") if path.exists() else ""

    def _spawn(self, name, *arguments):
        with open(self.folder / f"{name}.log", "ab") as log:
            return subprocess.Popen(
                [*SUDO, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def _wait_for_port(self, port, process, seconds=30):
        deadline = time.monotonic() + seconds
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            if process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError("a mail server does not start:\n" + self.servers_log())
            time.sleep(0.05)

    def servers_log(self):
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.log")))

    def _make_queue(self):
        """What Postfix would make at its first start, with half a minute of checks."""
        spool = self.folder / "spool"
        (spool / "quick-start").touch()
        owned = "active bounce corrupt defer deferred flush hold incoming private saved trace".split()
        for name in ("pid", *owned, "maildrop", "public"):
            (spool / name).mkdir()
        as_root("chown", "-R", "root", spool)
        for name in (*owned, "maildrop", "public"):
            as_root("chown", "postfix", spool / name)
            as_root("chmod", "700", spool / name)
        as_root("chgrp", "postdrop", spool / "maildrop", spool / "public")
        as_root("chmod", "730", spool / "maildrop")
        as_root("chmod", "710", spool / "public")

    def break_settings(self, name, value):
        """Gives the program that delivers another setting; a function that mends it."""
        path = self.folder / "ludopost.conf"
        before = path.read_text()
        path.write_text(re.sub(rf"^{name} = .*$", f"{name} = {value}", before, flags=re.M))
        return lambda: path.write_text(before)

    # ---- what is documented, with this host's folders and ports ------------------------------
    def _write_program(self):
        """The program where ACCOUNT may run it, its settings, and a script that keeps its log."""
        shutil.copy(BINARY, self.folder / "ludopost")
        shutil.copy(ROOT / "tests" / "harness" / "lsan.txt", self.folder / "lsan.txt")
        # The service itself reads them from the environment, `deliver` from the file.
        values = environment(self.database, None, **self.settings)
        lines = [f"{name[9:].lower()} = {value}" for name, value in values.items() if name.startswith("LUDOPOST_")]
        (self.folder / "ludopost.conf").write_text("\n".join(lines) + "\n")
        script = self.folder / "deliver"
        script.write_text(
            "#!/bin/sh\n"
            f"export LSAN_OPTIONS=suppressions={self.folder}/lsan.txt:print_suppressions=0\n"
            "shift\n"
            f'exec {self.folder}/ludopost deliver --config {self.folder}/ludopost.conf "$@" 2>>{self.folder}/log/deliver\n'
        )
        script.chmod(0o755)

    def _write_postfix(self):
        conf = self.folder / "conf"
        if self.piped:
            for name in ("ludopost-addresses", "ludopost-people"):
                (conf / name).write_text("\n".join(documented(name)) + "\n")
        else:
            # A catch-all mailbox.
            (conf / "ludopost-addresses").write_text(f"@{DOMAIN} incoming/\n")
            (conf / "ludopost-people").write_text("")
        (conf / "aliases").write_text("".join(f"{name} {target}\n" for name, target in self.aliases.items()))
        (conf / "boxes").write_text("".join(f"{name}@{MAILBOX_DOMAIN} {name}/\n" for name in self.mailboxes))
        (conf / "transport").write_text(f"{MAILBOX_DOMAIN} virtual:\n" + ("" if self.piped else f"{DOMAIN} virtual:\n"))
        master = MASTER.format(port=self.smtp_port) + "\n".join(documented("master.cf")) + "\n"
        master = master.replace("user=ludopost", f"user={ACCOUNT}").replace(PIPE_COMMAND, str(self.folder / "deliver"))
        (conf / "master.cf").write_text(master)
        (conf / "main.cf").write_text("".join(f"{name} = {value}\n" for name, value in self._main_settings().items()))

    def _main_settings(self):
        text = "\n".join(documented("main.cf")).replace("/etc/postfix/", f"{self.folder}/conf/")
        settings = dict(re.findall(r"^(\w+)\s*=\s*(.*)$", text, re.M))
        account = pwd.getpwnam(ACCOUNT)
        settings.update(
            compatibility_level="3.6", myhostname=HOST_NAME, mydestination="", inet_interfaces="127.0.0.1",
            inet_protocols="ipv4", smtp_dns_support_level="disabled", default_transport="error:no world here",
            queue_directory=self.folder / "spool", data_directory=self.folder / "data", maillog_file="/dev/stdout",
            alias_maps="", alias_database="", local_recipient_maps="", biff="no", smtpd_milters="", non_smtpd_milters="",
            smtpd_tls_security_level="none", smtp_tls_security_level="none",
            virtual_mailbox_domains=f"{DOMAIN} {MAILBOX_DOMAIN}",
            virtual_mailbox_maps=settings["virtual_mailbox_maps"] + f" texthash:{self.folder}/conf/boxes",
            virtual_alias_maps=settings["virtual_alias_maps"] + f" texthash:{self.folder}/conf/aliases",
            transport_maps=f"texthash:{self.folder}/conf/transport",
            virtual_mailbox_base=self.folder / "boxes", virtual_uid_maps=f"static:{account.pw_uid}",
            virtual_gid_maps=f"static:{account.pw_gid}", virtual_minimum_uid="1",
            # Strangers come from this very host here.
            smtpd_forbid_bare_newline_exclusions="",
            # What may pass is tried again soon.
            queue_run_delay="1s", minimal_backoff_time="1s", maximal_backoff_time="2s", transport_retry_time="1s",
        )
        return settings

    def _write_dovecot(self):
        (self.folder / "dovecot.conf").write_text(
            DOVECOT.format(
                folder=self.folder, port=self.imap_port, password=PASSWORD, account=ACCOUNT, group=group_of(ACCOUNT)
            )
        )

    # ---- fetchmail -------------------------------------------------------------------------
    def fetch(self):
        """Runs the documented fetchmail once over the mailbox `incoming`; its exit code (0: came, 1: none was there)."""
        folder = self.folder / "fetchmail"
        text = (ROOT / "docker" / "fetchmail" / "fetchmailrc").read_text()
        for documented_words, ours in (
            ("poll imap.example.net", f"poll 127.0.0.1 service {self.imap_port}"), ("\nset daemon 30", ""), ("\nset syslog", ""),
            ('user "play@example.net"', 'user "incoming"'), ('password "the password"', f'password "{PASSWORD}"'),
            (PIPE_COMMAND, str(self.folder / "deliver")), ("\n    ssl sslcertck", '\n    sslproto ""'),
        ):
            assert documented_words in text, documented_words
            text = text.replace(documented_words, ours)
        rc = self.folder / "fetchmailrc"
        as_root("rm", "-f", rc)
        rc.write_text(text)
        as_root("chown", ACCOUNT, rc)
        as_root("chmod", "600", rc)
        done = as_root(
            "setpriv", f"--reuid={ACCOUNT}", f"--regid={group_of(ACCOUNT)}", "--clear-groups", "env", "-i",
            "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", f"HOME={folder}", f"FETCHMAILHOME={folder}", "fetchmail", "-v", "-f", rc, check=False,
        )
        with open(self.folder / "fetchmail.log", "a", encoding="utf-8") as log:
            log.write(done.stdout + done.stderr)
        return done.returncode
