"""The decorators of what is compiled: numba is used here and in treecore.engine.kernel_cache only."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import numba
from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from treecore.engine.kernel_cache import KernelCache


def jit(function=None, **options):
    """Compile in nopython mode, release the GIL, keep the machine code on disk: see treecore.engine.kernel_cache."""
    if function is None:
        return lambda f: jit(f, **options)
    dispatcher = _compiled(function, **{"pipeline_class": _KernelCompiler, "no_cfunc_wrapper": True, **options})
    if isinstance(dispatcher, Dispatcher):
        dispatcher._cache = KernelCache(dispatcher)
    return dispatcher


def _compiled(function, **options):
    """The function as numba will compile it; unchanged if numba was told to compile nothing."""
    dispatcher = numba.njit(nogil=True, error_model="numpy", **options)(function)
    return _by_kind(dispatcher) if isinstance(dispatcher, Dispatcher) else dispatcher


def _by_kind(dispatcher):
    """The same function, compiled for numbers, not for each number that is written out where it is called."""
    fold = dispatcher._compiler.fold_argument_types

    def fold_argument_types(arguments, named):
        signature, folded = fold(arguments, named)
        return signature, tuple(map(types.unliteral, folded))

    dispatcher._compiler.fold_argument_types = fold_argument_types
    return dispatcher


class _KernelCompiler(Compiler):
    """Compiles while no garbage is searched."""

    def compile_extra(self, function):
        with _no_garbage_search():
            return super().compile_extra(function)


@contextmanager
def _no_garbage_search() -> Iterator[None]:
    """Search no garbage meanwhile: hardly any of the millions of objects made is any before the end."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


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


class _PartCompiler(_KernelCompiler):
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


def call_by_code(name: str, functions: list):
    """An inner function (code, stats, total, loss) that calls the function at that place of the list.

    name : that no other compiled function has. By its name code that is kept is put together with what is compiled
    later: of two functions of one name one could be taken for the other.

    Compiled code that holds a list of functions is never kept on disk: so the choice is written out, compiled with
    its callers, and kept as a part of them.
    """
    n, scope = len(functions), {"__name__": __name__} | {f"f{i}": function for i, function in enumerate(functions)}
    tests = [f"    if code == {i}:\n        return f{i}(stats, total, loss)\n" for i in range(n - 1)]
    last = f"    return f{n - 1}(stats, total, loss)\n"
    exec("".join([f"def {name}(code, stats, total, loss):\n", *tests, last]), scope)
    return _compiled(scope[name], forceinline=True, **_WITHIN)


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
