"""The best tree of at most two questions on any path, from the counts of pairs of answers alone."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

Shape = tuple | None
"""A tree of questions: None for a leaf, else (question, tree of yes, tree of no)."""


class Best(NamedTuple):
    """cost : errors and what leaves cost. shape : of the cheapest tree. by_root : float64 (n_questions,), the cost of
    the best tree that begins with each question; infinite where it parts no rows as it should."""

    cost: float
    shape: Shape
    by_root: np.ndarray


def best_of_two(answers: np.ndarray, weight: np.ndarray, penalty: float, least: int, depth: int) -> Best:
    """The cheapest tree of depth 1 or 2.

    answers : float64 (n, Q), 1 for yes. weight : float64 (n, K), weight of each row in the column of its class.
    penalty : cost of a leaf. least : rows of each leaf at least. Pairs are counted by one product of matrices a class.
    Source: Demirović et al. (2022), MurTree: optimal decision trees via dynamic programming and search.
    """
    total, rows = weight.sum(axis=0), len(answers)
    alone = total.sum() - total.max(initial=0.0) + penalty
    n_questions = answers.shape[1]
    if not n_questions or rows < 2 * least:
        return Best(float(alone), None, np.full(n_questions, np.inf))
    if depth == 1:
        return _best_root(alone, *_one_level(answers, weight, total, penalty, least), None, None)
    both = np.stack([_pairs(answers, w) for w in weight.T])
    n_both = answers.T @ answers
    yes, n_yes = np.diagonal(both, axis1=1, axis2=2), np.diagonal(n_both)
    no, n_no = total[:, None] - yes, rows - n_yes
    first, under_yes = _second(both, yes[:, :, None] - both, n_both, n_yes[:, None] - n_both, yes, penalty, least)
    other = yes[:, None, :] - both
    second, under_no = _second(
        other, no[:, :, None] - other, n_yes[None, :] - n_both, n_no[:, None] - (n_yes[None, :] - n_both), no, penalty,
        least,
    )  # fmt: skip
    fits = (n_yes >= least) & (n_no >= least)
    return _best_root(alone, np.where(fits, first, np.inf), np.where(fits, second, np.inf), under_yes, under_no)


def _pairs(answers: np.ndarray, w: np.ndarray) -> np.ndarray:
    """float64 (Q, Q): weight, w (n,), of the rows that answer yes to both questions; rows without any are spared."""
    there = np.flatnonzero(w)
    part, w = answers[there], w[there]
    return part.T @ (part if (w == 1.0).all() else part * w[:, None])


def _one_level(answers, weight, total, penalty, least) -> tuple[np.ndarray, np.ndarray]:
    yes = weight.T @ answers
    no, n_yes = total[:, None] - yes, answers.sum(axis=0)
    fits = (n_yes >= least) & (len(answers) - n_yes >= least)
    return np.where(fits, _errors(yes) + penalty, np.inf), np.where(fits, _errors(no) + penalty, np.inf)


def _errors(weights: np.ndarray) -> np.ndarray:
    """Weight of the rows that are not of the heaviest class, over the first axis."""
    return weights.sum(axis=0) - weights.max(axis=0)


def _second(yes, no, n_yes, n_no, alone, penalty, least) -> tuple[np.ndarray, np.ndarray]:
    """(float64 (Q,), int64 (Q,)): cost of the best branch below each first question, its question, -1 for a leaf."""
    parted = np.where((n_yes >= least) & (n_no >= least), _errors(yes) + _errors(no) + 2 * penalty, np.inf)
    question = np.argmin(parted, axis=1)
    least_cost, leaf = parted[np.arange(len(parted)), question], _errors(alone) + penalty
    better = least_cost < leaf - 1e-9 * np.maximum(leaf, 1.0)
    return np.where(better, least_cost, leaf), np.where(better, question, -1)


def _best_root(alone, first, second, under_yes, under_no) -> Best:
    by_root = first + second
    root = int(np.argmin(by_root))
    if not by_root[root] < alone - 1e-9 * max(alone, 1.0):
        return Best(float(alone), None, by_root)
    branch = lambda under: None if under is None or under[root] < 0 else (int(under[root]), None, None)  # noqa: E731
    return Best(float(by_root[root]), (root, branch(under_yes), branch(under_no)), by_root)


# Branch and bound over deeper trees: every first question that a bound does not rule out, the cheapest first.


class QuestionAnswers(NamedTuple):
    """cost : of the tree of this shape. lower : none of the depth asked for costs less; `cost` where proved."""

    cost: float
    shape: Shape
    lower: float


class BranchAndBound:
    """One search.

    answers : bool (n, Q). weight : float64 (n, K). penalty, least : see best_of_two. is_late : asked often; once it
    says yes, the best trees found so far are what is answered, with the bound that holds for all.
    """

    def __init__(
        self, answers: np.ndarray, weight: np.ndarray, penalty: float, least: int, is_late: Callable[[], bool]
    ):
        self._answers, self._weight = answers.astype(np.float64), weight
        self._penalty, self._least, self._is_late = penalty, least, is_late
        _, self._alike = np.unique(answers, axis=0, return_inverse=True)
        self._alike = self._alike.reshape(-1)
        self._known: dict[tuple[bytes, int], QuestionAnswers] = {}
        self.slack = 1e-9 * max(float(weight.sum()), 1.0)

    def best(self, depth: int) -> QuestionAnswers:
        """The cheapest tree of at most this depth."""
        return self._best(np.arange(len(self._answers)), depth, np.inf)

    def least(self, rows: np.ndarray, depth: int) -> float:
        """What the cheapest tree of at most this depth costs on these rows."""
        return self._best(rows, depth, np.inf).cost

    def floor(self, rows: np.ndarray) -> float:
        """What every tree on these rows costs at least: rows that answer all questions alike cannot be told apart."""
        n_kinds, weight = int(self._alike.max(initial=0)) + 1, self._weight[rows]
        counted = np.stack([np.bincount(self._alike[rows], w, n_kinds) for w in weight.T])
        return float((counted.sum(axis=0) - counted.max(axis=0)).sum()) + self._penalty

    def _best(self, rows: np.ndarray, depth: int, most: float) -> QuestionAnswers:
        """The same on these rows; a tree that costs `most` or more need not be the best one."""
        if depth == 0:
            return self._leaf(rows)
        if depth <= 2:
            cost, shape, _ = best_of_two(self._answers[rows], self._weight[rows], self._penalty, self._least, depth)
            return QuestionAnswers(cost, shape, cost)
        key = hashlib.blake2b(rows.tobytes(), digest_size=16).digest(), depth
        known = self._known.get(key)
        if known is not None and (known.lower >= min(known.cost, most) - self.slack):
            return known
        result = self._known[key] = self._tried(rows, depth, most)
        return result

    def _leaf(self, rows: np.ndarray) -> QuestionAnswers:
        total = self._weight[rows].sum(axis=0)
        cost = float(total.sum() - total.max(initial=0.0)) + self._penalty
        return QuestionAnswers(cost, None, cost)

    def _tried(self, rows: np.ndarray, depth: int, most: float) -> QuestionAnswers:
        cost, shape, by_root = best_of_two(self._answers[rows], self._weight[rows], self._penalty, self._least, 2)
        floor, lower = self.floor(rows), np.inf
        if cost <= floor + self.slack:
            return QuestionAnswers(cost, shape, cost)
        for question in np.argsort(by_root, kind="stable").tolist():
            if not np.isfinite(by_root[question]):
                break
            if self._is_late():
                lower = floor
                break
            bound = min(cost, most) - self.slack
            yes = self._answers[rows, question] > 0
            sides = rows[yes], rows[~yes]
            floors = [self.floor(side) for side in sides]
            if sum(floors) >= bound:
                lower = min(lower, sum(floors))
                continue
            first = self._best(sides[0], depth - 1, bound - floors[1])
            if first.lower + floors[1] >= bound:
                lower = min(lower, first.lower + floors[1])
                continue
            second = self._best(sides[1], depth - 1, bound - first.lower)
            lower = min(lower, first.lower + second.lower)
            if first.cost + second.cost < cost - self.slack:
                cost, shape = first.cost + second.cost, (question, first.shape, second.shape)
        return QuestionAnswers(cost, shape, max(floor, min(lower, cost)))
