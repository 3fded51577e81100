"""Which slanted conditions of two features follow from two others."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

Condition = tuple[tuple[float, float], float]
"""w, bound of w · x < bound."""


def implied(conditions: Sequence[Condition]) -> list[bool]:
    """Of each condition: does it follow from two of the others?"""
    return [
        any(follows(one, pair) for pair in combinations([c for c in conditions if c is not one], 2))
        for one in conditions
    ]


def follows(one: Condition, others: tuple[Condition, Condition]) -> bool:
    """Does w · x < bound hold wherever the two others do?

    It does if it is their sum, each times a number of at least 0, with a bound that is no smaller (Farkas' lemma).
    Two others that are multiples of each other: False.
    """
    (w, bound), (first, second) = one, others
    sides = np.array([first[0], second[0]]).T
    if abs(np.linalg.det(sides)) < 1e-12:
        return False
    times = np.linalg.solve(sides, np.array(w))
    return bool((times >= 0).all() and times @ np.array([first[1], second[1]]) <= bound)
