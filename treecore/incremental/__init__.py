"""Trees that are fed with rows, one at a time or in batches."""

from treecore.incremental.exact_tree import ExactTree
from treecore.incremental.hoeffding import Bound, HoeffdingTree, hoeffding_bound
from treecore.incremental.learners import LEARNERS, IncrementalLearner
from treecore.incremental.row_store import Step

__all__ = ["LEARNERS", "Bound", "ExactTree", "HoeffdingTree", "IncrementalLearner", "Step", "hoeffding_bound"]
