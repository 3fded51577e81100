"""The columns of a table that stays where it is, as the engine describes them."""

import numpy as np

from treecore.data.column import frozen
from treecore.database.dealt import PARTS, hash_of, part_of
from treecore.database.describe import (
    MOST_CLASSES,
    MOST_LEVELS,
    ROWS_OF_EDGES,
    Plan,
    as_number,
    as_text,
    binned_column,
    coded,
    counts_of,
    edges_of,
    levelled,
    numbered,
)
from treecore.database.source import Source
from treecore.errors import TreecoreError
from treecore.growing.aggregates.counted import CountedColumn


def level_columns(source: Source, relation, plans: tuple[Plan, ...]) -> tuple[dict[str, CountedColumn], list[str]]:
    """(columns with levels by name, sentences on those left out because they have too many)."""
    found, notes = {}, []
    for plan in (p for p in plans if p.kind != "numeric"):
        counts = counts_of(source, relation, as_text(relation[plan.name]), MOST_LEVELS)
        if counts is None:
            notes.append(f"Column {plan.name!r} has more than {MOST_LEVELS} levels and was left out.")
        else:
            found[plan.name] = levelled(plan, counts)
    return found, notes


def number_columns(source: Source, relation, names: tuple[str, ...], n_codes: int) -> dict[str, tuple]:
    """(column, edges between its codes) of each numeric column by name: the values themselves where they are few."""
    some = _some_values(source, relation, names)
    found, many = {}, {}
    for name, values in some.items():
        counts = None
        if len(np.unique(values)) <= n_codes:  # else there are more in all rows, too
            counts = counts_of(source, relation, as_number(relation[name]), n_codes)
        if counts is None:
            many[name] = edges_of(values, n_codes)
        else:
            column = numbered(Plan(name, "numeric"), counts)
            found[name] = column, column.distinct[:-1]
    found |= _binned(source, relation, many) if many else {}
    return {name: found[name] for name in names}


def _some_values(source: Source, relation, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Name -> values of some rows, without missing ones."""
    rows = source.run(some_rows(source, relation, ROWS_OF_EDGES).select(**{n: as_number(relation[n]) for n in names}))
    given = {name: rows[name].to_numpy(zero_copy_only=False).astype(np.float64) for name in names}
    return {name: values[~np.isnan(values)] for name, values in given.items()}


def _binned(source: Source, relation, edges: dict[str, np.ndarray]) -> dict[str, tuple]:
    """The columns in bins between these edges, all counted by one query."""
    import ibis

    deferred, counted = _deferred(), []
    for i, (name, between) in enumerate(edges.items()):
        cell = as_number(relation[name])
        grouped = relation.select(code=coded(cell, between, source.engine), value=cell).group_by("code")
        told = grouped.agg(n=deferred.code.count(), low=deferred.value.min(), high=deferred.value.max())
        counted.append(told.mutate(column=ibis.literal(i, "int32")))
    rows = source.run(counted[0] if len(counted) == 1 else ibis.union(*counted)).to_pydict()
    bins: list[dict] = [{} for _ in edges]
    for i, code, *told in zip(rows["column"], rows["code"], rows["n"], rows["low"], rows["high"], strict=True):
        bins[i][code] = tuple(told)
    parts = zip(edges.items(), bins, strict=True)
    return {name: binned_column(Plan(name, "numeric"), between, told) for (name, between), told in parts}


def target_column(source: Source, relation, plan: Plan) -> CountedColumn:
    """The target, as classes or as a number of which the smallest and the largest value are known.

    Whole numbers of few values are classes unless the plan has been asked for.
    """
    cell = relation[plan.name]
    if plan.kind != "numeric":
        counts = counts_of(source, relation, as_text(cell), MOST_LEVELS)
        if counts is None:
            raise TreecoreError(
                f"It has more than {MOST_LEVELS} classes", where=f"Target {plan.name!r}", remedy="Choose another target"
            )
        return levelled(plan, counts)
    number, deferred = as_number(cell), _deferred()
    all_of_it = relation.select(y=number).agg(n=deferred.y.count(), low=deferred.y.min(), high=deferred.y.max())
    told = {name: column[0] for name, column in source.run(all_of_it).to_pydict().items()}
    ends = [] if not told["n"] else sorted({told["low"], told["high"]})
    counts = np.zeros(len(ends) + 1, np.int64)
    counts[0] = told["n"]
    codes = frozen(np.arange(len(ends), dtype=np.int32))
    values = frozen(np.array(ends, np.float64))
    return CountedColumn(plan.name, "numeric", codes, distinct=values, counts=frozen(counts))


def are_classes(source: Source, relation, name: str) -> bool:
    """Has this column of whole numbers so few values that they are classes?"""
    counts = counts_of(source, relation, as_text(relation[name]), MOST_CLASSES)
    return counts is not None


def some_rows(source: Source, relation, n: int, seed: int = 0):
    """About n rows, the same ones every time: those whose hash is small."""
    n_rows = source.run(relation.agg(n=_deferred().count()))["n"][0].as_py()
    if n_rows <= n:
        return relation
    return relation.filter(part_of(hash_of(relation, ()), f"sample {seed}") < round(n / n_rows * PARTS))


def _deferred():
    import ibis

    return ibis._
