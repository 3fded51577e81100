"""What an engine tells of a column: its kind, its levels or values, and how many rows have each."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Nominal, Ordinal, frozen
from treecore.data.level_index import label_of, places_among
from treecore.data.raw import sorted_words
from treecore.data.vocabulary import boolean_levels, ordered_levels
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
    """A column as it is to be read. levels : declared ones, None for those that are found. texts : as of CountedColumn,
    of all rows; None where they have not been asked for."""

    name: str
    kind: str
    levels: tuple[str, ...] | None = None
    texts: Mapping[str, int] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Bins(Brief):
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
    is_text = is_text or (spec is not None and (kind_of_engine.is_date() or kind_of_engine.is_timestamp()))
    if spec == "numeric" and not is_number:
        raise TreecoreError(
            f"Its type in the engine is {kind_of_engine}, which is no number",
            where=f"Column {name!r}", remedy="Cast it in a view, or make it nominal",
        )  # fmt: skip
    if spec is not None and (is_number or is_text):
        return Plan(name, spec)
    return Plan(name, "numeric" if is_number else "nominal") if is_number or is_text else None


def as_number(cell):
    """An Ibis column as float64; NULL and NaN, which DECIMAL may have too, are missing."""
    number = cell.cast("float64")
    return number if cell.type().is_integer() else number.nullif(float("nan"))


def as_text(cell):
    """An Ibis column as text by which its levels are told apart; NULL and NaN are missing."""
    if cell.type().is_boolean():
        return cell.ifelse("True", "False")
    if cell.type().is_floating():
        cell = cell.nullif(float("nan"))
    return cell.cast("string")


def label_in_engine(kind_of_engine, text: str | None) -> str | None:
    """The label of a text of `as_text`, as the same column read into memory has it; None where it is missing."""
    if text is None or not text.strip():
        return None
    if kind_of_engine.is_floating():
        return label_of(float(text))
    if kind_of_engine.is_decimal():
        return label_of(Decimal(text)) if text.casefold() != "nan" else None
    if kind_of_engine.is_temporal():
        with suppress(ValueError):
            return label_of(datetime.fromisoformat(text))  # in UTC, whatever zone the engine tells it in
    return label_of(text) or text


def counts_of(source: Source, relation, cell, most: int, look=None) -> dict | None:
    """How many rows have each value of a column, None being a missing one; None where there are more than `most`."""
    grouped = relation.select(value=cell).group_by("value").agg(n=_count()).limit(most + 2)
    found = source.run(grouped, look).to_pydict()
    counts = dict(zip(found["value"], found["n"], strict=True))
    return counts if len(counts) - (None in counts) <= most else None


def levelled(plan: Plan, counts: dict, kind_of_engine) -> CountedColumn:
    """The column of a plan with levels: those of an ordinal one as declared, else by the scale that is known of them,
    else numbers by size and words in alphabetical order. TreecoreError for a value that is not declared."""
    labels = {text: label_in_engine(kind_of_engine, text) for text in counts}
    words = sorted({label for label in labels.values() if label is not None})
    pair = boolean_levels(words) if plan.levels is None else None
    scale = ordered_levels(words) if plan.kind == "ordinal" else None
    levels = plan.levels or scale or pair or _in_order(words)
    places = dict(zip(words, places_among(levels, words).tolist(), strict=True))
    unknown = [word for word in words if places[word] < 0]
    if unknown:
        raise TreecoreError(
            f"{unknown[0]!r} is not one of the declared levels",
            where=f"Column {plan.name!r}", remedy="Add it to them, or make the column nominal",
        )  # fmt: skip
    kind = "boolean" if pair and plan.kind == "nominal" else plan.kind
    code = places | {None: len(levels)}
    n = np.zeros(len(levels) + 1, np.int64)
    for text, n_rows in counts.items():
        n[code[labels[text]]] += n_rows
    texts = {text: code[label] for text, label in labels.items() if text is not None}
    return CountedColumn(plan.name, kind, _no_rows(), levels=levels, counts=frozen(n), texts=texts)


def _in_order(words: list[str]) -> tuple[str, ...]:
    import pyarrow as pa

    return sorted_words(pa.array(words, pa.string()))


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


def level_code(cell, texts: Mapping[str, int], n_levels: int, halved: bool):
    """int32: the code of each text; the number of levels where it is missing or none of these.

    halved : does the engine order texts as Python does, so that they can be halved?
    """
    ibis, known = _module(), [text for text in sorted(texts, key=texts.get) if texts[text] < n_levels]
    if halved and len(known) <= FEW_LEVELS and [texts[text] for text in known] == list(range(n_levels)):
        # found once for every text of a block, where CASE asks every row
        return _position(known, cell).nullif(0).fill_null(n_levels + 1) - 1
    order, other = sorted(known), ibis.literal(n_levels, "int32")

    def between(low: int, high: int):
        if high - low <= 4 or not halved:
            cases = [(cell == text, ibis.literal(texts[text], "int32")) for text in order[low:high]]
            return ibis.cases(*cases, else_=other) if cases else other
        middle = (low + high) // 2
        return ibis.ifelse(cell < order[middle], between(low, middle), between(middle, high))

    return ibis.ifelse(cell.isnull(), other, between(0, len(order)))


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
