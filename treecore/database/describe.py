"""What an engine tells of a column: its kind, its levels or values, and how many rows have each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treecore.data.column import frozen
from treecore.data.kinds import Nominal, Ordinal
from treecore.data.words import boolean_levels, ordered_levels
from treecore.database.source import Source
from treecore.errors import TreecoreError
from treecore.growing.aggregates.counted import CountedColumn

MOST_LEVELS = 1000
"""Of a feature that is split by its levels."""
FEW_LEVELS = 32
"""That DuckDB looks for one after another."""
MOST_CLASSES = 20
"""Different whole numbers that are taken for classes in a target."""
ROWS_OF_EDGES = 200_000
"""Rows that edges of bins are taken from."""
KINDS = ("numeric", "nominal", "ordinal", "boolean")


@dataclass(frozen=True)
class Plan:
    """A column as it is to be read. levels : declared ones, None for those that are found."""

    name: str
    kind: str
    levels: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class Bins:
    """A numeric column of many values. edges : float64, ascending: the largest value of each bin but the last."""

    name: str
    edges: np.ndarray

    @property
    def n_distinct(self) -> int:
        """The number of bins."""
        return len(self.edges) + 1


def plan_of(name: str, kind_of_engine, spec) -> Plan | None:
    """How this column is read; None for a type that no tree splits on. spec : as one value of `kinds=`."""
    if isinstance(spec, Ordinal | Nominal):
        return Plan(
            name, "ordinal" if isinstance(spec, Ordinal) else "nominal", tuple(map(str, spec.levels or ())) or None
        )
    if spec is not None and spec not in KINDS:
        raise TreecoreError(
            f"{spec!r} is no kind", where=f"Column {name!r}", remedy="Choose one of: " + ", ".join(KINDS)
        )
    is_number = kind_of_engine.is_numeric() and not kind_of_engine.is_boolean()
    is_text = kind_of_engine.is_string() or kind_of_engine.is_boolean()
    if spec == "numeric" and not is_number:
        raise TreecoreError(
            f"Its type in the engine is {kind_of_engine}, which is no number",
            where=f"Column {name!r}", remedy="Cast it in a view, or make it nominal",
        )  # fmt: skip
    if spec is not None and (is_number or is_text):
        return Plan(name, spec)
    return Plan(name, "numeric" if is_number else "nominal") if is_number or is_text else None


def as_number(cell):
    """An Ibis column as float64; NULL and NaN are missing."""
    return cell.cast("float64").nullif(float("nan")) if cell.type().is_floating() else cell.cast("float64")


def as_text(cell):
    """An Ibis column as the levels are written."""
    return cell.ifelse("true", "false") if cell.type().is_boolean() else cell.cast("string")


def counts_of(source: Source, relation, cell, most: int, look=None) -> dict | None:
    """How many rows have each value of a column, None being a missing one; None where there are more than `most`."""
    grouped = relation.select(value=cell).group_by("value").agg(n=_count()).limit(most + 2)
    found = source.run(grouped, look).to_pydict()
    counts = dict(zip(found["value"], found["n"], strict=True))
    return counts if len(counts) - (None in counts) <= most else None


def levelled(plan: Plan, counts: dict) -> CountedColumn:
    """The column of a plan with levels: those of an ordinal one as declared, else by the scale that is known of them,
    else in alphabetical order. TreecoreError for a value that is not declared."""
    words = [word for word in counts if word is not None]
    pair = boolean_levels(words) if plan.levels is None else None
    scale = ordered_levels(words) if plan.kind == "ordinal" else None
    levels = plan.levels or scale or pair or tuple(sorted(words))
    unknown = sorted(set(words) - set(levels))
    if unknown:
        raise TreecoreError(
            f"{unknown[0]!r} is not one of the declared levels",
            where=f"Column {plan.name!r}", remedy="Add it to them, or make the column nominal",
        )  # fmt: skip
    kind = "boolean" if pair and plan.kind == "nominal" else plan.kind
    n = np.array([counts.get(word, 0) for word in (*levels, None)], np.int64)
    return CountedColumn(plan.name, kind, _no_rows(), levels=levels, counts=frozen(n))


def numbered(plan: Plan, counts: dict) -> CountedColumn:
    """A numeric column with a code for each value."""
    values = np.array(sorted(float(v) + 0.0 for v in counts if v is not None))
    _refuse_infinite(plan.name, values)
    n = np.array([*(counts[v] for v in values.tolist()), counts.get(None, 0)], np.int64)
    values = frozen(values)
    return CountedColumn(plan.name, "numeric", _no_rows(), distinct=values, counts=frozen(n))


def edges_of(values: np.ndarray, n_codes: int) -> np.ndarray:
    """float64, ascending: the largest value of each bin but the last, so that bins have about as many of these values.

    values : of some rows, none missing.
    """
    if not len(values):
        return np.empty(0)
    at = np.quantile(values, np.arange(1, n_codes) / n_codes, method="inverted_cdf")
    return np.unique(at[at < values.max()])


def binned_column(bins: Bins, counts: np.ndarray, low: float, high: float) -> CountedColumn:
    """The column of these bins. counts : int64, of each code. low, high : its smallest and largest value."""
    _refuse_infinite(bins.name, np.array([low, high]))
    highs = frozen(np.append(bins.edges, high))  # an edge is a value that some row has
    return CountedColumn(bins.name, "numeric", _no_rows(), distinct=highs, counts=frozen(counts), in_bins=True)


def level_code(cell, levels: Sequence[str], halved: bool):
    """int32: the place of each text among the levels; their number where it is missing or none of them.

    halved : does the engine order texts as Python does, so that the levels can be halved?
    """
    ibis = _module()
    if halved and len(levels) <= FEW_LEVELS:  # found once for every text of a block, where CASE asks every row
        return _position(list(levels), cell).nullif(0).fill_null(len(levels) + 1) - 1
    texts = cell.fill_null("").cast("string")
    order = sorted(range(len(levels)), key=lambda i: levels[i])

    def between(low: int, high: int):
        if high - low <= 4 or not halved:
            cases = [(texts == levels[i], ibis.literal(i, "int32")) for i in order[low:high]]
            return ibis.cases(*cases, else_=ibis.literal(len(levels), "int32"))
        middle = (low + high) // 2
        return ibis.ifelse(texts < levels[order[middle]], between(low, middle), between(middle, high))

    return ibis.ifelse(cell.isnull(), ibis.literal(len(levels), "int32"), between(0, len(order)))


def _position(levels: list[str], cell):
    """int32, from 1 on, by a function of DuckDB; 0 or NULL where it is none of them."""
    ibis = _module()

    @ibis.udf.scalar.builtin(signature=(("array<string>", "string"), "int32"))
    def list_position(values, value): ...

    return list_position(ibis.literal(levels, "array<string>"), cell)


def _refuse_infinite(name: str, values: np.ndarray) -> None:
    if np.isinf(values).any():
        raise TreecoreError(
            "It has infinite values",
            where=f"Column {name!r}",
            remedy="Make them NULL in a view, or leave the column out",
        )


def _no_rows() -> np.ndarray:
    return frozen(np.zeros(0, np.int32))


def _count():
    return _module()._.count()


def _module():
    import ibis

    return ibis
