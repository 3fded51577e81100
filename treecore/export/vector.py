"""Drawings of boxes, lines and words, placed in pixels: as SVG with its font, as a page of PDF, as PNG."""

import base64
import io
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from html import escape
from itertools import groupby
from pathlib import Path as File
from tempfile import TemporaryDirectory
from threading import Lock

from treecore.brief import visible
from treecore.errors import TreecoreError
from treecore.tree.short_text import width as columns

FAMILY = "FiraGO"
FAMILIES = f"{FAMILY}, 'Fira Sans', 'DejaVu Sans', Verdana, sans-serif"
"""The font that words are measured with, and those that stand in for it where a program reads none from a file."""
COLUMN = 0.62
"""Of the size of letters: the width of one where the font is not installed, with some to spare."""
LETTER = 1.0
"""The same of one that the font does not have: as a rule of a script whose signs are square."""
TURNED = range(0x590, 0x2000)
"""Letters of scripts that join or turn them: nobody but the program that shows them knows their widths."""
PER_POINT = 0.75
"""Points of a pixel."""
STANDBY = "Standby"
SYSTEM_FONTS = ("/usr/share/fonts", "~/.fonts", "/System/Library/Fonts", "/Library/Fonts", "C:/Windows/Fonts")
_LOCK = Lock()
"""PDFium draws one page at a time."""


@dataclass(frozen=True)
class Rectangle:
    """A rectangle. thick : of its line, 0 for none. corner : the radius of its corners."""

    x: float
    y: float
    wide: float
    high: float
    fill: str = ""
    line: str = ""
    thick: float = 0.0
    corner: float = 0.0

    def scaled(self, k: float, x: float, y: float) -> "Rectangle":
        places = self.x * k + x, self.y * k + y, self.wide * k, self.high * k
        return replace(self, x=places[0], y=places[1], wide=places[2], high=places[3], thick=self.thick * k,
                       corner=self.corner * k)  # fmt: skip

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return self.x, self.y, self.x + self.wide, self.y + self.high

    def svg(self) -> str:
        line = f' stroke="{self.line}" stroke-width="{_short(self.thick)}"' if self.thick else ""
        corner = f' rx="{_short(self.corner)}"' if self.corner else ""
        size = f'x="{_short(self.x)}" y="{_short(self.y)}" width="{_short(self.wide)}" height="{_short(self.high)}"'
        return f'<rect {size}{corner} fill="{self.fill or "none"}"{line}/>'

    def pdf(self, page, standby: str) -> None:
        if self.fill:
            page.set_fill_color(self.fill)
        if self.thick:
            page.set_draw_color(self.line)
            page.set_line_width(self.thick)
        style = "F" * bool(self.fill) + "D" * bool(self.thick)
        corner = min(self.corner, self.wide / 2, self.high / 2)
        page.rect(self.x, self.y, self.wide, self.high, style, corner > 0, corner)


@dataclass(frozen=True)
class Line:
    """points : (x, y); of a curve the beginning, two that it bends to, and its end. dash : (drawn, left out)."""

    points: tuple[tuple[float, float], ...]
    color: str
    thick: float
    curve: bool = False
    dash: tuple[float, float] = ()

    def scaled(self, k: float, x: float, y: float) -> "Line":
        points = tuple((px * k + x, py * k + y) for px, py in self.points)
        return replace(self, points=points, thick=self.thick * k, dash=tuple(part * k for part in self.dash))

    @property
    def extent(self) -> tuple[float, float, float, float]:
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def svg(self) -> str:
        first, *rest = (f"{_short(x)} {_short(y)}" for x, y in self.points)
        dash = f' stroke-dasharray="{" ".join(map(_short, self.dash))}"' if self.dash else ""
        path = f"M{first}{'C' if self.curve else 'L'}{' '.join(rest)}"
        return f'<path d="{path}" fill="none" stroke="{self.color}" stroke-width="{_short(self.thick)}"{dash}/>'

    def pdf(self, page, standby: str) -> None:
        page.set_draw_color(self.color)
        page.set_line_width(self.thick)
        if self.dash:
            page.set_dash_pattern(*self.dash)
        if self.curve:
            page.bezier(self.points, style="D")
        else:
            page.polyline(self.points)
        if self.dash:
            page.set_dash_pattern()


