"""Rows sent down a pruned tree one by one, with shares by the weights that are there: slow and obvious."""

import math

import numpy as np

import treecore as tc
from treecore.kernels.codes import LEVELS, SHARED, STAYS, THRESHOLD
from treecore.pruning.cuts import CUT, Cuts


class Naive:
    """The nodes of a grown tree as cuts leave them; `at[node]` lists the (row, share) that reach a standing node.

    ends[node] : those whose route ends there. known[node] : those that the parent's own test sent.
    """

    def __init__(self, tree: tc.Tree, table: tc.Table, cuts: Cuts):
        self.tree, self.table = tree, table
        self.cut, self.replaced_by = cuts.verdict == CUT, cuts.replaced_by
        self.case = np.ones(table.n_rows) if table.weights is None else table.weights
        self.cells = [table.column(f.name).values() for f in tree.schema.features]
        self.at, self.ends, self.known = {}, {}, {}

    def node_at(self, place: int) -> int:
        while self.replaced_by[place] >= 0:
            place = int(self.replaced_by[place])
        return place

    def is_leaf(self, node: int) -> bool:
        return bool(self.tree.is_leaf[node] or self.cut[node])

    def everywhere(self) -> "Naive":
        self.send(0, [(row, 1.0) for row in range(self.table.n_rows)])
        return self

    def send(self, place: int, parts: list) -> None:
        node = self.node_at(place)
        self.at[node] = parts
        if self.is_leaf(node):
            self.ends[node] = parts
            return
        down, known, self.ends[node] = self.parted(node, parts)
        for child, b in zip(self.tree.children(node), down, strict=True):
            self.known[self.node_at(child)] = known[b]
            self.send(child, down[b])

    def parted(self, node: int, parts: list) -> tuple[dict, dict, list]:
        """(parts by branch, of these the ones that the node's own test sent, parts that stay)."""
        branches = range(len(self.tree.children(node)))
        known, others = {b: [] for b in branches}, []
        for row, share in parts:
            branch = self.branch(self.tree.splits, node, row)
            if branch >= 0:
                known[branch].append((row, share))
            else:
                others.append((row, share))
        weight = {b: self.weight(known[b]) for b in branches}
        total = math.fsum(weight.values())
        down, staying = {b: list(known[b]) for b in branches}, []
        for row, share in others:
            to = self.otherwise(node, row)
            if to >= 0:
                down[to].append((row, share))
            elif to == STAYS:
                staying.append((row, share))
            else:
                assert to == SHARED
                for b in branches:
                    part = weight[b] / total if total > 0 else 1 / len(branches)
                    if part > (1e-6 if self.tree.growth["score"] == "mdl_gain_ratio" else 0):
                        down[b].append((row, share * part))
        return down, known, staying

    def branch(self, splits, entry: int, row: int) -> int:
        cell = self.cells[splits.feature[entry]][row]
        if np.isnan(cell):
            return -1
        if splits.kind[entry] == THRESHOLD:
            low = cell <= splits.threshold[entry] if splits.closed[entry] else cell < splits.threshold[entry]
            return int(splits.low_branch[entry] if low else 1 - splits.low_branch[entry])
        assert splits.kind[entry] == LEVELS
        return int(splits.levels(entry)[int(cell)])

    def otherwise(self, node: int, row: int) -> int:
        tree, start = self.tree, self.tree.surrogate_start
        if tree.surrogates_asked:
            for s in range(start[node], start[node + 1]):
                branch = self.branch(tree.surrogates, s, row)
                if branch >= 0:
                    return branch
        missing = self.is_missing(node, row)
        return int((tree.splits.missing_branch if missing else tree.splits.unseen_branch)[node])

    def is_missing(self, node: int, row: int) -> bool:
        return bool(np.isnan(self.cells[self.tree.splits.feature[node]][row]))

    def weight(self, parts: list) -> float:
        return math.fsum(self.case[row] * share for row, share in parts)

    def counts(self, parts: list, center: float = 0.0) -> np.ndarray:
        """Statistics of these parts of rows, as Tree.stats has them; of numbers around this center."""
        if self.tree.classes:
            found, codes = np.zeros(len(self.tree.classes)), self.table.target_column.codes
            for row, share in parts:
                found[codes[row]] += self.case[row] * share
            return found
        y = self.table.target_column.values() - center
        return np.array([math.fsum(self.case[r] * s * y[r] ** p for r, s in parts) for p in range(3)])

    def impurity(self, parts: list) -> float:
        """Gini index, variance or mean absolute error around the median; 0 where nothing weighs anything."""
        if self.weight(parts) == 0:
            return 0.0
        if self.tree.classes:
            shares = self.counts(parts) / self.weight(parts)
            return float(1 - (shares**2).sum())
        w = np.array([self.case[r] * s for r, s in parts])
        y = np.array([self.table.target_column.values()[r] for r, _ in parts])
        if self.tree.median is None:
            return float(w @ (y - np.average(y, weights=w)) ** 2 / w.sum())
        return float(min(w @ np.abs(y - middle) for middle in y) / w.sum())
