"""A sheet or its key as Markdown, as HTML for print on A4, and as LaTeX; text from data stays text."""

import html

from treecore.exercises.sheet import Grid, Sheet, Task
from treecore.export.rule_texts import to_latex as in_latex
from treecore.export.rule_texts import to_markdown

FORMATS = ("md", "html", "tex")


def written(sheet: Sheet, form: str, key: bool = False) -> str:
    """The sheet in this format. key : the answers instead of the space to work."""
    return {"md": _markdown, "html": _html, "tex": _latex}[form](sheet, key)


def titled(sheet: Sheet, key: bool) -> str:
    """The title as it is printed."""
    return f"{sheet.title}, variant {sheet.variant}{': key' if key else ''}"


def _plain_md(text: str) -> str:
    return "\n".join(map(to_markdown, text.split("\n")))


def _markdown(sheet: Sheet, key: bool) -> str:
    parts = [f"# {_plain_md(titled(sheet, key))}", ""]
    for number, task in enumerate(sheet.tasks, 1):
        parts += [f"**{number}.** {_plain_md(task.text)}", ""]
        for grid in grids(task, key):
            parts += _md_grid(grid)
        parts += [f"- {_plain_md(line)}" for line in task.key] if key else ["&nbsp;  "] * task.lines
        parts.append("")
    return "\n".join(parts)


def grids(task: Task, key: bool) -> list[Grid]:
    """The tables of a question; those to be filled in are not in the key, which has those of the answer."""
    return [*task.given, *task.drawn] if key else [*task.given, *([task.blank] if task.blank else [])]


def _md_grid(grid: Grid) -> list[str]:
    line = lambda cells: "| " + " | ".join(map(to_markdown, cells)) + " |"  # noqa: E731
    return [line(grid.columns), "| " + " | ".join("---" for _ in grid.columns) + " |", *map(line, grid.rows), ""]


STYLE = """@page { size: A4; margin: 18mm } body { font: 11pt/1.4 serif; max-width: 174mm; margin: auto }
table { border-collapse: collapse; margin: 3mm 0 } td, th { border: 0.3mm solid #555; padding: 0.6mm 2.5mm;
min-width: 9mm; height: 5mm } .space { border-bottom: 0.2mm dotted #999; height: 8mm } section { break-inside: auto }
h1 { font-size: 15pt }"""


def _html(sheet: Sheet, key: bool) -> str:
    e = html.escape
    parts = [f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{e(titled(sheet, key))}</title>"
             f"<style>{STYLE}</style><h1>{e(titled(sheet, key))}</h1>"]  # fmt: skip
    for number, task in enumerate(sheet.tasks, 1):
        parts.append(f"<section><p><b>{number}.</b> {e(task.text)}</p>")
        for grid in grids(task, key):
            row = lambda cells, tag: "<tr>" + "".join(f"<{tag}>{e(c)}</{tag}>" for c in cells) + "</tr>"  # noqa: E731
            parts.append("<table>" + row(grid.columns, "th") + "".join(row(r, "td") for r in grid.rows) + "</table>")
        parts += [f"<p>{e(line)}</p>" for line in task.key] if key else ["<div class='space'></div>"] * task.lines
        parts.append("</section>")
    return "\n".join([*parts, "</html>"])


SIGNS = {
    "−": "$-$", "·": r"$\cdot$", "²": "$^2$", "₂": "$_2$", "→": r"$\to$", "≤": r"$\le$", "≥": r"$\ge$", "∈": r"$\in$",
    "α": r"$\alpha$", "–": "--", "…": r"\ldots{}",
}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(SIGNS.get(ch) or in_latex(ch) for ch in text)


def _latex(sheet: Sheet, key: bool) -> str:
    title = _tex(titled(sheet, key))
    parts = [
        r"\documentclass[a4paper,11pt]{article}",
        r"\usepackage[utf8]{inputenc}\usepackage[margin=18mm]{geometry}",
        r"\setlength{\parindent}{0pt}",
        r"\begin{document}",
        rf"\section*{{{title}}}",
    ]
    for number, task in enumerate(sheet.tasks, 1):
        parts.append(rf"\textbf{{{number}.}} {_tex(task.text)}\par\medskip")
        for grid in grids(task, key):
            rows = [" & ".join(_tex(c) for c in cells) + r" \\ \hline" for cells in (grid.columns, *grid.rows)]
            parts += [rf"\begin{{tabular}}{{|{'l|' * len(grid.columns)}}}\hline", *rows, r"\end{tabular}\par\medskip"]
        parts += [rf"{_tex(line)}\par" for line in task.key] if key else [rf"\vspace{{{8 * task.lines}mm}}"]
    return "\n".join([*parts, r"\end{document}", ""])
