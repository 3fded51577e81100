"""Getting the kernels ready while the user is still choosing a file."""

import subprocess
import sys
from pathlib import Path

import streamlit as st

from treecore.warm import PARTS

ROOT = Path(__file__).resolve().parents[2]


@st.cache_resource(show_spinner=False)
def _compilers() -> dict[str, subprocess.Popen]:
    """Processes that compile into the disk cache: on every core, and without holding this process's GIL."""

    def start(part: str) -> subprocess.Popen:
        command = [sys.executable, "-m", "treecore.warm", part]
        return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    return {part: start(part) for part in PARTS}


def prepare() -> None:
    """Start compiling, once per server."""
    _compilers()


def wait() -> None:
    """Until everything a first tree needs is ready; says so if that takes a moment."""
    waiting = [compiler for compiler in _compilers().values() if compiler.poll() is None]
    if waiting:
        with st.spinner("Preparing the engine: this happens once, on the first start"):
            for compiler in waiting:
                compiler.wait()
