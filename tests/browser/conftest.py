"""A real server and a real browser, with a guard at each tab: nothing leaves the host, nothing throws."""

import http.client
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Request, WebSocket, expect, sync_playwright

from tests.ports import unused_port

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
PATIENCE = 60_000  # milliseconds, for a page on a machine with other work
LOOPBACK = ("127.0.0.1", "localhost")

expect.set_options(timeout=20_000)


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    """A dashboard of its own, started as a user starts it; yields its address."""
    port = unused_port()
    log = folder / f"server-{port}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "dplda", "app", "--port", str(port), "--no-open"],
            cwd=ROOT,
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
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().read() == b"ok"
    except OSError:
        return False
    finally:
        connection.close()


@dataclass(eq=False)
class Tab:
    """One visitor's tab, and what went wrong in it.

    Attributes:
        page: Playwright's page.
        address: where the server is.
        offsite: addresses asked for beyond this host; they were refused.
        errors: uncaught errors of the page's scripts.
    """

    page: Page
    address: str
    offsite: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Note whatever is off the host, before the first request."""
        self.page.set_default_timeout(20_000)
        self.page.on("request", self._note)
        self.page.on("websocket", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, path: str = "") -> Page:
        """Go to a page by its address below the server's, query included, and wait until it is drawn."""
        self.page.goto(f"{self.address}/{path}")
        expect(self.page.get_by_role("heading").first).to_be_visible(timeout=PATIENCE)
        self.settle()
        return self.page

    def settle(self) -> None:
        """Wait until the script has run and nothing shown is stale.

        After an action, expect what it should bring first: the tab also looks settled before a run begins.
        """
        app = '[data-testid="stApp"][data-test-script-state="notRunning"]'
        self.page.wait_for_selector(f'{app}[data-test-connection-state="CONNECTED"]', timeout=PATIENCE)
        stale = '[data-stale="true"], [data-testid="stSkeleton"]'
        self.page.wait_for_function(f"!document.querySelector('{stale}')", timeout=PATIENCE)

    def _note(self, request: Request | WebSocket) -> None:
        if _leaves(request.url):
            self.offsite.append(request.url)


def _leaves(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in LOOPBACK


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A browser whose own tabs keep what they have loaded and compiled, as a user's do."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.fail("The browser tests need Chromium: run make test, which installs it or says how.")
    folder = tmp_path_factory.mktemp("profile")
    with sync_playwright() as playwright:
        profile = playwright.chromium.launch_persistent_context(
            folder, executable_path=path, args=FLAGS, viewport=VIEW, service_workers="block"
        )
        yield profile
        profile.close()


@pytest.fixture(scope="session")
def shared_address(tmp_path_factory: pytest.TempPathFactory, embedded: object) -> Iterator[str]:
    """One server for all tests that do not need a fresh one."""
    with _server(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture
def fresh_address(tmp_path: Path, embedded: object) -> Iterator[str]:
    """A server that nobody has visited."""
    with _server(tmp_path) as address:
        yield address


@pytest.fixture
def new_tab(profile: BrowserContext) -> Iterator[Callable[[str], Tab]]:
    """A function that opens the tab of a new visitor, who has nothing stored; its guard is left to the test."""
    contexts = []
    assert profile.browser is not None

    def new_tab(address: str, *, dark: bool = False) -> Tab:
        context = profile.browser.new_context(
            viewport=VIEW, color_scheme="dark" if dark else "light", service_workers="block"
        )
        contexts.append(context)
        tab = Tab(context.new_page(), address)
        tab.watch()
        return tab

    yield new_tab
    for context in contexts:
        context.close()


@pytest.fixture
def tab(profile: BrowserContext, shared_address: str) -> Iterator[Tab]:
    """A new tab on the shared server; the test fails if it asked beyond the host, or threw."""
    tab = Tab(profile.new_page(), shared_address)
    tab.watch()
    yield tab
    tab.page.close()
    assert tab.offsite == []
    assert tab.errors == []
