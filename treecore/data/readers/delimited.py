"""CSV and TSV: from the bytes of a text file to a raw table.

Why Arrow splits the fields and Python's csv module only lists the faults: on 1e6 rows x 10 columns (136 MB,
2 cores) Arrow splits into texts, block by block, in about 1 s, pandas' reader in 3.0 s
without a word about short lines, and Arrow knows no line numbers when it reads in threads. The csv module
agrees with Arrow on every quoting case we tried (a property test holds this), walks the same file in 0.8 s,
and has the numbers; so it runs only when a line was rejected.
"""

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect, RaggedLines, RawTable, Reject, bytes_fingerprint
from treecore.data.readers import dialect as dialects
from treecore.data.readers.encoding import Decoded, decoded
from treecore.data.readers.gathered import Gathered
from treecore.data.readers.lines import is_blank, iterate_records, ragged_lines
from treecore.data.readers.names import unique_names
from treecore.data.readers.source import Source
from treecore.errors import TreecoreError
from treecore.memory import give_back

BLOCK_BYTES = 1 << 22
LARGE_BYTES = 1 << 24  # beyond it free memory is given back after reading
SOMETHING = re.compile(rb"\S")  # bytes.strip() would copy the file


class Header(NamedTuple):
    """Names as they stand in the file, and the bytes before the first row."""

    names: list[str]
    n_bytes: int


def read_delimited(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a CSV or TSV file; every cell as text.

    TreecoreError for an empty file, one without rows, one that is no text, or (RaggedLines) lines with too
    few or too many fields unless options.skip_ragged.
    """
    delimiter, text = _excel_hint(_text(source, options))
    sample = _sample(text.utf8)
    found = dialects.find_dialect(sample, text.encoding, _with_delimiter(options, delimiter))
    header = _header(text.utf8, found, source)
    names, notes = unique_names(header.names)
    body = memoryview(text.utf8)[header.n_bytes :]
    gathered, n_rejected = _read_rows(body, len(names), found, options)
    rejects = _rejects(text.utf8, found, gathered.last_cells(), n_rejected, len(names))
    if rejects and not options.skip_ragged:
        raise RaggedLines.of(rejects, len(names))
    _refuse_no_rows(gathered.n_rows, rejects, source)
    columns = gathered.raw_columns(names, header.names)
    if len(body) > LARGE_BYTES:
        give_back()
    notes = [text.note, *_dialect_notes(sample, found, len(names)), *notes, *_reject_notes(rejects)]
    return RawTable(
        columns=columns,
        n_rows=gathered.n_rows,
        source=source.name,
        fingerprint=bytes_fingerprint(source.data, options),
        options=options,
        dialect=found,
        rejects=rejects,
        notes=tuple(note for note in notes if note),
    )


def _text(source: Source, options: ReadOptions) -> Decoded:
    text = decoded(source.data, options.encoding, source.name)
    if not SOMETHING.search(text.utf8):
        raise TreecoreError(
            "The file is empty",
            where=f"File '{source.name}'",
            remedy="Load a file with a line of column names and at least one row.",
        )
    if b"\n" not in text.utf8:  # lines that end as on old Macs
        text = text._replace(utf8=text.utf8.replace(b"\r", b"\n"))
    return text


def _sample(utf8: bytes) -> str:
    """The first lines as text, without a line that is cut."""
    head = utf8[: dialects.SAMPLE_BYTES]
    if len(head) < len(utf8):
        head = head[: head.rfind(b"\n") + 1] or head
    return head.decode("utf-8", errors="ignore")


def _excel_hint(text: Decoded) -> tuple[str | None, Decoded]:
    """The delimiter of a first line 'sep=;' as Excel writes it; the line is blanked so that lines still count."""
    end = text.utf8.find(b"\n")
    hint = text.utf8[: max(end, 0)].strip()
    if len(hint) == 5 and hint.lower().startswith(b"sep="):
        return hint[4:].decode(), text._replace(utf8=text.utf8[end:])
    return None, text


def _with_delimiter(options: ReadOptions, delimiter: str | None) -> ReadOptions:
    if delimiter is None or options.delimiter is not None:
        return options
    return replace(options, delimiter=delimiter)


def _header(utf8: bytes, found: Dialect, source: Source) -> Header:
    """The names, and where the rows begin.

    Rows that all have one field more than the header bring a name '' of their own: in front for row names (as R
    writes them), at the end when that field is always empty (a trailing delimiter).
    """
    n_bytes = 0
    for record in iterate_records(utf8, found):
        if not is_blank(record.text):
            break
        n_bytes += len(record.text.encode())
    if not found.header:
        return Header([""] * len(record.fields), n_bytes)
    n_bytes += len(record.text.encode())
    if not SOMETHING.search(utf8, n_bytes):
        raise TreecoreError(
            "There is a header but no row below it",
            where=f"File '{source.name}'",
            remedy="Load a file with at least one row of values.",
        )
    names = record.fields
    following = dialects.records(_sample(utf8), found)[1:]
    if len(following) >= dialects.MIN_RECORDS_FOR_SHIFT and all(len(r) == len(names) + 1 for r in following):
        names = [*names, ""] if not any(r[-1] for r in following) else ["", *names]
    return Header(names, n_bytes)


def _read_rows(rows: memoryview, n_columns: int, found: Dialect, options: ReadOptions) -> tuple[Gathered, int]:
    """(the columns, how many lines Arrow rejected). Where numbers turn out to be something else it reads twice."""
    if found.space_after_delimiter:
        rows = memoryview(_without_spaces(bytes(rows), found))
    as_text: set[int] = set()
    while True:
        start = partial(Gathered, n_columns, len(rows) / BLOCK_BYTES, options, tuple(as_text))
        gathered, n_rejected = _gathered(rows, found, start)
        if not gathered.lost():
            return gathered, n_rejected
        as_text |= gathered.lost()


def _gathered(rows: memoryview, found: Dialect, start: Callable[[], Gathered]) -> tuple[Gathered, int]:
    """All blocks gathered, and the number of lines rejected."""
    import pyarrow as pa

    for block in (BLOCK_BYTES, max(len(rows) + 1, BLOCK_BYTES)):
        gathered, rejected = start(), []
        try:
            for batch in _blocks(rows, found, len(gathered.columns), min(block, 2**31 - 1), rejected):
                gathered.add(batch)
            return gathered, len(rejected)
        except pa.ArrowInvalid as error:
            # one record longer than a block (often an open quote): read again as a single block
            if "straddling" not in str(error) or block > len(rows):
                raise TreecoreError(
                    f"The lines cannot be split into fields ({error})",
                    where="Lines",
                    remedy="Check the delimiter and the quotes.",
                ) from None


def _blocks(rows: memoryview, found: Dialect, n_columns: int, n_bytes: int, rejected: list[int]):
    """Record batches of strings; `rejected` gets the width of every line that has another one."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    def reject(row):
        if not is_blank(row.text):
            rejected.append(row.actual_columns)
        return "skip"

    handles = [str(place) for place in range(n_columns)]
    parse = arrow_csv.ParseOptions(
        delimiter=found.delimiter,
        quote_char=found.quote or False,
        newlines_in_values=True,
        invalid_row_handler=reject,
    )
    return arrow_csv.open_csv(
        pa.py_buffer(rows),
        read_options=arrow_csv.ReadOptions(column_names=handles, block_size=n_bytes),
        parse_options=parse,
        convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(handles, pa.string())),
    )


