"""Is a tree from outside one that could have been grown? Compiled code follows its columns without looking again.

Every check says which column is wrong, and at which node. All of them are array operations.
"""

import math

import numpy as np

from treecore.criteria import CRITERIA
from treecore.kernels.codes import STAYS
from treecore.tree.columns import LARGEST_MEAN, TreeColumns
from treecore.tree.plain_columns import wrong
from treecore.tree.sound_schema import check_schema
from treecore.tree.sound_splits import check_splits, check_surrogates, refuse

SLACK = 1e-6
"""Share of the root's amount by which sums may be off by rounding."""
LARGEST, LARGEST_SUM = 1e100, 1e150
"""No weight and no cost is larger, and no sum: products of two of them are still numbers."""
PER_NODE = (
    "parent", "first_child", "n_children", "node_depth", "stats", "n_rows", "impurity", "gain", "answer",
    "missing_rows", "missing_weight", "center", "score",
)  # fmt: skip
OPTIONAL = ("median", "share_weight", "training_route", "training_missing", "outputs", "cover")


def check_sound(tree: TreeColumns) -> None:
    """TreecoreError saying what is wrong with a tree whose columns have the right types."""
    check_schema(tree.schema)
    _check_lengths(tree)
    _check_settings(tree)
    _check_structure(tree)
    check_splits(tree.schema, tree.splits, tree.n_children)
    check_surrogates(tree.schema, tree.surrogates, tree.surrogate_start, tree.n_children)
    _check_statistics(tree)
    _check_numbers(tree)
    _check_by_class(tree)


def _check_lengths(tree: TreeColumns) -> None:
    n, m = tree.n_nodes, len(tree.surrogates)
    lengths = dict.fromkeys(PER_NODE, n) | {"splits": n, "surrogate_start": n + 1}
    lengths |= dict.fromkeys(("surrogate_agree", "surrogate_adjusted", "surrogate_rows"), m)
    lengths |= {name: n for name in OPTIONAL if getattr(tree, name) is not None}
    for name, length in lengths.items():
        if len(getattr(tree, name)) != length:
            raise wrong(name, f"It has {len(getattr(tree, name))} entries, not {length}")
    if n == 0:
        raise wrong("parent", "There is no node")
    width = tree.target_kind.width
    if tree.stats.shape != (n, width):
        raise wrong("stats", f"It has {tree.stats.shape[1]} numbers per node, not {width}")
    if tree.outputs is not None and tree.outputs.shape != (n, len(tree.classes) or 1):
        raise wrong("outputs", f"It has {tree.outputs.shape[1]} numbers per node, not {len(tree.classes) or 1}")


def _check_settings(tree: TreeColumns) -> None:
    criterion = CRITERIA.get(tree.criterion) if isinstance(tree.criterion, str) else None
    if criterion is None or criterion.task != tree.task:
        raise wrong("criterion", f"There is no criterion {tree.criterion!r} for {tree.task}")
    if criterion.max_classes is not None and len(tree.classes) > criterion.max_classes:
        raise wrong("criterion", f"{tree.criterion} is not defined for {len(tree.classes)} classes")
    if criterion.needs_loss and tree.loss is None:
        raise wrong("criterion", f"{tree.criterion} needs a loss matrix")
    refuse("center", ~(np.abs(tree.center) < LARGEST_MEAN), "is no mean")
    if not tree.target_kind.around_center and (tree.center.any() or tree.median is not None):
        raise wrong("center", f"A tree of {tree.target_kind.held} has no mean and no medians")
    if type(tree.surrogates_asked) is not bool:
        raise wrong("surrogates_asked", f"{tree.surrogates_asked!r} is neither true nor false")
    for name, value in tree.growth.items():
        if not isinstance(name, str) or not _is_plain(value, DEEPEST if name in OF_PAIRS else 0):
            raise wrong("growth", f"{value!r} is no setting")


OF_PAIRS = "priors", "loss", "profit", "costs", "edges", "monotonic"
DEEPEST = 3
"""Settings of growth that hold more than one number, and how many lists may be within each other: name and edges."""


def _is_plain(value, depth: int) -> bool:
    """A text, a finite number, yes, no or nothing; or a list of them, so many within each other."""
    if depth and isinstance(value, list | tuple):
        return all(_is_plain(one, depth - 1) for one in value)
    return value is None or isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))


def _check_structure(tree: TreeColumns) -> None:
    """Children stand behind their parents, siblings side by side, and every node but the root is somebody's child.

    Whoever follows such columns comes to an end, and never leaves the table.
    """
    inner, n = np.flatnonzero(tree.n_children), tree.n_nodes
    refuse("n_children", (tree.n_children < 0) | (tree.n_children == 1) | (tree.n_children >= n + 1), "is impossible")
    refuse("first_child", (tree.n_children == 0) & (tree.first_child != -1), "names a child of a leaf")
    by_child = inner[np.argsort(tree.first_child[inner], kind="stable")]
    each = tree.n_children[by_child].astype(np.int64)
    expected = 1 + np.cumsum(each) - each
    if 1 + each.sum() != n or (tree.first_child[by_child] != expected).any():
        raise wrong("first_child", "Not every node but the root is the child of one other")
    refuse("first_child", (tree.n_children > 0) & (tree.first_child <= np.arange(n)), "names a child before the node")
    refuse("parent", tree.parent != np.concatenate([[-1], np.repeat(by_child, each)]), "is not the node's parent")
    depth = tree.node_depth
    refuse("node_depth", depth != np.concatenate([[0], depth[tree.parent[1:]] + 1]), "is not one below its parent")
    refuse("answer", (tree.answer < -1) | (tree.answer >= n), "is no node")


