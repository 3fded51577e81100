"""Where compiled kernels are kept on disk: never a stale one, and none is compiled again that could be the same.

numba's cache notices an edit of the file a function stands in, not of the files it calls, nor another NumPy or other
settings, and takes a copy of a file at another place for another file. So there is a folder for each compiler (what
shapes machine code besides the kernels) and in it one for each file, named after a hash of that file and of all those
it imports: an edit of a kernel leaves everything compiled that does not call it, for every copy of the package.
"""

import hashlib
import os
import re
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

import llvmlite
import numba
import numpy as np
from llvmlite import binding
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.runtime import rtsys

KERNEL_FOLDERS = ("criteria", "kernels")
PACKAGE = Path(__file__).parents[1]
MONTH = 30 * 86400
_IMPORT = re.compile(r"^\s*(?:from|import)[ \t]+(treecore[\w.]*)(?:[ \t]+import\b *(\([^)]*\)|[^\n]*))?", re.MULTILINE)


def kernel_files() -> list[Path]:
    """Every source file whose functions are compiled, and the one that compiles them."""
    found = [path for folder in KERNEL_FOLDERS for path in sorted((PACKAGE / folder).rglob("*.py"))]
    return [*found, Path(__file__).with_name("jit.py")]


def source_hash(file: Path | None = None) -> str:
    """Hash of a file and of the kernels that it imports, directly or not; without one, of all kernels.

    A file outside the package counts with its place, and what it imports from its like is not followed.
    """
    texts = _kernel_sources()
    if file is not None:
        texts = _with_imported(file, texts)
    digest = hashlib.sha256()
    for name, text in sorted(texts.items()):
        digest.update(f"{name}\0{text}\0".encode())
    return digest.hexdigest()[:16]


@cache
def _kernel_sources() -> dict[str, str]:
    """Module -> text, of every file of kernel_files."""
    return {_name(path): _text(path) for path in kernel_files()}


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def _name(path: Path) -> str:
    """The module of a file of the package; the path of any other."""
    if PACKAGE not in path.parents:
        return str(path)
    parts = ("treecore", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _with_imported(file: Path, texts: dict[str, str]) -> dict[str, str]:
    """Of all these kernels those that the file imports, they import, and so on, with the file itself."""
    found = {_name(file): _text(file)}
    waiting = list(found.values())
    while waiting:
        new = (_imported(waiting.pop()) & texts.keys()) - found.keys()
        found |= {name: texts[name] for name in new}
        waiting += [texts[name] for name in new]
    return found


@cache
def _imported(text: str) -> set[str]:
    """Every module that a source may import from the package, and the packages around it."""
    found = set()
    for module, names in _IMPORT.findall(text):
        for whole in (module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))):
            parts = whole.split(".")
            found |= {".".join(parts[:n]) for n in range(1, len(parts) + 1)}
    return found


def compiler_hash() -> str:
    """Hash of what machine code depends on besides the sources: versions, the processor, numba's settings."""
    versions = numba.__version__, llvmlite.__version__, np.__version__, sys.implementation.cache_tag
    processor = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    settings = sorted((k, v) for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR")
    return hashlib.sha256(repr((versions, processor, settings)).encode()).hexdigest()[:16]


def _cache_root() -> Path:
    """A folder the user may write to, preferring the one numba was told to use."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    home = Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    root = home / "treecore-kernels"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.gettempdir()) / f"treecore-kernels-{os.getuid() if hasattr(os, 'getuid') else 0}"


def _used(folder: Path) -> Path:
    """The folder, made where there is none, and known to be in use."""
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    return folder


def _let_go_of_old(folder: Path) -> None:
    """Remove the folders in it that nobody has used for a month."""
    now = folder.stat().st_mtime
    for other in folder.iterdir():
        if other.is_dir() and now - other.stat().st_mtime > MONTH:
            shutil.rmtree(other, ignore_errors=True)


_COMPILER_DIR = _used(_cache_root() / compiler_hash())
CACHE_DIR = str(_used(_COMPILER_DIR / source_hash()))
"""For what is known of exactly these kernels together."""
for _folder in (_COMPILER_DIR, _COMPILER_DIR.parent):
    _let_go_of_old(_folder)


@cache
def _folder_of(file: str) -> str:
    """The folder for the compiled functions of this file, as it and what it imports stand there now."""
    path = Path(file)
    return str(_used(_COMPILER_DIR / f"{path.parent.name}.{path.stem}-{source_hash(path)}"))


class _Place(_CacheLocator):
    """Tells numba the folder; its name says all about the sources."""

    def __init__(self, function, file: str):
        self._py_file, self._line = file, function.__code__.co_firstlineno
        self._folder = _folder_of(file)

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function, file: str):
        return cls(function, file)


class _Results(CompileResultCacheImpl):
    _locator_classes = (_Place,)


class KernelCache(FunctionCache):
    """Machine code that is read from the disk without what only compiling needs.

    numba imports all functions it can compile first, with SciPy's linear algebra: twice as long as all the rest that
    the first tree of a process waits for. It does so again before it compiles anything, so nothing is missed.
    """

    _impl_class = _Results

    def load_overload(self, signature, context):
        rtsys.initialize(context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(signature, context)
