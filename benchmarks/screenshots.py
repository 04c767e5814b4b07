"""Every page as a picture, wide and on a phone, light and dark, to be looked at; and how long each is."""

import argparse
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.rerun import PORT, Row, server
from benchmarks.rerun import VIEWS as ADDRESSES

VIEWS = {
    "light": (1280, 900, "light"),
    "dark": (1280, 900, "dark"),
    "tablet": (1024, 768, "light"),
    "phone": (400, 800, "light"),
}
AT_REST = 800  # milliseconds without a change of height
MOST = 40  # times that the height is asked for
HEIGHT = """() => {
    const main = document.querySelector('[data-testid="stMainBlockContainer"]')
    return main ? Math.ceil(main.getBoundingClientRect().height) : 0
}"""
BUSY = '[data-stale="true"], [data-testid="stSkeleton"], [data-testid="stApp"]:not([data-test-script-state="notRunning"])'


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the pictures go, of which pages, of what experiment."""
    names = [*ADDRESSES, "release?"]
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    parser.add_argument("--pages", nargs="+", choices=names, default=names)
    parser.add_argument("--views", nargs="+", choices=list(VIEWS), default=list(VIEWS))
    parser.add_argument(
        "--query", default="", help="of the address, e.g. configuration=adaptive&epsilon=8"
    )
    parser.add_argument("--address", help="of a dashboard that runs already; else one is started")


def run(
    out: Path, pages: Sequence[str], views: Sequence[str], query: str, address: str | None
) -> Iterator[Row]:
    """One picture and one row a page and view: pixels from the top of the page to its end, at 1280 or 400 across.

    Args:
        out: folder of the pictures.
        pages: addresses, as in ``benchmarks.rerun``.
        views: names in ``VIEWS``.
        query: of every address.
        address: of a dashboard that runs; None starts one.
    """
    if address is None:
        with server():
            yield from run(out, pages, views, query, f"http://127.0.0.1:{PORT}")
        return
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for view in views:
            width, height, scheme = VIEWS[view]
            tab = browser.new_context(viewport={"width": width, "height": height}).new_page()
            tab.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            tab.set_default_timeout(120_000)
            for page in pages:
                tab.set_viewport_size({"width": width, "height": height})
                tab.goto(f"{address}/{page}{query}")
                tab.wait_for_selector('[data-testid="stMain"] h1')
                page_height = _settled_height(tab)
                # A taller window draws all of the page, which may lengthen it.
                tab.set_viewport_size({"width": width, "height": max(height, page_height)})
                window_height = max(height, _settled_height(tab))
                tab.set_viewport_size({"width": width, "height": window_height})
                page_name = page.replace("?view=", "-").strip("?&") or "play"
                tab.screenshot(path=out / f"{page_name}-{view}.png")
                yield {"page": page, "view": view, "pixels": page_height}


def _settled_height(tab: Page) -> int:
    """Height of the page in pixels, once nothing runs and its height stays."""
    previous_height = -1
    for _ in range(MOST):
        tab.wait_for_timeout(AT_REST)
        page_height = tab.evaluate(HEIGHT)
        if page_height == previous_height and not tab.query_selector(BUSY):
            break
        previous_height = page_height
    return int(previous_height)
