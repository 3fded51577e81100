"""Is this tree better, and is it more than luck? Recipes on the same folds, and the tests of their scores."""

from treecore.experiments.bayes import Posterior, correlated_t
from treecore.experiments.bias_variance import ManyTrees, in_table, in_world
from treecore.experiments.calibration import Calibration, calibration
from treecore.experiments.curves import Along, disturbed, learning_curve, noise_curve, rare_curve
from treecore.experiments.decompose import DEFINITIONS, Parts, domingos, kohavi, squared
from treecore.experiments.effort import Effort, effort, fewest_tests, seconds_per_row
from treecore.experiments.extrapolate import Outlook, outlook
from treecore.experiments.fed import Fed, Feeding, fed
from treecore.experiments.fed_told import fed_lines, step_told
from treecore.experiments.five_by_two import FiveByTwo, five_by_two
from treecore.experiments.folds import repeated_folds
from treecore.experiments.horizon import Horizon, horizon, stopped
from treecore.experiments.importances import Importances, importances
from treecore.experiments.mcnemar import McNemar, mcnemar_of
from treecore.experiments.moved import Moved, moved, with_value
from treecore.experiments.paired_t import PairedT, paired_t, resampled_t
from treecore.experiments.partial import Partial, partial
from treecore.experiments.ranks import Ranks, friedman
from treecore.experiments.report_lines import (
    across_lines,
    along_lines,
    class_lines,
    importance_lines,
    number_lines,
    plain_lines,
    recipes_lines,
)
from treecore.experiments.resampling import WAYS, Regrown, grown_on, regrown
from treecore.experiments.residuals import OfNode, Residuals, by_node, residuals, residuals_of
from treecore.experiments.samples import Across, across
from treecore.experiments.stability import Stability, stability
from treecore.experiments.stability_told import badges, stability_lines
from treecore.experiments.summary import Summary, summary
from treecore.experiments.threshold import answered_at, tree_at
from treecore.experiments.told import corrected_lines, paired_t_lines
from treecore.experiments.trials import FoldTree, Trials, tree_of_fold, trials
from treecore.experiments.wilcoxon import Wilcoxon, wilcoxon
from treecore.experiments.worlds import WORLDS, World
from treecore.judging.answers import Answers, answers_of
from treecore.judging.measures import MEASURES, ByClass, Measure, by_class, measures_for
from treecore.judging.ranking import Ranking, ranking, ranking_of

__all__ = [
    "DEFINITIONS",
    "MEASURES",
    "WAYS",
    "WORLDS",
    "Across",
    "Along",
    "Answers",
    "ByClass",
    "Calibration",
    "Effort",
    "Fed",
    "Feeding",
    "FiveByTwo",
    "FoldTree",
    "Horizon",
    "Importances",
    "ManyTrees",
    "McNemar",
    "Measure",
    "Moved",
    "OfNode",
    "Outlook",
    "PairedT",
    "Partial",
    "Parts",
    "Posterior",
    "Ranking",
    "Ranks",
    "Regrown",
    "Residuals",
    "Stability",
    "Summary",
    "Trials",
    "Wilcoxon",
    "World",
    "across",
    "across_lines",
    "along_lines",
    "answered_at",
    "answers_of",
    "badges",
    "by_class",
    "by_node",
    "calibration",
    "class_lines",
    "corrected_lines",
    "correlated_t",
    "disturbed",
    "domingos",
    "effort",
    "fed",
    "fed_lines",
    "fewest_tests",
    "five_by_two",
    "friedman",
    "grown_on",
    "horizon",
    "importance_lines",
    "importances",
    "in_table",
    "in_world",
    "kohavi",
    "learning_curve",
    "mcnemar_of",
    "measures_for",
    "moved",
    "noise_curve",
    "number_lines",
    "outlook",
    "paired_t",
    "paired_t_lines",
    "partial",
    "plain_lines",
    "ranking",
    "ranking_of",
    "rare_curve",
    "recipes_lines",
    "regrown",
    "repeated_folds",
    "resampled_t",
    "residuals",
    "residuals_of",
    "seconds_per_row",
    "squared",
    "stability",
    "stability_lines",
    "step_told",
    "stopped",
    "summary",
    "tree_at",
    "tree_of_fold",
    "trials",
    "wilcoxon",
    "with_value",
]
