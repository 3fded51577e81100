"""The best split of every feature at a node, as the grower's own kernel finds it."""

import math
from dataclasses import dataclass

import numpy as np

import treecore as tc
from treecore.engine.jit import jit
from treecore.growing.loop import root_of
from treecore.growing.settings.problem import _averaged, problem_of
from treecore.kernels.general.search_nodes import scan_feature
from treecore.kernels.state import ONE_LEVEL, ORDERED
from treecore.tree.predict import RoutedRows


@dataclass(frozen=True)
class Best:
    """A feature's best split: gain with what its cuts cost, ratio, and the cut or the level."""

    gain: float
    ratio: float
    midpoint: float | None = None
    n_cuts: int | None = None
    level: str | None = None


@jit
def scan_all(problem, growing, level):
    """Scan every feature at node 0; level[f] = the code of the level that is parted from the others, -1 for none."""
    for f in range(problem.features.shape[0]):
        scan_feature(problem, growing, growing.nodes[0], f, math.inf, True)
        level[f] = -1
        if problem.features[f].splitter == ONE_LEVEL:
            for v in range(growing.scans[f].n_levels):
                if growing.levels[v].side == 0:
                    level[f] = growing.levels[v].id


def best_splits(tree: tc.Tree, node: int, table: tc.Table, routes: RoutedRows) -> dict[str, Best]:
    """The features that can be split at the node, by name; `routes` are those of the training rows."""
    inside = tree.descendants(node)
    inside[node] = True
    here = inside[routes.node]
    share = np.bincount(routes.row[here], routes.share[here], table.n_rows)
    rows = np.flatnonzero(share > 0)
    problem = problem_of(table.take(rows).with_weights(share[rows]), tc.GrowSettings.from_dict(dict(tree.growth)))
    growing = root_of(problem)
    level = np.zeros(len(table.features), np.int64)
    scan_all(problem, growing, level)
    found = {}
    for f, column in enumerate(table.feature_columns):
        scan = growing.scans[f]
        if scan["gain"] == -math.inf:
            continue
        gain, ratio = float(scan["gain"]), max(float(scan["score"]), 0.0)
        if problem.features["splitter"][f] == ORDERED:
            codes = problem.codes[f, growing.order[f, scan["at"] : scan["at"] + 2]]
            midpoint = float((column.distinct[codes] / 2).sum())
            paid = (scan["value"] * scan["share"] - gain) * share.sum()
            found[column.name] = Best(gain, ratio, midpoint=midpoint, n_cuts=round(2**paid))
        else:
            found[column.name] = Best(gain, ratio, level=column.levels[level[f]] if level[f] >= 0 else None)
    return found


def average_gain(found: dict[str, Best], table: tc.Table, growth: tc.GrowSettings) -> float:
    """Mean gain of the features that can split and count in it; NaN if there are none."""
    counted = _averaged(table, growth)
    gains = [found[name].gain for name, c in zip(table.features, counted, strict=True) if c and name in found]
    return float(np.mean(gains)) if gains else math.nan
