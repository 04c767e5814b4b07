"""One input on all its doors, each in a child of a process that has everything imported; what came of it."""

import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.hostile import entry_points, packed, situations, texts
from tests.hostile.trial import CANARY, Trial

SECONDS, LONGEST, BYTES = 10, 30.0, 1e9
"""What a run may take: seconds of a processor, by the clock, and memory, that of the process before it included."""

_ENDED = "ended"
_STATUS = {0: "done", entry_points.REFUSED: "refused"}
_UNWRITTEN = 120
_MOST_OUTPUT = 1_000_000
_PAGE = os.sysconf("SC_PAGE_SIZE")
_ENDS = {
    "interrupted": (130, -signal.SIGINT),
    "terminated": (130, 143, -signal.SIGTERM),
    "no reader": (1, -signal.SIGPIPE),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one input at one door.

    Attributes:
        kind: of the input.
        what: its name.
        door: its name.
        came: ``done`` or ``refused``, else what was wrong.
        seconds: of a processor.
        bytes: largest resident set of the process and its own children.
        said: the end of what was written, where something was wrong.
    """

    kind: str
    what: str
    door: str
    came: str
    seconds: float
    bytes: int
    said: str

    @property
    def failed(self) -> bool:
        """Whether something was wrong."""
        return self.came not in (*_STATUS.values(), _ENDED)


@cache
def trials() -> tuple[Trial, ...]:
    """All inputs, in an order that does not change."""
    return (*situations.trials(), *packed.trials(), *texts.trials())


def tried(number: int) -> list[Outcome]:
    """Tries an input, by its number, on all its doors."""
    trial = trials()[number]
    return [_once(trial, door) for door in trial.doors]


def _once(trial: Trial, door: str) -> Outcome:
    folder = Path(tempfile.mkdtemp(prefix="dplda-fuzz-"))
    try:
        for name in ("in", "in/out", "temporary", "cache"):
            (folder / name).mkdir(mode=0o777)
        path = trial.make(folder / "in")
        os.chmod(folder, 0o777)
        status, killed, usage = _child(trial, door, path, folder)
        n_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        output = "".join(_tail(folder / name) for name in ("stdout", "stderr"))
        left_files = any((folder / "temporary").iterdir())
        verdict = killed or _judged(trial, status, output, n_bytes, left_files=left_files)
        shown_output = "" if verdict in (*_STATUS.values(), _ENDED) else output[-600:]
        return Outcome(
            trial.kind,
            trial.what,
            door,
            verdict,
            round(usage.ru_utime + usage.ru_stime, 2),
            n_bytes,
            shown_output,
        )
    finally:
        _remove(folder)


def _child(
    trial: Trial, door: str, path: str, folder: Path
) -> tuple[int, str, resource.struct_rusage]:
    """Exit status, why it was killed if it was, and what it used."""
    child = os.fork()
    if not child:
        status = 99
        try:
            os.setsid()
            signal.alarm(int(LONGEST) + 5)  # where nobody is left to end it
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, resource.RLIM_INFINITY))
            for number, name in ((1, "stdout"), (2, "stderr")):
                os.dup2(
                    os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666), number
                )
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - those of a pool's process are not ours
            sys.stderr = open(2, "w", closefd=False, errors="backslashreplace")  # noqa: SIM115
            os.environ |= {
                "DPLDA_CACHE": str(folder / "cache"),
                "TMPDIR": str(folder / "temporary"),
            }
            tempfile.tempdir = str(folder / "temporary")
            signal.signal(signal.SIGINT, signal.default_int_handler)
            status = entry_points.run(door, trial, path, folder / "in")
            sys.stdout.flush()
        except OSError:  # as the interpreter ends where its output cannot be written
            status = _UNWRITTEN
        finally:
            sys.stderr.flush()
            os._exit(status % 256)
    reason, started_at = "", time.monotonic()
    while True:
        ended_id, status, usage = os.wait4(child, os.WNOHANG)
        if ended_id:
            return os.waitstatus_to_exitcode(status), reason, usage
        if time.monotonic() - started_at > LONGEST:
            reason = f"more than {LONGEST:.0f} s"
        elif _resident(child) > 2 * BYTES:
            reason = f"more than {BYTES / 1e9:.0f} GB"
        if reason:
            os.killpg(child, signal.SIGKILL)
        time.sleep(0.005)


def _judged(trial: Trial, status: int, output: str, n_bytes: int, *, left_files: bool) -> str:
    if CANARY in output.lower():
        return "a document's word came out"
    if "Traceback (most recent call last)" in output:
        return "a raw traceback"
    if n_bytes > BYTES:
        return f"more than {BYTES / 1e9:.0f} GB"
    if status == -signal.SIGXCPU:
        return f"more than {SECONDS} s of a processor"
    if status not in (*_STATUS, *_ENDS.get(trial.circumstance, ())):
        return f"exit status {status}"
    if trial.wrong and status == 0:
        return "accepted"
    if left_files:
        return "temporary files left"
    return _STATUS.get(status, _ENDED)


def _resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):  # it has ended, or this is another system
        return 0


def _tail(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return file.read(_MOST_OUTPUT).decode("utf-8", "replace")


def _remove(folder: Path) -> None:
    """However deep it is: ``shutil.rmtree`` is not for more than a thousand folders in one another."""
    while (deep := folder / "in" / "d").exists() and (within := deep / "d").exists():
        within.rename(folder / "moved")
        shutil.rmtree(deep)
        (folder / "moved").rename(deep)
    shutil.rmtree(folder, ignore_errors=True)
