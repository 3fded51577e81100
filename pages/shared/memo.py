"""Results that are dear to compute, kept by key and shared by all sessions of the server.

Streamlit's own cache would hash tables (by a sample of their rows) and replay the progress bar.
Keys here are made of fingerprints and recipe steps, so that equal keys mean equal results.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

ENTRIES = 96
_kept: OrderedDict = OrderedDict()
_lock = Lock()


def get(key: Hashable, make: Callable):
    """The result kept under `key`, made now if there is none. A `make` that raises leaves nothing behind."""
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    value = make()
    with _lock:
        _kept[key] = value
        while len(_kept) > ENTRIES:
            _kept.popitem(last=False)
    return value


def has(key: Hashable) -> bool:
    """Is there a result under this key?"""
    with _lock:
        return key in _kept
