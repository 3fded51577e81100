"""What the server lets in, and what it tells browsers not to do: once for every answer, before Streamlit sees it."""

import base64
import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from pages import ASSETS, PAGES

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
    result = [hashlib.sha256(script.encode()).digest() for script in [*INLINE.findall(page), SERVER]]
    return tuple(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in result)


# What the app adds to Streamlit's page: its looks, so that nothing moves when the first run arrives; something to
# look at until then; and where its server is, so that a page that is loaded by its own address need not ask at
# addresses where there is none.

END = b"</body>"
"""Our rules stand behind those that Streamlit puts into the head while it runs, so that they win."""
FIRST = next(iter(PAGES))
ADDRESSES = {address: "" if page.name == FIRST else page.name for page in PAGES.values() for address in page.called}
"""Other addresses of pages -> their own; that of the first one is empty."""
MOST_MILLISECONDS = 10_000
"""For which the start page stays out of sight because a tab's work comes back, whatever becomes of it."""
SERVER = f"""(() => {{
    const parts = location.pathname.split("/"), page = parts.pop();
    const other = {json.dumps(ADDRESSES)}[page.toLowerCase()];
    if (other !== undefined) {{
        location.replace([...parts, other].join("/") + location.search);
        return;
    }}
    if ({json.dumps(list(PAGES))}.includes(page))
        window.__streamlit = {{ BACKEND_BASE_URL: location.origin + parts.join("/") + "/" }};
    const shell = document.getElementById("shell");
    let comesBack = false, side = null;
    try {{
        comesBack = sessionStorage.getItem("treecore") !== null;
        side = sessionStorage.getItem("treecore.side");
    }} catch {{ /* a browser that keeps nothing */ }}
    shell.classList.toggle("elsewhere", comesBack || page !== "");
    const [pixels, at] = side?.split(" ") ?? [];
    if (at === location.pathname) shell.style.setProperty("--side", `${{parseFloat(pixels) || 0}}px`);
    addEventListener("pagehide", () => {{
        const open = document.querySelector("[data-testid=stSidebar][data-collapsed=false]");
        const wide = open ? open.getBoundingClientRect().width : 0;
        try {{ sessionStorage.setItem("treecore.side", `${{wide}} ${{location.pathname}}`); }} catch {{ /* so */ }}
    }});
    if (comesBack) {{
        const root = document.documentElement;
        root.setAttribute("data-returning", "");
        setTimeout(() => root.removeAttribute("data-returning"), {MOST_MILLISECONDS});
    }}
    const seen = new MutationObserver(() => {{
        if (!document.querySelector(".stMainBlockContainer :is(h1, [data-testid=stMarkdownContainer])")) return;
        seen.disconnect();
        shell.remove();
    }});
    seen.observe(document.getElementById("root"), {{ childList: true, subtree: true }});
}})()"""
"""Other addresses lead to their pages. Streamlit would try /grow/_stcore/health first, for an app that is served below
/grow. What stands in the window before Streamlit has drawn anything goes with the first thing that it draws; of the
start it shows nothing where a tab's work comes back, or another page; at the side as much as was open when this page
was left. Of work that comes back keeper.js tells when it is there."""


class Added:
    """An ASGI middleware: shell.html, app.css and the script end Streamlit's page. Other answers pass as they are."""

    def __init__(self, app: ASGIApp):
        self._app = app
        looks, shell = (ASSETS / "app.css").read_bytes(), (ASSETS / "shell.html").read_bytes()
        self._end = shell + b"<style>" + looks + b"</style><script>" + SERVER.encode() + b"</script>" + END

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _asks_for_page(scope):
            await self._app(scope, receive, send)
            return
        start, parts = None, []

        async def with_end(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif start is None:
                await send(message)
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    body = b"".join(parts).replace(END, self._end, 1)
                    await send({**start, "headers": _headers(start, len(body))})
                    await send({"type": "http.response.body", "body": body})

        unpacked = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self._app({**scope, "headers": unpacked}, receive, with_end)


def _asks_for_page(scope: Scope) -> bool:
    """Does a browser go to this address, rather than fetch what a page needs?"""
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def _is_page(start: Message) -> bool:
    """Is it the whole of a page?"""
    return start["status"] == 200 and dict(start["headers"]).get(b"content-type", b"").startswith(b"text/html")


def _headers(start: Message, length: int) -> list[tuple[bytes, bytes]]:
    """With the new length, and without marks of the file alone, by which a browser would keep former looks."""
    own = (b"content-length", b"etag", b"last-modified", b"accept-ranges")
    kept = [(name, value) for name, value in start["headers"] if name.lower() not in own]
    return [*kept, (b"content-length", str(length).encode())]


MIDDLEWARE = (Middleware(Doors), Middleware(Added))
