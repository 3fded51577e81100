"""Splits that somebody wants at certain places instead of the best ones."""

from dataclasses import dataclass

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.parts import THRESHOLD_RULES
from treecore.growing.settings import Growth
from treecore.kernels.state import EDIT, Problem


@dataclass(frozen=True)
class Imposed:
    """A split at a place.

    path : branch numbers from the root. feature : name. threshold : for a numeric or ordinal feature
    (ordinal: between two level indices). branches : for a nominal one, the levels of each branch; levels
    that are not named follow the first branch.
    """

    path: tuple[int, ...]
    feature: str
    threshold: float | None = None
    branches: tuple[tuple[str, ...], ...] = ()


def with_edits(problem: Problem, table: Table, growth: Growth, imposed: tuple[Imposed, ...]) -> Problem:
    """The problem with these splits entered; TreecoreError for one that cannot be made."""
    places = _places(imposed)
    edits = np.zeros(len(places), EDIT)
    edits["feature"], edits["level_start"] = -1, -1
    tables: list[np.ndarray] = []
    for e, path in enumerate(places):
        edits[e]["parent"] = places.index(path[:-1]) if path else -1
        edits[e]["branch"] = path[-1] if path else 0
    for split in imposed:
        _enter(edits[places.index(split.path)], tables, problem, table, growth, split)
    levels = np.concatenate([np.empty(0, np.int64), *tables])
    return problem._replace(edits=edits, edit_level=levels)


def _places(imposed: tuple[Imposed, ...]) -> list[tuple[int, ...]]:
    """Every place on the way to an imposed split, shorter paths first."""
    paths = {split.path[:n] for split in imposed for n in range(len(split.path) + 1)}
    return sorted(paths, key=lambda path: (len(path), path))


def _enter(edit, tables: list, problem: Problem, table: Table, growth: Growth, split: Imposed) -> None:
    if split.feature not in table.features:
        remedy = "Its features are: " + ", ".join(table.features)
        raise TreecoreError("The table has no such feature", where=f"Column {split.feature!r}", remedy=remedy)
    f = table.features.index(split.feature)
    column = table.column(split.feature)
    edit["feature"], edit["n_branches"] = f, 2
    if split.threshold is not None:
        if column.kind not in ("numeric", "ordinal") or not np.isfinite(split.threshold):
            raise _impossible(split, f"cannot be cut at {split.threshold}", "Give the levels of each branch")
        begin, n = problem.features["value_start"][f], problem.features["n_codes"][f]
        side = "right" if THRESHOLD_RULES[growth.threshold].closed else "left"
        edit["low"] = int(np.searchsorted(problem.values[begin : begin + n], split.threshold, side)) - 1
        edit["high"] = edit["low"] + 1
        return
    if column.kind not in ("nominal", "boolean"):
        raise _impossible(split, f"is {column.kind}, it cannot be grouped", "Give a threshold")
    named = [level for branch in split.branches for level in branch]
    if len(split.branches) < 2 or not all(split.branches) or len(set(named)) < len(named):
        raise _impossible(split, "is not grouped", "Give two branches or more, and each level to one of them")
    if unknown := set(named) - set(column.levels):
        remedy = "Its levels are: " + ", ".join(column.levels[:12])
        raise _impossible(split, f"has no level {min(unknown)!r}", remedy)
    edit["n_branches"] = len(split.branches)
    edit["level_start"] = sum(len(t) for t in tables)
    branch = np.full(column.n_distinct, -1)
    for b, levels in enumerate(split.branches):
        branch[[column.levels.index(level) for level in levels]] = b
    tables.append(branch)


def _impossible(split: Imposed, why: str, remedy: str) -> TreecoreError:
    return TreecoreError(f"The column {why}", where=f"Column {split.feature!r}", remedy=remedy)
