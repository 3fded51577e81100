"""Absolute error: medians of rows, which do not follow from sums."""
