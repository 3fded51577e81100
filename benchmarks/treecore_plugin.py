"""treecore as a plug-in of a side-by-side benchmark of single trees: raw arrays to a grown tree.

fit(X, y, ...) is what is timed, encoding included; describe(tree) reports the size; warm() compiles.
"""

import numpy as np

import treecore as tc
from treecore.warm import warm

__all__ = ["describe", "fit", "table_of", "warm"]


def table_of(X: np.ndarray, y: np.ndarray, classes: int, nominal: list[int]) -> tc.Table:
    """A table of raw arrays. X : float32 (n, d), codes in the nominal columns. classes : 0 for regression."""
    return tc.from_arrays(X, y, classes=[f"k{k}" for k in range(classes)] if classes else None, nominal=nominal)


def fit(X, y, *, classes, criterion, max_depth, nominal, threads) -> tc.Tree:
    """Grow to the limit on raw arrays; `threads` is not used: growing is single-threaded."""
    # the peers look for no surrogates
    settings = {"missing": "majority", **({"criterion": criterion} if classes else {})}
    return tc.grow(table_of(X, y, classes, nominal), "cart", max_depth=max_depth, zero_gain="split", **settings)


def describe(tree: tc.Tree) -> dict:
    return {"leaves": tree.n_leaves, "depth": tree.depth}
