"""Branch and bound over deeper trees: every first question that a bound does not rule out, the cheapest first."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from treecore.optimal.two_levels import Shape, best_of_two


class Answered(NamedTuple):
    """cost : of the tree of this shape. lower : none of the depth asked for costs less; `cost` where proved."""

    cost: float
    shape: Shape
    lower: float


class Search:
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
        self._known: dict[tuple[bytes, int], Answered] = {}
        self.slack = 1e-9 * max(float(weight.sum()), 1.0)

    def best(self, depth: int) -> Answered:
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

    def _best(self, rows: np.ndarray, depth: int, most: float) -> Answered:
        """The same on these rows; a tree that costs `most` or more need not be the best one."""
        if depth == 0:
            return self._leaf(rows)
        if depth <= 2:
            cost, shape, _ = best_of_two(self._answers[rows], self._weight[rows], self._penalty, self._least, depth)
            return Answered(cost, shape, cost)
        key = hashlib.blake2b(rows.tobytes(), digest_size=16).digest(), depth
        known = self._known.get(key)
        if known is not None and (known.lower >= min(known.cost, most) - self.slack):
            return known
        found = self._known[key] = self._tried(rows, depth, most)
        return found

    def _leaf(self, rows: np.ndarray) -> Answered:
        total = self._weight[rows].sum(axis=0)
        cost = float(total.sum() - total.max(initial=0.0)) + self._penalty
        return Answered(cost, None, cost)

    def _tried(self, rows: np.ndarray, depth: int, most: float) -> Answered:
        cost, shape, by_root = best_of_two(self._answers[rows], self._weight[rows], self._penalty, self._least, 2)
        floor, lower = self.floor(rows), np.inf
        if cost <= floor + self.slack:
            return Answered(cost, shape, cost)
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
        return Answered(cost, shape, max(floor, min(lower, cost)))
