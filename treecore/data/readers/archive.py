"""Compressed files: what is in a .gz, .bz2, .zst or .zip, unpacked no further than the limit on a source's size."""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from treecore.data.options import ReadOptions
from treecore.data.raw import Doubt
from treecore.data.raw_table import RawTable
from treecore.data.readers.source import Source, gigabytes
from treecore.errors import TreecoreError

STREAMS = (
    (b"\x1f\x8b", "gzip", ".gz"),
    (b"BZh", "bz2", ".bz2"),
    (b"\x28\xb5\x2f\xfd", "zstd", ".zst"),
    (b"\xfd7zXZ\0", "xz", ".xz"),
)
"""How a compressed stream begins, its kind (but for xz as Arrow calls it), and how its file's name ends."""
ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
CHUNK = 1 << 20
MOST_OFFERS = 5
DWARFED = 10
"""How many times as large another part is, beside which one is not taken for the table."""
BESIDE_TABLES = (".md", ".rst", ".pdf", ".doc", ".docx", ".odt", ".htm", ".html", ".png", ".jpg", ".jpeg", ".py", ".r")
"""How names of files end that stand beside tables."""
NESTED = 2  # a stream within an archive, or the other way round


def unpacked(source: Source, options: ReadOptions) -> tuple[Source, ReadOptions, tuple[str, ...]]:
    """(what is inside, how to read it, the files of the archive where there are several); else the source as it is.

    TreecoreError when it is damaged, holds no file or not the one asked for, or unpacks to more than
    options.max_bytes; no more than that is unpacked.
    """
    members: tuple[str, ...] = ()
    for _ in range(NESTED):
        kind, suffix = next(((kind, end) for magic, kind, end in STREAMS if source.content.startswith(magic)), ("", ""))
        if kind:
            source = Source(source.name.removesuffix(suffix) or source.name, data=_stream(source, kind, options))
        elif is_archive(source.content) and not members:
            source, members = _member(source, options)
            options = replace(options, part=None)
        else:
            break
    return source, options, members if len(members) > 1 else ()


def with_members(raw: RawTable, members: tuple[str, ...], read: str) -> RawTable:
    """The raw table, which says what else is in its archive."""
    doubt = other_parts("file", members, read)
    return replace(raw, parts=members, part=read, doubts=(*raw.doubts, doubt), notes=(*raw.notes, doubt.text))


def other_parts(noun: str, parts: tuple[str, ...], read: str) -> Doubt:
    """That one of several tables was read, and how to read another one."""
    others = [part for part in parts if part != read]
    text = f"Of {len(parts):,} {noun}s '{read}' was read."
    return Doubt(text, tuple((f"Read '{part}'", (("part", part),)) for part in others[:MOST_OFFERS]), is_open=False)


def chosen_part(asked: str | None, parts: tuple[str, ...], noun: str, where: str) -> str | None:
    """The part that is asked for, None for any. TreecoreError when there is no such one."""
    if asked is None or asked in parts:
        return asked
    more = f" and {len(parts) - 20:,} more" if len(parts) > 20 else ""
    listed = ", ".join(f"'{part}'" for part in parts[:20])
    raise TreecoreError(
        f"There is no {noun} '{asked}'", where=where, remedy=f"There are: {listed}{more}", setting="part"
    )


def main_part(sizes: Sequence[int]) -> int:
    """The place of the table among several: of the first that is not dwarfed by another one, as a cover or a list of
    the columns is."""
    return next(place for place, size in enumerate(sizes) if DWARFED * size >= max(sizes))


def is_archive(data: bytes) -> bool:
    """Is it a zip archive that is no document, such as a workbook, which is one, too?"""
    if not data.startswith((ZIP, EMPTY_ZIP)):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        return True
    return not names & {"[Content_Types].xml", "mimetype"}


def zip_chunks(data: bytes, where: str, options: ReadOptions, wanted=lambda name: True) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of the files in a zip archive, piece by piece; those not wanted are not unpacked.

    TreecoreError when it is damaged, needs a password, or all of these are more than options.max_bytes.
    """
    n_bytes = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                if info.is_dir() or not wanted(info.filename):
                    continue
                if info.flag_bits & 1:
                    what = f"'{info.filename}' in it is protected by a password"
                    raise TreecoreError(what, where=where, remedy="Unpack it, and load the table that is in it.")
                with archive.open(info) as file:
                    while piece := file.read(CHUNK):
                        n_bytes += len(piece)
                        _refuse_more(n_bytes, where, options)
                        yield info.filename, piece
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
        if isinstance(error, TreecoreError):
            raise
        raise _damaged(where) from None


def _member(source: Source, options: ReadOptions) -> tuple[Source, tuple[str, ...]]:
    """The file in an archive that is asked for, else the one that holds the table, and the names of all."""
    where = f"File '{source.name}'"
    try:
        with zipfile.ZipFile(io.BytesIO(source.content)) as archive:
            files = {info.filename: info.file_size for info in archive.infolist() if not info.is_dir()}
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise _damaged(where) from None
    names = tuple(dict.fromkeys(filter(_is_table, files)))
    if not names:
        raise TreecoreError("There is no file in the archive", where=where, remedy="Load a table, or pack one into it.")
    tables = [name for name in names if not name.lower().endswith(BESIDE_TABLES)] or names
    name = chosen_part(options.part, names, "file", where) or tables[main_part([files[name] for name in tables])]
    data = b"".join(piece for _, piece in zip_chunks(source.content, where, options, lambda other: other == name))
    return Source(name, data=data), names


def _is_table(name: str) -> bool:
    """Not what macOS adds, and no hidden file."""
    path = PurePosixPath(name)
    return path.parts[:1] != ("__MACOSX",) and not path.name.startswith(".")


def _stream(source: Source, kind: str, options: ReadOptions) -> bytes:
    import pyarrow as pa

    where, pieces, n_bytes = f"File '{source.name}'", [], 0
    try:
        packed = io.BytesIO(source.content)
        with lzma.open(packed) if kind == "xz" else pa.CompressedInputStream(packed, kind) as stream:
            while piece := stream.read(CHUNK):
                n_bytes += len(piece)
                _refuse_more(n_bytes, where, options)
                pieces.append(piece)
    except (pa.ArrowException, lzma.LZMAError, EOFError, OSError):
        raise _damaged(where) from None
    return b"".join(pieces)


def _refuse_more(n_bytes: int, where: str, options: ReadOptions) -> None:
    if n_bytes > options.max_bytes:
        raise TreecoreError(
            f"It unpacks to more than {gigabytes(options.max_bytes)}, the limit",
            where=where,
            remedy="Load part of its rows or columns, or raise the limit",
            setting="max_bytes",
        )


def _damaged(where: str) -> TreecoreError:
    remedy = "Load it once more, or save or pack it again."
    return TreecoreError("The file is damaged or not complete", where=where, remedy=remedy)
