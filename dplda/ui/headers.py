"""Which requests the server answers, and its security headers: no frames, no foreign scripts, no other hosts."""

import base64
import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from streamlit import config
from streamlit.web.server.starlette import starlette_app

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
REFUSED = "This server only answers at its own address. Open the address that it printed when it started.\n"
ANY = (None, "", "0.0.0.0", "::")  # every address of this machine, and the name of none
METRICS = (
    "DPLDA_METRICS"  # variable of the environment: "1" serves Streamlit's numbers to everybody
)
_USUAL = (80, 443)  # ports that an address leaves out
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STATIC = Path(streamlit.__file__).parent / "static"
EARLY = (
    "PlotlyChart",
    "Slider",
    "ButtonGroup",
)  # what a first picture needs, and Streamlit asks for last


def policy() -> str:
    """The content security policy."""
    page = (_STATIC / "index.html").read_text("utf-8")
    digests = (hashlib.sha256(code.encode()).digest() for code in _INLINE.findall(page))
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {hashes}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def said() -> dict[str, str]:
    """All security headers by name."""
    return {
        "Content-Security-Policy": policy(),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


def early() -> str:
    """A ``Link`` header that makes the browser fetch the code of figures while Streamlit's own starts."""
    files = (
        file.name for part in EARLY for file in (_STATIC / "static" / "js").glob(f"{part}.*.js")
    )
    return ", ".join(
        f"<./static/js/{name}>; rel=modulepreload; crossorigin; fetchpriority=low" for name in files
    )


class ToldHeaders:
    """Middleware that sets headers on every HTTP response, and on pages a hint what to fetch early."""

    def __init__(self, app: "ASGIApp", headers: dict[str, str]) -> None:
        self._app, self._headers, self._early = app, headers, early()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer a request."""

        async def told(message: "Message") -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                sent.update(self._headers)
                if sent.get("content-type", "").startswith("text/html"):
                    sent["Link"] = self._early
            await send(message)

        await self._app(scope, receive, told)


class OwnAddress:
    """Middleware that refuses, with status 403, requests for another host or from another server's page."""

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
    named = [
        *config.get_option("server.allowedHosts"),
        *([] if listens in ANY else [f"{listens}:{port}"]),
    ]
    return is_own(hosts[0], address, port, named)


def install() -> None:
    """Install both in this process's Streamlit server, before it starts, and leave out its metrics unless asked."""
    if os.environ.get(METRICS) != "1":  # a proxy that hides the path must know each way to write it
        setattr(starlette_app, "create_metrics_routes", lambda runtime, base_url: [])  # noqa: B010
    own, headers = starlette_app.create_streamlit_middleware, said()
    starlette_app.create_streamlit_middleware = lambda: [
        Middleware(ToldHeaders, headers=headers),
        Middleware(OwnAddress),
        *own(),
    ]
