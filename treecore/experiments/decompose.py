"""The error of many trees of one recipe, taken apart: what all get wrong, what varies, and what nobody knows."""

from dataclasses import dataclass

import numpy as np

from treecore.errors import TreecoreError

SQUARED, DOMINGOS, KOHAVI = DEFINITIONS = ("squared loss", "Domingos (2000)", "Kohavi and Wolpert (1996)")


@dataclass(frozen=True)
class Parts:
    """error = bias + variance + noise, on average over the rows judged.

    bias : squared for a target of numbers. variance : of Domingos' the net one, which biased rows lower.
    noise : 0 where what is true is taken for certain; then the bias of numbers has the noise in it.
    """

    error: float
    bias: float
    variance: float
    noise: float


def squared(said: np.ndarray, truth: np.ndarray, noise: np.ndarray | None = None) -> Parts:
    """Numbers: (mean answer - truth)^2 + variance of the answers + noise.

    said : float64 (n_trees, n_rows). truth : float64 (n_rows,), the mean of the target given the row where it is known,
    else the target itself. noise : float64 (n_rows,), its variance around that mean, or None.
    Source: Geman, Bienenstock and Doursat (1992), Neural Computation 4.
    """
    said, truth = _checked(said, truth)
    bias, variance = (said.mean(axis=0) - truth) ** 2, said.var(axis=0)
    parts = [float(p.mean()) for p in (bias, variance, np.zeros(len(truth)) if noise is None else noise)]
    return Parts(sum(parts), *parts)


def domingos(said: np.ndarray, chances: np.ndarray) -> Parts:
    """Classes: does the main answer (the most frequent, ties to the first class) err; how often is another one given.

    Where the main answer is wrong, an answer that differs from it may be right, and variance lowers the error there.
    bias B = [main != best], variance c2 V with V = P(said != main), noise c1 N with N = 1 - chance of the best class,
    c1 = 2 P(said = best) - 1; for certain truth of any number of classes c2 V = -P(said = best) where B = 1.
    said : int (n_trees, n_rows), -1 for no answer. chances : float64 (n_rows, n_classes), of the true class; rows of 0
    and 1 where it is taken for certain. TreecoreError for chances between them of more than two classes.
    Source: Domingos (2000), A unified bias-variance decomposition, ICML and AAAI.
    """
    shares, chances = _shares(said, chances)
    certain = bool((chances.max(axis=1) == 1).all())
    if not certain and chances.shape[1] > 2:
        remedy = "Take two classes, or Kohavi and Wolpert's definition"
        raise TreecoreError("Noise with more than two classes has no such decomposition", where="noise", remedy=remedy)
    best, main, at = chances.argmax(axis=1), shares.argmax(axis=1), np.arange(len(chances))
    hits, bias = shares[at, best], (best != main).astype(float)
    noise = (2 * hits - 1) * (1 - chances[at, best])
    variance = np.where(bias > 0, -hits, 1 - hits)
    error = (hits * (1 - chances[at, best]) + _misses(shares, chances, best)).mean()
    return Parts(float(error), float(bias.mean()), float(variance.mean()), float(noise.mean()))


def kohavi(said: np.ndarray, chances: np.ndarray) -> Parts:
    """Classes: bias 1/2 sum (P(true) - P(said))^2, variance 1/2 (1 - sum P(said)^2), noise 1/2 (1 - sum P(true)^2).

    said, chances : as for domingos. Source: Kohavi and Wolpert (1996), ICML.
    """
    shares, chances = _shares(said, chances)
    none = 1 - shares.sum(axis=1)  # no answer is an answer that is never true
    bias = ((chances - shares) ** 2).sum(axis=1) / 2 + none**2 / 2
    variance = (1 - (shares**2).sum(axis=1) - none**2) / 2
    noise = (1 - (chances**2).sum(axis=1)) / 2
    error = 1 - (shares * chances).sum(axis=1)
    return Parts(*(float(p.mean()) for p in (error, bias, variance, noise)))


def _misses(shares: np.ndarray, chances: np.ndarray, best: np.ndarray) -> np.ndarray:
    """float64 (n_rows,): chance that an answer other than the best class is given and is wrong."""
    at = np.arange(len(best))
    right = (shares * chances).sum(axis=1) - shares[at, best] * chances[at, best]
    return (1 - shares[at, best]) - right


def _shares(said: np.ndarray, chances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(float64 (n_rows, n_classes), how often each class is said; the chances)."""
    said, chances = np.asarray(said), np.asarray(chances, float)
    if said.ndim != 2 or chances.ndim != 2 or said.shape[1] != len(chances) or not said.size:
        remedy = "Give a row of answers per tree, and chances per row judged"
        raise TreecoreError("These answers cannot be taken apart", where="answers", remedy=remedy)
    return np.stack([(said == k).mean(axis=0) for k in range(chances.shape[1])], axis=1), chances


def _checked(said: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    said, truth = np.asarray(said, float), np.asarray(truth, float)
    if said.ndim != 2 or truth.shape != said.shape[1:] or not said.size:
        remedy = "Give a row of answers per tree, and one truth per row judged"
        raise TreecoreError("These answers cannot be taken apart", where="answers", remedy=remedy)
    return said, truth
