"""The class of interest: whose share every node of a tree tells, and by which it is coloured."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isnan, log2

import numpy as np

from treecore.errors import TreecoreError
from treecore.figures import percent
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
    known = dict(zip((*tree.class_names, *tree.classes), [*range(len(tree.classes))] * 2, strict=True))
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


def altered_words(tree: Tree) -> str:
    """What alters the weights of rows in a node's impurity and in gains, in words: "class weights and profits";
    '' where rows count as they are."""
    if not tree.classes or np.allclose(tree.class_factor, 1.0, rtol=1e-12, atol=0):
        return ""
    costs = [] if np.array_equal(tree.class_factor, tree.prior_factor) else ["profits" if tree.earns else "costs"]
    return " and ".join(["class weights"] * (tree.priors is not None) + costs)


def class_told(shares: Sequence[float], answer: int, interest: Interest | None) -> int:
    """Of which class a node tells the share: that of interest, else its answer, whether or not it is the commonest.

    answer : -1 for none, when the commonest is told.
    """
    if interest is not None:
        return interest.k
    return answer if answer >= 0 else max(range(len(shares)), key=shares.__getitem__)


def rate(share: float, name: str, letters: int = 40, places: Places = NOWHERE) -> str:
    """A share with the name of its class: "9.0 % churn"; "1: 9.0 %", as two numbers would be read as one."""
    told, name = percent(share), shorten(name, letters, places)
    return f"{name}: {told}" if name.lstrip("+-\u2212.")[:1].isdigit() else f"{told} {name}"


def rate_told(
    shares: Sequence[float], answer: int, classes: Sequence[str], interest: Interest | None, letters: int = 40,
    places: Places = NOWHERE,
) -> str:  # fmt: skip
    """The share that a node tells, with its name; see class_told. '' for shares that are not known."""
    k = class_told(shares, answer, interest)
    return "" if isnan(shares[k]) else rate(float(shares[k]), classes[k], letters, places)


def tint(shares: Sequence[float], answer: int, interest: Interest | None) -> Tint:
    """The colour of a node: by the share of the class of interest against its base rate, of two classes the other's
    below it; else by the answer, and how pure the node is. The ground where no share is known."""
    if isnan(shares[0]):
        return Tint(-1, 0.0, True)
    if interest is None:
        most, even = max(shares), 1 / max(len(shares), 2)
        return Tint(class_told(shares, answer, None), max(0.0, (most - even) / (1 - even)), False)
    octaves = interest.octaves(shares[interest.k])
    below = 1 - interest.k if len(shares) == 2 else -1
    return Tint(interest.k if octaves >= 0 else below, abs(octaves) / 2, True)
