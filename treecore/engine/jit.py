"""The only place that imports numba: compile, cache on disk, never use a stale cache.

numba's cache notices an edit of the file a function stands in, not of the files it calls, nor another NumPy or
other settings. The cache folder is therefore named after a hash of all kernel sources and of whatever else shapes
machine code: a change anywhere in them means a new folder, and the old ones are removed.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

import llvmlite
import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import rtsys
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

KERNEL_FOLDERS = ("criteria", "kernels")


def kernel_files() -> list[Path]:
    """Every source file whose functions are compiled, and this one."""
    package = Path(__file__).parents[1]
    found = [path for folder in KERNEL_FOLDERS for path in sorted((package / folder).rglob("*.py"))]
    return [*found, Path(__file__)]


def _source_hash() -> str:
    """Hash of every source file whose functions are compiled, and of what compiles them."""
    digest = hashlib.sha256(repr(_compiler()).encode())
    for path in kernel_files():
        digest.update(f"{path.parent.name}/{path.name}".encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _compiler() -> tuple:
    """What machine code depends on besides the sources: versions, the processor, numba's settings."""
    versions = numba.__version__, llvmlite.__version__, np.__version__, sys.implementation.cache_tag
    processor = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    settings = sorted((k, v) for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR")
    return versions, processor, settings


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


def _fresh_cache_dir() -> str:
    """The folder for exactly these sources; folders of other versions, unused for a month, go."""
    root = _cache_root()
    folder = root / _source_hash()
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    newest = folder.stat().st_mtime
    for other in root.iterdir():
        if other != folder and other.is_dir() and newest - other.stat().st_mtime > 30 * 86400:
            shutil.rmtree(other, ignore_errors=True)
    return str(folder)


CACHE_DIR = _fresh_cache_dir()


def jit(function=None, **options):
    """Compile in nopython mode, release the GIL, keep the machine code on disk.

    Only this decorator's functions use CACHE_DIR: numba's own setting is put back at once, so that
    other packages in the process keep theirs.
    """
    if function is None:
        return lambda f: jit(f, **options)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = CACHE_DIR
    try:
        return _quick_to_load(numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function))
    finally:
        numba.config.CACHE_DIR = before


def _quick_to_load(dispatcher):
    """Let machine code be read from the disk without what only compiling needs.

    numba imports all functions it can compile first, with SciPy's linear algebra: twice as long as all the rest that
    the first tree of a process waits for. It does so again before it compiles anything, so nothing is missed.
    """
    if not isinstance(dispatcher, Dispatcher):  # numba was told to compile nothing
        return dispatcher
    cache = dispatcher._cache

    def load_overload(signature, context):
        rtsys.initialize(context)
        with cache._guard_against_spurious_io_errors():
            return cache._load_overload(signature, context)

    cache.load_overload = load_overload
    return dispatcher


