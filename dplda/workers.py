"""The dashboard as several processes, a sticky proxy before them: each visitor stays with one of them.

A session lives in the memory of one process, so the proxy tells visitors apart by a cookie. It is HAProxy, which every
distribution has; it asks all processes for their health, and sends nobody to one that does not answer.
"""

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dplda import _check, launch
from dplda.errors import InputError
from dplda.led import stoppable

MOST = 32
LOOK = 1.0  # seconds between two looks at the processes
CONFIGURATION = """\
global
    maxconn 4000
defaults
    mode http
    timeout connect 5s
    timeout client 1h
    timeout server 1h
    timeout tunnel 24h                # the web socket of a session; quiet ones are not cut
    option redispatch                 # where a process is gone, the next one begins a new session
frontend visitors
    bind {address}
    http-request deny if {{ path_beg /_stcore/metrics }}
    default_backend dplda
backend dplda
    balance leastconn
    cookie dplda insert indirect nocache httponly attr SameSite=Lax
    option httpchk GET /_stcore/health
    http-check send hdr Host {host}
    default-server check inter 2s fall 3 rise 1
{servers}
"""


def configuration(port: int, ports: list[int]) -> str:
    """What HAProxy is told.

    Args:
        port: on loopback, where visitors come in.
        ports: of the processes.
    """
    servers = (f"    server p{i} {launch.HOST}:{each} cookie p{i}" for i, each in enumerate(ports, start=1))
    return CONFIGURATION.format(address=f"{launch.HOST}:{port}", host=launch.HOST, servers="\n".join(servers))


def serve(count: int, port: int | None = None, *, open_browser: bool | None = None) -> int:
    """Run the dashboard as several processes until it is stopped; one that ends is started again.

    Args:
        count: how many, 2 to ``MOST``.
        port: of the proxy; see ``launch.free_port``.
        open_browser: as for ``launch.serve``.

    Returns:
        0 where it was stopped by a signal, else the proxy's exit status.

    Raises:
        InputError: a number out of range, a port that is taken, or no HAProxy on this machine.
        LaunchError: a process ended, or stayed silent, before its first answer.
    """
    _check.between("workers", count, 2, MOST, open_ends=False)
    proxy = shutil.which("haproxy", path=os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/sbin")
    if proxy is None:
        raise InputError("haproxy", "installed, for several processes", "none", "Install it, or leave out --workers.")
    port = launch.free_port(port)
    ports = _free_ports(count, beside=port)
    secret = {"STREAMLIT_SERVER_COOKIE_SECRET": secrets.token_hex(32)}  # one for all, so that forms outlive a process
    with stoppable(), tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "haproxy.cfg"
        file.write_text(configuration(port, ports), "utf-8")
        running = [launch.start(each, more=secret) for each in ports]
        try:
            for process, each in zip(running, ports, strict=True):
                launch.wait_until_healthy(process, each)
            running.append(start_proxy(proxy, file))
            launch.wait_until_healthy(running[-1], port)
            launch.say(port, open_browser=open_browser)
            while running[-1].poll() is None:
                for i, each in enumerate(ports):
                    if (status := running[i].poll()) is not None:
                        print(f"dplda: process {i + 1} ended with status {status}: started again", file=sys.stderr)
                        running[i] = launch.start(each, more=secret)
                time.sleep(LOOK)
            return running[-1].returncode
        except KeyboardInterrupt:
            return 0
        finally:
            for process in reversed(running):
                process.terminate()
            for process in running:
                launch.end(process)


def start_proxy(proxy: str, file: Path) -> subprocess.Popen[bytes]:
    """HAProxy, which ends with this process."""
    command = [sys.executable, "-m", "dplda.led", proxy, "-db", "-q", "-f", str(file)]
    return subprocess.Popen(command, stdin=subprocess.PIPE)


def _free_ports(count: int, *, beside: int) -> list[int]:
    found: list[int] = []
    for port in range(beside + 1, min(beside + 1 + launch.PORTS_TRIED, 65_536)):
        if len(found) < count and launch.is_free(port):
            found.append(port)
    if len(found) < count:
        raise InputError("ports", f"{count} free ones above {beside}", str(len(found)), "Choose another with --port.")
    return found
