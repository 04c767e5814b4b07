"""What a page costs the server when ε moves a step, and when a visitor sees it: a real server and a real browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from benchmarks.visitor import free_port

ROOT = Path(__file__).resolve().parents[1]
MOVED = (  # by ε
    "explore?view=configurations&",
    "explore?view=topics&",
    "explore?view=groups&",
    "explore?view=noise&",
    "explore?view=bounds&",
    "compare?view=error-curves&",
    "compare?view=regimes&",
)
PICTURE = ".js-plotly-plot .main-svg, .still, .small-flow"
VIEWS = (
    "?",
    *MOVED,
    *(
        f"{view}&"
        for view in ("explore?view=documents", "learn?view=lessons", "learn?view=where-proofs-fail")
    ),
)
PORT = free_port()
STEPS = 5  # of the slider, each way
QUIET = 0.4  # seconds without work of the server: then a step is done
TICKS = os.sysconf("SC_CLK_TCK")
WATCH = """() => {
    window.changed = 0
    const note = () => { window.changed = performance.now() }
    const main = document.querySelector('[data-testid="stMain"]')
    new MutationObserver(note).observe(main, { childList: true, characterData: true, subtree: true })
    addEventListener('keydown', event => { window.pressed = performance.now() }, true)
}"""
Row = dict[str, float | int | str]


def run() -> Iterator[Row]:
    """One row a page: milliseconds of the server's processor time a step, its worker processes included.

    ``new`` is a step to a value of ε not seen before, ``seen`` a step back. ``picture`` is the time to a page's first figure, ``drawn``
    from the key to the last change of the page, all by the clock, in a browser that has drawn the app before.
    """
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        tab = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        tab.set_default_timeout(120_000)
        with server() as pid:
            _picture(tab, MOVED[0])  # the browser compiles the app, the server reads the corpus
            for seed, page in enumerate(MOVED, start=1):
                # A seed of its own: nothing was fitted before.
                picture_milliseconds = _picture(tab, f"{page}seed={seed}")
                _rest(tab, pid)
                new_cpu, new_drawn = _steps(tab, pid, "ArrowRight")
                seen_cpu, seen_drawn = _steps(tab, pid, "ArrowLeft")
                yield {
                    "page": page.strip("&"),
                    "new": new_cpu,
                    "seen": seen_cpu,
                    "drawn new": new_drawn,
                    "drawn seen": seen_drawn,
                    "picture": picture_milliseconds,
                    "megabytes": resident(pid),
                    "load": round(os.getloadavg()[0], 1),
                }


def _picture(tab: Page, address: str) -> int:
    """Milliseconds from the address to the first figure."""
    start = time.perf_counter()
    tab.goto(f"http://127.0.0.1:{PORT}/{address}")
    tab.wait_for_selector(PICTURE)
    return round(1000 * (time.perf_counter() - start))


def _steps(tab: Page, pid: int, key: str) -> tuple[float, float]:
    """Processor time of the server and time until the page stands still, a step, in milliseconds."""
    slider = tab.get_by_role("slider", name="Privacy budget")
    slider.focus()
    tab.evaluate(WATCH)
    cpu_at_start = processor(pid)
    drawn_after = []
    for _ in range(STEPS):
        tab.keyboard.press(key)
        _rest(tab, pid)
        drawn_after.append(tab.evaluate("Math.max(0, window.changed - window.pressed)"))
    cpu_milliseconds = 1000 * (processor(pid) - cpu_at_start) / STEPS
    return round(cpu_milliseconds, 1), round(median(drawn_after))


def _rest(tab: Page, pid: int) -> None:
    """Wait until a run has ended and the server has nothing to do."""
    cpu_seconds = processor(pid)
    idle_since = time.monotonic()
    while time.monotonic() - idle_since < QUIET:
        time.sleep(0.05)
        cpu_seconds_now = processor(pid)
        if cpu_seconds_now > cpu_seconds:
            cpu_seconds = cpu_seconds_now
            idle_since = time.monotonic()
    tab.wait_for_selector('[data-test-script-state="notRunning"]')


def processor(pid: int) -> float:
    """Seconds of processor time so far, of a server and of the processes that compute for it."""
    n_ticks = 0
    for process_id in _with_children(pid):
        fields = Path(f"/proc/{process_id}/stat").read_text().rsplit(")", 1)[1].split()
        n_ticks += int(fields[11]) + int(fields[12])
    return n_ticks / TICKS


def resident(pid: int) -> int:
    """Megabytes of memory in use by a server and its processes; what they share counts once."""
    kilobytes = 0
    for process_id in _with_children(pid):
        lines = Path(f"/proc/{process_id}/smaps_rollup").read_text().splitlines()
        (line,) = (line for line in lines if line.startswith("Pss:"))
        kilobytes += int(line.split()[1])
    return kilobytes // 1000


def _with_children(pid: int) -> list[int]:
    """Ids of a process and of those that its threads have started."""
    process_ids = [pid]
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError):  # it has ended
            process_ids += map(int, (thread / "children").read_text().split())
    return process_ids


def _listens() -> bool:
    """Whether the server accepts connections."""
    try:
        socket.create_connection(("127.0.0.1", PORT)).close()
    except OSError:
        return False
    return True


@contextmanager
def server() -> Iterator[int]:
    """A dashboard, by its process."""
    command = [sys.executable, "-m", "dplda.ui.server", "app.py", f"--server.port={PORT}"]
    server = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        while not _listens():
            time.sleep(0.1)
        yield server.pid
    finally:
        server.terminate()
        server.wait()
