"""CSV and TSV: from the bytes of a text file to a raw table.

Why Arrow splits the fields and Python's csv module only lists the faults: on 1e6 rows x 10 columns (136 MB,
2 cores) Arrow splits into texts, block by block, in about 1 s, pandas' reader in 3.0 s
without a word about short lines, and Arrow knows no line numbers when it reads in threads. The csv module
agrees with Arrow on every quoting case we tried (a property test holds this), walks the same file in 0.8 s,
and has the numbers; so it runs only when a line was rejected.
"""

import re
from dataclasses import replace
from typing import NamedTuple

from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect, Doubt, LineCount, Rejected, bytes_fingerprint
from treecore.data.raw_table import RawTable
from treecore.data.readers import dialect as dialects
from treecore.data.readers.dialect import Decoded, decoded, is_blank, iterate_records
from treecore.data.readers.heading_and_footer import (
    above_note,
    doubts_of,
    listed_lines,
    n_lines_above,
    of_repeated_names,
    repeated_names,
    without_above,
    without_footer,
    without_lines,
    without_remarks,
)
from treecore.data.readers.quotes import (
    is_backslash_before_quotes,
    n_lines,
    refuse_ill_header,
    with_doubled_quotes,
    without_spaces,
)
from treecore.data.readers.source import Source, places_to_read, refuse_long_line, refuse_too_many_cells, unique_names
from treecore.data.readers.text_rows import Wanted, read_rows
from treecore.engine.memory import give_back
from treecore.errors import TreecoreError
from treecore.figures import counted

BLOCK_BYTES = 1 << 22
LARGE_BYTES = 1 << 24  # beyond it free memory is given back after reading
ESCAPES = "Backslashes stand before quotes"
SOMETHING = re.compile(rb"\S")  # bytes.strip() would copy the file


class Header(NamedTuple):
    """Names as they stand in the file, and the bytes before the first row."""

    names: list[str]
    n_bytes: int


