"""Keys: whole numbers of 32 bits in the order of a feature's values.

Numbers that fit into 32 bits have their own bits, turned so that they are ordered as the numbers are; any other column
the ranks of its values.
"""

import numpy as np

from treecore.engine.jit import float32_of, inner, jit

ABSENT = np.uint32(0xFFFFFFFF)
"""The key of a missing number."""
INFINITE = np.uint32(0xFF800000)
"""The key of positive infinity."""
NEGATIVE_INFINITE = np.uint32(0x007FFFFF)
_SIGN, _MAGNITUDE, _INFINITY_BITS = np.uint32(0x80000000), np.uint32(0x7FFFFFFF), np.uint32(0x7F800000)


@inner
def key_of(bits):
    """The key of the bits of a float32; -0.0 and 0.0 have the same one."""
    # arithmetic is in 64 bits unless it is said otherwise
    key = np.uint32(bits ^ np.uint32(_SIGN | np.uint32(np.int32(bits) >> np.int32(31))))
    key = _SIGN if bits == _SIGN else key
    return ABSENT if (bits & _MAGNITUDE) > _INFINITY_BITS else key


@inner
def number_of_key(key):
    """The number that has this key, which is not ABSENT; see numbers_of_keys."""
    return np.float64(float32_of(np.uint32(key ^ _SIGN if key >= _SIGN else ~key)))


@jit
def keys_of_bits(bits, keys):
    """keys[i] of bits[i], uint32 (n,); returns how many numbers are missing and how many infinite."""
    absent, infinite = np.uint32(0), np.uint32(0)
    for i in range(bits.shape[0]):
        key = key_of(bits[i])
        absent += np.uint32(key == ABSENT)
        infinite += np.uint32(key == INFINITE) | np.uint32(key == NEGATIVE_INFINITE)
        keys[i] = key
    return absent, infinite


def keys_uncompiled(bits: np.ndarray) -> np.ndarray:
    """What keys_of_bits writes, in NumPy: for the first table of a process."""
    keys = bits ^ ((bits.view(np.int32) >> 31).view(np.uint32) | _SIGN)
    keys[bits == _SIGN] = _SIGN
    keys[(bits & _MAGNITUDE) > _INFINITY_BITS] = ABSENT
    return keys


def numbers_of_keys(keys: np.ndarray) -> np.ndarray:
    """float64 of keys, NaN for a missing one."""
    bits = np.where(keys >= _SIGN, keys ^ _SIGN, ~keys).view(np.float32)
    return np.where(keys == ABSENT, np.nan, bits.astype(np.float64))
