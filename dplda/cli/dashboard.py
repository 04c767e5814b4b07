"""Start the dashboard: find its files, pick a port on loopback, wait until it answers, say where it is.

The server is a child process, so nothing here imports it.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.request
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

from click import Option

from dplda.cli.options import Command
from dplda.core import assets, safe_open
from dplda.core.child_process import LED, stoppable
from dplda.core.errors import DpldaError, InputError
from dplda.core.temporary import sweep

HOST = "127.0.0.1"
FIRST_PORT = 8501
PORTS_TRIED = 100
PATIENCE = 60.0  # seconds until the first answer
GRACE = 5.0  # seconds to end politely


class LaunchError(DpldaError):
    """The dashboard did not start."""


def home() -> Path:
    """The folder that holds ``app.py``: inside an installed package, or beside the package in a checkout.

    Raises:
        LaunchError: it is not there.
    """
    folder = assets.home()
    if not (folder / "app.py").is_file():
        raise LaunchError("app.py is missing from this installation. Install dplda again.")
    return folder


def free_port(wanted: int | None = None) -> int:
    """A port on loopback that nobody listens on.

    Args:
        wanted: the only port to accept, 1 to 65535; where None, the first free one from ``FIRST_PORT`` up.
    """
    if wanted is not None:
        if not 1 <= wanted <= 65_535:
            raise InputError("port", "between 1 and 65535", str(wanted))
        if not is_free(wanted):
            raise InputError("port", "free", f"{wanted}, which is taken", "Choose another, or leave it out.")
        return wanted
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        if is_free(port):
            return port
    raise InputError("port", "free", f"{FIRST_PORT} to {port}, all taken", "Choose one with --port.")


def has_browser(environment: Mapping[str, str], platform: str) -> bool:
    """Whether a person probably sits in front of a browser here.

    Args:
        environment: the process's variables; ``DPLDA_OPEN=0`` and ``CI`` say no.
        platform: as in ``sys.platform``.

    Returns:
        False on a server without a screen, where a text browser would take over the terminal.
    """
    if environment.get("DPLDA_OPEN") == "0" or environment.get("CI"):
        return False
    if platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in environment
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def serve(port: int | None, open_browser: bool | None) -> int:
    """Run the dashboard until it is stopped.

    Args:
        open_browser: open its address; where None, `has_browser` decides.

    Returns:
        0 where it was stopped by a signal, else the server's exit status.

    Raises:
        LaunchError: the server ended, or stayed silent, before its first answer.
    """
    port = free_port(port)
    sweep()
    with stoppable():
        server = _start(port)
        try:
            wait_until_healthy(server, port)
            _say(port, open_browser=open_browser)
            return server.wait()
        except KeyboardInterrupt:
            return 0
        finally:
            _end(server)


def _start(port: int) -> subprocess.Popen[bytes]:
    """A server process, which does not answer yet."""
    folder = home()
    command = [sys.executable, "-m", "dplda.ui.server", str(folder / "app.py")]
    command += [f"--server.address={HOST}", f"--server.port={port}", "--server.headless=true"]
    environment = _environment(folder) | {LED: "1"}
    quiet = subprocess.DEVNULL  # the server's own banner would repeat the address; warnings are on stderr
    return subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=quiet)


def _say(port: int, *, open_browser: bool | None) -> None:
    """Print the address, and open it where somebody sits."""
    address = f"http://{HOST}:{port}"
    print(f"dplda runs at {address} (Ctrl+C stops it)", flush=True)
    if has_browser(os.environ, sys.platform) if open_browser is None else open_browser:
        webbrowser.open(address)


def _environment(folder: Path) -> dict[str, str]:
    """The process's variables, with one BLAS thread a call: sessions that share the cores are faster so."""
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    nowhere = dict.fromkeys(("XDG_CACHE_HOME", "XDG_DATA_HOME"), str(safe_open.NOWHERE))
    homeless = {"HOME": str(folder), **nowhere}  # Streamlit needs a home to read; nothing of ours is kept there
    return threads | (homeless if safe_open.home() == safe_open.NOWHERE else {}) | dict(os.environ)


def wait_until_healthy(server: subprocess.Popen[bytes], port: int) -> None:
    """Wait for a server's first answer.

    Raises:
        LaunchError: it ended, or stayed silent.
    """
    deadline = time.monotonic() + PATIENCE
    while not _answers(port):
        if server.poll() is not None:
            raise LaunchError(f"The server ended with status {server.returncode} before it answered.")
        if time.monotonic() > deadline:
            raise LaunchError(f"The server did not answer on port {port} within {PATIENCE:.0f} s.")
        time.sleep(0.05)


def _answers(port: int) -> bool:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy may be configured for others
    with suppress(OSError, HTTPException), direct.open(f"http://{HOST}:{port}/_stcore/health", timeout=1) as answer:
        return bool(answer.read() == b"ok")
    return False


def is_free(port: int) -> bool:
    """Whether nobody listens on a port of loopback."""
    with socket.socket() as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # else a port just closed looks taken
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def _end(server: subprocess.Popen[bytes]) -> None:
    """End a process that was started here, politely first."""
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(GRACE)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
    if server.stdin is not None:
        server.stdin.close()


COMMAND = Command(
    "app",
    serve,
    Option(["--port"], type=int, help=f"where to listen (default: the first free port from {FIRST_PORT} up)"),
    Option(
        ["--open/--no-open", "open_browser"],
        default=None,
        help="open a browser (default: where there is one, unless DPLDA_OPEN=0)",
    ),
)
