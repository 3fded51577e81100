"""A sheet or its key as PDF, A4."""

import io
import logging
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from treecore.errors import TreecoreError
from treecore.exercises.sheet import Grid, Sheet
from treecore.exercises.written import grids, titled

MARGIN, LINE, SPACE = 18, 6, 8
"""mm: around a page, of a line of text, of an empty line to work on."""
SIZE = 11
"""Points."""
SIGNS = "Signs"
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
    title = titled(sheet, key)
    page.set_title(title)
    page.set_font("Words", "B", SIZE + 4)
    page.multi_cell(0, LINE + 3, title, align="L", new_x="LMARGIN", new_y="NEXT")
    for number, task in enumerate(sheet.tasks, 1):
        tables = grids(task, key)
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
    parts = [titled(sheet, True)]
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
    return {"": myfont("figo"), "B": myfont("figbo"), SIGNS: myfont("math")}


@cache
def _letters() -> frozenset[str]:
    """What the fonts can show."""
    from fontTools.ttLib import TTFont

    files = [TTFont(io.BytesIO(_fonts()[name]), lazy=True) for name in ("", SIGNS)]
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
        page.add_font(SIGNS if name == SIGNS else "Words", "B" if name == "B" else "", file)
    page.set_fallback_fonts([SIGNS], exact_match=False)
    page.add_page()
    return page


def _keep_together(page, height: float) -> None:
    """Begin a page where the rest of this one is lower than that; what is higher than a page is parted anyhow."""
    if height < page.eph and page.will_page_break(height):
        page.add_page()


def _paragraph(page, text: str, style: str = "") -> None:
    page.set_font("Words", style, SIZE)
    page.multi_cell(0, LINE, text, align="L", new_x="LMARGIN", new_y="NEXT")


def _table(page, grid: Grid) -> None:
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
