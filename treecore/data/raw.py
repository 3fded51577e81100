"""What reading a source gives: its columns, how a text file is written, and the lines that are no rows."""

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treecore.brief import Brief
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
    def told(self) -> str:
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

    def told(self, most: int = LISTED) -> str:
        """The first of them in words: 'line 3 has 1; line 4 has 3; and 2 more lines'."""
        named = self.listed[:most]
        more = self.n_lines - sum(reject.n_lines for reject in named)
        return "; ".join(reject.told for reject in named) + (f"; and {more:,} more" if more else "")


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
            what = quotes[0].told.replace("a quote", f"A quote ({quote})", 1) + more
            remedy = "Close it, read the file without quotes, or without what is no row"
            setting = 'quote="", or skip_open_quotes=True and skip_ragged=True'
        else:
            noun = "line has" if n == 1 else "lines have"
            fields = "1 field" if n_columns == 1 else f"{n_columns} fields"
            what = f"{n:,} {noun} not the {fields} of the header: {rejected.told()}"
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

    told: str
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
    cells: object
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
