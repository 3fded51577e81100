"""Where compiled kernels are kept on disk: never a stale one, and none is compiled again that could be the same.

numba's cache notices an edit of the file a function stands in, not of the files it calls, nor another NumPy or other
settings, and takes a copy of a file at another place for another file. So there is a folder for each compiler (what
shapes machine code besides the kernels) and in it one for each function, named after a hash of its code and of all that
it calls: an edit of a kernel leaves everything compiled that does not call it, for every copy of the package.
"""

import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import llvmlite
import numba
import numpy as np
from llvmlite import binding
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.runtime import rtsys

from treecore.engine.own_folder import is_own, own_folder

# What the machine code of a compiled function depends on: its own code and that of all it calls, not their files.
#
# Comments, places in a file and functions that are not called change nothing, so an edit of a kernel leaves everything
# compiled that does not call what was edited. Two copies of the package have the same hashes.

_dependencies: dict[object, tuple[str, tuple]] = {}


def code_hash(compiled) -> str:
    """Hash of a compiled function (with py_func and targetoptions) and of all that it calls, directly or not.

    Asked when it is first called: what it calls may stand below it.
    """
    result, waiting = {}, [compiled]
    while waiting:
        one = waiting.pop()
        if one not in result:
            result[one], called = _own(one)
            waiting += called
    return hashlib.sha256("\0".join(sorted(result.values())).encode()).hexdigest()[:16]


def layout(kind) -> tuple:
    """The names of the fields of a type of numba, with those of its parts: compiled code knows a field by its place."""
    fields = getattr(getattr(kind, "instance_class", None), "_fields", ())
    return (*fields, *(inner for part in getattr(kind, "types", ()) if (inner := layout(part))))


def _own(compiled) -> tuple[str, tuple]:
    """(all that counts of this function alone, the compiled functions that it names)."""
    if compiled not in _dependencies:
        options = sorted((name, str(value)) for name, value in compiled.targetoptions.items())
        called: list = []
        _dependencies[compiled] = f"{options}\0{_text(compiled.py_func, called)}", tuple(called)
    return _dependencies[compiled]


def _text(function: FunctionType, called: list) -> str:
    """A function's name, code and what it names; the compiled functions among that are added to the list."""
    named = (f"{name}={_value(value, called)}" for name, value in _named(function))
    return "\0".join((_place(function), *_code(function.__code__), *named))


def _code(code: CodeType) -> Iterator[str]:
    """What the bytecode says, with that of functions written within, but for docstrings and lines."""
    yield from (code.co_code.hex(), repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)))
    yield repr((code.co_argcount, code.co_kwonlyargcount, code.co_flags))
    for place, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            yield from _code(constant)
        elif isinstance(constant, frozenset):
            yield repr(sorted(map(repr, constant)))
        elif place or not isinstance(constant, str):  # the first one is the docstring, where there is one
            yield repr(constant)


def _named(function: FunctionType) -> Iterator[tuple[str, object]]:
    """(name, value) of whatever a function may take from outside: more than it does where an attribute is called so."""
    names, scope = _names(function.__code__), function.__globals__
    yield from ((name, scope[name]) for name in names if name in scope)
    for module in {id(v): v for name in names if isinstance(v := scope.get(name), ModuleType)}.values():
        if module.__name__.split(".")[0] == __name__.split(".")[0]:
            yield from ((f"{module.__name__}.{name}", getattr(module, name)) for name in names if hasattr(module, name))
    yield from zip(function.__code__.co_freevars, (c.cell_contents for c in function.__closure__ or ()), strict=True)
    yield "", function.__defaults__


def _names(code: CodeType) -> list[str]:
    within = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return sorted({*code.co_names, *(name for names in within for name in names)})


def _value(value: object, called: list) -> str:
    """A value that a function names; a compiled function is added to the list instead.

    What is neither known nor written by its repr has its address there: then nothing kept is found, and nothing wrong.
    """
    if hasattr(value, "py_func"):
        called.append(value)
        return _place(value.py_func)
    if hasattr(value, "_defn"):  # it writes LLVM's own words where it is called
        return _text(value._defn, called)
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, type):
        return repr((_place(value), getattr(value, "_fields", ())))
    if hasattr(value, "tobytes"):
        return repr((str(value.dtype), value.shape, value.tobytes()))
    return _place(value) if getattr(value, "__module__", None) and hasattr(value, "__qualname__") else repr(value)


