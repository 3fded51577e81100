"""Rules read from a tree: simplified, put in order, and used in its place."""

from treecore.rules.condition import Condition, Interval, LevelSet, Linear
from treecore.rules.cover import LabelledRows
from treecore.rules.rule import Drop, Figures, Rule
from treecore.rules.rule_set import RuleList, RuleProgress, RuleSet, rules

__all__ = [
    "Condition", "Drop", "Figures", "Interval", "LabelledRows", "LevelSet", "Linear", "Rule", "RuleList",
    "RuleProgress", "RuleSet", "rules",
]  # fmt: skip
