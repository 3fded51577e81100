"""Compile kernels ahead of time: `python -m treecore.warm [grow|rest]` fills the disk cache.

Two processes with one part each use two cores; growing is what a user waits for first.
"""

import sys

import numpy as np

PARTS = ("grow", "rest")


def warm(part: str = "") -> None:
    """Use the kernels of a part ('' for all) on a tiny table, so that they are compiled and cached."""
    table = _tiny_table()
    if part != "rest":
        _grow(table)
    if part != "grow":
        _rest(table)


def _tiny_table():
    from treecore.data import level_column, numeric_column
    from treecore.data.table import Table

    columns = (
        numeric_column("x", np.array([1.0, 2.0, 3.0, 4.0])),
        level_column("c", "nominal", ["a", "b", "a", "b"], ("a", "b")),
        level_column("class", "nominal", ["n", "y", "y", "n"], ("n", "y")),
    )
    return Table(columns, target="class", features=("x", "c"))


def _grow(table):
    from treecore.growing.grower import grow_tree
    from treecore.growing.settings import Growth

    grow_tree(table, Growth())


def _rest(table) -> None:
    """Routing, the nested sequence and candidates, on a stump made by hand: nothing has to be grown for it."""
    from treecore.growing.candidates import candidates
    from treecore.growing.settings import Growth
    from treecore.pruning.sequence import sequence

    stump = _stump(table, Growth().to_dict())
    sequence(stump).curve(table)
    candidates(stump, 0, table)


def _stump(table, growth: dict):
    """x < 2.5 with a leaf on either side."""
    from treecore.growing.problem import schema_of
    from treecore.growing.settings import Growth
    from treecore.tree.splits import Splits
    from treecore.tree.tree import Tree

    leaves = np.array([False, True, True])
    splits = Splits(
        kind=np.where(leaves, 0, 1), feature=np.where(leaves, -1, 0), threshold=np.where(leaves, np.nan, 2.5),
        closed=leaves, low_branch=np.zeros(3), level_start=np.zeros(4), level_branch=np.zeros(0),
        missing_branch=np.where(leaves, -1, 0), unseen_branch=np.where(leaves, -1, 0),
    )  # fmt: skip
    return Tree(
        schema=schema_of(table, Growth()), parent=np.array([-1, 0, 0]), first_child=np.array([1, -1, -1]),
        n_children=np.array([2, 0, 0]), node_depth=np.array([0, 1, 1]), splits=splits,
        stats=np.array([[2.0, 2.0], [1.0, 1.0], [1.0, 1.0]]), n_rows=np.array([4, 2, 2]),
        impurity=np.full(3, 0.5), gain=np.array([0.0, np.nan, np.nan]), answer=np.arange(3),
        criterion="gini", growth=growth,
    )  # fmt: skip


if __name__ == "__main__":
    warm(*sys.argv[1:2])
