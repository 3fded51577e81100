"""Compile the kernels ahead of time: `python -m treecore.warm` fills the disk cache."""

import numpy as np


def warm() -> None:
    """Grow, prune and route tiny tables, so that every kernel is compiled and cached."""
    import treecore as tc
    from treecore.data import level_column, numeric_column

    x = np.array([1.0, 2.0, 3.0, 4.0])
    columns = (
        numeric_column("x", x),
        level_column("c", "nominal", ["a", "b", "a", "b"], ("a", "b")),
        level_column("class", "nominal", ["n", "y", "y", "n"], ("n", "y")),
    )
    table = tc.Table(columns, target="class", features=("x", "c"))
    tree = tc.grow(table)
    tc.sequence(tree).curve(table)
    tc.candidates(tree, 0, table)


if __name__ == "__main__":
    warm()
