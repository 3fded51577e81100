"""Tests from outside: of a feature that there is, by what it has, down branches that there are."""

import numpy as np

from treecore.kernels.codes import CUTS, LEAF, LEVELS, SHARED, STAYS, THRESHOLD
from treecore.tree.plain_columns import wrong
from treecore.tree.ranges import ranges
from treecore.tree.schema import Schema
from treecore.tree.splits import LISTED, Splits


def check_splits(schema: Schema, splits: Splits, n_children: np.ndarray) -> None:
    """TreecoreError saying what is wrong with the tests of the nodes, by how many branches each of them has."""
    _check_lengths("splits", splits)
    leaf = n_children == 0
    refuse("splits.kind", (splits.kind == LEAF) != leaf, "is a leaf's where there are branches, or the other way round")
    refuse("splits.feature", leaf & (splits.feature != -1), "is the feature of a leaf")
    _check_tests("splits", schema, splits, np.flatnonzero(~leaf), n_children, (THRESHOLD, LEVELS, CUTS))
    # rows have the numbers themselves, whose bins a table of levels does not know
    table = np.flatnonzero(splits.kind == LEVELS)
    numeric = np.array([feature.numeric for feature in schema.features], bool)
    _refuse_at("splits.kind", table, numeric[splits.feature[table]], "puts numbers into levels")
    for name in ("missing_branch", "unseen_branch"):
        route = getattr(splits, name)
        refuse(f"splits.{name}", (route < SHARED) | (route >= np.maximum(n_children, 0)), "is no branch")
        refuse(f"splits.{name}", leaf & (route != STAYS), "leads on from a leaf")


def check_surrogates(schema: Schema, tests: Splits, start: np.ndarray, n_children: np.ndarray) -> None:
    """The same of the backup tests; those of node t are entries start[t]:start[t + 1]."""
    _check_lengths("surrogates", tests)
    _check_starts("surrogate_start", start, len(n_children), len(tests))
    owner = np.repeat(np.arange(len(n_children)), np.diff(start))
    n_branches = n_children[owner]
    refuse("surrogate_start", n_branches == 0, "is the surrogate of a leaf")
    _check_tests("surrogates", schema, tests, np.arange(len(tests)), n_branches, (THRESHOLD, LEVELS))
    by_bins = np.array([feature.branches_by_bins for feature in schema.features], bool)
    numeric = np.array([feature.numeric for feature in schema.features], bool)
    # a number is looked up by its bin, where it has one
    kind, f = tests.kind, tests.feature
    refuse("surrogates.kind", (kind == LEVELS) & numeric[f] & ~by_bins[f], "puts numbers into levels")
    refuse("surrogates.kind", (kind == THRESHOLD) & by_bins[f], "cuts what branches by bins")
    for name in ("missing_branch", "unseen_branch"):
        refuse(f"surrogates.{name}", getattr(tests, name) != STAYS, "leads on from a surrogate")


def _check_lengths(where: str, tests: Splits) -> None:
    n = len(tests)
    for name in ("feature", "threshold", "closed", "low_branch", "missing_branch", "unseen_branch"):
        if len(getattr(tests, name)) != n:
            raise wrong(f"{where}.{name}", f"It has {len(getattr(tests, name))} entries, not {n}")
    _check_starts(f"{where}.level_start", tests.level_start, n, len(tests.level_branch))
    _check_starts(f"{where}.cut_start", tests.cut_start, n, len(tests.cuts))
    listed = {"level_id": len(tests.level_branch), "n_levels": n, "usual_branch": n} if tests.are_listed else {}
    for name in LISTED:
        if len(getattr(tests, name)) != listed.get(name, 0):
            raise wrong(f"{where}.{name}", f"It has {len(getattr(tests, name))} entries, not {listed.get(name, 0)}")


def _check_tests(where: str, schema: Schema, tests: Splits, at: np.ndarray, n_branches: np.ndarray, kinds) -> None:
    """The tests at these entries. n_branches : of every entry."""
    refuse(f"{where}.low_branch", (tests.low_branch < 0) | (tests.low_branch > 1), "is neither branch")
    f = tests.feature[at]
    _refuse_at(f"{where}.feature", at, (f < 0) | (f >= len(schema.features)), "is no feature")
    _refuse_at(f"{where}.kind", at, ~np.isin(tests.kind[at], kinds), "is no kind of test here")
    kind = tests.kind[at]
    _check_thresholds(where, schema, tests, at[kind == THRESHOLD], n_branches)
    _check_levels(where, schema, tests, at[kind == LEVELS], n_branches)
    _check_cuts(where, schema, tests, at[kind == CUTS], n_branches)


