"""Trees of fewest training errors for their depth, proved, from yes-or-no questions asked of the table."""

from treecore.optimal.counts import n_functions, n_trees
from treecore.optimal.good import GoodTrees, good_trees
from treecore.optimal.optimal import GROWTH, Optimal, optimal_tree
from treecore.optimal.questions import Question, questions

__all__ = [
    "GROWTH",
    "GoodTrees",
    "Optimal",
    "Question",
    "good_trees",
    "n_functions",
    "n_trees",
    "optimal_tree",
    "questions",
]
