"""A tree that is fed with rows and is, after every batch, the one that grows of all rows so far."""

import numpy as np

from treecore.data.table import Table
from treecore.growing.fed_nodes import FedNodes
from treecore.growing.grower import grow_tree, tree_of
from treecore.growing.loop import GrowResult
from treecore.growing.search.imposed import ImposedSplits
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import problem_of
from treecore.incremental.grafting import problem_of_rows
from treecore.incremental.local import is_bounded, is_on_records, reaches_beyond
from treecore.incremental.rows import Rows
from treecore.incremental.step import Step
from treecore.tree.tree import Tree


class ExactTree:
    """Node for node the tree that `tc.grow` grows of all rows so far by the same settings.

    New rows go down from the root. A node whose best split still parts its former rows alike keeps its branches; where
    another split is best now, the subtree is grown anew from the node's rows. Where splits depend on more than a
    node's rows (see local.reaches_beyond) the whole tree is grown anew with each batch.

    table : the first rows, with a target of classes. Rows to come may be taken of the same table or read on their own:
    numbers that no row had yet take a while to be put among the others. TreecoreError for a target of numbers.
    Source: Utgoff (1989), Incremental induction of decision trees, for ID5R; Utgoff, Berkman and Clouse (1997),
    Decision tree induction based on efficient tree restructuring, for ITI. They turn the former subtree into the new
    one split by split; here it is grown anew from its rows.
    """

    def __init__(self, table: Table, growth: GrowSettings):
        self._rows, self._growth = Rows(table), growth
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
        wishes = ImposedSplits(problem, table, self._growth, ())
        return tree_of(table, self._growth, problem, wishes, GrowResult(growing, [], len(growing.nodes), 0))
