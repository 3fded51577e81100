"""An exercise sheet and its key: questions with their answers, printed as Markdown, HTML, LaTeX and PDF."""

import html
import io
import logging
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from treecore.errors import TreecoreError
from treecore.export.rule_texts import to_latex as in_latex
from treecore.export.rule_texts import to_markdown


@dataclass(frozen=True)
class SheetTable:
    """A small table. columns : its heads; rows : as many cells each, '' for a blank to be filled in."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Blank:
    """One answer that a machine can mark: a number, or a choice.

    asks : what belongs there, understood without the others. value, within : the number as computed, and how far an
    answer may be from it. options, right : what can be chosen, and the places of what is right, as several may be.
    place : row and column of it in the task's table, or None for one below it. path : of a node of a tree that is to
    be drawn, the attributes asked above it, each with the branch that leads on; None elsewhere.
    """

    asks: str
    value: float = 0.0
    within: float = 0.0
    options: tuple[str, ...] = ()
    right: tuple[int, ...] = ()
    place: tuple[int, int] | None = None
    path: tuple[tuple[str, str], ...] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Task:
    """One question. text : what is asked. given : tables that it needs. blank : what is to be filled in, or None.
    lines : empty lines to work on. key : the answer, a line each, with its arithmetic. drawn : tables of the answer.
    blanks : what is marked in a quiz. hint : the rule or the formula it is answered by. draws : where the answer is a
    tree to be drawn, the attributes that can be asked, each with its branches; draws_rows : of every row the place of
    its branch, attribute by attribute.
    """

    text: str
    given: tuple[SheetTable, ...] = ()
    blank: SheetTable | None = None
    lines: int = 6
    key: tuple[str, ...] = ()
    drawn: tuple[SheetTable, ...] = ()
    blanks: tuple[Blank, ...] = ()
    hint: str = ""
    draws: tuple[tuple[str, tuple[str, ...]], ...] = ()
    draws_rows: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A title, the variant's number, and the questions."""

    title: str
    variant: int
    tasks: tuple[Task, ...]

    @property
    def markable(self) -> tuple[Task, ...]:
        """The questions that have answers which a machine can mark."""
        return tuple(task for task in self.tasks if task.blanks)


# A sheet or its key as Markdown, as HTML for print on A4, and as LaTeX; text from data stays text.

FORMATS = ("md", "html", "tex")


def written_sheet(sheet: Sheet, form: str, key: bool = False) -> str:
    """The sheet in this format. key : the answers instead of the space to work."""
    return {"md": _markdown, "html": _html, "tex": _latex}[form](sheet, key)


def sheet_title(sheet: Sheet, key: bool) -> str:
    """The title as it is printed."""
    return f"{sheet.title}, variant {sheet.variant}{': key' if key else ''}"


def _plain_md(text: str) -> str:
    return "\n".join(map(to_markdown, text.split("\n")))


def _markdown(sheet: Sheet, key: bool) -> str:
    parts = [f"# {_plain_md(sheet_title(sheet, key))}", ""]
    for number, task in enumerate(sheet.tasks, 1):
        parts += [f"**{number}.** {_plain_md(task.text)}", ""]
        for grid in tables_of_task(task, key):
            parts += _md_grid(grid)
        parts += [f"- {_plain_md(line)}" for line in task.key] if key else ["&nbsp;  "] * task.lines
        parts.append("")
    return "\n".join(parts)


def tables_of_task(task: Task, key: bool) -> list[SheetTable]:
    """The tables of a question; those to be filled in are not in the key, which has those of the answer."""
    return [*task.given, *task.drawn] if key else [*task.given, *([task.blank] if task.blank else [])]


def _md_grid(grid: SheetTable) -> list[str]:
    line = lambda cells: "| " + " | ".join(map(to_markdown, cells)) + " |"  # noqa: E731
    return [line(grid.columns), "| " + " | ".join("---" for _ in grid.columns) + " |", *map(line, grid.rows), ""]


STYLE = """@page { size: A4; margin: 18mm } body { font: 11pt/1.4 serif; max-width: 174mm; margin: auto }
table { border-collapse: collapse; margin: 3mm 0 } td, th { border: 0.3mm solid #555; padding: 0.6mm 2.5mm;
min-width: 9mm; height: 5mm } .space { border-bottom: 0.2mm dotted #999; height: 8mm } section { break-inside: auto }
h1 { font-size: 15pt }"""


