"""Additive statistics: class weights, or (w, wy, wyy)."""

from treecore.jit import inner


@inner
def add_row(stats, row, n_classes):
    """Add one row to the statistics."""
    if n_classes > 0:
        stats[row.label] += row.weight
    else:
        stats[0] += row.weight
        stats[1] += row.weight * row.response
        stats[2] += row.weight * row.response * row.response


@inner
def mean_target(stats, total, n_classes):
    """Mean target of a node; the mean class index for a class target. 0 for an empty node."""
    if total <= 0.0:
        return 0.0
    if n_classes == 0:
        return stats[1] / total
    result = 0.0
    for k in range(n_classes):
        result += k * stats[k]
    return result / total
