"""Readers: each turns one sort of source into a RawTable; `read_raw` picks the one that recognises it."""

from collections.abc import Callable
from dataclasses import dataclass

from treecore.data.options import ReadOptions
from treecore.data.raw_table import RawTable
from treecore.data.readers.delimited import read_delimited
from treecore.data.readers.frame import read_frame
from treecore.data.readers.parquet import MAGIC, read_parquet
from treecore.data.readers.source import Source, open_source
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
    Reader("parquet", "Parquet", (".parquet", ".pq"), lambda source: source.data.startswith(MAGIC), read_parquet),
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
    reader = next(entry for entry in READERS.values() if entry.sniff(opened))
    return reader.read(opened, options)
