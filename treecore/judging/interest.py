"""The class of interest: its share at a node, the interval of a share, its colour, and the flag rule."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, isnan, log2
from statistics import NormalDist
from types import MappingProxyType

import numpy as np

from treecore.errors import TreecoreError
from treecore.figures import brief, percent
from treecore.tree.columns import TreeColumns
from treecore.tree.predict import answered_with
from treecore.tree.short_text import NOWHERE, Places, shorten
from treecore.tree.tree import Tree

EVERY = "every class"
"""Asked for where no class is looked for more than the others."""


@dataclass(frozen=True)
class Interest:
    """A class of interest. k : its place among the classes. base : its share of the training rows, by weight."""

    k: int
    name: str
    base: float

    def lift(self, share: float) -> float:
        """How many times the base rate a share is."""
        return share / self.base if self.base > 0 else inf if share > 0 else 1.0

    def octaves(self, share: float, most: float = 2.0) -> float:
        """log2 of the lift within -most and most: what a diverging scale of colours shows, 0 at the base rate."""
        lift = self.lift(share)
        return most if lift == inf else max(-most, min(most, log2(lift))) if lift > 0 else -most


@dataclass(frozen=True)
class Tint:
    """The colour of a node. k : the class whose colour it has, -1 for none. depth : 0 to 1, how much of it.

    diverging : the depth is that of a scale around the base rate, else that of the node's purity.
    """

    k: int
    depth: float
    diverging: bool


def class_of_interest(tree: Tree) -> str | None:
    """The class that is looked for: the rarer of two among the training rows, of equals the last; else None."""
    if len(tree.classes) != 2:
        return None
    return tree.classes[0 if tree.stats[0, 0] < tree.stats[0, 1] else 1]


def interest_of(tree: Tree, name: str | None = None) -> Interest | None:
    """The class of this value or name, or by itself the rarer of two; None where no single class is looked for.

    name : one that the tree does not have counts as none given; EVERY for no class.
    """
    if name == EVERY:
        return None
    known: dict[str | None, int] = dict(
        zip((*tree.class_names, *tree.classes), [*range(len(tree.classes))] * 2, strict=True)
    )
    k = known.get(name, known.get(class_of_interest(tree)))
    if k is None:
        return None
    total = float(tree.weight[0])
    return Interest(k, tree.class_names[k], float(tree.stats[0, k]) / total if total > 0 else 0.0)


def check_interest(tree: Tree, name: str | None) -> None:
    """TreecoreError for a class of interest that the tree does not have."""
    if name is None or name == EVERY or name in (*tree.classes, *tree.class_names):
        return
    known = ", ".join(repr(known) for known in tree.classes[:12])
    remedy = f"Name one of {known}, or {EVERY!r}" if known else "Leave it out: this tree answers with numbers"
    raise TreecoreError(f"{name!r} is no class of the tree", where="class of interest", remedy=remedy)


def observed_shares(tree: Tree) -> np.ndarray:
    """float64 (n_nodes, n_classes): class shares of the training rows of each node as they are, whatever priors, costs
    or estimates its answer reckons with; of an empty leaf those of the node that answers for it, NaN for no answer."""
    stats = tree.stats[tree.answer]
    shares = stats / np.maximum(stats.sum(axis=1, keepdims=True), 1e-300)
    return np.where((tree.answer < 0)[:, None], np.nan, shares)


def weighted_words(tree: Tree) -> str:
    """By which the shares that the tree answers with are others than the observed ones, in words; '' where they are the
    same."""
    by = ["the class weights"] * (tree.priors is not None) + ["the estimate of leaf shares"] * (tree.added is not None)
    return f"with {' and '.join(by)}" if by else ""


def altered_words(tree: TreeColumns) -> str:
    """What alters the weights of rows in a node's impurity and in gains, in words: "class weights and profits";
    '' where rows count as they are."""
    if not tree.classes or np.allclose(tree.class_factor, 1.0, rtol=1e-12, atol=0):
        return ""
    costs = [] if np.array_equal(tree.class_factor, tree.prior_factor) else ["profits" if tree.earns else "costs"]
    return " and ".join(["class weights"] * (tree.priors is not None) + costs)


def shown_class(shares: Sequence[float], answer: int, interest: Interest | None) -> int:
    """Of which class a node tells the share: that of interest, else its answer, whether or not it is the commonest.

    answer : -1 for none, when the commonest is told.
    """
    if interest is not None:
        return interest.k
    return answer if answer >= 0 else max(range(len(shares)), key=shares.__getitem__)


def rate(share: float, name: str, letters: int = 40, places: Places = NOWHERE) -> str:
    """A share with the name of its class: "9.0 % churn"; "1: 9.0 %", as two numbers would be read as one."""
    share_text, name = percent(share), shorten(name, letters, places)
    return f"{name}: {share_text}" if name.lstrip("+-\u2212.")[:1].isdigit() else f"{share_text} {name}"


def shown_rate(
    shares: Sequence[float], answer: int, classes: Sequence[str], interest: Interest | None, letters: int = 40,
    places: Places = NOWHERE,
) -> str:  # fmt: skip
    """The share that a node tells, with its name; see shown_class. '' for shares that are not known."""
    k = shown_class(shares, answer, interest)
    return "" if isnan(shares[k]) else rate(float(shares[k]), classes[k], letters, places)


def tint(shares: Sequence[float], answer: int, interest: Interest | None) -> Tint:
    """The colour of a node: by the share of the class of interest against its base rate, of two classes the other's
    below it; else by the answer, and how pure the node is. The ground where no share is known."""
    if isnan(shares[0]):
        return Tint(-1, 0.0, True)
    if interest is None:
        most, even = max(shares), 1 / max(len(shares), 2)
        return Tint(shown_class(shares, answer, None), max(0.0, (most - even) / (1 - even)), False)
    octaves = interest.octaves(shares[interest.k])
    below = 1 - interest.k if len(shares) == 2 else -1
    return Tint(interest.k if octaves >= 0 else below, abs(octaves) / 2, True)


ABOVE, BELOW = 0, 5
"""Places in the palette of the colours of answers above and below 0: blue and vermilion."""


def around_zero(tree: Tree, value: float) -> Tint | None:
    """The colour of an answer that is told apart by its sign, the ground at 0, as deep as it is large for the tree;
    None of other targets."""
    if not tree.target_kind.diverging:
        return None
    largest = float(np.nanmax(np.abs(tree.value), initial=0.0))
    depth = abs(value) / largest if largest > 0 and not np.isnan(value) else 0.0
    return Tint(ABOVE if value >= 0 else BELOW, depth, True)


# The interval of a share that was counted in a few rows.


def wilson(part, whole, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """(low, high), float64 of the broadcast shape: Wilson's score interval of part / whole (Wilson 1927).

    part, whole : counts or weights, 0 <= part <= whole. level : of confidence, between 0 and 1. Without rows nothing
    is known: (0, 1).
    """
    part, whole = np.broadcast_arrays(np.asarray(part, np.float64), np.asarray(whole, np.float64))
    z2 = NormalDist().inv_cdf(0.5 + level / 2) ** 2
    share = np.divide(part, whole, out=np.full(part.shape, 0.5), where=whole > 0)
    centre = (part + z2 / 2) / (whole + z2)
    half = np.sqrt(z2 * (whole * share * (1 - share) + z2 / 4)) / (whole + z2)
    # at 0 and 1 the limit is exact, but for the last digits
    low = np.where(part <= 0, 0.0, np.maximum(centre - half, 0.0))
    return low, np.where((part >= whole), 1.0, np.minimum(centre + half, 1.0))


# The flag rule: which rows are worth a call, by the rate of the segment where they end.


@dataclass(frozen=True)
class FlagRule:
    """Flag a row where the rate of a class, as training rows have it at the row's end, is at least a threshold.

    threshold : a share from 0 to 1; of a target of numbers the least answer that is flagged.
    class_of_interest : whose rate is meant; None for a target of numbers.
    A row that is shared among several leaves has their rates by its parts.
    """

    step = "flag"
    threshold: float
    class_of_interest: str | None = None

    def __post_init__(self):
        threshold, name = self.threshold, self.class_of_interest
        if type(threshold) not in (int, float) or not abs(threshold) <= sys.float_info.max:
            raise TreecoreError(f"{threshold!r} is no threshold", where="threshold", remedy="Give a number")
        if name is not None and not isinstance(name, str):
            raise TreecoreError(f"{name!r} is no class", where="class_of_interest", remedy="Give a name, or nothing")
        if name is not None and not 0 <= threshold <= 1:
            raise TreecoreError(f"{threshold!r} is no share", where="threshold", remedy="Give a number from 0 to 1")
        object.__setattr__(self, "threshold", float(threshold))

    def text(self, class_names: Mapping[str, str] = MappingProxyType({}), tree: Tree | None = None) -> str:
        """In words. class_names : what texts call classes, where it is something else than their values. tree : whose
        answers it flags, in the unit that its texts have."""
        name = self.class_of_interest
        if name is None and tree is not None:
            kind = tree.target_kind
            return f"flag rows whose {kind.quantity(tree)} is at least {kind.figure_text(tree, self.threshold)}"
        if name is None:
            return f"flag rows whose answer is at least {brief(self.threshold)}"
        return f"flag rows where “{class_names.get(name, name)}” has a rate of at least {percent(self.threshold)}"

    def fits(self, tree: Tree) -> bool:
        """Does the tree know the class, or predict numbers where none is meant?"""
        return self.class_of_interest in tree.classes if tree.classes else self.class_of_interest is None

    def rates(self, tree: Tree) -> np.ndarray:
        """float64 (n_nodes,): what the threshold is compared with; see segment_rates. TreecoreError where the tree
        does not know the class. Leaves are flagged as a whole: those that answer with lines by their mean."""
        return segment_rates(tree, place_of_class(tree, self.class_of_interest))

    def _label(self, tree: Tree) -> str:
        """What the tree's texts call the class."""
        return tree.class_names[place_of_class(tree, self.class_of_interest)]

    def verdict(self, tree: Tree, nodes: Sequence[int], shares: Sequence[float]) -> str:
        """Of a row that ends in these nodes by these shares: "Flagged: 41.0 % yes, at least 10.0 %; segment 1 of 5"."""
        known = self.rates(tree)
        row_rate = float(sum(share * known[node] for node, share in zip(nodes, shares, strict=True)))
        if np.isnan(row_rate):
            return "Not flagged: there is no answer."
        flagged, number = bool(self.flags(row_rate)), int(segment_numbers(tree, known)[nodes[int(np.argmax(shares))]])
        told = percent if tree.classes else partial(tree.target_kind.figure_text, tree)
        what = self._label(tree) if tree.classes else tree.target_kind.quantity(tree)
        rate_text = rate(row_rate, what) if tree.classes else f"{what} {told(row_rate)}"
        place = f"; segment {number:,} of {tree.n_leaves:,}" if number else ""
        outcome, limit = ("Flagged", "at least") if flagged else ("Not flagged", "less than")
        return f"{outcome}: {rate_text}, {limit} {told(self.threshold)}{place}."

    def rates_of_rows(self, tree: Tree, rows) -> np.ndarray:
        """float64 (n_rows,): the rate of each row, by its parts where it is shared among leaves; NaN for no answer.

        rows : as Tree.predict takes them.
        """
        return answered_with(tree, rows, self.rates(tree)[:, None])[:, 0]

    def flags(self, rates: np.ndarray) -> np.ndarray:
        """bool: which of these rates are flagged; none that is unknown (NaN)."""
        return np.asarray(rates) >= self.threshold


