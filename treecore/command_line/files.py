"""Files that commands read and write; "-" is the terminal's input or output."""

import json
import sys
from pathlib import Path

from treecore.data.raw import RawTable
from treecore.data.readers import read_raw
from treecore.errors import TreecoreError
from treecore.tree.tree import Tree


def read_tree(path: str) -> Tree:
    """A tree that `grow` wrote."""
    try:
        return Tree.from_dict(json.loads(_bytes(path)))
    except (UnicodeDecodeError, json.JSONDecodeError):
        what = "This is no saved tree"
        raise TreecoreError(what, where=path, remedy="Give a file that `treecore grow --out` wrote") from None
    except TreecoreError as fault:
        raise TreecoreError(fault.what, where=f"{path}, {fault.where}", remedy=fault.remedy) from None


def read_rows(path: str) -> RawTable:
    """A table of any kind that the app reads."""
    return read_raw(_bytes(path), name=Path(path).name if path != "-" else "input")


def write(path: str | None, content: str | bytes) -> None:
    """Into a file; without one, to the terminal's output."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if path in (None, "-"):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        Path(path).write_bytes(data)
    except OSError as fault:
        raise TreecoreError(_why(fault), where=path, remedy="Choose another place for --out") from None


def say(text: str) -> None:
    """What is not the result goes to stderr, so that results can be piped."""
    print(text, file=sys.stderr, flush=True)


def _bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as fault:
        raise TreecoreError(_why(fault), where=path, remedy="Check the name of the file") from None


def _why(fault: OSError) -> str:
    return "There is no such file" if isinstance(fault, FileNotFoundError) else (fault.strerror or "Cannot be opened")
