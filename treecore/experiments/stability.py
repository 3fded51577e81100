"""How brittle a tree is: which of its splits and answers return when the same recipe sees other samples."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.experiments.resampling import Regrown
from treecore.experiments.same_splits import Places, Ruler
from treecore.tree.predict import predicted_labels
from treecore.tree.tree import Tree

BAND = 0.05
"""Two thresholds are the same if at most this share of the rows lies between them."""
MOST_ROWS = 5000
"""So many rows, evenly chosen, are asked for their answers."""
MATTERS = 0.1
"""An answer in numbers is another one if it is off by more than this many standard deviations of the target."""


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Brief):
    """What returns of a tree in n regrown ones.

    returns : float64 (n_nodes,), share of the trees that have the node's split, wherever; NaN at a leaf.
    same_depth : float64 (n_nodes,), at the same depth. usual_depth : float64 (n_nodes,), median of the depths at which
    it returns first; NaN where it never does.
    holds : float64 (n_nodes,), mean share of the trees that give the rows of the node the tree's own answer.
    used, at_root : float64 (n_features,), share of the trees that split on each feature anywhere, at the root.
    changed : float64 (n_trees,), share of the rows that each tree answers otherwise.
    row_changed : float64 (n_asked,), share of the trees that answer each row otherwise. rows : int64 (n_asked,).
    apart : float64 (n_trees, n_trees), share of rows that two regrown trees answer otherwise; of numbers the root mean
    squared difference. representative : the regrown tree nearest to all others.
    n_leaves : int64 (n_trees,). places : of all splits of the regrown trees.
    """

    returns: np.ndarray
    same_depth: np.ndarray
    usual_depth: np.ndarray
    holds: np.ndarray
    used: np.ndarray
    at_root: np.ndarray
    changed: np.ndarray
    row_changed: np.ndarray
    rows: np.ndarray
    apart: np.ndarray
    n_leaves: np.ndarray
    places: Places
    band: float

    @property
    def representative(self) -> int:
        """Source: Shannon and Banks (1999), Combining classification trees using MLE: the central tree."""
        return int(self.apart.sum(axis=1).argmin())


def stability(tree: Tree, found: Regrown, band: float = BAND) -> Stability:
    """Compare a tree with those regrown on samples of its rows.

    tree : of the same recipe on all rows. band : splits of one feature are the same where at most this share of the
    rows that have a value goes another way. TreecoreError for a band outside 0 to 1, or a tree of other features.
    Source: Turney (1995), Bias and the quantification of stability; Philipp et al. (2018), stablelearner.
    """
    if not 0 <= band <= 1:
        raise TreecoreError(f"{band!r} is no share", where="band", remedy="Give a number from 0 to 1, such as 0.05")
    names = tuple(f.name for f in tree.schema.features)
    if any(tuple(f.name for f in t.schema.features) != names for t in found.trees):
        remedy = "Regrow with the features of the tree"
        raise TreecoreError("The regrown trees have other features", where="stability", remedy=remedy)
    ruler = Ruler(found.table)
    places = ruler.places(list(found.trees))
    returns, same, usual = _returns(tree, found.trees, places, ruler, band)
    rows = np.unique(np.linspace(0, found.table.n_rows - 1, min(found.table.n_rows, MOST_ROWS)).astype(np.int64))
    asked = found.table.take(rows)
    mine, theirs = _answers(tree, asked), np.array([_answers(t, asked) for t in found.trees])
    other = _others(mine, theirs, asked)
    n = len(found.trees)
    root = places.feature[places.depth == 0]
    used = np.unique(np.stack([places.tree, places.feature]), axis=1)[1]
    return Stability(
        returns, same, usual, _holds(tree, asked, other), np.bincount(used, minlength=len(names)) / n,
        np.bincount(root, minlength=len(names)) / n, other.mean(axis=1), other.mean(axis=0), rows,
        _apart(theirs, bool(tree.classes)), np.array([t.n_leaves for t in found.trees]), places, band,
    )  # fmt: skip


def _returns(
    tree: Tree, trees: tuple[Tree, ...], places: Places, ruler: Ruler, band: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(returns, same_depth, usual_depth), see Stability."""
    mine = ruler.places([tree])
    found = [np.full(tree.n_nodes, np.nan) for _ in range(3)]
    for i, node in enumerate(mine.node.tolist()):
        alike = np.flatnonzero(places.feature == mine.feature[i])
        if np.isfinite(mine.place[i]):
            near = np.abs(places.place[alike] - mine.place[i]) <= band + 1e-12
        else:
            entries = zip(places.tree[alike].tolist(), places.node[alike].tolist(), strict=True)
            near = np.array([ruler.apart(tree, node, trees[t], b) <= band + 1e-12 for t, b in entries], bool)
        alike = alike[near]
        # trees stand one behind the other, nodes by rising depth: the first entry of each is the highest
        which, first = np.unique(places.tree[alike], return_index=True)
        level = places.depth[alike] == mine.depth[i]
        found[0][node] = len(which) / len(trees)
        found[1][node] = len(np.unique(places.tree[alike][level])) / len(trees)
        found[2][node] = np.median(_first_depths(places, alike, first)) if len(which) else np.nan
    return tuple(found)


def _first_depths(places: Places, alike: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The least depth in each tree. first : where each tree begins among those alike."""
    return np.minimum.reduceat(places.depth[alike], first)


def _answers(tree: Tree, rows) -> np.ndarray:
    return predicted_labels(tree, rows).astype(np.int32) if tree.classes else tree.predict(rows)


def _others(mine: np.ndarray, theirs: np.ndarray, asked) -> np.ndarray:
    """bool (n_trees, n_asked): which answers are others."""
    if theirs.dtype == np.int32:
        return theirs != mine
    spread = float(np.nanstd(asked.target_column.values()))
    return np.abs(theirs - mine) > MATTERS * spread


def _holds(tree: Tree, asked, other: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,), see Stability; NaN where no row was asked."""
    end = tree.apply(asked)
    n, kept = (np.bincount(end, w, tree.n_nodes) for w in (None, 1 - other.mean(axis=0)))
    n, kept = tree.add_up(n.astype(float)), tree.add_up(kept)
    return np.divide(kept, n, out=np.full(tree.n_nodes, np.nan), where=n > 0)


def _apart(theirs: np.ndarray, classes: bool) -> np.ndarray:
    """float64 (n_trees, n_trees), see Stability."""
    if classes:
        return np.array([(theirs != one).mean(axis=1) for one in theirs])
    return np.array([np.sqrt(((theirs - one) ** 2).mean(axis=1)) for one in theirs])
