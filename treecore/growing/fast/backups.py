"""Surrogates of trees that the fast kernels grow: listed afterwards, unless they say where rows go."""

from collections.abc import Callable

import numpy as np

from treecore.growing.fast.arrays import memory_for, most_levels, put_aside
from treecore.kernels.records.fast_surrogates import walk_aside
from treecore.kernels.records.record_block import BACKED, BACKUP, N_NODES, FastNodes, RecordBlock, TrainingRows


def room_for_backups(rows: TrainingRows, n_nodes: int) -> dict[str, np.ndarray]:
    """The columns of Nodes with room for the surrogates of so many nodes, half of which are split at most; memory that
    is not touched costs nothing."""
    most = min(int(rows.rules["max_surrogates"][0]), rows.keys.shape[1] - 1) * (n_nodes // 2)
    tables = np.empty(most * most_levels(rows), np.int8)
    return {"backups": np.empty(most, BACKUP), "backed": np.zeros(n_nodes, BACKED), "backup_tables": tables}


def with_backups(
    rows: TrainingRows, nodes: FastNodes, local: int, budget: int, report: Callable[[RecordBlock], None]
) -> FastNodes:
    """The nodes with their surrogates, of a table without gaps; at most rules.max_surrogates each.

    local : nodes with fewer rows get a block of their own. budget : records looked at between two reports.
    """
    n, n_nodes = len(rows.keys), int(nodes.counts[N_NODES])
    nodes = nodes._replace(**room_for_backups(rows, n_nodes))
    if n_nodes == 1 or not len(nodes.backups):
        return nodes
    # it does not matter here what the target of a row is; buckets want the rows in the order they left them in
    rows = rows._replace(label=rows.label[:0], response=rows.response[:0])
    nodes = nodes._replace(members=np.arange(n, dtype=np.int32))
    put_aside(nodes, n)
    for most, smallest in ((n, local), (local, 0)) if n > local else ((n, 0),):
        with memory_for(rows, nodes, most) as (block, sorter):
            while walk_aside(rows, block, nodes, sorter, smallest, budget):
                report(block)
    return nodes
