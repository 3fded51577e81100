"""A file, bytes or a frame becomes a table: kinds settled, cells encoded, features and target chosen."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treecore.data.column import (
    Column,
    first_rows,
    kind_and_levels,
    level_column,
    number_labels,
    numeric_column_of_codes,
    quoted,
    unknown_level,
)
from treecore.data.dates import DATE_PARTS, DatePart, DateReading, read_dates
from treecore.data.frames import kind_of
from treecore.data.kinds import FEATURE, LEFT_OUT, ColumnGuess, is_label_like
from treecore.data.level_index import moment_labels, not_a_number, places_among, recoded, require_two_levels, truths
from treecore.data.number_reading import NumberReading
from treecore.data.options import ReadOptions, read_options
from treecore.data.raw import (
    Doubt,
    RawColumn,
    cell_counts,
    is_one_of,
    merged_spellings,
    number_texts,
    rows_with,
    sorted_words,
    stripped_texts,
    words_of,
)
from treecore.data.raw_table import RawTable, infer_kinds
from treecore.data.readers import read_raw
from treecore.data.table import Table, checked_weights, no_such_column
from treecore.data.table_like import with_arms
from treecore.data.target_guess import target_kind
from treecore.data.vocabulary import boolean_levels, ordered_levels
from treecore.errors import TreecoreError
from treecore.figures import counted
from treecore.target import Counted, EffectTarget

if TYPE_CHECKING:
    from treecore.data.table import SourceLike


# Columns derived from dates: `sold: year`, `sold: month`.


def derived_columns(raw: RawTable, derive: Mapping[str, tuple[str, ...]]) -> list[Column]:
    """One column per date column and part, named "column: part", in the order asked for.

    TreecoreError for a column that holds no dates, an unknown part, or one that depends on which of two numbers
    is the month when the file leaves that open.
    """
    columns = []
    for name, parts in derive.items():
        parts = (parts,) if isinstance(parts, str) else parts
        codes, dates = _dates(raw, raw.column(name))
        for part in (DATE_PARTS[part] for part in parts):
            columns.append(_part(name, codes, dates, part))
    return columns


def months(raw: RawTable, name: str | None = None) -> list[str] | None:
    """The month of each row of a file such as "2026-11", "" where no date is known.

    name : the column of dates; None takes the only one there is, and gives None where there is none or several.
    TreecoreError for a column that is absent or holds no dates, or whose months could be days.
    """
    if name is None:
        dated = [guess.name for guess in raw.guesses if "month" in guess.derived]
        return months(raw, dated[0]) if len(dated) == 1 else None
    codes, dates = _dates(raw, raw.column(name))
    _refuse_uncertain(name, "month", dates)
    names = np.append(np.asarray(dates.stamps, "datetime64[M]").astype(str), "")
    return np.where(names == "NaT", "", names)[codes].tolist()


def _dates(raw: RawTable, column: RawColumn) -> tuple[np.ndarray, DateReading]:
    """Codes (n_rows,), -1 for missing, into the dates."""
    if column.content == "date":
        return column.codes, DateReading(np.asarray(column.cells), False, True)
    dates = None
    if column.content in ("text", "number"):
        texts = stripped_texts(column) if column.content == "text" else number_texts(column)
        known = ~is_one_of(texts, raw.options.missing_tokens(among_numbers=True))
        dates = read_dates(texts.filter(known), raw.options.dayfirst)
    if dates is None:
        raise TreecoreError(
            "It does not hold dates throughout",
            where=f"Column '{column.name}'",
            remedy="Derive parts only of a column of dates, all written in the same way.",
        )
    place = np.where(known, np.cumsum(known) - 1, -1)
    return np.append(place, -1)[column.codes], dates


def _part(name: str, codes: np.ndarray, dates: DateReading, part: DatePart) -> Column:
    if part.needs_order:
        _refuse_uncertain(name, part.name, dates)
    values = part.compute(dates.stamps)
    new_name = f"{name}: {part.name}"
    if part.levels is None:
        return numeric_column_of_codes(new_name, codes, values.astype(np.float64))
    return level_column(new_name, "ordinal", np.append(values, -1)[codes], part.levels)


def _refuse_uncertain(name: str, part: str, dates: DateReading) -> None:
    if dates.ambiguous:
        raise TreecoreError(
            f"The {part} is uncertain: day and month could change places in every date",
            where=f"Column '{name}'",
            remedy="Say which comes first",
            setting="dayfirst=True or dayfirst=False",
        )


# From a raw table to a table: kinds settled, cells encoded, features and target chosen.

LISTED = 5  # words named in a note
BY_SPACES = "spaces around them", "with spaces"
UNSEEN = "signs that cannot be seen, or by how accents are written,", "otherwise"


@dataclass(frozen=True)
class _Plan:
    """What a column shall become: a kind, and levels that somebody declared, were guessed, or None."""

    kind: str
    levels: tuple[str, ...] | None
    declared: bool


def build_table(
    raw: RawTable,
    *,
    target: str | Counted | None = None,
    kinds: Mapping | None = None,
    features: Iterable[str] | None = None,
    weights: Any = None,
    derive: Mapping | None = None,
    infinite: str = "error",
) -> Table:
    """The table of a raw table.

    target : the column that a tree shall predict, or Counts of one with its exposure, Survival or Effect.
    kinds : column name -> kind, Ordinal([...]) or Nominal([...]); other columns are guessed.
    features : names, derived ones too; None for every guessed feature, every derived column, and every column
        that `kinds` turns into numbers or gives levels.
    weights : a column's name, or numbers (n_rows,), >= 0.
    derive : date column -> parts, {"sold": ("year", "month")}; each becomes a column "sold: year".
    infinite : "error" or "missing".
    TreecoreError names the column and the first rows of what does not fit.
    """
    kinds = dict(kinds or {})
    counts = target if isinstance(target, Counted) else None
    target = target.name if isinstance(target, Counted) else target
    apart: tuple[str, ...] = ()
    if counts is not None:
        apart = tuple(filter(None, (counts.name, counts.exposure)))
        kinds = dict.fromkeys(counts.numbers, "numeric") | kinds
        features = None if features is None else [name for name in features if name not in apart]
    worded = counts is not None and counts.takes_words
    if worded and target is not None and kinds[target] == "numeric" and target in raw.names and _has_words(raw, target):
        del kinds[target]
    weight_name = weights if isinstance(weights, str) else None
    derived = derived_columns(raw, derive or {})
    _refuse_unknown(raw, derived, [*kinds, target, weight_name, *apart])
    derived = [recoded(column, kinds[column.name]) if column.name in kinds else column for column in derived]
    guesses = {guess.name: guess for guess in infer_kinds(raw)}
    notes = list(raw.notes)
    if target in guesses and target not in kinds and target_kind(guesses[target]) != guesses[target].kind:
        kinds[target] = target_kind(guesses[target])
        notes.append(
            f"The target '{target}' holds {guesses[target].n_distinct} different whole numbers, taken as classes; "
            "make it numeric to predict the number."
        )
    if features is None:
        chosen = [name for name, guess in guesses.items() if _is_feature(guess, kinds.get(name))]
        chosen += [column.name for column in derived]
        exposure = counts.exposure if counts is not None else None
        features = [name for name in chosen if name not in (target, weight_name, exposure)]
        notes += _left_out_notes(guesses, [*features, target, weight_name, exposure])
    features = tuple(features)
    # An infinite value is no fault in a column that nobody uses: "leave it out" is a remedy that must work.
    used = {*features, target, weight_name, counts.exposure if counts is not None else None}
    policy = {name: infinite if name in used else "missing" for name in raw.names}
    columns = [_cached_column(raw, c, guesses[c.name], kinds.get(c.name), policy[c.name]) for c in raw.columns]
    if worded:
        columns = [truths(c) if c.name == target and c.kind != "numeric" else c for c in columns]
    levelled = [column.name for column in columns if column.name in used and column.kind != "numeric"]
    for result, told_apart, by in ((raw.merged, *BY_SPACES), (raw.merged_unseen, *UNSEEN)):
        notes += [_merged_note(name, result[name], told_apart, by) for name in levelled if name in result]
    telling = dict(raw.telling_doubts(next(c for c in columns if c.name == target))) if target in guesses else {}
    doubts = ((n, d) for n in raw.names if n in used and n not in kinds for d in guesses[n].doubts)
    notes += [doubt_note(n, doubt_with_target(doubt, telling.get(n))) for n, doubt in doubts]
    kind, columns = None if counts is None else counts.kind, [*columns, *derived]
    if isinstance(kind, EffectTarget):
        assert target is not None
        by_name = {column.name: column for column in columns}
        kind = with_arms(kind, by_name[target], by_name[kind.treatment])
    table = Table(columns=tuple(columns), target=target, features=features, notes=tuple(notes), counts=kind)
    table = table.with_weights(_weights(table, weights))
    return _without_repeats(table, len(raw.names)) if raw.options.distinct_rows else table


def _has_words(raw: RawTable, name: str) -> bool:
    """Are some of its cells no numbers?"""
    return bool((raw.number_readings[name].bad & (cell_counts(raw.column(name)) > 0)).any())


def _without_repeats(table: Table, n_read: int) -> Table:
    """The first one of rows that are equal in every column read, and in weight; a note says how many others there
    were."""
    cells = [column.codes for column in table.columns[:n_read]]
    rows = first_rows([*cells, *([] if table.weights is None else [table.weights])])
    n = table.n_rows - len(rows)
    if n == 0:
        return table
    told = f"{counted(n, 'row')} of {table.n_rows:,} left out: equal to an earlier one in every column."
    return replace(table.take(rows), notes=(*table.notes, told))


def _is_feature(guess: ColumnGuess, spec: Any) -> bool:
    """An explicit kind that says more than the guess means that the column shall be used."""
    telling = spec == "numeric" != guess.kind or not (spec is None or isinstance(spec, str))
    return guess.use == FEATURE or telling


def _refuse_unknown(raw: RawTable, derived: Sequence[Column], names: Iterable[str | None]) -> None:
    known = (*raw.names, *(column.name for column in derived))
    for name in names:
        if name is not None and name not in known:
            raise no_such_column(name, known)


def _merged_note(name: str, words: Sequence[tuple[str, int]], apart: str, by: str) -> str:
    listed = ", ".join(f"{quoted(word)} {counted(n, 'time')}" for word, n in words[:LISTED])
    more = f" and {counted(len(words) - LISTED, 'more word')}" if len(words) > LISTED else ""
    return f"Column '{name}': words that differ only by {apart} were read as the same ({by}: {listed}{more})."


def doubt_with_target(doubt: Doubt, telling: Doubt | None) -> Doubt:
    """The same doubt with what it says of the target, where that is known."""
    return telling if telling and telling.remedies[:1] == doubt.remedies else doubt


def doubt_note(name: str, doubt: Doubt) -> str:
    """What is said of a column's cells that could mean something else."""
    return f"Column '{name}': {doubt.text}"


