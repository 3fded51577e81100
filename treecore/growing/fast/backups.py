"""Surrogates of a tree that the fast kernels have grown: listed afterwards, as it does not depend on them."""

from collections.abc import Callable

import numpy as np

from treecore.growing.fast.arrays import memory_for, most_levels, put_aside
from treecore.kernels.records.state import N_NODES, Block, Nodes, Rows
from treecore.kernels.records.surrogates_fast import BACKUP, Backups, walk_aside


def backups_of(rows: Rows, nodes: Nodes, local: int, budget: int, report: Callable[[Block], None]) -> Backups:
    """The surrogates of all nodes, at most rules.max_surrogates each.

    local : nodes with fewer rows get a block of their own. budget : records looked at between two reports.
    """
    n, d = rows.keys.shape
    most_kept, n_nodes = min(int(rows.rules["max_surrogates"][0]), d - 1), int(nodes.counts[N_NODES])
    backups = Backups(
        of=np.empty(most_kept * (n_nodes // 2), BACKUP), start=np.zeros(n_nodes, np.int64),
        count=np.zeros(n_nodes, np.int64), used=np.zeros(2, np.int64),
        tables=np.empty(most_kept * (n_nodes // 2) * most_levels(rows), np.int8),
    )  # fmt: skip
    if n_nodes == 1 or most_kept == 0:
        return backups
    # it does not matter here what the target of a row is; buckets want the rows in the order they left them in
    rows = rows._replace(label=rows.label[:0], response=rows.response[:0])
    nodes = nodes._replace(members=np.arange(n, dtype=np.int32))
    put_aside(nodes, n)
    for most, smallest in ((n, local), (local, 0)) if n > local else ((n, 0),):
        with memory_for(rows, nodes, most) as (block, sorter):
            while walk_aside(rows, block, nodes, sorter, backups, most_kept, smallest, budget):
                report(block)
    return backups
