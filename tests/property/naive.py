"""The grower once more, slow and obvious: exact fractions, every candidate listed, nothing shared with treecore.

`check_growth(sample, growth, tree)` walks a grown tree in growth order. At every node it lists all splits that
the settings allow, with their gains, and insists on the one that the tie rule names (for groupings of levels: on
any of equal gain). It then parts the rows as the tree does and goes on, so that one accepted tie does not blur
what follows.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from gmpy2 import mpq

import treecore as tc
from treecore.data import level_column, numeric_column

TOLERANCE = 1e-10
CLOSE = 1e-8
"""How near a gain is to that of exact numbers, relative to it."""


@dataclass
class Sample:
    """A small table in plain lists. kinds : per feature "numeric", "ordinal", "nominal" or "boolean".

    columns : per feature a list of numbers, or of level indices; None where missing. levels : how many
    levels each feature declares (0 for numeric). target : class indices or numbers. n_classes : 0 for
    numbers. weights : dyadic, so that sums of floats are exact.
    """

    kinds: list
    columns: list
    levels: list
    target: list
    n_classes: int
    weights: list | None = None

    @property
    def n_rows(self) -> int:
        return len(self.target)

    def weight(self, row: int) -> mpq:
        return mpq(1) if self.weights is None else mpq(self.weights[row])

    def table(self, rows=None) -> tc.Table:
        """As a Table; `rows` repeats or leaves out rows by position."""
        rows = list(range(self.n_rows)) if rows is None else list(rows)
        columns = []
        for f, kind in enumerate(self.kinds):
            cells = [self.columns[f][i] for i in rows]
            columns.append(_column(f"x{f}", kind, cells, self.levels[f]))
        y = [self.target[i] for i in rows]
        columns.append(_column("y", "nominal" if self.n_classes else "numeric", y, self.n_classes))
        weights = None if self.weights is None else np.array([self.weights[i] for i in rows], float)
        features = tuple(f"x{f}" for f in range(len(self.kinds)))
        return tc.Table(tuple(columns), target="y", features=features, weights=weights)


def _column(name, kind, cells, n_levels):
    if kind == "numeric":
        return numeric_column(name, np.array([np.nan if c is None else c for c in cells], float))
    codes = np.array([-1 if c is None else c for c in cells], np.int64)
    return level_column(name, kind, codes, [f"{name}={v}" for v in range(n_levels)])


# the formulas


def class_weights(sample, rows):
    found = [mpq(0)] * sample.n_classes
    for i in rows:
        found[sample.target[i]] += sample.weight(i)
    return found


def weight_of(sample, rows):
    return sum((sample.weight(i) for i in rows), mpq(0))


def filled(sample, rows):
    """Rows of positive weight."""
    return sum(sample.weight(i) > 0 for i in rows)


def mean_of(sample, rows):
    """Mean target; mean class index for classes."""
    w = weight_of(sample, rows)
    return sum((sample.weight(i) * mpq(sample.target[i]) for i in rows), mpq(0)) / w if w else mpq(0)


def impurity(sample, criterion, rows):
    w = weight_of(sample, rows)
    if w == 0:
        return 0
    if criterion == "squared_error":
        m = mean_of(sample, rows)
        return sum((sample.weight(i) * (mpq(sample.target[i]) - m) ** 2 for i in rows), mpq(0)) / w
    shares = [c / w for c in class_weights(sample, rows)]
    gini = 1 - sum(p * p for p in shares)
    if criterion in ("gini", "half_gini", "two_class_variance"):
        return gini if criterion == "gini" else gini / 2
    if criterion == "misclassification":
        return 1 - max(shares)
    unit = {"entropy": 1.0, "entropy_nats": math.log(2)}[criterion]  # of one that is not defined here: KeyError
    return -sum(float(p) * math.log2(p) for p in shares if p > 0) * unit


def gain(sample, criterion, rows, branches):
    """Impurity of the known rows less that of the branches, times the known share of the node's weight."""
    known = [i for branch in branches for i in branch]
    w = weight_of(sample, known)
    if w == 0:
        return -math.inf
    left = sum(weight_of(sample, b) * impurity(sample, criterion, b) for b in branches if b)
    return (impurity(sample, criterion, known) - left / w) * (w / weight_of(sample, rows))


# candidates


@dataclass
class Option:
    """A possible split: the threshold of an ordered feature, or the branch of every level present."""

    feature: int
    threshold: float | None
    branch: dict | None
    gain: object


