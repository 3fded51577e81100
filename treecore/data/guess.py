"""A guess about one column: what it is, whether a tree may split on it, and why."""

from dataclasses import dataclass

from treecore.data.raw import Doubt, RawColumn

FEATURE, LEFT_OUT = "feature", "left out"


@dataclass(frozen=True)
class ColumnGuess:
    """kind, use ("feature" or "left out") and one sentence saying why.

    examples : the commonest values. derived : parts of a date that can become columns (`derive=`).
    levels : proposed levels in order; None for numbers and for columns left out.
    n_missing, n_distinct : missing cells, and different known ones.
    whole_numbers : all numbers are whole (then few of them may be classes). negative : some are below 0. positive : all
    are above 0.
    odd : the few texts that keep a column of numbers from being numeric.
    doubts : what its cells were taken to mean where they could mean something else, with what undoes it.
    """

    name: str
    kind: str
    use: str
    reason: str
    n_missing: int
    n_distinct: int
    examples: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    levels: tuple[str, ...] | None = None
    n_rows: int = 0
    whole_numbers: bool = False
    odd: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    negative: bool = False
    positive: bool = False

    @property
    def is_count(self) -> bool:
        """Is it a whole number from 0 on, as how often something happened is?"""
        return self.kind == "numeric" and self.may_count

    @property
    def may_count(self) -> bool:
        """The same, or no more than 0 and 1: did it happen?"""
        return self.whole_numbers and not self.negative


def nothing_known(column: RawColumn) -> ColumnGuess:
    """The guess for a column without any value."""
    return ColumnGuess(
        column.name,
        "nominal",
        LEFT_OUT,
        "Left out: every value is missing.",
        column.n_rows,
        0,
        n_rows=column.n_rows,
    )
