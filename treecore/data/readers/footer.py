"""Lines at the end that are no rows: totals and averages of what stands above, and remarks such as a source."""

import re
from collections.abc import Sequence

import numpy as np

from treecore.data.number_reading import is_number
from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect, Doubt
from treecore.data.readers import dialect as dialects
from treecore.figures import counted

TAIL_BYTES = 1 << 16
MOST_LINES = 10
MIN_ROWS = 3  # above, or nothing is said
FILLED, NUMBERS = 1.0, 0.9  # share of the cells above that are known, and of those the share that are numbers
SHOWN = 60
WORDS = """
total totals sum sums subtotal grand_total overall average averages avg mean median count summe summen gesamt insgesamt
gesamtsumme gesamtergebnis zwischensumme endsumme durchschnitt mittelwert mittel anzahl total_général somme moyenne
ensemble total_general suma promedio media totale somma totaal som gemiddelde soma média totalt summa snitt razem
suma_końcowa średnia итого всего среднее 合計 总计 合计 小计 平均
"""
REMARK = re.compile(
    r"(?:\W*(?:sources?|quellen?|fuentes?|fonti?|fontes?|bron|notes?|nb|remarks?|hinweise?|anmerkung(?:en)?|stand|nota|"
    r"remarque|generated|created|exported|erstellt|updated|copyright)\b|[*†‡©]|\(c\)).*",
    re.IGNORECASE | re.DOTALL,
)
SUMMARY = re.compile(
    r"\W*(?:" + "|".join(word.replace("_", r"\s+") for word in WORDS.split()) + r")\b(?!\s*[=<>]).*", re.IGNORECASE
)
NUMERAL = re.compile(r"[^\d]*+(\d[\d.,'’ \u00a0\u202f]*+)[^\d]*+")


def without_footer(utf8: bytes, begins: int, names: Sequence[str], found: Dialect, options: ReadOptions) -> tuple:
    """(the text with blank lines instead of those at its end that are no rows, how many, what is said of them).

    begins : byte of the first row. Taken back by options.footer = 0; a number leaves so many lines out in any case.
    """
    if options.footer == 0:
        return utf8, 0, ()
    lines = _last_lines(utf8, begins)
    n = options.footer if options.footer is not None else _n_footer(lines, len(names), begins, utf8, found)
    left_out = lines[len(lines) - n :] if n else []
    if not left_out:
        return utf8, 0, ()
    text = utf8[left_out[0][0] : left_out[0][1]].decode("utf-8", errors="ignore").strip()
    for start, end in reversed(left_out):
        utf8 = utf8[:start] + b"\n" + utf8[end:]
    is_left = "line is" if n == 1 else f"{counted(n, 'line')} are"
    told = f"The last {is_left} left out ('{text[:SHOWN]}'), as no row: a total, an average or a remark."
    remedy = ("It is a row" if n == 1 else "They are rows", (("footer", 0),))
    return utf8, n, (Doubt(told, (remedy,), is_open=False),)


def _last_lines(utf8: bytes, begins: int) -> list[tuple[int, int]]:
    """(start, end) of the last lines that are not blank, the end with its line break."""
    at = max(begins, len(utf8) - TAIL_BYTES)
    if at > begins:
        at = utf8.find(b"\n", at) + 1 or len(utf8)
    spans = ((at + line.start(), at + line.end()) for line in re.finditer(rb"[^\n]*\n|[^\n]+", utf8[at:]))
    return [(start, end) for start, end in spans if utf8[start:end].strip()]


def _n_footer(lines: list[tuple[int, int]], width: int, begins: int, utf8: bytes, found: Dialect) -> int:
    """How many of the last lines are no rows."""
    if width < 2 or len(lines) <= MIN_ROWS:
        return 0
    n_odd = 0
    for start, end in reversed(lines[-MOST_LINES:]):
        if not _may_be_footer(utf8[start:end], found):
            break
        n_odd += 1
    if not n_odd:
        return 0
    records = [_fields(utf8[start:end], found) for start, end in lines]
    whole = not utf8[begins : lines[0][0]].strip()
    for n in range(min(n_odd, len(records) - MIN_ROWS), 0, -1):
        above = _Above(records[:-n], width, whole)
        if above.is_table and all(above.is_summary(row) or above.is_remark(row) for row in records[-n:]):
            return n
    return 0


