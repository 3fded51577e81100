"""A sheet that marks itself, one HTML file that works without a network, and the code that it shows to be handed in."""

import base64
import hashlib
import html
import json
import re
from binascii import crc_hqx
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from treecore.errors import TreecoreError
from treecore.export.canvas_words import WORDS
from treecore.export.cards import PALETTE
from treecore.export.code import in_script
from treecore.export.page import canvas_script
from treecore.teach.quiz import as_html, question
from treecore.teach.sheet import Blank, Sheet, Task, sheet_title

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of a code: those of Crockford's base 32, which are not taken for each other."""
VERSION, GUESSES = 1, 2
"""First byte of the code of a sheet, and of that of guessed splits."""
UNTOUCHED, WRONG, RIGHT, HELPED = range(4)
"""States of an answer; the last: right once its arithmetic was shown."""


Content = TypeVar("Found")


@dataclass(frozen=True)
class HandIn:
    """What a code says. states : one of UNTOUCHED, WRONG, RIGHT, HELPED for every answer of the sheet, in its order."""

    variant: int
    states: tuple[int, ...]

    @property
    def n_right(self) -> int:
        """Answers that were right without their arithmetic."""
        return self.states.count(RIGHT)


def sheet_mark(sheet: Sheet) -> int:
    """24 bits that tell one sheet from another."""
    content = repr([(task.text, task.given, task.blanks) for task in sheet.markable])
    return int.from_bytes(hashlib.blake2b(content.encode(), digest_size=3).digest(), "big")


