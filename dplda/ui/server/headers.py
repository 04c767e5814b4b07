"""Requests that the server answers, and its security headers: no frames, no foreign scripts."""

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
from starlette.routing import BaseRoute
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.web.server.starlette import starlette_app, starlette_routes

from dplda.ui.server import health, visit_log

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
REFUSED = (
    "This server only answers at its own address."
    " Open the address that it printed when it started.\n"
)
ANY_ADDRESS = (None, "", "0.0.0.0", "::")  # every address of this machine, and the name of none
METRICS = (
    "DPLDA_METRICS"  # variable of the environment: "1" serves Streamlit's numbers to everybody
)
_DEFAULT_PORTS = (80, 443)  # ports that an address leaves out
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STATIC = Path(streamlit.__file__).parent / "static"
EARLY = ("BidiComponent", "PlotlyChart", "Slider", "ButtonGroup")  # that a first picture needs


def content_security_policy() -> str:
    """Write the content security policy: everything comes from this server alone, and no frames.

    Of inline scripts it allows only Streamlit's own, by their digests. Styles may be inline, and
    images and fonts may be data.
    """
    streamlit_page = (_STATIC / "index.html").read_text("utf-8")
    script_digests = (
        hashlib.sha256(code.encode()).digest() for code in _INLINE_SCRIPT.findall(streamlit_page)
    )
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in script_digests)
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


def security_headers() -> dict[str, str]:
    """Collect the security headers of every response, with their values.

    They are the content security policy, no frames, no guessed types, no referrer, and no use by
    other origins.
    """
    return {
        "Content-Security-Policy": content_security_policy(),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


def preload_header() -> str:
    """The value of a ``Link`` header for the code of figures, which Streamlit would ask for last.

    The browser fetches it while Streamlit's own code starts.
    """
    scripts = _STATIC / "static" / "js"
    files = (file.name for script_part in EARLY for file in scripts.glob(f"{script_part}.*.js"))
    attributes = "rel=modulepreload; crossorigin; fetchpriority=low"
    return ", ".join(f"<./static/js/{file_name}>; {attributes}" for file_name in files)


class FixedHeaders:
    """Middleware that sets headers on every HTTP response, and on pages a hint to fetch early.

    Args:
        app: what answers.
        headers: by name.
    """

    def __init__(self, app: "ASGIApp", headers: dict[str, str]) -> None:
        self._app = app
        self._headers = headers
        self._preload = preload_header()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, and add the fixed headers to its response.

        An HTML page also gets a header ``Link``, which tells the browser what to fetch early.
        """

        async def send_with_headers(message: "Message") -> None:
            if message["type"] == "http.response.start":
                response_headers = MutableHeaders(scope=message)
                response_headers.update(self._headers)
                if response_headers.get("content-type", "").startswith("text/html"):
                    response_headers["Link"] = self._preload
            await send(message)

        await self._app(scope, receive, send_with_headers)


class OwnAddressOnly:
    """Middleware that refuses, with 403, requests for another host or from another server's page.

    Args:
        app: what answers the others.
    """

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass on a request that may come in, and refuse any other one.

        A request is answered with 403, and a web socket is closed with code 1008. Other events of
        the server pass.
        """
        if scope["type"] not in ("http", "websocket") or _may_come_in(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse(REFUSED, 403)(scope, receive, send)


def is_own(host: str, address: str, port: int | None, allowed_hosts: Iterable[str] = ()) -> bool:
    """Whether a ``Host`` names this server.

    Names of the address need the port of the request, or none at a default port. On a loopback
    address, every loopback name is one of the address. Allowed hosts pass with any port if they
    name none, else with their own. False for a malformed host.

    Args:
        host: name or address, with or without a port.
        address: at which the request arrived.
        port: at which the request arrived; None if unknown.
        allowed_hosts: hosts that name this server besides, with a port or for any; loopback names
            need the port of the request.
    """
    try:
        host_parts = urlsplit(f"//{host}")
        host_name = host_parts.hostname
        named_port = host_parts.port
    except ValueError:
        return False
    if host_name is None or host_parts.netloc != host:
        return False
    lowercase_allowed_hosts = {allowed_host.lower() for allowed_host in allowed_hosts}
    other_names = lowercase_allowed_hosts - LOOPBACK
    if host.lower() in other_names or host_name in other_names:
        return True
    own_names = frozenset({address.lower()})
    if address in LOOPBACK:
        own_names = LOOPBACK
    is_port_of_request = named_port == port
    if named_port is None:
        is_port_of_request = port in _DEFAULT_PORTS
    return is_port_of_request and (
        host_name in own_names or host_name in lowercase_allowed_hosts & LOOPBACK
    )


def _may_come_in(scope: "Scope") -> bool:
    """Whether a request is for this server, and from none but its own pages.

    It has exactly one ``Host``, which names this server or is one that the settings allow, and no
    ``Origin`` of another one.
    """
    request_headers = Headers(scope=scope)
    hosts = request_headers.getlist("host")
    if len(hosts) != 1:
        return False
    own_origins = {f"http://{hosts[0]}".lower(), f"https://{hosts[0]}".lower()}
    request_origins = {origin.lower() for origin in request_headers.getlist("origin")}
    if not request_origins <= own_origins:
        return False
    address, port = scope.get("server") or ("", None)
    allowed_hosts = list(config.get_option("server.allowedHosts"))
    server_address = config.get_option("server.address")
    if server_address not in ANY_ADDRESS:
        allowed_hosts.append(f"{server_address}:{port}")
    return is_own(hosts[0], address, port, allowed_hosts)


def install() -> None:
    """Add three middlewares to Streamlit's server of this process, before it starts.

    They add fixed headers, refuse other addresses, and notice uploads. Streamlit's page of metrics
    is removed: a proxy that hides its path would have to know each way to write it. If the
    environment asks for it, the page stays, with the health of the server below its path.
    """
    serves_metrics = os.environ.get(METRICS) == "1"

    def create_operator_routes(runtime: Runtime, base_url: str | None) -> list[BaseRoute]:
        if not serves_metrics:
            return []
        return [
            health.make_route(runtime),
            *starlette_routes.create_metrics_routes(runtime, base_url),
        ]

    setattr(starlette_app, "create_metrics_routes", create_operator_routes)  # noqa: B010
    create_middleware_of_streamlit = starlette_app.create_streamlit_middleware
    fixed_headers = security_headers()
    starlette_app.create_streamlit_middleware = lambda: [
        Middleware(FixedHeaders, headers=fixed_headers),
        Middleware(OwnAddressOnly),
        Middleware(visit_log.UploadWatch),
        *create_middleware_of_streamlit(),
    ]