def _check_starts(where: str, start: np.ndarray, n: int, stop: int) -> None:
    if len(start) != n + 1 or start[0] != 0 or start[-1] != stop or (np.diff(start) < 0).any():
        raise wrong(where, f"It does not ascend from 0 to {stop} in {n + 1} entries")


def _check_thresholds(where: str, schema: Schema, tests: Splits, at: np.ndarray, n_branches: np.ndarray) -> None:
    if where == "splits":
        _refuse_at(f"{where}.kind", at, n_branches[at] != 2, "has other than two branches at a threshold")
    _refuse_at(f"{where}.threshold", at, np.isnan(tests.threshold[at]), "is no number")
    _check_places(f"{where}.threshold", schema, tests.feature[at], tests.threshold[at], at)


def _check_levels(where: str, schema: Schema, tests: Splits, at: np.ndarray, n_branches: np.ndarray) -> None:
    size = np.diff(tests.level_start)[at]
    wanted = np.array([len(feature.level_names) for feature in schema.features], np.int64)
    n_levels = tests.n_levels[at] if tests.are_listed else size
    _refuse_at(f"{where}.level_start", at, n_levels != wanted[tests.feature[at]], "has not a branch for each level")
    place = ranges(tests.level_start[at], size)
    if tests.are_listed:
        _check_lists(where, tests, at, n_branches, np.repeat(at, size), place)
    branch = tests.level_branch[place]
    most = np.repeat(n_branches[at], size)
    _refuse_at(f"{where}.level_branch", np.repeat(at, size), (branch < -1) | (branch >= most), "names no branch")


def _check_lists(where: str, tests: Splits, at, n_branches: np.ndarray, owner: np.ndarray, place: np.ndarray) -> None:
    """The levels that the tests at these entries list. owner, place : of each, its entry and where it stands."""
    level, usual = tests.level_id[place], tests.usual_branch[at]
    _refuse_at(f"{where}.level_id", owner, (level < 0) | (level >= tests.n_levels[owner]), "lists no level")
    descends = np.append((level[1:] <= level[:-1]) & (owner[1:] == owner[:-1]), np.zeros(min(len(level), 1), bool))
    _refuse_at(f"{where}.level_id", owner, descends, "lists levels that do not ascend")
    _refuse_at(f"{where}.usual_branch", at, (usual < -1) | (usual >= n_branches[at]), "names no branch")


def _check_cuts(where: str, schema: Schema, tests: Splits, at: np.ndarray, n_branches: np.ndarray) -> None:
    size = np.diff(tests.cut_start)[at]
    _refuse_at(f"{where}.cut_start", at, size != n_branches[at] - 1, "has not a branch between any two cuts")
    place = ranges(tests.cut_start[at], size)
    cuts, owner = tests.cuts[place], np.repeat(at, size)
    _refuse_at(f"{where}.cuts", owner, np.isnan(cuts), "is cut at no number")
    descends = np.append(cuts[1:] <= cuts[:-1], False) & np.append(owner[1:] == owner[:-1], False)
    _refuse_at(f"{where}.cuts", owner, descends[: len(owner)], "has cuts that do not ascend")
    _check_places(f"{where}.cuts", schema, tests.feature[owner], cuts, owner)


def _check_places(where: str, schema: Schema, feature: np.ndarray, places: np.ndarray, entry: np.ndarray) -> None:
    """Cuts are of features in an order, and those of levels between two of them."""
    ordered = np.array([f.kind in ("numeric", "ordinal") for f in schema.features], bool)
    _refuse_at(where, entry, ~ordered[feature], "cuts levels that have no order")
    last = np.array([np.inf if f.numeric else len(f.levels) - 1 for f in schema.features])
    between = (places >= 0) & (places < last[feature]) | (places == np.inf)
    _refuse_at(where, entry, np.isfinite(last)[feature] & ~between, "lies between no two levels")


def refuse(where: str, bad: np.ndarray, what: str) -> None:
    """Raise for the first entry of a column that is bad. bad : bool, one per entry. what : said of this entry."""
    _refuse_at(where, np.arange(len(bad)), bad, what)


def _refuse_at(where: str, entry: np.ndarray, bad: np.ndarray, what: str) -> None:
    """Raise for the first bad one. entry : int64, what each stands for."""
    if bad.any():
        raise wrong(where, f"Entry {int(entry[np.argmax(bad)])} {what}")
