"""Files that commands read and write; "-" is the terminal's input or output."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from treecore.brief import visible
from treecore.covering import Learned
from treecore.data.options import ReadOptions
from treecore.data.raw_table import RawTable
from treecore.data.readers import read_raw
from treecore.errors import TreecoreError
from treecore.tree.tree import Tree

Model = TypeVar("Model")


def read_tree(path: str) -> Tree:
    """A tree that `grow` wrote."""
    return _read(path, Tree.from_dict)


def read_model(path: str) -> Tree | Learned:
    """A tree that `grow` wrote, or the rules that `learn` did."""
    return _read(path, lambda data: (Learned if "rules_version" in data else Tree).from_dict(data))


def _read(path: str, made: Callable[[dict], Model]) -> Model:
    content, remedy = _bytes(path), "Give a file that `treecore grow --out` wrote"
    try:
        data = json.loads(content)
        return made(data if isinstance(data, dict) else {})
    except (ValueError, RecursionError):  # no JSON, or no text at all
        raise TreecoreError("This is no saved tree", where=path, remedy=remedy) from None
    except TreecoreError as fault:
        raise TreecoreError(fault.what, where=path, remedy=remedy) from None


def read_rows(path: str, part: str | None = None) -> RawTable:
    """A table of any kind that the app reads. part : see ReadOptions."""
    options = ReadOptions(part=part)
    return read_raw(_bytes(path), name=Path(path).name if path != "-" else "input", options=options)


def write(path: str | None, content: str | bytes) -> None:
    """Into a file; without one, to the terminal's output."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if path in (None, "-"):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        _put(Path(path), data)
    except OSError as fault:
        raise TreecoreError(_why(fault), where=path, remedy="Choose another place for --out") from None


def _put(path: Path, data: bytes) -> None:
    """Whole or not at all: what stood there before is good until the new file is complete, whatever ends the process.

    Written in place where the folder takes no second file, and into what is no file, such as a pipe.
    """
    path = path.resolve() if path.is_symlink() else path
    beside = path.with_name(f".{path.name[:100]}.{os.getpid()}.part")
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        path.write_bytes(data)
        return
    try:
        new = beside.open("xb")
    except OSError:
        path.write_bytes(data)
        return
    try:
        with new:
            new.write(data)
            new.flush()
            os.fsync(new.fileno())
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def check_out(path: str | None) -> None:
    """Can a file be written there? Asked before the work is done; TreecoreError says why not."""
    if path in (None, "-"):
        return
    where, remedy = f"--out {path}", "Choose another place for --out"
    if not path:
        raise TreecoreError("It names no file", where="--out", remedy="Name a file, such as --out tree.json")
    if Path(path).is_dir():
        raise TreecoreError("This is a folder", where=where, remedy="Name a file in it")
    if not Path(path).parent.is_dir():
        raise TreecoreError(f"There is no folder {Path(path).parent}", where=where, remedy=remedy)


def say(text: str) -> None:
    """What is not the result goes to stderr, so that results can be piped; a line is a line, whatever data is in it."""
    print(visible(text), file=sys.stderr, flush=True)


def _bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    if not path:
        raise TreecoreError("The name of the file is empty", remedy="Name a file, or - for what is piped in")
    try:
        return Path(path).read_bytes()
    except OSError as fault:
        raise TreecoreError(_why(fault), where=path, remedy="Check the name of the file") from None


def _why(fault: OSError) -> str:
    if isinstance(fault, FileNotFoundError):
        return "There is no such file"
    return "This is a folder" if isinstance(fault, IsADirectoryError) else (fault.strerror or "Cannot be opened")
