"""The arrays that the fast kernels share: the training rows, a block of sorted records, the nodes they grow."""

from typing import NamedTuple

import numpy as np

from treecore.criteria.criterion import Judge

PLAIN = np.dtype([
    ("impurity", "f8"), ("gain", "f8"), ("parent", "i4"), ("first_child", "i4"), ("feature", "i4"), ("depth", "i4"),
    ("n_rows", "i4"), ("low", "u4"), ("high", "u4"), ("swapped", "i4"), ("key", "u8"),
])  # fmt: skip
"""A node: low and high are the keys on either side of its cut, first_child is -1 at a leaf. swapped : does the second
child come first, as the one with the smaller mean target? Where levels part the rows, low is where their table begins
in Nodes.tables. gain : what the split was chosen by. key : see
kernels.drawn."""
GAP = np.dtype([("gain", "f8"), ("weight", "f8"), ("rows", "i4"), ("branch", "i4")])
"""Rows of a node without the value that its split asks for, and where they go. gain : of the split with them, where
missing is a value of its own."""
WAITING = np.dtype([("node", "i8"), ("start", "i8"), ("stop", "i8"), ("side", "i8")])
"""A node to be split: start:stop of every feature's records, in the first or the second set of them (side 0 or 1)."""
GROUP = np.dtype([("key", "f8"), ("weight", "i8"), ("second", "i8"), ("n_rows", "i8")])
"""A level at a node of two classes: the share of the first class, its weight, that of the second class."""
BACKUP = np.dtype([
    ("feature", "i4"), ("low", "u4"), ("high", "u4"), ("low_branch", "i4"), ("agree", "i4"), ("n_used", "i4"),
])  # fmt: skip
"""A surrogate: low and high are the keys on either side of its cut, or low is where the table of its levels begins in
Nodes.backup_tables; it sends `agree` rows as its node's split does, and has sent n_used without that split's value."""
BACKED = np.dtype([("start", "i8"), ("count", "i8"), ("larger", "i8")])
"""Where a node's surrogates are in Nodes.backups, the one that agrees best first; zeros where none were looked for.
larger : rows with a value that went to the larger branch."""
SCALE = np.dtype([("unit", "f8"), ("mean", "f8"), ("variance", "f8"), ("n_rows", "i8")])
"""What a target in whole numbers is: the difference from a number near the mean, in this unit; variance and rows of the
node that these were chosen for."""
NEITHER = 2
"""In place of 1 or 0, where a row goes to neither branch, or it is not known to which."""
MOST_WAITING = 64
"""The smaller of two children is split first, so that no more nodes wait than the rows can be halved."""
MOST_FEW = 6
"""Rows of nodes that are split from their keys alone, see kernels.records.small_nodes."""
N_NODES, N_WAITING, N_SMALL, N_LARGE, N_TABLES, N_BACKUPS, N_BACKUP_TABLES = range(7)
"""Counts: of all nodes, of those that wait in a block, are set aside, or wait in buckets; of entries of the tables; of
surrogates, and of entries of their tables."""


class Rows(NamedTuple):
    """The training rows. Nothing here changes while a tree grows.

    keys : uint32 (n, d), in the order of each feature's values; the largest, absent, stands for a missing one.
    absent : uint32 (d,). label : int32 (n,) and response : float64 (n,), the target as it is; (0,) for the other task.
        rules : RULES (1,).
    weight : int32 (n,), (0,) where every row counts once. nominal : bool (d,), features that two groups of levels part.
    """

    keys: np.ndarray
    absent: np.ndarray
    label: np.ndarray
    response: np.ndarray
    rules: np.ndarray
    judge: Judge
    weight: np.ndarray
    nominal: np.ndarray


class Block(NamedTuple):
    """Records of some rows, numbered from 0 on, and the working memory to grow what is below them.

    records : uint32 (2 * d * m,), feature after feature, m apart, twice: a split moves a node's from one set to the
        other. rows : int32 (m,), the number that each row has among all. fixed : int64 (m,), the target of each row in
        whole numbers; (0,) for classes. scale : SCALE (MOST_WAITING + 1,), of the rows of each waiting node. label :
        int32 (m,), the class of each row; (0,) where its records have it.
    waiting : WAITING (MOST_WAITING + 1 + MOST_FEW,), at the end those of few rows. tied : bool (MOST_WAITING + 1, d),
        do records of the waiting nodes have equal values? known : int64, as large, records with a value. best : int64
        (d,), bits of the value of every feature's best cut at the node at work.
    goes_left : uint8 (m,), 1 or 0, or NEITHER. sums : uint32 (m,), cross, values, ratio : float64 (m,). place : float64
        (m,), 1, 2, 3 ...
    xlog : float64, x log2 x of 0 to the rows or to their weight, for entropy; else (0,). left, right, whole : float64
        (S,), statistics of the sides of a cut and of both. some, others : int64 (S,), counts. counts : int64 (5,), how
        many nodes wait, at N_WAITING.
    weight : int32 (m,), lefts : float64 (m,), levels : LEVEL (v,), level_stats : float64 (v, S), level_sums : float64
        (4, S), groups : GROUP (v,), for what kernels.records.special_cuts does; empty if nobody asks for it.
    drawn : int32 (2, d), see kernels.drawn.open_drawn.
    """

    records: np.ndarray
    rows: np.ndarray
    fixed: np.ndarray
    label: np.ndarray
    scale: np.ndarray
    waiting: np.ndarray
    best: np.ndarray
    tied: np.ndarray
    known: np.ndarray
    goes_left: np.ndarray
    sums: np.ndarray
    cross: np.ndarray
    values: np.ndarray
    ratio: np.ndarray
    place: np.ndarray
    xlog: np.ndarray
    left: np.ndarray
    right: np.ndarray
    whole: np.ndarray
    some: np.ndarray
    others: np.ndarray
    counts: np.ndarray
    weight: np.ndarray
    lefts: np.ndarray
    levels: np.ndarray
    level_stats: np.ndarray
    level_sums: np.ndarray
    groups: np.ndarray
    drawn: np.ndarray


class Nodes(NamedTuple):
    """The nodes grown so far.

    of : PLAIN (capacity,). gaps : GAP (capacity,), zeros where no row lacks a value; (0,) where none can. stats :
    float64 (capacity, S). small : WAITING (capacity,), nodes left for a block of their own; their rows are
    members[start:stop], int32 (n,). counts : int64 (7,): see N_NODES. tables : int8, the side of each level of the
    nodes that levels part, -1 for one that is not there. center : float64 (capacity,), what the sums of each node are
    taken around, see kernels.own_mean; (0,) for classes.
    backups : BACKUP (m,), backed : BACKED (capacity,), backup_tables : int8, as tables; (0,) where no surrogates are
    listed.
    """

    of: np.ndarray
    gaps: np.ndarray
    stats: np.ndarray
    small: np.ndarray
    members: np.ndarray
    counts: np.ndarray
    tables: np.ndarray
    center: np.ndarray
    backups: np.ndarray
    backed: np.ndarray
    backup_tables: np.ndarray
