"""A tree that is fed with rows and is, after every batch, the one that grows of all rows so far."""

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.criterion import Criterion
from treecore.data.table import Table
from treecore.growing.directions import NO_SUMS
from treecore.growing.fed_nodes import FedNodes
from treecore.growing.forced_splits import ForcedSplits
from treecore.growing.grower import grow_tree, tree_of
from treecore.growing.loop import GrowResult, widest
from treecore.growing.settings.engine_plan import plan_for
from treecore.growing.settings.grow_settings import GrowSettings, samples_features, usual_criterion
from treecore.growing.settings.parts import NOMINAL_SPLITS, SELECTORS, THRESHOLD_RULES
from treecore.growing.settings.parts import THRESHOLD as IN_TWO
from treecore.growing.settings.problem import problem_of
from treecore.incremental.row_store import RowStore, Step, problem_of_rows
from treecore.kernels.state import AVERAGE_GAIN, BEST, MAJORITY, SUBSET, Problem
from treecore.tree.tree import Tree

ALWAYS = {
    "max_leaves": "the number of leaves is limited",
    "patience": "growth ends by validation rows",
    "priors": "priors are set against the shares of all rows",
    "loss": "costs are set against the shares of all rows",
    "profit": "profits are set against the shares of all rows",
    "edges": "numbers are parted into bins",
    "size_penalty": "the size of the whole tree is paid for",
    "min_share_split": "least shares are those of all rows",
    "min_share_leaf": "least shares are those of all rows",
    "min_weighted_gain": "gains are weighed by the share of all rows",
}
"""Setting -> why a node's split depends on more than its rows where it is set."""


def criterion_of(growth: GrowSettings) -> Criterion:
    """What judges the splits of a target of classes."""
    return CRITERIA[growth.criterion or usual_criterion(growth, "classification")]


def reaches_beyond(growth: GrowSettings, problem: Problem, weighted: bool) -> str:
    """Why the split of a node cannot be found from its rows, counted one each; "" if it can. weighted : have rows
    weights?"""
    for name, why in ALWAYS.items():
        if getattr(growth, name):
            return why
    rules, selector = problem.rules[0], SELECTORS[growth.selector]
    reasons = {
        "rows lack values, and do not follow the larger branch": rules["missing"] != MAJORITY,
        "rows have weights": weighted,
        "surrogate splits are listed": rules["max_surrogates"] > 0,
        "numbers are parted into bins": growth.numeric != IN_TWO,
        "splits are tested": growth.test != "none" or selector.code not in (BEST, AVERAGE_GAIN) or selector.step > 0,
        "features or thresholds are drawn at the node by its place in the tree": samples_features(growth),
        "answers are bound by splits above the node": len(growth.monotonic) > 0,
        "weighted sums of features are looked for in the whole tree": growth.oblique != NO_SUMS,
        "features of many levels for all rows are left out": selector.many_levels < float("inf"),
        "branches are put in the order of their means": growth.branch_order == "mean",
        "numbers are rounded to 32 bits": THRESHOLD_RULES[growth.threshold].precision != "float64",
        "the impurity comes from another package": criterion_of(growth).node is None or criterion_of(growth).by_address,
        "a feature has very many levels": widest(problem) > 0,
    }
    return next((why for why, holds in reasons.items() if holds), "")


def is_bounded(growth: GrowSettings, problem: Problem) -> bool:
    """Can a feature's best gain rise by no more than the node's own impurity does, times its weight, when rows are
    added? So it is for the decrease of a concave impurity; see kernels.fed.regrow."""
    heuristic = NOMINAL_SPLITS[growth.nominal].code == SUBSET and problem.rules["n_classes"][0] > 2
    widest_feature = problem.features["n_codes"][problem.features["splitter"] == SUBSET].max(initial=0)
    plain = growth.score == "decrease" and growth.selector == "best" and not growth.costs and growth.cuts == "all"
    fits = not heuristic or widest_feature <= growth.max_exhaustive
    return bool(plain and criterion_of(growth).concave and fits and THRESHOLD_RULES[growth.threshold].min_gap == 0)


def is_on_records(table: Table, growth: GrowSettings) -> bool:
    """Can a node be grown anew on sorted records, by cuts of values that all rows have? See kernels.fed.regrow."""
    result = plan_for(table, growth)
    by_gain = growth.score == "decrease" and growth.selector == "best"
    return by_gain and bool(result.fast_parts) and not result.special


class ExactTree:
    """Node for node the tree that `tc.grow` grows of all rows so far by the same settings.

    New rows go down from the root. A node whose best split still parts its former rows alike keeps its branches; where
    another split is best now, the subtree is grown anew from the node's rows. Where splits depend on more than a
    node's rows (see reaches_beyond) the whole tree is grown anew with each batch.

    table : the first rows, with a target of classes. Rows to come may be taken of the same table or read on their own:
    numbers that no row had yet take a while to be put among the others. TreecoreError for a target of numbers.
    Source: Utgoff (1989), Incremental induction of decision trees, for ID5R; Utgoff, Berkman and Clouse (1997),
    Decision tree induction based on efficient tree restructuring, for ITI. They turn the former subtree into the new
    one split by split; here it is grown anew from its rows.
    """

    def __init__(self, table: Table, growth: GrowSettings):
        self._rows, self._growth = RowStore(table), growth
        self._tree: Tree | None = None
        self._nodes: FedNodes | None = None
        self._look_up()

    @property
    def n_rows(self) -> int:
        """Seen so far."""
        return self._rows.n

    @property
    def tree(self) -> Tree:
        """The tree of all rows so far, made when it is asked for."""
        if self._tree is None:
            self._tree = self._made() if self._nodes else grow_tree(self._rows.table(), self._growth, any_target=True)
        return self._tree

    def add(self, table: Table) -> Step:
        """Learn these rows too. TreecoreError for rows that do not fit, see Rows.append; then nothing has changed."""
        first, codes, lacked = self._rows.n, self._rows.codes, self._rows.may_lack
        moved = self._rows.append(table)
        new = np.arange(first, self._rows.n, dtype=np.int32)
        if not len(new):
            return Step(first, 0)
        self._tree = None
        if moved or codes is not self._rows.codes or lacked != self._rows.may_lack:
            self._look_up(moved)
        if self._nodes is None:
            return Step(self._rows.n, len(new), updated=1, regrown=1, whole=self._why)
        self._problem.rows["label"][new] = self._rows.labels[new]
        return Step(self._rows.n, len(new), *map(int, self._nodes.add(new)))

    def _look_up(self, moved: dict[int, np.ndarray] | None = None) -> None:
        """Let the nodes see the rows where they are now, if nothing reaches beyond the rows of a node."""
        self._problem = problem_of_rows(self._rows, self._growth)
        self._why = reaches_beyond(self._growth, self._problem, self._rows.has_weights)
        bounded = not self._rows.may_lack and is_bounded(self._growth, self._problem)
        how = bounded, not self._rows.may_lack and is_on_records(self._rows.table(), self._growth)
        if self._why:
            self._nodes = None
        elif self._nodes is None:
            self._nodes = FedNodes(self._problem, self._rows.n, *how)
        else:
            self._nodes.look_up(self._problem, *how)
            self._nodes.move(moved or {})

    def _made(self) -> Tree:
        table = self._rows.table()
        problem, growing = problem_of(table, self._growth), self._nodes.growing
        forced_splits = ForcedSplits(problem, table, self._growth, ())
        return tree_of(table, self._growth, problem, forced_splits, GrowResult(growing, [], len(growing.nodes), 0))
