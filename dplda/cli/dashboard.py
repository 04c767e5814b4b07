"""``dplda app``: this process becomes the dashboard's server, so nothing here imports it and nothing outlives it."""

import os
import subprocess
import sys

from click import IntRange, Option

from dplda.cli.options import Command
from dplda.core import assets, safe_open
from dplda.core.temporary import sweep


def serve(port: int | None, open_browser: bool | None) -> int:
    """Run the dashboard until it is stopped.

    Args:
        port: on loopback; where None, the first free one from Streamlit's usual one up.
        open_browser: open its address; where None, Streamlit decides: not on a Linux without a screen.
    """
    sweep()
    sys.stdout.flush()
    command, environment = server(port, open_browser)
    if sys.platform == "win32":  # where a process cannot become another one
        return subprocess.call(command, cwd=assets.home(), env=environment)
    os.chdir(assets.home())
    os.execve(sys.executable, command, environment)


def server(port: int | None, open_browser: bool | None = False) -> tuple[list[str], dict[str, str]]:
    """The command of a server, to be run in the folder that holds ``app.py``, and its variables.

    Of BLAS it has one thread a call: sessions that share the cores are faster so.
    """
    command = [sys.executable, "-m", "dplda.ui.server", str(assets.home() / "app.py"), "--server.address=127.0.0.1"]
    command += [] if open_browser is None else [f"--server.headless={not open_browser}".lower()]
    command += [] if port is None else [f"--server.port={port}"]
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    nowhere = dict.fromkeys(("XDG_CACHE_HOME", "XDG_DATA_HOME"), str(safe_open.NOWHERE))
    homeless = {"HOME": str(assets.home()), **nowhere}  # Streamlit needs a home to read; nothing of ours is kept there
    return command, threads | (homeless if safe_open.home() == safe_open.NOWHERE else {}) | dict(os.environ)


COMMAND = Command(
    "app",
    serve,
    Option(["--port"], type=IntRange(1, 65_535), help="where to listen (default: the first free port from 8501 up)"),
    Option(
        ["--open/--no-open", "open_browser"], default=None, help="open a browser (default: where there is a screen)"
    ),
)
