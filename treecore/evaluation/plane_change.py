"""Where in the plane of two features two trees answer differently, exactly."""

from dataclasses import dataclass

import numpy as np

from treecore.errors import TreecoreError
from treecore.evaluation.polygon import area, boxes, overlap, rectangles
from treecore.evaluation.regions import Regions

ROUNDING = 1e-9
"""Of the largest answer: numbers that differ by less are the same."""


@dataclass(frozen=True, eq=False)
class PlaneChange:
    """x0, x1, y0, y1 : float64, rectangles in which the second tree answers otherwise; half-open as those of Regions.

    corners : where a tree has oblique splits, float64 (k, 2) of each convex polygon, which x0 to y1 are the box around.
    share : part of the area shown that they take, 0 to 1.
    """

    x0: np.ndarray
    x1: np.ndarray
    y0: np.ndarray
    y1: np.ndarray
    share: float
    corners: tuple[np.ndarray, ...] | None = None

    @property
    def outlines(self) -> list[np.ndarray]:
        """float64 (k, 2), the corners of each in turn."""
        return list(self.corners) if self.corners is not None else rectangles(self.x0, self.x1, self.y0, self.y1)


def plane_change(a: Regions, b: Regions) -> PlaneChange:
    """Every rectangle of one laid over every rectangle of the other; what both cover with two answers is changed.

    a, b : of the same axes and classes, which fill the plane. A level of an axis takes as much room as any other.
    """
    if (a.x, a.y, a.classes) != (b.x, b.y, b.classes):
        remedy = "Draw both trees over the same axes"
        raise TreecoreError("They are of two planes", where="plane change", remedy=remedy)
    one, other = np.nonzero(_differ(a.value[:, None], b.value[None, :], bool(a.classes)))
    x0, y0 = np.maximum(a.x0[one], b.x0[other]), np.maximum(a.y0[one], b.y0[other])
    x1, y1 = np.minimum(a.x1[one], b.x1[other]), np.minimum(a.y1[one], b.y1[other])
    here = (x0 < x1) & (y0 < y1)
    whole = (a.x.high - a.x.low) * (a.y.high - a.y.low)
    if a.corners is not None or b.corners is not None:
        first, second = a.outlines, b.outlines
        both = [overlap(first[i], second[j]) for i, j in zip(one[here], other[here], strict=True)]
        corners = tuple(outline for outline in both if area(outline) > ROUNDING * whole)
        return PlaneChange(*boxes(corners), sum(map(area, corners)) / whole, corners)
    x0, x1, y0, y1 = (edge[here] for edge in (x0, x1, y0, y1))
    return PlaneChange(x0, x1, y0, y1, float(((x1 - x0) * (y1 - y0)).sum() / whole) if whole > 0 else 0.0)


def _differ(one: np.ndarray, other: np.ndarray, classes: bool) -> np.ndarray:
    """bool: two answers; of two that are none neither is another."""
    if classes:
        return one != other
    scale = max(np.nanmax(np.abs(one), initial=0.0), np.nanmax(np.abs(other), initial=0.0))
    apart = np.abs(one - other) > ROUNDING * scale
    return apart | (np.isnan(one) != np.isnan(other))
