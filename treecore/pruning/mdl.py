"""Pruning by minimum description length: the shortest way to tell the classes of the training rows."""

import math

import numpy as np

from treecore.criteria.description_length import exception_bits, leaf_bits, split_bits
from treecore.criteria.groupings import NOMINAL, ORDERED, log_groupings
from treecore.data.table import Table
from treecore.kernels.codes import LEVELS
from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason
from treecore.pruning.pruner import LINES_OF_CLASSES, Pruner, PruningContext
from treecore.pruning.risk import snapped_threshold
from treecore.pruning.rows_at_nodes import DistinctValues, RowsAtNodes
from treecore.tree.tree import Tree
from treecore.tree.values import bins_of, value_matrix

NOTHING_GIVEN = PruningContext()


def mdl(tree: Tree, given: PruningContext) -> Cuts:
    """From the bottom up, make a node a leaf when that takes no more bits than its branches, as pruned by then.

    A leaf takes 1 bit (it is one), log2 K (its class) and the bits of its exceptions; an inner node 1 bit, log2 of the
    number of features that vary there, log2 of the tests there are on the one chosen, and what its branches take: see
    criteria.description_length. Which features vary, and how many tests there are (cuts between the values there,
    groupings of the levels there), is counted among the training rows of the node, as the stopping rule of the same
    name does. Exceptions are counted by case weights from the most frequent class; priors and costs play no part.
    """
    choices = choices_of_test(tree, given.need_train("The description length"), given)
    tree_bits, exceptions = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    verdict, reasons = np.full(tree.n_nodes, KEEP), {}
    for t in given.told(range(tree.n_nodes - 1, -1, -1)):
        as_leaf = leaf_bits(tree.stats[t])
        leaf_exceptions = exception_bits(tree.stats[t])
        leaf_tree = as_leaf - leaf_exceptions
        if not tree.is_leaf[t]:
            children = list(tree.children(t))
            stay = tree.stats[t] - tree.stats[children].sum(axis=0)
            test = split_bits(*choices[t])
            tree_bits[t] = test + tree_bits[children].sum()
            exceptions[t] = exceptions[children].sum() + _staying_bits(stay, tree.weight[t])
            branches = float(tree_bits[t] + exceptions[t])
            text = (
                f"{as_leaf:.6g} bits as a leaf ({leaf_tree:.6g} tree, {leaf_exceptions:.6g} exceptions), "
                f"{branches:.6g} with its branches ({tree_bits[t]:.6g} tree, {exceptions[t]:.6g} exceptions)"
            )
            details = (
                ("tree bits as a leaf", leaf_tree), ("exception bits as a leaf", leaf_exceptions),
                ("tree bits with branches", float(tree_bits[t])),
                ("exception bits with branches", float(exceptions[t])), ("bits of the test", test),
            )  # fmt: skip
            reasons[t] = Reason(
                "description length", text, as_leaf, snapped_threshold(as_leaf, branches), details=details
            )
            if not reasons[t].cuts:
                continue
            verdict[t] = CUT
        tree_bits[t], exceptions[t] = leaf_tree, leaf_exceptions
    return Cuts(verdict, reasons=reasons)


def _staying_bits(stats: np.ndarray, whole: float) -> float:
    """Bits of the exceptions among rows that no branch gets; 0 where there are none but for rounding."""
    return exception_bits(np.maximum(stats, 0.0)) if stats.sum() > 1e-9 * whole else 0.0


def choices_of_test(tree: Tree, train: Table, given: PruningContext = NOTHING_GIVEN) -> dict[int, tuple[int, float]]:
    """Inner node -> (features that vary among its training rows, log2 of the number of tests on the one it tests).

    given : whom to tell how far it is.
    """
    distinct = DistinctValues(tree, RowsAtNodes.of(tree, train))
    n_varying, n_values = np.zeros(tree.n_nodes, np.int64), np.zeros(tree.n_nodes, np.int64)
    for f, values in enumerate(_values(tree, train)):
        given.look(0, tree.n_nodes)
        n_here, tested = distinct.at_nodes(values), tree.splits.feature == f
        n_varying += n_here > 1
        n_values[tested] = n_here[tested]
    choices = {}
    for t in given.told(np.flatnonzero(~tree.is_leaf).tolist()):
        used = sum(tree.weight[child] > 0 for child in tree.children(t))
        choices[t] = max(int(n_varying[t]), 1), _log2_tests(tree, t, int(n_values[t]), used)
    return choices


def _values(tree: Tree, train: Table) -> np.ndarray:
    """float64 (features, n_rows): values, levels or bins; NaN where missing."""
    features = tree.schema.features
    values = value_matrix(tree.schema, np.arange(len(features)), train)
    for f, feature in enumerate(features):
        if feature.branches_by_bins:
            values[f] = bins_of(feature, values[f])
    return values


def _log2_tests(tree: Tree, t: int, n_values: int, n_branches: int) -> float:
    ordered = tree.schema.features[tree.splits.feature[t]].kind == "ordinal" or tree.splits.kind[t] != LEVELS
    growth = tree.growth
    if not ordered and growth.get("nominal") == "one_level" and growth.get("selector") not in ("conditional", "chaid"):
        return math.log2(n_values) if n_values > 2 else 0.0
    return max(log_groupings(ORDERED if ordered else NOMINAL, n_values, n_branches), 0.0) / math.log(2)


MDL = Pruner(
    name="mdl",
    label="Minimum description length",
    formula=r"L(t) \le 1 + \log_2 d + \log_2 m + \sum_j L(T_j)",
    source="Quinlan & Rivest (1989)",
    cuts=mdl,
    task="classification",
    not_for=(LINES_OF_CLASSES,),
    why_task="it counts the exceptions from a class",
)
