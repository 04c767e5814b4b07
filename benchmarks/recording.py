"""Records Play as an animated picture for the README: a bet, less privacy, no noise, more privacy."""

import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from benchmarks.rerun import Row
from dplda.core import assets
from dplda.lessons.play.page import render_page

FILE = assets.folder() / "play.webp"
SIZE = {"width": 1080, "height": 720}
FRAME = 90  # milliseconds that a frame is shown, and that the page's clock moves on
MOVES = 7  # frames of a change from one stop to the next
RAIN = 26  # frames until all dots lie
HELD = 1600  # milliseconds in which a reader takes in a state
MOST_BYTES = 1_000_000
BEGIN = datetime(2026, 1, 1)  # of the page's clock
LOADING = timedelta(minutes=1)  # more than the page takes to load
QUALITY = 36


class _Recorder:
    """Frames of a page whose clock stands still between them.

    Args:
        page: that is recorded.
    """

    def __init__(self, page: Page) -> None:
        self.frames: list[Image.Image] = []
        self.durations: list[int] = []
        self._page = page

    def take(self, count: int = 1, hold_milliseconds: int = FRAME) -> None:
        """Take frames; the last one is held."""
        for _ in range(count):
            self._page.clock.run_for(FRAME)
            picture = Image.open(io.BytesIO(self._page.screenshot(animations="allow")))
            self.frames.append(picture.convert("RGB"))
            self.durations.append(FRAME)
        self.durations[-1] = hold_milliseconds

    def press(self, name: str, count: int, hold_milliseconds: int = HELD) -> None:
        """Press a button, take frames of what follows, and hold the last one."""
        self._page.get_by_role("button", name=name).first.click()
        self.take(count, hold_milliseconds)


def run() -> Iterator[Row]:
    """One row: frames, seconds and bytes of the recording, which is written to ``assets``."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "play.html"
        page_file.write_text(render_page(), "utf-8")
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_context(viewport=SIZE).new_page()
        page.clock.install(time=BEGIN)
        page.goto(page_file.as_uri())
        page.clock.pause_at(BEGIN + LOADING)  # else time flows on while a picture is taken
        recorder = _Recorder(page)
        recorder.take(hold_milliseconds=HELD)
        recorder.press("Run the method 200 times", RAIN, HELD)
        for answer in ("● With it", "◆ Without it", "● With it"):
            recorder.press(answer, 4, HELD // 2)
        recorder.durations[-1] = 2 * HELD
        recorder.press("Less privacy: ε = 10", MOVES, HELD)
        recorder.press("No noise at all", MOVES, 2 * HELD)
        slider = page.get_by_role("slider")
        for _ in range(7):
            slider.press("ArrowLeft")
            recorder.take(5, FRAME * 2)
        recorder.durations[-1] = 2 * HELD
        browser.close()
    first_frame, *later_frames = recorder.frames
    first_frame.save(
        FILE,
        save_all=True,
        append_images=later_frames,
        duration=recorder.durations,
        loop=0,
        quality=QUALITY,
        method=4,
    )
    n_bytes = FILE.stat().st_size
    assert n_bytes <= MOST_BYTES, f"{n_bytes} bytes are more than {MOST_BYTES}"
    yield {
        "frames": len(recorder.frames),
        "seconds": sum(recorder.durations) / 1000,
        "bytes": n_bytes,
    }
