"""Pages and web sockets for those who ask for this server by its own address, from its own pages; for nobody else."""

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from streamlit import config

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
REFUSED = "This server answers for its own address only. Open the address that it printed when it started.\n"
ANY = (None, "", "0.0.0.0", "::")  # every address of this machine, and the name of none
_USUAL = (80, 443)  # ports that an address leaves out


class OwnAddress:
    """Refuses, with status 403, what asks for another host, or comes from a page of another server."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in ("http", "websocket") or _may_come_in(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse(REFUSED, 403)(scope, receive, send)


def is_own(host: str, address: str, port: int | None, named: Iterable[str] = ()) -> bool:
    """Whether a ``Host`` names this server."""
    try:
        asked = urlsplit(f"//{host}")
        name, asked_port = asked.hostname, asked.port
    except ValueError:
        return False
    if name is None or asked.netloc != host:
        return False
    own_port = asked_port == port if asked_port is not None else port in _USUAL
    own = LOOPBACK if address in LOOPBACK else {address.lower()}
    alone = {one.lower() for one in named}
    return (
        host.lower() in alone - LOOPBACK
        or name in alone - LOOPBACK
        or (own_port and (name in own or name in alone & LOOPBACK))
    )


def _may_come_in(scope: "Scope") -> bool:
    headers = Headers(scope=scope)
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1:
        return False
    here = {f"http://{hosts[0]}".lower(), f"https://{hosts[0]}".lower()}
    if not here.issuperset(origin.lower() for origin in origins):
        return False
    address, port = scope.get("server") or ("", None)
    listens = config.get_option("server.address")
    named = [*config.get_option("server.allowedHosts"), *([] if listens in ANY else [f"{listens}:{port}"])]
    return is_own(hosts[0], address, port, named)
