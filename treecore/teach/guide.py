"""What a worked example is made of: a table with its tree at a node, steps, printed and computed figures."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CRITERIA
from treecore.data.column import level_column
from treecore.data.samples import read_sample
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.fit import fit
from treecore.growing.inspect.candidates import Candidate, Candidates, candidates
from treecore.growing.search import split_worth
from treecore.recipe import Edit, Grow, Recipe, Take
from treecore.tree.tree import Tree

# Which slanted conditions of two features follow from two others.

HalfPlane = tuple[tuple[float, float], float]
"""w, bound of w · x < bound."""


def implied_half_planes(conditions: Sequence[HalfPlane]) -> list[bool]:
    """Of each condition: does it follow from two of the others?"""
    return [
        any(half_plane_follows(one, pair) for pair in combinations([c for c in conditions if c is not one], 2))
        for one in conditions
    ]


def half_plane_follows(one: HalfPlane, others: tuple[HalfPlane, HalfPlane]) -> bool:
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


# A sample table with its tree at one node, and the numbers that lecture notes ask of it.

MOST_SPLITS = 100
SPLITS_OF_A_FEATURE = 50


def node_impurity(criterion: str, *counts: float) -> float:
    """The impurity of a node with these counts of its classes, by a criterion's name."""
    return float(split_worth.impurities(CRITERIA[criterion].judge(), np.array(counts, float)))


@dataclass(frozen=True, eq=False, repr=False)
class OpenExample(Brief):
    """A sample table with all rows in training, the tree grown on them, and the node that is looked at.

    answering : the tree without what was cut by hand.
    """

    table: Table
    tree: Tree
    node: int
    answering: Tree

    @property
    def impurity(self) -> float:
        """Of the node."""
        return float(self.tree.impurity[self.node])

    @property
    def found(self) -> Candidates:
        """All splits that were possible at the node."""
        return candidates(self.tree, self.node, self.table, limit=SPLITS_OF_A_FEATURE)

    def split(self, feature: str, threshold: float | None = None) -> Candidate:
        """The best split of a feature at the node, or that at a threshold; TreecoreError where there is none."""
        splits = self.found.of(feature)
        if threshold is not None:
            splits = tuple(c for c in splits if np.isclose(c.threshold, threshold))
        if not splits:
            remedy = "The features that can be split on are: " + ", ".join({c.feature for c in self.found.ranked})
            raise TreecoreError(f"{feature!r} has no such split here", where="Worked example", remedy=remedy)
        return splits[0]

    def gain(self, feature: str, threshold: float | None = None) -> float:
        """The gain of that split."""
        return self.split(feature, threshold).gain

    def counts(self, feature: str, level: str) -> np.ndarray:
        """float64 (K,): the classes of the node's rows with this level of a feature."""
        split = self.split(feature)
        return split.stats[[level in branch for branch in split.branches].index(True)]

    def impurity_of(self, feature: str, level: str) -> float:
        """The impurity of the branch of this level."""
        return node_impurity(self.tree.criterion, *self.counts(feature, level))

    def share_of(self, feature: str, level: str, label: str) -> float:
        """The share of a class among the rows with this level."""
        counts = self.counts(feature, level)
        return float(counts[self.table.classes.index(label)] / counts.sum())

    def expected(self, feature: str) -> float:
        """The impurity that is left after the split, weighted by the branches' rows."""
        return self.impurity - self.gain(feature)

    def rows_where(self, **cells: str) -> np.ndarray:
        """bool (n_rows,): the rows with these cells, column by column."""
        here = np.ones(self.table.n_rows, bool)
        for name, cell in cells.items():
            here &= self.table.column(name).labels() == cell
        return here

    def one_row(self, cells: Mapping[str, str]) -> Table:
        """A row of these cells as a table; what is not named is missing."""
        named = (self.table.column(name) for name in self.table.features)
        columns = (level_column(c.name, c.kind, np.array([cells.get(c.name)], object), c.level_names) for c in named)
        return Table(tuple(columns), features=self.table.features)

    @property
    def error(self) -> float:
        """The share of training rows that the tree gets wrong."""
        return float((self.answering.predict(self.table) != self.table.target_column.labels()).mean())


@lru_cache(maxsize=64)
def open_example(
    sample: str, grow: Grow, conditions: tuple[str, ...] = (), edits: tuple[Edit | Take, ...] = ()
) -> OpenExample:  # fmt: skip
    """The sample, grown so, at the node that these conditions lead to; TreecoreError where no such node is."""
    table = read_sample(sample)
    fitted = fit(table, Recipe((grow, *edits)))
    tree = fitted.grown
    wanted = " AND ".join(conditions)
    for node in range(min(tree.n_nodes, MOST_SPLITS)):
        if not conditions or tree.node(node).rule == wanted:
            return OpenExample(table, tree, node, fitted.tree)
    raise TreecoreError(f"No node has the condition {wanted!r}", where="Worked example", remedy="Look at the root")


