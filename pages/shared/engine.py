"""Getting the kernels ready while the user is still choosing a file."""

import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import streamlit as st

from treecore.warm import PARTS

ROOT = Path(__file__).resolve().parents[2]
PROCESSES = (("search",), ("split", "explain", "prune"))
FIRST_TREE = ("search", "split")


@st.cache_resource(show_spinner=False)
def _ready() -> dict[str, Event]:
    """An event per part. Other processes compile into the disk cache: on several cores, and without this one's GIL."""
    ready = {part: Event() for part in PARTS}
    for parts in PROCESSES:
        Thread(target=_compile, args=(parts, ready), daemon=True).start()
    return ready


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


def wait(parts: tuple[str, ...] = FIRST_TREE) -> None:
    """Until these parts are ready; says so if that takes a moment."""
    waiting = [event for part, event in _ready().items() if part in parts and not event.is_set()]
    if waiting:
        with st.spinner("Preparing the engine: this happens once, on the first start"):
            for event in waiting:
                event.wait()
