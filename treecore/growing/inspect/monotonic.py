"""Which splits keep the answers in order, where they may only rise or only fall with a feature; see
kernels.constraints."""

from itertools import pairwise

import numpy as np

from treecore.growing.inspect.node_values import NodeRows, Values
from treecore.tree.tree import Tree


def in_order(here: NodeRows, values: Values, found) -> np.ndarray:
    """bool (n,): splits (enumerate_splits.Splits) of a feature after which the answers stay in order."""
    if not here.growth.monotonic or not len(found):
        return np.ones(len(found), bool)
    stats = found.branches(slice(None))
    with np.errstate(divide="ignore", invalid="ignore"):
        answers = _answers(here.tree, stats) + here.tree.center[here.node]
    signs = dict(here.growth.monotonic)
    lowest, highest = bounds_of(here.tree, here.node, signs)
    fits = (np.isnan(answers) | ((answers >= lowest) & (answers <= highest))).all(axis=1)
    sign = signs.get(values.column.name, 0) * (-1 if here.tree.classes else 1)
    return fits & ((answers[:, 0] - answers[:, 1]) * sign <= 0.0) if sign else fits


def bounds_of(tree: Tree, node: int, signs: dict[str, int]) -> tuple[float, float]:
    """The lowest and the highest answer that branches of the node may give."""
    lowest, highest = -np.inf, np.inf
    for above, below in pairwise(tree.path(node)):
        if tree.node(above).feature in signs:
            beside = next(child for child in tree.children(above) if child != below)
            mine, other = (_answer_at(tree, child) for child in (below, beside))
            lowest, highest = (lowest, mine / 2 + other / 2) if mine <= other else (mine / 2 + other / 2, highest)
    return lowest, highest


def _answer_at(tree: Tree, node: int) -> float:
    return float(_answers(tree, tree.stats[node] * tree.class_factor) + tree.center[node])


def _answers(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """The share of the first class, or the mean around the center: the last axis of the statistics is used up."""
    return stats[..., 0] / stats.sum(axis=-1) if tree.classes else stats[..., 1] / stats[..., 0]
