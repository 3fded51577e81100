"""The arrays that the grower's kernels share: the problem, the rules, the nodes grown so far.

Records (structured arrays) keep a row's or a node's fields in one cache line and the kernels'
signatures short, which is most of their compile time.
"""

from typing import NamedTuple

import numpy as np

ORDERED, SUBSET, MULTIWAY = 0, 1, 2
N_NODES, N_LEVELS = 0, 1

ROW = np.dtype([("weight", "f8"), ("response", "f8"), ("label", "i8")])
"""A training row: case weight, target minus its training mean, class. The unused target is 0."""

FEATURE = np.dtype([("n_codes", "i8"), ("value_start", "i8"), ("splitter", "i8"), ("cost", "f8")])
"""n_codes stands for missing in `codes`; value_start is where the feature's distinct values begin; gains are
divided by cost when features compete."""

RULES = np.dtype([
    ("criterion", "i8"), ("n_classes", "i8"),
    ("max_depth", "i8"),
    ("min_rows_split", "i8"), ("min_rows_leaf", "i8"), ("min_weight_split", "f8"), ("min_weight_leaf", "f8"),
    ("min_gain", "f8"), ("min_weighted_gain", "f8"), ("split_at_zero", "i8"),
    ("order_by_mean", "i8"), ("min_gap", "f8"), ("max_exhaustive", "i8"), ("tolerance", "f8"),
])  # fmt: skip
"""What the grower obeys, as numbers; growing.settings.Growth says what they mean."""

NODE = np.dtype([
    ("id", "i8"), ("parent", "i8"), ("first_child", "i8"), ("n_children", "i8"), ("depth", "i8"),
    ("feature", "i8"), ("low", "i8"), ("high", "i8"), ("low_branch", "i8"), ("missing_branch", "i8"),
    ("level_start", "i8"), ("start", "i8"), ("stop", "i8"), ("sort_rows", "i8"),
    ("n_rows", "i8"), ("weight", "f8"), ("impurity", "f8"), ("score", "f8"),
])  # fmt: skip
"""A node: `low` and `high` are the codes on either side of an ordered cut, `low_branch` the child that
gets the low side, `level_start` where its levels begin in level_branch (-1: none), `start:stop` its
slice of every row of `order`, `n_rows` its rows of positive weight. `sort_rows` asks for the children's rows to be
sorted apart even if no limit lets them be searched. A node whose split was found has n_children > 0."""

LEVEL = np.dtype([
    ("weight", "f8"), ("key", "f8"), ("n_rows", "i8"), ("id", "i8"), ("order", "i8"), ("side", "i8"),
])  # fmt: skip
"""A level present at the node that is being searched (working memory)."""


class Problem(NamedTuple):
    """The training rows, encoded; nothing here changes while a tree grows.

    codes : int32 (d, n), rank of each value in its column, FEATURE.n_codes where missing.
    values : float64, the distinct values, feature after feature.
    """

    codes: np.ndarray
    rows: np.ndarray
    features: np.ndarray
    values: np.ndarray
    rules: np.ndarray


class Growing(NamedTuple):
    """The tree while it grows, with room for more, and the working memory of the fit.

    order : int32 (d, n), rows sorted by code within every node's slice, missing last.
    stats : float64 (capacity, S), class weights or (w, wy, wyy) of each node.
    level_branch : int64, the branch of each level of the nodes that have levels, -1 where absent.
    counts : int64 (2,), how many nodes there are (N_NODES) and entries of level_branch are used (N_LEVELS).
    sums : float64 (3, S), left, right and known side of the cut that is being judged.
    """

    order: np.ndarray
    nodes: np.ndarray
    stats: np.ndarray
    level_branch: np.ndarray
    counts: np.ndarray
    sums: np.ndarray
    scores: np.ndarray
    levels: np.ndarray
    level_stats: np.ndarray
    side: np.ndarray
    moved: np.ndarray


def new_growing(order: np.ndarray, n_stats: int, max_levels: int, capacity: int) -> Growing:
    """No nodes yet, room for `capacity`; max_levels = the largest n_codes of a nominal feature."""
    d, n = order.shape
    widest = max(2, max_levels)
    return Growing(
        order=order, nodes=np.zeros(capacity, NODE), stats=np.zeros((capacity, n_stats)),
        level_branch=np.zeros(widest + capacity, np.int64), counts=np.zeros(2, np.int64),
        sums=np.zeros((3, n_stats)), scores=np.zeros(d),
        levels=np.zeros(widest, LEVEL), level_stats=np.zeros((widest, n_stats)),
        side=np.zeros(n, np.int32), moved=np.zeros(n, np.int32),
    )  # fmt: skip


def with_room(growing: Growing, nodes: int = 0, levels: int = 0) -> Growing:
    """Room for so many more nodes and entries of level_branch; the working memory is shared."""
    short = {}
    if growing.counts[N_NODES] + nodes > len(growing.nodes):
        short = {name: _longer(getattr(growing, name), nodes) for name in ("nodes", "stats")}
    if growing.counts[N_LEVELS] + levels > len(growing.level_branch):
        short["level_branch"] = _longer(growing.level_branch, levels)
    return growing._replace(**short)


def _longer(old: np.ndarray, more: int) -> np.ndarray:
    """At least twice as long, so that growing step by step copies each entry a few times only."""
    new = np.zeros((2 * len(old) + more, *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return new
