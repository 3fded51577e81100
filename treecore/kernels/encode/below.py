"""In which bin a number is: a search without a guess of the processor's that can go wrong.

Source: Khuong and Morin (2017), Array layouts for comparison-based searching.
"""

from treecore.engine.jit import jit


@jit
def n_below(values, heap, n_levels, found):
    """How many edges are below each number: np.searchsorted(edges, values, side="left").

    values : float64 (n,), none NaN. heap : float64 (2**n_levels,), the edges as a search tree in order of breadth from
    index 1 on, those that are none being infinite. found : int32 (n,), filled here.
    """
    for i in range(len(values)):
        at = 1
        for _ in range(n_levels):
            at = 2 * at + (heap[at] < values[i])
        found[i] = at - len(heap)
