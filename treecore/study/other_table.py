"""Another table than the one a tree was grown from, read so that the tree can judge its rows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from treecore.data.column import Column, Nominal, level_column, numeric_column, quoted, row_list
from treecore.data.level_index import NO_LEVEL, level_index, places_among
from treecore.data.number_reading import PLAIN
from treecore.data.raw import cell_counts, rows_with
from treecore.data.raw_table import RawTable
from treecore.data.read import build_table
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.target import EffectTarget, SurvivalTarget
from treecore.tree.oblique import refuse_oblique
from treecore.tree.schema import FeatureSchema
from treecore.tree.short_text import apart, shorten
from treecore.tree.tree import Tree

MOST_NAMED = 4


def other_table(
    tree: Tree,
    raw: RawTable,
    derive: Mapping[str, tuple[str, ...]] | None = None,
    weights: str | None = None,
    infinite: str = "error",
    needs_target: bool = True,
) -> Table:
    """The target and the features that the tree tests, of another file; its notes say what the tree cannot place.

    derive : date column -> parts that the tree's table derived; those it needs are derived here too.
    weights : column of case weights; without it in the file every row counts once, and a note says so.
    infinite : "error" or "missing", see build_table.
    needs_target : leave out rows without a target; else the target may be absent, and every row stays.
    Classes and levels that the tree does not know stay in the table and are counted in the notes. A column that only
    surrogates read may be absent: it counts as missing, and a note says so.
    TreecoreError names any other column that is absent or that cannot be read as the tree needs it.
    """
    refuse_oblique(tree, "another table's reading")
    parts = {f"{column}: {part}": (column, part) for column, told in (derive or {}).items() for part in _tuple(told)}
    read, asked = _features(tree)
    source = {f.name: parts[f.name][0] if f.name in parts else f.name for f in read}
    counts = tree.schema.counts
    needed = {tree.schema.target, *filter(None, (counts.exposure if counts is not None else "",))}
    target = tree.schema.target if needs_target or needed <= set(raw.names) else None
    _refuse_absent(raw, target, [source[name] for name in asked])
    present = [f for f in read if source[f.name] in raw.names]
    absent = [f for f in read if source[f.name] not in raw.names]
    wanted: dict[str, tuple[str, ...]] = {}
    for column, part in (parts[f.name] for f in present if f.name in parts):
        wanted[column] = (*wanted.get(column, ()), part)
    plain = [f for f in present if f.name not in parts]
    table = _built(tree, raw, plain, target, derive=wanted, infinite=infinite, features=[f.name for f in present],
                   weights=weights if weights in raw.names else None)  # fmt: skip
    notes = [f"There is no column '{f.name}', which only surrogates ask for: it counts as missing." for f in absent]
    if weights is not None and table.weights is None:
        notes.append(f"There is no column '{weights}' of weights: every row counts 1.")
    if needs_target:
        table = _judged(table)
    notes += _unplaced(tree, present, table)
    columns = (*table.columns, *(_empty(f, table.n_rows) for f in absent))
    return replace(table, columns=columns, features=tuple(f.name for f in read), notes=(*table.notes, *notes))


def _tuple(parts) -> tuple[str, ...]:
    return (parts,) if isinstance(parts, str) else tuple(parts)


def _features(tree: Tree) -> tuple[list[FeatureSchema], set[str]]:
    """The features that splits or surrogates of the tree read, and the names of those that splits do."""
    asked = tree.asked
    read = np.union1d(asked, tree.surrogates.feature).astype(int)
    return [tree.schema.features[f] for f in read], {tree.schema.features[f].name for f in asked}


def _refuse_absent(raw: RawTable, target: str | None, features: list[str]) -> None:
    if target is not None and target not in raw.names:
        raise TreecoreError(
            f"It is what the tree predicts, and the table {raw.source} has no such column",
            where=f"Column '{target}'",
            remedy="Add the column with its values",
        )
    absent = [name for name in sorted(features) if name not in raw.names]
    if len(absent) == 1:
        raise TreecoreError(
            f"It is tested by the tree, and the table {raw.source} has no such column",
            where=f"Column '{absent[0]}'",
            remedy="Add the column; it may be empty",
        )
    if absent:
        more = f" and {len(absent) - MOST_NAMED} more" if len(absent) > MOST_NAMED else ""
        raise TreecoreError(
            f"They are tested by the tree, and the table {raw.source} has none of them",
            where=f"Columns {', '.join(map(repr, absent[:MOST_NAMED]))}{more}",
            remedy="Add the columns; they may be empty",
        )


def _built(tree: Tree, raw: RawTable, plain: list[FeatureSchema], target: str | None, **settings) -> Table:
    """The table with columns of the kinds that the tree knows them by."""
    kinds: dict[str, Any] = {f.name: "numeric" if f.by_number else "nominal" for f in plain}
    known = {f.name: f.levels for f in plain}
    wanted: Any = target
    counts = tree.schema.counts
    if target is not None and not isinstance(counts, SurvivalTarget | EffectTarget):  # which may be words such as yes
        kinds[target], known[target] = "nominal" if tree.classes else "numeric", tree.classes
    for name in [name for name, kind in kinds.items() if kind == "numeric"]:
        _refuse_words(raw, name)
    if target is not None and counts is not None:
        if counts.exposure:
            _refuse_absent(raw, None, [counts.exposure])
            if not isinstance(counts, EffectTarget):
                _refuse_words(raw, counts.exposure)
        wanted = counts.spec(target)
        if isinstance(counts, EffectTarget):  # rows of one arm are judged, too
            wanted = replace(wanted, treated=counts.treated)
    result = build_table(raw, target=wanted, kinds=kinds, **settings)
    # Declared levels win over tokens of missing values ("None" may be a level), so the known ones come first.
    for name in [name for name, kind in kinds.items() if kind == "nominal"]:
        kinds[name] = Nominal(_united(known[name], result.column(name).level_names, _numbers_of(raw, name)))
    made = build_table(raw, target=wanted, kinds=kinds, **settings)
    return replace(made, counts=counts) if target is not None and isinstance(counts, EffectTarget) else made


def _refuse_words(raw: RawTable, name: str) -> None:
    """TreecoreError where cells are no numbers; the tree is grown, so the column cannot become another kind."""
    column, bad = raw.column(name), raw.number_readings[name].bad
    texts = np.flatnonzero(bad & (cell_counts(column) > 0)) if bad.any() else bad[:0]
    if not len(texts):
        return
    rows = [rows_with(column, np.arange(len(bad)) == text) for text in texts[:MOST_NAMED]]
    told = [f"{quoted(str(column.cells[int(t)]))} ({_at(r)})" for t, r in zip(texts, rows, strict=False)]
    more = f" and {len(texts) - MOST_NAMED:,} other values" if len(texts) > MOST_NAMED else ""
    n = len(rows_with(column, bad))
    raise TreecoreError(
        f"The tree needs numbers here, and {_rows(n)} {'holds' if n == 1 else 'hold'} none: {', '.join(told)}{more}",
        where=f"Column '{name}'",
        remedy="Leave these cells empty, which counts as unknown, or correct them in the file",
    )


def _at(rows: np.ndarray) -> str:
    return row_list(rows) if len(rows) <= 3 else f"{len(rows):,} rows, first at {row_list(rows)}"


def _judged(table: Table) -> Table:
    """The rows whose target is known; TreecoreError where there are none."""
    if not table.target_column.present().any():
        raise TreecoreError(
            "No row has a value, and it is what the tree predicts",
            where=f"Column '{table.target}'",
            remedy="Add the column with its values",
        )
    return table.without_missing_target()


def _empty(feature: FeatureSchema, n_rows: int) -> Column:
    if feature.by_number:
        return numeric_column(feature.name, np.full(n_rows, np.nan))
    return level_column(feature.name, feature.kind, np.full(n_rows, -1), feature.levels)


def _numbers_of(raw: RawTable, name: str) -> dict[str, float]:
    """The numbers that the texts of a column are, where they are written in the file's own way: 0,5."""
    column, reading = raw.column(name), raw.number_readings[name]
    if column.content != "text" or not reading.is_numeric or reading.is_ambiguous or reading.formats[:1] == (PLAIN,):
        return {}
    return dict(zip(column.cells.to_pylist(), reading.values.tolist(), strict=True))


