"""Frames that Chromium draws while ε is dragged on Play, beside a page that moves one square."""

import json
import os
import shutil
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from benchmarks.rerun import Row
from dplda.lessons.play.page import render_page

WIDTHS = (1400, 400)
HEIGHT = 900
TRIES = 2
SECONDS = 3.5  # of a drag over all stops
PASS_SECONDS = 0.5  # of one way, where the slider goes to and fro
RAIN_MILLISECONDS = 6000  # until all dots lie
REST_MILLISECONDS = 600  # until nothing moves
MOUSE_SECONDS = 0.012  # between two moves of the mouse
CATEGORIES = ["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame"]
WHOLE = "STATE_PRESENTED_ALL"
IN_PART = "STATE_PRESENTED_PARTIAL"
DROPPED = "STATE_DROPPED"
SQUARE = """<!doctype html><title>One square</title>
<style>div { width: 60px; height: 60px; background: #2457c5; will-change: transform }</style>
<div></div><input type="range" aria-label="Privacy budget" max="1000">
<script>
const square = document.querySelector('div')
const move = time => {
  square.style.transform = `translateX(${time / 5 % 300}px)`
  requestAnimationFrame(move)
}
requestAnimationFrame(move)
</script>"""


def run() -> Iterator[Row]:
    """One row for each page, width, drag and try; pages take turns, as other work slows both.

    ``wanted`` are frames of the screen in which the page had something to draw, ``drawn`` those of
    them that were drawn, ``in_part`` those of these whose scripts came too late, and ``per_60`` is
    drawn in 60 wanted. Frames in which nothing moves are not drawn, so a slow drag draws fewer than
    60 a second.
    """
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = {"one square": Path(folder) / "square.html", "Play": Path(folder) / "play.html"}
        pages["one square"].write_text(SQUARE, "utf-8")
        pages["Play"].write_text(render_page(), "utf-8")
        for attempt in range(1, TRIES + 1):
            for width in WIDTHS:
                for is_slow in (True, False):
                    for name, file in pages.items():
                        browser = playwright.chromium.launch(
                            executable_path=chromium, args=["--no-sandbox"]
                        )
                        counts = _count_frames(browser, file, width, is_slow=is_slow)
                        browser.close()
                        yield {
                            "page": name,
                            "width": width,
                            "drag": "slow" if is_slow else "to and fro",
                            "try": attempt,
                            **counts,
                            "load": round(os.getloadavg()[0], 1),
                        }


def _count_frames(browser: Browser, file: Path, width: int, *, is_slow: bool) -> Row:
    """Drag the slider of a page while Chromium records, and count frames by what became of them."""
    page = browser.new_page(viewport={"width": width, "height": HEIGHT})
    page.goto(file.as_uri())
    rain = page.get_by_role("button", name="Run the method 200 times")
    if rain.count():
        rain.first.click()
        page.wait_for_timeout(RAIN_MILLISECONDS)
    slider = page.get_by_role("slider", name="Privacy budget").first
    slider.scroll_into_view_if_needed()
    _move(page, slider, 1.0)
    page.mouse.down()
    page.wait_for_timeout(REST_MILLISECONDS)
    browser.start_tracing(page=page, categories=CATEGORIES)
    begin = time.monotonic()
    while (passed := time.monotonic() - begin) < SECONDS:
        place = 1 - passed / SECONDS
        if not is_slow:
            way = passed / PASS_SECONDS % 2
            place = abs(1 - way)
        _move(page, slider, place)
        time.sleep(MOUSE_SECONDS)
    states_of_frames = _read_states(browser.stop_tracing())
    page.mouse.up()
    outcomes = Counter(map(_outcome, states_of_frames))
    drawn = outcomes["whole"] + outcomes["in part"]
    wanted = drawn + outcomes["dropped"]
    return {
        "frames": len(states_of_frames),
        "wanted": wanted,
        "drawn": drawn,
        "in_part": outcomes["in part"],
        "per_60": round(60 * drawn / max(wanted, 1), 1),
    }


def _move(page: Page, slider: Locator, place: float) -> None:
    """Move the mouse to a place on the slider, from 0 at its left end to 1."""
    box = slider.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * (0.02 + 0.96 * place), box["y"] + box["height"] / 2)


def _read_states(trace: bytes) -> list[set[str]]:
    """States that Chromium reports of each frame; one may have several reporters."""
    states = defaultdict(set)
    for event in json.loads(trace)["traceEvents"]:
        arguments = event.get("args", {})
        report = arguments.get("frame_reporter") or arguments.get("chrome_frame_reporter")
        if event["name"] == "PipelineReporter" and report:
            states[report["frame_source"], report["frame_sequence"]].add(report["state"])
    return list(states.values())


def _outcome(states: set[str]) -> str:
    """Whether a frame was drawn whole, in part, or dropped, or had nothing to draw."""
    if WHOLE in states:
        return "whole"
    if IN_PART in states:
        return "in part"
    return "dropped" if DROPPED in states else "idle"
