"""Rules made shorter: without conditions that the others imply, and by post-pruning on validation rows."""

import math
from dataclasses import replace

import numpy as np

from treecore.kernels.codes import UNSEEN
from treecore.rules.condition import Condition, Interval, Linear, meet
from treecore.rules.cover import LabelledRows
from treecore.rules.rule import Drop, Rule

# Conditions that follow from the others of the rule, and say nothing by themselves.
#
# On one feature this is exact: the rule covers the same rows without them, also where values are missing. Linear
# inequalities are judged by a linear programme: condition j follows when the largest w_j . x under the others does not
# exceed its bound.

TOLERANCE = 1e-9


def without_implied(rule: Rule, box: dict[int, tuple[float, float]] | None = None) -> Rule:
    """The rule without conditions that the others imply; the first of the rule is looked at first.

    box : (lowest, highest) value that a feature can have, by its index: what follows within a picture only.
    """
    conditions = list(rule.conditions)
    for condition in rule.conditions:
        place = next(i for i, c in enumerate(conditions) if c is condition)
        others = conditions[:place] + conditions[place + 1 :]
        if follows(condition, others, box):
            conditions = others
    return replace(rule, conditions=tuple(conditions), is_path=rule.is_path and box is None)


def follows(condition: Condition | Linear, others: list, box: dict[int, tuple[float, float]] | None = None) -> bool:
    """Do the other conditions imply this one?"""
    if condition.kind == "linear":
        return _linear_follows(condition, others, box or {})
    return _one_feature_follows(condition, [c for c in others if c.kind != "linear" and c.index == condition.index])


# on one feature


def _one_feature_follows(condition: Condition, others: list[Condition]) -> bool:
    if condition.steps.backed:
        return False  # what other features decide is not known from this one
    if condition.feature.numeric:
        known = all(isinstance(c.asked, Interval) for c in (condition, *others))
        return known and _interval_follows(condition, others)
    cells = np.array([*range(len(condition.feature.levels)), UNSEEN, np.nan], float)
    return bool(_holds(condition, cells)[_may_hold(others, cells)].all())


def _interval_follows(condition: Condition, others: list[Condition]) -> bool:
    together = Interval()
    for other in others:
        together = meet(together, other.asked, condition.feature)
    missing_follows = not condition.steps.missing_refused or any(other.steps.missing_refused for other in others)
    return together.within(condition.asked) and missing_follows


def _holds(condition: Condition, cells: np.ndarray) -> np.ndarray:
    values = np.full((condition.index + 1, len(cells)), np.nan)
    values[condition.index] = cells
    return condition.holds(values)


def _may_hold(others: list[Condition], cells: np.ndarray) -> np.ndarray:
    """bool: values that pass all others; with backups one cannot rule out a value that a test does not place."""
    passed = np.ones(len(cells), bool)
    for other in others:
        for step in other.steps:
            unplaced = ~step.asked.decides(cells)
            default = np.where(np.isnan(cells), step.missing, step.unseen) | bool(step.backups)
            passed &= np.where(unplaced, default, step.asked.admits(cells))
    return passed


# linear inequalities


def _linear_follows(condition: Linear, others: list, box: dict[int, tuple[float, float]]) -> bool:
    """Maximise w . x under the others, taken with their ends.

    Where the maximum equals the bound of a strict inequality it still follows if a strict one of the others keeps
    x away from there: one with a positive multiplier.
    """
    from scipy.optimize import linprog

    features = sorted({i for c in (condition, *others) if c.kind == "linear" for i in c.indices})
    lines = [c for c in others if c.kind == "linear"]
    upright = {c.index for c in others if c.kind == "interval" and c.lets_missing_in is False}
    if not condition.indices <= upright.union(box, *(line.indices for line in lines)):
        return False  # a feature that nothing else needs to be known may be missing, or anything
    left, right, strict = _inequalities(lines, others, features, box)
    if not len(left):
        return False
    weights = _row(condition, features)
    solution = linprog(-weights, A_ub=left, b_ub=right, bounds=(None, None), method="highs")
    if solution.status != 0:
        return False  # without a limit, or the others contradict each other
    most, slack = -float(solution.fun), TOLERANCE * max(1.0, abs(condition.bound))
    if most < condition.bound - slack:
        return True
    kept_away = bool((strict & (-solution.ineqlin.marginals > TOLERANCE)).any())
    return most <= condition.bound + slack and (condition.closed or kept_away)


