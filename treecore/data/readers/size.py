"""How much memory a table takes, asked before it is read: a small file can hold a very large one."""

from treecore.data.options import ReadOptions
from treecore.engine.memory import of_machine
from treecore.errors import TreecoreError

SHARE = 4  # of the machine's memory, the part that one table may take
CELL_BYTES = 24  # its code when read, when encoded and in the rows of a role, and what finding the codes takes
COLUMN_BYTES = 11_000  # what every column takes besides


def refuse_too_many_cells(n_rows: int, n_columns: int, n_bytes: int, name: str, options: ReadOptions) -> None:
    """TreecoreError when the table would take more memory than it may.

    n_bytes : of its texts and numbers before they are encoded.
    """
    need = n_rows * n_columns * CELL_BYTES + n_columns * COLUMN_BYTES + n_bytes
    limit = of_machine() // SHARE if options.max_memory is None else options.max_memory
    if need > limit:
        raise TreecoreError(
            f"The table has {n_rows:,} rows x {n_columns:,} columns, about {gigabytes(need)} of memory; "
            f"the limit is {gigabytes(limit)}",
            where=f"File '{name}'",
            remedy="Load part of its rows or columns, or raise the limit",
            setting="max_memory",
        )


def gigabytes(n_bytes: int) -> str:
    """'1.2 GB' or '340 MB'."""
    return f"{n_bytes / 1e9:,.1f} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:,.0f} MB"
