"""Files of statistical packages: SPSS, Stata and SAS, with their labels and missing values, and data frames of R."""

import io
import re
import struct
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from treecore.data.options import ReadOptions
from treecore.data.raw import Doubt, bytes_fingerprint
from treecore.data.raw_table import RawTable
from treecore.data.readers.archive import chosen_part, other_parts
from treecore.data.readers.arrow import as_arrow, refuse_empty, typed_table
from treecore.data.readers.reader_process import ask
from treecore.data.readers.source import Source, library, limit_of, places_to_read, refuse_too_many_cells, unique_names
from treecore.errors import TreecoreError
from treecore.figures import counted

SAS = b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11"
R = (b"RDX2\n", b"RDX3\n", b"X\n\0\0\0\2", b"X\n\0\0\0\3")
R_TEXT = re.compile(rb"(?:RDA[23]\n)?A\n[23]\n\d{6}\n")  # written as text, which nobody reads: refused
CELL_BYTES = 100  # of a cell as an object of Python
NAMED = 5
SEQUENCE = re.compile(rb"\0\0\0\xee.{8,200}?\0\0\0\xfe\0\0\0\x0e\0\0\0\x03(.{8})", re.DOTALL)
"""1:n as R writes it: not its numbers, but how many they are."""
PROGRAMS = {"sav": "SPSS", "por": "SPSS portable", "dta": "Stata", "sas7bdat": "SAS", "xport": "SAS transport"}
"""By the function of pyreadstat that reads their files."""


def is_statistical(source: Source) -> bool:
    """A file of SPSS, Stata or SAS?"""
    return _kind(source) is not None


def _kind(source: Source) -> str | None:
    """Which function of pyreadstat reads it, None for none."""
    head = source.content[:600]
    if head.startswith((b"$FL2", b"$FL3")):
        return "sav"
    if head.startswith(b"<stata_dta>") or (head[:1] in b"lnoqrs" and head[1:3] in (b"\1\1", b"\2\1")):
        return "dta"
    if head[12:32] == SAS:
        return "sas7bdat"
    if head.startswith(b"HEADER RECORD*******LIB"):
        return "xport"
    return "por" if b"SPSSPORT" in head else None


