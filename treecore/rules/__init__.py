"""Rules read from a tree: simplified, put in order, and used in its place."""

from treecore.rules.condition import Condition, Linear
from treecore.rules.judged import Judged
from treecore.rules.ranges import Interval, LevelSet
from treecore.rules.rule import Drop, Figures, Rule
from treecore.rules.rule_list import RuleList
from treecore.rules.rule_set import RuleProgress, RuleSet, rules

__all__ = [
    "Condition", "Drop", "Figures", "Interval", "Judged", "LevelSet", "Linear", "Rule", "RuleList", "RuleProgress",
    "RuleSet", "rules",
]  # fmt: skip
