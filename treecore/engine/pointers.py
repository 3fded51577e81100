"""Functions of other packages, which compiled code calls by their address: no kernel is compiled anew for them."""

from collections.abc import Callable
from functools import cache

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array


@cache
def address_of(node: Callable) -> int:
    """Where the machine code of an impurity is, (statistics float64 (S,), total, loss float64 (0, 0)) -> float; it
    stays there as long as the process lives. Raises what numba raises where it cannot compile the function."""
    compiled = numba.njit(error_model="numpy")(node)

    def call(stats, n, total):
        return compiled(numba.carray(stats, n), total, numba.carray(stats, (0, 0)))

    signature = types.float64(types.CPointer(types.float64), types.intp, types.float64)
    code = numba.cfunc(signature, error_model="numpy")(call)
    _in_use.append(code)
    return code.address


_in_use: list = []
"""The machine code that addresses were given of."""


@intrinsic
def call_at(typing_context, address, stats, total):
    """What the function at this address says of statistics, float64 (S,) and contiguous, and their total."""

    def build(context, builder, signature, arguments):
        number, size = ir.DoubleType(), ir.IntType(64)
        array = make_array(stats)(context, builder, arguments[1])
        kind = ir.FunctionType(number, [number.as_pointer(), size, number])
        function = builder.inttoptr(arguments[0], kind.as_pointer())
        return builder.call(function, [array.data, array.nitems, arguments[2]])

    if isinstance(stats, types.Array) and stats.layout == "C" and stats.ndim == 1:
        return types.float64(types.int64, stats, types.float64), build
    return None
