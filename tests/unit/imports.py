"""What the files of the library import, read without running them; each file is parsed once."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = sorted((ROOT / "treecore").rglob("*.py"))


@dataclass(frozen=True)
class Source:
    """What a file imports, as dotted names.

    anywhere : also inside functions. at_the_top : when the file is loaded. for_types : for type checkers only, which
    are not among the others. relative : with dots. session_state : does it name an attribute of this name?
    """

    anywhere: frozenset[str]
    at_the_top: frozenset[str]
    for_types: frozenset[str]
    relative: bool
    session_state: bool


def source_of(text: str) -> Source:
    tree, for_types = ast.parse(text), set()
    for node in statements(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for_types |= names_in(found for part in node.body for found in (part, *statements(part)))
            node.body = [ast.Pass()]
    nodes = list(statements(tree))
    return Source(
        names_in(nodes),
        names_in(tree.body),
        frozenset(for_types),
        any(isinstance(n, ast.ImportFrom) and n.level for n in nodes),
        "session_state" in text and any(getattr(n, "attr", None) == "session_state" for n in ast.walk(tree)),
    )


def statements(tree: ast.AST):
    """All statements in it, however deep: an import is one, so no expression is gone through, which are most nodes."""
    for field in ("body", "orelse", "handlers", "finalbody", "cases"):
        for part in getattr(tree, field, ()):
            yield part
            yield from statements(part)


def names_in(nodes) -> frozenset[str]:
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


@cache
def source_at(path: Path) -> Source:
    return source_of(path.read_text("utf-8"))
