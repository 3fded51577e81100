"""Trees of fewest training errors for their depth, proved, from yes-or-no questions asked of the table."""

from treecore.optimal.fewest_errors import GROWTH, Optimal, YesNoQuestion, n_functions, n_trees, optimal_tree, questions
from treecore.optimal.nearly_optimal import GoodTrees, good_trees

__all__ = [
    "GROWTH",
    "GoodTrees",
    "Optimal",
    "YesNoQuestion",
    "good_trees",
    "n_functions",
    "n_trees",
    "optimal_tree",
    "questions",
]
