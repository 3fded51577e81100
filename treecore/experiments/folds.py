"""Which rows are judged together: folds drawn several times, or of whole groups of rows."""

import numpy as np

from treecore.cross_validation import make_folds
from treecore.data.table import Table
from treecore.errors import TreecoreError


def repeated_folds(
    table: Table, n_folds: int = 10, n_repeats: int = 1, seed: int = 0, stratify: bool = True, group: str = ""
) -> np.ndarray:
    """int64 (n_repeats, n_rows): the fold of every row, 0 to n_folds - 1, in every repetition.

    n_folds : as many as rows leaves one out at a time. stratify : classes dealt evenly (make_folds), not with groups.
    group : a column; rows with the same value of it are in the same fold, as those of one patient have to be.
    The repetitions are drawn by seed, seed + 1 ... TreecoreError for numbers or a column that do not serve.
    """
    if n_repeats < 1:
        raise TreecoreError(
            f"{n_repeats} repetitions leave nothing to judge", where="folds", remedy="Choose one or more"
        )
    seeds = range(seed, seed + n_repeats)
    if group:
        return np.array([_grouped(table, n_folds, s, group) for s in seeds])
    return np.array([make_folds(table, n_folds, s, stratify) for s in seeds])


def _grouped(table: Table, n_folds: int, seed: int, group: str) -> np.ndarray:
    """int64 (n_rows,): groups in turn, the largest first, to the fold that has the fewest rows so far."""
    _, of_row, sizes = np.unique(table.column(group).codes, return_inverse=True, return_counts=True)
    if not 2 <= n_folds <= len(sizes):
        what = f"{n_folds} folds cannot be made of {len(sizes)} groups"
        remedy = f"Choose 2 to {len(sizes)} folds" if len(sizes) > 1 else "Choose a column with more values"
        raise TreecoreError(what, where=f"Column {group!r}", remedy=remedy)
    key = np.random.RandomState(seed).permutation(len(sizes))
    fold_of, filled = np.empty(len(sizes), np.int64), np.zeros(n_folds, np.int64)
    for g in np.lexsort((key, -sizes)):
        fold_of[g] = filled.argmin()
        filled[fold_of[g]] += sizes[g]
    return fold_of[of_row]
