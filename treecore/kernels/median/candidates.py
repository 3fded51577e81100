"""What explaining a node needs compiled: the grower keeps no more than the winner."""

import numpy as np

from treecore.engine.jit import jit
from treecore.kernels.median.medians import add, clear, error_of_set


@jit
def prefix_errors(ranked, n):
    """float64 (n,): absolute error around their median of the first 1, 2, ... n rows of ranked.line."""
    found = np.zeros(n)
    clear(ranked)
    for i in range(n):
        add(ranked, ranked.line[i], 1.0)
        found[i] = error_of_set(ranked)
    return found
