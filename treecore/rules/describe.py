"""A class in one line: the shortest OR of ANDs that says where a tree answers it."""

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np

from treecore.errors import TreecoreError
from treecore.rules.condition import Interval, LevelSet
from treecore.rules.from_tree import path_rules
from treecore.tree.oblique import own_parts
from treecore.tree.predict import predicted_labels
from treecore.tree.schema import FeatureSchema
from treecore.tree.tree import Tree

# Boxes of a grid of cells: for every variable the values it admits, as bits; and the fewest that cover some cells.

Box = tuple[int, ...]
MOST_PRIMES, MOST_COMPARED, MOST_SECONDS = 2000, 2_000_000, 3.0
"""Beyond so many boxes, or pairs of them compared, those found so far have to do, and beyond so many seconds the cover
of the first that fit."""


def primes(wanted: np.ndarray) -> tuple[list[Box], bool]:
    """(boxes of wanted cells, bool (sizes of the variables...), are these all that cannot be made larger).

    First boxes are made as large as they can be until every wanted cell is in one; then their consensus is added until
    there is nothing new. Source: Quine (1955), A way to simplify truth functions, for many-valued variables.
    """
    boxes = _cover(wanted)
    waiting, compared = list(boxes), 0
    while waiting:
        box = waiting.pop()
        if box not in boxes:
            continue
        for other in list(boxes):
            for new in _consensus(box, other):
                compared += len(boxes)
                if any(_within(new, old) for old in boxes):
                    continue
                boxes = [old for old in boxes if not _within(old, new)]
                boxes.append(new)
                waiting.append(new)
        if len(boxes) > MOST_PRIMES or compared > MOST_COMPARED:
            return sorted(boxes), False
    return sorted(boxes), True


