"""Dates beside the features: rows drawn at random let the future train a tree that is judged by the past."""

import numpy as np

from treecore.data.column import Column
from treecore.data.roles import in_time
from treecore.data.table import Table
from treecore.detectors.finding import BY_DATE, Finding
from treecore.errors import TreecoreError
from treecore.figures import percent

LEAST_ROWS, LEAST_DATES = 40, 10


def shuffled_dates(table: Table) -> list[Finding]:
    """Columns of dates, used or not, with the share of neighbouring rows that go back in time."""
    if table.n_rows < LEAST_ROWS:
        return []
    found = []
    for column in table.columns:
        time = _dates(column) if column.name != table.target else None
        if time is None:
            continue
        steps = np.diff(time[~np.isnan(time)])
        back = float((steps < 0).sum() / max((steps != 0).sum(), 1))
        how = "are in order" if min(back, 1 - back) < 0.01 else "are shuffled"
        text = f"{percent(back)} of its steps from row to row go back in time: rows {how}. With a random " \
               "split the tree learns from the future: later rows train it, earlier ones test it."  # fmt: skip
        found.append(Finding("shuffled_dates", column.name, back, text, remedy=BY_DATE))
    return found


def _dates(column: Column) -> np.ndarray | None:
    """float64 (n_rows,): seconds; None where the column holds no dates, or too few."""
    if column.kind not in ("nominal", "ordinal") or column.n_distinct < LEAST_DATES:
        return None
    try:
        return in_time(column)
    except TreecoreError:
        return None
