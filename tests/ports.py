"""Ports for servers that tests start."""

import fcntl
import http.client
import os
import socket
import tempfile
from pathlib import Path
from typing import TextIO

HOST = "127.0.0.1"
RANGE = range(20_000, 30_000)  # below those that systems give to outgoing connections
LOCKS = Path(tempfile.gettempdir()) / f"dplda-test-ports-{os.getuid()}"

_lock_files: list[TextIO] = []


def unused_port() -> int:
    """A port on loopback that nobody listens on, for this process alone as long as it lives.

    Between being found free here and being listened on by a server, no other test can take it.
    """
    LOCKS.mkdir(exist_ok=True)
    for port in RANGE:
        lock = (LOCKS / str(port)).open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as probe:
                probe.bind((HOST, port))
        except OSError:
            lock.close()
            continue
        _lock_files.append(lock)
        return port
    raise OSError(f"no port from {RANGE.start} to {RANGE.stop - 1} is free")


def answer(port: int, path: str) -> bytes:
    """What a server of this machine says to a request, within a minute."""
    connection = http.client.HTTPConnection(HOST, port, timeout=60)
    try:
        connection.request("GET", path)
        return connection.getresponse().read()
    finally:
        connection.close()
