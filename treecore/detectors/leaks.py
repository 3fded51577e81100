"""Features that answer nearly everything alone: often made from the answer, or known only after it."""

from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.detectors.finding import Finding, once
from treecore.errors import TreecoreError
from treecore.figures import percent
from treecore.fit import grow
from treecore.tree.tree import Tree

LEAST_ROWS, MOST_ROWS, MOST_COLUMNS = 40, 4000, 80
RIGHT = 0.98
"""Share of unseen rows that a leaking feature answers rightly, or of the variance that it explains, alone."""
LEFT = 0.1
"""Of the errors that the commonest answer makes at most this part may be left."""
MOST_LEAVES = 12


@once
def leaks(table: Table) -> list[Finding]:
    """Features with which alone a small tree, grown on every other row, answers the rows between."""
    parts = halves(table)
    found = []
    for name in table.features[:MOST_COLUMNS] if parts else ():
        _, share = answered(*parts, (name,))
        if share is not None:
            found.append(Finding("leak", name, share, f"Alone it predicts {percent(share)} of unseen rows. "
                                 "Is it known before the target?"))  # fmt: skip
    return found


@once
def halves(table: Table) -> tuple[Table, Table] | None:
    """Rows to be shown and rows to be asked for, of a table that has enough; drawn, as tables are often sorted.

    Without weights: answers are counted in rows.
    """
    if table.target is None or table.n_rows < LEAST_ROWS:
        return None
    rows = np.linspace(0, table.n_rows - 1, min(table.n_rows, MOST_ROWS)).astype(int)
    rows = np.random.default_rng(0).permutation(rows)
    table = replace(table, weights=None)
    return table.take(np.sort(rows[::2])), table.take(np.sort(rows[1::2]))


def answered(shown: Table, unseen: Table, names: tuple[str, ...]) -> tuple[Tree | None, float | None]:
    """A small tree of these features, and how much of the unseen rows it answers where that is nearly all."""
    try:
        tree = grow(_only(shown, names), "cart", max_leaves=MOST_LEAVES, missing="majority", max_exhaustive=4)
        told = tree.predict(unseen)
    except TreecoreError:
        return None, None
    return tree, share_right(told, shown, unseen) if tree.n_leaves > 1 else None


def _only(table: Table, names: tuple[str, ...]) -> Table:
    """The table with these features and no column besides: of a thousand, each would be looked at for each feature."""
    return replace(table, columns=tuple(map(table.column, (*names, table.target))), features=names)


def share_right(told: np.ndarray, shown: Table, unseen: Table) -> float | None:
    """How much of the unseen rows is answered rightly, where that is nearly all; else None."""
    right, first = _right(told, unseen), _right(np.full(unseen.n_rows, _commonest(shown), object), unseen)
    return right if right >= RIGHT and 1 - right <= LEFT * (1 - first) else None


def _right(told: np.ndarray, table: Table) -> float:
    """Share of rows answered rightly, or of the variance that is explained."""
    if table.task == "classification":
        return float((told == table.target_column.labels()).mean())
    y = table.target_column.values()
    spread = float(((y - y.mean()) ** 2).sum())
    return 1 - float(((y - told.astype(float)) ** 2).sum()) / spread if spread else 0.0


def _commonest(table: Table):
    if table.task == "classification":
        return table.classes[int(np.argmax(table.target_column.present()))]
    return float(table.target_column.values().mean())
