"""The best split of a node that has got more rows, by the search that all trees are grown by.

Most features need not be looked at. Let F be a node's weight times its impurity. The gain of a split, times the weight,
is F(node) less the sum of F(branch). F is concave, and in proportion to the number of rows mixed alike, so that
F(a + b) >= F(a) + F(b): no F(branch) falls by new rows. So no gain, times the weight, rises by more than F(node) does,
and a feature whose best gain was further behind than that cannot have won.
"""

import numpy as np

from treecore.incremental.node import LEAF, Node, Split
from treecore.kernels.general.search import search_nodes
from treecore.kernels.node_impurity import impurity_of
from treecore.kernels.state import N_NODES, ORDERED, GrowState, Problem, new_growing, with_room

ROUNDING = 1e-12


class Search:
    """Of the nodes of one tree.

    problem : with the codes of all rows, by their numbers. bounded : see local.is_bounded; if not, every feature is
    looked at.
    """

    def __init__(self, problem: Problem, bounded: bool):
        self._problem, self._bounded = problem, bounded
        rules = problem.rules.copy()
        self._free = problem._replace(rules=rules)
        rules["min_rows_leaf"], rules["min_weight_leaf"] = 1, 0.0
        self._d = len(problem.features)

    def best(self, node: Node) -> Split:
        """The split that the node's rows ask for now; none where purity or the limits forbid it."""
        weight = float(node.stats.sum())
        impurity = impurity_of(self._problem.judge, node.stats, weight)
        mass = weight * impurity
        node.upper += mass - node.mass
        node.mass = mass
        if impurity <= 0.0:
            return Split()
        every = np.arange(self._d)
        if not self._bounded or node.split.feature == LEAF:
            return self._found(node, impurity, every)[0]
        slack = (self._problem.rules["tolerance"][0] * 1.001 + ROUNDING) * mass
        now = node.split.feature
        own, _ = self._found(node, impurity, np.array([now]))
        near = self._near(node, own, weight, slack)
        if len(near):
            self._look_again(node, impurity, near, slack)
            near = self._near(node, own, weight, slack)
        return self._found(node, impurity, np.sort(np.append(near, now)))[0] if len(near) else own

    def gains(self, node: Node) -> tuple[Split, np.ndarray]:
        """(the best split of its rows, float64 (d,): the gain of each feature's best one, 0 or less for none)."""
        weight = float(node.stats.sum())
        impurity = impurity_of(self._problem.judge, node.stats, weight)
        split, growing = self._found(node, impurity, np.arange(self._d))
        return split, growing.scans["gain"].copy()

    def _near(self, node: Node, own: Split, weight: float, slack: float) -> np.ndarray:
        """The other features that may be as good as its own one."""
        is_near = node.upper >= own.gain * weight - slack if own.feature != LEAF else np.ones(self._d, bool)
        is_near[node.split.feature] = False
        return np.flatnonzero(is_near)

    def _look_again(self, node: Node, impurity: float, features: np.ndarray, slack: float) -> None:
        """What these features gain at most now, whatever the limits of leaves."""
        growing = self._searched(self._free, node, impurity, features)
        node.upper[features] = np.maximum(growing.scans["gain"], 0.0) * node.stats.sum() + slack

    def _found(self, node: Node, impurity: float, features: np.ndarray) -> tuple[Split, GrowState]:
        growing = self._searched(self._problem, node, impurity, features)
        return self._split(growing, features), growing

    def _searched(self, problem: Problem, node: Node, impurity: float, features: np.ndarray) -> GrowState:
        """The node searched among these features."""
        rows, n = node.rows, len(node.rows)
        if len(features) == 1 and features[0] == node.split.feature and node.split.levels is None:
            f = int(features[0])  # the rows are in its order
            part = problem._replace(codes=problem.codes[f : f + 1], features=problem.features[f : f + 1])
            order = rows.astype(np.int32)[None]
        else:
            codes = problem.codes[features[:, None], rows]
            part = problem._replace(codes=codes, features=problem.features[features], rows=problem.rows[rows])
            order = np.argsort(codes, axis=1, kind="stable").astype(np.int32)
        growing = new_growing(part, order, 1)
        growing.stats[0] = node.stats
        root = growing.nodes[0]
        root["stop"], root["n_rows"], root["depth"] = n, n, node.depth
        root["weight"], root["impurity"], root["feature"] = node.stats.sum(), impurity, LEAF
        growing.counts[N_NODES] = 1
        while search_nodes(part, growing, 0, 1, part.special_search) == 0:
            growing = with_room(growing, levels=len(growing.levels))
        return growing

    def _split(self, growing: GrowState, features: np.ndarray) -> Split:
        record = growing.nodes[0]
        if not record["n_children"]:
            return Split()
        f = int(features[record["feature"]])
        found = {"gain": float(record["gain"]), "score": float(record["score"])}
        if self._problem.features["splitter"][f] == ORDERED:
            return Split(f, 2, int(record["low"]), int(record["high"]), **found)
        begin = int(record["level_start"])
        levels = growing.level_branch[begin : begin + int(self._problem.features["n_codes"][f])].copy()
        n_branches = int(record["n_children"])
        levels[levels >= n_branches] = -1
        return Split(f, n_branches, levels=levels, **found)