@dataclass(frozen=True)
class TextLine:
    """One line of text, with no sign that cannot be seen; (x, y) is the beginning, "middle" or "end" of its line."""

    x: float
    y: float
    text: str
    size: float
    color: str
    bold: bool = False
    anchor: str = "start"

    def scaled(self, k: float, x: float, y: float) -> "TextLine":
        return replace(self, x=self.x * k + x, y=self.y * k + y, size=self.size * k)

    @property
    def wide(self) -> float:
        return text_width(self.text, self.size, self.bold)

    @property
    def left(self) -> float:
        return self.x - self.wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        return self.left, self.y - self.size, self.left + self.wide, self.y + 0.3 * self.size

    def svg(self) -> str:
        anchor = f' text-anchor="{self.anchor}"' if self.anchor != "start" else ""
        bold = ' font-weight="700"' if self.bold else ""
        # whichever font a program takes, the text keeps its room
        long = (
            f' textLength="{_short(self.wide)}"'
            if len(self.text) > 1 and not any(ord(letter) in TURNED for letter in self.text)
            else ""
        )
        look = (
            f'font-size="{_short(self.size)}" fill="{self.color}"{bold}{anchor}{long} lengthAdjust="spacingAndGlyphs"'
        )
        return f'<text x="{_short(self.x)}" y="{_short(self.y)}" {look}>{escape(self.text, quote=False)}</text>'

    def pdf(self, page, standby: str) -> None:
        """standby : the font of letters that ours does not have; texts with some are squeezed into their room."""
        page.set_text_color(self.color)
        runs = [(own, "".join(run)) for own, run in groupby(self.text, _advances(self.bold).__contains__)]
        fonts = [(FAMILY, "B" if self.bold else "") if own or not standby else (standby, "") for own, _ in runs]
        widths = []
        for font, (_, text) in zip(fonts, runs, strict=True):
            page.set_font(*font, self.size)
            widths.append(page.get_string_width(text))
        squeezed = min(1.0, self.wide / (sum(widths) or 1.0))
        page.set_stretching(100.0 * squeezed)
        x = self.left
        for font, (_, text), wide in zip(fonts, runs, widths, strict=True):
            page.set_font(*font, self.size)
            page.text(x, self.y, text)
            x += wide * squeezed
        page.set_stretching(100.0)


@dataclass(frozen=True)
class Group:
    """What belongs together, for those who read an SVG. title : for screen readers, shown at the pointer."""

    parts: tuple[Rectangle | Line | TextLine, ...]
    kind: str
    name: str = ""
    title: str = ""

    def moved(self, x: float, y: float, k: float = 1.0) -> "Group":
        """k times as large, and then elsewhere."""
        return replace(self, parts=tuple(part.scaled(k, x, y) for part in self.parts))

    def svg(self) -> str:
        name, title = f' id="{self.name}"' * bool(self.name), f"<title>{_seen(self.title)}</title>" * bool(self.title)
        return f'<g class="{self.kind}"{name}>{title}{"".join(part.svg() for part in self.parts)}</g>'


@dataclass(frozen=True)
class Drawing:
    """Groups in the order in which they lie over each other, on a ground of so many pixels ("" : transparent)."""

    groups: tuple[Group, ...]
    wide: float
    high: float
    title: str
    ground: str = "#ffffff"

    def on_sheet(self, wide: float, high: float, margin: float, largest: float) -> "Drawing":
        """In the middle of a sheet, as large as there is room, at most `largest` times its size."""
        k = min((wide - 2 * margin) / self.wide, (high - 2 * margin) / self.high, largest)
        by = (wide - k * self.wide) / 2, (high - k * self.high) / 2
        return replace(self, groups=tuple(group.moved(*by, k) for group in self.groups), wide=wide, high=high)

    @classmethod
    def around(cls, groups: Sequence[Group], margin: float, title: str) -> "Drawing":
        """As large as the groups are, with a margin."""
        sides = zip(*(part.extent for group in groups for part in group.parts), strict=True)
        left, top, right, low = (choose(side) for choose, side in zip((min, min, max, max), sides, strict=True))
        moved = tuple(group.moved(margin - left, margin - top) for group in groups)
        return cls(moved, right - left + 2 * margin, low - top + 2 * margin, title)

    def words(self) -> Iterator[TextLine]:
        return (part for group in self.groups for part in group.parts if isinstance(part, TextLine))

    def svg(self, with_font: bool = True) -> str:
        """with_font : as a part of the file; else words are squeezed into the room that they have in it."""
        wide, high = _short(self.wide), _short(self.high)
        style = f"<style>{self._font_faces()}</style>" if with_font else ""
        ground = f'<rect width="{wide}" height="{high}" fill="{self.ground}"/>' if self.ground else ""
        head = f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" font-family="{FAMILIES}" role="img"'
        body = "\n".join(group.svg() for group in self.groups)
        title = f"<title>{_seen(self.title)}</title>"
        return f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{title}{style}{ground}\n{body}\n</svg>\n'

    def _font_faces(self) -> str:
        faces = []
        for bold in (False, True):
            said = set("".join(words.text for words in self.words() if words.bold == bold))
            letters = frozenset(said & _advances(bold).keys())
            if not letters:
                continue
            data = base64.b64encode(_subset(bold, letters)).decode("ascii")
            source = f"src:url(data:font/woff;base64,{data})"
            faces.append(f"@font-face{{font-family:{FAMILY};font-weight:{700 if bold else 400};{source}}}")
        return "".join(faces)

    def png(self, scale: float) -> bytes:
        """scale : pixels for one of the drawing."""
        try:
            from pypdfium2 import PdfDocument
        except ImportError as fault:
            raise _lacking("PNG", "pypdfium2") from fault
        written = self.pdf()
        with _LOCK, closing(PdfDocument(written)) as document, closing(document[0]) as page:
            alpha = 255 if self.ground else 0
            with closing(page.render(scale=scale / PER_POINT, fill_color=(255, 255, 255, alpha))) as pixels:
                image = pixels.to_pil().copy()
        file = io.BytesIO()
        image.save(file, "PNG", compress_level=1)  # more takes far longer than it saves
        return file.getvalue()

    def pdf(self) -> bytes:
        """One page, with the letters of the font; others are of a font of the system that has them."""
        try:
            from fpdf import FPDF
        except ImportError as fault:
            raise _lacking("PDF", "fpdf2") from fault
        if not _fonts():
            raise _lacking("PDF", "pymupdf-fonts")
        for name in ("fontTools.subset", "fpdf.output", "fpdf.fonts"):  # tables that are left out, letters nobody has
            logging.getLogger(name).setLevel(logging.ERROR)
        page = FPDF(unit="pt", format=(self.wide * PER_POINT, self.high * PER_POINT))
        page.set_auto_page_break(False)
        page.set_margin(0)
        page.set_title(visible(self.title))
        page.add_page()
        said = frozenset(letter for words in self.words() for letter in words.text)
        other = _system_font(frozenset(said - _advances(False).keys()))
        with TemporaryDirectory() as folder:  # fonts are read from files
            for bold in (False, True):
                file = File(folder) / f"{bold}.ttf"
                file.write_bytes(_subset(bold, frozenset(said & _advances(bold).keys() | {" "}), ""))
                page.add_font(FAMILY, "B" if bold else "", file)
            if other:
                page.add_font(STANDBY, "", other)
            for group in self.groups:
                for part in group.parts:
                    part.scaled(PER_POINT, 0.0, 0.0).pdf(page, STANDBY if other else "")
            return bytes(page.output())


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Pixels that a line of text takes."""
    if not _fonts():
        return columns(text) * COLUMN * size
    advances = _advances(bold)
    return size * sum(advances.get(letter, LETTER) for letter in text)


def fitting(text: str, room: float, size: float, bold: bool, shortened: Callable[[str, int], str]) -> str:
    """The longest of its shorter forms that has room. shortened : (text, columns) -> a form of it."""
    shown = shortened(text, 400)
    wide = text_width(shown, size, bold)
    if wide <= room:
        return shown
    limit = max(2, int(columns(shown) * room / wide) + 2)
    while limit > 2 and text_width(shown, size, bold) > room:
        limit -= 1
        shown = shortened(text, limit)
    return shown


def _short(value: float) -> str:
    """A number of pixels with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _seen(text: str) -> str:
    return escape(visible(text), quote=False)


