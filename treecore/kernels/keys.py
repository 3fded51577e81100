"""Keys: whole numbers of 32 bits in the order of a feature's values.

Numbers that fit into 32 bits have their own bits, turned so that they are ordered as the numbers are; any other column
the ranks of its values.
"""

import numpy as np

from treecore.jit import inner, jit

ABSENT = np.uint32(0xFFFFFFFF)
"""The key of a missing number."""
INFINITE = np.uint32(0xFF800000)
"""The key of positive infinity."""
NEGATIVE_INFINITE = np.uint32(0x007FFFFF)
_SIGN, _MAGNITUDE, _INFINITY_BITS = np.uint32(0x80000000), np.uint32(0x7FFFFFFF), np.uint32(0x7F800000)
_ROWS = 128


@inner
def key_of(bits):
    """The key of the bits of a float32; -0.0 and 0.0 have the same one."""
    # arithmetic is in 64 bits unless it is said otherwise
    key = np.uint32(bits ^ np.uint32(_SIGN | np.uint32(np.int32(bits) >> np.int32(31))))
    key = _SIGN if bits == _SIGN else key
    return ABSENT if (bits & _MAGNITUDE) > _INFINITY_BITS else key


@jit
def keys_of_rows(bits, keys, n_absent, n_infinite):
    """keys[f, row] of bits[row, f], uint32; counts of missing and of infinite numbers by feature, int64 (d,).

    Some rows at a time, so that what is read and what is written both stay near.
    """
    n, d = bits.shape
    for begin in range(0, n, _ROWS):
        stop = min(begin + _ROWS, n)
        for f in range(d):
            here, there, absent, infinite = bits[begin:stop, f], keys[f, begin:stop], np.uint32(0), np.uint32(0)
            for i in range(there.shape[0]):
                there[i] = here[i]
            for i in range(there.shape[0]):
                key = key_of(there[i])
                absent += np.uint32(key == ABSENT)
                infinite += np.uint32(key == INFINITE) | np.uint32(key == NEGATIVE_INFINITE)
                there[i] = key
            n_absent[f] += absent
            n_infinite[f] += infinite


def numbers_of_keys(keys: np.ndarray) -> np.ndarray:
    """float64 of keys, NaN for a missing one."""
    bits = np.where(keys >= _SIGN, keys ^ _SIGN, ~keys).view(np.float32)
    return np.where(keys == ABSENT, np.nan, bits.astype(np.float64))
