"""Where a table comes from, how much memory it may take, and which of its columns are read."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from treecore.brief import Brief
from treecore.data.frames import as_pandas
from treecore.data.options import ReadOptions
from treecore.data.table import no_such_column
from treecore.engine.memory import of_machine
from treecore.errors import TreecoreError
from treecore.figures import counted


@dataclass(frozen=True, eq=False, repr=False)
class Source(Brief):
    """A name for messages, and either the bytes of a file or a pandas DataFrame."""

    name: str
    data: bytes | None = None
    frame: Any = None

    @property
    def content(self) -> bytes:
        """`data` of a file."""
        assert self.data is not None
        return self.data

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix.lower()


def open_source(given, name: str | None, options: ReadOptions) -> Source:
    """The source behind what the caller gave.

    TreecoreError when there is no such file, it is too large, or `given` is none of these things.
    """
    given = as_pandas(given)
    if hasattr(given, "iloc") and hasattr(given, "columns"):
        return Source(name or "data frame", frame=given)
    if isinstance(given, (bytes, bytearray, memoryview)):
        data = bytes(given)
    elif isinstance(given, (str, os.PathLike)):
        name = name or Path(given).name
        data = _bytes_of_path(given, options)
    elif hasattr(given, "read"):
        name = name or Path(str(getattr(given, "name", "") or "upload")).name
        data = _bytes_of_file(given)
    else:
        raise TreecoreError(
            f"A {type(given).__name__} is no source of a table",
            where="read_table",
            remedy="Give a path, bytes, an open file or a frame of pandas, polars or pyarrow.",
        )
    name = name or "upload"
    _refuse_too_large(len(data), name, options)
    return Source(name, data=data)


def _bytes_of_path(path, options: ReadOptions) -> bytes:
    path = Path(path)
    try:
        size = None if path.is_dir() else path.stat().st_size
        if size is not None and size <= options.max_bytes:
            return path.read_bytes()
    except FileNotFoundError:
        fault = "There is no such file"
    except OSError as error:
        fault = f"The file cannot be opened ({error.strerror})"
    except ValueError:  # a NUL inside
        fault = "This is not a path"
    else:
        if size is not None:
            _refuse_too_large(size, path.name, options)
        fault = "This is a folder"
    raise TreecoreError(fault, where=f"File '{path}'", remedy="Check the path, or upload the file.")


def _bytes_of_file(file) -> bytes:
    # An upload that was read before stands at its end; getvalue() gives all of it wherever it stands.
    data = file.getvalue() if hasattr(file, "getvalue") else file.read()
    return data.encode("utf-8") if isinstance(data, str) else bytes(data)


def _refuse_too_large(size: int, name: str, options: ReadOptions) -> None:
    if size > options.max_bytes:
        raise TreecoreError(
            f"The file has {_megabytes(size)}; the limit is {_megabytes(options.max_bytes)}",
            where=f"File '{name}'",
            remedy="Load part of its rows or columns, save it as Parquet, or raise the limit",
            setting="max_bytes",
        )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size} bytes"


def library(module: str, package: str, where: str):
    """A package that reads one kind of file; TreecoreError with the command that installs it where it is not there."""
    try:
        return import_module(module)
    except ImportError:
        raise TreecoreError(
            f"{package} is not installed, and reads such files",
            where=where,
            remedy="Install it (pip install 'treecore[files]'), or export the table as CSV",
        ) from None


# How much memory a table takes, asked before it is read: a small file can hold a very large one.

SHARE = 4  # of the machine's memory, the part that one table may take
CELL_BYTES = 24  # its code when read, when encoded and in the rows of a role, and what finding the codes takes
LINE_BYTES = 1 << 24
COLUMN_BYTES = 5_000  # what every column takes besides


class MemoryBudget:
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


# The columns of a source: a name of its own for each, which of them are read, and those that no split can use.

NAMED = 10  # columns named in a note


def unique_names(originals: list[str]) -> tuple[list[str], list[str]]:
    """(names, notes): outer spaces removed, empty names filled, repeated ones numbered.

    The names stay in order; a note says each change except that of spaces.
    """
    names: list[str] = []
    notes: list[str] = []
    stripped = [str(original).strip() for original in originals]
    taken = set(stripped)
    seen: set[str] = set()
    for place, name in enumerate(stripped, start=1):
        if not name:
            new = _free(f"column {place}", taken, "{} ({})")
            notes.append(f"Column {place} has no name; it is called '{new}'.")
        elif name in seen:
            new = _free(name, taken, "{} ({})")
            notes.append(f"The name '{name}' occurs more than once; column {place} is called '{new}'.")
        else:
            new = name
        seen.add(new)
        taken.add(new)
        names.append(new)
    return names, notes


def _free(name: str, taken: set[str], pattern: str) -> str:
    """The name itself when nobody has it, else the first numbered one that is free."""
    candidate, number = name, 2
    while candidate in taken:
        candidate = pattern.format(name, number)
        number += 1
    return candidate


class TooManyColumns(TreecoreError):
    """More columns than options.max_columns. names : of all of them."""

    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Sequence[str], most: int, where: str) -> "TooManyColumns":
        error = cls(
            f"There are {len(names):,} columns, more than {most:,}",
            where=where,
            remedy="Choose the columns to read, the target among them, or raise the limit",
            setting="columns, max_columns",
        )
        error.names = tuple(names)
        return error


def places_to_read(names: Sequence[str], options: ReadOptions, where: str) -> tuple[int, ...]:
    """The places of the columns that are read, in their order. TooManyColumns, or a TreecoreError for unknown names."""
    if options.columns:
        place = {name: at for at, name in enumerate(names)}
        unknown = next((name for name in options.columns if name not in place), None)
        if unknown is not None:
            raise no_such_column(unknown, tuple(names))
        return tuple(sorted(place[name] for name in options.columns))
    if options.max_columns is not None and len(names) > options.max_columns:
        raise TooManyColumns.of(names, options.max_columns, where)
    return tuple(range(len(names)))


def some_columns(names: Sequence[str], target: str, part: str, most: int) -> tuple[str, ...]:
    """The target and the first columns, `most` at most, whose names hold this part, whatever its case."""
    asked = part.strip().casefold()
    others = [name for name in names if name != target and asked in name.casefold()]
    return (*others[: max(most - 1, 0)], target)


def storage(kind):
    """What an Arrow extension type such as uuid is made of; any other type as it is."""
    return getattr(kind, "storage_type", kind)


def is_nested(kind) -> bool:
    """Does a cell of this Arrow type hold a list, a record or a map? Reading such can take any amount of memory."""
    import pyarrow as pa

    return pa.types.is_nested(storage(kind))


def n_leaves(kind) -> int:
    """Columns of single values that a Parquet file keeps for one of this Arrow type."""
    kind = storage(kind)
    return sum(n_leaves(kind.field(i).type) for i in range(kind.num_fields)) if is_nested(kind) else 1


def nested_note(names: list[str]) -> list[str]:
    """The sentence for the user that names the columns left out; nothing where there are none."""
    if not names:
        return []
    what = f"{counted(len(names), 'column')} with lists or records in the cells {'is' if len(names) == 1 else 'are'}"
    return [f"{what} left out, no split can use them: {_named(names)}."]


def refuse_only_nested(names: list[str], n_others: int, where: str) -> None:
    """TreecoreError when there is no other column."""
    if names and not n_others:
        raise TreecoreError(
            f"Every column has lists or records in its cells, which no split can use: {_named(names)}",
            where=where,
            remedy="Save what they hold as columns of their own, with one value in a cell.",
        )


def _named(names: list[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(f"'{name}'" for name in names[:NAMED]) + more
