"""``dplda app``: this process becomes the server of the dashboard, which leaves nothing behind."""

import os
import socket
import subprocess
import sys

from click import IntRange, Option

from dplda.cli.options import Command
from dplda.core import assets, safe_open
from dplda.core.demo import VARIABLE
from dplda.core.errors import InputError
from dplda.core.memory import OVERWRITING
from dplda.core.optional_packages import require_package

LOOPBACK = "127.0.0.1"


def serve(port: int | None, host: str, open_browser: bool | None, demo: bool) -> int:
    """Run the dashboard until it is stopped, in the folder of its pages.

    This process goes to that folder, becomes the server and does not return. On Windows it waits
    for the server instead, and returns its status.

    Args:
        port: to listen on; None for the first free one.
        host: name or address of this machine.
        open_browser: None to open one if there is a screen.
        demo: whether it refuses uploads and releases.

    Raises:
        InputError: the host is no name or address of this machine, or stands for all of them.
        MissingPackageError: a package that pages need is not installed.
    """
    for package in ("streamlit", "plotly", "pandas"):
        require_package(package, "The dashboard")
    if host in ("", "0.0.0.0") or not _is_own_address(host):
        fix = "Others type it in their browsers. `hostname -I` lists the addresses."
        raise InputError("--host", "a name or address of this machine", "another one", fix)
    sys.stdout.flush()
    command, environment = server(port, open_browser, host=host, demo=demo)
    if sys.platform == "win32":  # a process cannot become another one there
        return subprocess.call(command, cwd=assets.home(), env=environment)
    os.chdir(assets.home())
    os.execve(sys.executable, command, environment)


def _is_own_address(host: str) -> bool:
    """Whether this machine can listen at a name or address; opens a server there for a moment."""
    try:
        host.encode("idna")
        socket.create_server((host, 0)).close()
    except (OSError, UnicodeError):
        return False
    return True


def server(
    port: int | None, open_browser: bool | None = False, *, host: str = LOOPBACK, demo: bool = False
) -> tuple[list[str], dict[str, str]]:
    """The command of a server, to be run in the folder that holds ``app.py``, and its environment.

    Starts nothing.

    Args:
        port: to listen on; None for the first free one.
        open_browser: None to open one if there is a screen.
        host: name or address at which it listens. Where that is not the loopback, the server
            also answers requests that name it, the loopback or ``localhost``.
        demo: whether it refuses uploads and releases.
    """
    command = [
        sys.executable,
        "-m",
        "dplda.ui.server",
        str(assets.home() / "app.py"),
        f"--server.address={host}",
    ]
    if host != LOOPBACK:
        command += [
            f"--server.allowedHosts={allowed_host}"
            for allowed_host in (host, LOOPBACK, "localhost")
        ]
    if open_browser is not None:
        command.append(f"--server.headless={not open_browser}".lower())
    if port is not None:
        command.append(f"--server.port={port}")
    return command, _environment(demo=demo)


def _environment(*, demo: bool) -> dict[str, str]:
    """Environment variables of the server: those of this process, over defaults.

    Defaults are one thread for BLAS, and a read-only home if there is none. Whatever this process
    says, freed memory is overwritten, and a demo is marked as one. Without ``demo``, its mark is
    left as this process has it.
    """
    environment = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    if safe_open.home() == safe_open.NOWHERE:  # Streamlit needs one; dplda keeps nothing there
        environment["HOME"] = str(assets.home())
        environment |= dict.fromkeys(("XDG_CACHE_HOME", "XDG_DATA_HOME"), str(safe_open.NOWHERE))
    environment |= dict(os.environ)
    environment |= OVERWRITING
    if demo:
        environment[VARIABLE] = "1"
    return environment


COMMAND = Command(
    "app",
    serve,
    Option(
        ["--port"],
        type=IntRange(1, 65_535),
        help="port to listen on (default: the first free one from 8501 up)",
    ),
    Option(
        ["--host"],
        default=LOOPBACK,
        help="name or address of this machine at which others may open the dashboard",
    ),
    Option(
        ["--open/--no-open", "open_browser"],
        default=None,
        help="open a browser (default: if there is a screen)",
    ),
    Option(
        ["--demo"],
        is_flag=True,
        help="refuse uploads and releases, for a server that strangers can open",
    ),
)