class _Part(JITCodeLibrary):
    """The code of a function that only compiled functions call: they take it in, and it is optimised with theirs.

    numba would optimise it, with all that it calls, and make machine code of it at every step of a chain of calls, of
    which only the last one is run: a third of all the time that compiling takes.
    """

    def __init__(self, context, name: str):
        super().__init__(context.codegen(), name)
        self._context = context
        self.enable_object_caching()

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        """The machine code is that of an empty module with the variables by which numba finds a function's globals."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        whole, empty = self._final_module, self._codegen._create_empty_module(self.name)
        for variable in whole.global_variables:
            if variable.name.startswith("_ZN08NumbaEnv"):
                self._context.declare_env_global(empty, variable.name)
        self._final_module = binding.parse_assembly(str(empty))
        super()._finalize_final_module()
        self._final_module = whole


class _PartCompiler(Compiler):
    """Puts what it compiles into a _Part."""

    def compile_extra(self, function):
        self.state.library = _Part(self.state.targetctx, function.__qualname__)
        return super().compile_extra(function)


_WITHIN = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False, "pipeline_class": _PartCompiler}


def inner(function):
    """A compiled function that only compiled functions call: always inlined, no way in from Python.

    Wrappers for Python would cost compile time only. It counts no references to arrays, as `kernel`.
    """
    return jit(function, forceinline=True, **_WITHIN)


def passage(function):
    """A part of the one compiled function that calls it, with a name of its own: pasted in before typing.

    Otherwise LLVM would optimise everything below it once more on its own. For single callers only.
    """
    return jit(function, inline="always", **_WITHIN)


def kernel(function):
    """A compiled function that compiled functions call, too large to be inlined.

    It counts no references to arrays: its caller holds them, and counting all that a tuple has, at every call, takes
    longer than a short loop. So it cannot make arrays, nor return one to a function that counts: see `allocating`.
    Unless told otherwise, numba inlines whatever an inlined function calls.
    """
    return jit(function, forceinline=False, **_WITHIN)


def allocating(function):
    """A kernel that makes arrays."""
    return jit(function, forceinline=False, **{**_WITHIN, "_nrt": True})


def lending(function):
    """An inner function that returns a piece or a row of an array, which others may not."""
    return jit(function, forceinline=True, **{**_WITHIN, "_nrt": True})


def by_code(functions: list):
    """An inner function (code, stats, total, loss) that calls the function at that place of the list.

    Compiled code that holds a list of functions is never kept on disk: so the choice is written out, compiled with
    its callers, and kept as a part of them.
    """
    n, scope = len(functions), {"__name__": __name__} | {f"f{i}": function for i, function in enumerate(functions)}
    tests = [f"    if code == {i}:\n        return f{i}(stats, total, loss)\n" for i in range(n - 1)]
    last = f"    return f{n - 1}(stats, total, loss)\n"
    exec("".join(["def chosen(code, stats, total, loss):\n", *tests, last]), scope)
    return numba.njit(nogil=True, error_model="numpy", forceinline=True, **_WITHIN)(scope["chosen"])


def _same_bits(given, made, made_in_llvm):
    """A compiled function that reads the bits of a value of one type as those of another."""

    def typed(typing_context, value):
        def build(context, builder, signature, arguments):
            return builder.bitcast(arguments[0], made_in_llvm)

        return made(given), build

    return intrinsic(typed)


bits_of = _same_bits(numba.types.float64, numba.types.int64, ir.IntType(64))
"""The bits of a float64 as an int64: numbers from 0 on are ordered as their bits are."""
number_of = _same_bits(numba.types.int64, numba.types.float64, ir.DoubleType())
"""The float64 that has these bits."""
float32_of = _same_bits(numba.types.uint32, numba.types.float32, ir.FloatType())
"""The float32 that has these bits."""


def _lent(context, builder, kind, data, length, itemsize):
    """A contiguous array (length,) that counts no reference to what owns its data."""
    lent = make_array(kind)(context, builder)
    populate_array(lent, data=data, shape=[length], strides=[itemsize], itemsize=itemsize, meminfo=None, parent=None)
    return lent._getvalue()


@intrinsic
def piece(typing_context, array, start, stop):
    """array[start:stop] of a contiguous array (n,), for as long as somebody else holds that array.

    A slice counts a reference, which costs more than a short loop; this does not, nor does it look at the bounds.
    """

    def build(context, builder, signature, arguments):
        whole = make_array(array)(context, builder, arguments[0])
        first, last = _as_places(context, builder, signature, arguments)
        data = builder.gep(whole.data, [first])
        return _lent(context, builder, array, data, builder.sub(last, first), whole.itemsize)

    return array(array, start, stop), build


@intrinsic
def ask_for(typing_context, array, i):
    """Ask memory for the place i of an array (n,), that it is at hand when it is read; it may lie beyond the end."""

    def build(context, builder, signature, arguments):
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        (at,) = _as_places(context, builder, signature, arguments)
        place = builder.gep(make_array(array)(context, builder, arguments[0]).data, [at])
        to_read, for_long, no_code = (ir.Constant(number, choice) for choice in (0, 3, 1))
        builder.call(prefetch, [builder.bitcast(place, byte), to_read, for_long, no_code])
        return context.get_dummy_value()

    return numba.types.void(array, i), build


@intrinsic
def row(typing_context, matrix, i):
    """matrix[i] of a contiguous matrix (n, d), under the same conditions as piece."""
    kind = matrix.copy(ndim=1)

    def build(context, builder, signature, arguments):
        whole = make_array(matrix)(context, builder, arguments[0])
        d, (at,) = cgutils.unpack_tuple(builder, whole.shape, 2)[1], _as_places(context, builder, signature, arguments)
        return _lent(context, builder, kind, builder.gep(whole.data, [builder.mul(at, d)]), d, whole.itemsize)

    return kind(matrix, i), build


def _as_places(context, builder, signature, arguments):
    """The arguments behind the array as places in it."""
    numbers = zip(arguments[1:], signature.args[1:], strict=True)
    return [context.cast(builder, value, kind, numba.types.intp) for value, kind in numbers]
