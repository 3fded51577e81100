"""A tree that is fed with rows and is, after every batch, the one that grows of all rows so far."""

from collections import Counter
from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import problem_of
from treecore.incremental.grafting import nodes_of, parted, tree_of_nodes
from treecore.incremental.local import is_bounded, reaches_beyond
from treecore.incremental.node import LEAF, Node, Split, is_shifted, larger_branch, same_branches, smaller_mean_first
from treecore.incremental.rows import Rows
from treecore.incremental.search import Search
from treecore.incremental.step import Step
from treecore.kernels.state import SUBSET
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
    one; here it is grown anew from its rows, which takes less time than that.
    """

    def __init__(self, table: Table, growth: GrowSettings):
        self._rows, self._growth, self._n_classes = Rows(table), growth, len(table.classes)
        self._tree: Tree | None = None
        self._begin()

    @property
    def n_rows(self) -> int:
        """Seen so far."""
        return self._rows.n

    @property
    def tree(self) -> Tree:
        """The tree of all rows so far, made when it is asked for."""
        if self._tree is None:
            table = self._rows.table()
            self._tree = self._grown(table, 0) if self._root is None else tree_of_nodes(self._root, table, self._growth)
        return self._tree

    def add(self, table: Table) -> Step:
        """Learn these rows too. TreecoreError for rows that do not fit, see Rows.append; then nothing has changed."""
        first, codes, lacked = self._rows.n, self._rows.codes, self._rows.may_lack
        moved = self._rows.append(table)
        new = np.arange(first, self._rows.n)
        if not len(new):
            return Step(first, 0)
        self._tree = None
        if moved or codes is not self._rows.codes or lacked != self._rows.may_lack:
            self._move(moved)
        if self._why():
            self._begin()
            return Step(self._rows.n, len(new), updated=1, regrown=1, whole=self._why())
        return self._fed(new)

    def _begin(self) -> None:
        """Grow from all rows."""
        self._problem, self._root = problem_of(self._rows.table(), self._growth), None
        if not self._why():
            self._look_up()
            self._root = self._subtree(np.arange(self._rows.n), 0)

    def _why(self) -> str:
        return reaches_beyond(self._growth, self._problem, self._rows.has_weights)

    def _look_up(self) -> None:
        """Let the search see the rows where they are now."""
        problem = problem_of(self._rows.table(), self._growth)
        records = np.zeros(self._rows.codes.shape[1], problem.rows.dtype)
        records["weight"] = records["case"] = 1.0
        records["label"] = self._rows.labels
        self._problem = problem._replace(codes=self._rows.codes[:-1], rows=records)
        bounded = not self._rows.may_lack and is_bounded(self._growth, self._problem)
        self._search = Search(self._problem, bounded)

    def _move(self, moved: dict[int, np.ndarray]) -> None:
        """Codes are others now, or stand elsewhere."""
        self._look_up()
        for node in self._root.below() if moved and self._root is not None else ():
            node.split = node.split.moved(moved)

    def _subtree(self, members: np.ndarray, depth: int) -> Node:
        stats = self._counts(members)
        if np.count_nonzero(stats) < 2:
            return Node(members, stats, depth, len(self._problem.features))
        return nodes_of(self._grown(self._rows.table(members), depth), self._rows, members, depth)

    def _grown(self, table: Table, depth: int) -> Tree:
        """The subtree of these rows below a node so deep."""
        growth = self._growth
        if growth.max_depth is not None:
            growth = replace(growth, max_depth=max(growth.max_depth - depth, 0))
        return grow_tree(table, growth, any_target=True)

    def _counts(self, members: np.ndarray) -> np.ndarray:
        return np.bincount(self._rows.labels[members], minlength=self._n_classes).astype(np.float64)

    def _fed(self, new: np.ndarray) -> Step:
        """Send these rows down, and mend what they change."""
        self._problem.rows["label"][new] = self._rows.labels[new]
        found = Counter()
        self._take_in(self._root, new)
        waiting = [(self._root, new)]
        while waiting:
            node, rows = waiting.pop()
            found["updated"] += 1
            best = self._settled(node, self._search.best(node))
            if LEAF == node.split.feature == best.feature:
                continue
            branches = self._kept_branches(node, best, rows)
            if branches:
                found["shifted"] += is_shifted(node.split, best)
                node.split, node.children = best, [node.children[b] for b in branches]
                waiting += self._sent(node, rows)
            else:
                found["replaced"] += node.n_splits
                found["regrown"] += 1
                node.become(self._subtree(node.rows, node.depth))
        return Step(self._rows.n, len(new), **found)

    def _settled(self, node: Node, best: Split) -> Split:
        """The split with its branches in order, and the one of rows without a value."""
        groups = best.feature != LEAF and self._problem.features["splitter"][best.feature] == SUBSET
        if best.feature == LEAF or not (groups or self._rows.may_lack):
            return best
        codes = self._rows.codes[best.feature, node.rows]
        known = codes < self._problem.features["n_codes"][best.feature]
        if groups:
            best = smaller_mean_first(best, codes[known], self._rows.labels[node.rows[known]])
        return best._replace(missing=larger_branch(best, codes[known]))

    def _kept_branches(self, node: Node, best: Split, new: np.ndarray) -> tuple[int, ...]:
        """The former branch that each branch of the best split is; () if it parts the former rows otherwise."""
        if node.split.feature != best.feature:
            return ()
        if node.split.levels is None and not self._rows.may_lack:
            return same_branches(node.split, best, None)
        former = self._codes(node, np.setdiff1d(node.rows, new, assume_unique=True))
        known = former < self._problem.features["n_codes"][best.feature]
        branches = same_branches(node.split, best, former[known])
        lacking = branches and not known.all()
        return () if lacking and branches[best.missing] != node.split.missing else branches

    def _codes(self, node: Node, members: np.ndarray) -> np.ndarray:
        return self._rows.codes[node.split.feature, members]

    def _take_in(self, node: Node, new: np.ndarray) -> None:
        node.stats += self._counts(new)
        if node.split.feature == LEAF or node.split.levels is not None:
            node.rows = np.append(node.rows, new)
            return
        new = new[np.argsort(self._codes(node, new), kind="stable")]
        place = np.searchsorted(self._codes(node, node.rows), self._codes(node, new), side="right")
        node.rows = np.insert(node.rows, place, new)

    def _sent(self, node: Node, rows: np.ndarray) -> list[tuple[Node, np.ndarray]]:
        """(branch, rows) of the branches that get some of these."""
        sent = [(c, part) for c, part in zip(node.children, parted(node, self._rows, rows), strict=True) if len(part)]
        for child, part in sent:
            self._take_in(child, part)
        return sent
