"""Getting the kernels ready while the user is still choosing a file."""

import subprocess
import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parents[2]


@st.cache_resource(show_spinner=False)
def _compiler() -> subprocess.Popen:
    """A process that compiles into the disk cache: on another core, and without holding this one's GIL."""
    return subprocess.Popen(
        [sys.executable, "-m", "treecore.warm"], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def prepare() -> None:
    """Start compiling, once per server."""
    _compiler()


def wait() -> None:
    """Until the kernels are ready; says so if that takes a moment."""
    compiler = _compiler()
    if compiler.poll() is None:
        with st.spinner("Preparing the engine: this happens once, on the first start"):
            compiler.wait()
