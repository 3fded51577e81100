"""Oblique splits: thresholds on weighted sums of numeric features."""

from treecore.growing.oblique.directions import DIRECTIONS, Direction

__all__ = ["DIRECTIONS", "Direction"]
