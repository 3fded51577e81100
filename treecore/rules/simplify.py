"""Rule post-pruning: drop preconditions for as long as the error on validation rows does not rise."""

from dataclasses import replace

import numpy as np

from treecore.rules.judged import Judged
from treecore.rules.rule import Drop, Rule

SLACK = 1e-12
"""Errors that are equal by the formula may differ in their last digits."""


def simplified_rule(rule: Rule, validation: Judged) -> Rule:
    """The rule without the preconditions that do not lower its validation error; `dropped` has every step.

    Each step drops the precondition whose removal gives the least error on the validation rows that the shorter rule
    covers, if that is no more than the error before (equal is enough); of equals the last one of the rule, which the
    path asked last. The answer stays: a rule goes on saying what its leaf says, a class or a mean. A rule that
    covers no validation row, or gives no answer, is kept as it is.
    """
    if not has_answer(rule):
        return rule
    trial, dropped, halted = _Trial(rule, validation), [], None
    while trial.conditions and trial.weight > 0:
        place, step = trial.best()
        if step.after > step.before + SLACK * max(1.0, step.before):
            halted = step
            break
        trial.drop(place)
        dropped.append(step)
    return replace(rule, conditions=tuple(trial.conditions), dropped=(*rule.dropped, *dropped), halted=halted)


def has_answer(rule: Rule) -> bool:
    """Does the leaf answer at all? An empty one may give no class (-1) or no number (NaN)."""
    return rule.answer == rule.answer and not (isinstance(rule.answer, int) and rule.answer < 0)


class _Trial:
    """The rows of a rule that is being shortened.

    failed : bool (n_conditions, n_rows), where each condition fails; n_failed : int64 (n_rows,), how many fail.
    Without condition j the rule covers the rows where none fails, and those where j alone does.
    """

    def __init__(self, rule: Rule, validation: Judged):
        n = validation.values.shape[1]
        self.conditions = list(rule.conditions)
        failed = [~c.holds(validation.values) for c in self.conditions]
        self.failed = np.array(failed, bool).reshape(len(failed), n)
        self.n_failed = self.failed.sum(axis=0)
        self.row_weight, self.known = validation.weight, validation.known
        self.loss = validation.loss(rule.answer) * validation.weight

    @property
    def weight(self) -> float:
        """Weight of the validation rows that the rule covers now."""
        return float(self.row_weight[self.n_failed == 0].sum())

    def best(self) -> tuple[int, Drop]:
        """The removal of least error: the condition's place, and the numbers."""
        covered = self.n_failed == 0
        now = float(self.loss[covered].sum()), self.weight, int(self.known[covered].sum())
        before = now[0] / now[1]
        place, best = 0, None
        for j, condition in enumerate(self.conditions):
            more = self.failed[j] & (self.n_failed == 1)
            weight = now[1] + float(self.row_weight[more].sum())
            after = (now[0] + float(self.loss[more].sum())) / weight
            if best is None or after <= best.after + SLACK * max(1.0, best.after):
                place, best = j, Drop(condition, before, after, now[2], now[2] + int(self.known[more].sum()))
        return place, best

    def drop(self, place: int) -> None:
        """Go on without this condition."""
        self.n_failed = self.n_failed - self.failed[place]
        self.failed = np.delete(self.failed, place, axis=0)
        del self.conditions[place]
