"""The app's looks are part of the page itself: nothing on it moves when the first run of the app arrives."""

from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

CSS = Path(__file__).resolve().parents[3] / "assets" / "app.css"
END = b"</body>"
"""Our rules stand behind those that Streamlit puts into the head while it runs, so that they win."""


class Styled:
    """An ASGI middleware: app.css stands at the end of Streamlit's page. Other answers pass as they are."""

    def __init__(self, app: ASGIApp):
        self._app, self._style = app, b"<style>" + CSS.read_bytes() + b"</style>" + END

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _asks_for_page(scope):
            await self._app(scope, receive, send)
            return
        start, parts = None, []

        async def with_style(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif start is None:
                await send(message)
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    body = b"".join(parts).replace(END, self._style, 1)
                    await send({**start, "headers": _headers(start, len(body))})
                    await send({"type": "http.response.body", "body": body})

        unpacked = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self._app({**scope, "headers": unpacked}, receive, with_style)


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
