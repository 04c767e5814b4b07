"""``dplda app``: this process becomes the dashboard's server, which leaves nothing behind when it ends."""

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

LOOPBACK = "127.0.0.1"


def serve(port: int | None, host: str, open_browser: bool | None, demo: bool) -> int:
    """Run the dashboard until it is stopped."""
    try:
        host.encode("idna")
        socket.create_server((host, 0)).close()
    except (OSError, UnicodeError):
        host = ""
    if host in ("", "0.0.0.0"):
        fix = "Others type it in their browsers. `hostname -I` lists the addresses."
        raise InputError("--host", "a name or address of this machine", "another one", fix)
    sys.stdout.flush()
    command, environment = server(port, open_browser, host=host, demo=demo)
    if sys.platform == "win32":  # a process cannot become another one there
        return subprocess.call(command, cwd=assets.home(), env=environment)
    os.chdir(assets.home())
    os.execve(sys.executable, command, environment)


def server(
    port: int | None, open_browser: bool | None = False, *, host: str = LOOPBACK, demo: bool = False
) -> tuple[list[str], dict[str, str]]:
    """The command of a server, to be run in the folder that holds ``app.py``, and its environment."""
    command = [
        sys.executable,
        "-m",
        "dplda.ui.server",
        str(assets.home() / "app.py"),
        f"--server.address={host}",
    ]
    command += (
        []
        if host == LOOPBACK
        else [f"--server.allowedHosts={name}" for name in (host, LOOPBACK, "localhost")]
    )
    command += [] if open_browser is None else [f"--server.headless={not open_browser}".lower()]
    command += [] if port is None else [f"--server.port={port}"]
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    nowhere = dict.fromkeys(("XDG_CACHE_HOME", "XDG_DATA_HOME"), str(safe_open.NOWHERE))
    homeless = {
        "HOME": str(assets.home()),
        **nowhere,
    }  # Streamlit needs a home to read; dplda keeps nothing there
    usual = threads | (homeless if safe_open.home() == safe_open.NOWHERE else {}) | dict(os.environ)
    return command, usual | OVERWRITING | ({VARIABLE: "1"} if demo else {})


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
