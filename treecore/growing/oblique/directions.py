"""Ways to find directions among the rows of a node: a registry of small entries."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.growing.oblique.cases import Cases
from treecore.growing.oblique.climb import climbed
from treecore.growing.oblique.exhaustive import all_best
from treecore.registry import Registry

MOST_CLASSES = 5
"""Classes that get a direction of their own, those of most rows first."""
RIDGE = 1e-3
"""Of the mean variance, which is 1 in standardised features: keeps what cannot be told apart solvable."""

SURE = 3.0
"""Mean size of the logarithm of the odds where logistic fits begin, at most."""


@dataclass(frozen=True)
class Direction:
    """A way to find directions.

    find : (Cases, numpy Generator) -> float64 (m, d), weights of the standardised features, none or several to choose
    from. for_numbers : has it a meaning for a numeric target? source : where it is described.
    """

    name: str
    label: str
    note: str
    source: str
    find: Callable[[Cases, np.random.Generator], np.ndarray]
    for_numbers: bool = True


def discriminants(cases: Cases, _random=None) -> np.ndarray:
    """Fisher's directions: classes far apart for their scatter within, which is all of it less that of the means."""
    if cases.n_classes == 2:
        return _parted(cases, cases.target == 1)[None, :-1]
    weight = np.bincount(cases.answers, cases.weight, cases.n_classes)
    there = weight > 0
    means = (cases.sums.T @ cases.x)[there] / weight[there, None]
    between = (means * weight[there, None]).T @ means
    within = (cases.square - between) / weight.sum() + RIDGE * np.eye(len(between))
    centers = np.sqrt(weight[there])[:, None] * (means - weight[there] @ means / weight.sum())
    root = np.linalg.cholesky(within)
    _, size, found = np.linalg.svd(np.linalg.solve(root, centers.T).T, full_matrices=False)
    m = min(len(centers) - 1, MOST_CLASSES)
    return np.linalg.solve(root.T, found[:m][size[:m] > 0].T).T


def _parted(cases: Cases, is_class: np.ndarray) -> np.ndarray:
    """float64 (d + 1,): Fisher's direction between a class, bool (n,), and the rest, both of which have rows, and the
    threshold above which the odds are for the class, were both spread normally and alike."""
    both = np.stack([cases.weight * ~is_class, cases.weight * is_class])
    weight = both.sum(axis=1)
    means = both @ cases.x / weight[:, None]
    within = (cases.square - (means * weight[:, None]).T @ means) / weight.sum()
    within.flat[:: len(within) + 1] += RIDGE  # the diagonal
    w = np.linalg.solve(within, means[1] - means[0])
    return np.append(w, np.log(weight[1] / weight[0]) - w @ (means[0] + means[1]) / 2)


def ridge(cases: Cases, _random=None) -> np.ndarray:
    """Least squares with a small penalty, of the numeric target or of each class against the rest."""
    y = cases.responses[:, _commonest(cases)] if cases.responses.shape[1] > 1 else cases.responses
    right = cases.x.T @ (cases.weight[:, None] * y)
    return np.linalg.solve(cases.square + RIDGE * cases.weight.sum() * np.eye(len(right)), right).T


def logistic(cases: Cases, _random=None) -> np.ndarray:
    """Logistic regression with a small penalty, of each class against the rest."""
    classes = [1] if cases.n_classes == 2 else _commonest(cases)
    return np.array([_logistic(cases, cases.target == k) for k in classes])


def _logistic(cases: Cases, is_class: np.ndarray, rounds: int = 12) -> np.ndarray:
    """float64 (d,), by Newton's steps from Fisher's direction, where that tells no row too surely to be moved."""
    from scipy.linalg import lapack

    x, beta, penalty = cases.x.T, _parted(cases, is_class), RIDGE * cases.weight.sum()
    bent = np.empty((len(beta), x.shape[1]))
    odds = beta[:-1] @ x + beta[-1]
    scale = min(1.0, SURE / np.abs(odds).mean())
    beta, odds = beta * scale, odds * scale
    for _ in range(rounds):
        p = 0.5 + 0.5 * np.tanh(0.5 * odds)
        off, bent[-1] = cases.weight * (is_class - p), np.sqrt(cases.weight * p * (1 - p))
        np.multiply(x, bent[-1], out=bent[:-1])
        square = bent @ bent.T
        square.flat[:: len(square) + 1] += penalty
        _, step, _ = lapack.dposv(square, np.append(x @ off, off.sum()) - penalty * beta)
        beta = beta + step
        if np.abs(step).max() < 5e-2 * (1 + np.abs(beta).max()):  # what is left is about the square of it
            break
        odds = beta[:-1] @ x + beta[-1]
    return beta[:-1]


def _commonest(cases: Cases) -> np.ndarray:
    """Up to MOST_CLASSES classes of the rows."""
    weight = np.bincount(cases.target, cases.weight, cases.n_classes)
    kept = np.argsort(-weight, kind="stable")[:MOST_CLASSES]
    return kept[weight[kept] > 0]


def _climbed(cases: Cases, random: np.random.Generator) -> np.ndarray:
    start = ridge(cases) if not cases.n_classes else discriminants(cases)
    return climbed(cases, start, random)


def _nothing(cases: Cases, _random=None) -> np.ndarray:
    return np.empty((0, cases.x.shape[1]))


NO_SUMS = "none"
DIRECTIONS = Registry(
    "way to find directions",
    Direction(NO_SUMS, "None: one feature a split", "", "", _nothing),
    Direction("discriminant", "Linear discriminant", "The direction in which the classes' means are farthest apart for "
              "their scatter.", "Fisher (1936)", discriminants, for_numbers=False),
    Direction("ridge", "Least squares (ridge)", "The fit of the target, or of each class against the rest.",
              "Hoerl and Kennard (1970)", ridge),
    Direction("logistic", "Logistic regression", "The fit of the odds of each class against the rest.",
              "Cox (1958)", logistic, for_numbers=False),
    Direction("climb", "Hill climbing", "One coefficient after the other is set to its best value, from the best "
              "fit, the best single feature and random starts.", "Murthy, Kasif and Salzberg (1994), OC1", _climbed),
    Direction("exhaustive", "Every hyperplane", "All 2^d·C(n, d) ways in which a hyperplane can part n rows; small "
              "tables only.", "Heath (1992)", all_best),
)  # fmt: skip
