"""The tree of fewest training errors for its depth, as splits that can be taken one by one."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.data.table_like import refuse_counts_in
from treecore.errors import TreecoreError
from treecore.fit import grow_with, node_at
from treecore.optimal.questions import Question, questions
from treecore.optimal.search import Search
from treecore.optimal.two_levels import Shape
from treecore.recipe import Edit, Grow, Take
from treecore.tree.tree import Tree

DEEPEST = 5
MOST_QUESTIONS = 400
"""Their pairs are counted: memory and time grow with the square."""
GROWTH = Grow("cart", (("criterion", "misclassification"), ("max_depth", 0), ("missing", "majority")))
"""By itself it grows the root alone; the takes do the rest."""


@dataclass(frozen=True, eq=False, repr=False)
class Optimal(Brief):
    """What was found.

    tree : the tree, as any other. takes : its splits in the order of growth, to be taken after GROWTH: a recipe of
    these steps grows it again. errors : weight of the training rows that it gets wrong. cost : errors, and the leaf
    penalty for each leaf. lower : no tree of these questions and this depth costs less. questions : all that there are.
    """

    tree: Tree
    takes: tuple[Take, ...]
    errors: float
    cost: float
    lower: float
    questions: tuple[Question, ...]
    depth: int

    @property
    def proved(self) -> bool:
        """Is there no better tree?"""
        return self.gap == 0

    @property
    def gap(self) -> float:
        """By how much a better tree could be cheaper, at most."""
        gap = self.cost - self.lower
        return gap if gap > 1e-8 * max(self.cost, 1.0) else 0.0


def optimal_tree(
    table: Table,
    depth: int = 3,
    leaf_penalty: float = 0.0,
    min_rows_leaf: int = 1,
    cuts: int = 8,
    seconds: float = 60.0,
    stop: Callable[[], bool] = lambda: False,
) -> Optimal:
    """The tree of at most this depth that gets the least weight of training rows wrong, plus leaf_penalty a leaf.

    cuts : thresholds tried of each feature with an order, see `questions`; levels are asked for one by one. seconds :
    after so long, or once `stop` says so, the best tree so far is given, with the bound that holds for all others.
    Errors cost 1, whatever they are. Raises TreecoreError for a target of numbers, a depth above 5, or no question.
    Source: Demirović et al. (2022), MurTree, for two levels at once; Hu, Rudin and Seltzer (2019), Optimal sparse
    decision trees, for the bound by rows that are alike.
    """
    _check(table, depth, leaf_penalty, seconds)
    asked, answers = checked_questions(table, cuts)
    end = time.monotonic() + seconds
    search = Search(answers, weights_of(table), float(leaf_penalty), int(min_rows_leaf), lambda: _is_over(end, stop))
    found = search.best(depth)
    tree, takes = tree_of_shape(table, found.shape, asked)
    return Optimal(tree, takes, found.cost - leaf_penalty * tree.n_leaves, found.cost, found.lower, asked, depth)


def _is_over(end: float, stop: Callable[[], bool]) -> bool:
    return time.monotonic() > end or stop()


def weights_of(table: Table) -> np.ndarray:
    """float64 (n_rows, K), the weight of each row in the column of its class."""
    codes, weights = table.target_column.codes, np.zeros((table.n_rows, len(table.classes)))
    weights[np.arange(table.n_rows), codes] = table.case_weights
    return weights


def tree_of_shape(table: Table, shape: Shape, asked: tuple[Question, ...]) -> tuple[Tree, tuple[Take, ...]]:
    """The tree of this shape, and its splits, level by level: how a split of levels numbers its branches is seen when
    it has been made."""
    growth, takes, level = GROWTH.growth(), (), [((), shape)]
    tree = grow_with(table, growth, takes)
    while level := [(path, part) for path, part in level if part is not None]:
        takes += tuple(_take(path, asked[part[0]]) for path, part in level)
        tree = grow_with(table, growth, takes)
        level = [
            ((*path, branch), below)
            for path, (question, *parts) in level
            for branch, below in zip(_branches(tree, path, asked[question]), parts, strict=True)
        ]
    return tree, takes


def _take(path: tuple[int, ...], question: Question) -> Take:
    return Take(path, "", question.feature, question.threshold, question.branches, question.missing)


def _branches(tree: Tree, path: tuple[int, ...], question: Question) -> tuple[int, int]:
    """The numbers of the branches of yes and of no."""
    if not question.branches:
        return 0, 1
    node = node_at(tree, Edit("cut", path))
    levels = tree.schema.features[int(tree.splits.feature[node])].levels
    no = int(tree.splits.levels(node)[levels.index(question.branches[1][0])])
    return 1 - no, no


def _check(table: Table, depth: int, leaf_penalty: float, seconds: float) -> None:
    table.check_trainable()
    if not table.classes:
        remedy = "Choose a target of words, or put its numbers in bins"
        what = f"An optimal tree is one of fewest errors, and a target of {table.target_kind.held} has none"
        raise TreecoreError(what, remedy=remedy)
    if not isinstance(depth, int) or not 0 <= depth <= DEEPEST:
        raise TreecoreError(f"{depth!r} is not possible", where="depth", remedy=f"Give a whole number up to {DEEPEST}")
    if not leaf_penalty >= 0:
        raise TreecoreError(f"{leaf_penalty!r} is not possible", where="leaf_penalty", remedy="Give 0 or more")
    if not seconds > 0:
        raise TreecoreError(f"{seconds!r} is not possible", where="seconds", remedy="Give more than 0")


def checked_questions(table: Table, cuts: int) -> tuple[tuple[Question, ...], np.ndarray]:
    """As `questions`; TreecoreError where there are none, or too many for their pairs to be counted."""
    refuse_counts_in(table, "an optimal tree")
    asked, answers = questions(table, cuts)
    if not asked:
        raise TreecoreError("No feature parts the rows", where="Features", remedy="Choose one with two values or more")
    if len(asked) > MOST_QUESTIONS:
        what = f"{len(asked)} questions are more than {MOST_QUESTIONS} whose pairs can be counted"
        raise TreecoreError(what, where="Features", remedy="Give fewer cuts, or leave features out")
    return asked, answers
