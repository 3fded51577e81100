"""Columns that stand in one piece of memory, as those of a matrix do: they can be walked by without a copy."""

from typing import NamedTuple

import numpy as np

from treecore.kernels.routing.route import QUICK


class Flat(NamedTuple):
    """Value i of column c is numbers[offset[c] + stride * i]. numbers : read-only; offset : uint32 (columns,)."""

    numbers: np.ndarray
    offset: np.ndarray
    stride: int


def flat_of(columns: list[np.ndarray | None]) -> Flat | None:
    """Columns (n,) as they stand in memory; None where they do not stand in one piece, or a walk takes no such values.

    A None among them stands for a column that has no values that can be taken as they are.
    """
    if not columns or any(column is None for column in columns):
        return None
    whole, kind, strides = _owner(columns[0]), columns[0].dtype, columns[0].strides
    apart = any(_owner(c) is not whole or c.dtype != kind or c.strides != strides for c in columns)
    if apart or not isinstance(whole, np.ndarray) or whole.dtype != kind or kind not in QUICK:
        return None
    if not whole.flags.forc or not whole.flags.aligned or whole.size > np.iinfo(np.uint32).max or strides[0] <= 0:
        return None
    offset = np.array([_address(column) - _address(whole) for column in columns]) // kind.itemsize
    return Flat(read_only(whole.ravel(order="K")), offset.astype(np.uint32), strides[0] // kind.itemsize)


def read_only(array: np.ndarray) -> np.ndarray:
    """A view that cannot be written to: compiled functions take both kinds of array for different types."""
    view = array.view()
    view.flags.writeable = False
    return view


def _owner(array: np.ndarray):
    """What holds the memory of an array."""
    while isinstance(array, np.ndarray) and array.base is not None:
        array = array.base
    return array


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
