"""A sheet that marks itself: one HTML file that works without a network, with hints and a code to hand in."""

import base64
import html
import json
from dataclasses import replace
from pathlib import Path

from treecore.errors import TreecoreError
from treecore.exercises.handin import mark_of
from treecore.exercises.quiz import as_html, question
from treecore.exercises.sheet import Blank, Sheet, Task
from treecore.exercises.written import titled

SCRIPT, STYLE = (Path(__file__).with_name(name) for name in ("marked.js", "marked.css"))


def marked(sheet: Sheet) -> str:
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
                "draws": [branches for _, branches in task.draws], "paths": _paths(task), "rows": task.draws_rows,
            }
        )  # fmt: skip
        first += len(task.blanks)
    packed = json.dumps({"variant": sheet.variant, "mark": mark_of(sheet), "tasks": data}, ensure_ascii=False)
    title = html.escape(titled(sheet, False))
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE.read_text(encoding="utf-8")}</style>
<main><h1>{title}</h1>
<p>Fill in and check. Numbers may be written as 0.94, 0,94 or 13/14; three digits are enough.</p>
{"".join(parts)}
</main><footer><strong id="points" role="status"></strong><br>Hand-in code: <code id="code"></code>
<button type="button" id="copy">Copy</button><span id="copied" role="status"></span></footer>
<script type="text/plain" id="data">{base64.b64encode(packed.encode()).decode()}</script>
<script>{SCRIPT.read_text(encoding="utf-8")}</script></html>
"""


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
        page += f'<div class="drawing"></div><div hidden class="pool">{pool}</div>'
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