def _united(known: tuple[str, ...], found: tuple[str, ...], numbers: dict[str, float]) -> list[str]:
    """The levels that the tree knows, and the file's others in their own spelling."""
    place = level_index(known).place
    return [*known, *(level for level in found if level not in set(known) and place(numbers.get(level)) < 0)]


def _unplaced(tree: Tree, features: list[FeatureSchema], table: Table) -> list[str]:
    """A sentence for every column with classes or levels that the tree does not know."""
    notes = []
    if tree.classes and table.target is not None:
        n, names = _unknown(tree.classes, table.target_column)
        if n:
            notes.append(f"{_rows(n)} of classes the tree does not know ({names}) are in no bar and in no test.")
    for feature in features:
        column = table.column(feature.name)
        n, names = (0, "") if column.kind == "numeric" else _unknown(feature.level_names, column)
        if n:
            s = "s" if n == 1 else ""
            goes = f"count{s} as missing, as no threshold can place them" if feature.kind == "ordinal" else (
                f"take{s} the branch for unseen levels")  # fmt: skip
            notes.append(f"{_rows(n)} with levels of '{feature.name}' the tree does not know ({names}) {goes}.")
    return notes


def _unknown(known: tuple[str, ...], column) -> tuple[int, str]:
    """Rows whose level is not known, and which levels these are."""
    present, place = column.present(), places_among(known, column.levels)
    levels = [
        (level, int(n)) for level, n, at in zip(column.levels, present, place, strict=True) if n and at == NO_LEVEL
    ]
    places = apart(level for level, _ in levels[:MOST_NAMED])
    names = ", ".join(shorten(level, 40, places) for level, _ in levels[:MOST_NAMED])
    more = f" and {len(levels) - MOST_NAMED} more" if len(levels) > MOST_NAMED else ""
    return sum(n for _, n in levels), names + more


def _rows(n: int) -> str:
    return f"{n:,} row{'s' if n != 1 else ''}"
