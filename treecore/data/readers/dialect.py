"""How a text file is written: its encoding, delimiter, quote and header, and its records one by one."""

import codecs
import csv
import io
import re
import sys
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect, Reject, Rejected
from treecore.errors import TreecoreError

# From the bytes of a text file to UTF-8, and the refusal of what is no text.

ENCODINGS = (
    "utf-8",
    "utf-16",
    "cp1252",
    "latin-1",
    "cp1250",
    "cp1251",
    "mac_roman",
    "shift_jis",
    "gb18030",
    "big5",
    "euc_kr",
)
BOMS = (  # utf-32 first: its little-endian mark begins with that of utf-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"SQLite format 3", "a SQLite database"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy array"),
)
MARKUP = (
    (re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body|table)\b", re.IGNORECASE), "a web page (HTML)"),
    (re.compile(rb"(\xef\xbb\xbf)?\s*<\?xml\b"), "an XML document"),
    (re.compile(rb"\{\\rtf"), "a document in rich text"),
)
"""How texts begin that are no table of lines and fields."""
HEAD = 1 << 16  # bytes looked at to decide what a file is
CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b"))
CONTROL = re.compile(b"[" + re.escape(CONTROLS) + b"]")
CHUNK = 1 << 20


class Decoded(NamedTuple):
    """The text as UTF-8 bytes without a byte order mark, the encoding it had, and a note when that was a guess."""

    utf8: bytes
    encoding: str
    note: str = ""


def decoded(data: bytes, encoding: str | None, name: str) -> Decoded:
    """The file as UTF-8.

    A byte order mark decides, then strict UTF-8, then a guess that a note admits.
    TreecoreError when it is no text, or not in the encoding asked for.
    """
    refuse_known_binary(data, name)
    if encoding is not None:
        return _as_asked(data, encoding, name)
    for bom, codec in BOMS:
        if data.startswith(bom):
            return Decoded(_without_marks(_strict(data, codec, name)), codec)
    unmarked = _utf16_without_mark(data)
    if unmarked:
        return Decoded(_strict(data, unmarked, name), unmarked)
    refuse_controls(data, name)
    if _first_fault(data, "utf-8") is None:
        return Decoded(data, "utf-8")
    guess = _guess(data)
    if guess is None:
        raise _undecodable(data, "utf-8", name, _first_fault(data, "utf-8"))
    note = f"The file is not UTF-8; it was read as {guess}. If letters look wrong, choose another encoding."
    return Decoded(_strict(data, guess, name), guess, note)


def refuse_known_binary(data: bytes, name: str) -> None:
    """TreecoreError when the first bytes say that this is an image, an archive, a web page or another known file."""
    known = [what for magic, what in MAGIC if data.startswith(magic)]
    known += [what for begin, what in MARKUP if begin.match(data)]
    if known:
        raise _not_text(name, f"It is {known[0]}, not a table in text form")


def refuse_controls(data: bytes, name: str) -> None:
    """TreecoreError when NUL or many control bytes show that this is no text."""
    head = data[:HEAD]
    controls = len(head) - len(head.translate(None, CONTROLS))
    if b"\0" in head or controls > len(head) / 100:
        first = next(CONTROL.finditer(head)).start()
        raise _not_text(
            name,
            f"It is not text: {controls:,} of the first {len(head):,} bytes are control characters, the first in line "
            f"{_line_of(data, first)}",
        )
    place = data.find(b"\0")
    if place >= 0:
        raise _not_text(name, f"There is a NUL character in line {_line_of(data, place)}")


def _line_of(data: bytes, place: int) -> int:
    """The number, from 1, of the line in which a byte stands."""
    return data.count(b"\n", 0, place) + 1


def _not_text(name: str, what: str) -> TreecoreError:
    return TreecoreError(what, where=f"File '{name}'", remedy="Save the table as CSV or Parquet and load that.")


def _as_asked(data: bytes, encoding: str, name: str) -> Decoded:
    try:
        codec = codecs.lookup(encoding).name
    except LookupError:
        raise TreecoreError(
            f"{encoding!r} is not an encoding",
            where="encoding",
            remedy=f"Choose one of {', '.join(ENCODINGS)}.",
        ) from None
    utf8 = _without_marks(_strict(data, codec, name))
    refuse_controls(utf8, name)
    return Decoded(utf8, encoding)


def _strict(data: bytes, codec: str, name: str) -> bytes:
    fault = _first_fault(data, codec) if codec == "utf-8" else None
    try:
        if fault is None:
            return data if codec == "utf-8" else data.decode(codec).encode("utf-8")
    except UnicodeError as error:
        fault = getattr(error, "start", 0)
    raise _undecodable(data, codec, name, fault)


def _without_marks(utf8: bytes) -> bytes:
    """The text without byte order marks in front: some programs write one before another's."""
    marks = re.match(b"(?:" + codecs.BOM_UTF8 + b")+", utf8)
    return utf8[marks.end() :] if marks else utf8


