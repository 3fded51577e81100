"""One node of a grown tree, searched once more as it was when the tree grew."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.growing.inspect.node_values import key_of
from treecore.growing.search.stopping import Stopping, Veto
from treecore.growing.searchers import KernelSearcher, TestSearcher, as_searched, is_tested
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import problem_of, training_rows
from treecore.kernels.state import N_NODES, GrowState, Problem, new_growing
from treecore.tree.missing import as_grown
from treecore.tree.oblique import as_asked
from treecore.tree.predict import route
from treecore.tree.tree import Tree

AGAIN = 1
"""The node's id while it is searched again; 0 stands for the root."""


@dataclass(frozen=True, eq=False, repr=False)
class SearchedAgain(Brief):
    """A node with the split that was found for it, before any stopping rule.

    least_p : (name of the feature with the smallest adjusted p-value, this p-value), of a test of every feature only.
    veto : the first stopping rule that objects to the split. may_split : a split within the limits was found.
    """

    may_split: bool
    veto: Veto | None
    least_p: tuple[str, float] | None


def searched_again(tree: Tree, node: int, train: Table) -> SearchedAgain:
    """Search a node of a tree once more. train : the rows that it was grown on."""
    growth = GrowSettings.from_dict(dict(tree.growth))
    train = training_rows(as_asked(tree.schema, train), growth)
    problem = as_searched(problem_of(train, growth), growth)
    growing = _at_node(tree, node, train, problem)
    growing.nodes["key"][AGAIN] = key_of(tree, node, growth)
    searcher = TestSearcher(problem, growth) if is_tested(growth) else KernelSearcher(problem)
    growing = searcher(growing, AGAIN, AGAIN + 1)
    found = bool(growing.nodes["n_children"][AGAIN] > 0)
    stopping = Stopping(problem, growth)
    veto = stopping.veto(growing, AGAIN) if found and stopping.is_on else None
    return SearchedAgain(found, veto, _least_p(tree, searcher, growing) if is_tested(growth) else None)


def tested_again(tree: Tree, node: int, train: Table) -> tuple:
    """The tests of every feature at a node (conditional.Tested or chaid.Merged), in the order of the features; () for
    a tree whose splits no test chose. train : the rows that it was grown on."""
    growth = GrowSettings.from_dict(dict(tree.growth))
    if not is_tested(growth):
        return ()
    train = training_rows(as_asked(tree.schema, train), growth)
    problem = as_searched(problem_of(train, growth), growth)
    searcher = TestSearcher(problem, growth)
    return searcher.search.tested(*searcher.cases_at(_at_node(tree, node, train, problem), AGAIN))


def _least_p(tree: Tree, searcher: TestSearcher, growing: GrowState) -> tuple[str, float] | None:
    tests = searcher.search.tested(*searcher.cases_at(growing, AGAIN))
    best = min(tests, key=lambda test: test.adjusted_p, default=None)
    return None if best is None else (tree.schema.features[best.feature].name, best.adjusted_p)


def _at_node(tree: Tree, node: int, train: Table, problem: Problem) -> GrowState:
    """A tree of two nodes: the root without its rows, and this node with the rows that reach it."""
    share = _shares_at(tree, node, train)
    here = np.flatnonzero(share > 0)
    codes = problem.codes[:, here]
    order = here[np.argsort(codes, axis=1, kind="stable")].astype(np.int32)
    growing = new_growing(problem, order, capacity=2)
    if len(growing.share):
        growing = growing._replace(share=share[order[0]])
    everywhere = problem.around(np.arange(len(problem.rows)), tree.center[node])
    growing = growing._replace(rows=everywhere)
    growing.counts[N_NODES] = 2
    whole = problem.rows["weight"] * share
    for i, at in ((0, 0), (AGAIN, node)):
        record = growing.nodes[i]
        record["id"], record["depth"], record["impurity"] = i, tree.node_depth[at], tree.impurity[at]
        record["first_child"], record["feature"], record["level_start"] = -1, -1, -1
        record["n_rows"] = np.count_nonzero(whole > 0) if i else np.count_nonzero(problem.rows["weight"] > 0)
        record["center"] = tree.center[at]
        record["weight"] = whole.sum() if i else problem.rows["weight"].sum()
    growing.nodes["stop"][AGAIN] = len(here)
    growing.stats[AGAIN] = _statistics(problem, everywhere["response"], whole)
    return growing


def _shares_at(tree: Tree, node: int, train: Table) -> np.ndarray:
    """float64 (n_rows,): the part of every row that reaches the node."""
    routes = route(as_grown(tree), train)
    inside = tree.descendants(node)
    inside[node] = True
    here = inside[routes.node]
    return np.bincount(routes.row[here], routes.share[here], train.n_rows)


def _statistics(problem: Problem, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    n_classes = int(problem.rules["n_classes"][0])
    if n_classes:
        return np.bincount(problem.rows["label"], weight, n_classes)
    return np.array([weight.sum(), weight @ y, weight @ (y * y)])
