"""What a learner finds: rules as tests on values."""

import operator
from dataclasses import dataclass

import numpy as np

HOLDS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip
"""The tests there are, by their sign."""


@dataclass(frozen=True)
class Test:
    """A value of one feature beside a number, or the index of a level; a missing value fails.

    sign : one of HOLDS. share : the part of a row without the value that is sent on nevertheless, 0 for none.
    """

    feature: int
    sign: str
    value: float
    share: float = 0.0

    def holds(self, values: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """bool, one per row. values : float64 (n_features, n_rows)."""
        column = values[self.feature][rows]
        return HOLDS[self.sign](column, self.value) & ~np.isnan(column)

    def parts(self, values: np.ndarray) -> np.ndarray:
        """float64 (n_rows,): the part of each row that is sent on, 0, 1 or `share`."""
        column = values[self.feature]
        return np.where(np.isnan(column), self.share, HOLDS[self.sign](column, self.value))


@dataclass(frozen=True)
class Found:
    """A rule: rows that pass all tests are of class `answer`. totals : class weights that it answers from."""

    tests: tuple[Test, ...]
    answer: int
    totals: tuple[float, ...]

    def covers(self, values: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """bool, one per row."""
        passed = np.ones(values[:, rows].shape[1], bool)
        for test in self.tests:
            passed &= test.holds(values, rows)
        return passed

    def parts(self, values: np.ndarray) -> np.ndarray:
        """float64 (n_rows,): the part of each row that it answers for."""
        part = np.ones(values.shape[1])
        for test in self.tests:
            part *= test.parts(values)
        return part


@dataclass(frozen=True)
class Answers:
    """Rules in their order, and what answers where none does.

    default : a class, -1 for no answer. totals : class weights of the training rows that no rule covers.
    """

    rules: tuple[Found, ...]
    default: int = -1
    totals: tuple[float, ...] = ()
