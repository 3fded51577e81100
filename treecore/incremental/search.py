"""The best split of some rows, by the search that all trees are grown by."""

import numpy as np

from treecore.incremental.node import LEAF, Split
from treecore.kernels.general.search import search_nodes
from treecore.kernels.node_impurity import impurity_of
from treecore.kernels.state import N_NODES, ORDERED, GrowState, Problem, new_growing, with_room


class Search:
    """problem : with the codes of all rows, by their numbers."""

    def __init__(self, problem: Problem):
        self._problem = problem

    def gains(self, rows: np.ndarray, stats: np.ndarray) -> tuple[Split, np.ndarray]:
        """(the best split of these rows, float64 (d,): the gain of each feature's best one, 0 or less for none).

        rows : int (m,), their numbers. stats : float64 (K,), how many there are of each class.
        """
        codes, weight = self._problem.codes[:, rows], float(stats.sum())
        part = self._problem._replace(codes=codes, rows=self._problem.rows[rows])
        growing = new_growing(part, codes.argsort(axis=1).astype(np.int32), 1)
        node = growing.nodes[0]
        node["parent"] = node["first_child"] = node["feature"] = node["level_start"] = LEAF
        node["stop"] = node["n_rows"] = node["weight"] = len(rows)
        node["impurity"], growing.stats[0] = impurity_of(part.judge, stats, weight), stats
        growing.counts[N_NODES], growing.scans["gain"] = 1, -np.inf
        while search_nodes(part, growing, 0, 1, part.special_search) < 1:
            growing = with_room(growing, levels=len(growing.levels))
        return self._split(growing), growing.scans["gain"].copy()

    def _split(self, growing: GrowState) -> Split:
        record = growing.nodes[0]
        n_branches = int(record["n_children"])
        if not n_branches:
            return Split()
        f, gain, score = int(record["feature"]), float(record["gain"]), float(record["score"])
        if self._problem.features["splitter"][f] == ORDERED:
            return Split(f, 2, int(record["low"]), int(record["high"]), gain=gain, score=score)
        begin = int(record["level_start"])
        levels = growing.level_branch[begin : begin + int(self._problem.features["n_codes"][f])].copy()
        levels[levels >= n_branches] = -1
        return Split(f, n_branches, levels=levels, gain=gain, score=score)
