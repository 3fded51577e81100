"""How many bits it takes to tell somebody who knows the rows, but not their classes, a tree and the classes.

A leaf costs leaf_bits, an inner node split_bits and then what its branches cost. A subtree is worth keeping where
the bits of its nodes together are fewer than those of a leaf in its place.
Source: Quinlan & Rivest (1989), Inferring decision trees using the minimum description length principle,
Information and Computation 80; numeric cuts and groups of levels are told by their number among those possible.
"""

import math
from collections.abc import Iterable


def leaf_bits(counts: Iterable[float]) -> float:
    """1 (it is a leaf) + log2 K (its class) + the bits of the exceptions.

    counts : float64 (K,), weight of every class of the target, those without rows here included.
    """
    counts = list(counts)
    return 1.0 + math.log2(len(counts)) + exception_bits(counts)


def split_bits(n_features: int, log2_tests: float) -> float:
    """1 (it is no leaf) + log2 of the features to choose from + log2 of the tests of the one chosen.

    n_features : with two values or more among the node's rows. log2_tests : 0 where the feature allows one test only.
    """
    return 1.0 + math.log2(n_features) + log2_tests


def exception_bits(counts: Iterable[float]) -> float:
    """Which rows are not of the most frequent class, then which of these are not of the next one, and so on.

    Each step tells k exceptions among n rows in string_bits(n, k, b), b being the most that there can be, and after
    the first one which class comes next. counts : as for leaf_bits; fractions of rows are allowed.
    """
    left = sorted(counts, reverse=True)
    bits = 0.0
    for j in range(len(left) - 1):
        n, n_classes = math.fsum(left[j:]), len(left) - j
        exceptions = math.fsum(left[j + 1 :])
        bits += math.log2(n_classes) if j else 0.0
        bits += string_bits(n, exceptions, math.floor(n * (1 - 1 / n_classes) + 1e-9))
        if exceptions <= 0:
            break
    return bits


def string_bits(n: float, k: float, b: int) -> float:
    """L(n, k, b) = log2(b + 1) + log2 C(n, k): a string of n bits of which k <= b are ones."""
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.log2(b + 1) + ways / math.log(2)
