"""What the server does as soon as it runs: it imports what pages need, so that no first visitor waits for it."""

import pkgutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from threading import Event, Thread

from pages.shared.server import message_queue

LATER = 3
"""Seconds for a visitor who comes at once: pandas takes one of the processor, and the start page shows no table."""
_importing: list[Event] = []


@asynccontextmanager
async def started(app) -> AsyncIterator[None]:
    """While the server runs. Compiling begins, too."""
    message_queue.use()
    imported = Event()
    _importing.append(imported)
    Thread(target=_import_pages, args=(imported,), name="imports", daemon=True).start()
    yield


def _import_pages(imported: Event) -> None:
    try:
        import pages.shared
        from pages.shared.server import engine  # not above: it takes a second

        engine.prepare(wait)
        for module in pkgutil.walk_packages(pages.shared.__path__, "pages.shared."):
            import_module(module.name)
    finally:
        imported.set()
    time.sleep(LATER)
    import_module("pandas")  # whoever needs it sooner imports it; who comes meanwhile waits for that alone


def wait() -> None:
    """Until pages can be drawn: two threads that import the same packages may meet one that is half there."""
    for imported in _importing:
        imported.wait()
