"""The integers by which columns and kernels name kinds of split and routes."""

LEAF, THRESHOLD, LEVELS, CUTS = 0, 1, 2, 3
"""Kinds of split: none; a cut of a numeric or ordinal feature; a table of levels, each with its branch; several cuts,
a branch between any two of them."""

STAYS, SHARED = -1, -2
"""Routes besides a branch's number: the row ends at this node; it goes down every branch by its share."""

UNSEEN = -1.0
"""Stands in a matrix of values for a level that the tree does not know; a missing value is NaN."""
