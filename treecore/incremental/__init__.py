"""Trees that are fed with rows, one at a time or in batches."""

from treecore.incremental.exact import ExactTree
from treecore.incremental.hoeffding import Bound, HoeffdingTree, hoeffding_bound
from treecore.incremental.learners import LEARNERS, Learner
from treecore.incremental.step import Step

__all__ = ["LEARNERS", "Bound", "ExactTree", "HoeffdingTree", "Learner", "Step", "hoeffding_bound"]
