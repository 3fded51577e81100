"""Where in the plane of two features two trees answer differently, exactly."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.evaluation.polygon import area, boxes, overlap, rectangles
from treecore.evaluation.regions import Regions

ROUNDING = 1e-9
"""Of the largest answer: numbers that differ by less are the same."""
BLOCK = 256
"""Rectangles laid over all others at once: memory stays small."""


@dataclass(frozen=True, eq=False, repr=False)
class PlaneChange(Brief):
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
    one, other = _pairs(a, b)
    x0, y0 = np.maximum(a.x0[one], b.x0[other]), np.maximum(a.y0[one], b.y0[other])
    x1, y1 = np.minimum(a.x1[one], b.x1[other]), np.minimum(a.y1[one], b.y1[other])
    whole = (a.x.high - a.x.low) * (a.y.high - a.y.low)
    if a.corners is not None or b.corners is not None:
        first, second = a.outlines, b.outlines
        both = [overlap(first[i], second[j]) for i, j in zip(one, other, strict=True)]
        corners = tuple(outline for outline in both if area(outline) > ROUNDING * whole)
        return PlaneChange(*boxes(corners), sum(map(area, corners)) / whole, corners)
    return PlaneChange(x0, x1, y0, y1, float(((x1 - x0) * (y1 - y0)).sum() / whole) if whole > 0 else 0.0)


def _pairs(a: Regions, b: Regions) -> tuple[np.ndarray, np.ndarray]:
    """int64 (n,) each: a rectangle of a and one of b that have room in common and two answers."""
    found = [np.empty((2, 0), np.int64)]
    for start in range(0, len(a), BLOCK):
        i = slice(start, start + BLOCK)
        here = _differ(a.value[i, None], b.value[None, :], bool(a.classes))
        for low_a, high_a, low_b, high_b in ((a.x0, a.x1, b.x0, b.x1), (a.y0, a.y1, b.y0, b.y1)):
            here &= np.maximum(low_a[i, None], low_b) < np.minimum(high_a[i, None], high_b)
        one, other = np.nonzero(here)
        found.append(np.stack([one + start, other]))
    return tuple(np.concatenate(found, axis=1))


def _differ(one: np.ndarray, other: np.ndarray, classes: bool) -> np.ndarray:
    """bool: two answers; of two that are none neither is another."""
    if classes:
        return one != other
    scale = max(float(np.nanmax(np.abs(v), initial=0.0)) for v in (one, other))
    apart = np.abs(one - other) > ROUNDING * scale
    return apart | (np.isnan(one) != np.isnan(other))
