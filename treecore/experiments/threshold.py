"""Another threshold for the answer of two classes: what is said of rows, and the tree that says it."""

from dataclasses import replace

import numpy as np

from treecore.errors import TreecoreError
from treecore.judging.answers import Answers
from treecore.tree.tree import Tree


def answered_at(answers: Answers, positive: str, threshold: float) -> Answers:
    """The same rows, answered `positive` where its share is at least the threshold; shares of NaN stay unanswered.

    threshold : 0 to 1. TreecoreError unless `positive` is one of just two classes.
    """
    k = _place(answers.classes, positive, threshold)
    share = answers.shares[:, k]
    said = np.where(share >= threshold - _ROUNDING, k, 1 - k)
    return replace(answers, said=np.where(np.isnan(share), -1, said))


def tree_at(tree: Tree, positive: str, threshold: float) -> Tree:
    """The tree whose nodes answer `positive` where its share is at least the threshold.

    A threshold is a pair of costs: missing a row of the class costs 1 - threshold, calling another row so costs
    threshold, as then p (1 - threshold) >= (1 - p) threshold just where p >= threshold. At equality the class of less
    index answers, so the first cost is raised by what rounding is.
    Source: Elkan (2001), The foundations of cost-sensitive learning.
    """
    k = _place(tree.classes, positive, threshold)
    costs = np.zeros((2, 2))
    costs[k, 1 - k], costs[1 - k, k] = 1 - threshold + _ROUNDING, threshold - _ROUNDING
    return replace(tree, loss=costs)


_ROUNDING = 1e-9
"""A share of 3/10 is at least 0.3."""


def _place(classes: tuple[str, ...], positive: str, threshold: float) -> int:
    if len(classes) != 2 or positive not in classes:
        remedy = "Name one of two classes" + (": " + ", ".join(classes) if classes else "")
        raise TreecoreError(f"{positive!r} is not one of two classes", where="positive", remedy=remedy)
    if not 0 <= threshold <= 1:
        raise TreecoreError(f"{threshold!r} is no share", where="threshold", remedy="Give a number from 0 to 1")
    return classes.index(positive)
