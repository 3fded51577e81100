"""The ways to learn rules from data, and what they learn as a list of rules to read, judge and answer with."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treecore.covering.depth_first import depth_first
from treecore.covering.part import PartSettings, part
from treecore.covering.prism import prism
from treecore.covering.ripper import RipperSettings, ripper
from treecore.covering.value_rules import ValueRule, ValueRules, ValueTest
from treecore.data.table import Table
from treecore.registry import Registry
from treecore.rules.condition import Condition, Interval, LevelSet, Range
from treecore.rules.cover import LabelledRows
from treecore.rules.rule import Rule
from treecore.rules.rule_set import RuleList
from treecore.tree.tree import Tree


def shares_of(totals: tuple[float, ...]) -> np.ndarray:
    """float64 (n_classes,): shares of these class weights."""
    whole = sum(totals)
    return np.array(totals) / whole if whole > 0 else np.array(totals)


def by_shares(answers: ValueRules) -> ValueRules:
    """The same rules, each answering with the class of most weight among the rows that it answers from, the first of
    equals: what JRip predicts, also where that is not the class for which the rule was learned."""

    def largest(answer: int, totals: tuple[float, ...]) -> int:
        return int(np.argmax(totals)) if answer >= 0 and sum(totals) > 0 else answer

    rules = tuple(replace(rule, answer=largest(rule.answer, rule.totals)) for rule in answers.rules)
    return replace(answers, rules=rules, default=largest(answers.default, answers.totals))


def as_rule_list(tree: Tree, table: Table, answers: ValueRules, cuts: dict[int, np.ndarray]) -> RuleList:
    """The rules with how each does on the rows that no rule before it covers, None where there is no such row.

    cuts : see learn.Learned.
    """
    judged, unjudged = LabelledRows.of(tree, table), [rule_of(tree, rule, cuts) for rule in answers.rules]
    fired = judged.cover.fired(unjudged)
    fired[judged.weight <= 0] = len(unjudged)
    answers_for = [
        judged.figures_of(fired == i, rule) if (fired == i).any() else None for i, rule in enumerate(unjudged)
    ]
    rules = tuple(replace(rule, train=figures) for rule, figures in zip(unjudged, answers_for, strict=True))
    shares = tuple(shares_of(answers.totals).tolist()) or (0.0,) * len(tree.classes)
    left = int((fired < 0).sum())
    return RuleList(tree, rules, answers.default, shares, left or None)


def rule_of(tree: Tree, learned: ValueRule, cuts: dict[int, np.ndarray]) -> Rule:
    """One rule; tests of one feature are one condition."""
    conditions: list[Condition] = []
    for test in learned.tests:
        new = _condition(tree, test, cuts)
        same = next((i for i, c in enumerate(conditions) if c.index == new.index), None)
        if same is None:
            conditions.append(new)
        else:
            conditions[same] = conditions[same].merged(new)
    shares = tuple(shares_of(learned.totals).tolist())
    return Rule(tuple(conditions), learned.answer, tree.classes[learned.answer], tree.schema.target, 0, shares)


def _condition(tree: Tree, test: ValueTest, cuts: dict[int, np.ndarray]) -> Condition:
    feature = tree.schema.features[test.feature]
    asked = _bin(cuts[test.feature], int(test.value)) if test.feature in cuts else _range(test, len(feature.levels))
    return Condition.of(feature, test.feature, asked, shared=test.share > 0)


def _bin(cuts: np.ndarray, place: int) -> Interval:
    """A bin holds its lower edge and not its upper one."""
    low = float(cuts[place - 1]) if place else -math.inf
    high = float(cuts[place]) if place < len(cuts) else math.inf
    return Interval(low, high, True, place == len(cuts))


def _range(test: ValueTest, n_levels: int) -> Range:
    if n_levels:
        one, every = frozenset({int(test.value)}), frozenset(range(n_levels))
        return LevelSet(one if test.sign == "=" else every - one, every)
    if test.sign in ("<", "<="):
        return Interval(high=test.value, high_closed=test.sign == "<=")
    return Interval(low=test.value, low_closed=test.sign == ">=")


# The ways to learn rules from data, as a list.


@dataclass(frozen=True)
class RuleLearner:
    """One way to learn rules. formula : what it does, in one line. levels_only : numbers are put in bins for it.

    shared : rows that lack a value are shared among rules. settings : what it can be told, as a dataclass; None for
    nothing. by_shares : a rule answers with the commonest class of what it covers; see by_shares.
    """

    name: str
    label: str
    formula: str
    source: str
    learn: Callable[..., ValueRules]
    levels_only: bool = False
    shared: bool = False
    settings: type | None = None
    by_shares: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Of its settings."""
        return tuple(self.settings.__dataclass_fields__) if self.settings else ()

    def answering(self, answers: ValueRules) -> ValueRules:
        """The rules with the classes that they answer with."""
        return by_shares(answers) if self.by_shares else answers


LEARNERS = Registry(
    "way to learn rules",
    RuleLearner(
        "prism",
        "Prism",
        "class by class, the test with the greatest share of right answers, until no error",
        "Cendrowska (1987)",
        prism,
        levels_only=True,
    ),
    RuleLearner(
        "ripper",
        "RIPPER",
        "rarest class first: grow by FOIL's gain, prune on rows put aside, shorten the list",
        "Cohen (1995)",
        ripper,
        settings=RipperSettings,
        by_shares=True,
    ),
    RuleLearner(
        "part",
        "PART",
        "the largest leaf of a partial C4.5 tree is a rule; its rows go, and again",
        "Frank and Witten (1998)",
        part,
        shared=True,
        settings=PartSettings,
    ),
    RuleLearner(
        "depth_first",
        "Depth first",
        "into the purer side of the test of most information gain, until it is pure",
        "the lectures' search for rules by depth",
        depth_first,
    ),
)
