"""The distinct cells of a raw column: their texts without outer spaces, which are missing, where they stand."""

import re
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from treecore.data.column import number_labels
from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn

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

    found = compute.is_in(texts, value_set=pa.array(list(tokens), pa.string()))
    return found.to_numpy(zero_copy_only=False)


def matches(texts, pattern: str) -> np.ndarray:
    """bool (k,): which texts match the regular expression (RE2, and the same in Python) as a whole."""
    if len(texts) <= FEW:
        fits = _compiled(pattern).fullmatch
        return np.array([fits(text) is not None for text in texts.to_pylist()], dtype=bool)
    from pyarrow import compute

    found = compute.match_substring_regex(texts, pattern=f"^(?:{pattern})$")
    return found.to_numpy(zero_copy_only=False)


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
