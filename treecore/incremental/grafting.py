"""The kernels' view of rows that are fed, and a tree out of nodes."""

import numpy as np

from treecore.growing.grower import tree_of
from treecore.growing.loop import GrowResult
from treecore.growing.search.imposed import ImposedSplits
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import problem_of
from treecore.incremental.node import Node
from treecore.incremental.rows import Rows
from treecore.kernels.impurities import impurities
from treecore.kernels.state import N_LEVELS, N_NODES, Problem, new_growing
from treecore.tree.tree import Tree


def problem_of_rows(rows: Rows, growth: GrowSettings) -> Problem:
    """The kernels' view of the rows where they stand, by their numbers, with room for more: their codes appear there by
    themselves, their classes have to be told. Every row counts once."""
    problem = problem_of(rows.table(), growth)
    records = np.zeros(rows.codes.shape[1], problem.rows.dtype)
    records["weight"] = records["case"] = 1.0
    records["label"] = rows.labels
    return problem._replace(codes=rows.codes[:-1], rows=records)


def tree_of_nodes(root: Node, rows: Rows, growth: GrowSettings) -> Tree:
    """The tree of these nodes."""
    table = rows.table()
    problem = problem_of(table, growth)
    nodes, first_child, parent = _level_by_level(root)
    growing = new_growing(problem, np.zeros((len(problem.features), 0), np.int32), len(nodes))
    growing.counts[N_NODES] = len(nodes)
    stats = np.array([node.stats for node in nodes])
    growing.stats[: len(nodes)] = stats
    tables = [node.split.levels for node in nodes if node.split.levels is not None]
    growing = growing._replace(level_branch=np.concatenate([np.zeros(0, np.int64), *tables]))
    growing.counts[N_LEVELS] = len(growing.level_branch)
    weight = stats.sum(axis=1)
    records = growing.nodes[: len(nodes)]
    records["id"], records["parent"], records["first_child"] = np.arange(len(nodes)), parent, first_child
    records["n_rows"], records["weight"] = weight, weight
    records["impurity"] = impurities(problem.judge, stats, weight)
    records["depth"] = [node.depth for node in nodes]
    for name in ("feature", "low", "high", "gain", "score"):
        records[name] = [getattr(node.split, name) for node in nodes]
    records["n_children"] = [node.split.n_branches for node in nodes]
    _place_levels(records, nodes)
    _send_missing(problem, records, nodes)
    n_splits = int(np.count_nonzero(records["n_children"]))
    wishes = ImposedSplits(problem, table, growth, ())
    return tree_of(table, growth, problem, wishes, GrowResult(growing, [], n_splits, 0))


def _level_by_level(root: Node) -> tuple[list[Node], np.ndarray, np.ndarray]:
    """(the nodes, the place of each one's first child or -1, of its parent or -1)."""
    nodes, first_child, parent = [root], [], [-1]
    for place, node in enumerate(nodes):  # it grows meanwhile
        first_child.append(len(nodes) if node.children else -1)
        nodes += node.children
        parent += [place] * len(node.children)
    return nodes, np.array(first_child), np.array(parent)


def _place_levels(records: np.ndarray, nodes: list[Node]) -> None:
    sizes = np.array([0 if node.split.levels is None else len(node.split.levels) for node in nodes])
    records["level_start"] = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1)


def _send_missing(problem: Problem, records: np.ndarray, nodes: list[Node]) -> None:
    """Rows without a value follow the branch that the split says, or that of most rows, the first of equal ones."""
    for place in np.flatnonzero(records["n_children"]):
        split, first = nodes[place].split, records["first_child"][place]
        larger = records["weight"][first : first + split.n_branches].argmax()
        records["missing_branch"][place] = larger if split.missing < 0 else split.missing
        lacking = problem.codes[split.feature, nodes[place].rows] == problem.features["n_codes"][split.feature]
        records["missing_rows"][place] = records["missing_weight"][place] = np.count_nonzero(lacking)
