"""Functions become machine code by our rules of lowering: the same answers from less code."""

import gc
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core.datamodel import default_manager

from treecore.engine.jit import inner, jit, kernel


class Inside(NamedTuple):
    """A tuple in a tuple, of entries of one type."""

    first: np.ndarray
    second: np.ndarray


class Arrays(NamedTuple):
    """Arrays of every make that kernels are handed."""

    vector: np.ndarray
    matrix: np.ndarray
    cube: np.ndarray
    records: np.ndarray
    apart: np.ndarray
    inside: Inside
    number: float
    nothing: None


Inside.__module__ = Arrays.__module__ = "treecore.kernels.of_a_test"
RECORD = np.dtype([("a", "i8"), ("b", "f4")])


def arrays() -> Arrays:
    """Of different lengths, that no two are taken for each other."""
    vector, matrix, cube = np.arange(5.0), np.arange(6, dtype=np.int32).reshape(2, 3), np.ones((2, 3, 4), np.uint8)
    records, apart = np.zeros(3, RECORD), np.arange(12.0)[::3]
    vector.flags.writeable = False
    return Arrays(vector, matrix, cube, records, apart, Inside(np.arange(2.0), np.arange(3.0)), 0.5, None)


@kernel
def _told(given, out):
    """Sizes, steps and contents of all of them; writes into two."""
    out[0] = given.vector.size + given.matrix.size + given.cube.size + given.records.size + given.apart.size
    out[1] = given.matrix.strides[0] + given.matrix.strides[1] + given.records.strides[0] + given.apart.strides[0]
    out[2] = given.cube.strides[0] * 10000 + given.cube.strides[1] * 100 + given.cube.strides[2]
    out[3] = given.vector.itemsize + given.matrix.itemsize + given.records.itemsize
    out[4] = given.vector.sum() + given.matrix.sum() + given.cube[1].sum() + given.apart.sum() + given.number
    out[5] = given.inside.first.shape[0] * given.inside.second[2] + given.cube.shape[2]
    given.records[1].a, given.matrix[1, 2] = 7, 9


@jit
def _by_a_kernel(given, out):
    _told(given, out)


def test_a_tuple_arrives_in_a_kernel_as_it_was_handed_over():
    given, by_numba, compiled = arrays(), np.zeros(6), np.zeros(6)
    numba.njit(_told.py_func)(arrays(), by_numba)
    _by_a_kernel(given, compiled)
    assert compiled.tolist() == by_numba.tolist()
    assert compiled[:4].tolist() == [5 + 6 + 24 + 3 + 4, 12 + 4 + 12 + 24, 120401, 8 + 4 + 12]
    assert (given.records["a"].tolist(), given.matrix[1, 2]) == ([0, 7, 0], 9)


def test_tuples_of_others_are_handed_over_as_numba_does():
    class Elsewhere(NamedTuple):
        x: np.ndarray

    ours, other = numba.typeof(Inside(np.ones(1), np.ones(1))), numba.typeof(Elsewhere(np.ones(1)))
    numbers = [len(default_manager.lookup(kind).get_argument_type()[0]) for kind in (ours, other)]
    assert numbers == [2, 7]


@inner
def _plus(x, step):
    return x + step


def test_a_number_written_out_is_compiled_as_any_other():
    number = numba.types.int64
    for step in (number, numba.types.literal(1), numba.types.literal(2)):
        _plus.get_call_template((number, step), {})
    assert len(_plus.nopython_signatures) == 1


@jit
def _ways(n, twice):
    once, total = n * 3, 0
    if twice > 0:
        only_here = once + 1
        for i in range(n):
            last = i * only_here
            if last % 2 == 0:
                continue
            total += last
        once = only_here
    while total > 100:
        total -= once
    if total < 0:
        return -total
    return total + once


@pytest.mark.parametrize("n", [0, 1, 4, 9])
@pytest.mark.parametrize("twice", [0, 1])
def test_variables_keep_their_values_from_block_to_block(n, twice):
    assert _ways(n, twice) == _ways.py_func(n, twice)


@jit
def _parts(vector, turns):
    kept = vector[1:]
    for i in range(turns):
        part = kept[i:]
        made = np.empty(3)
        made[0] = part[0]
    return made, kept


def test_references_are_counted_as_before():
    vector = np.arange(50.0)
    made, kept = _parts(vector, 40)
    assert (made[0], kept[0], kept.base is not None) == (40.0, 1.0, True)
    del vector
    assert kept.sum() == sum(range(50))


@pytest.mark.parametrize("collected", [True, False])
def test_garbage_is_collected_after_compiling_as_before(collected):
    @jit
    def once(x):
        return x + 1

    (gc.enable if collected else gc.disable)()
    try:
        assert once(1) == 2
        assert gc.isenabled() == collected
    finally:
        gc.enable()
