"""PART: the best leaf of a partial tree is a rule; the rows it covers go, and the next tree is grown."""

from dataclasses import dataclass

import numpy as np

from treecore.covering.found import Answers, Found, Test
from treecore.covering.part_split import Split, best_split, entropy
from treecore.covering.ripper_rule import SMALL
from treecore.covering.rows import Rows
from treecore.covering.settings import checked
from treecore.pruning.error_estimate import estimated_errors
from treecore.pruning.j48_collapse import largest_class


@dataclass(frozen=True)
class PartSettings:
    """least : weight that two branches of a split must have. cf : confidence of the error estimate. prune : False
    keeps partial trees as they grow. binary : one level against the rest, in place of a branch per level."""

    least: float = 2.0
    cf: float = 0.25
    prune: bool = True
    binary: bool = False

    def __post_init__(self):
        checked(self, least=0.0, cf=0.0)


@dataclass
class Partial:
    """A node of a partial tree; `below` has one entry per branch that was looked into."""

    totals: np.ndarray
    split: Split | None = None
    below: "list[Partial | None]" = ()
    taken: int = 0

    @property
    def is_leaf(self) -> bool:
        return self.split is None

    @property
    def size(self) -> float:
        """Weight of the leaf at the end of the branches taken."""
        node = self
        while not node.is_leaf:
            node = node.below[node.taken]
        return float(node.totals.sum())


def part(rows: Rows, settings: PartSettings = PartSettings()) -> Answers:
    """Rules in the order they are found; the last one covers every row that is left.

    Rows that lack a value are shared among the branches, as J48 shares them, and a rule takes its share.
    Source: Frank and Witten (1998); details as in Weka 3.6.
    """
    weight, found = rows.weight.copy(), []
    while weight.sum() > SMALL:
        at = np.flatnonzero(weight > 0)
        rule = _rule(_grown(rows, at, weight[at], settings))
        found.append(rule)
        share = rule.parts(rows.values)
        weight = np.where(1.0 - share > SMALL, weight * (1.0 - share), 0.0)
    default = int(np.argmax(rows.by_class()))
    return Answers(tuple(found), default, tuple(rows.by_class().tolist()))


def _grown(rows: Rows, at: np.ndarray, weight: np.ndarray, settings: PartSettings) -> Partial:
    """Branches of least entropy are looked into first, until one of them is no leaf."""
    node = Partial(rows.by_class(at, weight))
    split = best_split(rows, at, weight, settings.least, settings.binary)
    if split is None:
        return node
    column, sizes = rows.values[split.feature][at], split.bags.sum(axis=1)
    below: list[Partial | None] = [None] * len(sizes)
    last = None
    for branch in _by_entropy(split, settings.least):
        parts = split.parts(column, weight, branch)
        some = parts > 0
        last = below[branch] = _grown(rows, at[some], parts[some], settings)
        if not last.is_leaf:
            break
    if last is None:
        return node
    if last.is_leaf:  # branches too small to be looked into are leaves
        below = [one or Partial(split.bags[b]) for b, one in enumerate(below)]
    node.split, node.below = split, below
    if settings.prune and all(one is not None and one.is_leaf for one in below) and _falls(node, settings):
        return Partial(node.totals)
    node.taken = _largest(node, sizes, settings.least)
    return node


def _by_entropy(split: Split, least: float) -> list[int]:
    """Branches of enough weight: the first pure one, else that of least entropy, and so on."""
    sizes = split.bags.sum(axis=1)
    free = [b for b in range(len(sizes)) if least - sizes[b] <= SMALL]
    bits, order = {b: float(entropy(split.bags[b]) / sizes[b]) for b in free}, []
    while free:
        best = free[0]
        for branch in free:
            if bits[branch] < SMALL:
                best = branch
                break
            if bits[best] - bits[branch] > SMALL:
                best = branch
        order.append(best)
        free.remove(best)
    return order


def _falls(node: Partial, settings: PartSettings) -> bool:
    """Would the node as a leaf err no more than its leaves, by the estimate?"""
    leaves = np.array([one.totals for one in node.below])
    apart = float(estimated_errors(leaves.sum(axis=1), leaves.sum(axis=1) - leaves.max(axis=1), settings.cf).sum())
    whole = node.totals.sum()
    one = float(estimated_errors([whole], [whole - node.totals.max()], settings.cf)[0])
    return one - (apart + 0.1) < SMALL


def _largest(node: Partial, sizes: np.ndarray, least: float) -> int:
    """The branch that leads to the leaf of most weight."""
    best, most = 0, -np.inf
    for branch, one in enumerate(node.below):
        if one is not None and sizes[branch] - least > -SMALL and one.size - most > SMALL:
            best, most = branch, one.size
    return best


def _rule(node: Partial) -> Found:
    tests = []
    while not node.is_leaf:
        split, branch = node.split, node.taken
        share = float(split.shares[branch])
        if split.level >= 0:
            tests.append(Test(split.feature, "!=" if branch else "=", float(split.level), share))
        elif np.isnan(split.cut):
            tests.append(Test(split.feature, "=", float(branch), share))
        else:
            tests.append(Test(split.feature, ">" if branch else "<=", split.cut, share))
        node = node.below[branch]
    return Found(tuple(tests), int(largest_class(node.totals[None])[0]), tuple(node.totals.tolist()))