def _lacking(what: str, package: str) -> TreecoreError:
    remedy = "Install it (pip install 'treecore[export]'), or export the SVG"
    return TreecoreError(f"A {what} needs the package {package}", where=what, remedy=remedy)


# The font: FiraGO (SIL Open Font License), as a package of fonts has it.


@cache
def _fonts() -> dict[bool, bytes]:
    """Bold? -> the font; {} where it is not installed."""
    try:
        from fontTools import ttLib  # noqa: F401
        from pymupdf_fonts import myfont
    except ImportError:
        return {}
    return {False: myfont("figo"), True: myfont("figbo")}


@cache
def _advances(bold: bool) -> dict[str, float]:
    """Letter -> its width in ems."""
    if not _fonts():
        return {}
    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(_fonts()[bold]), lazy=True)
    per_em, widths = font["head"].unitsPerEm, font["hmtx"].metrics
    return {chr(code): widths[name][0] / per_em for code, name in font.getBestCmap().items()}


@lru_cache(64)
def _subset(bold: bool, letters: frozenset[str], flavor: str = "woff") -> bytes:
    """The font with these letters alone, which every one has room of its own: none is joined to another."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    logging.getLogger("fontTools.subset").setLevel(logging.WARNING)
    options = subset.Options(layout_features=[], hinting=False, drop_tables=["GSUB", "GPOS", "GDEF", "DSIG", "STAT"])
    font = TTFont(io.BytesIO(_fonts()[bold]), lazy=True)
    made = subset.Subsetter(options)
    made.populate(text="".join(sorted(letters)))
    made.subset(font)
    font.flavor = flavor or None
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


@lru_cache(16)
def _system_font(letters: frozenset[str]) -> str:
    """A file of a font with TrueType outlines that has most of these letters; '' where none has any."""
    from fontTools.ttLib import TTFont, TTLibError

    best, most = "", 0
    files = (file for root in SYSTEM_FONTS if letters for file in sorted(File(root).expanduser().rglob("*.tt[fc]")))
    for file in files:
        try:
            font = TTFont(file, lazy=True, fontNumber=0)
            found = len(letters & set(map(chr, font.getBestCmap() or ()))) if "glyf" in font else 0
        except (TTLibError, OSError):
            continue
        if found > most:
            best, most = str(file), found
        if found == len(letters):
            break
    return best


__all__ = ["Drawing", "Group", "Line", "Rectangle", "TextLine", "fitting", "text_width"]