def options(sample, growth, criterion, rows, total):
    """Every split that the settings allow, in feature order, then lowest threshold, then first subset."""
    return [o for f in range(len(sample.kinds)) for o in _options_of(sample, growth, criterion, rows, total, f)]


def _options_of(sample, growth, criterion, rows, total, f):
    cells = sample.columns[f]
    known = [i for i in rows if cells[i] is not None]
    present = sorted({cells[i] for i in known if sample.weight(i) > 0})
    if len(present) < 2:
        return

    def enough(branch):
        least = growth.min_share_leaf * total
        return filled(sample, branch) >= growth.min_rows_leaf and weight_of(sample, branch) >= least

    if sample.kinds[f] in ("numeric", "ordinal"):
        for low, high in itertools.pairwise(present):
            branches = [i for i in known if cells[i] < high], [i for i in known if cells[i] >= high]
            if all(enough(b) for b in branches):
                cut = (low + high) // 2 + 0.5 if sample.kinds[f] == "ordinal" else (low + high) / 2
                yield Option(f, cut, None, gain(sample, criterion, rows, branches))
        return
    if growth.nominal == "multiway":
        branches = [[i for i in known if cells[i] == v] for v in range(sample.levels[f])]
        if sum(enough(b) for b in branches) >= 2:
            table = {v: v for v in range(sample.levels[f])}
            yield Option(f, None, table, gain(sample, criterion, rows, branches))
        return
    for subset in range(1, 2 ** (len(present) - 1)):
        branch = {v: 1 - (subset >> j & 1) for j, v in enumerate(present)}
        branches = [[i for i in known if branch.get(cells[i]) == side] for side in (0, 1)]
        if all(enough(b) for b in branches):
            yield Option(f, None, branch, gain(sample, criterion, rows, branches))


def may_split(sample, growth, criterion, rows, depth, total):
    return (
        impurity(sample, criterion, rows) > 1e-15
        and (growth.max_depth is None or depth < growth.max_depth)
        and len(rows) >= growth.min_rows_split
        and filled(sample, rows) >= 2 * growth.min_rows_leaf
        and weight_of(sample, rows) >= growth.min_share_split * total
    )


def winners(sample, growth, criterion, rows, depth, total):
    """The splits that may win at a node: one, or several groupings of one feature; [] for a leaf."""
    if not may_split(sample, growth, criterion, rows, depth, total):
        return []
    found = [o for o in options(sample, growth, criterion, rows, total) if o.gain > -math.inf]
    if not found:
        return []
    slack = TOLERANCE * impurity(sample, criterion, rows)
    best = max(o.gain for o in found)
    if best < growth.min_gain - slack or (growth.zero_gain == "stop" and best <= slack):
        return []
    if float(best * weight_of(sample, rows)) / float(total) < growth.min_weighted_gain - 1e-12:
        return []
    equal = [o for o in found if o.gain >= best - slack]
    first = equal[0]
    if first.threshold is not None:
        return [first]
    return [o for o in equal if o.feature == first.feature]


# the walk


@dataclass
class Waiting:
    node: int
    rows: list
    depth: int
    options: list

    def total_gain(self, sample):
        return float(self.options[0].gain * weight_of(sample, self.rows))


def check_growth(sample: Sample, growth: tc.GrowSettings, tree: tc.Tree) -> None:
    """AssertionError at the first node that is not as the formulas say."""
    criterion = growth.criterion or ("gini" if sample.n_classes else "squared_error")
    total = weight_of(sample, range(sample.n_rows))
    frontier, n_nodes, n_leaves = [], 1, 1
    _arrive(sample, growth, criterion, tree, total, frontier, 0, list(range(sample.n_rows)), 0)
    while frontier:
        here = _next(sample, growth, tree, frontier, n_nodes, n_leaves)
        if here is None:
            break
        children = _check_split(sample, criterion, tree, here)
        n_leaves += len(children) - 1
        first, n_nodes = n_nodes, n_nodes + len(children)
        assert tree.first_child[here.node] == first, f"node {here.node}: children start at {first}"
        for b in range(len(children)):
            args = (frontier, first + b, children[b], here.depth + 1)
            _arrive(sample, growth, criterion, tree, total, *args)
    assert tree.n_nodes == n_nodes
    assert tree.n_leaves == n_leaves


