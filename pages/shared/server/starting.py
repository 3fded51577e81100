"""What the server does as soon as it runs: it imports what pages need, so that no first visitor waits for it."""

import pkgutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from threading import Thread

from pages.shared.server import message_queue

_importing: list[Thread] = []


@asynccontextmanager
async def started(app) -> AsyncIterator[None]:
    """While the server runs. Compiling begins, too."""
    message_queue.use()
    thread = Thread(target=_import_pages, name="imports", daemon=True)
    _importing.append(thread)
    thread.start()
    yield


def _import_pages() -> None:
    import pages.shared
    from pages.shared.server import engine  # not above: it takes a second

    engine.prepare(wait)
    for module in pkgutil.walk_packages(pages.shared.__path__, "pages.shared."):
        import_module(module.name)


def wait() -> None:
    """Until that is done: two threads that import the same packages may meet one that is half there."""
    for thread in _importing:
        thread.join()
