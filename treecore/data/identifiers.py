"""Columns that tell rows apart instead of describing them: running numbers, keys, free text."""

import re

import numpy as np

KEY_NAME = re.compile(r"(^|[_\W])(id|ids|uuid|guid|key|nr|no|num|number|idx|index|rowid|row|serial)($|[_\W])")
KEY_TAIL = re.compile(r"[a-z](Id|ID|Nr|No|Key|Index)$")
INDEX_NAME = re.compile(r"(unnamed: ?\d+|index|row[._ ]?names?|)", re.IGNORECASE)
YEAR_NAME = re.compile(r"(^|[_\W])(year|jahr|annee|année|anno|año)($|[_\W])", re.IGNORECASE)
COUNTS_ROWS = "it numbers the rows"
MIN_ROWS = 5  # with fewer rows everything is distinct
MIN_ROWS_NEARLY = 20  # with fewer rows "nearly" says little
NEARLY = 0.95
MANY = 0.5  # share of different words beyond which a column of words is left out
FREE_TEXT_LENGTH = 30  # characters on average


def is_key_name(name: str) -> bool:
    """Whether the name says that the column is a key: id, customer_id, CustomerId, row no."""
    return bool(KEY_NAME.search(name.lower()) or KEY_TAIL.search(name))


def numeric_identifier(name: str, first: bool, numbers: np.ndarray) -> str:
    """Why a column of numbers is taken for an identifier; "" when it is not.

    name : as in the source, "" for none. first : whether the column stands first.
    numbers : float64 (n_rows,) in the order of the rows, NaN where missing.
    """
    known = numbers[~np.isnan(numbers)]
    if len(known) < MIN_ROWS or not np.array_equal(known, np.floor(known)):
        return ""
    n = len(np.unique(known))
    if is_key_name(name) and n >= NEARLY * len(known):
        return f"its name and its {n:,} different whole numbers in {len(known):,} rows look like an identifier"
    if n < len(numbers) or YEAR_NAME.search(name):
        return ""
    low, high = known.min(), known.max()
    if high - low == n - 1 and INDEX_NAME.fullmatch(name):
        return f"it has no name and numbers the rows from {low:.0f} to {high:.0f}"
    rising = bool((np.diff(numbers) > 0).all())
    if high - low == n - 1 and (low in (0, 1) or first or rising):
        return f"{COUNTS_ROWS} from {low:.0f} to {high:.0f}"
    if first and rising and n >= MIN_ROWS_NEARLY and high - low < 2 * n:
        return f"it rises from row to row from {low:.0f} to {high:.0f}, like a row number with gaps"
    return ""


def word_identifier(name: str, n_known: int, n_distinct: int, mean_length: float) -> str:
    """Why a column of words is left out; "" when it may be a feature."""
    if mean_length > FREE_TEXT_LENGTH and n_distinct > MANY * n_known and n_known >= MIN_ROWS:
        return f"it is free text ({n_distinct:,} different texts in {n_known:,} rows)"
    if n_known >= MIN_ROWS and n_distinct == n_known:
        return f"every row has a text of its own ({n_known:,} rows), like an identifier"
    if n_known >= MIN_ROWS_NEARLY and (
        n_distinct > MANY * n_known or (is_key_name(name) and n_distinct >= NEARLY * n_known)
    ):
        return f"it has {n_distinct:,} different texts in {n_known:,} rows, nearly one for each"
    return ""