def sheet_code(sheet: Sheet, states: Sequence[int]) -> str:
    """The code of these answers: variant, mark, two bits an answer, and a check of all."""
    packed = bytearray((len(states) + 3) // 4)
    for i, state in enumerate(states):
        packed[i // 4] |= state << 2 * (i % 4)
    return framed(VERSION, sheet.variant, sheet_mark(sheet), bytes(packed))


def framed(version: int, number: int, mark: int, content: bytes) -> str:
    """A code of letters in groups of four, with a check of all of it. number : 16 bits; mark : 24 bits."""
    body = bytes([version, *number.to_bytes(2, "big"), *mark.to_bytes(3, "big"), *content])
    body += crc_hqx(body, 0xFFFF).to_bytes(2, "big")
    bits = "".join(f"{byte:08b}" for byte in body)
    bits += "0" * (-len(bits) % 5)
    letters = "".join(LETTERS[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def read_sheet_code(text: str, sheet_of: Callable[[int], Sheet]) -> HandIn:
    """What a code says. sheet_of : variant -> the sheet.

    TreecoreError where a letter is wrong or missing, and for the code of another sheet.
    """
    version, variant, mark, packed = unframed(text)
    if version != VERSION:
        raise misread("it is of another version of the sheet")
    sheet = sheet_of(variant)
    n = sum(len(task.blanks) for task in sheet.markable)
    if mark != sheet_mark(sheet) or len(packed) != (n + 3) // 4:
        raise TreecoreError(
            "This code is of another sheet", where="Hand-in code",
            remedy="Choose the table, the questions and the measure that the sheet was made with",
        )  # fmt: skip
    return HandIn(sheet.variant, tuple(packed[i // 4] >> 2 * (i % 4) & 3 for i in range(n)))


def unframed(text: str) -> tuple[int, int, int, bytes]:
    """(version, number, mark, content) of a code, as `framed` takes them.

    Small letters are read, too, O as 0, I and L as 1; spaces and dashes are not needed.
    TreecoreError where a letter is wrong or missing.
    """
    letters = re.sub(r"[\s-]", "", text.upper()).translate(str.maketrans("OIL", "011"))
    if not letters or set(letters) - set(LETTERS):
        raise misread("it has letters that no code has" if letters else "it is empty")
    bits = "".join(f"{LETTERS.index(letter):05b}" for letter in letters)
    body = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) - 7, 8))
    if len(body) < 8 or crc_hqx(body[:-2], 0xFFFF) != int.from_bytes(body[-2:], "big"):
        raise misread("a letter is wrong or missing")
    return body[0], int.from_bytes(body[1:3], "big"), int.from_bytes(body[3:6], "big"), body[6:-2]


@dataclass(frozen=True)
class CodeLine(Generic[Content]):
    """One line of a list of codes. name : what stands before the code. found : what it says, or None; fault : why."""

    name: str
    found: Content | None
    fault: str = ""


def read_sheet_codes(text: str, sheet_of: Callable[[int], Sheet]) -> list[CodeLine[HandIn]]:
    """A sheet's code in each line, with a name before it or none; empty lines are left out."""
    return read_lines(text, lambda written: read_sheet_code(written, sheet_of))


def read_lines(text: str, read_code: Callable[[str], Content]) -> list[CodeLine[Content]]:
    """The same of any codes. read_code : reads one, or raises TreecoreError."""
    lines = []
    for line in filter(None, map(str.strip, text.splitlines())):
        written = re.split(r"[\s:;,]+", line)[-1]
        name = line[: len(line) - len(written)].strip(" \t:;,")
        try:
            lines.append(CodeLine(name, read_code(written)))
        except TreecoreError as fault:
            lines.append(CodeLine(name or line[:40], None, fault.what))
    return lines


def by_task(sheet: Sheet, hand_in: HandIn) -> list[tuple[int, int]]:
    """(right without help, answers) of every question."""
    first, points = 0, []
    for task in sheet.markable:
        states = hand_in.states[first : first + len(task.blanks)]
        points.append((states.count(RIGHT), len(states)))
        first += len(states)
    return points


def misread(why: str) -> TreecoreError:
    return TreecoreError(f"This is no hand-in code: {why}", where="Hand-in code", remedy="Copy it from the sheet again")


# A sheet that marks itself: one HTML file that works without a network, with hints and a code to hand in.

SCRIPT, SKETCH, STYLE = (Path(__file__).with_name(name) for name in ("marked.js", "sketch.js", "marked.css"))


def marked_page(sheet: Sheet) -> str:
    """The sheet as a page that marks what is filled in, gives hints in three steps, and shows a hand-in code.

    What is right is in the file, though not in words: it is for practice, and no examination.
    TreecoreError for a sheet on which nothing can be marked.
    """
    tasks = sheet.markable
    if not tasks:
        raise TreecoreError("No question here has an answer to mark", where="Sheet", remedy="Choose another question")
    parts, first, data = [], 0, []
    for t, task in enumerate(tasks):
        parts.append(_section(t, task, first))
        data.append(
            {
                "first": first, "blanks": [_right(b) for b in task.blanks], "hint": task.hint, "key": list(task.key),
                "draws": [branches for _, branches in task.draws], "names": [name for name, _ in task.draws],
                "paths": _paths(task), "rows": task.draws_rows,
            }
        )  # fmt: skip
        first += len(task.blanks)
    packed = json.dumps({"variant": sheet.variant, "mark": sheet_mark(sheet), "tasks": data}, ensure_ascii=False)
    title = html.escape(sheet_title(sheet, False))
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE.read_text(encoding="utf-8")}</style>
<main><h1>{title}</h1>
<p>Fill in and check. Numbers may be written as 0.94, 0,94 or 13/14; three digits are enough.</p>
{"".join(parts)}
</main><footer><strong id="points" role="status"></strong><br>Hand-in code: <code id="code"></code>
<button type="button" id="copy">Copy</button><span id="copied" role="status"></span></footer>
<script type="text/plain" id="data">{base64.b64encode(packed.encode()).decode()}</script>
<script>{_sketching() if any(task.draws for task in tasks) else ""}{SCRIPT.read_text(encoding="utf-8")}</script></html>
"""


def _sketching() -> str:
    """The canvas on which a tree is drawn by hand, with its words and colours."""
    words = WORDS | {"tree": "The tree that you draw", "details": {}, "turns": {}, "shapes": {}}
    constants = f"const SKETCH_WORDS = {in_script(words)}, COLORS = {in_script(PALETTE)};"
    return "\n".join([constants, canvas_script(), SKETCH.read_text(encoding="utf-8")])


def _paths(task: Task) -> list[list[tuple[int, int]]]:
    """Of every node of a tree that is to be drawn, the way to it: places of attributes in `draws` and of branches."""
    places = {name: (i, branches) for i, (name, branches) in enumerate(task.draws)}
    return [
        [(places[name][0], places[name][1].index(branch)) for name, branch in blank.path]
        for blank in task.blanks
        if blank.path is not None
    ]


def _section(t: int, task: Task, first: int) -> str:
    page = question(task, lambda i, blank: _field(first + i - 1, blank))
    if task.draws:  # the fields of its nodes go into the drawing as it grows
        pool = "".join(_field(first + i, blank) for i, blank in enumerate(task.blanks))
        page = question(replace(task, blanks=()), lambda i, blank: "")
        page += "<p>Pick a node of the tree, then choose what it asks for or answers.</p>"
        page += '<div class="drawing"><div class="canvas"></div><div class="choice"></div></div>'
        page += f'<div hidden class="pool">{pool}</div>'
    return (
        f'<section id="q{t}" aria-label="Question {t + 1}"><h2>{t + 1}.</h2>{page}'
        '<p><button type="button" class="check">Check</button><button type="button" class="help">Hint</button>'
        '<span class="told" role="status"></span></p><div class="hint" aria-live="polite"></div></section>'
    )


def _field(i: int, blank: Blank) -> str:
    name = html.escape(" ".join(blank.asks.split()))
    if not blank.options:
        return f'<span class="f"><input data-field="{i}" aria-label="{name}" autocomplete="off"></span>'
    options = "".join(f'<option value="{k}">{as_html(option)}</option>' for k, option in enumerate(blank.options))
    select = f'<select data-field="{i}" aria-label="{name}"><option value=""></option>{options}</select>'
    return f'<span class="f">{select}</span>'


def _right(blank: Blank) -> dict:
    return {"right": list(blank.right)} if blank.options else {"value": float(blank.value), "within": blank.within}
