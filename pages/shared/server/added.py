"""What the app adds to Streamlit's page: its looks, so that nothing moves when the first run arrives; something to look
at until then; and where its server is, so that a page that is loaded by its own address need not ask at addresses where
there is none."""

import json
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages import PAGES

ASSETS = Path(__file__).resolve().parents[3] / "assets"
END = b"</body>"
"""Our rules stand behind those that Streamlit puts into the head while it runs, so that they win."""
FIRST = next(iter(PAGES))
ADDRESSES = {address: "" if page.name == FIRST else page.name for page in PAGES.values() for address in page.called}
"""Other addresses of pages -> their own; that of the first one is empty."""
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
    let comesBack = false;
    try {{ comesBack = sessionStorage.getItem("treecore") !== null; }} catch {{ /* a browser that keeps nothing */ }}
    shell.classList.toggle("elsewhere", comesBack || page !== "");
    const seen = new MutationObserver(() => {{
        if (!document.querySelector(".stMainBlockContainer :is(h1, [data-testid=stMarkdownContainer])")) return;
        seen.disconnect();
        shell.remove();
    }});
    seen.observe(document.getElementById("root"), {{ childList: true, subtree: true }});
}})()"""
"""Other addresses lead to their pages. Streamlit would try /grow/_stcore/health first, for an app that is served below
/grow. What stands in the window before Streamlit has drawn anything goes with the first thing that it draws; of the
start it shows nothing where a tab's work comes back, or another page."""


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
