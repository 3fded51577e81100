"""Getting the kernels ready while the user is still choosing a file.

A process in the background compiles them into the disk cache (see treecore.engine.compiling): on another core, and
without this one's GIL. The first tree does not wait for them where NumPy grows it.
"""

import gc
import sys
import time
from collections.abc import Callable
from threading import Timer

import streamlit as st

from treecore.engine import compiling
from treecore.warm import PARTS, load

STEP = 0.1
"""Seconds between two looks at what is ready."""
LOAD_AFTER = 1.0
"""Seconds before loading, which would hold up the drawing of the first page."""


@st.cache_resource(show_spinner=False)
def _started(_imported: Callable[[], None]) -> bool:
    def load_after_imports() -> None:
        _imported()
        load()

    compiling.start(PARTS)
    loading = Timer(LOAD_AFTER, load_after_imports)
    loading.daemon = True
    loading.start()
    return True


def prepare(imported: Callable[[], None] = lambda: None) -> None:
    """Start compiling, and soon load what is compiled, once per server. imported : waits for the imports of the server,
    as loading imports what they do."""
    _started(imported)


def wait(parts: tuple[str, ...]) -> None:
    """Until these parts are ready, which come before all others; says so if that takes a moment. A part that failed is
    compiled when it is needed."""
    prepare()
    if all(map(compiling.is_ready, parts)):
        return
    compiling.ask_for(parts)
    with st.spinner("Preparing the engine: this happens once, on the first start"):
        while not all(map(compiling.is_ready, parts)) and compiling.is_running():
            time.sleep(STEP)


def set_modules_aside() -> None:
    """Spare the modules the search for garbage that Streamlit forces after every run: it took as long as the run."""
    _set_aside(len(sys.modules))


@st.cache_resource(show_spinner=False)
def _set_aside(n_modules: int) -> None:
    """Once for every number of modules: pages import what they need when they are first drawn."""
    gc.collect()
    gc.freeze()


def sweep() -> None:
    """Let go of all that nobody holds any more, sessions too that were there when modules were set aside."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
