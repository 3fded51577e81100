"""The columns of a tree, frozen, one row per node."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from treecore.brief import DERIVED, Brief
from treecore.criteria import CRITERIA, CriterionArgs
from treecore.criteria.criterion import missed
from treecore.kernels.codes import STAYS
from treecore.target import Target, answered_by_lines
from treecore.tree.leaf_lines import LeafLines
from treecore.tree.schema import Schema
from treecore.tree.splits import Splits, freeze_columns, no_splits, ranges

LARGEST_MEAN = 1e65
"""Of a numeric target: squares of its squares, which the deviation of squared errors takes, and sums of them are still
numbers."""
SCHEMA_VERSION = 3


@dataclass(frozen=True, eq=False, repr=False)
class TreeColumns(Brief):
    """A grown tree as data: what a Tree holds, and what follows from it.

    Node 0 is the root; ids are in growth order and siblings are adjacent.

    schema : names, kinds, levels and classes (never rows).
    parent : int32, -1 at the root.
    first_child, n_children : int32; -1 and 0 at a leaf.
    node_depth : int32, 0 at the root.
    splits : the test of every node (kind LEAF where there is none).
    stats : float64 (n_nodes, S), training weight per class, or (w, wy, wyy) of the target less the node's
        `center`.
    n_rows : int64, training rows that reach the node, those of weight 0 among them, as rpart counts; they count for
        the least rows to split and among missing_rows and surrogate_rows, are places to cut a surrogate at, and decide
        nothing else.
    impurity, gain : float64; gain is the decrease the split achieves, NaN at a leaf.
    answer : int32, the node whose statistics answer for this one: itself, the parent of an empty leaf,
        or -1 for "no answer" (Weka's Id3).
    surrogates, surrogate_start : backup tests of node t are entries surrogate_start[t]:surrogate_start[t+1].
    surrogate_agree, surrogate_adjusted : float64, agreement of each surrogate with its node's split, and how far it
        goes beyond sending every row down the larger branch (1: all the way).
    surrogate_rows : int64, training rows that each surrogate sent. surrogates_asked : False where they are listed
        only and rows without a value stay at the node.
    missing_rows, missing_weight : int64 and float64 (n_nodes,), training rows that reached the node without the value
        its split asks for.
    score : float64 (n_nodes,), what the node's split was selected by, NaN at a leaf.
    median : float64 (n_nodes,), median training target, of a tree whose nodes answer with it; else None.
    center : float64 (n_nodes,), what the sums of each node are taken around: the mean training target at the root, and
        near its own mean at a node where sums around its parent's center have cancelled; zeros for classification.
    growth : the settings it was grown with, as plain values.
    priors, loss : class shares (K,) and costs (K, K) that labels and probabilities reckon with; None: those of
        the training rows, every error costs 1. Profits are costs below 0. `stats` count the rows as they are.
    added : rows of each class (K,) that are added to those of every node before its class shares are taken, as
        Laplace's estimate does; None: none are. Labels are those of the rows as they are.
    share_weight : float64 (n_nodes,), weights by which rows without a value are shared among branches, where other
        rows than these are counted in `stats` too; else None.
    training_missing : int64 (n_nodes,), missing_rows of the training rows, of a tree whose figures (stats, n_rows,
        impurity, gain, missing_rows, median, added) are of estimation rows; see pruning.honest. None: they are of the
        training rows.
    training_route : int32 (n_nodes,), where training rows without the value went that no surrogate sent, a branch or
        STAYS, where rows to come go another way (rpart); else None.
    outputs : float64 (n_nodes, K), or (n_nodes, 1) of a numeric target: what the nodes of a model made elsewhere
        answer, whatever rows are counted in `stats`; a node with NaN answers with its statistics. None of a
        tree grown here.
    cover : float64 (n_nodes,), training weight of each node as the model made elsewhere has it; else None.
    lines : of a tree whose nodes answer with lines, see LeafLines; then no node has one answer, which `value` and
        `proba` say, and `summary` and `summary_shares` have means, labels and shares of its rows. Else None.
    All arrays are read-only, so a tree can be cached and shared.
    """

    schema: Schema
    parent: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    node_depth: np.ndarray
    splits: Splits
    stats: np.ndarray
    n_rows: np.ndarray
    impurity: np.ndarray
    gain: np.ndarray
    answer: np.ndarray
    criterion: str
    center: np.ndarray = DERIVED
    surrogates: Splits = field(default_factory=no_splits)
    surrogate_start: np.ndarray = DERIVED
    surrogate_agree: np.ndarray = DERIVED
    surrogate_adjusted: np.ndarray = DERIVED
    surrogate_rows: np.ndarray = DERIVED
    missing_rows: np.ndarray = DERIVED
    missing_weight: np.ndarray = DERIVED
    score: np.ndarray = DERIVED
    median: np.ndarray | None = None
    surrogates_asked: bool = True
    growth: Mapping = field(default_factory=dict)
    priors: np.ndarray | None = None
    loss: np.ndarray | None = None
    added: np.ndarray | None = None
    share_weight: np.ndarray | None = None
    training_route: np.ndarray | None = None
    outputs: np.ndarray | None = None
    cover: np.ndarray | None = None
    training_missing: np.ndarray | None = None
    lines: LeafLines | None = None

    def __post_init__(self) -> None:
        if self.surrogate_start is None:
            object.__setattr__(self, "surrogate_start", np.zeros(len(self.parent) + 1, np.int64))
        for name in ("surrogate_agree", "surrogate_adjusted", "surrogate_rows"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.zeros(len(self.surrogates)))
        for name, default in (("missing_rows", 0.0), ("missing_weight", 0.0), ("score", np.nan), ("center", 0.0)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.full(len(self.parent), default))
        freeze_columns(vars(self), COLUMNS)

    # whose figures they are

    @property
    def figures_of(self) -> str:
        """The role of the rows that the figures of the nodes are of: "train", or "estimation" of an honest tree."""
        return "train" if self.training_missing is None else "estimation"

    @property
    def rows_named(self) -> str:
        """ "training rows" or "estimation rows", for texts that count them."""
        return "training rows" if self.training_missing is None else "estimation rows"

    @property
    def figures_told(self) -> str:
        """Where the figures of an honest tree are from, in a sentence behind a title; '' for the training rows."""
        if self.training_missing is None:
            return ""
        return f" Shares and answers are of {int(self.n_rows[0]):,} estimation rows, which chose no split and no size."

    # sizes

    @property
    def n_nodes(self) -> int:
        return len(self.parent)

    @property
    def n_leaves(self) -> int:
        return int(np.count_nonzero(self.n_children == 0))

    @property
    def depth(self) -> int:
        """Depth of the deepest node; a lone root has depth 0."""
        return int(self.node_depth.max())

    @property
    def task(self) -> str:
        return self.schema.task

    @cached_property
    def target_kind(self) -> Target:
        """What the tree counts of its target, answers and loses, and how it says so."""
        return self.schema.target_kind if self.lines is None else answered_by_lines(self.classes)

    @property
    def classes(self) -> tuple[str, ...]:
        return self.schema.classes

    @property
    def class_names(self) -> tuple[str, ...]:
        """What people call the classes, in their order."""
        return self.schema.class_names or self.schema.classes

    @cached_property
    def name_of_class(self) -> dict[str, str]:
        """Class -> what people call it."""
        return dict(zip(self.classes, self.class_names, strict=True))

    @cached_property
    def is_leaf(self) -> np.ndarray:
        """bool (n_nodes,)."""
        return self.n_children == 0

    @cached_property
    def weight(self) -> np.ndarray:
        """float64 (n_nodes,), training weight of every node."""
        return self.weight_of(self.stats)

    def weight_of(self, stats: np.ndarray) -> np.ndarray:
        """float64 (...): weight of the rows that have these statistics, float64 (..., S); see `stats`."""
        return self.target_kind.weight_of(stats)

    @property
    def earns(self) -> bool:
        """Does some answer earn something, so that one speaks of its profit and not of its cost?"""
        return self.loss is not None and bool(self.loss.min() < -1e-8 * np.abs(self.loss).max())

    @cached_property
    def prior_factor(self) -> np.ndarray:
        """float64 (S,): prior over training share of each class; 1 without priors and for the sums of a regression."""
        if self.priors is None:
            return np.ones(self.stats.shape[1])
        shares = self.stats[0] / self.stats[0].sum()
        return np.divide(self.priors, shares, out=np.zeros(len(shares)), where=shares > 0)

    @cached_property
    def class_factor(self) -> np.ndarray:
        """float64 (S,), by which statistics were multiplied while splits were judged; see growing.settings.costs."""
        if self.loss is None or CRITERIA[self.criterion].needs_loss:
            return self.prior_factor
        cost = missed(self.loss).sum(axis=1)
        return self.prior_factor * cost / (self.prior_factor * cost * self.stats[0]).sum() * self.stats[0].sum()

    @cached_property
    def judge(self) -> CriterionArgs:
        """The criterion as compiled code takes it."""
        return CRITERIA[self.criterion].judge(self.loss, self.schema.row_loss)

    @cached_property
    def proba(self) -> np.ndarray:
        """float64 (n_nodes, n_classes): class shares that answer for the node; NaN where nothing does."""
        return self.target_kind.node_shares(self)

    @cached_property
    def summary_shares(self) -> np.ndarray:
        """float64 (n_nodes, n_classes): class shares that sum up the rows of the node, as it answers them or, where
        nodes answer with lines, as it would without its line; NaN where nothing answers."""
        stats = self.stats[self.answer] * self.prior_factor + (0.0 if self.added is None else self.added)
        shares = stats / np.maximum(stats.sum(axis=1, keepdims=True), 1e-300)
        if self.outputs is not None:
            shares = np.where(np.isnan(self.outputs[self.answer]), shares, self.outputs[self.answer])
        return np.where((self.answer < 0)[:, None], np.nan, shares)

    @cached_property
    def expected_cost(self) -> np.ndarray:
        """float64 (n_nodes, n_classes): cost of answering with each class at the node, times the node's weight."""
        stats = self.stats[self.answer] * self.prior_factor
        return stats.sum(axis=1, keepdims=True) - stats if self.loss is None else stats @ self.loss

    def labels_of(self, stats: np.ndarray) -> np.ndarray:
        """int64 (m,): index of the class of least expected cost among rows with these class weights, float64 (m, K).

        Without costs it is the most frequent one; the first among equals.
        """
        stats = stats * self.prior_factor
        cost = stats.sum(axis=1, keepdims=True) - stats if self.loss is None else stats @ missed(self.loss)
        # classes whose costs are equal by the formula may differ in their last digits
        slack = 1e-12 * np.abs(cost).sum(axis=1, keepdims=True)
        return np.argmax(cost <= cost.min(axis=1, keepdims=True) + slack, axis=1)

    @cached_property
    def value(self) -> np.ndarray:
        """What each node predicts: float64 mean (NaN: none), or int64 index of a class, see labels_of (-1: none)."""
        return self.target_kind.values(self)

    @cached_property
    def summary(self) -> np.ndarray:
        """One value per node that sums up its rows: what it predicts; where nodes answer with lines the mean, or the
        label that `summary_shares` give."""
        return self.target_kind.summaries(self)

    @cached_property
    def asked(self) -> np.ndarray:
        """int64, ascending: the features that tests ask for, surrogates aside, and that lines read where rows end."""
        tests = self.splits.feature[~self.is_leaf].astype(np.int64)
        return np.unique(tests) if self.lines is None else np.union1d(tests, self._read_by_lines())

    def _read_by_lines(self) -> np.ndarray:
        stays = (self.splits.missing_branch == STAYS) | (self.splits.unseen_branch == STAYS)
        ends = np.unique(self.answer[(self.is_leaf | stays) & (self.answer >= 0)])
        assert self.lines is not None
        return self.lines.feature[ranges(self.lines.start[ends], self.lines.n_terms[ends])].astype(np.int64)

    # moving about

    @cached_property
    def levels(self) -> tuple[np.ndarray, ...]:
        """Node ids of every depth, from the root down: one array operation per level walks the whole tree."""
        order = np.argsort(self.node_depth, kind="stable")
        return tuple(np.split(order, np.cumsum(np.bincount(self.node_depth))[:-1]))

    def add_up(self, amount: np.ndarray) -> np.ndarray:
        """An amount per node, first axis (n_nodes,), with the amounts of all descendants added."""
        total = np.array(amount)
        for nodes in reversed(self.levels[1:]):
            np.add.at(total, self.parent[nodes], total[nodes])
        return total

    def below(self, marked: np.ndarray) -> np.ndarray:
        """bool (n_nodes,): nodes with a marked one (bool mask) among their ancestors."""
        under = np.zeros(self.n_nodes, bool)
        for nodes in self.levels[1:]:
            above = self.parent[nodes]
            under[nodes] = under[above] | marked[above]
        return under

    def children(self, node: int) -> range:
        """Ids of the node's children, in branch order."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def path(self, node: int) -> list[int]:
        """Ids from the root to the node, both included."""
        ids = [int(node)]
        while ids[-1] != 0:
            ids.append(int(self.parent[ids[-1]]))
        return ids[::-1]

    def descendants(self, node: int) -> np.ndarray:
        """bool (n_nodes,): the nodes strictly below `node`."""
        return self.below(np.arange(self.n_nodes) == node)


COLUMNS = {
    "parent": np.int32, "first_child": np.int32, "n_children": np.int32, "node_depth": np.int32,
    "stats": np.float64, "n_rows": np.int64, "impurity": np.float64, "gain": np.float64,
    "answer": np.int32, "surrogate_start": np.int64, "surrogate_agree": np.float64,
    "surrogate_adjusted": np.float64, "surrogate_rows": np.int64, "missing_rows": np.int64,
    "missing_weight": np.float64, "center": np.float64, "score": np.float64, "median": np.float64,
    "priors": np.float64, "loss": np.float64, "added": np.float64, "share_weight": np.float64,
    "training_route": np.int32, "training_missing": np.int64, "outputs": np.float64, "cover": np.float64,
}  # fmt: skip