def read_delimited(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a CSV or TSV file; every cell as text.

    TreecoreError for an empty file, one without rows, one that is no text, or (RaggedLines) lines with too few or
    too many fields, or with a quote that is not closed, unless options.skip_ragged and options.skip_open_quotes.
    """
    delimiter, text = _excel_hint(_text(source, options))
    text, escapes = _with_doubled_quotes(text, options)
    whole_sample = _sample(text.utf8)
    n_above = n_lines_above(whole_sample, options)
    text = text._replace(utf8=without_above(text.utf8, n_above))
    text, n_remarks = _without_remarks(text, options)
    text = text._replace(utf8=without_lines(text.utf8, options.without_lines))
    _refuse_nothing_below(text, n_above, source)
    sample = _sample(text.utf8)
    result = dialects.find_dialect(sample, text.encoding, _with_delimiter(options, delimiter))
    plain = replace(result, space_after_delimiter=False)
    utf8 = without_spaces(text.utf8, result) if result.space_after_delimiter else text.utf8
    header = _header(utf8, plain, source)
    utf8, n_footer, footer = without_footer(utf8, header.n_bytes, header.names, plain, options)
    n_below = n_lines(utf8, header.n_bytes)
    n_read = len(options.columns) or len(header.names)
    refuse_too_many_cells(n_below, n_read, len(utf8), f"File '{source.name}'", options)
    names, notes = unique_names(header.names)
    wanted = Wanted(len(names), places_to_read(names, options, f"File '{source.name}'"))
    read, originals = ([given[place] for place in wanted.places] for given in (names, header.names))
    rows = read_rows(utf8, header.n_bytes, n_below, wanted, plain, options, BLOCK_BYTES)
    _refuse_no_rows(rows.gathered.n_rows, rows.rejected, source)
    columns = rows.gathered.raw_columns(read, originals)
    repeated = repeated_names(utf8, header.names, columns, plain)
    doubts = (*doubts_of(sample, result, options), *of_repeated_names(repeated, options), *escapes, *footer)
    if len(utf8) > LARGE_BYTES:
        give_back()
    if options.without_lines:
        notes.append(f"Left out as you said: {listed_lines(options.without_lines)}.")
    if n_remarks:
        notes.append(f"{counted(n_remarks, 'line')} beginning with {options.comment} left out.")
    notes = [
        text.note,
        above_note(whole_sample, n_above),
        *_dialect_notes(sample, result, len(names)),
        *(doubt.text for doubt in doubts),
        *notes,
        *rows.notes,
    ]
    n_left_out = sum(rows.lines.header < line <= rows.lines.total for line in options.without_lines)  # below the names
    return RawTable(
        columns=columns,
        n_rows=rows.gathered.n_rows,
        source=source.name,
        fingerprint=bytes_fingerprint(source.content, options),
        options=options,
        dialect=result,
        rejects=rows.rejected.listed,
        notes=tuple(note for note in notes if note),
        lines=_with_skipped(rows.lines, n_remarks + n_footer + n_left_out),
        doubts=doubts,
    )


def _text(source: Source, options: ReadOptions) -> Decoded:
    text = decoded(source.content, options.encoding, source.name)
    if not SOMETHING.search(text.utf8):
        raise TreecoreError(
            "The file is empty",
            where=f"File '{source.name}'",
            remedy="Load a file with a line of column names and at least one row.",
        )
    if b"\n" not in text.utf8:  # lines that end as on old Macs
        text = text._replace(utf8=text.utf8.replace(b"\r", b"\n"))
    refuse_long_line(text.utf8, f"File '{source.name}'")
    return text


def _with_doubled_quotes(text: Decoded, options: ReadOptions) -> tuple[Decoded, tuple[Doubt, ...]]:
    """The text with quotes in cells doubled where they are written with a backslash, and what is said of that."""
    if options.escape is None and options.quote not in (None, '"'):
        return text, ()
    result = is_backslash_before_quotes(text.utf8)
    if options.escape == "" or not (result or options.escape):
        undone = Doubt(
            "Backslashes before quotes are read as signs, as you said.", ((ESCAPES, (("escape", None),)),), False
        )
        return text, (undone,) * result
    told = 'Quotes within cells are written with a backslash before them (\\"), and were read so.'
    doubt = Doubt(told, (("Backslashes are signs like any other", (("escape", ""),)),), is_open=False)
    return text._replace(utf8=with_doubled_quotes(text.utf8)), (doubt,)


def _sample(utf8: bytes) -> str:
    """The first lines as text, without a line that is cut."""
    head = utf8[: dialects.SAMPLE_BYTES]
    if len(head) < len(utf8):
        head = head[: head.rfind(b"\n") + 1] or head
    return head.decode("utf-8", errors="ignore")


def _without_remarks(text: Decoded, options: ReadOptions) -> tuple[Decoded, int]:
    if not options.comment:
        return text, 0
    utf8, n_remarks = without_remarks(text.utf8, options.comment)
    return text._replace(utf8=utf8), n_remarks


def _with_skipped(lines: LineCount, n_skipped: int) -> LineCount:
    """Remarks and lines left out below the names were skipped; they count as blank so far."""
    n_below = min(n_skipped, lines.blank)
    return lines._replace(skipped=lines.skipped + n_below, blank=lines.blank - n_below)


def _refuse_nothing_below(text: Decoded, n_above: int, source: Source) -> None:
    if not SOMETHING.search(text.utf8):
        raise TreecoreError(
            f"Nothing is left below the first {counted(n_above, 'line')}",
            where=f"File '{source.name}'",
            remedy="Skip fewer lines above the names, or choose another comment sign",
            setting="skip_lines, comment",
        )


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
    refuse_ill_header(utf8, found)
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


def _refuse_no_rows(n_rows: int, rejected: Rejected, source: Source) -> None:
    if n_rows == 0:
        raise TreecoreError(
            f"No row is left: all {rejected.n_lines:,} have the wrong number of fields",
            where=f"File '{source.name}'",
            remedy="Choose the delimiter that the file uses.",
        )


def _dialect_notes(sample: str, found: Dialect, n_columns: int) -> list[str]:
    notes = []
    if n_columns == 1:
        other = dialects.other_delimiter(sample, found)
        hint = f" With the delimiter {other!r} there would be more: choose it if that is meant." if other else ""
        notes.append(f"The file was read as one column.{hint}")
    return notes
