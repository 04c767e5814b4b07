"""What every answer of the server tells the browser: no frame, no foreign script, nothing to another host."""

import base64
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from streamlit.web.server.starlette import starlette_app

from dplda.ui.own_address import OwnAddress

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def policy() -> str:
    """The content security policy."""
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text("utf-8")
    hashes = " ".join(f"'{_digest(code)}'" for code in _INLINE.findall(page))
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


def _digest(code: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def said() -> dict[str, str]:
    """All headers by name."""
    return {
        "Content-Security-Policy": policy(),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


class ToldHeaders:
    """Sets headers on whatever an application answers over HTTP."""

    def __init__(self, app: "ASGIApp", headers: dict[str, str]) -> None:
        self._app, self._headers = app, headers

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer a request."""

        async def told(message: "Message") -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self._app(scope, receive, told)


def install() -> None:
    """Have Streamlit's server in this process set them, and answer for its own address only; before it starts."""
    own, headers = starlette_app.create_streamlit_middleware, said()
    starlette_app.create_streamlit_middleware = lambda: [
        Middleware(ToldHeaders, headers=headers),
        Middleware(OwnAddress),
        *own(),
    ]
