"""Two splits of one feature beside each other: do they ask the same, and which branch is which?"""

from math import ceil, floor, inf, isclose

import numpy as np

from treecore.kernels.codes import CUTS, LEVELS
from treecore.tree.missing import own_branch
from treecore.tree.tree import Tree

SLACK = 1e-6
"""Thresholds closer than this, relatively, are the same: some trees round values to 32 bits, and all mid-points do."""
MISSING = (inf, "")

Place = tuple[Tree, int]
"""A tree and an inner node of it."""


def same_feature(a: Place, b: Place) -> bool:
    """Do both nodes test a feature of the same name and kind of values?"""
    first, second = _feature(a), _feature(b)
    return first.name == second.name and first.numeric == second.numeric


def same_split(a: Place, b: Place) -> bool:
    """Do two splits of one feature part its values into the same groups, in whatever order of the branches?

    "x < 5" and "x ≤ 5" count as the same, as do thresholds that agree to six digits.
    """
    first, second = branch_values(a, b)
    return {frozenset(v) for v in first.values() if v} == {frozenset(v) for v in second.values() if v}


def branch_pairs(a: Place, b: Place) -> list[tuple[int, int]]:
    """(branch, branch) of two splits of one feature: low side with low side, groups of levels by largest overlap.

    Pairs are in the order of the first split's branches; a branch without anything in common with a free one is in
    no pair. Of equal overlaps the one with the lowest values goes first.
    """
    first, second = branch_values(a, b)
    found = []
    for i, v in first.items():
        for j, w in second.items():
            if common := v & w:
                found.append((-len(common - {MISSING}), min(common), i, j))
    pairs: dict[int, int] = {}
    for *_, i, j in sorted(found):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return sorted(pairs.items())


def branch_values(a: Place, b: Place) -> tuple[dict[int, set], dict[int, set]]:
    """Branch -> what goes down it, for both splits, in units that both have: levels, or stretches between cuts.

    A unit is (its place, its name), and MISSING where missing is a value of its own.
    """
    cuts = [_cuts(place) for place in (a, b)]
    if None in cuts:
        values = [_level_values(place) for place in (a, b)]
    else:
        every = _merged(np.concatenate([cut for cut, _ in cuts]))
        values = [_stretches(every, *found) for found in cuts]
    for (tree, node), found in zip((a, b), values, strict=True):
        missing = own_branch(tree, node)
        if missing is not None:
            found.setdefault(missing, set()).add(MISSING)
    return tuple(values)


def _feature(place: Place):
    tree, node = place
    return tree.schema.features[tree.splits.feature[node]]


def _cuts(place: Place) -> tuple[np.ndarray, list[int]] | None:
    """(ascending cuts, branch of every stretch between them); None for a table of levels.

    Cuts between levels are counted: how many levels lie below.
    """
    tree, node = place
    feature, splits = _feature(place), tree.splits
    if splits.kind[node] == LEVELS:
        return (np.array(feature.cuts), splits.levels(node).tolist()) if feature.numeric else None
    if splits.kind[node] == CUTS:
        cuts = splits.cuts[splits.cut_start[node] : splits.cut_start[node + 1]]
        branches = list(range(len(cuts) + 1))
    else:
        cuts, low = splits.threshold[node : node + 1], int(splits.low_branch[node])
        branches = [low, 1 - low]
    if not feature.numeric:
        cuts = np.array([_levels_below(cut, bool(splits.closed[node]), len(feature.levels)) for cut in cuts.tolist()])
    return cuts.astype(float), branches


def _levels_below(cut: float, closed: bool, n_levels: int) -> float:
    if not np.isfinite(cut):
        return n_levels if cut > 0 else 0
    return floor(cut) + 1 if closed else ceil(cut)


def _merged(cuts: np.ndarray) -> np.ndarray:
    """Ascending, one for each group of cuts that are the same but for rounding."""
    kept: list[float] = []
    for cut in np.sort(cuts).tolist():
        if not kept or not isclose(kept[-1], cut, rel_tol=SLACK):
            kept.append(cut)
    return np.array(kept)


def _stretches(every: np.ndarray, cuts: np.ndarray, branches: list[int]) -> dict[int, set]:
    """Branch -> indices of the stretches between all cuts of both splits."""
    places = [next(i for i, cut in enumerate(every.tolist()) if isclose(cut, c, rel_tol=SLACK)) for c in cuts.tolist()]
    n_stretches = len(every) + int(every[-1] < inf)  # above an infinite cut there is nothing known
    edges = [0, *(place + 1 for place in places), n_stretches]
    values: dict[int, set] = {}
    for branch, start, stop in zip(branches, edges[:-1], edges[1:], strict=True):
        if branch >= 0:
            values.setdefault(branch, set()).update((i, "") for i in range(start, stop))
    return values


def _level_values(place: Place) -> dict[int, set]:
    """Branch -> (index, name) of its levels; those that the split does not know are in none."""
    tree, node = place
    names, splits = _feature(place).level_names, tree.splits
    if splits.kind[node] == LEVELS:
        to = splits.levels(node).tolist()
    else:
        cuts, branches = _cuts(place)
        to = [branches[int(np.searchsorted(cuts, level, "right"))] for level in range(len(names))]
    values: dict[int, set] = {}
    for level, (name, branch) in enumerate(zip(names, to, strict=True)):
        if branch >= 0:
            values.setdefault(branch, set()).add((level, name))
    return values


__all__ = ["branch_pairs", "branch_values", "same_feature", "same_split"]
