"""What a learner found, as a list of rules to read, judge and answer with."""

import math
from dataclasses import replace

import numpy as np

from treecore.covering.found import Answers, Found, Test
from treecore.data.table import Table
from treecore.rules.condition import Condition
from treecore.rules.judged import Judged
from treecore.rules.ranges import Interval, LevelSet, Range
from treecore.rules.rule import Rule
from treecore.rules.rule_list import RuleList
from treecore.tree.tree import Tree


def shares_of(totals: tuple[float, ...]) -> np.ndarray:
    """float64 (n_classes,): shares of these class weights."""
    whole = sum(totals)
    return np.array(totals) / whole if whole > 0 else np.array(totals)


def by_shares(answers: Answers) -> Answers:
    """The same rules, each answering with the class of most weight among the rows that it answers from, the first of
    equals: what JRip predicts, also where that is not the class for which the rule was learned."""

    def largest(answer: int, totals: tuple[float, ...]) -> int:
        return int(np.argmax(totals)) if answer >= 0 and sum(totals) > 0 else answer

    rules = tuple(replace(rule, answer=largest(rule.answer, rule.totals)) for rule in answers.rules)
    return replace(answers, rules=rules, default=largest(answers.default, answers.totals))


def listed(tree: Tree, table: Table, answers: Answers, cuts: dict[int, np.ndarray]) -> RuleList:
    """The rules with how each does on the rows that no rule before it covers, None where there is no such row.

    cuts : see learn.Learned.
    """
    judged, found = Judged.of(tree, table), [rule_of(tree, rule, cuts) for rule in answers.rules]
    fired = judged.cover.fired(found)
    fired[judged.weight <= 0] = len(found)
    answers_for = [judged.figures_of(fired == i, rule) if (fired == i).any() else None for i, rule in enumerate(found)]
    rules = tuple(replace(rule, train=figures) for rule, figures in zip(found, answers_for, strict=True))
    shares = tuple(shares_of(answers.totals).tolist()) or (0.0,) * len(tree.classes)
    left = int((fired < 0).sum())
    return RuleList(tree, rules, answers.default, shares, left or None)


def rule_of(tree: Tree, found: Found, cuts: dict[int, np.ndarray]) -> Rule:
    """One rule; tests of one feature are one condition."""
    conditions: list[Condition] = []
    for test in found.tests:
        new = _condition(tree, test, cuts)
        same = next((i for i, c in enumerate(conditions) if c.index == new.index), None)
        if same is None:
            conditions.append(new)
        else:
            conditions[same] = conditions[same].merged(new)
    shares = tuple(shares_of(found.totals).tolist())
    return Rule(tuple(conditions), found.answer, tree.classes[found.answer], tree.schema.target, 0, shares)


def _condition(tree: Tree, test: Test, cuts: dict[int, np.ndarray]) -> Condition:
    feature = tree.schema.features[test.feature]
    asked = _bin(cuts[test.feature], int(test.value)) if test.feature in cuts else _range(test, len(feature.levels))
    return Condition.of(feature, test.feature, asked, shared=test.share > 0)


def _bin(cuts: np.ndarray, place: int) -> Interval:
    """A bin holds its lower edge and not its upper one."""
    low = float(cuts[place - 1]) if place else -math.inf
    high = float(cuts[place]) if place < len(cuts) else math.inf
    return Interval(low, high, True, place == len(cuts))


def _range(test: Test, n_levels: int) -> Range:
    if n_levels:
        one, every = frozenset({int(test.value)}), frozenset(range(n_levels))
        return LevelSet(one if test.sign == "=" else every - one, every)
    if test.sign in ("<", "<="):
        return Interval(high=test.value, high_closed=test.sign == "<=")
    return Interval(low=test.value, low_closed=test.sign == ">=")
