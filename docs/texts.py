"""Every text that the app, the library and the pages of one file show, room by room, to be read in one go.

    python -m docs.texts                 all of them, a line each, with where they stand
    python -m docs.texts pages/shared/pruning
    python -m docs.texts --faults        those that break a rule of `faults`

A text stands beside the code that shows it: there one sees under which condition it is said, and what is put into it.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = "pages", "treecore", "assets/workbench", "streamlit_app.py"
VALUE = "…"
"""Stands for what is put in."""
OTHERS = {"Some value(s) of y are negative"}
"""Texts of other libraries, which their tests ask for word by word."""
SILENT = {"key", "where", "name"}
"""Arguments by keyword that nobody reads as a sentence."""
NAMED = {
    "cached", "cached_cut", "cached_for_canvas", "cached_in_background", "choice", "choose", "controlled", "fact",
    "fold", "of_all_rows", "stored_for", "stored", "compile", "sub", "execute", "style", "html", "evaluate", "query",
}  # fmt: skip
"""Calls whose first text, or whose texts without a capital, are names under which something is kept, or code."""
CODE = re.compile(r"[{}]\s*$|^\s*[<@.#/\\]|;\s*$|\\[a-z]{2,}|^[a-z_]+\(|SELECT |CREATE |^\W+$|::|=>|</|px\b.*px\b")
SCRIPT = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|`((?:[^`\\]|\\.)*)`")
IN_SCRIPT = re.compile(r"\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
MOST_WORDS = 40
"""Of a sentence."""
RETIRED = {
    r"\bRoles of the rows\b": "train / validation / test split",
    r"\brows? that judges?\b": "validation rows",
    r"\bIts own values again\b": "Reset",
    r"\bTell me\b": "Check",
    r"\bAs narrow as before\b": "Narrow",
    r"\bThe tree's own\b": "used by the tree",
    r"\bmajority \d": "baseline",
    r"\bthe mean alone\b": "baseline",
    r"\bdiffers? from the algorithm's own\b": "changed from the default",
    r"\bCall it so\b": "Flag as",
    r"\bA row without the value asked for\b": "missing value",
    r"\bFeatures drawn at every node\b": "random features per split",
    r"\bAnswers in one direction\b": "monotonic feature",
    r"\bThe test of the two bars\b": "training against validation in this node",
    r"(?<!oot )\bmean squared error\b": "RMSE",
}
"""What WORDS.md of the project retires -> what is said instead."""
FORMULA_ROOMS = "treecore/explaining", "treecore/study/questions/bias_variance.py", "treecore/plots", "treecore/teach"
"""Where a squared error is what is meant: arithmetic, and what is taught."""


@dataclass(frozen=True)
class Text:
    """room : folder, or file. file, line : where it stands. said : with VALUE for what is put in."""

    file: str
    line: int
    said: str

    @property
    def room(self) -> str:
        return str(Path(self.file).parent)


def texts(*within: str) -> list[Text]:
    """All texts for people in these folders or files, by default in all; in the order of the files."""
    paths = [path for room in within or ROOMS for path in _files(ROOT / room)]
    return [text for path in paths for text in (_of_python(path) if path.suffix == ".py" else _of_script(path))]


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(p for p in path.rglob("*") if p.suffix in (".py", ".js", ".html") and "__pycache__" not in p.parts)


def _of_python(path: Path) -> Iterator[Text]:
    tree = ast.parse(path.read_text("utf-8"))
    silent = _silent(tree)
    file = path.relative_to(ROOT).as_posix()
    for node in _outermost(tree):
        said = _said(node)
        if id(node) not in silent and is_text(said):
            yield Text(file, node.lineno, said)


def _silent(tree: ast.Module) -> set[int]:
    """The nodes of docstrings, of keys, and of names under which something is kept."""
    result: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            result.add(id(node.value))
        elif isinstance(node, ast.Call):
            result |= {id(k.value) for k in node.keywords if k.arg in SILENT}
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in NAMED:
                result |= {id(a) for a in node.args if not _said(a)[:1].isupper()}
        elif isinstance(node, ast.Dict):
            result |= {id(key) for key in node.keys if key is not None and not _said(key)[:1].isupper()}
    return result


def _outermost(node: ast.AST) -> Iterator[ast.expr]:
    """Strings, and strings with values in them as one."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.JoinedStr) or (isinstance(child, ast.Constant) and isinstance(child.value, str)):
            yield child
        if not isinstance(child, ast.Constant):
            yield from _outermost(child) if not isinstance(child, ast.JoinedStr) else _within(child)


def _within(joined: ast.JoinedStr) -> Iterator[ast.expr]:
    for part in joined.values:
        if isinstance(part, ast.FormattedValue):
            yield from _outermost(part)


def _said(node: ast.AST | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(VALUE if isinstance(part, ast.FormattedValue) else _said(part) for part in node.values)
    return ""


def _of_script(path: Path) -> Iterator[Text]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        code = "" if line.lstrip().startswith(("//", "/*", "*")) else line
        for match in SCRIPT.finditer(code):
            said = re.sub(r"\$\{.*", VALUE, IN_SCRIPT.sub(VALUE, match[1] or match[2] or ""))
            if is_text(said) and said[:1].isupper():
                yield Text(path.relative_to(ROOT).as_posix(), number, said)


def is_text(said: str) -> bool:
    """Two words or more, begun as a sentence or a label, or at least four within one; no code."""
    words = re.findall(r"[A-Za-z’']{2,}", said)
    if len(words) < 2 or " " not in said.strip() or CODE.search(said):
        return False
    return said.lstrip(" *_" + VALUE)[:1].isupper() or (len(words) >= 4 and bool(re.search(r"[,.:;]|" + VALUE, said)))


def faults(text: Text) -> list[str]:
    """Which rules a text breaks."""
    said = text.said
    if any(other in said for other in OTHERS):
        return []
    result = [f"“{retired}” is {better}" for retired, better in RETIRED.items() if _is_retired(text, retired)]
    if re.search(r"\S  +(?!\n)\S", said):
        result.append("two spaces")
    if re.search(r"\b1 (rows|levels|nodes|leaves|columns|features|trees|errors|splits)\b|[a-z]\(s\)", said):
        result.append("a plural of one")
    if re.search(r" [,.;?](\s|$)", said):
        result.append("a space before its sign")
    sentences = re.split(r"(?<=[.;:?!])\s|\n", said)
    result += [f"{len(s.split())} words" for s in sentences if len(s.split()) > MOST_WORDS]
    return result


def _is_retired(text: Text, retired: str) -> bool:
    taught = "squared" in retired and text.file.startswith(FORMULA_ROOMS)
    return not taught and bool(re.search(retired, text.said))


def main(*arguments: str) -> int:
    only_faults = "--faults" in arguments
    found, room = texts(*(a for a in arguments if a != "--faults")), ""
    for text in found:
        told = faults(text)
        if only_faults and not told:
            continue
        if text.room != room:
            room = text.room
            print(f"\n## {room}\n")
        said = text.said.replace("\n", "⏎")
        print(f"{Path(text.file).name}:{text.line}  {said}{'  !! ' + ', '.join(told) if told else ''}")
    return int(any(faults(text) for text in found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
