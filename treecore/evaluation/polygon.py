"""Convex polygons of a plane: float64 (k, 2), the corners in turn, against the clock."""

from collections.abc import Iterable
from itertools import pairwise
from math import inf

import numpy as np


def rectangles(x0: np.ndarray, x1: np.ndarray, y0: np.ndarray, y1: np.ndarray) -> list[np.ndarray]:
    """The corners of each."""
    edges = zip(x0.tolist(), x1.tolist(), y0.tolist(), y1.tolist(), strict=True)
    return [np.array([[left, low], [right, low], [right, high], [left, high]]) for left, right, low, high in edges]


def boxes(polygons: Iterable[np.ndarray]) -> tuple[np.ndarray, ...]:
    """(x0, x1, y0, y1), float64 (n,) each: the rectangles around them."""
    ends = [(*corners.min(axis=0), *corners.max(axis=0)) for corners in polygons]
    x0, y0, x1, y1 = np.array(ends, np.float64).reshape(-1, 4).T.copy()
    return x0, x1, y0, y1


def overlap(corners: np.ndarray, other: np.ndarray) -> np.ndarray:
    """What two convex polygons, both against the clock, have in common; no corners for nothing."""
    for (x0, y0), (x1, y1) in pairwise([*other, other[0]]):
        outward = np.array([y1 - y0, x0 - x1])
        corners = below(corners, outward, float(outward @ (x0, y0)))
    return corners


def inside(corners: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """bool (n,): which points lie in a convex polygon whose corners go round against the clock."""
    found = np.ones(len(x), bool)
    for (x0, y0), (x1, y1) in pairwise([*corners, corners[0]]):
        found &= (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= 0
    return found


def area(corners: np.ndarray) -> float:
    """Of a polygon; 0 for less than three corners."""
    if len(corners) < 3:
        return 0.0
    (x, y), (x_next, y_next) = corners.T, np.roll(corners, -1, axis=0).T
    return abs(float((x * y_next - x_next * y).sum())) / 2


def below(corners: np.ndarray, direction: np.ndarray, limit: float) -> np.ndarray:
    """The part of a convex polygon in which direction · point is below the limit."""
    if limit == inf or not len(corners):
        return corners
    over = corners @ direction - limit
    if (over <= 0).all():
        return corners
    kept = []
    for i, here in enumerate(over):
        before = over[i - 1]
        if (here <= 0) != (before <= 0):
            share = before / (before - here)
            kept.append(corners[i - 1] + share * (corners[i] - corners[i - 1]))
        if here <= 0:
            kept.append(corners[i])
    return np.array(kept).reshape(-1, 2)
