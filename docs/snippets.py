"""The code on the pages of the documentation: what the tests run, and what draws the site's pictures.

The Python blocks of a page are one program. A block with a title is a file of that name; a block of text right after
a Python block is what that prints; a diff with a title changes that file.

    uv run python -m docs.snippets [page...]        writes what the blocks print into the pages
    uv run python -m docs.snippets --show page      tells what they print
"""

import contextlib
import io
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parent
_PYTHON = re.compile(r'^```python( title="([^"]+)")?\n(.*?)^```\n(?:\n```text\n.*?^```\n)?', re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r'^```(\w+)(?: title="([^"]+)")?[^\n]*\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block. kind : its language. title : the file it stands for, '' for none. line : of its first line."""

    kind: str
    title: str
    text: str
    line: int


def pages() -> list[Path]:
    """All pages whose code runs as it stands, without files that the page shows; in order of their names."""
    found = {page: blocks(page) for page in sorted(DOCS.rglob("*.md"))}
    return [page for page, b in found.items() if any(x.kind == "python" for x in b) and not any(x.title for x in b)]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [Block(m[1], m[2] or "", m[3], text.count("\n", 0, m.start()) + 2) for m in _FENCE.finditer(text)]


def program(page: Path) -> Iterator[tuple[Block, str | None]]:
    """The Python blocks that are run, each with what the page says that it prints, None where it does not say."""
    found = blocks(page)
    for block, after in zip(found, [*found[1:], None], strict=True):
        if block.kind == "python" and not block.title:
            told = after is not None and after.kind == "text" and not after.title
            yield block, after.text if told else None


def run(page: Path) -> list[tuple[Block, str, str | None]]:
    """Run a page's program in the current folder: of every block what it printed, and what the page says.

    An error names the page and the line.
    """
    names, done = {"__name__": page.stem}, []
    for block, told in program(page):
        printed = io.StringIO()
        code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        done.append((block, printed.getvalue(), told))
    return done


def renewed(page: Path) -> str:
    """The page with what its blocks print now below them, where they print anything."""
    text, printed = page.read_text(encoding="utf-8"), iter(run(page))

    def with_output(m: re.Match) -> str:
        if m[2]:
            return m[0]
        output = next(printed)[1]
        return f"```python\n{m[3]}```\n" + (f"\n```text\n{output}```\n" if output else "")

    return _PYTHON.sub(with_output, text)


def changed(text: str, diff: str) -> str:
    """The text with one diff applied: lines that stay begin with a space, others with + or -; they stand there once.

    ValueError where the lines before the change are not found once.
    """
    lines = diff.splitlines()
    before, after = ("".join(line[1:] + "\n" for line in lines if line[:1] in kept) for kept in (" -", " +"))
    if text.count(before) != 1:
        raise ValueError(f"found {text.count(before)} times, not once:\n{before}")
    return text.replace(before, after)


if __name__ == "__main__" and sys.argv[1:2] == ["--show"]:
    print(json.dumps([[block.line, printed, told] for block, printed, told in run(Path(sys.argv[2]))]))
elif __name__ == "__main__":
    for page in [Path(name).resolve() for name in sys.argv[1:]] or pages():
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            page.write_text(renewed(page), encoding="utf-8")
