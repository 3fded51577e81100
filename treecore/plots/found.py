"""What experiments have found as charts that stand still, each with a sentence on what it shows."""

from collections.abc import Mapping

import numpy as np

from treecore.export.chart import Chart
from treecore.figures import brief, percent
from treecore.judging.answers import Answers
from treecore.judging.measures import Measure
from treecore.judging.ranking import ranking_of
from treecore.plots import error_curves as curves
from treecore.plots import feature_effects as bars
from treecore.plots import prediction_quality as bins
from treecore.plots import prediction_quality as off_by
from treecore.plots.charts import chart_of
from treecore.plots.error_curves import (
    LOOKS_IN_WORDS,
    accuracy_by_rows,
    bias_variance,
    horizon,
    leaves_by_rows,
    many_trees,
    overfitting,
)
from treecore.plots.feature_effects import MOST_FEATURES, cut_points, features_used
from treecore.plots.icicle import returning_splits
from treecore.plots.prediction_quality import SHAPES, ranking_curve
from treecore.plots.score_comparison import critical_difference, fold_scores
from treecore.study.questions.answer_quality import Residuals, by_node, calibration
from treecore.study.questions.bias_variance import ManyTrees
from treecore.study.questions.horizon import Horizon
from treecore.study.questions.importances import Importances
from treecore.study.questions.learning_curve import Along, curve_sentence, outlook_of
from treecore.study.questions.online_learning import Feeding
from treecore.study.questions.partial_dependence import PartialDependence, partial_sentence
from treecore.study.questions.row_sensitivity import RowSensitivity
from treecore.study.questions.stability import Regrown, Stability
from treecore.study.recipe_trials import Across, Trials
from treecore.study.score_tests import friedman
from treecore.tree.tree import Tree

ROW = 26
"""Pixels of a feature, a recipe or a leaf."""
FEW_POINTS = 400
"""Residuals that are drawn of a role: a picture that is kept is small."""


def recipes_charts(found: Trials, measure: Measure) -> list[Chart]:
    """Scores of the folds, and the ranks of three recipes and more."""
    scores = found.scores(measure)
    told = "A point: one fold. Upright: the mean of the folds, with one standard deviation to either side."
    drawn = fold_scores(found.names, scores, measure)
    return [chart_of(drawn, told, 90 + 56 * len(scores)), *_ranks(scores, found.names, measure, "folds")]


def across_charts(found: Across, measure: Measure) -> list[Chart]:
    """Ranks of three recipes and more over two tables and more."""
    return _ranks(found.scores.T, found.names, measure, "tables") if len(found.tables) >= 2 else []


def _ranks(scores: np.ndarray, names: tuple[str, ...], measure: Measure, of: str) -> list[Chart]:
    if len(scores) < 3 or not np.isfinite(scores).all():
        return []
    told = f"Mean ranks over the {of}; a thick line joins recipes that the test cannot tell apart."
    return [chart_of(critical_difference(friedman(scores.T, measure.higher), names), told, 120 + ROW * len(names))]


def stability_charts(tree: Tree, of: Stability, found: Regrown) -> list[Chart]:
    """Features that the regrown trees split on, and where they cut the most used number."""
    names = [f.name for f in tree.schema.features]
    told = f"Share of {len(found.trees):,} regrown trees that split on a feature anywhere, and at the root (thin)."
    charts = [chart_of(features_used(of, names), told, 90 + ROW * min(len(names), MOST_FEATURES))]
    numeric = [i for i, f in enumerate(tree.schema.features) if f.numeric and of.used[i] > 0]
    if numeric:
        most = max(numeric, key=lambda i: of.used[i])
        told = f"Thresholds of {names[most]} in the regrown trees by depth; dotted: those of the tree itself."
        charts.append(chart_of(cut_points(of, found.trees, tree, most), told))
    return charts


def bias_charts(found: ManyTrees, definition: str) -> list[Chart]:
    """The over-fitting picture, and below it bias and variance against leaves."""
    share = found.task == "classification"
    parts, name = found.parts(definition), bias_name(found)
    best = min(range(len(parts)), key=lambda i: parts[i].error)
    least = (percent if share else brief)(parts[best].error)
    told = f"{found.said.shape[1]:,} trees: error of new rows and its parts against leaves. Least: {least} "
    told += f"with at most {found.sizes[best]:,}."
    both = "Error on the trees' own rows and on new ones, ± sd of the trees; dotted: the least of new rows."
    return [
        chart_of(overfitting(found.sizes, found.train, found.errors, share), both, 260),
        chart_of(bias_variance(found.sizes, parts, name, share), told),
    ]


def bias_name(found: ManyTrees) -> str:
    """What the bias of these trees is called: of numbers it is squared, and of a table it has the noise in it."""
    if found.task == "classification":
        return "bias"
    return "bias²" if found.is_known else "bias² and noise"


