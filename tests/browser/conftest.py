"""A real server and a real browser, with a guard at each tab: nothing leaves the host, nothing throws."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    TimeoutError,
    WebSocket,
    expect,
    sync_playwright,
)

from tests.ports import answer, unused_port

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--proxy-server=127.0.0.1:9",  # where nobody listens: only this host is reached, for which no proxy is asked
]
VIEW = {"width": 1280, "height": 900}
# Without animations, which cost a fifth of the time that pages take.
VISITOR: Any = {"viewport": VIEW, "service_workers": "block", "reduced_motion": "reduce"}
PATIENCE = 60_000  # milliseconds, for a page on a machine with other work
PLACES = {  # and their views
    "Play": (),
    "Explore": ("Configurations", "Topics", "Groups", "Noise", "Bounds", "Documents"),
    "Compare": ("Error curves", "Regimes"),
    "Release": (),
    "Learn": ("Lessons", "Ten-minute class", "Attack it", "Where proofs fail", "Docs"),
}
LINKS = '[data-testid="stTopNavLink"], [data-testid="stSidebarNavLink"]'  # to places; a phone folds them away
LOOPBACK = ("127.0.0.1", "localhost")
T = TypeVar("T")

expect.set_options(timeout=PATIENCE)


@contextmanager
def own_server(folder: Path, port: int, **environment: str) -> Iterator[str]:
    """A dashboard of its own, started as a user starts it, with more environment; yields its address."""
    log = folder / f"server-{port}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "dplda", "app", "--port", str(port), "--no-open"],
            cwd=ROOT,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a group of its own, so that exactly this one is ended
        )
        try:
            deadline = time.monotonic() + 60
            while not _healthy(port):
                assert process.poll() is None, f"the server ended:\n{log.read_text()}"
                assert time.monotonic() < deadline, f"the server stays silent:\n{log.read_text()}"
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _healthy(port: int) -> bool:
    with suppress(OSError):
        return answer(port, "/_stcore/health") == b"ok"
    return False


@dataclass(eq=False)
class Tab:
    """One visitor's tab, and what went wrong in it.

    Attributes:
        page: Playwright's page.
        address: where the server is.
        offsite: addresses asked for beyond this host; they were refused.
        errors: uncaught errors of the page's scripts, and what the server's policy refused.
    """

    page: Page
    address: str
    offsite: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Note whatever is off the host, before the first request."""
        self.page.set_default_timeout(PATIENCE)
        for event, note in self._notes().items():
            self.page.on(event, note)

    def press(self, button: Locator, effect: Locator) -> None:
        """Click until what it should bring is seen: a click on a page that is being drawn again may be lost.

        A button that is gone or disabled has been pressed, and its effect may take longer on a busy machine.
        """
        deadline, pressed = time.monotonic() + PATIENCE / 1000, False
        while True:
            self.settle()
            if pressed and effect.is_visible():
                return
            pressed = True
            with suppress(TimeoutError):
                button.click(timeout=2_000)
            try:
                expect(effect).to_be_visible(timeout=5_000)
                return
            except AssertionError:
                if time.monotonic() > deadline:
                    raise

    def choose(self, box: Locator, option: str, *, exact: bool = False) -> None:
        """Take an option of a list, opened again if it closes, as it does when the page scrolls or is drawn."""
        option_shown = self.page.get_by_role("option", name=option, exact=exact)
        self.press(box, option_shown)
        option_shown.click()

    def expect_in_address(self, name: str, value: str) -> None:
        """Wait until the address has this parameter with this value, which may be a regular expression."""
        expect(self.page).to_have_url(re.compile(rf"[?&]{name}={value}(&|$)"))

    def at_rest(self, measure: Callable[[], T]) -> T:
        """What is measured, once it stays: Plotly lays out again when it knows the size of a legend."""
        deadline = time.monotonic() + PATIENCE / 1000
        last_measure, now = None, measure()
        while now is None or now != last_measure:
            assert time.monotonic() < deadline, f"still moving after a minute: {now}"
            self.page.wait_for_timeout(500)
            last_measure, now = now, measure()
        return now

    def leave(self) -> None:
        """Go away, as one who will not come back: another test may have the page after this one."""
        self.page.evaluate(
            "() => { try { localStorage.clear(); sessionStorage.clear() } catch {} }"
        )
        self.page.context.clear_cookies()
        self.close()
        for event, note in self._notes().items():
            self.page.remove_listener(event, note)

    def close(self) -> None:
        """End the visit, with a word of the same host: from elsewhere the app would have to be compiled anew."""
        self.page.goto(f"{self.address}/_stcore/health")

    def open(self, path: str = "") -> Page:
        """Go to a page by its address below the server's, query included, and wait until it is drawn."""
        self.page.goto(f"{self.address}/{path}")
        expect(self.page.get_by_role("heading").first).to_be_visible(timeout=PATIENCE)
        self.settle()
        return self.page

    def visit(self, name: str) -> None:
        """Open a place by its link, or a view by its button."""
        place = next(place for place, views in PLACES.items() if name == place or name in views)
        link = self.page.locator(LINKS).filter(has_text=re.compile(rf"^{place}$"))
        if link.get_attribute("aria-current") != "page":
            link.evaluate("element => element.click()")
            expect(link).to_have_attribute("aria-current", "page")
            self.settle()
        if name != place:
            view = (
                self.page.get_by_test_id("stMain").get_by_role("radio", name=name, exact=True).first
            )
            view.click()
            expect(view).to_be_checked()
            self.settle()

    def settle(self) -> None:
        """Wait until the script has run and nothing shown is stale.

        After an action, expect what it should bring first: the tab also looks settled before a run begins.
        """
        app = '[data-testid="stApp"][data-test-script-state="notRunning"]'
        self.page.wait_for_selector(
            f'{app}[data-test-connection-state="CONNECTED"]', timeout=PATIENCE
        )
        stale = '[data-stale="true"], [data-testid="stSkeleton"]'
        expect(self.page.locator(stale)).to_have_count(0)

    def _notes(self) -> dict[Any, Callable[[Any], None]]:
        return {
            "request": self._note,
            "websocket": self._note,
            "pageerror": self._note_error,
            "console": self._note_refused,
        }

    def _note(self, request: Request | WebSocket) -> None:
        if _leaves(request.url):
            self.offsite.append(request.url)

    def _note_error(self, error: Error) -> None:
        self.errors.append(str(error))

    def _note_refused(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.errors.append(message.text)


def eventually(page: Page, claims: Callable[[], None]) -> None:
    """Try claims about what may be drawn again meanwhile, until they hold; after a minute they fail as they do then."""
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            return claims()
        except (AssertionError, Error):
            if time.monotonic() > deadline:
                raise
        page.wait_for_timeout(250)


def until(page: Page, script: str) -> None:
    """Wait until a script says yes; Playwright's own way of waiting is a script that our policy refuses."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(script):
        assert time.monotonic() < deadline, f"not after a minute: {script}"
        page.wait_for_timeout(50)


def _leaves(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in LOOPBACK


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A browser whose own tabs keep what they have loaded and compiled, as a user's do."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.fail(
            "The browser tests need Chromium: run make test, which installs it or says how."
        )
    folder = tmp_path_factory.mktemp("profile")
    with sync_playwright() as playwright:
        profile = playwright.chromium.launch_persistent_context(
            folder, executable_path=path, args=FLAGS, **VISITOR
        )
        yield profile
        profile.close()


@pytest.fixture(scope="session")
def log_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the shared server writes what it says."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def shared_address(log_folder: Path) -> Iterator[str]:
    """One server for all tests that do not need a fresh one."""
    with own_server(log_folder, unused_port()) as address:
        yield address


@pytest.fixture(scope="session")
def page(profile: BrowserContext) -> Page:
    """The one page that tests have in turn: a process that has compiled the app once draws it in half the time."""
    return profile.pages[0]


@pytest.fixture(scope="session")
def another_page(profile: BrowserContext) -> Page:
    """As ``page``, of another visitor, who shares nothing with the first."""
    assert profile.browser is not None
    return profile.browser.new_context(**VISITOR).new_page()


@pytest.fixture(scope="session")
def offline_page(profile: BrowserContext) -> Page:
    """Of somebody who has nothing but a file, which would take the app's process from a page that shows it."""
    assert profile.browser is not None
    return profile.browser.new_context(**VISITOR, offline=True).new_page()


@pytest.fixture
def new_tab(another_page: Page) -> Iterator[Callable[..., Tab]]:
    """A function that gives the tab of a new visitor, once, who has nothing stored; its guard is left to the test."""
    opened_tabs: list[Tab] = []

    def new_tab(address: str, *, dark: bool = False) -> Tab:
        assert not opened_tabs, "there is one other visitor"
        another_page.set_viewport_size(VIEW)
        another_page.emulate_media(color_scheme="dark" if dark else "light")
        opened_tabs.append(Tab(another_page, address))
        opened_tabs[0].watch()
        return opened_tabs[0]

    yield new_tab
    for tab in opened_tabs:
        tab.leave()


@pytest.fixture
def tab(page: Page, shared_address: str) -> Iterator[Tab]:
    """A tab on the shared server; the test fails if it asked beyond the host, or threw."""
    tab = Tab(page, shared_address)
    page.set_viewport_size(VIEW)
    page.emulate_media(color_scheme="light")
    tab.watch()
    yield tab
    tab.leave()
    assert tab.offsite == []
    assert tab.errors == []
