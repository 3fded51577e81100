"""All trees that are nearly as good as the best one: how many there are, and what they share."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import numpy as np

from treecore.brief import Brief, visible
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import count
from treecore.optimal.branch_and_bound import BranchAndBound, Shape
from treecore.optimal.fewest_errors import Optimal, YesNoQuestion, checked_questions, tree_of_shape, weights_of
from treecore.recipe import Take
from treecore.tree.tree import Tree

MOST_TREES = 20_000


@dataclass(frozen=True, eq=False, repr=False)
class GoodTrees(Brief):
    """costs : float64 (n,), ascending. shapes : of the trees, in that order. asked : the questions that there are.
    best : the least cost."""

    table: Table
    costs: np.ndarray
    shapes: tuple[Shape, ...]
    asked: tuple[YesNoQuestion, ...]
    best: float

    def __len__(self) -> int:
        return len(self.shapes)

    def tree(self, place: int) -> tuple[Tree, tuple[Take, ...]]:
        """The tree at this place, and its splits to be taken; see Optimal."""
        return tree_of_shape(self.table, self.shapes[place], self.asked)

    def first_features(self) -> Counter:
        """Feature -> trees that ask for it first; "" for a lone root."""
        return Counter("" if shape is None else self.asked[shape[0]].feature for shape in self.shapes)

    def features(self) -> Counter:
        """Feature -> trees that ask for it anywhere."""
        return Counter(name for shape in self.shapes for name in {self.asked[q].feature for q in _questions(shape)})


def good_trees(
    table: Table,
    best: Optimal,
    within: float,
    leaf_penalty: float = 0.0,
    min_rows_leaf: int = 1,
    cuts: int = 8,
    stop: Callable[[], object] = lambda: None,
) -> GoodTrees:
    """Every tree of these questions and the depth of `best` that costs at most `within` more than it.

    Trees count once, and none has a question whose two answers are leaves of one class. leaf_penalty, min_rows_leaf,
    cuts : as `best` was found with. stop : called often; what it raises ends the search. TreecoreError where `best` is
    not proved, or there are more than 20,000. Source: Xin et al. (2022), Exploring the whole Rashomon set of sparse
    decision trees.
    """
    if not best.proved:
        raise TreecoreError("The best tree is not proved", where="good trees", remedy="Give more time, or less depth")
    asked, answers = checked_questions(table, cuts)
    look = lambda: bool(stop())  # noqa: E731
    search = BranchAndBound(answers, weights_of(table), float(leaf_penalty), int(min_rows_leaf), look)
    every = _Every(search, answers, weights_of(table), float(leaf_penalty), int(min_rows_leaf))
    result = every.within(np.arange(table.n_rows), best.depth, best.cost + within + search.slack)
    order = sorted(range(len(result)), key=lambda i: (round(result[i][0], 9), _size(result[i][1])))
    costs = np.array([result[i][0] for i in order])
    return GoodTrees(table, costs, tuple(result[i][1] for i in order), asked, best.cost)


class _Every:
    """Lists trees; a branch has what the other one, at its best, leaves of the budget."""

    def __init__(self, search: BranchAndBound, answers: np.ndarray, weight: np.ndarray, penalty: float, least: int):
        self._search, self._answers, self._weight = search, answers, weight
        self._penalty, self._least = penalty, least

    def within(self, rows: np.ndarray, depth: int, most: float) -> list[tuple[float, Shape, int]]:
        """(cost, shape, class of a lone leaf or -1) of every tree on these rows that costs no more."""
        total = self._weight[rows].sum(axis=0)
        cost = float(total.sum() - total.max()) + self._penalty
        result = [(cost, None, int(total.argmax()))] if cost <= most else []
        for question in range(self._answers.shape[1]) if depth else ():
            yes = self._answers[rows, question]
            if min(yes.sum(), (~yes).sum()) < self._least:
                continue
            result += islice(self._with_question(question, rows[yes], rows[~yes], depth - 1, most), MOST_TREES + 1)
            if len(result) > MOST_TREES:
                what = f"There are more than {MOST_TREES:,} trees that good"
                raise TreecoreError(what, where="good trees", remedy="Ask for fewer rows, less depth or a leaf penalty")
        return result

    def _with_question(self, question: int, yes: np.ndarray, no: np.ndarray, depth: int, most: float):
        least = self._search.least(no, depth)
        if self._search.floor(yes) + least > most:
            return
        left = self.within(yes, depth, most - least)
        cheapest = min((cost for cost, *_ in left), default=np.inf)
        right = sorted(self.within(no, depth, most - cheapest), key=lambda tree: tree[0])
        for cost, shape, label in left:
            for other, below, answer in right:
                if cost + other > most:
                    break
                if label < 0 or label != answer:
                    yield cost + other, (question, shape, below), -1


def _questions(shape: Shape):
    if shape is not None:
        yield shape[0]
        yield from _questions(shape[1])
        yield from _questions(shape[2])


def _size(shape: Shape) -> int:
    return sum(1 for _ in _questions(shape))


# What was found, in words and figures.

MOST = 40
"""Questions for which the digits of the number of functions are counted."""


def power_of_ten(n: int) -> str:
    """A whole number, in full up to a million, else as "3.1 · 10¹²"."""
    if n < 10**6:
        return f"{n:,}"
    digits = len(str(n)) - 1
    return f"{int(str(n)[:2]) / 10:.1f} · 10{raised(digits)}"


def raised(n: int) -> str:
    """A whole number as an exponent."""
    return str(n).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def describe_functions(n_questions: int, n_classes: int) -> str:
    """How many ways there are to answer all combinations, K^(2^m), with its digits where those can be counted."""
    told = f"{n_classes} to the power of 2{raised(n_questions)}"
    if n_questions > MOST:
        return told
    digits = math.floor(2**n_questions * math.log10(n_classes)) + 1
    return f"{told}, a number of {count(digits, ',')} digits"


def where_they_part(greedy: Tree, best: Tree) -> str:
    """The first questions, from the root down, that two trees of one table do not share; "" where they ask the same."""
    waiting = [(0, 0, "At the root")]
    while waiting:
        a, b, place = waiting.pop(0)
        if _asked(greedy, a) != _asked(best, b):
            return f"{place} it {_does(best, b)}, the greedy tree {_does(greedy, a)}."
        for one, other in zip(greedy.children(a), best.children(b), strict=True):
            waiting.append((one, other, f"Where {visible(greedy.node(one).rule)}"))
    return ""


def _asked(tree: Tree, node: int) -> tuple:
    return tuple(tree.node(child).condition for child in tree.children(node))


def _does(tree: Tree, node: int) -> str:
    conditions = _asked(tree, node)
    return f"asks {visible(' | '.join(conditions))}" if conditions else "ends in a leaf"
