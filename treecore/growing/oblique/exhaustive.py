"""Every hyperplane that parts the rows of a small node in a way of its own."""

import itertools
from math import comb

import numpy as np

from treecore.errors import TreecoreError
from treecore.growing.oblique.cases import Cases

MOST = 300_000
NUDGE = 1e-6
"""By how much, in deviations, a hyperplane passes the rows that it is laid through."""


def n_hyperplanes(n: int, d: int) -> int:
    """2^d · C(n, d): hyperplanes through d of n rows, each of them on either side. Source: Heath (1992)."""
    return 2**d * comb(n, d)


def all_best(cases: Cases, _random=None) -> np.ndarray:
    """float64 (1, d): the direction of the hyperplane that leaves the fewest bits, over all of them.

    With no more rows than features, those are parted by every direction in general position; none is looked for then.
    Raises TreecoreError where there are more than MOST.
    """
    (n, d), best, found = cases.x.shape, np.inf, None
    if n_hyperplanes(n, d) > MOST:
        raise TreecoreError(
            f"{n} rows and {d} features have {n_hyperplanes(n, d):,} hyperplanes to be tried".replace(",", " "),
            where="oblique",
            remedy=f"At most {MOST:,} are: choose hill climbing, or fewer rows or features".replace(",", " "),
        )
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=d)))
    for rows in itertools.combinations(range(n), d):
        corner = np.column_stack([cases.x[list(rows)], np.ones(d)])
        plane = np.linalg.svd(corner)[2][-1]
        if np.linalg.norm(plane[:-1]) < 1e-9:
            continue
        plane = plane / np.linalg.norm(plane[:-1])
        nudges = NUDGE * signs @ np.linalg.pinv(corner).T
        for w in plane + nudges:
            low = cases.x @ w[:-1] + w[-1] <= 0
            if not 0 < np.count_nonzero(low) < n:
                continue
            bits = float(cases.bits_of_sides(cases.sums[low].sum(axis=0)[None])[0])
            if bits < best - 1e-9:
                best, found = bits, w[:-1]
    return np.empty((0, d)) if found is None else found[None]
