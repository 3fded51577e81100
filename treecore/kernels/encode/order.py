"""Rows in the order of a feature's values."""

from treecore.engine.jit import jit


@jit
def sort_by_code(codes, begin, order):
    """order = rows by ascending code, missing last, equal codes by row number: a counting sort.

    begin : int64 (n_codes + 2,), zeros.
    """
    for row in range(codes.shape[0]):
        begin[codes[row] + 1] += 1
    for v in range(begin.shape[0] - 1):
        begin[v + 1] += begin[v]
    for row in range(codes.shape[0]):
        order[begin[codes[row]]] = row
        begin[codes[row]] += 1
