"""In which bin a number is: a table says between which of the edges to search."""

from treecore.engine.jit import jit


@jit
def part_of(value, low, scale, last):
    """In which of the parts from 0 to `last` a number is; it never falls as the number rises. 0 for NaN."""
    at = (value - low) * scale
    if not at > 0.0:
        return 0
    return last if at >= last else int(at)


@jit
def n_below(values, edges, first, low, scale, found):
    """How many edges are below each number: np.searchsorted(edges, values, side="left"); len(edges) + 1 for NaN.

    values : float64 (n,). edges : float64, ascending. first : int32 (parts + 1,), how many edges are in parts before
    each one, see part_of. found : integers (n,), filled here.
    The search has as many steps for all numbers of a part, and none that the processor has to guess.
    Source: Chen and Asau (1974), On generating random variates from an empirical distribution: the guide table.
    """
    last = len(first) - 2
    for i in range(len(values)):
        value = values[i]
        part = part_of(value, low, scale, last)
        at = first[part]
        n = first[part + 1] - at
        while n > 0:
            half = (n + 1) >> 1
            at += half * (edges[at + half - 1] < value)
            n -= half
        found[i] = at if value == value else len(edges) + 1
