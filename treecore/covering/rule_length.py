"""Description lengths of a list of rules for one class, in bits: what RIPPER keeps and drops rules by."""

from dataclasses import dataclass, field, replace
from math import log, nan

import numpy as np

from treecore.covering.value_rules import SMALL, TrainingArrays, ValueTest

Tests = tuple[ValueTest, ...]


@dataclass(frozen=True)
class CoverWeights:
    """Weights of the rows that a rule, or a list of rules, covers and leaves, and of the wrong ones of each."""

    covered: float = 0.0
    left: float = 0.0
    hit: float = 0.0
    false: float = 0.0
    missed: float = 0.0


@dataclass
class RuleLengths:
    """Rules in their order, with what each covers of the rows that those before it leave.

    rows, wanted : the training rows and the class. n_tests : how many tests there are to choose from.
    expected : share of all errors that are expected to be rows covered wrongly. start : rows the first rule meets.
    check_error : a rule that is wrong as often as right does not pay. after : per rule, the rows that no rule up to it
    covers.
    Source: Cohen (1995); Quinlan (1995), on the bits of exceptions; as in Weka 3.6.
    """

    rows: TrainingArrays
    wanted: int
    n_tests: float
    expected: float
    start: np.ndarray
    check_error: bool = True
    tests: list[Tests] = field(default_factory=list)
    stats: list[CoverWeights] = field(default_factory=list)
    after: list[np.ndarray] = field(default_factory=list)

    def add(self, tests: Tests) -> None:
        """One more rule at the end."""
        stats, left = self._counted(tests, self.after[-1] if self.after else self.start)
        self.tests.append(tests)
        self.stats.append(stats)
        self.after.append(left)

    def drop_last(self) -> None:
        for one in (self.tests, self.stats, self.after):
            del one[-1]

    def bits_with(self, place: int) -> float:
        """Bits of the list with the rule at `place` less those without it; rules behind it that do not pay are out."""
        data = self._least(self._of_all(), place + 1, self.stats[place + 1 :])
        return data + self._theory(self.tests[place]) - self._without(place)

    def drop_costly(self) -> None:
        """Without the rules that make the whole longer, from the last one on."""
        whole, paying = self._of_all(), []
        for place in reversed(range(len(self.tests))):
            saved, whole = self._saved(place, whole, self.stats[place])
            if saved != saved:
                paying.append(self.tests[place])
        self.tests, self.stats, self.after = [], [], []
        for tests in reversed(paying):
            self.add(tests)

    def _counted(self, tests: Tests, at: np.ndarray) -> tuple[CoverWeights, np.ndarray]:
        inside = passes(self.rows, tests, at)
        weight, own = self.rows.weight[at], self.rows.labels[at] == self.wanted
        covered, left = float(weight[inside].sum()), float(weight[~inside].sum())
        hit, missed = float(weight[inside & own].sum()), float(weight[~inside & own].sum())
        return CoverWeights(covered, left, hit, float(weight[inside & ~own].sum()), missed), at[~inside]

    def _of_all(self) -> CoverWeights:
        return _together(self.stats, self.stats[-1]) if self.stats else CoverWeights()

    def _without(self, place: int) -> float:
        """Bits of the data when the rule is left out and the rows are counted anew behind it."""
        at = self.after[place - 1] if place else self.start
        behind = []
        for tests in self.tests[place + 1 :]:
            stats, at = self._counted(tests, at)
            behind.append(stats)
        if behind:
            end = behind[-1]
        elif place:
            end = self.stats[place - 1]
        else:
            own = self.stats[0]
            end = CoverWeights(left=own.covered + own.left, missed=own.hit + own.missed)
        return self._least(_together([*self.stats[:place], *behind], end), place + 1, behind)

    def _least(self, whole: CoverWeights, first: int, behind: list[CoverWeights]) -> float:
        """Bits of the data less what is saved by leaving out rules from `first` on, each that does not pay."""
        saved_in_all = 0.0
        for place, stats in enumerate(behind, first):
            saved, whole = self._saved(place, whole, stats)
            saved_in_all += 0.0 if saved != saved else saved
        return self._data(whole) - saved_in_all

    def _saved(self, place: int, whole: CoverWeights, own: CoverWeights) -> tuple[float, CoverWeights]:
        """(bits saved by leaving the rule out, the list without it); (NaN, the list) where it pays."""
        without = replace(
            whole, covered=whole.covered - own.covered, left=whole.left + own.covered,
            false=whole.false - own.false, missed=whole.missed + own.hit,
        )  # fmt: skip
        saved = self._data(whole) + self._theory(self.tests[place]) - self._data(without)
        wrong = self.check_error and own.covered > 0 and own.false / own.covered > 0.5 - SMALL
        return (saved, without) if saved > -SMALL or wrong else (nan, whole)

    def _theory(self, tests: Tests) -> float:
        """Bits that say the rule, halved because the order of tests does not matter."""
        k = float(len(tests))
        if not k:
            return 0.0
        bits = _log2(k)
        if k > 1:
            bits += 2.0 * _log2(bits)
        return 0.5 * (bits + _subset(self.n_tests, k, k / self.n_tests))

    def _data(self, s: CoverWeights) -> float:
        return data_bits(self.expected, s.covered, s.left, s.false, s.missed)


def passes(rows: TrainingArrays, tests: Tests, at: np.ndarray) -> np.ndarray:
    """bool, which of the rows `at` pass all tests."""
    passed = np.ones(len(at), bool)
    for test in tests:
        passed &= test.holds(rows.values, at)
    return passed


def data_bits(expected: float, covered: float, left: float, false: float, missed: float) -> float:
    """Bits that say which rows are wrong, given the rules; see RuleLengths for the arguments."""
    total = _log2(covered + left + 1.0)
    if covered - left > SMALL:
        inside = _subset(covered, false, expected * (false + missed) / covered)
        outside = _subset(left, missed, missed / left) if left > SMALL else 0.0
    else:
        inside = _subset(covered, false, false / covered) if covered > SMALL else 0.0
        outside = _subset(left, missed, (1.0 - expected) * (false + missed) / left)
    return total + inside + outside


def _subset(n: float, k: float, p: float) -> float:
    """Bits that say which k of n are meant, at a probability p each."""
    return (-k * _log2(p) if p > SMALL else 0.0) - (n - k) * _log2(1.0 - p)


def _log2(x: float) -> float:
    return log(x) / log(2.0) if x > 0 else (-np.inf if x == 0 else nan)


def _together(stats: list[CoverWeights], end: CoverWeights) -> CoverWeights:
    """What is covered adds up; what is left is what the end leaves."""
    covered, hit, false = (sum(getattr(s, name) for s in stats) for name in ("covered", "hit", "false"))
    return CoverWeights(covered, end.left, hit, false, end.missed)
