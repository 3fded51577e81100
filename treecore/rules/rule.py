"""A rule: IF conditions THEN answer, and how it does on rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import nan
from typing import Any

import numpy as np

from treecore.brief import MOST_LINES, shortened, visible
from treecore.rules.condition import Condition, Linear, with_condition
from treecore.tree.condition_text import MISSING

EVERY_ROW = "every row"


@dataclass(frozen=True)
class Figures:
    """A rule on the rows of one table; rows without a target, or of a class the tree does not know, are not counted.

    n_rows, weight : rows covered and their case weight. support : their share of the weight of all rows.
    error : of the rule's answer on the rows it covers: the share of wrong ones, or the mean loss of the tree's target,
        of numbers the mean squared error; NaN where it covers none. Every wrong answer counts 1, also where the tree
        reckons with costs or priors.
    confidence : 1 - error, and lift : confidence over the share of the answer's class in all rows; None for numbers.
    shares : class shares of the rows covered as they are, by weight; () for numbers and where it covers none.
    """

    n_rows: int
    weight: float
    support: float
    error: float = nan
    confidence: float | None = None
    lift: float | None = None
    shares: tuple[float, ...] = ()


@dataclass(frozen=True)
class Drop:
    """One precondition that post-pruning dropped, with the numbers that decided.

    before, after : validation error of the rule with and without it, on the rows that the rule covers each time.
    rows_before, rows_after : validation rows covered.
    """

    condition: Condition | Linear
    before: float
    after: float
    rows_before: int
    rows_after: int


@dataclass(frozen=True)
class Rule:
    """IF all conditions hold THEN the target is the answer.

    answer : index of the class (-1: no answer), or a number. said : the same in words. target : the target's name.
    leaf : the node of the tree that the rule is of. shares : class shares of the training rows it answers from, ()
    for numbers. train : how it does on training rows, None after shortening without them.
    dropped : what post-pruning took away, in order. halted : the precondition that would have gone next, and the
    error that it kept off; None where none is left or the rule was not judged.
    is_path : it covers exactly the rows that go down the tree's path to `leaf`. by_line : the answer is the mean of
    the leaf's rows, and rows are answered by the line that `said` has.
    """

    conditions: tuple[Condition | Linear, ...]
    answer: int | float
    said: str
    target: str
    leaf: int
    shares: tuple[float, ...] = ()
    train: Figures | None = None
    dropped: tuple[Drop, ...] = ()
    halted: Drop | None = None
    is_path: bool = False
    by_line: bool = False

    @property
    def cell(self) -> str | int | float:
        """What it says, in a table: a number as such."""
        return self.said if self.shares or self.by_line else self.answer

    @property
    def premise(self) -> str:
        """All conditions, joined by AND; "every row" without any."""
        texts = [c.text for c in self.conditions]
        if len(texts) > 1:
            texts = [f"({t})" if t.endswith(f" or {MISSING}") else t for t in texts]
        return " AND ".join(texts) or EVERY_ROW

    @property
    def conclusion(self) -> str:
        """ "target = answer"."""
        return f"{self.target} = {self.said}"

    @property
    def text(self) -> str:
        """The whole rule."""
        return f"IF {self.premise} THEN {self.conclusion}"

    def without_value(self) -> tuple[tuple[str, str], ...]:
        """What becomes of a row without the value of a feature, in words: (feature, said), of each feature once,
        however many conditions ask for it, where training rows lacked it."""
        each: tuple[Any, ...] = reduce(with_condition, self.conditions, ())
        return tuple((c.feature.name, c.missing_text) for c in each if c.met_missing)

    def covered(self, values: Any, among: np.ndarray | None = None) -> np.ndarray:
        """int64, positions of the rows that hold, rising. values : see Condition.holds. among : of these rows only."""
        rows = np.arange(values.shape[1]) if among is None else among
        for condition in self.conditions:
            rows = rows[condition.holds(values, rows)]
        return rows


def numbered(rules: Sequence[Rule]) -> str:
    """One rule per line; of many the first ones, and how many are left out."""
    lines = [f"{i}. {shortened(visible(rule.text), 160)}" for i, rule in enumerate(rules[:MOST_LINES], 1)]
    left_out = len(rules) - len(lines)
    return "\n".join([*lines, *([f"… {left_out:,} rules more"] if left_out else [])])
