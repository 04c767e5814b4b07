"""Documents of a closed tab are in no memory of the server a short time later; those of a broken line come back."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import Tab, own_server
from tests.browser.test_corpus import GOOD, read
from tests.ports import unused_port
from tests.yardstick import waited_for

MARKER = "xylophonecanary"
SECONDS = 10  # in place of two minutes
ROWS = [
    f"{number % 40},{MARKER} {line} {MARKER}" for number, line in enumerate(GOOD.splitlines() * 20)
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that forgets after seconds."""
    folder = tmp_path_factory.mktemp("forgetting")
    limit = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(SECONDS)}
    with own_server(folder, unused_port(), **limit) as address:
        yield address


@contextmanager
def new_visitor(another_page: Page, address: str) -> Iterator[Tab]:
    """A tab that the test may close."""
    page = another_page.context.new_page()
    tab = Tab(page, address)
    tab.watch()
    yield tab
    page.close()
    assert tab.errors == []


@pytest.fixture
def visitor(another_page: Page, address: str) -> Iterator[Tab]:
    """A visitor of the server that forgets after seconds."""
    with new_visitor(another_page, address) as tab:
        yield tab


@pytest.fixture
def returning_visitor(another_page: Page, shared_address: str) -> Iterator[Tab]:
    """A visitor of the server that waits two minutes: a busy machine may take seconds to come back."""
    with new_visitor(another_page, shared_address) as tab:
        yield tab


def bring_documents(tab: Tab, folder: Path) -> None:
    """Read a sensitive file that holds the marker, and look at it."""
    file = folder / "letters.csv"
    file.write_text("\n".join(["author,text", *ROWS]))
    main = tab.open("explore?view=documents&k=2&epsilon=10").get_by_test_id("stMain")
    read(tab, file, "most common words", main.get_by_text("are read. They are only"))
    tab.visit("Topics")
    expect(tab.page.locator(".js-plotly-plot text", has_text=MARKER).first).to_be_visible()


def server_of(address: str) -> int:
    """The process that listens there."""
    port = f"--server.port={urlsplit(address).port}"
    (pid,) = (
        int(folder.name)
        for folder in Path("/proc").glob("[0-9]*")
        if port in _read(folder / "cmdline").decode("utf-8", "replace").split("\0")
    )
    return pid


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # it has ended
        return b""


def family(pid: int) -> list[int]:
    """A process, and those that it started."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for file in threads for child in _read(file).split()]
    return [pid, *(descendant for child in children for descendant in family(child))]


def copies(pid: int) -> int:
    """How often the marker stands in what a process may write to."""
    n_copies = 0
    for line in _read(Path(f"/proc/{pid}/maps")).decode().splitlines():
        place, rights = line.split()[:2]
        if "rw" not in rights and "memfd" not in line:
            continue
        first_byte, last_byte = (int(end, 16) for end in place.split("-"))
        try:
            with Path(f"/proc/{pid}/mem").open("rb") as memory:
                memory.seek(first_byte)
                n_copies += memory.read(last_byte - first_byte).count(MARKER.encode())
        except (OSError, ValueError):  # it has ended, or the region is not memory
            continue
    return n_copies


def test_closed_tab_leaves_no_copy_of_its_documents(visitor, address, tmp_path) -> None:
    bring_documents(visitor, tmp_path)
    pid = server_of(address)
    assert sum(map(copies, family(pid))) > len(ROWS), "the documents are there, and are seen here"
    visitor.page.close()
    time.sleep(SECONDS)  # sooner they must be there, and a look through all memory takes long
    waited_for(lambda: time.sleep(1) or sum(map(copies, family(pid))) == 0)


def test_server_writes_no_core_of_its_memory(address) -> None:
    limits = _read(Path(f"/proc/{server_of(address)}/limits")).decode()
    assert re.search(r"^Max core file size +0 ", limits, re.MULTILINE)


def test_broken_line_that_comes_back_has_its_documents(returning_visitor, tmp_path) -> None:
    lines: list[WebSocketRoute] = []

    def connect(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server()

    returning_visitor.page.route_web_socket(re.compile("_stcore/stream"), connect)
    bring_documents(returning_visitor, tmp_path)
    lines[-1].close()
    waited_for(lambda: returning_visitor.page.wait_for_timeout(100) or len(lines) > 1)
    returning_visitor.settle()
    returning_visitor.visit("Documents")
    expect(returning_visitor.page.get_by_role("heading", name="What came in")).to_be_visible()
