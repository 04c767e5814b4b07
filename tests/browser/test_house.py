"""House rules that only a browser can see."""

import re
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import LINKS, Tab

ROOT = Path(__file__).resolve().parents[2]


def expect_whole(page) -> None:
    """The page is there, and no box says that something failed."""
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


def expect_named(page, name: str) -> None:
    """It is the place of that name, in the window's title and among the links."""
    expect(page).to_have_title(re.compile(rf"{name}\b.*dplda"))
    expect(page.locator(LINKS).and_(page.locator('[aria-current="page"]'))).to_have_text(name)


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
    assert page.evaluate("window.injected") is None
    for rule in rules:
        assert any(rule in error for error in tab.errors), (rule, tab.errors)
