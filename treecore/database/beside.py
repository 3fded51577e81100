"""The values of a table beside cuts between bins, as an engine counts them."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from treecore.database.binned import exact
from treecore.database.source import NoAnswer, Source
from treecore.database.summary import union
from treecore.errors import TreecoreError
from treecore.growing.aggregates.counted import Cut, Values

MOST_VALUES = 100_000
"""Rows beside a cut of which every value comes here; of more, as many as PARTS parts of the same width."""
PARTS = 4096


def values_beside(cuts: Sequence[Cut], rows, n_classes: int, source: Source, look) -> list[Values]:
    """The values of each cut, with one query. rows : an Ibis table of c0, …, v0, …, y and node.

    TreecoreError where the rows are not as many as they were.
    """
    by_feature = groupby(sorted(cuts, key=lambda c: c.feature), key=lambda c: c.feature)
    queries = [_query(list(here), f, rows, bool(n_classes)) for f, here in by_feature]
    found = source.told(union(queries).to_pyarrow, look)
    columns = {name: found[name].to_numpy() for name in found.column_names}
    return [_values(cut, columns, n_classes, source) for cut in cuts]


def _query(cuts: list[Cut], f: int, rows, by_class: bool):
    """Rows beside these cuts of feature f, counted by node, value (or part) and class."""
    import ibis

    code, cell = rows[f"c{f}"], rows[f"v{f}"]
    inside = ibis.or_(*((rows.node == c.node) & (code >= c.low) & (code <= c.high) for c in cuts))
    parts = [(rows.node == c.node, _part(c, code, cell)) for c in cuts if c.n_rows > MOST_VALUES]
    key = ibis.cases(*parts, else_=cell) if parts else cell
    chosen = rows.select("node", "y", inside=inside, key=key, cell=cell)
    chosen = chosen.filter(chosen.inside)
    told = {"n": chosen.count(), "low": chosen.cell.min(), "high": chosen.cell.max()}
    if by_class:
        return chosen.group_by("node", "key", "y").agg(**told)
    return chosen.group_by("node", "key").agg(**told, s1=chosen.y.sum(), s2=(chosen.y * chosen.y).sum())


def _part(cut: Cut, code, cell):
    """float64: which of the parts between the cut's ends a value is in; the first where it is below them.

    Those of each bin are its own, so that the cut between the bins is one of those that are judged anew.
    """
    width = cut.above - cut.below if cut.below is not None else abs(cut.above)
    below = cut.above - (width or 1.0)
    part = ((cell - exact(below)) * exact(PARTS / (width or 1.0))).floor().cast("float64").clip(lower=0, upper=PARTS)
    return code.cast("float64") * exact(PARTS + 1.0) + part


def _values(cut: Cut, columns: dict[str, np.ndarray], n_classes: int, source: Source) -> Values:
    here = columns["node"] == cut.node
    found = {name: column[here] for name, column in columns.items()}
    keys, at = np.unique(found["key"], return_inverse=True)
    if round(found["n"].sum()) != cut.n_rows:
        raise has_changed(source)
    low, high = np.full(len(keys), np.inf), np.full(len(keys), -np.inf)
    np.minimum.at(low, at, found["low"])
    np.maximum.at(high, at, found["high"])
    if n_classes:
        sums = np.zeros((len(keys), n_classes))
        sums[at, found["y"]] = found["n"]
    else:
        sums = np.zeros((len(keys), 3))
        sums[at] = np.stack([found["n"], found["s1"], found["s2"]], axis=1)
    return Values(low, high, sums)


def has_changed(source: Source) -> TreecoreError:
    """The error where rows are not as many as they were."""
    return NoAnswer(
        "Its rows have changed while the tree was growing", where=source.name,
        remedy="Grow again when nobody writes to it, or on a snapshot",
    )  # fmt: skip
