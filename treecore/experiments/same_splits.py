"""Which splits of two trees are the same but for a little: same feature, and nearly all rows parted in the same way."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.kernels.codes import CUTS, LEVELS, THRESHOLD
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Places(Brief):
    """Splits of many trees, one entry per split; entry i of each array is one of them.

    tree, node, depth, feature : int64. place : float64, the share of a table's rows that lie below the threshold, NaN
    for splits that are more than one threshold.
    """

    tree: np.ndarray
    node: np.ndarray
    depth: np.ndarray
    feature: np.ndarray
    place: np.ndarray


class Ruler:
    """Says where in a table's rows splits cut. table : the rows. The trees have its features, in its order."""

    def __init__(self, table: Table):
        self.columns = {c.name: c for c in table.feature_columns}
        self.sorted: dict[str, np.ndarray] = {}
        self.shares: dict[str, np.ndarray] = {}

    def share_below(self, name: str, threshold: np.ndarray) -> np.ndarray:
        """float64: share of the rows with a value whose value is below; of an ordinal feature, whose level's index."""
        if name not in self.sorted:
            column = self.columns[name]
            values = column.values() if column.kind == "numeric" else column.codes.astype(float)
            self.sorted[name] = np.sort(values[~column.missing])
        values = self.sorted[name]
        return np.searchsorted(values, threshold) / max(len(values), 1)

    def places(self, trees: list[Tree]) -> Places:
        """Every split of these trees."""
        found = []
        for t, tree in enumerate(trees):
            inner = np.flatnonzero(~tree.is_leaf)
            feature, place = tree.splits.feature[inner], np.full(len(inner), np.nan)
            simple = tree.splits.kind[inner] == THRESHOLD
            for f in np.unique(feature[simple]):
                here = simple & (feature == f)
                cut = tree.splits.threshold[inner[here]]
                place[here] = self.share_below(tree.schema.features[f].name, cut)
            found.append((np.full(len(inner), t), inner, tree.node_depth[inner], feature, place))
        parts = [np.concatenate(part) for part in zip(*found, strict=True)]
        return Places(*(p.astype(np.int64) for p in parts[:4]), parts[4])

    def apart(self, one: Tree, a: int, other: Tree, b: int) -> float:
        """Share of the rows that two splits of one feature send different ways; 1 for splits of different makes."""
        s, t = one.splits, other.splits
        if s.feature[a] != t.feature[b] or s.kind[a] != t.kind[b]:
            return 1.0
        name = one.schema.features[s.feature[a]].name
        if s.kind[a] == THRESHOLD:
            low, high = self.share_below(name, np.array([s.threshold[a], t.threshold[b]]))
            return abs(float(high - low))
        if s.kind[a] == CUTS:
            cuts = [x.cuts[x.cut_start[i] : x.cut_start[i + 1]] for x, i in ((s, a), (t, b))]
            if len(cuts[0]) != len(cuts[1]):
                return 1.0
            return float(np.abs(np.diff([self.share_below(name, c) for c in cuts], axis=0)).sum())
        return self._levels_apart(name, s.levels(a), t.levels(b)) if s.kind[a] == LEVELS else 1.0

    def _levels_apart(self, name: str, first: np.ndarray, second: np.ndarray) -> float:
        """Of two groupings of levels; two groups have no order. Levels unseen in a sample are nobody's fault."""
        if len(first) != len(second):
            return 1.0
        if name not in self.shares:
            counts = self.columns[name].present()[: len(first)].astype(float)
            self.shares[name] = counts / max(counts.sum(), 1)
        known = (first >= 0) & (second >= 0)
        share = np.where(known, self.shares[name], 0.0)
        straight = float(share[first != second].sum())
        two = max(first.max(initial=0), second.max(initial=0)) <= 1
        return min(straight, float(share[first == second].sum())) if two else straight