def _left_out_notes(guesses: Mapping[str, ColumnGuess], used: Iterable[str | None]) -> list[str]:
    used = frozenset(used)
    return [
        f"Column '{name}' is left out: {guess.reason.removeprefix('Left out: ')}"
        for name, guess in guesses.items()
        if guess.use == LEFT_OUT and name not in used
    ]


def _weights(table: Table, weights: Any) -> np.ndarray | None:
    if weights is None:
        return None
    if not isinstance(weights, str):
        return checked_weights(weights, table.n_rows)
    column = table.column(weights)
    if column.kind == "nominal" or column.kind == "ordinal":
        raise TreecoreError(
            f"It is {column.kind}, so its values are no weights",
            where=f"Column '{weights}'",
            remedy="Choose a numeric column for the weights.",
        )
    return checked_weights(column.values(), table.n_rows, where=f"Column '{weights}'")


def _cached_column(raw: RawTable, column: RawColumn, guess: ColumnGuess, spec: Any, infinite: str) -> Column:
    """The column as it was encoded last, where nothing else is asked of it now: of many columns few change."""
    asked, kept = (spec, infinite), raw.encoded.get(column.name)
    if kept is None or kept[0] != asked:
        kept = raw.encoded[column.name] = asked, _column(raw, column, guess, spec, infinite)
    return kept[1]


