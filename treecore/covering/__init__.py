"""Rules straight from data: Prism, RIPPER, PART and a search by depth."""

from treecore.covering.learn import Learned, learn_rules
from treecore.covering.learner import LEARNERS, Learner

__all__ = ["LEARNERS", "Learned", "Learner", "learn_rules"]
