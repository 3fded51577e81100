"""Lines of a text file that are no rows: titles above the names, the names, totals and remarks at the end."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treecore.data.number_reading import is_number
from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect, Doubt, RawColumn
from treecore.data.readers import dialect as dialects
from treecore.data.readers.dialect import decoded, iterate_records
from treecore.figures import counted

MOST_ABOVE = 50
MIN_NUMBERS_BELOW = 3  # numbers that a column holds below, or nothing is said
SHARE_OF_NUMBERS = 0.9  # share of a column's known cells below that are numbers
BELOW = 2  # at least so many times as many records stand below the names as above, or it is open
NOTHING, A_NUMBER, WORD = 0, 1, 2
UNITS_BELOW_NAMES = """
m mm cm dm km µm um nm g mg kg t s ms min h d yr year years month months day days hour hours c f k °c °f % ‰ ° deg rad
l ml cl dl m2 m3 m² m³ km² ha w kw mw wh kwh v mv a ma hz khz mhz ghz n pa hpa kpa bar mbar mmhg j kj kcal cal mol mmol
ppm ppb m/s km/h mph mm/h kg/m3 kg/m² mg/l mg/dl mmol/l bpm eur usd gbp chf € $ £ in ft mi lb oz kb mb gb px n/a unit
units no. count string float int text number date
"""
KNOWN_UNITS = frozenset(UNITS_BELOW_NAMES.split())


class Heading(NamedTuple):
    """The line of the names, from 1, and the lines of words below it that stand above the first row or among rows.

    could_be_row : the cells of the first line where it holds numbers, and no words, in the columns of numbers.
    """

    names: int
    doubtful: tuple[tuple[int, list[str]], ...] = ()
    could_be_row: tuple[str, ...] = ()


class _Lines:
    """The first records, and what every cell of them is.

    kinds : int8 (n, columns), of the records as wide as the first.
    """

    def __init__(self, records: list[tuple[int, list[str]]], options: ReadOptions):
        width = len(records[0][1]) if records else 0
        self.records = [(line, fields) for line, fields in records if len(fields) == width]
        missing = frozenset(options.missing_tokens(among_numbers=True))
        kinds = [[_kind(cell.strip(), missing) for cell in fields] for _, fields in self.records]
        self.kinds = np.array(kinds, dtype=np.int8).reshape(len(kinds), width)

    def numeric_below(self) -> np.ndarray:
        """bool (n, columns): does the column hold numbers below this record, or from a later one of the first on?"""
        n_numbers, n_known = (_below(self.kinds == A_NUMBER), _below(self.kinds != NOTHING))
        numeric = (n_numbers >= MIN_NUMBERS_BELOW) & (n_numbers >= SHARE_OF_NUMBERS * n_known)
        first = numeric[: MOST_ABOVE + 1]
        first[:] = np.logical_or.accumulate(first[::-1], axis=0)[::-1]
        return numeric

    def is_new(self, place: int, numeric: np.ndarray) -> bool:
        """Does no word of this record stand in its column of words further below? Its own repetitions do not count."""
        own = self.records[place][1]
        below = [fields for _, fields in self.records[place + 1 :] if fields != own]
        texts = np.flatnonzero(~numeric & (self.kinds[place] == WORD))
        return not any(own[at] in {fields[at] for fields in below} for at in texts)

    def is_repeated(self, place: int) -> bool:
        return any(fields == self.records[place][1] for _, fields in self.records[:place])

    def comes_again(self, place: int) -> bool:
        """Does any cell of this record stand in its column further below?"""
        below = [fields for _, fields in self.records[place + 1 :]]
        return any(cell in {fields[at] for fields in below} for at, cell in enumerate(self.records[place][1]) if cell)

    def could_be_names(self, place: int, numeric: np.ndarray) -> bool:
        """Different words with letters, and no units; only that of row names, or of an empty column, may be missing."""
        cells = [cell.strip() for cell in self.records[place][1]]
        known = [cell for cell in cells if cell]
        gaps = [at for at, cell in enumerate(cells) if not cell and at and self.kinds[place + 1 :, at].any()]
        words = len(set(known)) == len(known) and all(map(_is_word, known)) and not gaps
        return words and not (numeric.any() and self.holds_units(place, numeric))

    def holds_units(self, place: int, numeric: np.ndarray) -> bool:
        """Does it hold units, or nothing, in all columns of numbers?"""
        return all(_is_unit(self.records[place][1][at].strip()) for at in np.flatnonzero(numeric))


def heading(sample: str, dialect: Dialect, options: ReadOptions) -> Heading:
    """Where the names stand in the sample and which lines below are doubtful: line 1, and none, where nothing tells."""
    lines = _Lines(list(dialects.numbered_records(sample, dialect)), options)
    numeric = lines.numeric_below()
    result, first_row = _lines_of_words(lines, numeric), _first_row(lines, numeric)
    names = _names(lines, [place for place in result if place < first_row], numeric)
    n_words = ((lines.kinds == WORD) & numeric).sum(axis=1)
    doubtful = [place for place in result if place > names and (place < first_row or n_words[place] > 1)]
    if _is_title_above_words(lines, numeric):
        doubtful = [1]
    row = tuple(lines.records[0][1]) if first_row == 0 < len(lines.records) else ()
    return Heading(lines.records[names][0] if names else 1, tuple(lines.records[place] for place in doubtful), row)


def _is_title_above_words(lines: _Lines, numeric: np.ndarray) -> bool:
    """Where all columns hold words: could the second line be the names, with words of its own, and the first none?"""
    if numeric.any() or len(lines.records) <= 1 + MIN_NUMBERS_BELOW:
        return False
    first, second = (lines.could_be_names(place, numeric[place]) for place in (0, 1))
    return second and not first and lines.comes_again(2) and not lines.comes_again(1)


def _lines_of_words(lines: _Lines, numeric: np.ndarray) -> list[int]:
    """Places of the first records that hold words, and no number, where those below them hold numbers."""
    words = ((lines.kinds == WORD) & numeric).any(axis=1) & ~((lines.kinds == A_NUMBER) & numeric).any(axis=1)
    places = [int(place) for place in np.flatnonzero(words[: MOST_ABOVE + 1])]
    return [place for place in places if not lines.is_repeated(place) and lines.is_new(place, numeric[place])]


def _first_row(lines: _Lines, numeric: np.ndarray) -> int:
    """The place of the first record that holds numbers, and no word, where those below it do."""
    words = ((lines.kinds == WORD) & numeric).any(axis=1)
    rows = np.flatnonzero(((lines.kinds == A_NUMBER) & numeric).any(axis=1) & ~words)
    return int(rows[0]) if len(rows) else len(lines.records)


def _names(lines: _Lines, lead: list[int], numeric: np.ndarray) -> int:
    """The place of the names: of lines above the rows the last, where what is above it can be no names."""
    possible = [place for place in lead if lines.could_be_names(place, numeric[place])]
    if not possible:
        return 0
    first, last = possible[0], possible[-1]
    if first > 0 or any(not lines.holds_units(p, numeric[p]) for p in set(range(1, last)) - set(possible)):
        return last if len(lines.records) - last > BELOW * last else 0
    return first


def _below(marks: np.ndarray) -> np.ndarray:
    """int (n, columns): how many are marked below each place."""
    return marks.sum(axis=0) - marks.cumsum(axis=0)


def _kind(cell: str, missing: frozenset[str]) -> int:
    if cell in missing:
        return NOTHING
    return A_NUMBER if dialects.NUMBER.fullmatch(cell) or is_number(cell) else WORD


def _is_word(cell: str) -> bool:
    return any(map(str.isalpha, cell))


def _is_unit(cell: str) -> bool:
    return not cell or cell.casefold() in KNOWN_UNITS or (cell[0] in "[(" and cell[-1] in ")]")


# Lines above the names: the title of a report, remarks behind a comment sign.

REMARK = re.compile(r"\s*(#+|%+|//)(\s|$)")  # "#id" is a name, "# id" a remark
LINE = re.compile(r"[^\n]*\n|[^\n]+")  # str.splitlines() would also split at form feeds
AGREE = 0.9  # share of the lines below the names that have as many fields
MIN_BELOW = 2  # lines of as many fields below the names, or nothing is said
ABOVE, NAMES, ROW = "skipped", "names", "row"
SHOWN, SHOWN_LENGTH, HEAD_BYTES = 12, 200, 1 << 14


class FirstLine(NamedTuple):
    """One of the first lines of a file: its number from 1, what it is taken for, and its text."""

    line: int
    what: str
    text: str


def n_lines_above(sample: str, options: ReadOptions) -> int:
    """How many lines stand above the one of the names: as the options say, else found out from the sample."""
    if options.skip_lines is not None:
        return options.skip_lines
    if options.header is False:
        return 0
    lines = LINE.findall(sample)
    remarks = _leading_remarks(lines)
    above = remarks + _titles("".join(lines[remarks:]), options)
    rest = "".join(lines[above:])
    dialect = dialects.find_dialect(rest, "", options)
    is_open = options.header is None and dialect.header
    return above + (heading(rest, dialect, options).names - 1 if is_open else 0)


def without_above(utf8: bytes, n_lines: int) -> bytes:
    """The text with blank lines instead of the first ones, so that the others keep their numbers."""
    at = 0
    for _ in range(n_lines):
        at = utf8.find(b"\n", at) + 1 or len(utf8)
    return b"\n" * n_lines + utf8[at:] if n_lines else utf8


def without_remarks(utf8: bytes, sign: str) -> tuple[bytes, int]:
    """The text with blank lines instead of those that begin with the comment sign, and how many there were."""
    return re.subn(rb"(?m)^[ \t]*" + re.escape(sign.encode()) + rb"[^\r\n]*", b"", utf8)


def above_note(sample: str, n_lines: int) -> str:
    """What is said of the lines that were passed over; "" when nothing stands in them."""
    texts = [line.strip(" \t\r\n,;|") for line in LINE.findall(sample)[:n_lines] if line.strip()]
    if not texts:
        return ""
    lines = "line is" if n_lines == 1 else f"{n_lines} lines are"
    return (
        f"The first {lines} no part of the table ('{texts[0][:60]}'): the names stand in line {n_lines + 1}. "
        "If that is wrong, change the number of lines above the names."
    )


def first_lines(head: bytes, options: ReadOptions) -> list[FirstLine]:
    """The first lines of a text file and what each is taken for; [] when the bytes are no text.

    head : its first bytes, HEAD_BYTES or more of them where there are as many.
    """
    try:
        text = decoded(head[: head.rfind(b"\n") + 1] or head, options.encoding, "").utf8.decode()
    except ValueError:
        return []
    above = n_lines_above(text, options)
    lines = LINE.findall(text)
    left_out = {line - 1 for line in options.without_lines}
    names = next((n for n, line in enumerate(lines) if n >= above and n not in left_out and line.strip()), above)
    has_names = dialects.find_dialect("".join(lines[names:]), "", options).header
    skipped = lambda n: n < names or n in left_out  # noqa: E731
    what = lambda n: ABOVE if skipped(n) else NAMES if n == names and has_names else ROW  # noqa: E731
    shown = lines[: max(SHOWN, names + SHOWN // 2)]
    return [FirstLine(n + 1, what(n), line.rstrip()[:SHOWN_LENGTH]) for n, line in enumerate(shown)]


def _leading_remarks(lines: list[str]) -> int:
    """How many lines at the beginning are remarks, or blank lines above one."""
    last = 0
    for n, line in enumerate(lines[:MOST_ABOVE], 1):
        if REMARK.match(line):
            last = n
        elif line.strip():
            break
    return last if any(line.strip() for line in lines[last:]) else 0


def _titles(sample: str, options: ReadOptions) -> int:
    """How many lines at the beginning have other fields than the table below them, its names included."""
    quote = dialects.quote_of(sample) if options.quote is None else options.quote
    delimiters = [options.delimiter] if options.delimiter else dialects.DELIMITERS
    result = [
        _begins(list(dialects.numbered_records(sample, Dialect("", delimiter, quote)))) for delimiter in delimiters
    ]
    return max((one for one in result if one), default=(0, True, 0, 0))[-1]


def _begins(records: list[tuple[int, list[str]]]) -> tuple[float, bool, int, int] | None:
    """(share of the records that agree, is nothing above, how many fields, lines above); None when that is open."""
    if len(records) <= MIN_BELOW:
        return None
    width = max(Counter(len(fields) for _, fields in records[1:]).items(), key=lambda item: (item[1], item[0]))[0]
    if width < 2:
        return None
    place = next((i for i, (_, f) in enumerate(records) if len(f) == width and not _is_title(f, width)), 0)
    below = [len(fields) == width for _, fields in records[place + 1 :]]
    share = round(sum(below) / max(len(below), 1), 1)
    names = records[place][1]
    is_sure = (
        share >= AGREE and len(below) >= MIN_BELOW and not any(dialects.NUMBER.fullmatch(n.strip()) for n in names)
    )
    if place == 0 or place > MOST_ABOVE or not is_sure or not _is_title(records[0][1], width):
        return share, True, width, 0
    return share, False, width, records[place][0] - 1


def _is_title(fields: list[str], width: int) -> bool:
    """One text alone, perhaps with empty fields beside it as a spreadsheet writes them; a name beside one is none."""
    return len(fields) == 1 or (width > 2 and sum(bool(field.strip()) for field in fields) == 1)


# Lines of a text file that may be rows or none: said with their number and what can be done.

LISTED, SHOWN_OF_LINE = 10, 60
NUMBERED = "The first line holds only numbers, so it was read as a row and the columns were numbered."
ARE_NAMES = ("The first line holds the names", (("header", True),))
FRACTION = re.compile(r"\d[.,]\d")


def doubts_of(sample: str, dialect: Dialect, options: ReadOptions) -> tuple[Doubt, ...]:
    """The first line, where it could be names as well as a row, and lines of words below the names."""
    if not dialect.header:
        return () if options.header is False else (Doubt(NUMBERED, (ARE_NAMES,)),)
    result = heading(sample, dialect, options)
    is_open = options.header is None and result.could_be_row and not _is_run(result.could_be_row)
    return (*([_of_first(result.could_be_row)] if is_open else []), *_of_words(result.doubtful, options))


def _of_first(cells: Sequence[str]) -> Doubt:
    text = f"The first line ('{_text(cells)}') was read as the names, but holds numbers where the lines below do, too."
    return Doubt(text, (("The first line is a row", (("header", False),)), ARE_NAMES))


def _is_run(cells: Sequence[str]) -> bool:
    """Are the numbers among the cells whole and one step apart, as years over columns are?"""
    numbers = [int(cell) for cell in map(str.strip, cells) if cell.isascii() and cell.isdigit()]
    steps = {after - before for before, after in pairwise(numbers)}
    return len(steps) == 1 and steps != {0} and not any(FRACTION.search(cell) for cell in cells)


def _text(cells: Sequence[str]) -> str:
    return ", ".join(cell.strip() for cell in cells)[:SHOWN_OF_LINE]


def _of_words(doubtful: Sequence[tuple[int, list[str]]], options: ReadOptions) -> tuple[Doubt, ...]:
    """What is said of these (line, cells) below the names; () where there are none."""
    if not doubtful:
        return ()
    lines = tuple(line for line, _ in doubtful)
    last, text = lines[-1], _text(doubtful[-1][1])
    is_read = "is read as a row, but holds" if len(lines) == 1 else "are read as rows, but hold"
    sentence = (
        f"{listed_lines(lines).capitalize()} ('{text}') {is_read} words, such as names or units, that the "
        "lines below do not hold."
    )
    remedies = (leave_out(lines, options), (f"Line {last} holds the names", (("skip_lines", last - 1),)))
    return (Doubt(sentence, remedies),)


def repeated_names(utf8: bytes, names: Sequence[str], columns: Sequence[RawColumn], dialect: Dialect) -> list[int]:
    """The lines that hold the names once more, read as rows: where files were put one below the other.

    names : as they stand in the file. columns : of all rows, which tell quickly whether there are such lines.
    """
    if not dialect.header or not _is_any_row(columns):
        return []
    result = [record.line for record in iterate_records(utf8, dialect) if record.fields == list(names)]
    return result[1:]


def of_repeated_names(lines: Sequence[int], options: ReadOptions) -> tuple[Doubt, ...]:
    """What is said of lines that repeat the names; () where there are none."""
    if not lines:
        return ()
    verbs = "repeats the names and is read as a row" if len(lines) == 1 else "repeat the names and are read as rows"
    return (Doubt(f"{listed_lines(lines).capitalize()} {verbs}.", (leave_out(tuple(lines), options),)),)


def _is_any_row(columns: Sequence[RawColumn]) -> bool:
    """Does any row hold the names?"""
    rows = np.arange(columns[0].n_rows)
    for column in columns:
        code = _code_of(column.original, column)
        rows = rows[column.codes[rows] == code] if code >= 0 else rows[:0]
        if not len(rows):
            return False
    return True


def _code_of(cell: str, column: RawColumn) -> int:
    """The code of a text, -1 where it does not occur."""
    from pyarrow import compute

    return compute.index(column.cells, cell).as_py() if column.content == "text" else -1


def without_lines(utf8: bytes, lines: Sequence[int]) -> bytes:
    """The text with blank lines instead of these, so that the others keep their numbers. lines : from 1, ascending."""
    kept, at = [], 0
    for before, line in pairwise((0, *lines)):
        begin = at
        for _ in range(line - before - 1):
            at = _next_line(utf8, at)
        end = _next_line(utf8, at)
        kept += [utf8[begin:at], b"\n" * (end > at)]
        at = end
    return b"".join([*kept, utf8[at:]]) if lines else utf8


def _next_line(utf8: bytes, at: int) -> int:
    return utf8.find(b"\n", at) + 1 or len(utf8)


def listed_lines(lines: Sequence[int]) -> str:
    """'line 2' or 'lines 2, 7, 12'; the first of many."""
    more = ", ..." if len(lines) > LISTED else ""
    return f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines[:LISTED]))}{more}"


def leave_out(lines: tuple[int, ...], options: ReadOptions) -> tuple[str, tuple]:
    """The remedy that leaves these lines out, beside those that are left out already."""
    words = f"Leave {listed_lines(lines)} out"
    return words, (("without_lines", tuple(sorted({*options.without_lines, *lines}))),)


# Lines at the end that are no rows: totals and averages of what stands above, and remarks such as a source.

TAIL_BYTES = 1 << 16
MOST_LINES = 10
MIN_ROWS = 3  # above, or nothing is said
FILLED, NUMBERS = 1.0, 0.9  # share of the cells above that are known, and of those the share that are numbers
SHOWN_OF_FOOTER = 60
SUMMARY_WORDS = """
total totals sum sums subtotal grand_total overall average averages avg mean median count summe summen gesamt insgesamt
gesamtsumme gesamtergebnis zwischensumme endsumme durchschnitt mittelwert mittel anzahl total_général somme moyenne
ensemble total_general suma promedio media totale somma totaal som gemiddelde soma média totalt summa snitt razem
suma_końcowa średnia итого всего среднее 合計 总计 合计 小计 平均
"""
FOOTER_REMARK = re.compile(
    r"(?:\W*(?:sources?|quellen?|fuentes?|fonti?|fontes?|bron|notes?|nb|remarks?|hinweise?|anmerkung(?:en)?|stand|nota|"
    r"remarque|generated|created|exported|erstellt|updated|copyright)\b|[*†‡©]|\(c\)).*",
    re.IGNORECASE | re.DOTALL,
)
SUMMARY = re.compile(
    r"\W*(?:" + "|".join(word.replace("_", r"\s+") for word in SUMMARY_WORDS.split()) + r")\b(?!\s*[=<>]).*",
    re.IGNORECASE,
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
    sentence = f"The last {is_left} left out ('{text[:SHOWN_OF_FOOTER]}'), as no row: a total, an average or a remark."
    remedy = ("It is a row" if n == 1 else "They are rows", (("footer", 0),))
    return utf8, n, (Doubt(sentence, (remedy,), is_open=False),)


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
        return FOOTER_REMARK.fullmatch(text) is not None or is_long


def _value(text: str) -> float:
    """A number as it is mostly written, whatever stands around it; of several points or commas only the last counts."""
    result = NUMERAL.fullmatch(text)
    if not result:
        return float("nan")
    digits = re.sub("['’ \u00a0\u202f]", "", result[1])
    whole, sign, rest = (
        digits.rpartition(max(".", ",", key=digits.rfind)) if re.search("[.,]", digits) else (digits, "", "")
    )
    value = float(re.sub("[.,]", "", whole) + (f".{rest}" if sign else "")) if whole else float(f"0.{rest or 0}")
    return -value if "-" in text or "(" in text else value
