"""Is this tree better, and is it more than luck? Recipes on the same folds, and the tests of their scores."""

from treecore.experiments.bayes import Posterior, correlated_t
from treecore.experiments.five_by_two import FiveByTwo, five_by_two
from treecore.experiments.mcnemar import McNemar, mcnemar_of
from treecore.experiments.paired_t import PairedT, paired_t, resampled_t
from treecore.experiments.ranks import Ranks, friedman
from treecore.experiments.summary import Summary, summary
from treecore.experiments.wilcoxon import Wilcoxon, wilcoxon

__all__ = [
    "FiveByTwo",
    "McNemar",
    "PairedT",
    "Posterior",
    "Ranks",
    "Summary",
    "Wilcoxon",
    "correlated_t",
    "five_by_two",
    "friedman",
    "mcnemar_of",
    "paired_t",
    "resampled_t",
    "summary",
    "wilcoxon",
]
