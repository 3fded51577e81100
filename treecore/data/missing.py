"""How much is missing, column by column."""

from typing import NamedTuple

from treecore.data.table import Table


class MissingCount(NamedTuple):
    """n missing cells of one column, and their share of the rows (0 for a table without rows)."""

    column: str
    n: int
    share: float


def missing_report(table: Table) -> list[MissingCount]:
    """One count per column of the table, in the table's order."""
    counts = [(column.name, column.n_missing) for column in table.columns]
    return [MissingCount(name, n, n / table.n_rows if table.n_rows else 0.0) for name, n in counts]
