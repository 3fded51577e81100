"""Which of the first lines holds the names, where lines of as many fields stand above or below it.

A line is told by its place among the rows: it holds words in columns that hold numbers from there on. One such line
holds the names. Of several, a title, keys with values, names, units, it is found out, or it is open and said.
"""

from typing import NamedTuple

import numpy as np

from treecore.data.number_reading import is_number
from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect
from treecore.data.readers import dialect as dialects

MOST_ABOVE = 50
MIN_BELOW = 3  # numbers that a column holds below, or nothing is said
NUMBERS = 0.9  # share of a column's known cells below that are numbers
BELOW = 2  # at least so many times as many records stand below the names as above, or it is open
NOTHING, A_NUMBER, WORD = 0, 1, 2
UNITS = """
m mm cm dm km µm um nm g mg kg t s ms min h d yr year years month months day days hour hours c f k °c °f % ‰ ° deg rad
l ml cl dl m2 m3 m² m³ km² ha w kw mw wh kwh v mv a ma hz khz mhz ghz n pa hpa kpa bar mbar mmhg j kj kcal cal mol mmol
ppm ppb m/s km/h mph mm/h kg/m3 kg/m² mg/l mg/dl mmol/l bpm eur usd gbp chf € $ £ in ft mi lb oz kb mb gb px n/a unit
units no. count string float int text number date
"""
KNOWN_UNITS = frozenset(UNITS.split())


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
        numeric = (n_numbers >= MIN_BELOW) & (n_numbers >= NUMBERS * n_known)
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
    found, first_row = _lines_of_words(lines, numeric), _first_row(lines, numeric)
    names = _names(lines, [place for place in found if place < first_row], numeric)
    n_words = ((lines.kinds == WORD) & numeric).sum(axis=1)
    doubtful = [place for place in found if place > names and (place < first_row or n_words[place] > 1)]
    if _is_title_above_words(lines, numeric):
        doubtful = [1]
    row = tuple(lines.records[0][1]) if first_row == 0 < len(lines.records) else ()
    return Heading(lines.records[names][0] if names else 1, tuple(lines.records[place] for place in doubtful), row)


def _is_title_above_words(lines: _Lines, numeric: np.ndarray) -> bool:
    """Where all columns hold words: could the second line be the names, with words of its own, and the first none?"""
    if numeric.any() or len(lines.records) <= 1 + MIN_BELOW:
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
