"""The ways in, each a function that a child process runs, and the circumstances in which it does."""

import io
import os
import pwd
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

from dplda.cli import fit, main  # noqa: F401 - what is imported here every child has
from dplda.core.errors import DpldaError
from dplda.core.worker_pool import reading_process
from dplda.corpus import Corpus, Label, load
from dplda.corpus.readers.formats import preview
from dplda.corpus.readers.load import glance
from dplda.corpus.words.vocabulary import english_words
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import parse_method
from dplda.ui.upload import form, reading_choice  # noqa: F401
from tests.hostile.trial import Trial

REFUSED = 2
_SOON = 0.3  # seconds until a signal comes


def run(door: str, trial: Trial, path: str, folder: Path) -> int:
    """Goes in by a door; the exit status."""
    if trial.circumstance:
        CIRCUMSTANCES[trial.circumstance]()
    try:
        return DOORS[door](trial, path, folder)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except DpldaError as refusal:  # what Python shows a caller, less the lines of code
        print(f"{type(refusal).__name__}: {refusal}", file=sys.stderr)
        return REFUSED
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        reading_process.POOL.close()


def _load(trial: Trial, path: str, folder: Path) -> int:
    print(_size(load(path, label=Label.PUBLIC, encoding=_encoding(trial))))
    return 0


def _upload(trial: Trial, path: str, folder: Path) -> int:
    """What the page does with a file: its first rows, a look at its first documents, all of it."""
    file_name = path.encode("utf-8", "replace").decode().rsplit("/", 1)[-1]
    word_list_path = folder / "vocab.txt"
    content, encoding = Path(path).read_bytes(), _encoding(trial)
    words = (
        ("vocab.txt", io.BytesIO(word_list_path.read_bytes())) if word_list_path.exists() else None
    )
    text = None
    for read_part in (_rows, _first):
        try:
            text = read_part(file_name, content, encoding) or text
        except DpldaError as refusal:
            print(f"{type(refusal).__name__}: {refusal}", file=sys.stderr)
    source, vocabulary = (file_name, io.BytesIO(content)), english_words()
    print(
        _size(
            load(
                source,
                text=text,
                label=Label.SENSITIVE,
                vocabulary=vocabulary,
                encoding=encoding,
                words=words,
            )
        )
    )
    return 0


def _rows(name: str, content: bytes, encoding: str | None) -> str | None:
    head = preview((name, io.BytesIO(content)), encoding=encoding, n_rows=4)
    if not head.names:
        return None
    reading_choice._first_rows(head, list(head.names[:2]))
    return head.names[0] if len(head.names) == 1 else "text" if "text" in head.names else None


def _first(name: str, content: bytes, encoding: str | None) -> None:
    glance((name, io.BytesIO(content)), vocabulary=english_words(), encoding=encoding)


def _fit(trial: Trial, path: str, folder: Path) -> int:
    out = f"--out={folder / trial.out}" if trial.out else "--out="
    usual = () if "--topics=2" in trial.options or trial.kind == "parameter" else ("--topics=2",)
    return main.main(["fit", "--label=public", out, *usual, *trial.options, "--", path])


def _read(trial: Trial, path: str, folder: Path) -> int:
    return main.main(["read", *trial.options, "--", path])


def _python(trial: Trial, path: str, folder: Path) -> int:
    settings = dict(trial.settings)
    method = parse_method(settings.pop("method"))
    problem = Problem(settings["n_topics"], settings["alpha0"])
    budget = Budget(settings["epsilon"], settings["delta"]) if method.needs_epsilon else Budget()
    corpus = load(path, label=Label.PUBLIC)
    result = method.fit(corpus, problem, budget, Runtime(settings.get("seed", 0)))
    print(result.topics.resolved, result.guarantee.in_words())
    return 0


def _encoding(trial: Trial) -> str | None:
    return trial.options[1] if trial.options[:1] == ("--encoding",) else None


def _size(corpus: Corpus) -> str:
    return f"{corpus.n_documents} documents, {corpus.n_words} words"


DOORS: dict[str, Callable[[Trial, str, Path], int]] = {
    "load": _load,
    "fit": _fit,
    "upload": _upload,
    "read": _read,
    "python": _python,
}


def _no_home() -> None:
    """A user whom the system does not know, without HOME, as in a container."""
    os.environ.pop("HOME", None)
    os.environ.pop("DPLDA_CACHE", None)
    unknown = next(
        user_id
        for user_id in range(54_321, 60_000)
        if user_id not in {user.pw_uid for user in pwd.getpwall()}
    )
    if os.geteuid() == 0:
        os.setgid(unknown)
        os.setuid(unknown)


def _no_output() -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def _no_reader() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    os.dup2(write_end, 1)


def _no_room() -> None:
    """No file may grow beyond ten kilobytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))


def _soon(number: int) -> None:
    timer = threading.Timer(_SOON, os.kill, (os.getpid(), number))
    timer.daemon = True
    timer.start()


CIRCUMSTANCES: dict[str, Callable[[], None]] = {
    "no home": _no_home,
    "no output": _no_output,
    "no reader": _no_reader,
    "no room": _no_room,
    "interrupted": lambda: _soon(signal.SIGINT),
    "terminated": lambda: _soon(signal.SIGTERM),
}