def interest_named(tree: Tree, name: str | None) -> str | None:
    """The class of interest: the one named; else, and for EVERY, the rarer of two, of more the rarest; None for
    numbers."""
    name = None if name == EVERY else name
    if name is not None or not tree.classes:
        return name
    return class_of_interest(tree) or tree.classes[int(np.argmin(tree.stats[0]))]


def place_of_class(tree: Tree, name: str | None) -> int | None:
    """The place of a class of interest among the tree's; None for a target of numbers."""
    if not tree.classes and name is None:
        return None
    if name in tree.classes:
        return tree.classes.index(name)
    what = "The tree predicts numbers and has no classes" if not tree.classes else f"{name!r} is no class of the tree"
    remedy = "Name one of: " + ", ".join(tree.classes) if tree.classes else "Name no class"
    raise TreecoreError(what, where="class_of_interest", remedy=remedy)


def segment_rates(tree: Tree, k: int | None) -> np.ndarray:
    """float64 (n_nodes,): the share of class k among the training rows that answer for each node, as they were counted,
    without priors or any estimate; of a tree of numbers (k None) what the node answers, or where it does so by a line
    the mean of its rows. NaN for no answer."""
    if k is None:
        return np.asarray(tree.summary, float)
    return observed_shares(tree)[:, k]


def segment_numbers(tree: Tree, rates: np.ndarray) -> np.ndarray:
    """int64 (n_nodes,): 1 for the leaf of the highest rate, 2 for the next one, and so on; 0 for a node that is no
    leaf. Of equal rates the leaf of more training rows comes first; those without a rate come last."""
    leaves = np.flatnonzero(tree.is_leaf)
    numbers = np.zeros(tree.n_nodes, np.int64)
    numbers[riskiest_first(tree, leaves, rates)] = np.arange(1, len(leaves) + 1)
    return numbers


def riskiest_first(tree: Tree, nodes: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """These nodes, the highest rate first; see segment_numbers."""
    order = np.lexsort((nodes, -tree.weight[nodes], -np.nan_to_num(rates[nodes], nan=-np.inf)))
    return nodes[order]
