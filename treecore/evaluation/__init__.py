"""Judging a tree: scores, errors against size, decision regions, and the counts behind the pictures."""

from treecore.evaluation.axes import Axis, plot_ranges
from treecore.evaluation.bands import shown_axes
from treecore.evaluation.curves import SizeCurve, size_curve
from treecore.evaluation.fixed import default_fixed
from treecore.evaluation.histograms import ColumnCounts, column_counts
from treecore.evaluation.metrics import Comparison, Score, compare_predictions, score
from treecore.evaluation.node_rows import ClassMix, TargetHistogram, class_mix, target_histogram
from treecore.evaluation.points import Points, plane_points, step_points
from treecore.evaluation.regions import Regions, cells, node_box, raster, regions
from treecore.evaluation.step_function import StepFunction, step_function
from treecore.judging.confusion import Confusion, Outcome, confusion

__all__ = [
    "Axis",
    "ClassMix",
    "ColumnCounts",
    "Comparison",
    "Confusion",
    "Outcome",
    "Points",
    "Regions",
    "Score",
    "SizeCurve",
    "StepFunction",
    "TargetHistogram",
    "cells",
    "class_mix",
    "column_counts",
    "compare_predictions",
    "confusion",
    "default_fixed",
    "node_box",
    "plane_points",
    "plot_ranges",
    "raster",
    "regions",
    "score",
    "shown_axes",
    "size_curve",
    "step_function",
    "step_points",
    "target_histogram",
]
