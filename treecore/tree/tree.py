"""The tree: its columns, and what can be asked of them: a node, an answer for rows, the tree as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from treecore.brief import Brief
from treecore.data.frames import AnyFrame, as_kind, as_pandas
from treecore.errors import TreecoreError
from treecore.tree.columns import TreeColumns

if TYPE_CHECKING:
    from treecore.data.table import RowsLike
    from treecore.tree.node import NodeView


class Cutting(Protocol):
    """Cuts (pruning.Cuts), as far as a tree needs to know them."""

    def apply(self, tree: Any) -> Any:
        """The tree that they leave."""


@dataclass(frozen=True, eq=False, repr=False)
class Tree(TreeColumns):
    """A grown tree; its columns are explained at TreeColumns. What few ask for is imported when it is asked for."""

    def node(self, node: int) -> "NodeView":
        """A small read-only view for people."""
        from treecore.tree.node import NodeView

        if not 0 <= node < self.n_nodes:
            remedy = f"Nodes are numbered 0 to {self.n_nodes - 1}"
            raise TreecoreError(f"There is no node {node}", where="node", remedy=remedy)
        return NodeView(self, int(node))

    def __repr__(self) -> str:
        from treecore.tree.node import headline

        return f"Tree({headline(self)})"

    def __str__(self) -> str:
        return self.show()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows: the outline, a picture, and where scripts run the tree to be opened and searched."""
        from treecore.tree.node import RENDERERS

        drawn = {kind: render(self) for kind, render in RENDERERS.items()}
        return {"text/plain": str(self)} | {kind: text for kind, text in drawn.items() if text is not None}

    def show(self, depth: int | None = None, lines: int | None = None) -> str:
        """The tree as an indented outline: what leads to a node, its answer, its rows and how many it answers rightly.

        depth : levels below the root. lines : nodes, level by level, heavier branches first; 40 unless a depth is
        given. What is below those shown is counted.
        """
        from treecore.brief import MOST_LINES
        from treecore.tree.node import outline

        return outline(self, depth, MOST_LINES if depth is lines is None else lines)

    # other trees out of this one

    def with_class_names(self, names: Mapping[str, str]) -> Self:
        """The same tree, whose texts call classes by these names; answers and exports of code have their values.

        names : class -> name; others keep what they are called by. TreecoreError for a class that the tree does not
        have, and for a name that is another class's name or value.
        """
        from treecore.tree.validate import check_class_names

        odd = next((name for name in names if name not in self.classes), None)
        if odd is not None:
            remedy = (
                f"Its classes are {', '.join(map(repr, self.classes))}" if self.classes else "It answers with numbers"
            )
            raise TreecoreError(f"{odd!r} is no class of the tree", where="class names", remedy=remedy)
        called = tuple(names.get(name, name) for name in self.classes)
        check_class_names(self.classes, called)
        return replace(self, schema=replace(self.schema, class_names=called if called != self.classes else ()))

    def pruned_at(self, leaves: np.ndarray) -> Self:
        """The tree in which these nodes (bool mask) are leaves; those below go, the rest is renumbered."""
        leaves = np.asarray(leaves, bool)
        nodes = np.flatnonzero(~self.below(leaves))
        return self.keep(nodes, leaves[nodes])

    def cut(self, cuts: Cutting) -> Self:
        """The pruned tree that these cuts (pruning.Cuts) leave, with ids of its own."""
        return cuts.apply(self)

    def after(self, n_splits: int) -> Self:
        """The tree as it was after this many splits."""
        if n_splits < 0:
            remedy = "Count from 0, the root alone"
            raise TreecoreError(f"There is no tree after {n_splits} splits", where="n_splits", remedy=remedy)
        order = np.sort(self.first_child[~self.is_leaf])
        limit = order[n_splits] if n_splits < len(order) else self.n_nodes
        return self.keep(np.arange(limit), self.is_leaf[:limit] | (self.first_child[:limit] >= limit))

    def baseline(self) -> Self:
        """The root alone, which answers every row with the mean of all training rows, or their class."""
        return replace(self.after(0), lines=None)

    def rounded(self, digits: int | None = None) -> Self:
        """The tree with short thresholds, for use by hand: every row of the table it was grown from goes the same way.

        digits : significant digits of a threshold, more where so many do not part the rows alike, as 1 for the fewest
        that do; None for the thresholds as they are printed. A threshold whose neighbours are not known stays as it is:
        those of a table in a database that no query asked for, and of a tree saved without gaps.
        """
        from treecore.tree.threshold_gaps import with_rounded_thresholds

        return with_rounded_thresholds(self, digits)

    def keep(self, nodes: np.ndarray, leaf: np.ndarray) -> Self:
        """The nodes with these ids, in this order; `leaf` (bool, one each) takes their split away."""
        nodes = np.asarray(nodes)
        new_id = np.full(self.n_nodes + 1, -1, np.int32)
        new_id[nodes] = np.arange(len(nodes))
        n_surrogates = np.where(leaf, 0, np.diff(self.surrogate_start)[nodes])
        start = self.surrogate_start[nodes]
        kept = [s + j for s, n in zip(start, n_surrogates, strict=True) for j in range(n)]
        return replace(
            self,
            parent=new_id[self.parent[nodes]],
            first_child=np.where(leaf, -1, new_id[self.first_child[nodes]]),
            n_children=np.where(leaf, 0, self.n_children[nodes]),
            node_depth=self.node_depth[nodes],
            splits=self.splits.take(nodes).without(leaf),
            stats=self.stats[nodes],
            n_rows=self.n_rows[nodes],
            impurity=self.impurity[nodes],
            center=self.center[nodes],
            gain=np.where(leaf, np.nan, self.gain[nodes]),
            answer=new_id[self.answer[nodes]],
            surrogates=self.surrogates.take(kept),
            surrogate_start=np.concatenate([[0], np.cumsum(n_surrogates)]),
            surrogate_agree=self.surrogate_agree[kept],
            surrogate_adjusted=self.surrogate_adjusted[kept],
            surrogate_rows=self.surrogate_rows[kept],
            missing_rows=np.where(leaf, 0, self.missing_rows[nodes]),
            missing_weight=np.where(leaf, 0.0, self.missing_weight[nodes]),
            score=np.where(leaf, np.nan, self.score[nodes]),
            median=None if self.median is None else self.median[nodes],
            share_weight=None if self.share_weight is None else self.share_weight[nodes],
            training_route=None if self.training_route is None else self.training_route[nodes],
            outputs=None if self.outputs is None else self.outputs[nodes],
            cover=None if self.cover is None else self.cover[nodes],
            training_missing=None if self.training_missing is None else self.training_missing[nodes],
            lines=None if self.lines is None else self.lines.take(nodes, self.is_leaf[nodes] | leaf),
        )

    # predictions; `rows` is a Table or a frame (data.frames) with the features' columns, or a matrix of numbers and of
    # indices of levels, with a column for every feature in the schema's order

    def apply(self, rows: "RowsLike") -> np.ndarray:
        """int64 (n_rows,): the deepest node each row reaches; of several, the one of largest share."""
        from treecore.tree.predict import end_nodes

        return end_nodes(self, as_pandas(rows))

    def predict(self, rows: "RowsLike") -> np.ndarray:
        """Class labels (object, None where there is no answer) or float64 numbers, one per row."""
        from treecore.tree.predict import predictions

        return predictions(self, as_pandas(rows))

    def predict_proba(self, rows: "RowsLike") -> np.ndarray:
        """float64 (n_rows, n_classes), in the order of `classes`."""
        from treecore.tree.predict import probabilities

        return probabilities(self, as_pandas(rows))

    # as data

    def to_dict(self, gaps: bool = False) -> dict:
        """Plain lists and numbers, ready for JSON; `from_dict` takes it back.

        gaps : also between which values of the table its thresholds lie, so that it prints and rounds them as this tree
        does. A tree without them prints every digit of a threshold.
        """
        from treecore.tree.serial import tree_to_dict

        return tree_to_dict(self, gaps)

    @staticmethod
    def from_dict(data: dict) -> "Tree":
        """The tree that `to_dict` wrote; TreecoreError saying what is wrong with any other data."""
        from treecore.tree.serial import tree_from_dict

        return tree_from_dict(data, Tree)

    def to_sklearn(self) -> Any:
        """A fitted DecisionTreeClassifier or DecisionTreeRegressor of scikit-learn that answers as the tree does.

        TreecoreError for what it cannot say, such as splits of levels; see estimators.adapted.to_sklearn.
        """
        # by its name: what needs scikit-learn stands to the right of the tree
        try:
            adapted = import_module("treecore.estimators.adapted")
        except ImportError:
            remedy = 'Install it: pip install "treecore[sklearn]"'
            raise TreecoreError("This needs scikit-learn", where="to_sklearn", remedy=remedy) from None
        return adapted.to_sklearn(self)

    def to_frame(self, kind: str = "pandas") -> AnyFrame:
        """A frame of this kind ("pandas", "polars", "pyarrow"), one row per node: ids, test, branch text, rows,
        impurity, gain, prediction."""
        from treecore.tree.serial import tree_frame

        return as_kind(tree_frame(self), kind)