def _may_be_footer(line: bytes, found: Dialect) -> bool:
    """Does it begin with a word for a total, or is it one text alone? Not the end of a cell of several lines."""
    if found.quote and line.count(found.quote.encode()) % 2:
        return False
    known = [cell.strip() for cell in _fields(line, found) if cell.strip()]
    return bool(known) and (len(known) == 1 or SUMMARY.fullmatch(known[0]) is not None)


def _fields(line: bytes, found: Dialect) -> list[str]:
    return next(iter(dialects.records(line.decode("utf-8", errors="ignore"), found)), [])


class _Above:
    """The rows above a footer. whole : whether they are all that the file has."""

    def __init__(self, records: list[list[str]], width: int, whole: bool):
        self.rows = [record for record in records if len(record) == width]
        self.is_table = len(self.rows) >= MIN_ROWS and len(self.rows) >= 0.9 * len(records)
        self.width, self.whole = width, whole
        self.columns = [[cell.strip() for cell in column] for column in zip(*self.rows, strict=True)]
        self.known = [[cell for cell in column if cell] for column in self.columns]
        self.numeric = [sum(map(is_number, known)) > NUMBERS * len(known) if known else False for known in self.known]
        self.filled = [len(known) == len(column) for known, column in zip(self.known, self.columns, strict=True)]

    def is_summary(self, row: list[str]) -> bool:
        """Does it begin with a word for a total, that no row above has, and is it unlike them: the word among numbers,
        a gap where they have none, or numbers that are their sums or means?"""
        cells = [cell.strip() for cell in row]
        place = next((at for at, cell in enumerate(cells) if cell), None)
        if place is None or len(cells) > self.width or not SUMMARY.fullmatch(cells[place]):
            return False
        words = [
            at for at, cell in enumerate(cells) if at != place and cell and self.numeric[at] and not is_number(cell)
        ]
        if words or cells[place] in self.columns[place]:
            return False
        gaps = [at for at in range(self.width) if self.filled[at] and not (at < len(cells) and cells[at])]
        return self.numeric[place] or bool(gaps) or self._sums_up(cells)

    def _sums_up(self, cells: list[str]) -> bool:
        given = [(at, _value(cell)) for at, cell in enumerate(cells) if cell and self.numeric[at]]
        if not given or not self.whole:
            return False
        return all(self._is_sum(value, at) for at, value in given)

    def _is_sum(self, value: float, at: int) -> bool:
        above = np.array([_value(cell) for cell in self.known[at]])
        return bool(np.isclose([above.sum(), above.mean()], value, rtol=5e-3).any())

    def is_remark(self, row: list[str]) -> bool:
        """Is it one text alone where every row has more: that begins as remarks do, or is longer than all above it?"""
        cells = [cell.strip() for cell in row]
        text = next(cell for cell in cells if cell)
        if sum(map(bool, cells)) > 1 or cells[0] != text or is_number(text) or not any(self.filled[1:]):
            return False
        is_long = len(text.split()) > 1 and len(text) > max(map(len, self.columns[0]))
        return REMARK.fullmatch(text) is not None or is_long


def _value(text: str) -> float:
    """A number as it is mostly written, whatever stands around it; of several points or commas only the last counts."""
    found = NUMERAL.fullmatch(text)
    if not found:
        return float("nan")
    digits = re.sub("['’ \u00a0\u202f]", "", found[1])
    whole, sign, rest = (
        digits.rpartition(max(".", ",", key=digits.rfind)) if re.search("[.,]", digits) else (digits, "", "")
    )
    value = float(re.sub("[.,]", "", whole) + (f".{rest}" if sign else "")) if whole else float(f"0.{rest or 0}")
    return -value if "-" in text or "(" in text else value
