"""Nodes of a target of counts: what kernels leave out of them."""

import numpy as np

from treecore.criteria.impurity import impurities
from treecore.data.table import Table
from treecore.data.table_like import counts_of
from treecore.kernels.state import Problem
from treecore.target.counts import log_terms
from treecore.tree.splits import ranges


def count_events(table: Table, problem: Problem, order: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """float64 (n_nodes, 4): the statistics of CountTarget of the rows of each node; the nodes' impurities, gains and
    weights become those of the deviance per row.

    Kernels judge cuts by exposures and events in units of the largest rate, and know no case weights. order : int
    (d, n), the training rows as the nodes have them.
    """
    case, (events, exposure) = problem.rows["case"], counts_of(table, table.target, table.counts).T
    parts = np.stack([case, case * exposure, case * events, case * log_terms(events, exposure)])
    parts = np.append(parts[:, order[0]], np.zeros((4, 1)), axis=1)
    bounds = np.stack([nodes["start"], nodes["stop"]], axis=1).ravel()
    stats = np.add.reduceat(parts, bounds, axis=1)[:, ::2].T.copy()
    stats[nodes["start"] == nodes["stop"]] = 0.0
    largest = (events / exposure).max(initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        per_row = np.where(stats[:, 0] > 0, nodes["weight"] * largest / stats[:, 0], 0.0)
    nodes["gain"] *= per_row
    nodes["score"] *= per_row
    nodes["impurity"] = impurities(problem.judge, list(stats.T), stats[:, 0])
    nodes["weight"] = stats[:, 0]
    _count_missing(problem, order, nodes)
    return stats


def _count_missing(problem: Problem, order: np.ndarray, nodes: np.ndarray) -> None:
    """Weights of the rows without the value that a node's split asks for, in cases."""
    some = np.flatnonzero((nodes["n_children"] > 0) & (nodes["missing_rows"] > 0))
    size = nodes["stop"][some] - nodes["start"][some]
    row, node = order[0][ranges(nodes["start"][some], size)], np.repeat(some, size)
    feature = nodes["feature"][node]
    lacks = problem.codes[feature, row] == problem.features["n_codes"][feature]
    nodes["missing_weight"] = np.bincount(node[lacks], problem.rows["case"][row[lacks]], len(nodes))
