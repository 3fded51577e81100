"""The tables of levels of a grown tree, as its columns."""

import numpy as np

from treecore.growing.loop import GrowResult


def table_of(result: GrowResult, level_start: int, size: int) -> np.ndarray:
    """int64 (size,): the table that begins there, or is kept under that number."""
    if not _are_wide(result):
        return result.growing.level_branch[level_start : level_start + size]
    table = np.empty(size, np.int64)
    result.tables[level_start].write(table)
    return table


def level_tables(result: GrowResult, level_start: np.ndarray, n_levels: np.ndarray, n_branches: np.ndarray) -> dict:
    """The columns of Splits that have tables: of entries with so many levels, 0 for none, and so many branches."""
    if _are_wide(result):
        return _listed(result, level_start, n_levels, n_branches)
    at = np.flatnonzero(n_levels)
    tables = [_below(table_of(result, level_start[i], n_levels[i]), n_branches[i]) for i in at]
    start = np.concatenate([[0], np.cumsum(n_levels)])
    return {"level_start": start, "level_branch": np.concatenate([np.empty(0, np.int32), *tables])}


def _are_wide(result: GrowResult) -> bool:
    return result.tables is not None and result.tables.width > 0


def _listed(result: GrowResult, level_start: np.ndarray, n_levels: np.ndarray, n_branches: np.ndarray) -> dict:
    at, n, usual = np.flatnonzero(n_levels), np.zeros(len(n_levels), np.int64), np.full(len(n_levels), -1)
    kept = [result.tables[level_start[i]] for i in at]
    n[at] = [len(table.levels) for table in kept]
    usual[at] = [table.usual for table in kept]
    none = np.empty(0, np.int32)
    branches = np.concatenate([none, *(table.branches for table in kept)])
    return {
        "level_start": np.concatenate([[0], np.cumsum(n)]), "n_levels": n_levels,
        "level_branch": _below(branches, np.repeat(n_branches, n)), "usual_branch": _below(usual, n_branches),
        "level_id": np.concatenate([none, *(table.levels for table in kept)]),
    }  # fmt: skip


def _below(branch: np.ndarray, n_children: np.ndarray | int) -> np.ndarray:
    """A table of levels without branches that the node does not have."""
    return np.where(branch < n_children, branch, -1)
