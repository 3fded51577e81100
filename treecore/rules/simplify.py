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
    is_path = rule.is_path and not dropped
    every = (*rule.dropped, *dropped)
    return replace(rule, conditions=tuple(trial.conditions), dropped=every, halted=halted, is_path=is_path)


def has_answer(rule: Rule) -> bool:
    """Does the leaf answer at all? An empty one may give no class (-1) or no number (NaN)."""
    return rule.answer == rule.answer and not (isinstance(rule.answer, int) and rule.answer < 0)


class _Trial:
    """The rows of a rule that is being shortened, a bit for each; see Cover.

    failed : uint64 (n conditions, words), the rows that do not meet each condition. Without condition j the rule
    covers the rows that meet all conditions, and those that fail j alone.
    """

    def __init__(self, rule: Rule, validation: Judged):
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
