"""What reading a source gives: columns as codes into distinct cells, and lines of a text file that are no rows."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from treecore.brief import Brief
from treecore.data.column import number_labels
from treecore.data.options import ReadOptions
from treecore.errors import TreecoreError

LISTED = 10  # rejected lines named in a message
NEVER_CLOSED, WRONGLY_CLOSED = "is never closed", "is closed in another line within a cell"


class Reject(NamedTuple):
    """Lines that are no row; `line`, the first of them, counts from 1, as an editor does.

    n_fields, expected : how many fields there are, and how many the header has; n_lines : lines that one record
    with line breaks in its cells stretches over. quote : what is wrong with a quote that opens here, "" for nothing.
    """

    line: int
    n_fields: int
    expected: int
    text: str
    n_lines: int = 1
    quote: str = ""

    @property
    def lines(self) -> str:
        """'3' or '500 to 5501'."""
        return str(self.line) if self.n_lines == 1 else f"{self.line} to {self.line + self.n_lines - 1}"

    @property
    def fault(self) -> str:
        """What is wrong, in a few words: 'line 3 has 1'."""
        lines = f"{'line' if self.n_lines == 1 else 'lines'} {self.lines}"
        if self.quote:
            return f"a quote opened in {lines} {self.quote}"
        return f"{lines} {'has' if self.n_lines == 1 else 'together have'} {self.n_fields}"


class Rejected(NamedTuple):
    """What was left out of a text file: the first rejects in the order of the lines, and how many lines in all."""

    listed: tuple[Reject, ...] = ()
    n_lines: int = 0

    @property
    def these_lines(self) -> str:
        """'this line' or 'these 2 lines'."""
        return "this line" if self.n_lines == 1 else f"these {self.n_lines:,} lines"

    def description(self, most: int = LISTED) -> str:
        """The first of them in words: 'line 3 has 1; line 4 has 3; and 2 more lines'."""
        named = self.listed[:most]
        more = self.n_lines - sum(reject.n_lines for reject in named)
        return "; ".join(reject.fault for reject in named) + (f"; and {more:,} more" if more else "")


class RaggedLines(TreecoreError):
    """Lines that are no rows: too few or too many fields, or a quote that is never properly closed.

    rejects : the first of them. rejected : the same with their number. n_rows : rows there are without them.
    n_above : how many lines stand above the first of them, where the names seem to stand there; else 0.
    """

    rejects: tuple[Reject, ...] = ()
    rejected = Rejected()
    n_rows = 0
    n_above = 0

    @classmethod
    def of(cls, rejected: Rejected, n_columns: int, n_rows: int, quote: str) -> "RaggedLines":
        n, quotes = rejected.n_lines, [reject for reject in rejected.listed if reject.quote]
        if quotes:
            more = f"; in all {n:,} lines are no rows" if n > quotes[0].n_lines else ""
            what = quotes[0].fault.replace("a quote", f"A quote ({quote})", 1) + more
            remedy = "Close it, read the file without quotes, or without what is no row"
            setting = 'quote="", or skip_open_quotes=True and skip_ragged=True'
        else:
            noun = "line has" if n == 1 else "lines have"
            fields = "1 field" if n_columns == 1 else f"{n_columns} fields"
            what = f"{n:,} {noun} not the {fields} of the header: {rejected.description()}"
            above = _n_above(rejected, n_rows)
            names = f"skip the {above} lines above line {above + 1} if the names stand there, " if above else ""
            remedy = f"Correct the lines, choose another delimiter, {names}or read the file without them"
            setting = f"skip_lines={above} or skip_ragged=True" if above else "skip_ragged=True"
        error = cls(what, where="Lines", remedy=remedy, setting=setting)
        error.rejects, error.rejected, error.n_rows = rejected.listed, rejected, n_rows
        error.n_above = 0 if quotes else above
        return error


def _n_above(rejected: Rejected, n_rows: int) -> int:
    """How many lines stand above the first reject, where all from there on are wider and alike: a table below a title;
    else 0."""
    first, widths = rejected.listed[0], {reject.n_fields for reject in rejected.listed}
    is_table = len(widths) == 1 and first.n_fields > first.expected and rejected.n_lines > 2 and n_rows < first.line > 2
    return first.line - 1 if is_table else 0


class Doubt(NamedTuple):
    """Something about the lines of a text file, or what a column's cells mean, that only the user knows, in a sentence.

    remedies : what can be done about it, (in words, options of reading that do it). is_open : whether the user should
    say, as what was done is little better than a guess; else it may be undone.
    """

    text: str
    remedies: tuple[tuple[str, tuple[tuple[str, object], ...]], ...] = ()
    is_open: bool = True


class LineCount(NamedTuple):
    """Every line of a text file: those up to the names, those of the rows, those skipped, and blank ones."""

    header: int
    rows: int
    skipped: int
    blank: int

    @property
    def total(self) -> int:
        return sum(self)


@dataclass(frozen=True)
class Dialect:
    """How a text file is written; `header` says whether its first line held the names."""

    encoding: str
    delimiter: str
    quote: str = '"'
    header: bool = True
    space_after_delimiter: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class RawColumn(Brief):
    """A column as codes into its distinct cells, so that every later step looks at each cell once.

    codes : int32 (n_rows,), -1 where the source has no value.
    content : what `cells` holds. "text": pyarrow string array (k,); "number": float64 (k,);
        "date": datetime64[s] (k,); "levels": tuple of str, declared by the source. Numbers ascend.
    original : the name in the source, when it had to be changed.
    absent : of "number" cells, the texts that stood for a missing value, each with its number of rows.
    decimal : the decimal sign that "number" cells were seen to have as texts; "" where there was none.
    """

    name: str
    original: str
    codes: np.ndarray
    cells: Any
    content: str = "text"
    ordered: bool = False
    boolean: bool = False
    decimal: str = ""
    absent: tuple[tuple[str, int], ...] = ()

    @property
    def n_rows(self) -> int:
        return len(self.codes)


def bytes_fingerprint(data: bytes, options: ReadOptions) -> str:
    """sha256 of a file's bytes and of the options that are not the default, so that a new option changes none."""
    digest = hashlib.sha256(data)
    digest.update(repr(options.changed()).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


# The distinct cells of a raw column: their texts without outer spaces, which are missing, where they stand.

PLAIN_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
UNSEEN = "[\u00ad\u180e\u200b\u200e\u200f\u2060\ufeff]"
FIRST = 1000
FEW = 64  # so few texts are sooner matched one by one than the expression is compiled by Arrow, which keeps none


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern:
    return re.compile(pattern, re.ASCII)


def stripped_texts(column: RawColumn):
    """pyarrow string array (k,): the texts of a "text" column without outer white space."""
    from pyarrow import compute

    stripped = compute.utf8_trim_whitespace(column.cells)
    return column.cells if stripped.nbytes == column.cells.nbytes else stripped


def words_of(column: RawColumn, options: ReadOptions) -> tuple:
    """(texts (k,), missing bool (k,)) of a "text" column of words: as they look, unless what cannot be seen is kept."""
    stripped = stripped_texts(column)
    seen = stripped if options.keep_spaces else as_seen(stripped)
    missing = is_one_of(seen, options.missing_words(column.name))
    return merged_spellings(column.cells if options.keep_spaces else seen, column.name, options), missing


def merged_spellings(texts, name: str, options: ReadOptions):
    """pyarrow string array (k,): the texts of a column, spellings that are one level as that level."""
    same = dict(options.same_levels).get(name)
    if not same:
        return texts
    import pyarrow as pa
    from pyarrow import compute

    place = compute.index_in(texts, value_set=pa.array([spelling for spelling, _ in same], pa.string()))
    return compute.coalesce(pa.array([level for _, level in same], pa.string()).take(place), texts)


def as_seen(texts):
    """pyarrow string array (k,): the texts without signs that cannot be seen, each accented letter as one sign (NFC).

    Joiners stay: they change the letters beside them.
    """
    from pyarrow import compute

    if compute.all(compute.string_is_ascii(texts)).as_py() is not False:
        return texts
    seen = compute.replace_substring_regex(texts, pattern=UNSEEN, replacement="")
    return compute.utf8_trim_whitespace(compute.utf8_normalize(seen, form="NFC"))


def merged_by_spaces(column: RawColumn, options: ReadOptions) -> list[tuple[str, int]]:
    """Words that also stand with spaces around them, and in how many rows; [] where nothing was made the same."""
    if column.content != "text" or options.keep_spaces:
        return []
    return _merged(column, column.cells, stripped_texts(column), options)


def merged_unseen(column: RawColumn, options: ReadOptions) -> list[tuple[str, int]]:
    """Words that also stand with signs that cannot be seen, or an accent written in another way; as above."""
    if column.content != "text" or options.keep_spaces:
        return []
    stripped = stripped_texts(column)
    return _merged(column, stripped, as_seen(stripped), options)


def _merged(column: RawColumn, before, words, options: ReadOptions) -> list[tuple[str, int]]:
    """Words of which there were several forms, and how many rows hold another one. before, words : (k,), aligned."""
    if words is before:
        return []
    missing = is_one_of(words, options.missing_words(column.name))
    encoded, forms = words.dictionary_encode(), before.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    places, counts = encoded.indices.to_numpy(zero_copy_only=False), cell_counts(column)
    known = (counts > 0) & ~missing
    changed = known & ~is_equal(words, before)
    pairs = np.unique(np.stack([places[known], forms[known]], axis=1), axis=0)
    n_forms = np.bincount(pairs[:, 0], minlength=len(encoded.dictionary))
    n_changed = np.bincount(places, weights=np.where(changed, counts, 0), minlength=len(encoded.dictionary))
    merged = np.flatnonzero((n_forms > 1) & (n_changed > 0))
    return [(encoded.dictionary[int(place)].as_py(), int(n_changed[place])) for place in merged]


def is_equal(texts, others) -> np.ndarray:
    """bool (k,): where the two string arrays agree."""
    from pyarrow import compute

    return compute.equal(texts, others).to_numpy(zero_copy_only=False)


def is_one_of(texts, tokens: Iterable[str]) -> np.ndarray:
    """bool (k,): which texts are among the tokens."""
    if len(texts) <= FEW:
        among = frozenset(tokens)
        return np.array([text in among for text in texts.to_pylist()], dtype=bool)
    import pyarrow as pa
    from pyarrow import compute

    result = compute.is_in(texts, value_set=pa.array(list(tokens), pa.string()))
    return result.to_numpy(zero_copy_only=False)


def matches(texts, pattern: str) -> np.ndarray:
    """bool (k,): which texts match the regular expression (RE2, and the same in Python) as a whole."""
    if len(texts) <= FEW:
        fits = _compiled(pattern).fullmatch
        return np.array([fits(text) is not None for text in texts.to_pylist()], dtype=bool)
    from pyarrow import compute

    result = compute.match_substring_regex(texts, pattern=f"^(?:{pattern})$")
    return result.to_numpy(zero_copy_only=False)


def all_match(texts, pattern: str) -> bool:
    """Do all texts match the regular expression as a whole? The first of many are tried first."""
    if len(texts) <= FEW:
        return all(map(_compiled(pattern).fullmatch, texts.to_pylist()))
    return bool(matches(texts[:FIRST], pattern).all() and matches(texts, pattern).all())


def cell_counts(column: RawColumn) -> np.ndarray:
    """int64 (k,): rows that hold each distinct cell."""
    return np.bincount(column.codes + 1, minlength=len(column.cells) + 1)[1:]


def rows_with(column: RawColumn, cells: np.ndarray) -> np.ndarray:
    """0-based rows whose cell is marked in bool (k,)."""
    return np.flatnonzero(np.append(cells, False)[column.codes])


def number_texts(column: RawColumn):
    """pyarrow string array (k,): the labels of a "number" column's distinct cells."""
    import pyarrow as pa

    return pa.array(number_labels(column.cells), pa.string())


def sorted_words(words) -> tuple[str, ...]:
    """The distinct words in the order levels get by default: numbers by size, else alphabetical.

    The order of the rows has no say, so a shuffled file gives the same levels.
    """
    from pyarrow import compute

    values = _as_floats(words)
    if values is not None:
        order = np.lexsort((compute.rank(words, tiebreaker="first").to_numpy(), values))
        return tuple(words.take(order).to_pylist())
    return tuple(words.take(compute.sort_indices(words)).to_pylist())


def _as_floats(words) -> np.ndarray | None:
    if not all_match(words, PLAIN_NUMBER):
        return None
    from pyarrow import compute

    return compute.cast(words, "float64").to_numpy(zero_copy_only=False)
