"""Which parts of the kernels are compiled, and one process in the background that compiles the others.

A part is a group of kernels that are needed together; treecore.warm lists and compiles them. When one is in the disk
cache, a marker beside it says so. The process that compiles holds a lock on a file for as long as it lives, so there is
one per cache folder, and none is waited for that has crashed. TREECORE_BACKGROUND=0 in the environment forbids it;
TREECORE_UNCOMPILED=0 forbids to do without the kernels what NumPy could do until they are ready.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from treecore.engine.kernel_cache import CACHE_DIR, ROOT

SWITCH = "TREECORE_BACKGROUND"
WITH_INPUT = "TREECORE_ENDS_WITH_INPUT"
"""Set for a process that is to end once its standard input does."""
_forced = [os.environ.get("TREECORE_UNCOMPILED") == "0"]
_loaded: set[str] = set()
_process: list[subprocess.Popen] = []


def is_forced() -> bool:
    """Must everything be done by the kernels, whether or not they are ready?"""
    return _forced[0]


@contextmanager
def forced() -> Iterator[None]:
    """Within it everything is done by the kernels."""
    before, _forced[0] = _forced[0], True
    try:
        yield
    finally:
        _forced[0] = before


def is_loaded(part: str) -> bool:
    """Has this process the part's kernels in memory?"""
    return part in _loaded


def is_any_loaded() -> bool:
    """Has this process any part's kernels in memory? The first one takes longest: numba gets ready for itself."""
    return bool(_loaded)


def is_cached(part: str) -> bool:
    """Are the part's kernels in the disk cache, as the sources stand there?"""
    return _marker(part).exists()


def is_ready(part: str) -> bool:
    """Need nothing be compiled to use the part?"""
    return is_loaded(part) or is_cached(part)


def note(part: str) -> None:
    """Remember that this process has used the part's kernels: they are in memory, and in the disk cache."""
    if part not in _loaded:
        _loaded.add(part)
        with suppress(OSError):  # a cache that cannot be written to is none
            _marker(part).touch()
            _request(part).unlink(missing_ok=True)


def _marker(part: str) -> Path:
    return Path(CACHE_DIR) / f"{part}.ready"


def _request(part: str) -> Path:
    return Path(CACHE_DIR) / f"{part}.awaited"


def is_awaited(part: str) -> bool:
    """Does somebody wait for the part?"""
    return _request(part).exists()


def ask_for(parts: tuple[str, ...]) -> None:
    """Let the process in the background, once there is one, take these parts next: somebody waits for them."""
    with suppress(OSError):
        for part in parts:
            if not is_cached(part):
                _request(part).touch()


def start(parts: tuple[str, ...]) -> None:
    """Let a process in the background compile these parts, unless one is at work or none may be.

    It ends with this one, however that ends, and is told so by its standard input, which this one alone holds; the
    next one finds what was compiled by then.
    """
    if all(map(is_cached, parts)) or not _may_start() or is_running():
        return
    command = [sys.executable, "-m", "treecore.warm", *parts]
    with suppress(OSError):
        root = Path(__file__).resolve().parents[2]
        environment = os.environ | {WITH_INPUT: "1", "TREECORE_KERNELS": str(ROOT)}
        environment |= {SWITCH: "0"}  # it must not start another one
        process = subprocess.Popen(
            command,
            cwd=root,
            env=environment,
            start_new_session=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _process[:] = [process]


def _may_start() -> bool:
    """Not where it is forbidden or in vain, nor where this program is no Python that could be started again."""
    name = Path(sys.executable or "").stem.lower()
    is_python = name.startswith("python") and not getattr(sys, "frozen", False)
    return os.environ.get(SWITCH) != "0" and is_python and os.access(CACHE_DIR, os.W_OK)


def is_running() -> bool:
    """Is a process compiling, here or started from elsewhere?"""
    if _process and _process[0].poll() is None:
        return True
    try:
        held = lock()
    except OSError:
        return False
    if held is not None:
        held.close()
    return held is None


def lock() -> IO | None:
    """The lock of the cache folder, held until the file is closed or the process ends; None if another one has it.

    Raises OSError where the folder does not allow locks.
    """
    file = (Path(CACHE_DIR) / "compiling.lock").open("a")
    try:
        _lock(file)
    except (BlockingIOError, PermissionError):
        file.close()
        return None
    except OSError:
        file.close()
        raise
    return file


def _lock(file: IO) -> None:
    """BlockingIOError or PermissionError where another process has it."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        return
    import fcntl

    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
