"""Rule post-pruning: drop preconditions for as long as the error on validation rows does not rise."""

from dataclasses import replace
from functools import reduce
from itertools import accumulate
from operator import and_

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

    met : bits of every condition. Without condition j the rule covers the rows that meet all conditions, and those
    that meet all but j.
    """

    def __init__(self, rule: Rule, validation: Judged):
        self.conditions, self.rule, self.validation = list(rule.conditions), rule, validation
        self.met = [validation.cover.mask(c) for c in self.conditions]

    @property
    def weight(self) -> float:
        """Weight of the validation rows that the rule covers now."""
        return self._sums(self._all())[0]

    def best(self) -> tuple[int, Drop]:
        """The removal of least error: the condition's place, and the numbers."""
        now, others = self._sums(self._all()), self._others()
        before = now[1] / now[0]
        place, best = 0, None
        for j, condition in enumerate(self.conditions):
            more = self._sums(others[j] & ~self.met[j])
            after = (now[1] + more[1]) / (now[0] + more[0])
            if best is None or after <= best.after + SLACK * max(1.0, best.after):
                place, best = j, Drop(condition, before, after, now[2], now[2] + more[2])
        return place, best

    def drop(self, place: int) -> None:
        """Go on without this condition."""
        del self.met[place], self.conditions[place]

    def _sums(self, bits: np.ndarray) -> tuple[float, float, int]:
        return self.validation.of_bits(bits, self.rule)

    def _all(self) -> np.ndarray:
        """Bits of the rows that meet all conditions."""
        return reduce(and_, self.met, self.validation.cover.every)

    def _others(self) -> list[np.ndarray]:
        """For every condition, bits of the rows that meet all others."""
        every = self.validation.cover.every
        before = list(accumulate(self.met[:-1], and_, initial=every))
        after = list(accumulate(reversed(self.met[1:]), and_, initial=every))[::-1]
        return [a & b for a, b in zip(before, after, strict=True)]