NOTES = {
    "000": "Ahmed and Pavlu, Decision Trees (lecture 1)",
    "001": "Decision Tree (notes of September 16, 2014)",
    "002": "Decision Trees (notes in Markdown, with Hunt's algorithm)",
    "003": "Doyle, Nonmetric Methods: Decision Trees (slides, 2020)",
    "004": "CS446 Machine Learning, Decision Trees (slides, spring 2017)",
}
"""The five notes by the numbers that they go by here."""
BY_HAND, TABLE_OF_OURS = "worked out by hand", "of a table of ours"
"""In place of where it is printed: figures that belong to an example and are in none of the notes."""
ROUNDED, CUT_OFF, DIFFERS = "rounded", "cut off", "differs"


def where_printed(place: str) -> str:
    """ "004: Information Gain" with the note's name in place of its number."""
    number, _, rest = place.partition(": ")
    return f"{NOTES[number]}: {rest}" if number in NOTES else place


@dataclass(frozen=True)
class Figure:
    """A number that a note prints, and how it is computed here.

    what : it is, in words. printed : as it stands there, a decimal number or a fraction such as 9/14.
    ours : of the step's table and tree. slip : what is wrong with the printed one, or with the line it stands in; ""
    where nothing is. place : where it stands, if not where its step does; BY_HAND or TABLE_OF_OURS where it is in none
    of the notes.
    """

    what: str
    printed: str
    ours: Callable[[OpenExample], float]
    slip: str = ""
    place: str = ""

    @property
    def is_printed(self) -> bool:
        """Does it stand in the notes?"""
        return self.place not in (BY_HAND, TABLE_OF_OURS)

    def agreement(self, value: float) -> str:
        """How the printed number comes from this value: ROUNDED, CUT_OFF after its last digit, or DIFFERS."""
        if "/" in self.printed:
            above, below = self.printed.split("/")
            return ROUNDED if math.isclose(value, float(above) / float(below), rel_tol=1e-9) else DIFFERS
        _, _, decimals = self.printed.partition(".")
        printed, scale = float(self.printed), 10 ** len(decimals)
        if abs(value - printed) * scale <= 0.5 + 1e-9 * max(scale, abs(value)):
            return ROUNDED
        is_cut = math.isclose(math.trunc(value * scale + 1e-9) / scale, printed, abs_tol=1e-12)
        return CUT_OFF if is_cut else DIFFERS


@dataclass(frozen=True)
class GuideStep:
    """One step of a worked example.

    title, text : what is looked at, and what to see. place : where it stands, "004: Information Gain: Outlook".
    figures : printed and computed. node : conditions from the root to the node that is selected.
    grow : how the tree is grown from here on, None for the guide's own way. edits : splits taken and nodes cut by hand,
    where the notes draw a tree that no algorithm grows. half_planes : conditions of a rule that are drawn, in two
    features.
    """

    title: str
    text: str
    place: str = ""
    figures: tuple[Figure, ...] = ()
    node: tuple[str, ...] = ()
    grow: Grow | None = None
    edits: tuple[Edit | Take, ...] = ()
    half_planes: tuple[HalfPlane, ...] = ()


@dataclass(frozen=True)
class Guide:
    """A worked example on a sample table. grow : how its tree is grown, all rows training."""

    name: str
    label: str
    sample: str
    grow: Grow
    steps: tuple[GuideStep, ...]

    def growth(self, place: int) -> Grow:
        """How the tree of step `place` (0-based) is grown."""
        return self.steps[place].grow or self.grow

    def opened(self, place: int) -> OpenExample:
        """Table, tree and node of step `place` (0-based)."""
        step = self.steps[place]
        return open_example(self.sample, self.growth(place), step.node, step.edits)


# The figures of a step as people read them: printed beside computed, with what is to be said of them.


def figure_rows(guide: Guide, place: int, more_digits: bool = False) -> list[tuple[str, str, str, str]]:
    """(what, printed, computed, remark) of every figure of a step; remark '' where there is nothing to say.

    Figures in brackets are printed in none of the notes: they were worked out by hand.
    """
    opened = guide.opened(place)
    rows = []
    for figure in guide.steps[place].figures:
        value = figure.ours(opened)
        printed = figure.printed if figure.is_printed else f"({figure.printed})"
        rows.append((figure.what, printed, computed_text(value, more_digits), remark(figure, value)))
    return rows


def computed_text(value: float, more_digits: bool = False) -> str:
    """Five significant digits, or twelve; a number that is 0 up to rounding is 0."""
    settled = 0.0 if abs(value) < 1e-12 else value
    if settled == round(settled) and abs(settled) < 1e9:
        return f"{settled:.0f}"
    return f"{settled:.12g}" if more_digits else f"{settled:.5g}"


def remark(figure: Figure, value: float) -> str:
    """How a printed figure comes about where it is not simply the rounded one."""
    if figure.slip:
        return f"{figure.what}: {figure.slip}"
    how = figure.agreement(value)
    if how == CUT_OFF:
        return f"{figure.what}: printed cut off, not rounded."
    return f"{figure.what}: the printed figure differs." if how == DIFFERS else ""