def _row(condition: Linear, features: list[int]) -> np.ndarray:
    row = np.zeros(len(features))
    for weight, index in zip(condition.weights, condition.indices_in_order, strict=True):
        row[features.index(index)] += weight
    return row


def _inequalities(lines: list[Linear], others: list, features: list[int], box: dict) -> tuple:
    """left @ x <= right, (m, n) and (m,); strict : bool (m,), where the ends do not count."""
    rows = [(_row(line, features), line.bound, not line.closed) for line in lines]
    limits = [(c.index, c.asked) for c in others if c.kind == "interval"]
    limits += [(index, Interval(*ends)) for index, ends in box.items()]
    for index, asked in limits:
        if index in features:
            unit = np.eye(len(features))[features.index(index)]
            rows += [(unit, asked.high, not asked.high_closed)] * math.isfinite(asked.high)
            rows += [(-unit, -asked.low, not asked.low_closed)] * math.isfinite(asked.low)
    left = np.array([row for row, _, _ in rows]).reshape(len(rows), len(features))
    return left, np.array([bound for _, bound, _ in rows]), np.array([open_end for _, _, open_end in rows], bool)


SLACK = 1e-12
"""Errors that are equal by the formula may differ in their last digits."""


def simplified_rule(rule: Rule, validation: LabelledRows) -> Rule:
    """The rule without the preconditions that do not lower its validation error; `dropped` has every step.

    Each step drops the precondition whose removal gives the least error on the validation rows that the shorter rule
    covers, if that is no more than the error before (equal is enough); of equals the last one of the rule, which the
    path asked last. The answer stays: a rule goes on saying what its leaf says, a class or a mean. A rule that
    covers no validation row, or gives no answer, is kept as it is.
    """
    if not has_answer(rule):
        return rule
    trial, dropped, halted = _Shortening(rule, validation), [], None
    while trial.conditions and trial.weight > 0:
        place, step = trial.best()
        if step.after > step.before + SLACK * max(1.0, step.before):
            halted = step
            break
        trial.drop(place)
        dropped.append(step)
    is_path = rule.is_path and not dropped
    every = (*rule.dropped, *dropped)
    return replace(rule, conditions=tuple(trial.conditions), dropped=every, halted=halted, is_path=is_path)


def has_answer(rule: Rule) -> bool:
    """Does the leaf answer at all? An empty one may give no class (-1) or no number (NaN)."""
    return rule.answer == rule.answer and not (isinstance(rule.answer, int) and rule.answer < 0)


class _Shortening:
    """The rows of a rule that is being shortened, a bit for each; see Cover.

    failed : uint64 (n conditions, words), the rows that do not meet each condition. Without condition j the rule
    covers the rows that meet all conditions, and those that fail j alone.
    """

    def __init__(self, rule: Rule, validation: LabelledRows):
        self.conditions, self.rule, self.validation = list(rule.conditions), rule, validation
        every = validation.cover.every
        self.failed = np.array([every & ~validation.cover.mask(c) for c in rule.conditions]).reshape(-1, len(every))
        self._look()

    @property
    def weight(self) -> float:
        """Weight of the validation rows that the rule covers now."""
        return self._now[0]

    def best(self) -> tuple[int, Drop]:
        """The removal of least error: the condition's place, and the numbers."""
        now, (weight, loss, n) = self._now, self.validation.of_each(self.failed & ~self._twice, self.rule)
        before, after = now[1] / now[0], (now[1] + loss) / (now[0] + weight)
        place = 0
        for j in range(1, len(after)):  # of equals the last one
            if after[j] <= after[place] + SLACK * max(1.0, after[place]):
                place = j
        drop = Drop(self.conditions[place], before, float(after[place]), now[2], now[2] + int(n[place]))
        return place, drop

    def drop(self, place: int) -> None:
        """Go on without this condition."""
        del self.conditions[place]
        self.failed = np.delete(self.failed, place, axis=0)
        self._look()

    def _look(self) -> None:
        """Which rows fail at least one condition, which at least two."""
        once = np.zeros_like(self.validation.cover.every)
        self._twice = once.copy()
        for failed in self.failed:
            self._twice |= once & failed
            once |= failed
        self._now = self.validation.of_bits(self.validation.cover.every & ~once, self.rule)
