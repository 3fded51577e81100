"""The decorators of what is compiled: numba is used here, in treecore.engine.kept and in its lowering only."""

import numba
from llvmlite import binding, ir
from llvmlite.binding import Linkage
from llvmlite.binding.newpassmanagers import create_new_module_pass_manager
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from treecore.engine.kept import KernelCache
from treecore.engine.lowering import KernelCompiler, by_kind


def jit(function=None, **options):
    """Compile in nopython mode, release the GIL, keep the machine code on disk: see treecore.engine.kept.

    What it returns is no array out of a tuple that it was given: see treecore.engine.lowering.
    """
    if function is None:
        return lambda f: jit(f, **options)
    dispatcher = _compiled(function, **{"pipeline_class": _WholeCompiler, "no_cfunc_wrapper": True, **options})
    if isinstance(dispatcher, Dispatcher):
        dispatcher._cache = KernelCache(function)
    return dispatcher


def _compiled(function, **options):
    """The function as numba will compile it; unchanged if numba was told to compile nothing."""
    dispatcher = numba.njit(nogil=True, error_model="numpy", **options)(function)
    return by_kind(dispatcher) if isinstance(dispatcher, Dispatcher) else dispatcher


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


class _Whole(JITCodeLibrary):
    """The code of a function that Python calls, with all that it calls.

    Nobody else calls what is in it, so that kernels are handed only what they need: little of most tuples.
    """

    def __init__(self, context, name: str):
        super().__init__(context.codegen(), name)
        self.enable_object_caching()

    def _optimize_final_module(self):
        self._link(Linkage.linkonce_odr, Linkage.internal)
        passes = create_new_module_pass_manager()
        passes.add_dead_arg_elimination_pass()
        passes.run(self._final_module, self._codegen._pass_builder())
        self._link(Linkage.internal, Linkage.linkonce_odr)  # else whatever is called once would be inlined
        super()._optimize_final_module()
        self._link(Linkage.linkonce_odr, Linkage.internal)  # another module's may be handed something else

    def _link(self, old: Linkage, new: Linkage):
        """Link the parts in another way than before."""
        for function in self._final_module.functions:
            if function.linkage == old and function.name.startswith("_ZN8treecore"):
                function.linkage = new


class _WholeCompiler(KernelCompiler):
    """Puts what it compiles into a _Whole."""

    def compile_extra(self, function):
        self.state.library = _Whole(self.state.targetctx, function.__qualname__)
        return super().compile_extra(function)


class _PartCompiler(KernelCompiler):
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
    return _compiled(scope["chosen"], forceinline=True, **_WITHIN)


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
