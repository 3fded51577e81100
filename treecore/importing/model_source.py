"""What a model is read from: an object in the process, or the bytes of a file, which are never run."""

import io
import json
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from treecore.brief import Brief
from treecore.errors import TreecoreError

LARGEST_FILE = 512 * 2**20
"""Bytes. Parsed, a model takes some ten times as much memory."""
MOST_NODES = 5_000_000
"""Nodes of all trees together that are read."""
PICKLE_NAMES = (".pkl", ".pickle", ".joblib", ".dill", ".cloudpickle", ".sav")
SPSS = (b"$FL2", b"$FL3")
"""How tables of SPSS begin, whose names end as some pickles' do."""
PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"\x78\x01", b"\x78\x9c", b"\x78\xda")
"""How gzip, bzip2, xz, zstd and zlib begin; joblib packs pickles so."""
UNPICKLED = "Open it where it was made and give the fitted object itself, or save the model as JSON, ONNX or PMML there"


@dataclass(frozen=True, eq=False, repr=False)
class ModelSource(Brief):
    """given : what read_model was called with, where it is no file. data : the file's bytes. name : in messages."""

    given: Any = None
    data: bytes | None = None
    name: str = "model"

    @property
    def content(self) -> bytes:
        """`data` of a file."""
        assert self.data is not None
        return self.data

    @cached_property
    def json(self) -> dict | None:
        """The file as JSON, if it is an object in JSON; or the dict that was given."""
        if isinstance(self.given, dict):
            return self.given
        if self.data is None or not re.match(rb'\s*{\s*["}]', self.head):
            return None
        try:
            result = json.loads(self.data)
        except (ValueError, RecursionError, MemoryError):
            raise unreadable(self, "It begins as JSON and is none to its end") from None
        return result if isinstance(result, dict) else None

    @cached_property
    def head(self) -> bytes:
        """Its first bytes, by which a kind of file is known; b"" of an object."""
        return (self.data or b"")[:4096]


def source_of(given: Any) -> ModelSource:
    """The source of a path, of bytes, of an open file, or of any object. TreecoreError for a pickle, whatever its name,
    for a file that cannot be opened, and for one above LARGEST_FILE."""
    if isinstance(given, str | os.PathLike):
        return _checked(_file(Path(given)))
    if isinstance(given, bytes | bytearray | memoryview):
        return _checked(ModelSource(data=bytes(given)))
    # models of Spark have a method of the class of this name
    if callable(getattr(given, "read", None)) and getattr(given.read, "__self__", None) is not type(given):
        return _checked(_stream(given))
    return ModelSource(given=given, name=type(given).__name__)


def unreadable(source: ModelSource, what: str, remedy: str = "Save the model again where it was made") -> TreecoreError:
    """The error for a file that is no whole model."""
    return TreecoreError(what, where=source.name, remedy=remedy)


def unsaid(where: str, what: str, remedy: str) -> TreecoreError:
    """The error for what a model says and a tree of ours cannot: it is refused, never guessed."""
    return TreecoreError(what, where=where, remedy=remedy)


@contextmanager
def fault_texts(source: ModelSource) -> Iterator[None]:
    """Whatever is not where a model of this kind has it makes the file a broken one."""
    try:
        yield
    except TreecoreError as fault:
        where = f"{source.name}, {fault.where}" if fault.where else source.name
        raise TreecoreError(fault.what, where=where, remedy=fault.remedy) from None
    # SystemError: of texts in arrays, whose bytes are no characters
    except (
        ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError, SystemError,
    ) as fault:  # fmt: skip
        raise unreadable(source, f"It is no whole model ({type(fault).__name__}: {str(fault)[:80]})") from None


def packed(folder: Path) -> bytes:
    """The files of a folder as a zip: Spark saves a model as one. TreecoreError for any other folder, unread."""
    if next(folder.rglob("metadata/part-*"), None) is None:
        what = "This folder holds no model: it has no metadata/part-… as Spark writes it"
        raise TreecoreError(what, where=folder.name, remedy="Give the folder that Spark saved, or a file of a model")
    made, size = io.BytesIO(), 0
    # a zip knows no time before 1980, and files of reproducible images are of 1970
    with zipfile.ZipFile(made, "w", strict_timestamps=False) as file:
        for path in sorted(folder.rglob("*")):
            size += path.stat().st_size if path.is_file() else 0
            if size > LARGEST_FILE:
                raise _too_large(folder.name)
            if path.is_file():
                file.write(path, path.relative_to(folder).as_posix())
    return made.getvalue()


def _file(path: Path) -> ModelSource:
    try:
        if path.is_dir():
            return ModelSource(data=packed(path), name=path.name)
        if path.stat().st_size > LARGEST_FILE:
            raise _too_large(path.name)
        return ModelSource(data=path.read_bytes(), name=path.name)
    except TreecoreError:  # which is a ValueError, too
        raise
    except OSError as fault:
        what = "There is no such file" if isinstance(fault, FileNotFoundError) else fault.strerror or "It does not open"
        raise TreecoreError(what, where=str(path), remedy="Check the name of the file") from None
    except ValueError:  # a name with a zero in it
        raise TreecoreError("This is no name of a file", where="source", remedy="Check the name of the file") from None


def _stream(given: Any) -> ModelSource:
    data, name = given.read(LARGEST_FILE + 1), str(getattr(given, "name", "model"))
    data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
    return ModelSource(data=data, name=name)


def _too_large(name: str) -> TreecoreError:
    return TreecoreError(f"It has more than {LARGEST_FILE >> 20} MB", where=name, remedy="Save a model of fewer trees")


def _checked(source: ModelSource) -> ModelSource:
    data = source.data or b""
    if len(data) > LARGEST_FILE:
        raise _too_large(source.name)
    if not data.strip():
        raise unreadable(source, "The file is empty")
    check_no_pickle(source.name, data)
    if data.startswith(PACKED):
        raise _pickle(source.name)
    return source


def check_no_pickle(name: str, data: bytes) -> None:
    """TreecoreError for a pickle, by its name or its first bytes."""
    binary = data[:1] == b"\x80" and data[1:2] <= b"\x08"
    if binary or (name.lower().endswith(PICKLE_NAMES) and not data.startswith(SPSS)):
        raise _pickle(name)


def _pickle(name: str) -> TreecoreError:
    return TreecoreError(
        "This is a pickle or packed: opening one runs whatever code is in it, so it is never opened",
        where=name,
        remedy=UNPICKLED,
    )
