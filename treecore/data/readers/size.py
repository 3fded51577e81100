"""How much memory a table takes, asked before it is read: a small file can hold a very large one."""

from treecore.data.options import ReadOptions
from treecore.engine.memory import of_machine
from treecore.errors import TreecoreError

SHARE = 4  # of the machine's memory, the part that one table may take
CELL_BYTES = 24  # its code when read, when encoded and in the rows of a role, and what finding the codes takes
LINE_BYTES = 1 << 24
COLUMN_BYTES = 5_000  # what every column takes besides


class Room:
    """What the words of a table may take while it is read, where only reading tells how long they are.

    limit : bytes of memory for the whole table. taken : of them.
    """

    def __init__(self, n_rows: int, n_columns: int, name: str, options: ReadOptions):
        self.limit, self.taken, self.name = limit_of(options), _cells_bytes(n_rows, n_columns), name

    def refuse(self, n_bytes: int, column: str) -> None:
        """TreecoreError when there is no room for so many bytes of words."""
        if self.taken + n_bytes > self.limit:
            raise TreecoreError(
                f"Reading stopped at column '{column}': with its words the table takes more than "
                f"{gigabytes(self.limit)} of memory, the limit",
                where=f"File '{self.name}'",
                remedy="Load part of its rows or columns, or raise the limit",
                setting="max_memory",
            )

    def take(self, n_bytes: int, column: str) -> None:
        """The same, and these words stay."""
        self.refuse(n_bytes, column)
        self.taken += n_bytes


def refuse_long_line(text: bytes, where: str) -> None:
    """TreecoreError for a line of more than LINE_BYTES: it is no row, and to split it takes minutes and much memory.

    Looks only for the last line end of every stretch of so many bytes, and so at next to nothing of the text.
    """
    at = 0
    while len(text) - at > LINE_BYTES:
        end = text.rfind(b"\n", at, at + LINE_BYTES) + 1
        if not end:
            line, ends = text.count(b"\n", 0, at) + 1, text.find(b"\n", at) + 1 or len(text)
            raise TreecoreError(
                f"Line {line:,} has {gigabytes(ends - at)}; a row has {gigabytes(LINE_BYTES)} at most",
                where=where,
                remedy="See whether its lines end where rows do, and leave out columns of long texts",
            )
        at = end


def refuse_too_many_cells(n_rows: int, n_columns: int, n_bytes: int, where: str, options: ReadOptions) -> None:
    """TreecoreError when the table would take more memory than it may.

    n_bytes : of its texts and numbers before they are encoded.
    """
    need, limit = _cells_bytes(n_rows, n_columns) + n_bytes, limit_of(options)
    if need > limit:
        raise TreecoreError(
            f"The table has {n_rows:,} rows x {n_columns:,} columns, about {gigabytes(need)} of memory; "
            f"the limit is {gigabytes(limit)}",
            where=where,
            remedy="Load part of its rows or columns, or raise the limit",
            setting="max_memory",
        )


def limit_of(options: ReadOptions) -> int:
    """Bytes of memory that one table may take."""
    return of_machine() // SHARE if options.max_memory is None else options.max_memory


def gigabytes(n_bytes: int) -> str:
    """'1.2 GB', '340 MB', '0.3 MB', or '500 bytes'."""
    if n_bytes < 1e5:
        return f"{n_bytes:,} bytes"
    size, unit = (n_bytes / 1e9, "GB") if n_bytes >= 1e9 else (n_bytes / 1e6, "MB")
    return f"{size:,.{int(unit == 'GB' or size < 1)}f} {unit}"


def _cells_bytes(n_rows: int, n_columns: int) -> int:
    return n_rows * n_columns * CELL_BYTES + n_columns * COLUMN_BYTES
