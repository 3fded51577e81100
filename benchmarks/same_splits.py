"""Are the trees that the benchmark times the trees that scikit-learn grows?

    uv run python -m benchmarks.same_splits [ROWS]        # 100 000; exits with 1 where they differ

Both grow on the same rows. From the root down, every node of at least 2000 rows must be split on the same feature,
at the same threshold (to the last of 32 bits), into the same numbers of rows; or both splits must decrease its impurity
by the same, to 1e-12 of it: of equally good ones, such as those that part one row of a class from the rest, ours is the
first and scikit-learn's is drawn. Below such a tie nothing is compared. The 200 largest weighted impurity decreases
(fewer on fewer rows), sorted, must agree to 1e-12 of their size, or to what sums of so many numbers are rounded by.
Smaller nodes are not compared one by one: many of their splits are ties.
"""

import sys
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import treecore as tc
from benchmarks.peers_fits import PEERS
from benchmarks.peers_settings import Setting, rows_of
from treecore.kernels.codes import THRESHOLD

LARGE, MOST_GAINS, ROWS_PER_GAIN, TOLERANCE = 2000, 200, 500, 1e-12
SETTINGS = [
    Setting("cont", 0), Setting("cont", 0, max_depth=6), Setting("cont", 0, criterion="entropy"),
    Setting("cont", 0, n_classes=3), Setting("cont", 0, n_classes=0), Setting("lowcard", 0),
    Setting("lowcard", 0, n_classes=0), Setting("cont", 0, weighted=True), Setting("cont", 0, missing=0.05),
    Setting("cont", 0, min_rows_leaf=20),
]  # fmt: skip


@dataclass
class Nodes:
    """A binary tree as columns, one row per node; -1 for the children of leaves.

    low, high : ids of children. feature, threshold : of the split. n_rows, weight, impurity : of the node.
    """

    low: np.ndarray
    high: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    n_rows: np.ndarray
    weight: np.ndarray
    impurity: np.ndarray

    def gain(self, i: int) -> float:
        """Decrease of the impurity by the split of node i, as a share of that impurity; 0 at a leaf."""
        if self.low[i] < 0:
            return 0.0
        children = self.low[i], self.high[i]
        left = sum(self.weight[j] * self.impurity[j] for j in children)
        return float(1.0 - left / (self.weight[i] * self.impurity[i]))

    @cached_property
    def gains(self) -> np.ndarray:
        """Weighted impurity decreases of all splits, as a share of the root's weight, the largest first."""
        cost, split = self.weight * self.impurity, self.low >= 0
        gains = (cost[split] - cost[self.low[split]] - cost[self.high[split]]) / self.weight[0]
        return np.sort(gains)[::-1]


def ours(tree: tc.Tree) -> Nodes:
    inner = tree.first_child >= 0
    if not np.all(tree.splits.kind[inner] == THRESHOLD):
        raise ValueError("a split that is no threshold has no counterpart in scikit-learn")
    low = np.where(inner, tree.first_child + tree.splits.low_branch, -1)
    high = np.where(inner, tree.first_child + 1 - tree.splits.low_branch, -1)
    weight = tree.stats[:, 0] if not tree.schema.classes else tree.stats.sum(axis=1)
    splits = tree.splits
    return Nodes(low, high, splits.feature, splits.threshold, tree.n_rows, weight, tree.impurity)


def theirs(model) -> Nodes:
    tree = model.tree_
    return Nodes(
        tree.children_left, tree.children_right, tree.feature, tree.threshold, tree.n_node_samples,
        tree.weighted_n_node_samples, tree.impurity,
    )  # fmt: skip


def compared_nodes(a: Nodes, b: Nodes) -> tuple[int, int, list[str]]:
    """How many large nodes were compared from the root down, at how many the splits are tied, and what differs; nothing
    below either is compared."""
    n_compared, n_tied, differences, pairs = 0, 0, [], [(0, 0)]
    while pairs:
        i, j = pairs.pop()
        if max(a.n_rows[i], b.n_rows[j]) < LARGE:
            continue
        n_compared += 1
        if _is_same(_split(a, i), _split(b, j)):
            pairs += [(a.low[i], b.low[j]), (a.high[i], b.high[j])] if a.low[i] >= 0 else []
        elif a.n_rows[i] == b.n_rows[j] and a.gain(i) > 0.0 and abs(a.gain(i) - b.gain(j)) <= TOLERANCE:
            n_tied += 1
        else:
            differences.append(f"node {i} of {a.n_rows[i]} rows: {_split(a, i)}, scikit-learn {_split(b, j)}")
    return n_compared, n_tied, differences


def _split(nodes: Nodes, i: int) -> tuple:
    """(feature, rows of the node, of the low and of the high branch, threshold); rows alone for a leaf."""
    if nodes.low[i] < 0:
        return (int(nodes.n_rows[i]),)
    rows = nodes.n_rows[[i, nodes.low[i], nodes.high[i]]]
    return int(nodes.feature[i]), *map(int, rows), float(nodes.threshold[i])


def _is_same(a: tuple, b: tuple) -> bool:
    """Thresholds may be 32-bit neighbours: midpoints are rounded by one and kept exactly by the other."""
    if len(a) == 1 or len(b) == 1:
        return a == b
    near = a[-1] == b[-1] or abs(a[-1] - b[-1]) <= np.spacing(np.float32(abs(b[-1])))
    return a[:-1] == b[:-1] and bool(near)


def gain_error(a: Nodes, b: Nodes) -> tuple[int, float]:
    """How many of the largest gains were compared, and their largest relative difference."""
    n = min(MOST_GAINS, int(a.n_rows[0]) // ROWS_PER_GAIN)
    first, second = a.gains[:n], b.gains[:n]
    if len(first) != len(second):
        return n, np.inf
    return len(first), float(np.max(np.abs(first - second) / np.abs(second), initial=0.0))


def is_same(setting: Setting) -> bool:
    """Grow both, print one line and the first differences."""
    rows = rows_of(setting)
    a = ours(PEERS["treecore"].fit(rows, setting))
    b = theirs(PEERS["scikit-learn"].fit(rows, setting))
    n_nodes, n_tied, differences = compared_nodes(a, b)
    n_gains, error = gain_error(a, b)
    same = not differences and error <= max(TOLERANCE, setting.n_rows * np.finfo(float).eps)
    print(f"{'same' if same else 'DIFFERENT'}: {setting.name}: {n_nodes} nodes of at least {LARGE} rows, ", end="")
    print(
        f"{n_tied} tied, {len(differences)} differ; {n_gains} largest gains differ by at most {error:.1e}", flush=True
    )
    for difference in differences[:5]:
        print(f"    {difference}")
    return same


def main() -> None:
    n_rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    PEERS["treecore"].warm()
    found = [is_same(replace(setting, n_rows=n_rows)) for setting in SETTINGS]
    sys.exit(0 if all(found) else 1)


if __name__ == "__main__":
    main()
