"""Growing on presorted records where that is possible: the same tree, many times faster."""

from collections.abc import Callable

import numpy as np

from treecore.criteria import CRITERIA
from treecore.data.table import Table
from treecore.growing.imposed import row_statistics
from treecore.growing.loop import Grown, Progress
from treecore.growing.parts import THRESHOLD
from treecore.growing.problem import rules_of
from treecore.growing.settings import Growth
from treecore.kernels.codes import STAYS
from treecore.kernels.node_impurity import impurity_of
from treecore.kernels.order import sort_by_code
from treecore.kernels.presorted import MOST_WAITING, N_NODES, N_WAITING, WAITING, Presorted, scan_root, split_presorted
from treecore.kernels.records import MOST_CLASSES, MOST_ROWS, make_records
from treecore.kernels.state import BEST, MAJORITY, NODE, Growing, Problem, new_growing

BUDGET = 10_000_000
"""Records parted between two calls of the progress callback: a small fraction of a second."""
LEAST_TOLERANCE = 1e-13
"""Below it rounding decides which of two equal cuts of classes is best, and formulas round differently."""
JUDGED = {CRITERIA[name].code for name in ("gini", "entropy", "squared_error")}


def is_plain(table: Table, growth: Growth) -> bool:
    """Can the tree be grown from presorted records? Rows that count once, known values, cuts of an order, no test."""
    rules = rules_of(table, growth)[0]
    whole = table.weights is None and growth.priors is None and growth.loss is None
    kinds = {"ordinal", "numeric"} if growth.numeric == THRESHOLD else {"ordinal"}
    ordered = all(column.kind in kinds for column in table.feature_columns)
    level_by_level = growth.max_leaves is None and not growth.patience
    untested = growth.test == "none" and not growth.size_penalty and rules["selector"] == BEST and rules["step"] == 0
    usual = not any(rules[name] for name in ("score", "cost_form", "boundaries", "min_gap", "max_surrogates"))
    settled = table.task == "regression" or growth.tolerance >= LEAST_TOLERANCE
    fits = settled and 2 <= table.n_rows < MOST_ROWS and rules["n_classes"] <= MOST_CLASSES
    judged = rules["criterion"] in JUDGED and not growth.costs and rules["missing"] == MAJORITY
    if not (whole and ordered and level_by_level and untested and usual and fits and judged):
        return False
    return not any(column.n_missing for column in table.feature_columns)


def grow_presorted(problem: Problem, progress: Callable[[Progress], None] | None) -> Grown:
    """Grow until no node is left to split. Raises what `progress` raises."""
    n, n_classes = problem.codes.shape[1], int(problem.rules["n_classes"][0])
    grown = _records(problem)
    nodes, stats = np.zeros(64 + n // 8, NODE), np.zeros((64 + n // 8, n_classes or 3))
    stats[0] = row_statistics(problem.rows, n_classes)
    _root(nodes[0], problem, stats[0])
    grown.counts[N_NODES] = 1
    scan_root(problem, grown, nodes, stats)
    while grown.counts[N_WAITING] > 0:
        split_presorted(problem, grown, nodes, stats, BUDGET)
        if progress is not None:
            progress(Progress(int(grown.counts[N_NODES]), int(grown.counts[N_WAITING])))
        if grown.counts[N_NODES] + 2 > len(nodes):
            nodes, stats = (np.concatenate([old, np.zeros_like(old)]) for old in (nodes, stats))
    return Grown(_as_grown(problem, grown, nodes, stats), [], 0, 0)


def _records(problem: Problem) -> Presorted:
    """Every feature's records in order, and working memory."""
    (d, n), n_classes = problem.codes.shape, int(problem.rules["n_classes"][0])
    x = np.arange(1, n + 1 if problem.judge.code == CRITERIA["entropy"].code else 1)
    grown = Presorted(
        records=np.empty(2 * d * n, np.uint32),
        response=np.ascontiguousarray(problem.rows["response"]) if not n_classes else np.zeros(0),
        waiting=np.zeros(MOST_WAITING + 1, WAITING), best=np.zeros((MOST_WAITING + 1, d), np.int64),
        tied=np.zeros((MOST_WAITING + 1, d), bool), goes_left=np.zeros(n, np.uint8), ratio=np.empty(n),
        sums=np.empty(n), cross=np.empty(n), xlog=np.append(0.0, x * np.log2(x)) if len(x) else np.zeros(0),
        left=np.zeros(n_classes or 3), right=np.zeros(n_classes or 3), counts=np.zeros(2, np.int64),
    )  # fmt: skip
    order = np.empty(n, np.int32)
    for f in range(d):
        sort_by_code(problem.codes[f], np.zeros(problem.features["n_codes"][f] + 2, np.int64), order)
        records = grown.records[f * n : (f + 1) * n]
        grown.tied[0, f] = make_records(order, problem.codes[f], problem.rows, records)
    return grown


def _root(root: np.ndarray, problem: Problem, stats: np.ndarray) -> None:
    n = problem.codes.shape[1]
    root["parent"], root["first_child"], root["feature"], root["level_start"] = -1, -1, -1, -1
    root["stop"], root["n_rows"], root["weight"] = n, n, n
    root["impurity"] = impurity_of(problem.judge, stats, float(n))


def _as_grown(problem: Problem, grown: Presorted, nodes: np.ndarray, stats: np.ndarray) -> Growing:
    """The nodes as the other growers leave them."""
    n = int(grown.counts[N_NODES])
    nodes, stats = nodes[:n], stats[:n]
    if problem.rules["order_by_mean"][0]:
        _order_by_mean(problem, nodes, stats)
    inner = np.flatnonzero(nodes["n_children"] > 0)
    first = nodes["first_child"][inner]
    left, right = nodes["n_rows"][first], nodes["n_rows"][first + 1]
    # the larger branch; of equals the first, the last, or none
    of_equals = np.array([0, 1, STAYS])[problem.rules["majority_ties"][0]]
    nodes["missing_branch"][inner] = np.where(left == right, of_equals, right > left)
    growing = new_growing(problem, np.empty((problem.codes.shape[0], 0), np.int32), capacity=2)
    growing.counts[N_NODES] = n
    return growing._replace(nodes=nodes, stats=stats)


def _order_by_mean(problem: Problem, nodes: np.ndarray, stats: np.ndarray) -> None:
    """Let the child with the smaller mean target come first; the ids of the two are exchanged."""
    n_classes = int(problem.rules["n_classes"][0])
    sums = stats @ np.arange(n_classes) if n_classes else stats[:, 1]
    mean = sums / nodes["weight"]
    inner = np.flatnonzero(nodes["n_children"] > 0)
    first = nodes["first_child"][inner]
    wrong = mean[first] > mean[first + 1]
    nodes["low_branch"][inner[wrong]] = 1
    a, b = first[wrong], first[wrong] + 1
    for array in (nodes, stats):
        array[a], array[b] = array[b], array[a]
    nodes["id"] = np.arange(len(nodes))
    inner = np.flatnonzero(nodes["n_children"] > 0)
    for branch in range(2):
        nodes["parent"][nodes["first_child"][inner] + branch] = inner