def _arrive(sample, growth, criterion, tree, total, frontier, node, rows, depth):
    """Check what is counted at a node, and queue it if it is to be split."""
    assert tree.n_rows[node] == len(rows), f"node {node}"
    assert tree.weight[node] == float(weight_of(sample, rows)), f"node {node}"
    assert tree.node_depth[node] == depth
    assert math.isclose(tree.impurity[node], impurity(sample, criterion, rows), rel_tol=1e-9, abs_tol=1e-12)
    if sample.n_classes:
        assert tree.stats[node].tolist() == [float(c) for c in class_weights(sample, rows)]
    elif weight_of(sample, rows):
        assert math.isclose(tree.value[node], mean_of(sample, rows), rel_tol=1e-12, abs_tol=1e-12)
    found = winners(sample, growth, criterion, rows, depth, total)
    if found:
        frontier.append(Waiting(node, rows, depth, found))
    else:
        assert tree.is_leaf[node], f"node {node} should be a leaf, it tests {tree.node(node).feature}"


def _next(sample, growth, tree, frontier, n_nodes, n_leaves):
    """The node split next: the oldest (level by level), or the largest total gain (any, where totals are equal)."""
    if growth.max_leaves is None:
        return frontier.pop(0)
    while frontier:
        best = max(w.total_gain(sample) for w in frontier)
        tied = [w for w in frontier if w.total_gain(sample) >= best - 1e-9 * max(best, 1e-3)]
        room = [w for w in tied if n_leaves + _width(sample, growth, w) - 1 <= growth.max_leaves]
        for w in tied:
            if w not in room:
                assert tree.is_leaf[w.node], f"node {w.node}: no leaves left for it"
                frontier.remove(w)
        taken = [w for w in room if tree.first_child[w.node] == n_nodes]
        if room:
            assert taken, f"one of the nodes {[w.node for w in room]} is next"
            frontier.remove(taken[0])
            return taken[0]
    return None


def _width(sample, growth, waiting):
    option = waiting.options[0]
    return 2 if option.threshold is not None or growth.nominal == "subset" else sample.levels[option.feature]


def _check_split(sample, criterion, tree, here):
    """The split of a node is one of the winners; returns the rows of every child."""
    node, options_here = here.node, here.options
    assert not tree.is_leaf[node], f"node {node} should split: {options_here}"
    option, splits = options_here[0], tree.splits
    assert splits.feature[node] == option.feature, f"node {node}: {options_here}"
    assert math.isclose(tree.gain[node], option.gain, rel_tol=CLOSE, abs_tol=1e-12)
    cells = sample.columns[option.feature]
    if option.threshold is not None:
        assert splits.threshold[node] == option.threshold, f"node {node}: {options_here}"
        low = int(splits.low_branch[node])
        upto = tree.growth["threshold"] != "midpoint"  # a row of weight 0 may stand right on the threshold
        below = {
            i: c < option.threshold or (upto and c == option.threshold) for i, c in enumerate(cells) if c is not None
        }
        branch = {i: low if below[i] else 1 - low for i in here.rows if i in below}
    else:
        table = splits.levels(node)
        groupings = [_sides(o.branch) for o in options_here]
        assert _sides(dict(enumerate(table.tolist()))) in groupings, f"node {node}: {table} not in {groupings}"
        branch = {i: int(table[cells[i]]) for i in here.rows if cells[i] is not None and table[cells[i]] >= 0}
    return _with_missing(sample, tree, here, branch, ordered=option.threshold is not None)


def _sides(branch):
    """A grouping without the order of its branches; levels absent at the node (-1) do not count."""
    sides = {}
    for level, b in branch.items():
        if b >= 0:
            sides.setdefault(b, set()).add(level)
    return frozenset(frozenset(s) for s in sides.values())


def _with_missing(sample, tree, here, branch, ordered):
    """Rows per child, the missing ones in the heaviest; the smaller mean comes first in a grouping."""
    node = here.node
    children = [[i for i in here.rows if branch.get(i) == b] for b in range(tree.n_children[node])]
    heaviest = max(weight_of(sample, c) for c in children)
    to = int(tree.splits.missing_branch[node])
    assert weight_of(sample, children[to]) == heaviest, f"node {node}: missing values follow the heaviest child"
    if ordered or len(children) > 2:
        assert to == next(b for b, c in enumerate(children) if weight_of(sample, c) == heaviest)
    children[to] = [i for i in here.rows if branch.get(i, to) == to]
    return children