def _undecodable(data: bytes, codec: str, name: str, place: int) -> TreecoreError:
    line = _line_of(data, place)
    byte = f"byte 0x{data[place]:02x}" if place < len(data) else "the end of the file"
    return TreecoreError(
        f"Line {line} is not {codec} ({byte} at position {place})",
        where=f"File '{name}'",
        remedy=f"Choose another encoding: {', '.join(ENCODINGS)}.",
    )


def _first_fault(data: bytes, codec: str) -> int | None:
    """Position of the first byte that is not in `codec`; chunk by chunk, since a str may take 4 x the bytes."""
    decoder = codecs.getincrementaldecoder(codec)()
    for start in range(0, len(data), CHUNK):
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(data[start : start + CHUNK], final=start + CHUNK >= len(data))
        except UnicodeDecodeError as error:
            return start - pending + error.start
    return None


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 text of mostly Latin letters has a zero in nearly every other byte."""
    head = data[: HEAD & ~1]
    if len(head) < 4 or len(data) % 2:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) / 2
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.7 * half and odd < 0.05 * half else None


def _guess(data: bytes) -> str | None:
    """The likeliest 8-bit or East Asian encoding of bytes that are not UTF-8; None when nothing fits.

    Western text has its high bytes one or two at a time between ASCII letters; longer runs are another script, which
    charset-normalizer is better at. It is asked last because on short Western texts it often answers cp1250.
    """
    high = bytes(range(128, 256))
    sample = _lines_with(data, high)
    n_high = len(sample) - len(sample.translate(None, high))
    in_runs = sum(len(run) for run in re.findall(rb"[\x80-\xff]{3,}", sample))
    if in_runs < 0.3 * n_high and _first_fault(data, "cp1252") is None:
        return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=list(ENCODINGS[2:])).best()
    candidates = ([best.encoding] if best else []) + ["cp1252"]
    return next((codec for codec in candidates if _decodes(data, codec)), None)


def _lines_with(data: bytes, wanted: bytes) -> bytes:
    """The lines that hold one of the wanted bytes, up to HEAD bytes of them."""
    result, size = [], 0
    for line in data[: 50 * HEAD].splitlines(keepends=True):
        if len(line.translate(None, wanted)) < len(line):
            result.append(line)
            size += len(line)
            if size > HEAD:
                break
    return b"".join(result) or data[:HEAD]


def _decodes(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


DELIMITERS = (",", ";", "\t", "|")
SAMPLE_BYTES = 1 << 16
SAMPLE_RECORDS = 200
MIN_RECORDS_FOR_SHIFT = 3  # fewer rows with one field too many are simply ragged
NUMBER = re.compile(r"[+-]?(\d[\d.,' ]*|[.,]\d+)([eE][+-]?\d+)?")


def find_dialect(sample: str, encoding: str, options: ReadOptions) -> Dialect:
    """The dialect of the text; what `options` sets is taken as given.

    sample : the first lines of the file, without a cut line at the end.
    """
    quote = quote_of(sample) if options.quote is None else options.quote
    delimiter = options.delimiter or _delimiter(sample, quote)
    spaces = (
        bool(quote)
        and delimiter != " "
        and bool(re.search(re.escape(delimiter) + " +" + re.escape(quote), _without_quoted(sample, quote)))
    )
    dialect = Dialect(encoding, delimiter, quote, True, spaces)
    header = options.header
    if header is None:
        first = next(iter(records(sample, dialect)), [])
        known = [cell.strip() for cell in first if cell.strip()]
        header = not known or not all(NUMBER.fullmatch(cell) for cell in known)
    return Dialect(encoding, delimiter, quote, header, spaces)


def reader_settings(dialect: Dialect) -> dict:
    """The dialect in the words of Python's csv module."""
    quoting = {"quotechar": dialect.quote} if dialect.quote else {"quoting": csv.QUOTE_NONE}
    return {"delimiter": dialect.delimiter, "skipinitialspace": dialect.space_after_delimiter, **quoting}


def records(sample: str, dialect: Dialect) -> list[list[str]]:
    """The first records of the sample that are not blank."""
    lines = io.StringIO(sample, newline="")  # not splitlines(): that also splits at form feeds and U+2028
    kept = (record for record in csv.reader(lines, **reader_settings(dialect)) if any(map(str.strip, record)))
    return list(islice(kept, SAMPLE_RECORDS))


