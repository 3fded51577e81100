"""Distances between rows, and the four conditions of a metric checked on the rows of a table.

Source of the conditions: Doyle (2020), Nonmetric Methods: Decision Trees, "Metric Conditions".
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from treecore.data.column import Column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import number
from treecore.registry import Registry

MOST_ROWS = 120
"""Rows that are compared: of so many there are 1.7 million triples."""
ROUNDING = 1e-9


@dataclass(frozen=True)
class Distance:
    """A way to tell how far apart two rows are.

    of : float64 (n, d) points -> float64 (n, n), from the row of each line to the row of each column.
    any_kind : can it be told of words as well? Otherwise columns must be numeric or ordinal (by their places).
    """

    name: str
    label: str
    formula: str
    note: str
    of: Callable[[np.ndarray], np.ndarray]
    any_kind: bool = False


@dataclass(frozen=True)
class Axiom:
    """One condition on some rows. rows : of the table, that break it (one to three), () where none do. text : with
    numbers, how they do. n_checked, n_broken : pairs or triples of rows."""

    label: str
    formula: str
    rows: tuple[int, ...]
    text: str
    n_checked: int
    n_broken: int

    @property
    def holds(self) -> bool:
        """Do no rows break it?"""
        return not self.n_broken


def _by_column(part: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    """The sum over columns of a function of the difference x - y."""
    return lambda points: part(points[:, None, :] - points[None, :, :]).sum(axis=2)


_squared = _by_column(np.square)

DISTANCES: Registry[Distance] = Registry(
    "distance",
    Distance("euclidean", "Euclidean", r"\sqrt{\sum_i (x_i-y_i)^2}", "As a ruler measures.",
             lambda points: np.sqrt(_squared(points))),
    Distance("taxicab", "Taxicab", r"\sum_i |x_i-y_i|", "Along the streets of a grid.", _by_column(np.abs)),
    Distance("discrete", "Discrete", r"1 \text{ if } x \neq y,\ 0 \text{ if } x=y",
             "Equal or not: all that words allow, and it orders nothing.",
             lambda points: (points[:, None, :] != points[None, :, :]).any(axis=2).astype(float), any_kind=True),
    Distance("hamming", "Cells that differ", r"\sum_i [x_i \neq y_i]", "The discrete metric of each column, added up.",
             lambda points: (points[:, None, :] != points[None, :, :]).sum(axis=2).astype(float), any_kind=True),
    Distance("squared", "Squared Euclidean", r"\sum_i (x_i-y_i)^2", "No metric: a detour can be shorter.", _squared),
    Distance("first", "First column alone", r"|x_1-y_1|", "No metric: rows that differ elsewhere are 0 apart.",
             lambda points: np.abs(points[:, None, 0] - points[None, :, 0])),
    Distance("climb", "Climb from x to y", r"\sum_i \max(y_i-x_i,\,0)", "No metric: the way back is another one.",
             _by_column(lambda d: np.maximum(-d, 0))),
    Distance("signed", "Signed difference", r"\sum_i (x_i-y_i)", "No metric: it can be below 0.",
             _by_column(lambda d: d)),
)  # fmt: skip


def points_of(table: Table, names: Iterable[str], any_kind: bool) -> tuple[np.ndarray, np.ndarray]:
    """(int64 (n,) rows, float64 (n, d) what they hold) of at most MOST_ROWS different rows without a missing value.

    Numbers as they are; levels as their places, which only equality may be asked of unless they are ordered.
    Raises TreecoreError where there is no column, or one of words and the distance needs numbers.
    """
    columns = [table.column(name) for name in names]
    words = [c.name for c in columns if c.kind not in ("numeric", "ordinal")]
    if words and not any_kind:
        raise TreecoreError("There is no distance between words", where=f"Column {words[0]!r}",
                            remedy="Take a distance that asks only whether values are equal")  # fmt: skip
    if not columns:
        raise TreecoreError("No column is chosen", where="Distances", remedy="Choose one column or more")
    known = np.flatnonzero(~np.any([c.missing for c in columns], axis=0))
    points = np.stack([_numbers(c) for c in columns], axis=1)[known]
    first = np.sort(np.unique(points, axis=0, return_index=True)[1])
    if len(first) > MOST_ROWS:
        first = first[np.linspace(0, len(first) - 1, MOST_ROWS).astype(int)]
    return known[first], points[first]


@dataclass(frozen=True)
class Between:
    """How far apart two rows are. parts : (column, cell of the first, cell of the second, what the column adds) of each
    column; None in the place of what it adds where the distance is no sum over columns. value : of all columns."""

    parts: tuple[tuple[str, str, str, float | None], ...]
    value: float
    text: str


def between(table: Table, names: Iterable[str], distance: Distance, first: int, second: int) -> Between:
    """The distance of two rows, column by column. first, second : places in the table.

    TreecoreError where one of them has a missing value, and as points_of.
    """
    columns = [table.column(name) for name in names]
    for row in (first, second):
        lost = next((c.name for c in columns if c.missing[row]), None)
        if lost is not None:
            raise TreecoreError(f"Row {table.row_numbers[row] + 1} has no value", where=f"Column '{lost}'",
                                remedy="Choose another row, or leave the column out")  # fmt: skip
    points_of(table.take([first, second]), [c.name for c in columns], distance.any_kind)
    points = np.stack([_numbers(c)[[first, second]] for c in columns], axis=1)
    value = float(distance.of(points)[0, 1])
    alone = [float(distance.of(points[:, [i]])[0, 1]) for i in range(len(columns))]
    squares = distance.name == "euclidean"
    added = [part * part for part in alone] if squares else alone
    is_sum = np.isclose(sum(added), value * value if squares else value)
    cells = [(str(c.labels()[first]), str(c.labels()[second])) for c in columns]
    parts = tuple(
        (c.name, *cell, part if is_sum else None) for c, cell, part in zip(columns, cells, added, strict=True)
    )
    sums = " + ".join(number(part) for part in added)
    text = f"√({sums}) = {number(value)}" if squares else f"{sums} = {number(value)}"
    return Between(parts, value, text if is_sum else number(value))


def _numbers(column: Column) -> np.ndarray:
    return column.values() if column.kind == "numeric" else column.codes.astype(float)


def axioms(distance: Distance, rows: np.ndarray, points: np.ndarray) -> tuple[Axiom, ...]:
    """The four conditions, each with the rows that break it most; rows, points : as points_of gives them."""
    d = distance.of(points)
    slack = ROUNDING * max(np.abs(d).max(initial=0.0), 1e-300)
    return (
        _not_negative(d, rows, slack),
        _identity(d, rows, slack),
        _symmetry(d, rows, slack),
        _triangle(d, rows, slack),
    )


def _digits(value: float) -> str:
    """Six significant digits, without an exponent."""
    return f"{float(number(value)):,.12g}"


def _axiom(label: str, formula: str, rows: np.ndarray, broken: np.ndarray, tell: Callable) -> Axiom:
    """broken : float64 of any shape, by how much each pair or triple breaks it, 0 where it holds."""
    n_broken = int((broken > 0).sum())
    at = np.unravel_index(int(broken.argmax()), broken.shape) if n_broken else ()
    return Axiom(label, formula, tuple(int(rows[i]) for i in at), tell(*at) if n_broken else "", broken.size, n_broken)


def _not_negative(d: np.ndarray, rows: np.ndarray, slack: float) -> Axiom:
    return _axiom("Not negative", "d(x, y) ≥ 0", rows, np.where(d < -slack, -d, 0.0),
                  lambda x, y: f"d(x, y) = {_digits(d[x, y])}")  # fmt: skip


def _identity(d: np.ndarray, rows: np.ndarray, slack: float) -> Axiom:
    """Rows are all different ones, so that only the diagonal may be 0."""
    zero, same = np.abs(d) <= slack, np.eye(len(d), dtype=bool)
    broken = (zero != same).astype(float)

    def tell(x: int, y: int) -> str:
        return f"d(x, y) = {_digits(d[x, y])}, and x and y differ" if x != y else f"d(x, x) = {_digits(d[x, x])}"

    return _axiom("0 only for equal rows", "d(x, y) = 0 ⇔ x = y", rows, broken, tell)


def _symmetry(d: np.ndarray, rows: np.ndarray, slack: float) -> Axiom:
    apart = np.abs(d - d.T)
    return _axiom("Symmetric", "d(x, y) = d(y, x)", rows, np.where(apart > slack, apart, 0.0),
                  lambda x, y: f"d(x, y) = {_digits(d[x, y])}, d(y, x) = {_digits(d[y, x])}")  # fmt: skip


def _triangle(d: np.ndarray, rows: np.ndarray, slack: float) -> Axiom:
    """Axes of the triples: x, y, z; the way from x to z against the detour by y."""
    excess = d[:, None, :] - d[:, :, None] - d[None, :, :]

    def tell(x: int, y: int, z: int) -> str:
        way, first, second = d[x, z], d[x, y], d[y, z]
        parts = f"{_digits(first)} + {_digits(second)} = d(x, y) + d(y, z)"
        return f"d(x, z) = {_digits(way)} > {_digits(first + second)} = {parts}"

    return _axiom("Triangle", "d(x, z) ≤ d(x, y) + d(y, z)", rows, np.where(excess > slack, excess, 0.0), tell)
