"""A tree that is fed with rows and is, after every batch, the one that grows of all rows so far."""

from bisect import bisect_right
from collections import Counter
from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import problem_of
from treecore.incremental.grafting import expand, parted, planted, problem_of_rows, tree_of_nodes
from treecore.incremental.local import is_bounded, reaches_beyond
from treecore.incremental.node import LEAF, Node, Split, is_shifted, larger_branch, same_branches, smaller_mean_first
from treecore.incremental.rows import Rows
from treecore.incremental.search import MOST_IN_CHAIN, Search
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
    one split by split; here it is grown anew from its rows.
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
            whole = self._root is None
            self._tree = (
                self._grown(self._rows.table(), 0) if whole else tree_of_nodes(self._root, self._rows, self._growth)
            )
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
            self._root = self._subtree(np.arange(self._rows.n, dtype=np.int32), 0)

    def _why(self) -> str:
        return reaches_beyond(self._growth, self._problem, self._rows.has_weights)

    def _look_up(self) -> None:
        """Let the search see the rows where they are now."""
        self._problem = problem_of_rows(self._rows, self._growth)
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
        return planted(self._grown(self._rows.table(members), depth), self._rows, members, depth)

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
            chain = self._chain(node, rows)
            bests = self._search.chain(chain) if len(chain) > 1 else [self._search.best(node)]
            for at, best in zip(chain, bests, strict=True):
                found["updated"] += 1
                if not self._is_mended(at, self._settled(at, best), rows, found):
                    break
            else:
                waiting += self._sent(chain[-1], rows) if chain[-1].children else []
        return Step(self._rows.n, len(new), **found)

    def _chain(self, node: Node, rows: np.ndarray) -> list[Node]:
        """The node and those below it that a single row comes to whatever it changes, if they are small; they take it
        in."""
        chain = [node]
        if len(rows) > 1 or len(node.rows) > self._search.most_in_chain:
            return chain
        while len(chain) < MOST_IN_CHAIN and (branch := self._sure_branch(chain[-1], int(rows[0]))) >= 0:
            chain.append(chain[-1].children[branch])
            self._take_in(chain[-1], rows)
        return chain

    def _sure_branch(self, node: Node, row: int) -> int:
        """The branch of a row, unless another test between the same other rows would send it elsewhere; else -1."""
        split = node.split
        if split.feature == LEAF:
            return -1
        codes = self._rows.codes[split.feature]
        code = int(codes[row])
        if code == self._rows.n_codes(split.feature):
            return split.missing
        if split.levels is not None:
            return int(split.levels[code]) if (codes[node.rows[:-1]] == code).any() else -1
        return int(code >= split.high) if code <= split.low or code >= split.high else -1

    def _is_mended(self, node: Node, best: Split, new: np.ndarray, found: Counter) -> bool:
        """Give the node the best split; False if there is nothing more to do below."""
        if node.is_leaf and best.feature == LEAF:
            return False
        branches = self._kept_branches(node, best, new)
        if branches:
            found["shifted"] += is_shifted(node.split, best)
            node.split, node.children = best, [node.children[b] for b in branches]
            return True
        found["replaced"] += node.n_splits
        found["regrown"] += 1
        node.become(self._subtree(node.rows, node.depth))
        return False

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
        expand(node, self._rows)
        node.stats += self._counts(new)
        if node.is_leaf or node.split.levels is not None:
            node.rows = np.append(node.rows, new)
            return
        codes = self._rows.codes[node.split.feature]
        if len(new) == 1:
            place = bisect_right(node.rows, codes[new[0]], key=codes.__getitem__)
        else:
            new = new[codes[new].argsort(kind="stable")]
            place = np.searchsorted(codes[node.rows], codes[new], side="right")
        node.rows = np.insert(node.rows, place, new)

    def _sent(self, node: Node, rows: np.ndarray) -> list[tuple[Node, np.ndarray]]:
        """(branch, rows) of the branches that get some of these."""
        sent = [(c, part) for c, part in zip(node.children, parted(node, self._rows, rows), strict=True) if len(part)]
        for child, part in sent:
            self._take_in(child, part)
        return sent
