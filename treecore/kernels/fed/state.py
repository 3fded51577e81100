"""The arrays of a tree that is fed with rows."""

from typing import NamedTuple

import numpy as np

from treecore.kernels.state import GrowState

N_BLOCKS = 16
"""Parts of the rows of a node, in the order of a feature, whose cuts are passed over together."""
MOST_LATE = 32
"""Single rows that a node has before they are put among the others in every feature's order."""
N_WAITING, N_FREE, GROWN, UPDATED, SHIFTED, REPLACED, REGROWN = range(7)
"""Places in Fed.counts: nodes that wait for new rows; slots that are free; the first node that a growth has not looked
at, -1 if none is under way; what the rows changed, see incremental.step.Step."""

KEPT = np.dtype([("slot", "i8"), ("room", "i8"), ("n_late", "i8")])
"""Of a node: where its blocks stand, -1 for one whose rows are not kept, as it was not visited yet; entries of `order`
from its start that are its own; its rows in Fed.late."""


class Fed(NamedTuple):
    """growing : the tree; start:stop is what a node with a slot keeps of `order`, with N_ENTRIES as the first entry
        that is free. Nodes that were replaced stay where they are, with no parent that points at them.
    kept : KEPT, parallel to growing.nodes.
    gains : float64 (nodes, d), what each feature can gain at a node, times its weight, when its rows are kept.
    left : int32 (slots, d, N_BLOCKS, K), the classes of the rows before each block, late ones among them.
    edge : int32 (slots, d, N_BLOCKS), the first row of each block, -1 for an empty one. Rows with its value that come
        later stand behind it, those with smaller ones before it; the first block begins with whatever comes first.
    upper : float64 (slots, d, N_BLOCKS), what the gain of the cuts in a block, up to that before the next block's first
        row, cannot exceed, times the weight of the node. Levels have one block.
    late : int32 (slots, MOST_LATE), the last rows of a node. merged : int64 (slots, d), how many of them are in the
        order of each feature; the entries of the others are free. A feature that cannot win is
        not put in order for a single row.
    free : int64 (slots,), slots that nobody has.
    waiting : int64 (rows of the batch + 1, 3), a node and its part of `batch`, its new rows. batch, ordered : int32, of
        that many.
    before : int32 (rows,), the branch of each row of the node at work until now. stack : int64, as many as nodes.
    was : NODE (2,), the node at work as it was, and spare : KEPT (1,), room to exchange nodes. counts : int64 (7,).
    """

    growing: GrowState
    kept: np.ndarray
    gains: np.ndarray
    left: np.ndarray
    edge: np.ndarray
    upper: np.ndarray
    late: np.ndarray
    merged: np.ndarray
    free: np.ndarray
    waiting: np.ndarray
    batch: np.ndarray
    ordered: np.ndarray
    before: np.ndarray
    stack: np.ndarray
    was: np.ndarray
    spare: np.ndarray
    counts: np.ndarray
