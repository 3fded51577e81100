"""Rules straight from data: Prism, RIPPER, PART and a search by depth."""

from treecore.covering.learn import Learned, learn_rules
from treecore.covering.rule_learner import LEARNERS, RuleLearner

__all__ = ["LEARNERS", "Learned", "RuleLearner", "learn_rules"]
