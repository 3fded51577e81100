"""One node of a grown tree, searched once more as it was when the tree grew, and why it became a leaf."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.growing.inspect.node_values import key_of
from treecore.growing.search.conditional import Tested
from treecore.growing.search.stopping import STOPPING_TESTS, Stopping, Veto
from treecore.growing.searchers import KernelSearcher, TestSearcher, as_searched, is_tested
from treecore.growing.settings.grow_settings import GrowSettings, in_cases
from treecore.growing.settings.parts import MISSING_STRATEGIES, SELECTORS
from treecore.growing.settings.problem import problem_of, training_rows
from treecore.growing.tested_surrogates import TestedSurrogates
from treecore.judging.losses import OWN
from treecore.judging.measures import LOSS_NAMES
from treecore.kernels.state import N_NODES, WHOLE_GAIN, GrowState, Problem, new_growing
from treecore.tree.missing import as_grown
from treecore.tree.oblique import as_asked
from treecore.tree.predict import route
from treecore.tree.routing import branches_of, routing_of
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
    searcher = TestSearcher(problem, growth) if is_tested(growth) else KernelSearcher(problem, growth)
    growing = searcher(growing, AGAIN, AGAIN + 1)
    result = bool(growing.nodes["n_children"][AGAIN] > 0)
    stopping = Stopping(problem, growth)
    veto = stopping.veto(growing, AGAIN) if result and stopping.is_on else None
    least_p = _least_p(tree, searcher, growing) if isinstance(searcher, TestSearcher) else None
    return SearchedAgain(result, veto, least_p)


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


@dataclass(frozen=True, eq=False, repr=False)
class SurrogateTable(Brief):
    """The training rows that have a value both for a node's split and for one of its surrogates.

    weight : float64 (2, 2), their case weights, by the branch that the surrogate sends them down and then by the
        split's. rows : int64 (2, 2), how many they are.
    """

    weight: np.ndarray
    rows: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class SurrogatesAgain(Brief):
    """How the surrogates of a node came about.

    known : float64 (2,), case weight that the split itself sends down each branch. tables : one for each surrogate, in
    their order. tests : of the other features against the branches, the surest first; () where agreement alone chose.
    """

    known: np.ndarray
    tables: tuple[SurrogateTable, ...]
    tests: tuple[Tested, ...]


def surrogates_again(tree: Tree, node: int, train: Table) -> SurrogatesAgain | None:
    """The surrogates of a node of a tree beside its split once more; None for a node without any.

    train : the rows that the tree was grown on.
    """
    entries = np.arange(tree.surrogate_start[node], tree.surrogate_start[node + 1])
    if not len(entries):
        return None
    growth = GrowSettings.from_dict(dict(tree.growth))
    asked = training_rows(as_asked(tree.schema, train), growth)
    here = np.flatnonzero(_shares_at(tree, node, asked) > 0)
    routing, values = routing_of(tree, asked)

    def branches(tests: np.ndarray) -> np.ndarray:
        return branches_of(routing, np.repeat(tests, len(here)), values[int(tests["slot"][0]), here])

    side, weight = branches(routing.nodes[node : node + 1]), asked.case_weights[here]
    tables = []
    for entry in entries:
        own = branches(routing.surrogates[entry : entry + 1])
        both = (own >= 0) & (side >= 0)
        place = 2 * own[both] + side[both]
        counts = np.bincount(place, minlength=4).reshape(2, 2)
        tables.append(SurrogateTable(np.bincount(place, weight[both], 4).reshape(2, 2), counts))
    is_known = side >= 0
    known = np.bincount(side[is_known], weight[is_known], 2)
    tests: list[Tested] = []
    if MISSING_STRATEGIES[growth.missing].tested:
        search = TestedSurrogates(as_searched(problem_of(asked, growth), growth), growth)
        tests = search.tests(int(tree.splits.feature[node]), here[is_known], side[is_known], weight[is_known])
    return SurrogatesAgain(known, tuple(tables), tuple(tests))


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


# Why growth ended at a leaf, in a sentence.


def why_leaf(tree: Tree, node: int, best_gain: float | None, train: Table | None = None) -> str:
    """The first reason that holds, in the order in which the grower asks.

    best_gain : of the node's candidates on the training rows; None if there are none.
    train : the training rows, to say the numbers of a stopping rule or of a test of every feature; without them the
        rules in force are named.
    """
    growth = GrowSettings.from_dict(dict(tree.growth))
    limit = _limit(tree, node, growth)
    if limit:
        return limit
    again = searched_again(tree, node, train) if train is not None and _judged(growth) else None
    if is_tested(growth) and (again is None or not again.may_split):
        return _no_dependence(growth, again)
    if best_gain is None:
        return "No split is possible: its rows are equal in every feature, or the branches would be too small."
    return (
        (_small_gain(tree, node, growth, best_gain) if not is_tested(growth) else "")
        or _objection(growth, again)
        or _small_branches(growth)
        or _end_of_growth(tree, growth)
    )


def _judged(growth: GrowSettings) -> bool:
    return is_tested(growth) or growth.test != "none" or growth.size_penalty > 0


def _limit(tree: Tree, node: int, growth: GrowSettings) -> str:
    """Purity or a limit that keeps the node from being searched, '' if there is none."""
    rows, weight = int(tree.n_rows[node]), float(tree.weight[node])
    if rows != weight:
        growth = in_cases(growth)
    if weight <= 0:
        return "No training row reaches this node."
    if tree.impurity[node] <= 0:
        return "Its training rows are all of one class." if tree.classes else "Its training rows have one value."
    if growth.max_depth is not None and tree.node_depth[node] >= growth.max_depth:
        return f"The maximum depth of {growth.max_depth} is reached."
    if rows < growth.min_rows_split:
        return f"It has {rows} training rows, fewer than the {growth.min_rows_split} that a split needs."
    if rows < 2 * growth.min_rows_leaf:
        return f"{rows} training rows are too few for two branches of at least {growth.min_rows_leaf}."
    if weight < growth.min_share_split * tree.weight[0]:
        return f"It has less than {100 * growth.min_share_split:.3g} % of the training weight."
    if weight < growth.min_weight_split - 1e-6:
        return f"Its weight of {weight:.4g} is less than the {growth.min_weight_split:.4g} that a split needs."
    share = SELECTORS[growth.selector].least_variance
    if tree.criterion == "squared_error" and not growth.min_impurity and tree.impurity[node] < share * tree.impurity[0]:
        return f"Its variance is less than {100 * share:.3g} % of that of all training rows."
    return ""


def _no_dependence(growth: GrowSettings, again: SearchedAgain | None) -> str:
    """No feature passed the test, or none has a split that the limits allow."""
    level = f"{100 * growth.alpha:.3g} %"
    if again is None:
        return f"No feature depends on the target at the level of {level}, or the limits allow none of its splits."
    if again.least_p is not None and again.least_p[1] >= growth.alpha:
        name, p = again.least_p
        return (
            f"No feature depends on the target at the level of {level}: the smallest p-value, adjusted for the number "
            f"of tests, is {p:.3g} ({name})."
        )
    return f"{SELECTORS[growth.selector].label}: the limits allow no split of a feature that depends on the target."


def _small_gain(tree: Tree, node: int, growth: GrowSettings, best_gain: float) -> str:
    """A gain that is no reason to split, '' if it is one."""
    if best_gain <= growth.tolerance * float(tree.impurity[node]) and growth.zero_gain == "stop":
        return "No split reduces the impurity."
    if best_gain < growth.min_gain:
        return f"The best gain, {best_gain:.4g}, is below the minimum of {growth.min_gain:.4g}."
    if best_gain * tree.weight[node] / tree.weight[0] < growth.min_weighted_gain:
        return "The best gain, times the node's share of the rows, is below the minimum."
    return ""


def _small_branches(growth: GrowSettings) -> str:
    """What a selector that asks the winner only has against it, '' if there is no such rule."""
    if SELECTORS[growth.selector].code != WHOLE_GAIN:
        return ""
    return (
        f"Its best split does not have two branches of at least {growth.min_weight_leaf:.4g} in weight, or gains "
        "almost "
        "nothing; this algorithm tries no other split."
    )


def _objection(growth: GrowSettings, again: SearchedAgain | None) -> str:
    """What a stopping rule says against the best split, '' if nothing."""
    if again is not None:
        return again.veto.text if again.veto is not None else ""
    rules = [STOPPING_TESTS[growth.test].label] * (growth.test != "none")
    rules += ["α · size + Σ impurity"] * (growth.size_penalty > 0)
    return f"A stopping rule rejects its best split: {' or '.join(rules)}." if rules else ""


def _end_of_growth(tree: Tree, growth: GrowSettings) -> str:
    """A limit of the whole tree."""
    if growth.max_leaves is not None and not growth.patience:
        allowed = f"{tree.n_leaves} of at most {growth.max_leaves} leaves"
        return f"The maximum number of leaves is reached ({allowed}); splits with larger gains came first."
    if growth.patience:
        n_splits = tree.n_nodes - tree.n_leaves
        named = "error" if growth.patience_measure == OWN else LOSS_NAMES[growth.patience_measure]
        return (
            f"The validation {named} is lowest with the {n_splits} splits of this tree: further splits, up to "
            f"{growth.patience} in a row, did not lower it."
        )
    return "Growth stopped here."
