"""Opening a table where it is."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from treecore.database.address import MEMORY, source_of
from treecore.database.describe import Plan, as_text, plan_of
from treecore.database.source import Source, columns_of
from treecore.database.summary import are_classes, level_columns
from treecore.database.table import N_CODES, DatabaseTable
from treecore.errors import TreecoreError


def open_table(
    address: object,
    target: str | None = None,
    *,
    kinds: Mapping | None = None,
    features: Iterable[str] | None = None,
    key: str | Iterable[str] = (),
    n_codes: int = N_CODES,
    memory: str = MEMORY,
    refine: bool | None = None,
) -> DatabaseTable:
    """A table that is grown on where it is; no more of it than counts comes into memory.

    address : a Parquet, CSV or JSON file, a folder or a pattern of them; "duckdb:///sales.db::orders", a file of SQLite
        or what else Ibis connects to, with ::table at the end; or an Ibis table. It is only read.
    kinds, features : as of read_table; text is nominal and numbers are numeric, but for a target of few whole numbers.
    key : columns that tell rows apart, by which roles are dealt. n_codes : bins of a numeric feature with more values.
    memory : what DuckDB may take, where it is the engine.
    refine : search the values of the two bins beside each chosen cut for a better one, with one more query for every
        level; None where there are at most a million rows. Thresholds of 32 bits are not refined.
    Raises TreecoreError where there is nothing to read, or no right to.
    """
    source = source_of(address, memory)
    key = (key,) if isinstance(key, str) else tuple(key)
    return opened(source, target, kinds or {}, features, key, n_codes, refine)


def opened(
    source: Source, target, kinds: Mapping, features, key: tuple[str, ...], n_codes: int, refine: bool | None = None
) -> DatabaseTable:
    """The table of a source; the rest as in open_table."""
    types = dict(columns_of(source.relation))
    for name in (*kinds, *([target] if target else []), *(features or ()), *key):
        if name not in types:
            known = ", ".join(repr(n) for n in list(types)[:12])
            raise TreecoreError(f"There is no column {name!r}", where=source.name, remedy=f"The columns are: {known}")
    plans, notes = [], []
    for name, kind in types.items():
        plan = plan_of(name, kind, kinds.get(name))
        plans += [plan] if plan else []
        notes += [] if plan else [f"Column {name!r} was left out: no tree splits on its type, {kind}."]
    relation = source.relation
    if target:
        relation, more = _with_target(source, relation, target, dict(types), plans)
        plans = _classes(source, relation, target, types, kinds, plans)
        notes += more
    wanted = tuple(features) if features is not None else tuple(p.name for p in plans if p.name not in (target, *key))
    lost = [name for name in wanted if name not in {p.name for p in plans}]
    if lost:
        raise TreecoreError(
            f"No tree splits on its type, {types[lost[0]]}", where=f"Column {lost[0]!r}", remedy="Cast it in a view"
        )
    levels, too_many = level_columns(source, relation, tuple(p for p in plans if p.name in (*wanted, target)))
    if target in levels and (gone := levels[target].missing_texts):
        relation = relation.filter(~as_text(relation[target]).isin(gone))
        notes.append(f"{levels[target].n_missing} rows were left out: their target {target!r} is an empty text.")
    if features is None:
        names = {p.name for p in plans if p.kind != "numeric"} - set(levels)
        wanted, notes = tuple(n for n in wanted if n not in names), [*notes, *too_many]
    declared = {name: Plan(name, column.kind, column.levels, column.texts) for name, column in levels.items()}
    return DatabaseTable(source, relation, tuple(plans), target, wanted, n_codes, key, declared, tuple(notes), refine)


def _with_target(source: Source, relation, target: str, types: Mapping, plans: list[Plan]):
    """(the rows with a target, sentences on the others)."""
    if target not in {p.name for p in plans}:
        raise TreecoreError(
            f"No tree predicts its type, {types[target]}", where=f"Target {target!r}", remedy="Cast it in a view"
        )
    cell = relation[target]
    known = as_text(cell).notnull()
    told = source.run(relation.agg(n=relation.count(), known=known.sum())).to_pydict()
    lost = told["n"][0] - (told["known"][0] or 0)
    if lost and lost == told["n"][0]:
        raise TreecoreError(
            "It is missing in every row", where=f"Target {target!r}", remedy="Choose another column to predict"
        )
    note = [f"{lost} of {told['n'][0]} rows were left out: their target {target!r} is missing."] if lost else []
    return (relation.filter(known) if lost else relation), note


def _classes(source: Source, relation, target: str, types: Mapping, kinds: Mapping, plans: list[Plan]) -> list[Plan]:
    """The plans, where a target of few whole numbers has classes."""
    if target in kinds or not types[target].is_integer() or not are_classes(source, relation, target):
        return plans
    return [Plan(p.name, "nominal") if p.name == target else p for p in plans]


def is_address(text: str | Path) -> bool:
    """Does this text name a table of a database rather than a file?"""
    return "::" in str(text)
