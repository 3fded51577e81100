"""Columns as an engine has them: kind, levels or bins, and the code of each row as an expression."""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Nominal, Ordinal, frozen
from treecore.data.level_index import label_of, places_among
from treecore.data.raw import sorted_words
from treecore.data.vocabulary import boolean_levels, ordered_levels
from treecore.database.connection import DatabaseSource
from treecore.errors import TreecoreError
from treecore.growing.counted_table import CountedColumn
from treecore.kernels.ranks import n_below, part_of

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
class ColumnBins(Brief):
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


def value_counts(source: DatabaseSource, relation, cell, most: int, look=None) -> dict | None:
    """How many rows have each value of a column, None being a missing one; None where there are more than `most`."""
    grouped = relation.select(value=cell).group_by("value").agg(n=_ibis()._.count()).limit(most + 2)
    result = source.run(grouped, look).to_pydict()
    counts = dict(zip(result["value"], result["n"], strict=True))
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


def binned_column(bins: ColumnBins, counts: np.ndarray, low: float, high: float) -> CountedColumn:
    """The column of these bins. counts : int64, of each code. low, high : its smallest and largest value."""
    _refuse_infinite(bins.name, np.array([low, high]))
    highs = frozen(np.append(bins.edges, high))  # an edge is a value that some row has
    return CountedColumn(bins.name, "numeric", _no_rows(), distinct=highs, counts=frozen(counts), in_bins=True)


def level_code(cell, texts: Mapping[str, int], n_levels: int, halved: bool):
    """int32: the code of each text; the number of levels where it is missing or none of these.

    halved : does the engine order texts as Python does, so that they can be halved?
    """
    ibis, known = _ibis(), [text for text in sorted(texts, key=texts.get) if texts[text] < n_levels]
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
    ibis = _ibis()

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


# In which bin a number is, as an engine finds it.

FEW_EDGES = 15
"""Of a numeric feature, so that any engine finds a code soon enough."""
PARTS = 4096
"""Of a column's range, each of which knows the edges within it: their table fits the processor's nearest cache."""


def coded(cell, edges: Sequence[float], engine: str):
    """Integers: how many edges are below each number; one more than all edges where it is missing.

    cell : an Ibis column of numbers. engine : its name. A CASE of many edges, which any engine knows, takes DuckDB far
    longer than a kernel on its own blocks of rows, and PostgreSQL longer still.
    """
    return coded_together({"code": (cell, edges)}, engine)["code"]


def coded_together(cells: Mapping[str, tuple], engine: str) -> dict[str, object]:
    """The same for several (cell, edges) by name. DuckDB calls one function for all of them, as it is the calls that
    take long: one for 2048 rows."""
    many = {name: (cell, np.asarray(edges)) for name, (cell, edges) in cells.items() if len(edges) > FEW_EDGES}
    result = SEARCHES[engine](many) if engine in SEARCHES and many else {}
    return {
        name: result[name] if name in result else _halved(as_number(cell), edges)
        for name, (cell, edges) in cells.items()
    }


def _by_kernel(cells: Mapping[str, tuple]) -> dict[str, object]:
    """By one function that the engine calls in this process. It is given missing numbers, too, as NaN."""
    import pyarrow as pa

    ibis, names = _ibis(), list(cells)
    tables = [guide(edges) for _, edges in cells.values()]
    types = ["uint8" if len(edges) < np.iinfo(np.uint8).max else "int32" for _, edges in cells.values()]

    def search(rows):
        rows = rows.combine_chunks() if isinstance(rows, pa.ChunkedArray) else rows
        result = [np.empty(len(rows), kind) for kind in types]
        for i, table in enumerate(tables):
            n_below(rows.field(i).to_numpy(zero_copy_only=False), *table, result[i])
        return pa.StructArray.from_arrays([pa.array(codes) for codes in result], names)

    told = _function_name(*(edges for _, edges in cells.values()))
    signature = ((_record(dict.fromkeys(names, "float64")),), _record(dict(zip(names, types, strict=True))))
    call = ibis.udf.scalar.pyarrow(search, name=told, signature=signature, null_handling="special")
    codes = call(ibis.struct({name: cell.cast("float64") for name, (cell, _) in cells.items()}))
    return {name: codes[name] for name in names}


def _record(fields: Mapping[str, str]) -> str:
    """The type of a record, as Ibis writes it."""
    return f"struct<{', '.join(f'{name}: {kind}' for name, kind in fields.items())}>"


def _function_name(*edges: np.ndarray) -> str:
    """That of a function which finds numbers among these edges."""
    digest = hashlib.sha256()
    for some in edges:
        digest.update(len(some).to_bytes(8, "little") + some.tobytes())
    return f"edges_below_{digest.hexdigest()[:24]}"


def guide(edges: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, float]:
    """(edges, first, low, scale) as kernels.ranks takes them."""
    edges = np.asarray(edges, np.float64)
    width = float(edges[-1]) - float(edges[0])
    low, scale = float(edges[0]), PARTS / width if np.isfinite(width) and width > 0 else 0.0
    parts = np.array([part_of(edge, low, scale, PARTS) for edge in edges])
    return edges, np.searchsorted(parts, np.arange(PARTS + 2)).astype(np.int32), low, scale


