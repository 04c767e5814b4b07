"""House rules that only a browser can see."""

import re
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import LINKS, Tab
from tests.ports import HOST, answer

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


def test_guard_of_a_tab_sees_requests_that_leave_the_host(shared_address, offline_page) -> None:
    tab = Tab(offline_page, shared_address)
    tab.page.goto("about:blank")
    tab.watch()
    tab.page.evaluate(OUTWARDS)
    listen(tab.page, lambda: len(tab.offsite) > 1 and bool(tab.errors))
    assert tab.offsite == ["http://elsewhere.invalid/x", "ws://elsewhere.invalid/y"]
    assert tab.errors == ["thrown"]


def test_content_policy_refuses_foreign_hosts_or_scripts(shared_address, new_tab) -> None:
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


SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "a" * 22 + "==",
}


def status(port: int, path: str, request_headers: dict[str, str]) -> int:
    connection = HTTPConnection(HOST, port, timeout=60)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in request_headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    try:
        return connection.getresponse().status
    finally:
        connection.close()


def test_server_over_real_http_answers_its_own_address_alone(shared_address) -> None:
    port = urlsplit(shared_address).port
    own_host = f"127.0.0.1:{port}"
    for host in (own_host, f"localhost:{port}"):
        assert status(port, "/", {"Host": host}) == 200
        assert status(port, "/_stcore/health", {"Host": host}) == 200
        assert (
            status(port, "/_stcore/stream", {"Host": host, "Origin": f"http://{host}", **SOCKET})
            == 101
        )
        assert status(port, "/_stcore/stream", {"Host": host, **SOCKET}) == 101, (
            "a program sends no origin"
        )
    for host in (
        "elsewhere.invalid",
        f"elsewhere.invalid:{port}",
        f"0.0.0.0:{port}",
        "localhost:1",
        "localhost",
    ):
        assert status(port, "/", {"Host": host}) == 403
        assert status(port, "/topics", {"Host": host}) == 403
        assert status(port, "/_stcore/host-config", {"Host": host}) == 403
        assert (
            status(port, "/_stcore/stream", {"Host": host, "Origin": f"http://{host}", **SOCKET})
            == 403
        )
    assert status(port, "/", {}) in (400, 403)
    for origin in (
        "http://localhost:1",
        f"http://0.0.0.0:{port}",
        "null",
        "https://elsewhere.invalid",
    ):
        assert (
            status(port, "/_stcore/stream", {"Host": own_host, "Origin": origin, **SOCKET}) == 403
        )
        assert status(port, "/_stcore/host-config", {"Host": own_host, "Origin": origin}) == 403


def test_metrics_are_served_under_no_spelling_of_their_path(shared_address) -> None:
    port = urlsplit(shared_address).port
    for path in (
        "/_stcore/metrics",
        "/_stcore/%6detrics",
        "/%5fstcore/metrics",
        "/_stcore%2fmetrics",
        "/_stcore/metrics/",
        "/_stcore/metrics?families=active_sessions",
    ):
        assert b"active_sessions" not in answer(port, path), path