# A tree as it was while it grew: the order of its splits, and the error on other rows after each of them.

ROUNDING = 1e-12
"""An error lower by no larger share has not fallen."""


def split_order(tree: Tree) -> np.ndarray:
    """int64 (n_splits,): the node split first, second and so on; `tree.after(k)` has the first k of them."""
    inner = np.flatnonzero(~tree.is_leaf)
    return inner[np.argsort(tree.first_child[inner])]


@dataclass(frozen=True, eq=False, repr=False)
class Losses(Brief):
    """What a tree's nodes get wrong on validation rows.

    through : float64 (n_nodes,), each node as a leaf, on all rows that reach it. ends : on those whose route ends
        there. weight : of all rows.
    """

    through: np.ndarray
    ends: np.ndarray
    weight: float


def errors_after(tree: Tree, losses: Losses) -> np.ndarray:
    """float64 (n_splits + 1,): the error of `tree.after(k)` for every k.

    A split changes it by what it does to the rows of its node; some of them may stay there.
    """
    order = split_order(tree)
    branches = np.bincount(tree.parent[1:], losses.through[1:], tree.n_nodes)
    change = branches[order] + losses.ends[order] - losses.through[order]
    if not np.isfinite(change).all():
        return (losses.through[0] + np.concatenate([[0.0], np.cumsum(change)])) / losses.weight
    # from the last split on: the first ones change it the most, and their rounding would stay
    grown = losses.through[tree.is_leaf].sum() + losses.ends[~tree.is_leaf].sum()
    return (grown - np.append(np.cumsum(change[::-1])[::-1], 0.0)) / losses.weight


def peak_of(errors: np.ndarray, patience: float, least: int = 0) -> tuple[int, bool]:
    """(the number of splits to keep, whether growth stops within these errors).

    errors : float64, after 0, 1, ... splits. Growth stops when the error has not fallen for `patience` splits
    (infinite: never); kept are those up to the lowest error. least : splits that are made and kept in any case.
    """
    best = least
    for k in range(least, len(errors)):
        if errors[k] < errors[best] * (1 - ROUNDING):
            best = k
        elif k - best >= patience:
            return best, True
    return best, False
