"""Trees with oblique splits: thresholds on weighted sums of numeric features."""

from treecore.oblique.directions import DIRECTIONS, Direction
from treecore.oblique.grow import grow_oblique

__all__ = ["DIRECTIONS", "Direction", "grow_oblique"]
