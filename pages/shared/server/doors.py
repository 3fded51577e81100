"""What the server lets in, and what it tells browsers not to do: once for every answer, before Streamlit sees it."""

import base64
import hashlib
import re
from functools import lru_cache
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from pages.shared.server import added

CLOSED = ("/_stcore/metrics",)
"""Ends of addresses that nobody needs: figures of the server, of all of its users."""
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class Doors:
    """An ASGI middleware: only hosts of server.allowedHosts, no closed address, and headers on every answer.

    Without the first, a page of any site could have its own name point at this machine and read the app's data
    (DNS rebinding); Streamlit looks at the hosts of websockets alone.
    """

    def __init__(self, app: ASGIApp):
        self._app, self._headers = app, [(k.lower().encode(), v.encode()) for k, v in headers().items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                message["headers"] = [*message.get("headers", ()), *self._headers]
            await send(message)

        await (_refusal(scope) or self._app)(scope, receive, with_headers)


def _refusal(scope: Scope) -> ASGIApp | None:
    """The answer to who may not come in."""
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), None)
    if not is_host_allowed(host):
        return PlainTextResponse("This host is not served; see server.allowedHosts", status_code=400)
    if scope["path"].rstrip("/").endswith(CLOSED):
        return PlainTextResponse("Not found", status_code=404)
    return None


def headers() -> dict[str, str]:
    """The headers of every answer."""
    return {
        "Content-Security-Policy": "; ".join(f"{what} {where}" for what, where in _policy().items()),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
    }


def _policy() -> dict[str, str]:
    """From this server alone. Streamlit mounts components from blobs and styles parts inline; nothing needs eval."""
    return {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "blob:", *_inline_scripts()]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }


@lru_cache(maxsize=1)
def _inline_scripts() -> tuple[str, ...]:
    """The hashes of the scripts inside the page: Streamlit's, and ours."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8")
    found = [hashlib.sha256(script.encode()).digest() for script in [*INLINE.findall(page), added.SERVER]]
    return tuple(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in found)


MIDDLEWARE = (Middleware(Doors), Middleware(added.Added))