def numbered_records(sample: str, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """(line, fields) of the first records that are not blank."""
    reader, line = csv.reader(io.StringIO(sample, newline=""), **reader_settings(dialect)), 1
    for fields in islice(reader, SAMPLE_RECORDS):
        if any(map(str.strip, fields)):
            yield line, fields
        line = reader.line_num + 1


def other_delimiter(sample: str, dialect: Dialect) -> str | None:
    """A delimiter that would split the sample into more columns than this one-column reading."""
    better = _delimiter(sample, dialect.quote, (*DELIMITERS, ":", " "))
    split = _agreement(sample, better, dialect.quote)
    return better if better != dialect.delimiter and split[1] > 1 and split[0] > 0.9 else None


def _delimiter(sample: str, quote: str, candidates: tuple[str, ...] = DELIMITERS) -> str:
    """The candidate whose records agree best with the header's width; a comma when none splits the header."""
    scores = {candidate: _agreement(sample, candidate, quote) for candidate in candidates}
    splitting = [candidate for candidate in candidates if scores[candidate][1] > 1]
    if not splitting and _parts_quoted_names(sample, quote):
        return " "
    return max(splitting, key=lambda candidate: scores[candidate], default=",")


def _parts_quoted_names(sample: str, quote: str) -> bool:
    """Are names in quotes parted by spaces, as R's write.table has them, and the records alike? Two words without
    quotes may be one name."""
    first = next(filter(str.strip, sample.splitlines()), "")
    names = quote and re.fullmatch(f"{quote}[^{quote}]*{quote}(?: {quote}[^{quote}]*{quote})+ *", first)
    return bool(names) and _agreement(sample, " ", quote)[0] == 1.0


def _agreement(sample: str, delimiter: str, quote: str) -> tuple[float, int]:
    """(share of the records as wide as the header to one decimal, the header's width).

    A header one field short of nearly all records (row names) counts as agreeing.
    """
    widths = [len(record) for record in records(sample, Dialect("", delimiter, quote))]
    if not widths:
        return 0.0, 0
    same = sum(width == widths[0] for width in widths[1:])
    shifted = sum(width == widths[0] + 1 for width in widths[1:])
    body = max(len(widths) - 1, 1)
    share = max(same, shifted if len(widths) > MIN_RECORDS_FOR_SHIFT else 0) / body if len(widths) > 1 else 1.0
    return round(share, 1), widths[0]


def quote_of(sample: str) -> str:
    """The double quote, unless fields are plainly wrapped in single ones."""
    single = len(re.findall(r"(?:^|[,;\t|])'[^'\r\n]*'(?=[,;\t|\r\n]|$)", sample, flags=re.MULTILINE))
    return "'" if single >= 3 and single > 2 * sample.count('"') else '"'


def _without_quoted(sample: str, quote: str) -> str:
    """The sample with the inside of properly quoted fields removed."""
    q = re.escape(quote)
    return re.sub(f"(?<![^,;\\t|\\r\\n]){q}[^{q}]*{q}", quote * 2, sample)


# The records of a text file one by one with their line numbers: slow, exact, used where numbers matter.

TEXT_KEPT = 1000  # rejected lines whose text is kept; the others keep only their numbers
TEXT_LENGTH = 200
LISTED = 10_000  # rejected records that are listed; the others are only counted


class Record(NamedTuple):
    """Fields, the line the record starts at (from 1), its text as it stands in the file, and its number of lines."""

    fields: list[str]
    line: int
    text: str
    n_lines: int = 1


def iterate_records(utf8: bytes, dialect: Dialect) -> Iterator[Record]:
    """Every record of the file, blank lines included."""
    _allow_long_fields()
    with io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline="") as lines:
        taken: list[str] = []

        def remembering():
            for line in lines:
                taken.append(line)
                yield line

        reader = csv.reader(remembering(), **reader_settings(dialect))
        start = 1
        for fields in reader:
            yield Record(fields, start, "".join(taken), reader.line_num + 1 - start)
            taken.clear()
            start = reader.line_num + 1


def _allow_long_fields() -> None:
    """The csv module refuses fields beyond 128 KB by a setting of the whole process, so of every thread: lift it."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


def is_blank(line: str) -> bool:
    """Whether there is nothing but ASCII white space in it (str.strip would also take a no-break space)."""
    return not line.strip(" \t\r\n\f\v")


def ragged_lines(utf8: bytes, dialect: Dialect, n_columns: int, n_header: int) -> Rejected:
    """Every record below the header's lines that has not n_columns fields; the first of them are listed."""
    listed: list[Reject] = []
    n_lines = 0
    for record in iterate_records(utf8, dialect):
        if record.line > n_header and len(record.fields) != n_columns and not is_blank(record.text):
            n_lines += record.n_lines
            if len(listed) < LISTED:
                text = reject_text(record.text, len(listed))
                listed.append(Reject(record.line, len(record.fields), n_columns, text, record.n_lines))
    return Rejected(tuple(listed), n_lines)


def reject_text(text: str, nth: int) -> str:
    """What is kept of a rejected record: the beginning of its text, unless there are many before it."""
    return text.rstrip("\r\n")[:TEXT_LENGTH] if nth < TEXT_KEPT else ""
