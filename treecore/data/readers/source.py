"""Where a table comes from: a path, bytes, an open file or a data frame, brought into one shape."""

import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from treecore.brief import Brief
from treecore.data.frames import as_pandas
from treecore.data.options import ReadOptions
from treecore.errors import TreecoreError


@dataclass(frozen=True, eq=False, repr=False)
class Source(Brief):
    """A name for messages, and either the bytes of a file or a pandas DataFrame."""

    name: str
    data: bytes | None = None
    frame: object = None

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
