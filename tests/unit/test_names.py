"""Names of the library: no two files and no two classes share one, and none is a word that says nothing."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests.unit.imports import LIBRARY, ROOT, statements

RETIRED = ("found", "told", "said", "kept", "given", "drawn", "beside", "ended", "dealt", "moved", "parted")
"""Verbs in the past tense, and a preposition: they say what was done to a thing, not what it is."""
PAGES = sorted((ROOT / "pages").rglob("*.py"))


def twice(pairs: Iterable[tuple[str, Path]]) -> list[str]:
    """The names that stand at more than one place, with the places."""
    places = defaultdict(set)
    for name, path in pairs:
        places[name].add(path.relative_to(ROOT).as_posix())
    return [f"{name}: {', '.join(sorted(at))}" for name, at in sorted(places.items()) if len(at) > 1]


@cache
def named_in(path: Path) -> tuple[list[str], list[str]]:
    """(the file with its functions and classes at the top level, all its classes)"""
    tree, kinds = ast.parse(path.read_text("utf-8")), ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    top = [node.name for node in tree.body if isinstance(node, kinds)]
    return [path.stem, *top], [node.name for node in statements(tree) if isinstance(node, ast.ClassDef)]


def test_no_two_files_share_a_name():
    files = [path for path in LIBRARY if path.name not in ("__init__.py", "__main__.py")]
    assert not twice((path.name, path) for path in files)


def test_no_two_classes_share_a_name():
    assert not twice((name, path) for path in LIBRARY for name in named_in(path)[1])


def test_retired_words_name_nothing():
    is_retired = re.compile(rf"(^|_)({'|'.join(RETIRED)})(_|$)")
    named = [
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for path in [*LIBRARY, *PAGES]
        for name in named_in(path)[0]
        if is_retired.search(name)
    ]
    assert not named, "\n".join(named)


def test_a_name_that_stands_twice_is_seen():
    here = Path(__file__)
    assert twice([("Rows", here), ("Rows", here.with_name("imports.py")), ("Cut", here), ("Cut", here)]) == [
        "Rows: tests/unit/imports.py, tests/unit/test_names.py"
    ]
