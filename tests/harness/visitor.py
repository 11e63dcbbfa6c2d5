"""Somebody who looks at pages without a browser's mercy: cookies by hand, HTML read strictly."""

import hashlib
import re
import secrets

import html5lib
import requests


class Page:
    """One answer, whose HTML must be without any error."""

    def __init__(self, response):
        self.response = response
        self.status = response.status_code
        self.text = response.text
        self.tree = None
        if self.text and response.headers.get("Content-Type", "").startswith("text/html"):
            self.tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(self.text)

    def all(self, path):
        return self.tree.findall(f".//{path}")

    def one(self, path):
        found = self.all(path)
        assert len(found) == 1, f"{len(found)} of {path} in:\n{self.text}"
        return found[0]

    def words(self, path="main"):
        return re.sub(r"\s+", " ", "".join(self.one(path).itertext())).strip()

    @property
    def heading(self):
        return self.words("h1")

    @property
    def lang(self):
        return self.tree.get("lang")

    @property
    def location(self):
        return self.response.headers["Location"]

    def links(self):
        return [link.get("href") for link in self.all("a") if not link.get("href").startswith("#")]

    def form(self, action):
        """What a browser would send with the form of this action: its fields as they are."""
        [form] = [form for form in self.all("form") if form.get("action") == action]
        return form_values(form)

    def form_of(self, answer):
        """The same for the one of several forms that sends this answer."""
        [values] = [values for values in map(form_values, self.all("form")) if values.get("answer") == answer]
        return values


def form_values(form):
    values = {}
    for field in form.iter():
        if field.tag == "input" and (field.get("type") != "checkbox" or field.get("checked") is not None):
            values[field.get("name")] = field.get("value", "")
        elif field.tag == "textarea":
            values[field.get("name")] = field.text or ""
        elif field.tag == "select":
            options = field.findall(".//option")
            chosen = [option for option in options if option.get("selected") is not None] or options[:1]
            values[field.get("name")] = chosen[0].get("value")
    return values


def assert_sound(path, page):
    """Landmarks, one heading, labels, unique ids, no key of the catalogue, no script."""
    assert page.tree is not None, f"{path}: {page.text}"
    for name in ("h1", "main", "header", "footer", "title"):
        page.one(name)
    ids = [element.get("id") for element in page.tree.iter() if isinstance(element.tag, str) and element.get("id")]
    assert len(ids) == len(set(ids)), f"{path}: {ids}"
    labels = {label.get("for") for label in page.all("label")}
    for field in page.all("input") + page.all("select") + page.all("textarea"):
        assert field.get("type") == "hidden" or field.get("id") in labels, f"{path}: {field.attrib}"
        assert field.get("aria-describedby") in [None, *ids]
    for image in page.all("img"):
        assert image.get("alt") and image.get("width")
    for button in page.all("button"):
        assert "".join(button.itertext()).strip()
    for form in page.all("form"):
        assert form.get("method") == "post" and form.find("input[@name='csrf']") is not None
    levels = [int(element.tag[1]) for element in page.tree.iter() if re.fullmatch("h[1-6]", str(element.tag))]
    assert all(later - earlier <= 1 for earlier, later in zip(levels, levels[1:])), f"{path}: {levels}"
    words = "".join(page.tree.itertext())
    assert "{{" not in words and not re.search(r"\bpage\.[a-z]", words), f"{path}: {words}"
    assert page.all("script") == [] and not re.search(r"\son[a-z]+=|javascript:|\sstyle=", page.text)


class Visitor:
    """One person's cookies. Unlike a library's they are sent over http although they are Secure."""

    def __init__(self, url, languages="en"):
        self.url = url
        self.cookies = {}
        self.languages = languages
        self.http = requests.Session()
        self.http.trust_env = False
        self.http.cookies.set_policy(NoCookies())

    def ask(self, method, path, **options):
        headers = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": self.languages, **options.pop("headers", {})}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        response = self.http.request(
            method, self.url + path, headers=headers, allow_redirects=False, timeout=60, **options
        )
        for line in response.raw.headers.getlist("Set-Cookie"):
            name, value = line.split(";")[0].split("=", 1)
            self.cookies.pop(name, None)
            if "Max-Age=0" not in line:
                self.cookies[name] = value
        return Page(response)

    def get(self, path, **options):
        return self.ask("GET", path, **options)

    def post(self, path, values, **options):
        return self.ask("POST", path, data=values, **options)

    def send(self, page, action, **values):
        """Fills the form of a page and sends it; None leaves a field out."""
        filled = {**page.form(action), **values}
        return self.post(action, {name: value for name, value in filled.items() if value is not None})

    def follow(self, page):
        assert page.status == 303, f"{page.status}\n{page.text}"
        return self.get(page.location)


class NoCookies(requests.cookies.cookielib.DefaultCookiePolicy):
    def set_ok(self, cookie, request):
        return False


def new_session(database, player_id):
    """A session as a login makes it; its cookie."""
    cookie = secrets.token_hex(20)
    database.rows(
        "INSERT INTO session (player_id, hash, expires_at) VALUES (%s, %s, clock_now() + interval '30 days')",
        (player_id, hashlib.sha256(cookie.encode()).digest()),
    )
    return cookie


def contents(database):
    """Everything a database holds, but when somebody was last seen."""
    tables = [
        name
        for (name,) in database.rows(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
        )
    ]
    found = {}
    for table in tables:
        columns = [
            name
            for (name,) in database.rows(
                "SELECT column_name FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position", (table,)
            )
            if name != "last_used_at"
        ]
        rows = database.rows(f"SELECT ROW({', '.join(columns)})::text FROM {table}")
        found[table] = sorted(row for (row,) in rows)
    return found