def _without_spaces(body: bytes, found: Dialect) -> bytes:
    """The rows written again without spaces after the delimiter, which Arrow cannot skip before a quote."""
    clean = io.StringIO(newline="")
    writer = csv.writer(clean, delimiter=found.delimiter, quotechar=found.quote, lineterminator="\n")
    writer.writerows(record.fields for record in iterate_records(body, found))
    return clean.getvalue().encode()


def _rejects(
    utf8: bytes, found: Dialect, last_cells: Sequence[str], n_rejected: int, n_columns: int
) -> tuple[Reject, ...]:
    """The rejected lines with their numbers. A last cell with line breaks may be an open quote: look too."""
    if n_rejected == 0 and not any("\n" in cell for cell in last_cells):
        return ()
    rejects = ragged_lines(utf8, found, n_columns)
    return rejects[1:] if rejects and _is_header_reject(utf8, found, rejects[0], n_columns) else rejects


def _is_header_reject(utf8: bytes, found: Dialect, first: Reject, n_columns: int) -> bool:
    """Whether the first reject is the header itself, one field short by the rule of _header."""
    header = next(record for record in iterate_records(utf8, found) if not is_blank(record.text))
    return found.header and first.line == header.line and len(header.fields) == n_columns - 1


def _refuse_no_rows(n_rows: int, rejects: tuple[Reject, ...], source: Source) -> None:
    if n_rows == 0:
        raise TreecoreError(
            f"No row is left: all {len(rejects)} have the wrong number of fields",
            where=f"File '{source.name}'",
            remedy="Choose the delimiter that the file uses.",
        )


def _dialect_notes(sample: str, found: Dialect, n_columns: int) -> list[str]:
    notes = []
    if not found.header:
        notes.append("The first line holds only numbers, so it was read as a row and the columns were numbered.")
    if n_columns == 1:
        other = dialects.other_delimiter(sample, found)
        hint = f" With the delimiter {other!r} there would be more: choose it if that is meant." if other else ""
        notes.append(f"The file was read as one column.{hint}")
    return notes


def _reject_notes(rejects: tuple[Reject, ...]) -> list[str]:
    if not rejects:
        return []
    listed = ", ".join(str(reject.line) for reject in rejects[:10]) + (", ..." if len(rejects) > 10 else "")
    return [f"{len(rejects)} lines with the wrong number of fields were skipped: {listed}."]
