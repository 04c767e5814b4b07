"""House rules that only a browser can see."""

import http.client
import re
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Tab

ROOT = Path(__file__).resolve().parents[2]


def expect_whole(page) -> None:
    """The page is there, and no box says that something failed."""
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


def expect_named(page, name: str) -> None:
    """It is the page of that name, in the window's title and among the links."""
    title = name.replace("_", " ").capitalize()
    expect(page).to_have_title(re.compile(rf"{title}\b.*dplda"))
    link = page.locator('[data-testid="stSidebarNavLink"][aria-current="page"]')
    expect(link).to_have_text(re.compile(rf"^{title}\??$"))


def test_opens_cold(first_tab) -> None:
    """The very first request to a server is for this page; for another, see test_error_curves.py."""
    page = first_tab.open()
    expect_whole(page)
    expect_named(page, "start")


OUTWARDS = """() => {
  fetch("http://elsewhere.invalid/x").catch(() => null);
  try { new WebSocket("ws://elsewhere.invalid/y") } catch {}
  setTimeout(() => { throw new Error("thrown") });
}"""
INWARDS = """() => {
  document.body.append(document.createRange().createContextualFragment("<script>window.injected = 1</script>"));
  document.body.append(Object.assign(document.createElement("iframe"), { src: "/" }));
}"""


def listen(page: Page, heard: Callable[[], bool]) -> None:
    """Wait until what the page does has been heard of, or a minute."""
    deadline = time.monotonic() + 60
    while not heard() and time.monotonic() < deadline:
        page.wait_for_timeout(50)


def test_the_guard_sees_what_leaves_the_host(shared_address, offline_page) -> None:
    tab = Tab(offline_page, shared_address)
    tab.page.goto("about:blank")
    tab.watch()
    tab.page.evaluate(OUTWARDS)
    listen(tab.page, lambda: len(tab.offsite) > 1 and bool(tab.errors))
    assert tab.offsite == ["http://elsewhere.invalid/x", "ws://elsewhere.invalid/y"]
    assert tab.errors == ["thrown"]


def test_the_policy_refuses_what_leaves_the_host_and_scripts_that_are_not_ours(shared_address, new_tab) -> None:
    tab = new_tab(shared_address)
    page = tab.open()
    page.evaluate(OUTWARDS)
    page.evaluate(INWARDS)
    rules = ("connect-src", "script-src", "frame-src")
    listen(page, lambda: all(any(rule in error for error in tab.errors) for rule in rules))
    assert tab.offsite == []
    assert page.evaluate("[window.dplda, window.injected]") == [True, None]
    for rule in rules:
        assert any(rule in error for error in tab.errors), (rule, tab.errors)


def luminance(colour: str) -> float:
    """Relative luminance of an ``rgb(…)`` colour (WCAG), from 0, black, to 1, white."""
    channels = [int(number) / 255 for number in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme_exists_and_is_readable(theme, shared_address, new_tab) -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    page = new_tab(shared_address, dark=theme == "dark").open()
    app = page.get_by_test_id("stApp")
    ground = app.evaluate("element => getComputedStyle(element).backgroundColor")
    ink = app.evaluate("element => getComputedStyle(element).color")
    wanted = config["theme"][theme]["backgroundColor"].removeprefix("#")
    assert [int(number) for number in re.findall(r"\d+", ground)[:3]] == list(bytes.fromhex(wanted))
    dim, bright = sorted((luminance(ground), luminance(ink)))
    assert (bright + 0.05) / (dim + 0.05) >= 7


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 101), ("elsewhere.invalid", 403)])
def test_only_this_host_name_is_served(host, status, shared_address) -> None:
    """Another site's name that resolves to this machine opens no session."""
    here = urlsplit(shared_address)
    connection = http.client.HTTPConnection(here.netloc, timeout=10)
    handshake = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    connection.request("GET", "/_stcore/stream", headers={"Host": f"{host}:{here.port}", **handshake, **key})
    reply = connection.getresponse()
    reply.close()
    connection.close()
    assert reply.status == status
