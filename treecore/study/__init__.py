"""What a tree is worth: scores, errors against size, decision regions, and the questions of the page Experiments."""

from importlib import import_module
from typing import Any

from treecore.judging.answers import Answers, answers_of
from treecore.judging.confusion import Confusion, Outcome, confusion
from treecore.judging.measures import MEASURES, ByClass, Measure, by_class, measures_for
from treecore.judging.ranking import Ranking, ranking, ranking_of
from treecore.study.column_counts import (
    ClassMix,
    ColumnCounts,
    TargetHistogram,
    class_mix,
    column_counts,
    target_histogram,
)
from treecore.study.curves import SizeCurve, size_curve
from treecore.study.metrics import Comparison, Score, compare_predictions, score
from treecore.study.plane import Axis, default_fixed, plot_ranges, shown_axes
from treecore.study.points import Points, plane_points, step_points
from treecore.study.regions import Regions, StepFunction, cells, node_box, raster, regions, step_function

_LATER = {
    "questions.answer_quality": "Calibration OfNode Residuals answered_at by_node calibration describe_class_answers "
    "describe_number_answers residuals residuals_of tree_at",
    "questions.bias_variance": "DEFINITIONS ManyTrees Parts domingos in_table in_world kohavi squared",
    "questions.effort": "Effort effort fewest_tests seconds_per_row",
    "questions.horizon": "Horizon horizon stopped",
    "questions.importances": "Importances describe_importances importances",
    "questions.learning_curve": "Along Outlook describe_curve disturbed learning_curve noise_curve outlook rare_curve",
    "questions.online_learning": "Feeding LearnerRun describe_feeding feed step_sentence",
    "questions.paired_comparison": "describe_corrected_t describe_paired_t describe_recipes describe_tables",
    "questions.partial_dependence": "PartialDependence partial_dependence",
    "questions.question": "plain_lines",
    "questions.row_sensitivity": "RowSensitivity row_sensitivity with_value",
    "questions.stability": "Regrown Stability WAYS badges describe_stability grown_on regrown stability",
    "recipe_trials": "Across FoldTree Trials across repeated_folds tree_of_fold trials",
    "score_tests": "FiveByTwo McNemar PairedT Posterior Ranks Summary Wilcoxon correlated_t five_by_two friedman "
    "mcnemar_of paired_t resampled_t summary wilcoxon",
    "worlds": "WORLDS World",
}
"""Module -> names that are imported when they are asked for: judging a tree needs no experiments and no ensembles."""
_HOMES = {name: module for module, names in _LATER.items() for name in names.split()}

__all__ = [
    "MEASURES",
    "Answers",
    "Axis",
    "ByClass",
    "ClassMix",
    "ColumnCounts",
    "Comparison",
    "Confusion",
    "Measure",
    "Outcome",
    "Points",
    "Ranking",
    "Regions",
    "Score",
    "SizeCurve",
    "StepFunction",
    "TargetHistogram",
    "answers_of",
    "by_class",
    "cells",
    "class_mix",
    "column_counts",
    "compare_predictions",
    "confusion",
    "default_fixed",
    "measures_for",
    "node_box",
    "plane_points",
    "plot_ranges",
    "ranking",
    "ranking_of",
    "raster",
    "regions",
    "score",
    "shown_axes",
    "size_curve",
    "step_function",
    "step_points",
    "target_histogram",
]
__all__ += list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
