"""Readers: each turns one sort of source into a RawTable; `read_raw` picks the one that recognises it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from treecore.data.options import ReadOptions
from treecore.data.raw_table import RawTable
from treecore.data.readers.archive import unpacked, with_members
from treecore.data.readers.arff import is_arff, read_arff
from treecore.data.readers.arrow import PARQUET_MAGIC, is_feather, read_feather, read_frame, read_parquet
from treecore.data.readers.delimited import read_delimited
from treecore.data.readers.json_records import is_json, read_json
from treecore.data.readers.source import Source, open_source
from treecore.data.readers.statistical import is_r, is_statistical, read_r, read_statistical
from treecore.data.readers.workbook import is_workbook, read_workbook
from treecore.registry import Registry


@dataclass(frozen=True)
class Reader:
    """A format: `sniff` recognises a source by its content, `suffixes` are offered by the file chooser."""

    name: str
    label: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Source], bool]
    read: Callable[[Source, ReadOptions], RawTable]


# In the order they are asked; the last one takes any file, and says what is wrong with one that is no text.
READERS = Registry(
    "reader",
    Reader("frame", "pandas DataFrame", (), lambda source: source.frame is not None, read_frame),
    Reader(
        "parquet", "Parquet", (".parquet", ".pq"), lambda source: source.content.startswith(PARQUET_MAGIC), read_parquet
    ),
    Reader("feather", "Feather", (".feather", ".arrow"), is_feather, read_feather),
    Reader("workbook", "Excel or ODS workbook", (".xlsx", ".xlsm", ".xls", ".ods"), is_workbook, read_workbook),
    Reader(
        "statistical",
        "SPSS, Stata or SAS",
        (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"),
        is_statistical,
        read_statistical,
    ),
    Reader("r", "data frame of R", (".rds", ".rda", ".rdata"), is_r, read_r),
    Reader("arff", "ARFF (Weka)", (".arff",), is_arff, read_arff),
    Reader("json", "JSON records", (".json", ".jsonl", ".ndjson"), is_json, read_json),
    Reader(
        "delimited",
        "CSV or TSV",
        (".csv", ".tsv", ".txt", ".tab", ".data"),
        lambda source: True,
        read_delimited,
    ),
)


def read_raw(source, *, name: str | None = None, options: ReadOptions | None = None) -> RawTable:
    """Read a path, bytes, open file or DataFrame into a raw table.

    name : what to call the source in messages (default: the file's name).
    TreecoreError when it cannot be read; RaggedLines when lines have too few or too many fields.
    """
    options = options or ReadOptions()
    opened = open_source(source, name, options)
    inner, how, members = (opened, options, ()) if opened.data is None else unpacked(opened, options)
    reader = _reader_of(inner)
    raw = replace(reader.read(inner, how), options=options, reader=reader.name)
    return with_members(raw, members, inner.name) if members else raw


def reader_name(data: bytes) -> str:
    """What reads a file of these bytes, by its name in READERS; packed ones are not unpacked for that."""
    return _reader_of(Source("", data=data)).name


def _reader_of(source: Source) -> Reader:
    return next(entry for entry in READERS.values() if entry.sniff(source))