def _html(sheet: Sheet, key: bool) -> str:
    e = html.escape
    parts = [f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{e(sheet_title(sheet, key))}</title>"
             f"<style>{STYLE}</style><h1>{e(sheet_title(sheet, key))}</h1>"]  # fmt: skip
    for number, task in enumerate(sheet.tasks, 1):
        parts.append(f"<section><p><b>{number}.</b> {e(task.text)}</p>")
        for grid in tables_of_task(task, key):
            row = lambda cells, tag: "<tr>" + "".join(f"<{tag}>{e(c)}</{tag}>" for c in cells) + "</tr>"  # noqa: E731
            parts.append("<table>" + row(grid.columns, "th") + "".join(row(r, "td") for r in grid.rows) + "</table>")
        parts += [f"<p>{e(line)}</p>" for line in task.key] if key else ["<div class='space'></div>"] * task.lines
        parts.append("</section>")
    return "\n".join([*parts, "</html>"])


TEX_SIGNS = {
    "−": "$-$", "·": r"$\cdot$", "²": "$^2$", "₂": "$_2$", "→": r"$\to$", "≤": r"$\le$", "≥": r"$\ge$", "∈": r"$\in$",
    "α": r"$\alpha$", "–": "--", "…": r"\ldots{}",
}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(TEX_SIGNS.get(ch) or in_latex(ch) for ch in text)


def _latex(sheet: Sheet, key: bool) -> str:
    title = _tex(sheet_title(sheet, key))
    parts = [
        r"\documentclass[a4paper,11pt]{article}",
        r"\usepackage[utf8]{inputenc}\usepackage[margin=18mm]{geometry}",
        r"\setlength{\parindent}{0pt}",
        r"\begin{document}",
        rf"\section*{{{title}}}",
    ]
    for number, task in enumerate(sheet.tasks, 1):
        parts.append(rf"\textbf{{{number}.}} {_tex(task.text)}\par\medskip")
        for grid in tables_of_task(task, key):
            rows = [" & ".join(_tex(c) for c in cells) + r" \\ \hline" for cells in (grid.columns, *grid.rows)]
            parts += [rf"\begin{{tabular}}{{|{'l|' * len(grid.columns)}}}\hline", *rows, r"\end{tabular}\par\medskip"]
        parts += [rf"{_tex(line)}\par" for line in task.key] if key else [rf"\vspace{{{8 * task.lines}mm}}"]
    return "\n".join([*parts, r"\end{document}", ""])


# A sheet or its key as PDF, A4.

MARGIN, LINE, SPACE = 18, 6, 8
"""mm: around a page, of a line of text, of an empty line to work on."""
SIZE = 11
"""Points."""
SIGN_FONT = "Signs"
"""The font of what the font of words lacks: ∈ and its like."""


def why_not_pdf(sheet: Sheet) -> str:
    """Why the sheet cannot be set as PDF; '' where it can."""
    try:
        lacking = sorted(set(_all_text(sheet)) - _letters() - {"\n"})
    except TreecoreError as fault:
        return f"{fault.what}: {fault.remedy}"
    some = ", ".join(f"“{letter}”" for letter in lacking[:5])
    return f"No font of PDF sheets has {some}: print the HTML sheet" if lacking else ""


def to_pdf(sheet: Sheet, key: bool = False) -> bytes:
    """The sheet on A4 pages. key : the answers instead of the space to work.

    TreecoreError where the library is not installed, or no font has some letter of the data.
    """
    refused = why_not_pdf(sheet)
    if refused:
        what, remedy = refused.split(": ", 1)
        raise TreecoreError(what, where="Exercise sheet", remedy=remedy[0].upper() + remedy[1:])
    with TemporaryDirectory() as folder:  # fonts are read from files
        page = _blank_page(Path(folder))
        _fill(page, sheet, key)
        return bytes(page.output())


