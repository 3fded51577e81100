"""Boxes of a grid of cells: for every variable the values it admits, as bits; and the fewest that cover some cells."""

import numpy as np

Box = tuple[int, ...]
MOST_PRIMES, MOST_COMPARED, MOST_SECONDS = 2000, 2_000_000, 3.0
"""Beyond so many boxes, or pairs of them compared, those found so far have to do, and beyond so many seconds the cover
of the first that fit."""


def primes(wanted: np.ndarray) -> tuple[list[Box], bool]:
    """(boxes of wanted cells, bool (sizes of the variables...), are these all that cannot be made larger).

    First boxes are made as large as they can be until every wanted cell is in one; then their consensus is added until
    there is nothing new. Source: Quine (1955), A way to simplify truth functions, for many-valued variables.
    """
    found = _cover(wanted)
    waiting, compared = list(found), 0
    while waiting:
        box = waiting.pop()
        if box not in found:
            continue
        for other in list(found):
            for new in _consensus(box, other):
                compared += len(found)
                if any(_within(new, old) for old in found):
                    continue
                found = [old for old in found if not _within(old, new)]
                found.append(new)
                waiting.append(new)
        if len(found) > MOST_PRIMES or compared > MOST_COMPARED:
            return sorted(found), False
    return sorted(found), True


def fewest(boxes: list[Box], wanted: np.ndarray) -> tuple[list[Box], bool]:
    """(boxes that cover all wanted cells, are they the fewest, and of the fewest those with the fewest conditions)."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    cells = np.flatnonzero(wanted)
    covered = np.stack([cells_of(box, wanted.shape).ravel()[cells] for box in boxes], axis=1)
    conditions = np.array([n_conditions(box, wanted.shape) for box in boxes], float)
    cost = conditions + len(wanted.shape) * len(boxes) + 1
    rows = LinearConstraint(np.unique(covered, axis=0).astype(float), lb=1)
    found = milp(cost, constraints=rows, integrality=1, bounds=Bounds(0, 1), options={"time_limit": MOST_SECONDS})
    if found.x is None:
        return _irredundant(boxes, covered), False
    return [box for box, taken in zip(boxes, found.x > 0.5, strict=True) if taken], found.status == 0


def cells_of(box: Box, sizes: tuple[int, ...]) -> np.ndarray:
    """bool (sizes...): the cells in the box."""
    inside = np.ones(sizes, bool)
    for axis, (bits, size) in enumerate(zip(box, sizes, strict=True)):
        shape = [1] * len(sizes)
        shape[axis] = size
        inside &= values_of(bits, size).reshape(shape)
    return inside


def values_of(bits: int, size: int) -> np.ndarray:
    """bool (size,): the values that are admitted."""
    return np.array([bits >> value & 1 for value in range(size)], bool)


def n_conditions(box: Box, sizes: tuple[int, ...]) -> int:
    """Variables that do not admit everything."""
    return sum(bits != (1 << size) - 1 for bits, size in zip(box, sizes, strict=True))


def _cover(wanted: np.ndarray) -> list[Box]:
    left, found = wanted.copy(), []
    while left.any():
        cell = np.unravel_index(int(np.argmax(left)), wanted.shape)
        box = _grown(tuple(1 << int(value) for value in cell), wanted)
        found.append(box)
        left &= ~cells_of(box, wanted.shape)
    return found


def _grown(box: Box, wanted: np.ndarray) -> Box:
    """As large as it can be: first all of a variable at once, then value by value."""
    for axis, size in enumerate(wanted.shape):
        for bits in ((1 << size) - 1, *(1 << value for value in range(size))):
            larger = (*box[:axis], box[axis] | bits, *box[axis + 1 :])
            if wanted[cells_of(larger, wanted.shape)].all():
                box = larger
    return box


def _consensus(a: Box, b: Box):
    """Boxes within both together that are whole along one variable."""
    both = [x & y for x, y in zip(a, b, strict=True)]
    for axis in range(len(a)):
        if all(bits or i == axis for i, bits in enumerate(both)):
            yield (*both[:axis], a[axis] | b[axis], *both[axis + 1 :])


def _within(a: Box, b: Box) -> bool:
    return all(x & ~y == 0 for x, y in zip(a, b, strict=True))


def _irredundant(boxes: list[Box], covered: np.ndarray) -> list[Box]:
    """Those of most cells first, each for cells that none before it has."""
    taken, left = [], np.ones(len(covered), bool)
    while left.any():
        best = int(np.argmax(covered[left].sum(axis=0)))
        taken.append(boxes[best])
        left &= ~covered[:, best]
    return taken