def _place(named) -> str:
    return f"{named.__module__}.{named.__qualname__}"


KERNEL_FOLDERS = ("criteria", "kernels")
PACKAGE = Path(__file__).parents[1]
MONTH = 30 * 86400


COMPILERS = tuple(Path(__file__).with_name(name) for name in ("jit.py", "pointers.py"))
"""How functions are compiled, and how they call others by their address."""


def kernel_files() -> list[Path]:
    """Every source file whose functions are compiled, and those that compile them."""
    result = [path for folder in KERNEL_FOLDERS for path in sorted((PACKAGE / folder).rglob("*.py"))]
    return [*result, *COMPILERS]


def source_hash() -> str:
    """Hash of all kernels."""
    digest = hashlib.sha256()
    for path in kernel_files():
        digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0{path.read_text('utf-8')}\0".encode())
    return digest.hexdigest()[:16]


def compiler_hash() -> str:
    """Hash of what machine code depends on besides its function: versions, the processor, numba's settings, and how
    functions are compiled here."""
    versions = numba.__version__, llvmlite.__version__, np.__version__, sys.implementation.cache_tag
    processor = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    settings = sorted((k, v) for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR")
    how = "".join(path.read_text("utf-8") for path in COMPILERS)
    return hashlib.sha256(repr((versions, processor, settings, how)).encode()).hexdigest()[:16]


def _cache_root() -> Path:
    """A folder that the user may write to, preferring the one numba was told to use, and nobody else: what is read from
    it is run."""
    if given := os.environ.get("TREECORE_KERNELS"):  # of the process that has started this one
        return Path(given)
    named = os.environ.get("NUMBA_CACHE_DIR")
    home = Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    root = home / "treecore-kernels"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            if named or is_own(root.stat(), others=stat.S_IWOTH):  # whom one shares a group with, one trusts at home
                return root
    except OSError:
        pass
    return own_folder("treecore-kernels")


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


ROOT = _cache_root()
_COMPILER_DIR = _used(ROOT / compiler_hash())
CACHE_DIR = str(_used(_COMPILER_DIR / source_hash()))
"""For what is known of exactly these kernels together."""
_let_go_of_old(_COMPILER_DIR.parent)


@cache
def _tidy() -> None:
    """Once in a process that compiles: looking at a folder for each function would delay the first tree."""
    _let_go_of_old(_COMPILER_DIR)


class _Place:
    """Tells numba the folder; its name says all about the function."""

    def __init__(self, compiled):
        function = compiled.py_func
        self._py_file = function.__code__.co_filename
        name = re.sub(r"\W+", "-", f"{function.__module__.split('.')[-1]}.{function.__qualname__}")
        self._folder = _COMPILER_DIR / f"{name}-{code_hash(compiled)}"

    def get_cache_path(self) -> str:
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        _used(self._folder)


class _Results(CompileResultCacheImpl):
    """Reads and writes what is compiled, in the place of its function."""

    def __init__(self, compiled):
        self._locator, self._lineno = _Place(compiled), compiled.py_func.__code__.co_firstlineno


class _Index(IndexDataCacheFile):
    """What is kept of one function, by the types it takes: nothing, where another version of the package has kept code
    there for a class that this one does not have."""

    def _load_index(self):
        try:
            return super()._load_index()
        except (AttributeError, ImportError):
            return {}


class KernelCache(FunctionCache):
    """Machine code that is read from the disk without what only compiling needs.

    numba imports all functions it can compile first, with SciPy's linear algebra: twice as long as all the rest that
    the first tree of a process waits for. It does so again before it compiles anything, so nothing is missed.
    """

    def __init__(self, compiled):
        self._compiled, self._py_func, self._name = compiled, compiled.py_func, repr(compiled.py_func)
        self.enable()

    @cached_property
    def _impl(self):
        """Made when the function is first called: only then all that it calls is known to be there."""
        return _Results(self._compiled)

    @property
    def _cache_path(self) -> str:
        return self._impl.locator.get_cache_path()

    @cached_property
    def _cache_file(self):
        folder = self._cache_path
        with suppress(OSError):
            os.utime(folder)  # it is in use
        return _Index(folder, "code", "")

    def _index_key(self, signature, codegen):
        return (*super()._index_key(signature, codegen), tuple(map(layout, signature)))

    def save_overload(self, signature, data):
        _tidy()
        super().save_overload(signature, data)

    def load_overload(self, signature, context):
        rtsys.initialize(context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(signature, context)
