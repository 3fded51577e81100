"""The cells of one column of a text file, gathered block by block in little memory.

Texts are kept once each, as a dictionary. In a file of several blocks a column of ever new numbers is kept as numbers
instead: on 1e6 rows x 10 columns (97 MB) its texts, their index and the numbers together took six times the file.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from treecore.data.kinds import LABEL_LIKE
from treecore.data.number_reading import DOT_THOUSANDS, SEPARATED
from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn, matches
from treecore.data.readers.arrow import number_column

MIN_ROWS = 1000  # in a shorter block nothing is said of how many different cells there are
MANY = 0.5  # share of different cells in the first block beyond which numbers are kept as numbers
FIRST = 1000  # cells tried before all of a block
GROUPED = DOT_THOUSANDS.pattern


class Texts:
    """Every cell as text: per block its different texts, and which of them stands in each row."""

    def __init__(self):
        self.texts, self.codes = [], []
        self.last = ""

    def add(self, texts) -> bool:
        """One more block, a pyarrow string array with a cell or more; always True."""
        encoded = texts.dictionary_encode()
        codes = encoded.indices.to_numpy(zero_copy_only=False)
        self.texts.append(encoded.dictionary)
        self.codes.append(codes.astype(np.min_scalar_type(len(encoded.dictionary))))
        self.last = texts[-1].as_py()
        return True

    def holds(self) -> bool:
        return True

    def keeps_many(self) -> bool:
        """Are most cells of the first block different?"""
        n_rows = len(self.codes[0])
        return n_rows >= MIN_ROWS and len(self.texts[0]) > MANY * n_rows

    def first_block(self):
        """pyarrow string array: the cells of the first block."""
        return self.texts[0].take(self.codes[0])

    def column(self, name: str, original: str) -> RawColumn:
        """The raw column, its cells in the order in which they first appear; the blocks are given up."""
        import pyarrow as pa

        if len(self.texts) == 1:
            [codes], [texts] = self.codes, self.texts
            return RawColumn(name, original, codes.astype(np.int32, copy=False), texts)
        whole = pa.chunked_array(self.texts, pa.string()).dictionary_encode().unify_dictionaries().combine_chunks()
        of_all = whole.indices.to_numpy(zero_copy_only=False)
        ends = np.cumsum([0, *map(len, self.texts)])
        codes = [of_all[start:][block] for start, block in zip(ends[:-1], self.codes, strict=True)]
        self.texts, self.codes = [], []
        return RawColumn(name, original, np.concatenate(codes).astype(np.int32, copy=False), whole.dictionary)


class Numbers:
    """Cells that are plain numbers, or missing under any reading of the column.

    expected : rows there will be, about. One array for all: many small ones, freed later, would leave holes in memory.
    """

    last = ""

    def __init__(self, options: ReadOptions, expected: int):
        self.values, self.n_rows = np.empty(expected), 0
        self.missing = options.missing_tokens(among_numbers=False)
        self.numbers_missing = any(_is_number(token) for token in self.missing)
        self.absent: Counter[str] = Counter()
        self.separated = self.fractions = False
        self.grouped = options.decimal is None

    def add(self, texts) -> bool:
        """One more block, a pyarrow string array; False when its texts say something else or more than numbers do.

        grouped : so far 1.234 could be a thousand and more. separated : a decimal point was seen.
        """
        values = _numbers(texts)
        if values is None or self.numbers_missing or np.isnan(values).any():
            texts = self._null_where_missing(texts)
            values = _numbers(texts)
        if values is None or np.isnan(values).sum() > texts.null_count:
            return False
        known, values_known = texts.drop_null(), values[~np.isnan(values)]
        whole = np.floor(values_known) == values_known
        if whole.any() and matches(known.filter(whole), LABEL_LIKE).any():
            return False
        self.fractions |= not whole.all()
        self.separated = self.separated or _any(known, SEPARATED)
        self.grouped = self.grouped and matches(known[:FIRST], GROUPED).all() and matches(known, GROUPED).all()
        self._keep(values)
        return True

    def _keep(self, values: np.ndarray) -> None:
        end = self.n_rows + len(values)
        if end > len(self.values):
            self.values = np.append(self.values[: self.n_rows], np.empty(end // 8 + len(values)))
        self.values[self.n_rows : end] = values
        self.n_rows = end

    def _null_where_missing(self, texts):
        import pyarrow as pa
        from pyarrow import compute

        texts = compute.utf8_trim_whitespace(texts)
        missing = compute.is_in(texts, value_set=pa.array(self.missing, pa.string()))
        self.absent.update(texts.filter(missing).to_pylist())
        return compute.if_else(missing, pa.scalar(None, pa.string()), texts)

    def holds(self) -> bool:
        """Is it certain what the numbers are?"""
        return not (self.grouped and self.fractions)

    def column(self, name: str, original: str) -> RawColumn:
        """The raw column; the values are given up."""
        values, self.values = self.values[: self.n_rows], None
        column = number_column(name, original, values, decimal="." if self.separated else "")
        return replace(column, absent=tuple(self.absent.items())) if self.absent else column


def _numbers(texts) -> np.ndarray | None:
    """float64 (n,), NaN for null; None when a text is no number as Arrow reads them."""
    import pyarrow as pa
    from pyarrow import compute

    try:
        return compute.cast(texts, pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None


def _is_number(text: str) -> bool:
    import pyarrow as pa

    return _numbers(pa.array([text.strip()])) is not None


def _any(texts, pattern: str) -> bool:
    """Has any text a part that matches the regular expression (RE2)?"""
    from pyarrow import compute

    return bool(compute.any(compute.match_substring_regex(texts, pattern=pattern)).as_py())


class Wanted(NamedTuple):
    """How many columns a file has, and the places of those that are read."""

    n_columns: int
    places: tuple[int, ...]


class Gathered:
    """The columns of a file as its blocks come in.

    n_blocks : how many there will be, about. as_text : places of columns that are kept as texts in any case.
    """

    def __init__(self, n_columns: int, n_blocks: float, options: ReadOptions, as_text: Iterable[int] = ()):
        self.options, self.as_text, self.expected_blocks = options, set(as_text), n_blocks
        self.columns: list[Texts | Numbers | None] = [Texts() for _ in range(n_columns)]
        self.n_rows = self.n_blocks = 0

    def add(self, block) -> None:
        """The next rows, a pyarrow RecordBatch of strings."""
        if block.num_rows == 0:
            return
        if self.n_blocks == 1 and self.options.decimal != ",":
            self._choose_numbers()
        self.n_rows += block.num_rows
        self.n_blocks += 1
        for place, column in enumerate(self.columns):
            if column is not None and not column.add(block.column(place)):
                self.columns[place] = None

    def _choose_numbers(self) -> None:
        """After the first of several blocks: which columns go on as numbers."""
        expected = int(1.05 * self.expected_blocks * self.n_rows)
        for place, column in enumerate(self.columns):
            if place not in self.as_text and column.keeps_many():
                numbers = Numbers(self.options, expected)
                self.columns[place] = numbers if numbers.add(column.first_block()) else column

    def lost(self) -> set[int]:
        """Places of columns that went on as numbers and should not have: to be read again as texts."""
        return {place for place, column in enumerate(self.columns) if column is None or not column.holds()}

    def last_cells(self) -> list[str]:
        """The last row, '' for numbers."""
        return [column.last for column in self.columns]

    def raw_columns(self, names: Sequence[str], originals: Sequence[str]) -> tuple[RawColumn, ...]:
        """The raw columns; what was gathered goes column by column, so that both are never there at once."""
        return tuple(column.column(*called) for column, *called in zip(self.columns, names, originals, strict=True))
