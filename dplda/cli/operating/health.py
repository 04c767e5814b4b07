"""``dplda health``: the numbers of a running server, for its operator."""

import http.client

from click import IntRange, Option

from dplda.cli.options import Command
from dplda.core.errors import InputError

PATH = "/_stcore/metrics/health"  # as the server has it
WELL, IN_TROUBLE = 0, 1  # statuses of the command
_SECONDS = 10.0
_ADDRESS = "127.0.0.1"


def health(port: int) -> int:
    """Ask the server at a port of this machine, and print its numbers.

    Args:
        port: of the server.

    Returns:
        0 if all is well, 1 if the server names a trouble.

    Raises:
        InputError: no server of dplda answers there, or it does not serve its numbers.
    """
    connection = http.client.HTTPConnection(_ADDRESS, port, timeout=_SECONDS)
    try:
        connection.request("GET", PATH)
        response = connection.getresponse()
        body = response.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        fix = "Start it with `dplda app`, or name its port with --port."
        raise InputError("--port", "that of a running server", f"{port}", fix) from None
    finally:
        connection.close()
    if not body.startswith("status "):
        fix = "Start the server with DPLDA_METRICS=1, and hide /_stcore/metrics at the proxy."
        raise InputError("the server", "one that serves its numbers", "one that does not", fix)
    print(body, end="")
    return WELL if response.status == http.client.OK else IN_TROUBLE


COMMAND = Command(
    "health",
    health,
    Option(
        ["--port"], type=IntRange(1, 65_535), default=8501, help="port that the server listens on"
    ),
)