def _by_buckets(cell, edges: np.ndarray):
    """By a function of PostgreSQL, which counts the edges that are not above a number: turned round."""
    ibis = _ibis()

    @ibis.udf.scalar.builtin(signature=(("float64", "array<float64>"), "int32"))
    def width_bucket(value, lowest): ...

    return len(edges) - width_bucket(-cell, ibis.literal((-edges[::-1]).tolist()))


def _by_workers(cell, edges: np.ndarray):
    """By a function that Spark hands to its workers, which need NumPy, pandas and Ibis, not treecore."""

    def search(numbers):
        return np.searchsorted(edges, numbers, side="left").astype(np.int32)

    return _ibis().udf.scalar.pandas(search, name=_function_name(edges), signature=(("float64",), "int32"))(cell)


def _each(search):
    """The searches of a function that knows nothing of missing numbers, for one column at a time."""

    def found(cell, edges: np.ndarray):
        cell = as_number(cell)
        lacking = _ibis().literal(len(edges) + 1, "int32")
        return _ibis().ifelse(cell.isnull(), lacking, search(cell, edges))

    return lambda cells: {name: found(*given) for name, given in cells.items()}


SEARCHES = {"duckdb": _by_kernel, "postgres": _each(_by_buckets), "pyspark": _each(_by_workers)}
"""How an engine of this name finds numbers among many edges."""


def _halved(cell, edges: Sequence[float]):
    """By a CASE that halves the edges."""
    ibis = _ibis()

    def between(low: int, high: int):
        if low == high:
            return ibis.literal(low, "int32")
        middle = (low + high) // 2
        return ibis.ifelse(cell <= exact(edges[middle]), between(low, middle), between(middle + 1, high))

    return ibis.ifelse(cell.isnull(), ibis.literal(len(edges) + 1, "int32"), between(0, len(edges)))


def exact(number: float):
    """float64, a literal: 0.1 as it is would be a decimal number to DuckDB."""
    return _ibis().literal(repr(float(number))).cast("float64")


def _ibis():
    import ibis

    return ibis


# The codes of a table's features: found once for all fits on it, and written down where that is worth it.

ROWS_WORTH_KEEPING = 20_000
"""Of fewer rows, codes are made anew in every query."""


@dataclass(frozen=True, eq=False, repr=False)
class FeatureCodes(Brief):
    """rows : an Ibis table with the code of each feature as c0, c1, … and the target as y, a class's place or a number
    less the table's center. names : of the codes. values : v0, v1, … of binned features, where cuts are moved within
    bins. is_cached : are they written down in the engine?
    """

    rows: Any
    names: tuple[str, ...]
    values: tuple[str, ...]
    is_cached: bool


def codes_of(table) -> FeatureCodes:
    """Those of a DatabaseTable. Codes that are written down are forgotten with it."""
    source, scales = table.source, table.scales
    names = tuple(f"c{i}" for i in range(len(scales)))
    most = max((scale.n_distinct for scale in scales.values()), default=0)
    cells = {name: code.cast(_small(source, most)) for name, code in _feature_codes(table, names).items()}
    values = _binned_values(table) if table.is_refined else {}
    rows = table.relation.select(**cells, **values, **_target_code(table))
    kept = source.cached(rows) if table.n_rows >= ROWS_WORTH_KEEPING else None
    if kept is None:
        return FeatureCodes(rows, names, tuple(values), False)
    source.forget_with(table, kept)
    return FeatureCodes(kept, names, tuple(values), True)


def _small(source: DatabaseSource, most: int) -> str:
    """The type of codes of which this is the largest."""
    return "uint8" if source.is_duckdb and most <= np.iinfo(np.uint8).max else "int16"


def _feature_codes(table, names: tuple[str, ...]) -> dict:
    """Name -> the code of a feature, in their order."""
    source, result, numbers = table.source, dict.fromkeys(names), {}
    for name, scale in zip(names, table.scales.values(), strict=True):
        cell = table.relation[scale.name]
        if isinstance(scale, CountedColumn) and scale.kind != "numeric":
            result[name] = level_code(as_text(cell), scale.texts, scale.n_distinct, source.is_duckdb)
        else:
            numbers[name] = cell, scale.edges if isinstance(scale, ColumnBins) else scale.distinct[:-1]
    return result | coded_together(numbers, source.engine)


def _binned_values(table) -> dict:
    binned = {f: scale.name for f, scale in enumerate(table.scales.values()) if isinstance(scale, ColumnBins)}
    return {f"v{f}": as_number(table.relation[name]) for f, name in binned.items()}


def _target_code(table) -> dict:
    if table.target is None:
        return {}
    cell = table.relation[table.target]
    if table.task == "classification":
        column = table.target_column
        code = level_code(as_text(cell), column.texts, column.n_distinct, table.source.is_duckdb)
        return {"y": code.cast(_small(table.source, column.n_distinct))}
    return {"y": as_number(cell) - table.target_center}