def fewest(boxes: list[Box], wanted: np.ndarray) -> tuple[list[Box], bool]:
    """(boxes that cover all wanted cells, are they the fewest, and of the fewest those with the fewest conditions)."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    cells = np.flatnonzero(wanted)
    covered = np.stack([cells_of(box, wanted.shape).ravel()[cells] for box in boxes], axis=1)
    conditions = np.array([n_conditions(box, wanted.shape) for box in boxes], float)
    cost = conditions + len(wanted.shape) * len(boxes) + 1
    rows = LinearConstraint(np.unique(covered, axis=0).astype(float), lb=1)
    solution = milp(cost, constraints=rows, integrality=1, bounds=Bounds(0, 1), options={"time_limit": MOST_SECONDS})
    if solution.x is None:
        return _irredundant(boxes, covered), False
    return [box for box, taken in zip(boxes, solution.x > 0.5, strict=True) if taken], solution.status == 0


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
    left, boxes = wanted.copy(), []
    while left.any():
        cell = np.unravel_index(int(np.argmax(left)), wanted.shape)
        box = _grown(tuple(1 << int(value) for value in cell), wanted)
        boxes.append(box)
        left &= ~cells_of(box, wanted.shape)
    return boxes


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


MOST_CELLS = 20_000
"""Combinations of values that a tree can tell apart; every one is looked at."""


@dataclass(frozen=True)
class Description:
    """terms : the conditions of each AND, in words; () for a class that nothing gets, ((),) for one that all get.
    exact : nothing shorter says the same: fewer terms, or as many with fewer conditions. n_paths : of the tree, each an
    AND of its own."""

    said: str
    terms: tuple[tuple[str, ...], ...]
    exact: bool
    n_paths: int

    @property
    def text(self) -> str:
        """In one line."""
        if not self.terms:
            return "never"
        ands = [" AND ".join(term) or "always" for term in self.terms]
        return " OR ".join(f"({term})" if " AND " in term and len(ands) > 1 else term for term in ands)


@dataclass(frozen=True)
class _Variable:
    """A feature that the tree asks for. values : float64 (n,), one of every kind that it tells apart. ends : between
    neighbours, (number, does it belong to what is below); () for levels."""

    index: int
    feature: FeatureSchema
    values: np.ndarray
    ends: tuple[tuple[float, bool], ...] = ()


def describe(tree: Tree) -> tuple[Description, ...]:
    """The description of each class, of rows that have all values.

    A weighted sum is taken for a feature of its own: nothing is then said to be the shortest where another condition is
    about the same features, as some combinations of the two never come. TreecoreError for a tree that answers with
    numbers, and for one that tells apart more than 20,000 combinations.
    """
    if not tree.classes:
        remedy = "Choose a target of words"
        raise TreecoreError("Only classes can be described, this tree answers with numbers", remedy=remedy)
    own, features = _own(tree), tuple(replace(f, terms=()) for f in tree.schema.features)
    tree = replace(tree, schema=replace(tree.schema, features=features))
    variables = _variables(tree)
    asked = [f for variable in variables for f in own[variable.index]]
    sizes = tuple(len(variable.values) for variable in variables)
    if math.prod(sizes) > MOST_CELLS:
        what = f"The tree tells {math.prod(sizes):,} combinations of values apart, {MOST_CELLS:,} can be looked at"
        raise TreecoreError(what, where="A class in one line", remedy="Prune the tree")
    labels = _labels(tree, variables).reshape(sizes)
    paths = np.bincount(np.maximum(tree.value[tree.is_leaf], 0), minlength=len(tree.classes))
    described = (_described(name, labels == k, variables, int(paths[k])) for k, name in enumerate(tree.class_names))
    free = len(asked) == len(set(asked))
    return tuple(replace(description, exact=description.exact and free) for description in described)


def _own(tree: Tree) -> list[set[int]]:
    """Indices of the features that each feature is about: itself, or the terms of a weighted sum."""
    return [own_parts(tree.schema, [f]) for f in range(len(tree.schema.features))]


def _described(name: str, wanted: np.ndarray, variables: tuple[_Variable, ...], n_paths: int) -> Description:
    if not wanted.any() or wanted.all():
        return Description(name, ((),) if wanted.all() else (), True, n_paths)
    boxes, is_all = primes(wanted)
    taken, is_least = fewest(boxes, wanted)
    return Description(name, tuple(_terms(box, variables) for box in taken), is_all and is_least, n_paths)


def _labels(tree: Tree, variables: tuple[_Variable, ...]) -> np.ndarray:
    """int64: what the tree answers for every combination, the last variable changing fastest."""
    grid = np.meshgrid(*(variable.values for variable in variables), indexing="ij")
    rows = np.zeros((math.prod(len(v.values) for v in variables), len(tree.schema.features)))
    for variable, values in zip(variables, grid, strict=True):
        rows[:, variable.index] = values.ravel()
    return predicted_labels(tree, rows)


def _variables(tree: Tree) -> tuple[_Variable, ...]:
    ends: dict[int, set] = {}
    for condition in (c for rule in path_rules(tree) for c in rule.conditions):
        ends_of_feature = ends.setdefault(condition.index, set())
        if isinstance(condition.asked, Interval) and condition.feature.numeric:
            asked = condition.asked
            ends_of_feature |= {(asked.low, not asked.low_closed)} if math.isfinite(asked.low) else set()
            ends_of_feature |= {(asked.high, asked.high_closed)} if math.isfinite(asked.high) else set()
    return tuple(
        _variable(index, tree.schema.features[index], sorted(ends_of_feature))
        for index, ends_of_feature in sorted(ends.items())
    )


def _variable(index: int, feature: FeatureSchema, ends: list[tuple[float, bool]]) -> _Variable:
    if not feature.numeric:
        return _Variable(index, feature, np.arange(len(feature.levels), dtype=float))
    numbers = [end for end, _ in ends]
    inner = [low if low == high else low / 2 + high / 2 for low, high in itertools.pairwise(numbers)]
    outer = (np.nextafter(numbers[0], -np.inf) - 1, np.nextafter(numbers[-1], np.inf) + 1) if ends else (0.0,)
    return _Variable(index, feature, np.array([outer[0], *inner, *outer[1:]]), tuple(ends))


def _terms(box: Box, variables: tuple[_Variable, ...]) -> tuple[str, ...]:
    masks = [values_of(bits, len(v.values)) for bits, v in zip(box, variables, strict=True)]
    return tuple(_term_text(mask, variable) for mask, variable in zip(masks, variables, strict=True) if not mask.all())


def _term_text(mask: np.ndarray, variable: _Variable) -> str:
    feature = variable.feature
    if feature.numeric or feature.kind == "ordinal":
        starts = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(int), [0]])))
        runs = [_run_text(variable, int(a), int(b)) for a, b in zip(starts[::2], starts[1::2], strict=True)]
        return runs[0] if len(runs) == 1 else f"({' or '.join(runs)})"
    inside = frozenset(np.flatnonzero(mask).tolist())
    outside = frozenset(range(len(mask))) - inside
    few = inside if len(inside) == 1 or len(inside) <= len(outside) else outside
    text = LevelSet(few, frozenset(range(len(mask)))).text(feature)
    return text if few is inside else f"NOT {text}"


def _run_text(variable: _Variable, start: int, stop: int) -> str:
    """Neighbouring values from the one at `start` up to the one before `stop`."""
    last = len(variable.values)
    if not variable.feature.numeric:
        low, high = (start - 0.5 if start else -math.inf), (stop - 0.5 if stop < last else math.inf)
        return Interval(low, high).text(variable.feature)
    low, below = variable.ends[start - 1] if start else (-math.inf, False)
    high, closed = variable.ends[stop - 1] if stop < last else (math.inf, True)
    return Interval(low, high, not below, closed).text(variable.feature)
