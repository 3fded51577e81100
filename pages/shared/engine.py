"""Getting the kernels ready while the user is still choosing a file.

Nothing of treecore is imported here: the compilers are to start before this process spends its time on imports.
"""

import subprocess
import sys
from itertools import chain
from pathlib import Path
from threading import Event, Thread

import streamlit as st

ROOT = Path(__file__).resolve().parents[2]
FIRST_TREE = (("search",), ("split", "surrogates"))
LATER = ("presorted", "special_split", "explain", "prune", "special_search", "absolute")


@st.cache_resource(show_spinner=False)
def _ready() -> dict[str, Event]:
    """An event per part. Other processes compile into the disk cache: on several cores, and without this one's GIL."""
    ready = {part: Event() for part in (*chain.from_iterable(FIRST_TREE), *LATER)}
    for parts in FIRST_TREE:
        Thread(target=_compile, args=(parts, ready), daemon=True).start()
    Thread(target=_compile_later, args=(ready,), daemon=True).start()
    return ready


def _compile_later(ready: dict[str, Event]) -> None:
    """The rest, when the first tree does not need the processor any more."""
    for part in chain.from_iterable(FIRST_TREE):
        ready[part].wait()
    _compile(LATER, ready)


def _compile(parts: tuple[str, ...], ready: dict[str, Event]) -> None:
    """Run one process and note each part that it reports; a part it fails at is compiled when it is needed."""
    command = [sys.executable, "-m", "treecore.warm", *parts]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as process:
        for line in process.stdout:
            if line.strip() in ready:
                ready[line.strip()].set()
    for part in parts:
        ready[part].set()


def prepare() -> None:
    """Start compiling, once per server."""
    _ready()


def wait(parts: tuple[str, ...]) -> None:
    """Until these parts are ready; says so if that takes a moment."""
    waiting = [event for part, event in _ready().items() if part in parts and not event.is_set()]
    if waiting:
        with st.spinner("Preparing the engine: this happens once, on the first start"):
            for event in waiting:
                event.wait()
