"""How many there are: tables of counts, groupings, trees, hyperplanes."""

import math


def n_contingency_tables(n_attributes: int, k: int) -> int:
    """Tables that count k of the attributes together."""
    return math.comb(n_attributes, k)


def n_partitions(levels: int) -> int:
    """Ways to part so many levels into two groups, neither of them empty."""
    return 2 ** (levels - 1) - 1 if levels > 0 else 0


def power_of_functions(n_features: int) -> int:
    """The number of Boolean functions of so many Boolean features, as the power of 2 that it is."""
    return 2**n_features


def n_hyperplanes(n_rows: int, n_features: int) -> int:
    """2^d C(N, d): oblique splits that an exhaustive search has to try."""
    return 2**n_features * math.comb(n_rows, n_features)
