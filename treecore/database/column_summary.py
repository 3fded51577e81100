"""The columns of a table that stays where it is, as the engine describes them."""

import numpy as np

from treecore.data.column import frozen
from treecore.database.connection import DatabaseSource
from treecore.database.engine_columns import (
    MOST_CLASSES,
    MOST_LEVELS,
    ROWS_OF_EDGES,
    ColumnBins,
    Plan,
    as_number,
    as_text,
    binned_column,
    coded,
    edges_of,
    levelled,
    numbered,
    value_counts,
)
from treecore.database.hash_split import _deferred, some_rows
from treecore.errors import TreecoreError
from treecore.growing.counted_table import CountedColumn


def level_columns(
    source: DatabaseSource, relation, plans: tuple[Plan, ...]
) -> tuple[dict[str, CountedColumn], list[str]]:
    """(columns with levels by name, sentences on those left out because they have too many)."""
    result, notes = {}, []
    for plan in (p for p in plans if p.kind != "numeric"):
        counts = value_counts(source, relation, as_text(relation[plan.name]), MOST_LEVELS)
        if counts is None:
            notes.append(f"Column {plan.name!r} has more than {MOST_LEVELS} levels and was left out.")
        else:
            result[plan.name] = levelled(plan, counts, relation[plan.name].type())
    return result, notes


def number_scales(
    source: DatabaseSource, relation, names: tuple[str, ...], n_codes: int
) -> dict[str, CountedColumn | ColumnBins]:
    """Each numeric column by name: with its values where they are few, else its bins."""
    some = _some_values(source, relation, names) if names else {}
    result = {}
    for name, values in some.items():
        counts = None
        if len(np.unique(values)) <= n_codes:  # else there are more in all rows, too
            counts = value_counts(source, relation, as_number(relation[name]), n_codes)
        if counts is None:
            result[name] = ColumnBins(name, edges_of(values, n_codes))
        else:
            result[name] = numbered(Plan(name, "numeric"), counts)
    return result


def _some_values(source: DatabaseSource, relation, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Name -> values of some rows, without missing ones."""
    rows = source.run(some_rows(source, relation, ROWS_OF_EDGES).select(**{n: as_number(relation[n]) for n in names}))
    given = {name: rows[name].to_numpy(zero_copy_only=False).astype(np.float64) for name in names}
    return {name: values[~np.isnan(values)] for name, values in given.items()}


def binned_columns(source: DatabaseSource, relation, codes, bins: dict[str, ColumnBins]) -> dict[str, CountedColumn]:
    """The columns that are in bins. codes : an Ibis table. bins : by the names that their codes have there."""
    if not bins:
        return {}
    deferred = _deferred()
    cells = {f"{end}_{code}": as_number(relation[b.name]) for code, b in bins.items() for end in ("min", "max")}
    asked = {name: cell.min() if name.startswith("min") else cell.max() for name, cell in cells.items()}
    ends = {name: column[0] for name, column in source.run(relation.agg(**asked)).to_pydict().items()}
    counted = [
        codes.select(code=codes[code].cast("int32")).group_by("code").agg(n=deferred.count()).mutate(column=i)
        for i, code in enumerate(bins)
    ]
    rows = source.run(union(counted))
    counts = np.zeros((len(bins), max(b.n_distinct for b in bins.values()) + 1), np.int64)
    counts[rows["column"].to_numpy(), rows["code"].to_numpy()] = rows["n"].to_numpy()
    return {
        b.name: binned_column(b, counts[i, : b.n_distinct + 1], ends[f"min_{code}"], ends[f"max_{code}"])
        for i, (code, b) in enumerate(bins.items())
    }


def least_above(source: DatabaseSource, relation, edges: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Column -> float64, the smallest value above each of its edges, which ascend; infinite where there is none."""
    deferred, asked = _deferred(), []
    for i, (name, between) in enumerate(edges.items()):
        cell = as_number(relation[name])
        code = coded(relation[name], between, source.engine)
        grouped = relation.select(code=code, value=cell).group_by("code")
        asked.append(grouped.agg(low=deferred.value.min()).mutate(column=i))
    lows = np.full((len(edges), max(map(len, edges.values())) + 2), np.inf)
    rows = source.run(union(asked))
    lows[rows["column"].to_numpy(), rows["code"].to_numpy()] = rows["low"].fill_null(np.inf).to_numpy()
    least = np.minimum.accumulate(lows[:, ::-1], axis=1)[:, ::-1]
    return {name: least[i, 1 : len(between) + 1] for i, (name, between) in enumerate(edges.items())}


def union(queries: list):
    """The rows of all of them."""
    import ibis

    return queries[0] if len(queries) == 1 else ibis.union(*queries)


def target_column(source: DatabaseSource, relation, plan: Plan) -> CountedColumn:
    """The target, as classes or as a number of which the smallest and the largest value are known.

    Whole numbers of few values are classes unless the plan has been asked for.
    """
    cell = relation[plan.name]
    if plan.kind != "numeric":
        counts = value_counts(source, relation, as_text(cell), MOST_LEVELS)
        if counts is None:
            raise TreecoreError(
                f"It has more than {MOST_LEVELS} classes", where=f"Target {plan.name!r}", remedy="Choose another target"
            )
        return levelled(plan, counts, cell.type())
    number, deferred = as_number(cell), _deferred()
    all_of_it = relation.select(y=number).agg(n=deferred.y.count(), low=deferred.y.min(), high=deferred.y.max())
    summary = {name: column[0] for name, column in source.run(all_of_it).to_pydict().items()}
    ends = [] if not summary["n"] else sorted({summary["low"], summary["high"]})
    counts = np.zeros(len(ends) + 1, np.int64)
    counts[0] = summary["n"]
    codes = frozen(np.arange(len(ends), dtype=np.int32))
    values = frozen(np.array(ends, np.float64))
    return CountedColumn(plan.name, "numeric", codes, distinct=values, counts=frozen(counts))


def are_classes(source: DatabaseSource, relation, name: str) -> bool:
    """Has this column of whole numbers so few values that they are classes?"""
    counts = value_counts(source, relation, as_text(relation[name]), MOST_CLASSES)
    return counts is not None