def along_charts(found: Along, measure: Measure, scale: str) -> list[Chart]:
    """Scores and leaves along the scale, each with its band; of more rows the curve carried on."""
    share, ahead = not found.of_rows, outlook_of(found, measure)
    told = f"{curve_sentence(found, measure, scale)} Bands: ± sd of the repetitions"
    told += "; dashed: carried on as a power law, with 90 % of it drawn anew." if ahead else "."
    leaves = "Leaves of the trees, ± sd of the repetitions."
    return [
        chart_of(curves.score_curve(found, measure, scale, share, ahead), told),
        chart_of(curves.leaves_along(found, scale, share), leaves, 200),
    ]


def importance_charts(found: Importances, measure: Measure) -> list[Chart]:
    """What mixed-up values cost, what doing without a feature costs, and gains beside columns of chance."""
    high = 80 + ROW * min(len(found.names), bars.MOST)
    kinds = {
        "mixed": f"By how much {measure.label} gets worse with a feature's values mixed up, ± sd of the draws.",
        "without": f"By how much {measure.label} gets worse where the tree grows without the feature.",
    }
    charts = [chart_of(bars.importances(found, kind, measure.percent), told, high) for kind, told in kinds.items()]
    if found.with_random:
        told = "Gains of the unpruned tree, grown with two columns that mean nothing."
        charts.append(chart_of(bars.importances(found, "chance", True), told, high + 2 * ROW))
    return charts


def partial_charts(found: PartialDependence, target: str, share: bool) -> list[Chart]:
    """Mean answer and single rows as one feature changes. As of partial_sentence."""
    told = f"{partial_sentence(found, target, share)} Thick: the mean of all rows; thin: single rows."
    return [chart_of(bars.partial(found, target, share), told)]


def horizon_charts(found: Horizon) -> list[Chart]:
    """Stopped early, and grown and pruned."""
    named = found.measure[0].upper() + found.measure[1:]
    told = f"{named} of rows held back against leaves; a ring marks the best of each."
    return [chart_of(horizon(found), told)]


def fed_charts(found: Feeding, role: str) -> list[Chart]:
    """Accuracy on the rows of a role, and leaves, against the rows seen."""
    last = len(found.n_rows) - 1
    drawn = (
        (accuracy_by_rows(found, role, last), f"Accuracy on the {role} rows."),
        (leaves_by_rows(found, last), "Leaves."),
    )
    looks = ", ".join(f"{way.label} {look}" for way, look in zip(found.ways.values(), LOOKS_IN_WORDS, strict=False))
    return [chart_of(figure, f"{told} {looks}.") for figure, told in drawn]


def many_charts(errors: Mapping[str, np.ndarray], single: Mapping[str, float], share: bool) -> list[Chart]:
    """Errors against the number of trees. errors, single : as of many_trees."""
    return [
        chart_of(many_trees(errors, single, share), "Error of the first 1, 2, 3 … trees together; dotted: one tree.")
    ]


def class_charts(found: Mapping[str, Answers], role: str, positive: str, threshold: float | None) -> list[Chart]:
    """ROC, precision and recall, gains, lift and calibration of a class. As of report_lines.class_lines."""
    of = {name: ranking_of(answers, positive) for name, answers in found.items()}
    ring = "" if threshold is None else f" A ring: called so from {percent(threshold)} on."
    charts = [
        chart_of(ranking_curve(of, shape, threshold), f"{shape[:1].upper()}{shape[1:]} of the class {positive}.{ring}")
        for shape in SHAPES
    ]
    told = f"How many of the {role} rows are {positive} among those told a share of it. Numbers: rows of the bin."
    return [*charts, chart_of(bins.calibration({role: calibration(found[role], positive)}), told)]


def number_charts(off: Mapping[str, Residuals], role: str, target: str) -> list[Chart]:
    """Residuals against answers, and leaf by leaf. off : by role."""
    leaves = by_node(off[role], off_by.MOST_NODES)
    told = f"Truth less answer, row by row, of at most {FEW_POINTS:,} rows of a role."
    each = f"Middle and quarters of the residuals of each leaf, {role} rows."
    return [
        chart_of(off_by.residuals(dict(off), target, FEW_POINTS), told),
        chart_of(off_by.by_leaf(leaves, target), each, 110 + ROW * len(leaves)),
    ]


def moved_charts(found: RowSensitivity) -> list[Chart]:
    """The tree of before, and which of its splits stay."""
    told = "The tree of the rows as they are: a diamond marks a split that goes with the moved row."
    high = 90 + 2 * ROW * (int(found.before.node_depth.max()) + 1)
    return [chart_of(returning_splits(found.before, found.stays), told, min(high, 500))] if found.n_splits else []