def _column(raw: RawTable, column: RawColumn, guess: ColumnGuess, spec: Any, infinite: str) -> Column:
    if spec is None:
        plan = _Plan(guess.kind, guess.levels, False)
    else:
        kind, levels = kind_and_levels(spec, where=f"Column '{column.name}'")
        plan = _Plan(kind, levels, levels is not None)
    if plan.kind == "numeric":
        return _numeric(raw, column, infinite, asked=spec is not None)
    return _levelled(column, plan, raw.value_options, raw.number_readings[column.name])


def _numeric(raw: RawTable, column: RawColumn, infinite: str, asked: bool) -> Column:
    reading = raw.number_readings[column.name]
    if reading.is_ambiguous and asked:
        raise TreecoreError(
            f"Values such as {reading.texts[0].as_py()!r} can have a decimal or a thousands separator",
            where=f"Column '{column.name}'",
            remedy="Say which is the decimal sign",
            setting='decimal="." or decimal=","',
        )
    bad = reading.bad & (cell_counts(column) > 0) if reading.bad.any() else reading.bad
    if bad.any():
        rows = rows_with(column, bad)
        cell = column.cells[int(column.codes[rows[0]])]
        text = cell.as_py() if hasattr(cell, "as_py") else str(cell)
        raise not_a_number(column.name, text, rows_with(column, _same(column, bad, rows[0])))
    result = numeric_column_of_codes(column.name, column.codes, reading.values, infinite=infinite)
    return replace(result, unit=reading.sign) if reading.sign else result