def _fill(page, sheet: Sheet, key: bool) -> None:
    title = sheet_title(sheet, key)
    page.set_title(title)
    page.set_font("Words", "B", SIZE + 4)
    page.multi_cell(0, LINE + 3, title, align="L", new_x="LMARGIN", new_y="NEXT")
    for number, task in enumerate(sheet.tasks, 1):
        tables = tables_of_task(task, key)
        _keep_together(page, LINE * (4 + sum(2 + len(grid.rows) for grid in tables[:1])))
        page.ln(3)
        _paragraph(page, f"{number}. {task.text}", "B" if key else "")
        for grid in tables:
            _keep_together(page, LINE * (2 + len(grid.rows)))
            _table(page, grid)
        for line in task.key if key else ():
            _paragraph(page, line)
        for _ in range(0 if key else task.lines):
            _empty_line(page)


def _all_text(sheet: Sheet) -> str:
    parts = [sheet_title(sheet, True)]
    for task in sheet.tasks:
        parts += [task.text, *task.key]
        for grid in (*task.given, *([task.blank] if task.blank else [])):
            parts += [cell for row in (grid.columns, *grid.rows) for cell in row]
    return "".join(parts)


@cache
def _fonts() -> dict[str, bytes]:
    """FiraGO and Noto Sans Math (SIL Open Font License), as a package of fonts has them."""
    try:
        import fpdf  # noqa: F401
        from pymupdf_fonts import myfont
    except ImportError as fault:
        raise TreecoreError(
            "PDF sheets need fpdf2 and its fonts",
            where="Exercise sheet",
            remedy="Install them (pip install fpdf2 pymupdf-fonts), or print the HTML sheet",
        ) from fault
    return {"": myfont("figo"), "B": myfont("figbo"), SIGN_FONT: myfont("math")}


@cache
def _letters() -> frozenset[str]:
    """What the fonts can show."""
    from fontTools.ttLib import TTFont

    files = [TTFont(io.BytesIO(_fonts()[name]), lazy=True) for name in ("", SIGN_FONT)]
    return frozenset(chr(code) for file in files for code in file.getBestCmap())


def _blank_page(folder: Path):
    from fpdf import FPDF

    logging.getLogger("fontTools.subset").setLevel(logging.WARNING)  # it tells every table that it leaves out
    page = FPDF(format="A4")
    page.set_margin(MARGIN)
    page.set_auto_page_break(True, MARGIN)
    for name, font in _fonts().items():
        file = folder / f"{name or 'Words'}.ttf"
        file.write_bytes(font)
        page.add_font(SIGN_FONT if name == SIGN_FONT else "Words", "B" if name == "B" else "", file)
    page.set_fallback_fonts([SIGN_FONT], exact_match=False)
    page.add_page()
    return page


def _keep_together(page, height: float) -> None:
    """Begin a page where the rest of this one is lower than that; what is higher than a page is parted anyhow."""
    if height < page.eph and page.will_page_break(height):
        page.add_page()


def _paragraph(page, text: str, style: str = "") -> None:
    page.set_font("Words", style, SIZE)
    page.multi_cell(0, LINE, text, align="L", new_x="LMARGIN", new_y="NEXT")


def _table(page, grid: SheetTable) -> None:
    """As wide as its cells ask for, at most the page; a table that ends a page repeats its head on the next."""
    page.ln(2)
    page.set_font("Words", "", SIZE - 1)
    rows = (grid.columns, *grid.rows)
    widths = [max(9.0, *(page.get_string_width(row[i]) + 5.0 for row in rows)) for i in range(len(grid.columns))]
    wide = min(sum(widths), page.epw)
    with page.table(
        width=wide, col_widths=[w / sum(widths) * wide for w in widths], align="LEFT", text_align="LEFT",
        line_height=LINE, first_row_as_headings=True,
    ) as table:  # fmt: skip
        for cells in rows:
            row = table.row()
            for cell in cells:
                row.cell(cell)
    page.ln(2)


def _empty_line(page) -> None:
    """Dotted, as the printed HTML has it."""
    _keep_together(page, SPACE)
    page.ln(SPACE)
    page.set_dash_pattern(dash=0.3, gap=1.0)
    page.line(page.l_margin, page.y, page.l_margin + page.epw, page.y)
    page.set_dash_pattern()
