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
from treecore.kernels.state import N_LEVELS, N_NODES, NODE, ORDERED, GrowState, Problem, new_growing, with_room

ROUNDING = 1e-12
SMALL = 64
"""Rows of nodes that are sorted by all features at once sooner than by those that may win."""
MOST_IN_CHAIN = 256
_NOTHING = np.zeros(1, NODE)
for _name in ("parent", "first_child", "feature", "level_start"):
    _NOTHING[_name] = LEAF


class Search:
    """Of the nodes of one tree.

    problem : with the codes of all rows, by their numbers. bounded : see local.is_bounded; if not, every feature is
    looked at.
    """

    def __init__(self, problem: Problem, bounded: bool):
        self._problem, self._bounded = problem, bounded
        rules, self._d = problem.rules.copy(), len(problem.features)
        self._free = problem._replace(rules=rules)
        self._is_limited = bool(rules["min_rows_leaf"][0] > 1 or rules["min_weight_leaf"][0] > 0)
        rules["min_rows_leaf"], rules["min_weight_leaf"] = 1, 0.0
        self._every, self._special = np.arange(self._d), problem.special_search
        self._scratch = new_growing(problem, np.zeros((self._d, 0), np.int32), MOST_IN_CHAIN)
        self._place = np.zeros(problem.codes.shape[1], np.int32)

    @property
    def most_in_chain(self) -> float:
        """Rows of a node below which it is looked at in a chain."""
        return SMALL if self._bounded else np.inf

    def best(self, node: Node) -> Split:
        """The split that the node's rows ask for now; none where purity or the limits forbid it."""
        weight = float(node.stats.sum())
        impurity = impurity_of(self._problem.judge, node.stats, weight)
        if impurity <= 0.0:
            return Split()
        if not self._bounded or node.is_leaf:
            return self._found(node, impurity, self._every)[0]
        mass = weight * impurity
        node.upper += mass - node.mass
        node.mass = mass
        slack = (self._problem.rules["tolerance"][0] * 1.001 + ROUNDING) * mass
        now = np.array([node.split.feature])
        own, _ = self._found(node, impurity, now)
        near = self._near(node, own, weight, slack)
        if len(near) and self._is_limited:
            self._note(node, near, self._searched(self._free, node, impurity, near), weight, slack)
            near = self._near(node, own, weight, slack)
        if not len(near):
            return own
        near = np.sort(np.append(near, now))
        found, growing = self._found(node, impurity, near)
        if not self._is_limited:
            self._note(node, near, growing, weight, slack)
        return found

    def chain(self, nodes: list[Node]) -> list[Split]:
        """The same of nodes each of which is a branch of the one before it, with all features and one sorting."""
        rows, first = nodes[0].rows, self._problem
        codes = first.codes[:, rows]
        order = codes.argsort(axis=1).astype(np.int32)
        orders, stops = [order], [len(rows)]
        self._place[rows] = np.arange(len(rows))
        for node in nodes[1:]:
            here = np.zeros(len(rows), bool)
            here[self._place[node.rows]] = True
            order = order[here[order]].reshape(self._d, -1)
            orders.append(order)
            stops.append(stops[-1] + order.shape[1])
        part = first._replace(codes=codes, rows=first.rows[rows])
        growing = self._scratch._replace(order=np.concatenate(orders, axis=1), rows=part.rows)
        start = 0
        for place, (node, stop) in enumerate(zip(nodes, stops, strict=True)):
            weight = float(node.stats.sum())
            self._plant(growing, place, node, start, stop, impurity_of(first.judge, node.stats, weight))
            start = stop
        growing = self._run(part, growing, len(nodes))
        return [self._split(growing, self._every, place) for place in range(len(nodes))]

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

    def _note(self, node: Node, features: np.ndarray, growing: GrowState, weight: float, slack: float) -> None:
        """What these features gain at most now."""
        node.upper[features] = np.maximum(growing.scans["gain"], 0.0) * weight + slack

    def _found(self, node: Node, impurity: float, features: np.ndarray) -> tuple[Split, GrowState]:
        growing = self._searched(self._problem, node, impurity, features)
        return self._split(growing, features), growing

    def _searched(self, problem: Problem, node: Node, impurity: float, features: np.ndarray) -> GrowState:
        """The node searched among these features."""
        rows = node.rows
        if len(features) == 1 and features[0] == node.split.feature and node.split.levels is None:
            f = int(features[0])  # the rows are in its order
            part = problem._replace(codes=problem.codes[f : f + 1], features=problem.features[f : f + 1])
            order = rows[None]
        else:
            codes = problem.codes[features[:, None], rows]
            part = problem._replace(codes=codes, features=problem.features[features], rows=problem.rows[rows])
            order = codes.argsort(axis=1).astype(np.int32)
        scans = self._scratch.scans[: len(features)]
        growing = self._scratch._replace(order=order, rows=part.rows, scans=scans)
        self._plant(growing, 0, node, 0, len(rows), impurity)
        return self._run(part, growing, 1)

    def _plant(self, growing: GrowState, place: int, node: Node, start: int, stop: int, impurity: float) -> None:
        """Let the node be searched there."""
        growing.nodes[place] = _NOTHING
        growing.stats[place], record = node.stats, growing.nodes[place]
        record["id"], record["start"], record["stop"], record["n_rows"] = place, start, stop, stop - start
        record["depth"], record["weight"], record["impurity"] = node.depth, node.stats.sum(), impurity

    def _run(self, part: Problem, growing: GrowState, n: int) -> GrowState:
        growing.scans["gain"] = -np.inf
        growing.counts[N_NODES], growing.counts[N_LEVELS] = n, 0
        done = 0
        while (done := search_nodes(part, growing, done, n, self._special)) < n:
            growing = with_room(growing, levels=len(growing.levels))
        return growing

    def _split(self, growing: GrowState, features: np.ndarray, place: int = 0) -> Split:
        record = growing.nodes[place]
        n_branches = int(record["n_children"])
        if not n_branches:
            return Split()
        f = int(features[record["feature"]])
        gain, score = float(record["gain"]), float(record["score"])
        if self._problem.features["splitter"][f] == ORDERED:
            return Split(f, 2, int(record["low"]), int(record["high"]), gain=gain, score=score)
        begin = int(record["level_start"])
        levels = growing.level_branch[begin : begin + int(self._problem.features["n_codes"][f])].copy()
        levels[levels >= n_branches] = -1
        return Split(f, n_branches, levels=levels, gain=gain, score=score)