def _same(column: RawColumn, bad: np.ndarray, row: int) -> np.ndarray:
    """The bad cells that are the one in this row: the message names one text and where it stands."""
    only = np.zeros_like(bad)
    only[column.codes[row]] = True
    return only


def _levelled(column: RawColumn, plan: _Plan, options: ReadOptions, reading: NumberReading) -> Column:
    """The column as levels; declared levels win over missing tokens of the same spelling, and a cell that has no
    level's text is the level whose value it has: 1.0 is 1."""
    if column.content == "levels":
        words = merged_spellings(_text_array(column.cells), column.name, options)
        missing = np.zeros(len(column.cells), dtype=bool)
    else:
        words, missing = _words(column, options)
    if plan.levels is not None and plan.declared:
        missing = missing & ~is_one_of(words, plan.levels)
    levels, are_numbers = plan.levels, column.content == "text" and reading.is_numeric and not is_label_like(reading)
    if levels is not None and not plan.declared and are_numbers:  # 0 and 1, beside what is missing among numbers
        missing = missing | reading.missing
    present = ~missing & (cell_counts(column) > 0)
    if levels is None and are_numbers:
        words = _once_each(words, present, reading.values)
    if levels is None and column.content == "levels":
        scale = ordered_levels(column.cells) if plan.kind == "ordinal" and not column.ordered else None
        levels = scale or column.cells
    if levels is not None and not plan.declared and column.content == "levels":
        levels = tuple(dict.fromkeys(merged_spellings(_text_array(levels), column.name, options).to_pylist()))
    elif levels is None:
        levels = _default_levels(words.filter(present).unique(), plan.kind)
    if plan.kind == "boolean":
        require_two_levels(column.name, levels)
    code = _index_in(words, levels)
    other = np.flatnonzero(present & (code < 0))
    if len(other):
        result = places_among(levels, words.take(other).to_pylist())
        numbers = places_among(levels, reading.values[other].tolist()) if are_numbers else result
        code[other] = np.where(result < 0, numbers, result)
    unknown = present & (code < 0)
    if unknown.any():
        rows = rows_with(column, unknown)
        first = int(column.codes[rows[0]])
        raise unknown_level(
            column.name, words[first].as_py(), rows_with(column, _same(column, unknown, rows[0])), levels
        )
    code[missing] = -1
    return level_column(column.name, plan.kind, np.append(code, -1)[column.codes], levels)


