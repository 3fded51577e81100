"""How a function becomes code of LLVM: numba's way, with less of it.

Half of the time that compiling takes goes by the amount of that code. By numba's own rules a tuple of arrays is handed
on as hundreds of numbers and copied whole wherever one of its arrays is used, and a function is compiled once more for
each number that is written out where it is called.
"""

import gc
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite import ir as llvm
from numba.core import ir, types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.core.cgutils import intp_t, pack_array
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.datamodel import default_manager, models
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineClosureLikes,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    RewriteDynamicRaises,
    WithLifting,
)
from numba.np.numpy_support import as_dtype

_NEEDLESS = (
    WithLifting, InlineClosureLikes, RewriteDynamicRaises, MakeFunctionToJitFunction, FindLiterallyCalls,
    LiteralUnroll, LiteralPropagationSubPipelinePass,
)  # fmt: skip
"""Steps for what no kernel has: functions within functions, with, raise, loops over tuples."""


def _is_plain(model) -> bool:
    """Is it of arrays that lie in memory without gaps, so that address and shape say all?"""
    return isinstance(model.fe_type, types.Array) and model.fe_type.layout == "C"


def _argument_type(model):
    if not _is_plain(model):
        return model.get_argument_type()
    return model.get_value_type().elements[model.get_field_position("data")], (intp_t,) * model.fe_type.ndim


class _Compact:
    """A named tuple of ours is handed on with the address and the shape alone of each array without gaps.

    numba hands on seven numbers of a vector, one of which counts references. Here whoever holds the tuple does that: so
    a function that Python calls must not return an array out of a tuple.
    """

    def _is_ours(self) -> bool:
        return self._fe_type.instance_class.__module__.startswith("treecore.")

    def _entries(self) -> list:
        return [self._dmm.lookup(entry) for entry in self._fe_type]

    def get_argument_type(self):
        if not self._is_ours():
            return super().get_argument_type()
        return tuple(_argument_type(model) for model in self._entries())

    def as_argument(self, builder, value):
        if not self._is_ours():
            return super().as_argument(builder, value)
        entries = enumerate(self._entries())
        return tuple(_as_argument(model, builder, builder.extract_value(value, i)) for i, model in entries)

    def from_argument(self, builder, value):
        if not self._is_ours():
            return super().from_argument(builder, value)
        whole = llvm.Constant(self.get_value_type(), llvm.Undefined)
        for i, (model, given) in enumerate(zip(self._entries(), value, strict=True)):
            whole = builder.insert_value(whole, _from_argument(model, builder, given), i)
        return whole


def _as_argument(model, builder, value):
    if not _is_plain(model):
        return model.as_argument(builder, value)
    shape = model.get(builder, value, "shape")
    return model.get(builder, value, "data"), tuple(builder.extract_value(shape, i) for i in range(model.fe_type.ndim))


def _from_argument(model, builder, given):
    """An array that counts no references."""
    if not _is_plain(model):
        return model.from_argument(builder, given)
    data, shape = given
    array, n_items, strides = llvm.Constant(model.get_value_type(), None), intp_t(1), []
    itemsize = intp_t(as_dtype(model.fe_type.dtype).itemsize)
    for length in reversed(shape):
        strides.insert(0, builder.mul(itemsize, n_items))
        n_items = builder.mul(n_items, length)
    for name, value in (("nitems", n_items), ("itemsize", itemsize), ("data", data)):
        array = model.set(builder, array, value, name)
    for name, values in (("shape", shape), ("strides", strides)):
        array = model.set(builder, array, pack_array(builder, values), name)
    return array


class _CompactTuple(_Compact, models.TupleModel):
    """Of entries of several types."""


class _CompactUniTuple(_Compact, models.UniTupleModel):
    """Of entries of one type."""


default_manager.register(types.NamedTuple, _CompactTuple)
default_manager.register(types.NamedUniTuple, _CompactUniTuple)


class _Lower(Lower):
    """Keeps what is assigned once as a value. numba does so within a block of statements only; else the variable has a
    place on the stack that it is copied to and from."""

    def _find_singly_assigned_variable(self):
        super()._find_singly_assigned_variable()
        blocks = self.func_ir.blocks
        above = compute_cfg_from_blocks(blocks).dominators()
        defined, used = _assignments(blocks), _uses(blocks)
        for name, places in defined.items():
            if len(places) == 1 and self._counts_no_reference(name):
                (at,) = places
                if all(at in above[use] and at <= use for use in used[name]):  # blocks are gone through in this order
                    self._singly_assigned_vars.add(name)

    def _counts_no_reference(self, name: str) -> bool:
        """One that does may be let go of several times, and must then be empty."""
        model = self.context.data_model_manager[self.typeof(name)]
        return not self.flags.nrt or not model.contains_nrt_meminfo()


def _assignments(blocks: dict) -> dict[str, list[int]]:
    """Variable -> the block of each assignment to it."""
    found = defaultdict(list)
    for at, block in blocks.items():
        for assignment in block.find_insts(ir.Assign):
            found[assignment.target.name].append(at)
    return found


def _uses(blocks: dict) -> dict[str, set[int]]:
    """Variable -> the other blocks where it is read or let go of."""
    found = defaultdict(set)
    for at, names in compute_use_defs(blocks).usemap.items():
        for name in names:
            found[name].add(at)
    for at, block in blocks.items():
        for deletion in block.find_insts(ir.Del):
            found[deletion.value].add(at)
    return found


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(BaseNativeLowering):
    """numba's step with the class above."""

    _name = "treecore_lowering"
    lowering_class = _Lower


class KernelCompiler(Compiler):
    """Compiles by these rules, without the steps that find nothing to do, and undisturbed."""

    def define_pipelines(self):
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            steps = [(step, said) for step, said in pipeline.passes if step not in _NEEDLESS]
            pipeline.passes[:] = [(_Lowering if step is NativeLowering else step, said) for step, said in steps]
            pipeline.finalize()
        return pipelines

    def compile_extra(self, function):
        with _garbage_kept():
            return super().compile_extra(function)


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """Search no garbage meanwhile: hardly any of the millions of objects made is any before the end."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def by_kind(dispatcher):
    """The same function, compiled for numbers, not for each number that is written out where it is called."""
    fold = dispatcher._compiler.fold_argument_types

    def fold_argument_types(arguments, named):
        signature, folded = fold(arguments, named)
        return signature, tuple(map(types.unliteral, folded))

    dispatcher._compiler.fold_argument_types = fold_argument_types
    return dispatcher
