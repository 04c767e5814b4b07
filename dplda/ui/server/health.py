"""Numbers for whoever runs the server: disk, memory, the process pool, sessions, and a verdict.

They are for the operator alone: memory and waiting work may depend on documents. So they have an
address only where ``DPLDA_METRICS`` turns metrics on, below the path that proxies hide.
"""

import math
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route
from streamlit.runtime import Runtime

if TYPE_CHECKING:
    from starlette.requests import Request

PATH = "/_stcore/metrics/health"  # whatever the path of the dashboard
LEAST_FREE_DISK = 1.0  # gigabytes of a folder that the server writes to
LARGEST_MEMORY_SHARE = 0.9  # of its limit
WAITING_PER_PROCESS = 4  # pieces of work, from which on visitors wait long
_GB = 1e9
_CGROUP = Path("/sys/fs/cgroup")
_MEMINFO = Path("/proc/meminfo")


class Reading(NamedTuple):
    """One number of the page.

    Attributes:
        name: with its unit, as ``disk_free_gb``.
        value: rounded.
        trouble: sentence on what to do; "" where all is well.
    """

    name: str
    value: float
    trouble: str = ""


class Memory(NamedTuple):
    """Memory of this container, or else of this machine.

    Attributes:
        used: gigabytes that cannot be given back.
        limit: gigabytes.
    """

    used: float
    limit: float


def make_route(runtime: Runtime) -> BaseRoute:
    """The route of the page of numbers, which no cache may keep.

    Its status is 200, or 503 if any number is in trouble.

    Args:
        runtime: Streamlit's, which counts sessions.
    """

    async def answer(request: "Request") -> PlainTextResponse:
        readings = await run_in_threadpool(read_health, runtime)
        status = 503 if any(reading.trouble for reading in readings) else 200
        return PlainTextResponse(render(readings), status, {"Cache-Control": "no-store"})

    return Route(PATH, answer, methods=["GET"])


def render(readings: Iterable[Reading]) -> str:
    """Write the page: the verdict, a number on each line, and what to do about those in trouble.

    The verdict is ``status ok`` or ``status trouble``. Lines on what to do start with ``#``.
    """
    readings = tuple(readings)
    troubles = [reading.trouble for reading in readings if reading.trouble]
    lines = [f"status {'trouble' if troubles else 'ok'}"]
    lines += [f"{reading.name} {reading.value:g}" for reading in readings]
    lines += [f"# {trouble}" for trouble in troubles]
    return "\n".join(lines) + "\n"


def read_health(runtime: Runtime) -> tuple[Reading, ...]:
    """Read all numbers: of the two folders that the server writes to, of memory, pool and sessions.

    A folder's number is the free space of its disk. The pool is in trouble if more than
    ``WAITING_PER_PROCESS`` wait for each of its processes.

    Args:
        runtime: Streamlit's, which counts sessions.
    """
    # These import NumPy, which the server sets up first.
    from dplda.corpus import disk_cache
    from dplda.release.ledger.folder import default_path
    from dplda.ui.state.cache import POOL

    load = POOL.load()
    is_crowded = load.n_waiting > WAITING_PER_PROCESS * load.size
    crowd_trouble = "Many wait for a process: run more servers, or one with more processors."
    return (
        _disk_reading("disk_free_cache_gb", disk_cache.folder()),
        _disk_reading("disk_free_releases_gb", default_path()),
        *memory_readings(read_memory()),
        Reading("pool_processes", load.size),
        Reading("pool_busy", load.n_busy),
        Reading("pool_waiting", load.n_waiting, crowd_trouble if is_crowded else ""),
        Reading("sessions", runtime._session_mgr.num_active_sessions()),
    )


def _disk_reading(name: str, folder: Path) -> Reading:
    """Free space in GB, rounded down to tenths, of the disk of a folder, which need not exist yet.

    A trouble is named if it is less than ``LEAST_FREE_DISK``.
    """
    existing_folder = next(path for path in (folder, *folder.parents) if path.is_dir())
    n_gigabytes = _round_down(shutil.disk_usage(existing_folder).free / _GB)
    is_short = n_gigabytes < LEAST_FREE_DISK
    trouble = ""
    if is_short:
        trouble = f"The disk of {folder} is nearly full: make room."
    return Reading(name, n_gigabytes, trouble)


def memory_readings(memory: Memory | None) -> tuple[Reading, ...]:
    """Memory in use and its limit, in tenths of a GB; nothing where the system does not tell.

    The former is rounded up, the latter down. A trouble is named above ``LARGEST_MEMORY_SHARE`` of
    the limit.
    """
    if memory is None:
        return ()
    trouble_text = ""
    if memory.used > LARGEST_MEMORY_SHARE * memory.limit:
        trouble_text = "Memory is nearly used up: allow more, or fewer visitors."
    return (
        Reading("memory_used_gb", math.ceil(10 * memory.used) / 10, trouble_text),
        Reading("memory_limit_gb", _round_down(memory.limit)),
    )


def read_memory(cgroup: Path = _CGROUP, meminfo: Path = _MEMINFO) -> Memory | None:
    """Memory in use: of this container, if it has a limit, or else of the machine.

    Memory that the system can take back at once does not count.

    Args:
        cgroup: folder with the container's numbers (control groups, version 2).
        meminfo: file with the machine's numbers.

    Returns:
        Memory in use and its limit, in GB; None where the system tells neither, as outside Linux.
    """
    try:
        limit_text = (cgroup / "memory.max").read_text("ascii").strip()
        used_bytes = int((cgroup / "memory.current").read_text("ascii"))
        returnable_bytes = _numbers_by_name(cgroup / "memory.stat").get("inactive_file", 0)
        if limit_text != "max":
            return Memory((used_bytes - returnable_bytes) / _GB, int(limit_text) / _GB)
    except (OSError, ValueError):  # no container
        pass
    try:
        kilobytes_by_name = _numbers_by_name(meminfo)
        total_kilobytes = kilobytes_by_name["MemTotal:"]
        return Memory(
            (total_kilobytes - kilobytes_by_name["MemAvailable:"]) * 1024 / _GB,
            total_kilobytes * 1024 / _GB,
        )
    except (OSError, KeyError, ValueError):
        return None


def _numbers_by_name(path: Path) -> dict[str, int]:
    """Lines of a name and a number, as the kernel writes them."""
    rows = (line.split() for line in path.read_text("ascii").splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) > 1}


def _round_down(gigabytes: float) -> float:
    """A number of gigabytes with one digit, never more than there is."""
    return math.floor(10 * gigabytes) / 10
