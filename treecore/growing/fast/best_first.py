"""A limited number of leaves after fast growth: the splits that best-first growth would have made, in its order.

What a node is split by does not depend on the order in which nodes are split, so a tree that was grown further holds
the one of few leaves.
"""

import heapq

import numpy as np

from treecore.growing.settings.grow_settings import GrowSettings
from treecore.kernels.records.record_block import N_NODES, FastNodes, TrainingRows


def depth_limited(rules: np.ndarray, growth: GrowSettings) -> np.ndarray:
    """RULES that let no node be deeper than in any tree of so many leaves."""
    if growth.max_leaves is None:
        return rules
    rules = rules.copy()
    rules["max_depth"] = min(int(rules["max_depth"][0]), growth.max_leaves - 1)
    return rules


def keep_best(rows: TrainingRows, nodes: FastNodes, max_leaves: int) -> np.ndarray:
    """Take back all splits but the best max_leaves - 1; int32: the nodes that are left, in the order of growth.

    The split with the largest weight * gain comes next, of equal ones that of the older node: see loop.BestFirst.
    """
    n = int(nodes.counts[N_NODES])
    of, stats = nodes.of[:n], nodes.stats[:n]
    weight = stats[:, 0] if rows.rules["n_classes"][0] == 0 else stats.sum(axis=1)
    worth = (-weight * np.where(of["feature"] >= 0, of["gain"], 0.0)).tolist()
    first_child, swapped = of["first_child"].tolist(), of["swapped"].tolist()
    kept, waiting, split = [0], [(worth[0], 0)] if first_child[0] >= 0 else [], []
    while waiting and len(split) < max_leaves - 1:
        node = kept[heapq.heappop(waiting)[1]]
        split.append(node)
        first = first_child[node] + swapped[node]
        for child in (first, 2 * first_child[node] + 1 - first):
            if first_child[child] >= 0:
                heapq.heappush(waiting, (worth[child], len(kept)))
            kept.append(child)
    order = np.array(kept, np.int32)
    leaves = np.setdiff1d(order, split)
    of["feature"][leaves], of["first_child"][leaves] = -1, -1
    return order