def _once_each(words: Any, present: np.ndarray, values: np.ndarray) -> Any:
    """The texts; of whole numbers of which one has two texts, such as 1 and 1.0, each number's usual one."""
    used = values[present]
    if not (np.floor(used) == used).all() or len(np.unique(used)) == len(words.filter(present).unique()):
        return words
    return _text_array(label if known else "" for label, known in zip(number_labels(values), present, strict=True))


def _words(column: RawColumn, options: ReadOptions) -> Any:
    """(texts (k,), missing bool (k,)) of a column that is not declared in levels."""
    if column.content == "date":
        labels = moment_labels(np.asarray(column.cells))
        return _text_array(labels), np.zeros(len(labels), dtype=bool)
    if column.content == "text":
        return words_of(column, options)
    texts = number_texts(column)
    missing = is_one_of(texts, options.missing_words(column.name))
    return merged_spellings(texts, column.name, options), missing


def _text_array(texts: Iterable[str]) -> Any:
    import pyarrow as pa

    return pa.array(list(texts), pa.string())


def _default_levels(words: Any, kind: str) -> tuple[str, ...]:
    """The order levels get when nobody declares one: a known pair or scale, else sorted."""
    listed = words.to_pylist() if len(words) <= 50 else []
    if kind == "boolean" and (pair := boolean_levels(listed)):
        return pair
    if kind == "ordinal" and (scale := ordered_levels(listed)):
        return scale
    return sorted_words(words)


def _index_in(words: Any, levels: Sequence[str]) -> np.ndarray:
    """int64 (k,): the place of each word among the levels, -1 for none."""
    from pyarrow import compute

    place = compute.index_in(words, value_set=_text_array(levels))
    return place.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)


def read_table(
    source: "SourceLike",
    target: str | Counted | None = None,
    kinds: Mapping | None = None,
    features: Iterable[str] | None = None,
    weights: str | np.ndarray | None = None,
    *,
    name: str | None = None,
    derive: Mapping | None = None,
    infinite: str = "error",
    **options: Any,
) -> Table:
    """Read and encode a table; see build_table for the arguments and ReadOptions for the options.

    source : a path, bytes, an open file or a frame of pandas, polars or pyarrow; what the table gives as a frame is of
        the same kind. Files are recognised by content, not by their names: CSV, TSV, Parquet, Feather, JSON records,
        ARFF; with `pip install 'treecore[files]'` Excel and ODS, SPSS, Stata, SAS and R; .gz, .bz2, .xz, .zst and .zip
        of these are unpacked.
    target : None leaves it open; Table.with_target chooses one later. Counts("claims", exposure="years") is a target of
        counts, Survival("months", "died") one of times until an event, Effect("recovered", "drug", control="placebo")
        one of effects of a treatment.
    """
    raw = read_raw(source, name=name, options=read_options(options))
    table = build_table(
        raw, target=target, kinds=kinds, features=features, weights=weights, derive=derive, infinite=infinite
    )
    return replace(table, frame=kind_of(source))
