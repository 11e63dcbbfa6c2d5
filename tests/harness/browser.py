"""A real browser (Chromium through selenium), one profile for each, that tells what pages did wrong."""

import shutil
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

SWITCHES = (
    "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --no-default-browser-check "
    "--disable-background-networking --disable-component-update --disable-sync --disable-default-apps "
    "--disable-extensions --disable-domain-reliability --disable-client-side-phishing-detection "
    "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication"
).split()


class Browser:
    """One person's browser. url is the service's; languages as in Accept-Language."""

    def __init__(self, url, languages="en", script=False, size=(1100, 900)):
        self.url = url
        self.profile = tempfile.mkdtemp(prefix="ludopost-browser-")
        options = Options()
        options.binary_location = shutil.which("chromium")
        for switch in [*SWITCHES, f"--user-data-dir={self.profile}", f"--window-size={size[0]},{size[1]}"]:
            options.add_argument(switch)
        options.add_experimental_option(
            "prefs",
            {
                "intl.accept_languages": languages,
                "profile.managed_default_content_settings.javascript": 1 if script else 2,
            },
        )
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_page_load_timeout(60)

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    # ---- going and looking -----------------------------------------------------------------
    def open(self, path):
        self.driver.get(path if path.startswith("http") else self.url + path)
        return self

    @property
    def path(self):
        return self.driver.current_url.removeprefix(self.url)

    @property
    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    @property
    def heading(self):
        return self.one("h1").text

    @property
    def source(self):
        return self.driver.page_source

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def one(self, css):
        found = self.all(css)
        assert len(found) == 1, f"{len(found)} of {css} on {self.path}:\n{self.text}"
        return found[0]

    def complaints(self):
        """What the browser's console says since it was last asked: broken policies, missing files."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    # ---- doing -----------------------------------------------------------------------------
    def fill(self, name, value, form="main form"):
        field = self.one(f"{form} [name={name}]:not([type=hidden])")
        if field.tag_name == "select":
            Select(field).select_by_value(value)
        else:
            field.clear()
            field.send_keys(value)
        return self

    def check(self, name, form="main form"):
        field = self.one(f"{form} [name={name}]")
        if not field.is_selected():
            field.click()
        return self

    def press(self, css):
        """Clicks a button or link and waits until the page that follows is there."""
        element = self.one(css)
        page = self.driver.find_element(By.TAG_NAME, "html")
        self.driver.execute_cdp_cmd("Page.enable", {})
        element.click()
        WebDriverWait(self.driver, 30).until(lambda driver: page_is_gone(page))
        return self

    def send(self, action):
        """Presses the button of the form that goes to this path."""
        return self.press(f'form[action="{action}"] button')

    def cookies(self):
        return {cookie["name"]: cookie for cookie in self.driver.get_cookies()}


def page_is_gone(element):
    try:
        element.is_enabled()
    except Exception:  # noqa: BLE001 (stale, or between two documents)
        return True
    return False
