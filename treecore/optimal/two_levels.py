"""The best tree of at most two questions on any path, from the counts of pairs of answers alone."""

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
