"""The flag rule: which rows are worth a call, by the rate of the segment where they end."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from treecore.errors import TreecoreError
from treecore.figures import brief, percent
from treecore.judging.interest import EVERY, class_of_interest, observed_shares, rate
from treecore.tree.predict import answered_with
from treecore.tree.tree import Tree


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
        given, name = self.threshold, self.class_of_interest
        if type(given) not in (int, float) or not abs(given) <= sys.float_info.max:
            raise TreecoreError(f"{given!r} is no threshold", where="threshold", remedy="Give a number")
        if name is not None and not isinstance(name, str):
            raise TreecoreError(f"{name!r} is no class", where="class_of_interest", remedy="Give a name, or nothing")
        if name is not None and not 0 <= given <= 1:
            raise TreecoreError(f"{given!r} is no share", where="threshold", remedy="Give a number from 0 to 1")
        object.__setattr__(self, "threshold", float(given))

    def text(self, class_names: Mapping[str, str] = MappingProxyType({})) -> str:
        """In words. class_names : what texts call classes, where it is something else than their values."""
        name = self.class_of_interest
        if name is None:
            return f"flag rows whose answer is at least {brief(self.threshold)}"
        return f"flag rows where “{class_names.get(name, name)}” has a rate of at least {percent(self.threshold)}"

    def fits(self, tree: Tree) -> bool:
        """Does the tree know the class, or predict numbers where none is meant?"""
        return self.class_of_interest in tree.classes if tree.classes else self.class_of_interest is None

    def rates(self, tree: Tree) -> np.ndarray:
        """float64 (n_nodes,): what the threshold is compared with; see segment_rates. TreecoreError where the tree
        does not know the class."""
        return segment_rates(tree, place_of_class(tree, self.class_of_interest))

    def _label(self, tree: Tree) -> str:
        """What the tree's texts call the class."""
        return tree.class_names[place_of_class(tree, self.class_of_interest)]

    def verdict(self, tree: Tree, nodes: Sequence[int], shares: Sequence[float]) -> str:
        """Of a row that ends in these nodes by these shares: "Flagged: 41.0 % yes, at least 10.0 %; segment 1 of 5"."""
        known = self.rates(tree)
        found = float(sum(share * known[node] for node, share in zip(nodes, shares, strict=True)))
        if np.isnan(found):
            return "Not flagged: there is no answer."
        flagged, number = bool(self.flags(found)), int(segment_numbers(tree, known)[nodes[int(np.argmax(shares))]])
        least = percent(self.threshold) if tree.classes else brief(self.threshold)
        told = rate(found, self._label(tree)) if tree.classes else brief(found)
        place = f"; segment {number:,} of {tree.n_leaves:,}" if number else ""
        said, limit = ("Flagged", "at least") if flagged else ("Not flagged", "less than")
        return f"{said}: {told}, {limit} {least}{place}."

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
    without priors or any estimate; of a tree of numbers (k None) what the node answers. NaN for no answer."""
    if k is None:
        return np.asarray(tree.value, float)
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
