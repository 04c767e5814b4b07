"""Documents of an office taken apart in a process that can be killed: a hostile one may take for ever, or all memory.

``python apart.py`` is that process. It answers one document after the other, so that many small ones start it once, and
ends where nobody asked for a while, or where one takes more processor time than it may, even if nobody waits any more.
"""

import atexit
import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial

if sys.platform != "win32":  # where the limit by the clock is all there is
    import resource

MOST_MEMORY = 2**31  # bytes
MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = 1_048_576, 1000, 200_000_000  # of a sheet; as many rows as Excel has
_HEAD = 100  # rows
IDLE, GRACE = 60.0, 5.0  # seconds
READ = b"read\n"
_waiting: list["subprocess.Popen[bytes]"] = []


class TooSlowError(Exception):
    """It took more than the seconds it may."""


def text_of(kind: str, content: bytes, seconds: int) -> str:
    """The text of a document.

    Args:
        kind: ``docx``, ``pdf``, or ``xlsx``, of which a line is a row in JSON; ``xlsx-head``, of which the first are.
        content: of its file.
        seconds: that it may take.

    Raises:
        TooSlowError: it took more.
        ValueError: it is none, is damaged or encrypted, or takes too much memory.
    """
    while True:
        used = _waiting.pop() if _waiting else None
        worker = used or _started()
        overdue = threading.Event()
        timer = threading.Timer(seconds, _kill, (worker, overdue))
        timer.start()
        try:
            answer = _asked(worker, b"%s %d %d\n" % (kind.encode(), len(content), seconds) + content)
        except BaseException:
            _end(worker)
            raise
        finally:
            timer.cancel()
        if answer is not None and not overdue.is_set():
            _waiting.append(worker)
            if not answer.startswith(READ):
                raise ValueError
            return answer.removeprefix(READ).decode("utf-8", "surrogatepass")
        with contextlib.suppress(subprocess.TimeoutExpired):
            worker.wait(GRACE)
        _end(worker)
        if overdue.is_set() or -worker.returncode == getattr(signal, "SIGXCPU", None):
            raise TooSlowError
        if used is None:
            raise ValueError  # else it had ended for nobody asked, and another one is


def _started() -> "subprocess.Popen[bytes]":
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL  # what libraries say may quote the document
    return subprocess.Popen([sys.executable, "-P", __file__], stdin=pipe, stdout=pipe, stderr=quiet)


def _asked(worker: "subprocess.Popen[bytes]", question: bytes) -> bytes | None:
    """What it answers; None where it ended."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    with contextlib.suppress(OSError):
        worker.stdin.write(question)
        worker.stdin.flush()
        if size := worker.stdout.readline():
            return worker.stdout.read(int(size))
    return None


def _kill(worker: "subprocess.Popen[bytes]", overdue: threading.Event) -> None:
    overdue.set()
    worker.kill()


def _end(worker: "subprocess.Popen[bytes]") -> None:
    worker.kill()
    worker.communicate()


def _end_all() -> None:
    while _waiting:
        _end(_waiting.pop())


atexit.register(_end_all)


def _docx(content: bytes) -> str:
    from docx import Document

    body = Document(io.BytesIO(content)).element.body
    return "\n".join(it.text for it in body.iter() if isinstance(it.tag, str) and it.tag == body.tag[:-4] + "p")


def _pdf(content: bytes) -> str:
    from pypdf import PdfReader

    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


def _xlsx(content: bytes, most: int = MOST_ROWS) -> str:
    """The first sheet: a line with its problem, if any, then the number and the cells of each row that holds any."""
    from openpyxl import load_workbook

    sheet = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False).worksheets[0]
    sheet.reset_dimensions()  # which the file may claim to be any
    lines, n_characters = ['""'], 0
    for row, values in enumerate(sheet.iter_rows(values_only=True), start=1):
        cells = ["" if value is None else str(value) for value in values]
        while cells and not cells[-1].strip():
            cells.pop()
        n_characters += sum(map(len, cells))
        for n, limit, what in (
            (row, MOST_ROWS, "rows"),
            (len(cells), MOST_COLUMNS, "columns"),
            (n_characters, MOST_CHARACTERS, "characters"),
        ):
            if n > limit:
                return json.dumps(f"more than {limit:,} {what}") + "\n"
        if cells:
            lines.append(json.dumps([row, *cells], ensure_ascii=False))
        if len(lines) > most:
            break
    return "\n".join(lines)


def _limit(seconds: int) -> None:
    if sys.platform == "win32":
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime) + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def main() -> None:
    """Answer until nobody asks."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    takes: dict[bytes, Callable[[bytes], str]] = {
        b"docx": _docx,
        b"pdf": _pdf,
        b"xlsx": _xlsx,
        b"xlsx-head": partial(_xlsx, most=_HEAD),
    }
    while True:
        idle = threading.Timer(IDLE, os._exit, (0,))
        idle.daemon = True
        idle.start()
        asked = sys.stdin.buffer.readline().split()
        idle.cancel()
        if not asked:
            return
        content = sys.stdin.buffer.read(int(asked[1]))
        _limit(int(asked[2]))
        try:
            answer = READ + takes[asked[0]](content).encode("utf-8", "surrogatepass")
        except Exception:  # libraries raise dozens of kinds, and the document may be anything
            answer = b"refused"
        answers.write(b"%d\n" % len(answer) + answer)
        answers.flush()


if __name__ == "__main__":
    main()
