"""What splits are worth, from the statistics of their branches: many at once, for what the grower does not keep.

Everywhere branches : float64 (n_splits, n_branches, S), statistics of the rows with a known value.
"""

import math

import numpy as np

from treecore.criteria import CRITERIA, CriterionArgs, by_code
from treecore.criteria.chi_square_tail import log_tails
from treecore.criteria.effect import effect_gains
from treecore.criteria.split_scores import CHI_SQUARE, MDL_GAIN_RATIO, TWOING
from treecore.kernels.general.scores import SUM_TOLERANCE
from treecore.target.rounding import OF_GAINS, settled

_SQUARED_ERROR = CRITERIA["squared_error"].code
_OF_EFFECTS = CRITERIA["squared_effect"].code, CRITERIA["honest_effect"].code


def weights(judge: CriterionArgs, stats: np.ndarray) -> np.ndarray:
    """float64 (...,): weight of the rows with statistics (..., S)."""
    return stats.sum(axis=-1) if by_code(judge.code).task == "classification" else stats[..., 0]


def impurities(judge: CriterionArgs, stats: np.ndarray) -> np.ndarray:
    """float64 (...,): impurity of nodes with statistics (..., S), 0 for an empty one."""
    total = weights(judge, stats)
    result = by_code(judge.code).of_many(np.moveaxis(stats, -1, 0), np.where(total > 0, total, 1.0), judge.loss)
    return judge.scale * np.where(total > 0, np.maximum(result, 0.0), 0.0)


def with_shared(judge: CriterionArgs, branches: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """float64 (n_splits, n_branches, S): the branches, with rows of statistics `unknown` (S,) shared among them by
    their shares of the known rows."""
    n = weights(judge, branches)
    share = n / np.maximum(n.sum(axis=1, keepdims=True), 1e-300)
    return branches + share[:, :, None] * unknown


def decreases(judge: CriterionArgs, branches: np.ndarray) -> np.ndarray:
    """float64 (n_splits,): impurity of all known rows less that of the branches; of effects how far they part."""
    if judge.code in _OF_EFFECTS:
        gains, scale = effect_gains(branches, judge.code == _OF_EFFECTS[1]), impurities(judge, branches.sum(axis=1))
        return settled(gains, scale, OF_GAINS)
    n = weights(judge, branches)
    total, whole = n.sum(axis=1), branches.sum(axis=1)
    equal = (whole == whole[:1]).all()  # as all splits of a node are, but for rounding
    parent = impurities(judge, whole[:1] if equal else whole)
    if judge.code == _SQUARED_ERROR and branches.shape[1] == 2:  # from two sums: nothing cancels
        gap = branches[:, 0, 1] * n[:, 1] - branches[:, 1, 1] * n[:, 0]
        product = n[:, 0] * n[:, 1] * total * total
        return settled(np.divide(gap * gap, product, out=np.zeros(len(gap)), where=product > 0), parent, OF_GAINS)
    left = (n * impurities(judge, branches)).sum(axis=1) / np.where(total > 0, total, 1.0)
    return settled(parent - left, parent, OF_GAINS)


def twoing(branches: np.ndarray) -> np.ndarray:
    """float64 (n_splits,): P_L P_R / 4 (sum |p_kL - p_kR|)^2."""
    n = branches.sum(axis=2)
    share = n / n.sum(axis=1, keepdims=True)
    apart = np.abs(branches[:, 0] / n[:, :1] - branches[:, 1] / n[:, 1:]).sum(axis=1)
    return share[:, 0] * share[:, 1] * apart * apart / 4


def superclass(branches: np.ndarray) -> np.ndarray:
    """bool (K,): the classes that twoing puts together: their share is larger in the first of two branches (2, K)."""
    n = branches.sum(axis=1, keepdims=True)
    first, second = branches / n
    return first >= second


def tests(score: int, branches: np.ndarray) -> np.ndarray:
    """float64 (n_splits,): -log10 p of Pearson's chi-square, or of G, of branches by classes."""
    rows, classes = branches.sum(axis=2, keepdims=True), branches.sum(axis=1, keepdims=True)
    expected = rows * classes / rows.sum(axis=1, keepdims=True)
    there = expected > 0
    safe = np.where(there, expected, 1.0)
    if score == CHI_SQUARE:
        cells = (branches - expected) ** 2 / safe
    else:
        ratio = np.where(branches > 0, branches / safe, 1.0)
        cells = 2 * branches * np.log(ratio)
    df = ((rows[:, :, 0] > 0).sum(axis=1) - 1) * ((classes[:, 0] > 0).sum(axis=1) - 1)
    return -log_tails(np.where(there, cells, 0.0).sum(axis=(1, 2)), df.astype(np.int64)) / math.log(10)


def split_informations(sizes: np.ndarray, total: float) -> np.ndarray:
    """float64 (n_splits,): entropy in bits of the branches' weights (n_splits, n_branches), rows without a value being
    one more branch. total : weight of the node with them."""
    parts = np.concatenate([sizes, np.maximum(total - sizes.sum(axis=1, keepdims=True), 0.0)], axis=1) / total
    parts = np.where(parts > 1e-15, parts, 0.0)
    return -(parts * np.log2(parts, where=parts > 0, out=np.zeros_like(parts))).sum(axis=1)


def scores(score: int, judge: CriterionArgs, branches: np.ndarray, gains: np.ndarray, total: float) -> np.ndarray:
    """float64 (n_splits,): what the splits compete by, before costs. gains : their gains."""
    if score == TWOING:
        return twoing(branches) * (weights(judge, branches).sum(axis=1) / total)
    if score > TWOING:
        return tests(score, branches)
    if score == 0:
        return gains
    assert score <= MDL_GAIN_RATIO
    info = split_informations(weights(judge, branches), total)
    least = SUM_TOLERANCE / total if score == MDL_GAIN_RATIO else 0.0
    return np.divide(gains, info, out=np.full(len(gains), -np.inf), where=info > least)
