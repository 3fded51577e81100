"""Purity and the limits, for searches outside the kernels."""

from treecore.engine.jit import jit
from treecore.kernels.limits import good_enough, may_split


@jit
def mark_searchable(problem, growing, first, stop, found):
    """found[i - first] = may the node i be searched, and has it no split yet? found : bool (stop - first,)."""
    for i in range(first, stop):
        node = growing.nodes[i]
        found[i - first] = node.n_children == 0 and may_split(problem.rules[0], node)


@jit
def gain_is_enough(problem, growing, i, gain):
    """Is this gain worth a split of node i?"""
    return good_enough(problem.rules[0], growing.nodes[i], growing.nodes[0].weight, gain)