def _check_statistics(tree: TreeColumns) -> None:
    """Counts and sums: finite, of no negative weight, and children have no more than their parents."""
    refuse("stats", ~(np.abs(tree.stats) < LARGEST_SUM).all(axis=1), "is not finite")
    weight = tree.weight
    slack = SLACK * np.abs(tree.stats).max(axis=0)
    signed = {"classification": slice(None), "counts": slice(3)}.get(tree.task, [0, 2])
    refuse("stats", (tree.stats[:, signed] < -slack[signed]).any(axis=1), "is negative")
    if tree.task == "counts":
        events = tree.stats[:, 2]
        refuse("stats", (tree.stats[:, 1] > 0) != (weight > 0), "has rows without exposure, or exposure without rows")
        refuse("stats", tree.target_kind.deviance_excess(tree.stats) > SLACK * (1 + events), "is of no counts")
    if tree.task == "regression":
        w, wy, wyy = tree.stats.T
        refuse(
            "stats", wy * wy > (w + slack[0]) * (wyy + slack[2]) * (1 + SLACK), "is of no numbers: Σwy² is too small"
        )
        refuse("stats", (w > 0) & (np.abs(wy) >= LARGEST_MEAN * w), "is of no numbers: their mean is too large")
    silent = (tree.answer >= 0) & ~(weight[tree.answer] > 0)
    if tree.outputs is not None:
        silent &= np.isnan(tree.outputs[tree.answer]).any(axis=1)
    refuse("answer", silent, "is a node without rows, which have no mean and no shares")
    below = np.bincount(tree.parent[1:], weight[1:], tree.n_nodes)
    inner = tree.n_children > 0
    refuse("stats", inner & (below > weight * (1 + SLACK) + SLACK * abs(weight[0])), "weighs less than its branches")
    refuse("n_rows", tree.n_rows < 0, "is negative")
    refuse("missing_rows", (tree.missing_rows < 0) | (tree.missing_rows > tree.n_rows), "is no part of the node's rows")
    if tree.training_missing is not None:
        refuse("training_missing", tree.training_missing < 0, "is negative")
    share = weight if tree.share_weight is None else tree.share_weight
    refuse("share_weight", ~((share >= -slack[0]) & (share < LARGEST)), "is no weight")


def _check_numbers(tree: TreeColumns) -> None:
    largest = np.nanmax(np.abs(tree.impurity), initial=0.0)
    refuse("impurity", np.isinf(tree.impurity) | (tree.impurity < -SLACK * largest), "is no impurity")
    refuse("gain", np.isinf(tree.gain) | ((tree.n_children == 0) & ~np.isnan(tree.gain)), "is no gain")
    refuse("score", (tree.n_children == 0) & ~np.isnan(tree.score), "is the score of a leaf")
    refuse("missing_weight", ~((tree.missing_weight >= 0) & (tree.missing_weight < LARGEST)), "is no weight")
    refuse("surrogate_agree", ~np.isfinite(tree.surrogate_agree), "is no share")
    refuse("surrogate_adjusted", ~np.isfinite(tree.surrogate_adjusted), "is no share")
    refuse("surrogate_rows", tree.surrogate_rows < 0, "is negative")
    if tree.training_route is not None:
        is_branch = (tree.training_route >= 0) & (tree.training_route < tree.n_children)
        inner = tree.n_children > 0
        refuse("training_route", inner & ~is_branch & (tree.training_route != STAYS), "is no branch")
    if tree.outputs is not None:
        _check_outputs(tree)
    if tree.cover is not None:
        refuse("cover", ~(np.isnan(tree.cover) | ((tree.cover >= 0) & (tree.cover < LARGEST_SUM))), "is no weight")
    if tree.median is not None:
        refuse("median", ~(np.isnan(tree.median) | (np.abs(tree.median) < LARGEST_MEAN)), "is no number")


def _check_outputs(tree: TreeColumns) -> None:
    """Shares of classes that add up to 1, or a number; or NaN throughout."""
    outputs, none = tree.outputs, np.isnan(tree.outputs)
    refuse("outputs", none.any(axis=1) & ~none.all(axis=1), "is a number only in part")
    if not tree.classes:
        refuse("outputs", (~none & ~(np.abs(outputs) < LARGEST_MEAN)).any(axis=1), "is no number")
        return
    odd = (outputs < 0) | (np.abs(outputs.sum(axis=1, keepdims=True) - 1) > SLACK)
    refuse("outputs", (~none & odd).any(axis=1), "is no share of classes")


def _check_by_class(tree: TreeColumns) -> None:
    k = len(tree.classes)
    for name, shape in (("priors", (k,)), ("loss", (k, k)), ("added", (k,))):
        numbers = getattr(tree, name)
        if numbers is None:
            continue
        if numbers.shape != shape or not k:
            raise wrong(name, f"It is of {numbers.shape}, not of {k} classes")
        least = -LARGEST if name == "loss" else 0  # profits are costs below 0
        if not ((numbers >= least) & (numbers < LARGEST)).all():
            raise wrong(name, "There is a number below 0, or none")
    if tree.priors is not None and not math.isclose(tree.priors.sum(), 1, rel_tol=SLACK):
        raise wrong("priors", "The shares do not sum to 1")
