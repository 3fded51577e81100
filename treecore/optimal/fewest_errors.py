"""How many trees there are: why nobody tries them all."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column
from treecore.data.table import Table
from treecore.data.table_like import refuse_counts_in
from treecore.errors import TreecoreError
from treecore.fit import grow_with, node_at
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.optimal.branch_and_bound import BranchAndBound, Shape
from treecore.recipe import Edit, Grow, Take
from treecore.tree.tree import Tree


def n_functions(n_questions: int, n_classes: int = 2) -> int:
    """Different ways to answer every combination of so many yes-or-no questions: K to the power of 2^m.

    Source: Russell and Norvig, Artificial Intelligence, on the expressiveness of decision trees.
    """
    return n_classes ** (2**n_questions)


def n_trees(n_questions: int, depth: int, n_classes: int = 2) -> int:
    """Different trees of at most this depth whose paths ask no question twice: T(m, d) = K + m T(m - 1, d - 1)²."""
    if depth == 0 or n_questions == 0:
        return n_classes
    return n_classes + n_questions * n_trees(n_questions - 1, depth - 1, n_classes) ** 2


# The yes-or-no questions that a table can be asked, and every row's answers.


@dataclass(frozen=True)
class YesNoQuestion:
    """Is the value below the threshold, or, of levels without an order, is it another one than `branches` names last?

    branches : the levels of "yes" and of "no"; () for a threshold. missing : where rows without a value go, to 0 (yes)
    or 1 (no), whichever has more rows.
    """

    feature: str
    threshold: float | None
    branches: tuple[tuple[str, ...], ...]
    missing: int


def questions(table: Table, cuts: int = 8) -> tuple[tuple[YesNoQuestion, ...], np.ndarray]:
    """(the questions, bool (n_rows, n_questions): is the answer yes).

    cuts : thresholds of a feature with an order, at most; where there are more, those that part its rows most evenly.
    Of questions that part the rows alike only the first is there.
    """
    asked, answers, seen = [], [], set()
    for column in table.feature_columns:
        for question, answer in _of(column, cuts):
            pattern = answer if answer[0] else ~answer
            key = np.packbits(pattern).tobytes()
            if key not in seen and 0 < answer.sum() < len(answer):
                seen.add(key)
                asked.append(question)
                answers.append(answer)
    matrix = np.stack(answers, axis=1) if answers else np.empty((table.n_rows, 0), bool)
    return tuple(asked), matrix


def _of(column: Column, cuts: int):
    present = ~np.asarray(column.missing)
    codes = np.asarray(column.codes, np.int64)
    known = np.unique(codes[present])
    if column.kind in ("numeric", "ordinal"):
        for place in _places(codes[present], known, cuts):
            yield _answered(codes < known[place], present, column, threshold=_threshold(column, known, place))
    elif len(known) > 1:
        for code in known if len(known) > 2 else known[:1]:
            others = tuple(level for i, level in enumerate(column.level_names) if i != code)
            yield _answered(codes != code, present, column, branches=(others, (column.level_names[code],)))


def _places(codes: np.ndarray, known: np.ndarray, cuts: int) -> list[int]:
    """Which of the known codes begin the upper side of a cut."""
    if len(known) - 1 <= cuts:
        return list(range(1, len(known)))
    below = np.searchsorted(np.sort(codes), known) / len(codes)
    wanted = np.arange(1, cuts + 1) / (cuts + 1)
    return sorted({int(np.argmin(np.abs(below[1:] - share))) + 1 for share in wanted})


def _threshold(column: Column, known: np.ndarray, place: int) -> float:
    if column.kind == "ordinal":
        return float(known[place - 1] + known[place]) / 2
    low, high = column.numbers[known[place - 1]], column.numbers[known[place]]
    return float(THRESHOLD_RULES["midpoint"].place(np.asarray(low), np.asarray(high)))


def _answered(yes: np.ndarray, present: np.ndarray, column: Column, threshold=None, branches=()):
    missing = 0 if 2 * yes[present].sum() >= present.sum() else 1
    return YesNoQuestion(column.name, threshold, branches, missing), np.where(present, yes, missing == 0)


# The tree of fewest training errors for its depth, as splits that can be taken one by one.

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
    questions: tuple[YesNoQuestion, ...]
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
    search = BranchAndBound(
        answers, weights_of(table), float(leaf_penalty), int(min_rows_leaf), lambda: _is_over(end, stop)
    )
    result = search.best(depth)
    tree, takes = tree_of_shape(table, result.shape, asked)
    return Optimal(tree, takes, result.cost - leaf_penalty * tree.n_leaves, result.cost, result.lower, asked, depth)


def _is_over(end: float, stop: Callable[[], bool]) -> bool:
    return time.monotonic() > end or stop()


def weights_of(table: Table) -> np.ndarray:
    """float64 (n_rows, K), the weight of each row in the column of its class."""
    codes, weights = table.target_column.codes, np.zeros((table.n_rows, len(table.classes)))
    weights[np.arange(table.n_rows), codes] = table.case_weights
    return weights


def tree_of_shape(table: Table, shape: Shape, asked: tuple[YesNoQuestion, ...]) -> tuple[Tree, tuple[Take, ...]]:
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


def _take(path: tuple[int, ...], question: YesNoQuestion) -> Take:
    return Take(path, "", question.feature, question.threshold, question.branches, question.missing)


def _branches(tree: Tree, path: tuple[int, ...], question: YesNoQuestion) -> tuple[int, int]:
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


def checked_questions(table: Table, cuts: int) -> tuple[tuple[YesNoQuestion, ...], np.ndarray]:
    """As `questions`; TreecoreError where there are none, or too many for their pairs to be counted."""
    refuse_counts_in(table, "an optimal tree")
    asked, answers = questions(table, cuts)
    if not asked:
        raise TreecoreError("No feature parts the rows", where="Features", remedy="Choose one with two values or more")
    if len(asked) > MOST_QUESTIONS:
        what = f"{len(asked)} questions are more than {MOST_QUESTIONS} whose pairs can be counted"
        raise TreecoreError(what, where="Features", remedy="Give fewer cuts, or leave features out")
    return asked, answers