def read_statistical(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a file of SPSS, Stata or SAS.

    Values of which all have a label become levels, in the order of the values; values that the file declares missing
    are missing; what the file says of its columns becomes labels. TreecoreError when it is damaged, has no rows, or
    takes more memory than it may.
    """
    return _asked("statistical", source, options)


def _asked(question: str, source: Source, options: ReadOptions) -> RawTable:
    import pyarrow as pa

    reply, payload = ask(question, source, options)
    table = pa.ipc.open_stream(payload).read_all()
    raw = typed_table(source, replace(options, columns=()), [*zip(table.column_names, table.columns, strict=True)])
    labels = {c.name: label.strip() for c, label in zip(raw.columns, reply["labels"], strict=True) if label.strip()}
    raw = replace(raw, options=options, fingerprint=bytes_fingerprint(source.content, options), labels=labels)
    parts = tuple(reply["parts"])
    doubts: tuple[Doubt, ...] = ()
    if len(parts) > 1:
        doubts = (other_parts("object", parts, reply["part"]),)
    notes = (*raw.notes, *reply["notes"], *(doubt.text for doubt in doubts))
    return replace(raw, parts=parts if doubts else (), part=reply["part"], doubts=doubts, notes=notes)


def _as_reply(names: Sequence[str], arrays: Sequence, **more) -> tuple[dict, bytes]:
    """What is said of these columns, and the columns themselves as a stream of Arrow."""
    import pyarrow as pa

    table, sink = pa.table(list(arrays), names=[str(name) for name in names]), pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    reply = {"labels": [""] * len(names), "notes": [], "parts": [], "part": None} | more
    return reply, sink.getvalue().to_pybytes()


def columns_of_file(source: Source, options: ReadOptions) -> tuple[dict, bytes]:
    """The same in the process that reads it, with errors of the same kind."""
    where, read = f"File '{source.name}'", _reader(source)
    meta = read(metadataonly=True)[1]
    names, n_rows = meta.column_names, meta.number_rows or 1
    refuse_empty(1 if meta.number_rows is None else meta.number_rows, len(names), where)
    wanted = [names[place] for place in places_to_read(unique_names(names)[0], options, where)]
    row_bytes = sum(CELL_BYTES + (meta.variable_storage_width.get(name) or 8) for name in wanted)
    refuse_too_many_cells(n_rows, len(wanted), n_rows * row_bytes, where, options)
    most = max(limit_of(options) // row_bytes, 1)  # whatever the head of the file says of its rows
    asked = {"usecols": wanted} if len(wanted) < len(names) else {}
    values, meta_of_rows = read(row_limit=most + 1, output_format="dict", **asked)
    n_rows = len(values[wanted[0]])
    refuse_too_many_cells(n_rows, len(wanted), row_bytes * n_rows if n_rows > most else 0, where, options)
    labels = {name: _labels(meta, name) for name in wanted}
    ordered = {name for name, measure in (meta.variable_measure or {}).items() if measure == "ordinal"}
    levels = {name: _levels(values[name], labels[name], name in ordered) for name in wanted if labels[name]}
    arrays = [_array(values[name]) if levels.get(name) is None else levels[name] for name in wanted]
    notes = _partly_note([name for name, column in levels.items() if column is None])
    meanings = [(meta_of_rows.column_names_to_labels or {}).get(name) or "" for name in wanted]
    return _as_reply(wanted, arrays, labels=meanings, notes=notes)


def _reader(source: Source) -> Callable:
    """Reads the file with settings of pyreadstat; of its head alone, what it declares missing is told and not taken."""
    where, kind = f"File '{source.name}'", _kind(source)
    function = getattr(library("pyreadstat", "pyreadstat", where), f"read_{kind}")

    def read(metadataonly: bool = False, **settings) -> tuple:
        if metadataonly and kind in ("sav", "dta", "sas7bdat"):
            settings["user_missing"] = True
        try:
            return function(io.BytesIO(source.content), metadataonly=metadataonly, **settings)
        except Exception as error:  # errors of its own, and those of whatever a damaged file leads it to
            raise _unreadable(f"{PROGRAMS[kind]} file", error, where) from None

    return read


def _unreadable(what: str, error: Exception, where: str) -> TreecoreError:
    message = (str(error).splitlines() or [type(error).__name__])[0][:200]
    remedy = "Save it again, or export the table as CSV."
    return TreecoreError(f"The {what} cannot be read ({message})", where=where, remedy=remedy)


def _labels(meta, name: str) -> dict:
    """Value -> label, in the order of the values, without those that stand for a missing value."""
    labels = (meta.variable_value_labels or {}).get(name) or {}
    missing = (meta.missing_ranges or {}).get(name) or ()
    text = all(isinstance(value, str) for value in labels)
    known = {v: t for v, t in labels.items() if isinstance(v, str) == text and not _is_within(v, missing)}
    return dict(sorted(known.items()))


def _is_within(value, ranges: Sequence[Mapping]) -> bool:
    try:
        return any(one["lo"] <= value <= one["hi"] for one in ranges)
    except (TypeError, KeyError):
        return False


def _levels(values, labels: dict, ordered: bool):
    """The column as labels; None where a value has none."""
    import pyarrow as pa

    texts = list(dict.fromkeys(str(label) for label in labels.values()))
    place = {value: texts.index(str(label)) for value, label in labels.items()}
    codes = [None if _is_missing(value) else place.get(value, -1) for value in values]
    if -1 in codes or not any(code is not None for code in codes):
        return None
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(texts, pa.string()), ordered=ordered)


def _is_missing(value) -> bool:
    return value is None or value == "" or value != value


def _array(values):
    import pyarrow as pa

    if isinstance(values, np.ndarray):
        values = values.tolist()
    try:
        return pa.array([None if _is_missing(value) else value for value in values])
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([None if _is_missing(value) else str(value) for value in values], pa.string())


def _partly_note(names: list[str]) -> list[str]:
    if not names:
        return []
    listed = ", ".join(f"'{name}'" for name in names[:NAMED]) + (", ..." if len(names) > NAMED else "")
    columns = f"{counted(len(names), 'column')} {'has' if len(names) == 1 else 'have'}"
    return [f"{columns} labels for some values only, and the values were kept: {listed}."]


def is_r(source: Source) -> bool:
    """Data of R, as saveRDS and save write them, unpacked?"""
    return source.content.startswith(R) or R_TEXT.match(source.content) is not None


def read_r(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a data frame that R has saved: the one that options.part names, else the first.

    TreecoreError when there is none, it is damaged, or would take more memory than it may.
    """
    return _asked("r", source, options)


def columns_of_r(source: Source, options: ReadOptions) -> tuple[dict, bytes]:
    """The same in the process that reads it, with errors of the same kind."""
    where = f"File '{source.name}'"
    pyreadr = library("pyreadr", "pyreadr", where)
    n_implied = _n_implied(source.content)
    refuse_too_many_cells(n_implied, 1, 8 * n_implied + len(source.content), where, options)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read = pyreadr.read_r(io.BytesIO(source.content))
    except Exception as error:  # errors of its own, and those of whatever a damaged file leads it to
        raise _unreadable("file of R", error, where) from None
    frames = {str(name or "data"): frame for name, frame in read.items() if frame.shape[0] and frame.shape[1]}
    parts = tuple(sorted(frames, key=lambda name: frames[name].shape[1] == 1))  # vectors behind data frames
    if not parts:
        remedy = "Save a data frame (saveRDS), or write it as CSV (write.csv)."
        raise TreecoreError("There is no data frame in it", where=where, remedy=remedy)
    part = chosen_part(options.part, parts, "object", where) or parts[0]
    names = [str(name) for name in frames[part].columns]
    places = places_to_read(unique_names(names)[0], options, where)
    refuse_too_many_cells(len(frames[part]), len(places), len(source.content), where, options)
    arrays = [as_arrow(frames[part].iloc[:, place]) for place in places]
    return _as_reply([names[place] for place in places], arrays, parts=parts, part=part)


def _n_implied(data: bytes) -> int:
    """How many numbers the sequences in it stand for."""
    result = SEQUENCE.findall(data) if b"compact_" in data else []
    return sum(int(min(max(struct.unpack(">d", n)[0], 0.0), 2.0**62)) for n in result)
