"""Words with a meaning: scales, no and yes, months, names of keys, words for a missing value."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from treecore.data.column import Column, quoted
from treecore.data.options import ReadOptions
from treecore.data.raw import Doubt, RawColumn, all_match, cell_counts, is_one_of, rows_with, stripped_texts, words_of
from treecore.figures import counted

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

# Each place of a scale may have several words; lower case.
SCALES: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("very low",), ("low",), ("medium", "moderate", "average", "middle", "mid"), ("high",), ("very high",)),
    (("very small", "tiny"), ("small",), ("medium",), ("large", "big"), ("very large", "huge")),
    (("xxs",), ("xs",), ("s",), ("m",), ("l",), ("xl",), ("xxl",), ("xxxl",)),
    (("never",), ("rarely", "seldom"), ("sometimes", "occasionally"), ("often", "usually"), ("always",)),
    (
        ("strongly disagree",),
        ("disagree",),
        ("neutral", "neither agree nor disagree"),
        ("agree",),
        ("strongly agree",),
    ),
    (
        ("very bad", "very poor"),
        ("bad", "poor"),
        ("fair", "ok", "okay", "average"),
        ("good",),
        ("very good",),
        ("excellent",),
    ),
    (("mild",), ("moderate",), ("severe",), ("very severe",)),
    (("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th")),
    (("primary",), ("secondary",), ("tertiary",)),
    (("junior",), ("mid", "middle"), ("senior",)),
    (("short",), ("medium",), ("long",)),
    (("slow",), ("medium",), ("fast",)),
    (("beginner",), ("intermediate",), ("advanced",), ("expert",)),
    (("child",), ("teenager", "teen"), ("adult",), ("senior",)),
    tuple((month.lower(), month[:3].lower()) for month in MONTHS),
    tuple((day.lower(), day[:3].lower()) for day in WEEKDAYS),
)
_NOES = """
falso falso falso onwaar falskt falsk usann epätosi fałsz nepravda hamis yanlış yanliş ложь
no no não nao nee nej nie ne nem hayır hayir нет 否
"""
_YESES = """
vero verdadero verdadeiro waar sant sand sann tosi prawda pravda igaz doğru doğru истина
sí si sim sim ja ja tak ano igen evet evet да 是
"""
# Words for no and yes in pairs; those of a group are the same words written at length and in short.
TRUTHS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("false", "f", "falsch", "faux"), ("true", "t", "wahr", "vrai")),
    (("no", "n"), ("yes", "y")),
    (("0",), ("1",)),
    (("off",), ("on",)),
    (("nein",), ("ja",)),
    (("non",), ("oui",)),
    # what spreadsheets write of a truth in other languages, and yes and no there
    *(((no,), (yes,)) for no, yes in zip(_NOES.split(), _YESES.split(), strict=True)),
)
PAIRS = tuple(pair for no, yes in TRUTHS for pair in zip(no, yes, strict=True))
LITERALS = {"false": False, "true": True}
"""What programs write of a truth, in small letters."""
MOST_SPELLINGS = 12
_ZERO = re.compile(r"[+-]?(?:0(?:\.0*)?|\.0+)").fullmatch
_ONE = re.compile(r"\+?1(?:\.0*)?").fullmatch
LETTERS_NEED = 3  # "S" and "M" alone may be single and married


def ordered_levels(words: Iterable[str]) -> tuple[str, ...] | None:
    """The words from lowest to highest when all belong to one known scale; None otherwise.

    Two spellings of one place (low, Low) are not ordered: somebody has to decide about them first.
    """
    words = list(words)
    if not 2 <= len(words) <= 12:
        return None
    for scale in SCALES:
        place = {word: i for i, alternatives in enumerate(scale) for word in alternatives}
        places = [place.get(word.casefold()) for word in words]
        if None in places or len(set(places)) < len(words):
            continue
        if max(map(len, words)) == 1 and len(words) < LETTERS_NEED:
            continue
        return tuple(word for _, word in sorted(zip(places, words, strict=True)))
    return None


def truth_words(negative: str, positive: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The words, in small letters, for the two of a pair such as no and yes, those of programs (false, true) among
    them; None where the two words are no such pair."""
    pair = negative.casefold(), positive.casefold()
    group = next((group for group in TRUTHS if pair in zip(*group, strict=True)), None)
    if group is None:
        return None
    no, yes = group
    return tuple(dict.fromkeys((*no, "false", "f"))), tuple(dict.fromkeys((*yes, "true", "t")))


def boolean_levels(words: Iterable[str]) -> tuple[str, str] | None:
    """(negative, positive) when all words are those of one pair such as no and yes; None otherwise.

    What programs write of a truth may be spelled in several ways: False, TRUE and 1 together are False and True.
    """
    words = list(words)
    by_word = {word.casefold(): word for word in words}
    for negative, positive in PAIRS:
        if set(by_word) == {negative, positive} and len(words) == 2:
            return by_word[negative], by_word[positive]
    truths = {word: truth_of(word) for word in words}
    if len(words) > MOST_SPELLINGS or set(truths.values()) != {False, True}:
        return None
    return ("False", "True") if any(word.casefold() in LITERALS for word in words) else ("0", "1")


def truth_of(word: str) -> bool | None:
    """What a program says by true or false in any letters, or by 0 or 1 as any number; None for another word."""
    if word.casefold() in LITERALS:
        return LITERALS[word.casefold()]
    return False if _ZERO(word) else True if _ONE(word) else None


def yes_or_no(word: str) -> bool | None:
    """What a word of any pair such as no and yes says; None for another word."""
    return next((word.casefold() == pair[1] for pair in PAIRS if word.casefold() in pair), truth_of(word))


# Words that stand for a missing value in columns of words: NA may be a country, \N is what a database wrote.

CODE, A_CODE = "NA", "[A-Z]{2}"
"""The one token that is a code of two letters: Namibia, North America."""
LISTED, LENGTH = 5, 60
LEVEL, FEWEST = 0.001, 5
"""Below this probability by chance rows with the word are said to differ; of fewer rows nothing is said."""


def codes_like_missing(columns: Sequence[RawColumn], options: ReadOptions) -> dict[str, tuple[str, ...]]:
    """{column: ("NA",)} where all other words are codes of two letters, unless the options say something of it.

    Where NA stands in other columns, too, it is how this file writes a missing value, as R does.
    """
    if CODE not in options.missing_tokens(among_numbers=False):
        return {}
    with_code = [column for column in columns if column.content == "text" and _holds(column, CODE)]
    result = [column.name for column in with_code if _are_codes(column, options)]
    if len(result) < len(with_code) or any(CODE in dict(column.absent) for column in columns):
        return {}
    said = dict(options.not_missing)
    return {name: (CODE,) for name in result if name not in said}


def _holds(column: RawColumn, word: str) -> bool:
    from pyarrow import compute

    return compute.index(column.cells, word).as_py() >= 0


def _are_codes(column: RawColumn, options: ReadOptions) -> bool:
    texts = stripped_texts(column)
    words = texts.filter(~is_one_of(texts, options.missing_tokens(among_numbers=False))).unique()
    if len(words) < 2 or not all_match(words, A_CODE):
        return False
    listed = words.to_pylist() if len(words) <= 12 else []
    return not (boolean_levels(listed) or ordered_levels(listed))


class MissingWords(NamedTuple):
    """words : (word, rows) of those read as missing. not_missing : of those that look so and are words."""

    words: list[tuple[str, int]]
    not_missing: list[tuple[str, int]]

    @property
    def sentence(self) -> str:
        """' Missing values are 'NA' (20).' or what is not missing; "" where there are none."""
        text = f" Missing values are {listed(self.words)}." if self.words else ""
        return text + (f" Not missing, but words: {listed(self.not_missing)}." if self.not_missing else "")

    def doubts(self, name: str, options: ReadOptions) -> tuple[Doubt, ...]:
        """What is said of them, with what makes the one the other."""
        made = []
        if self.words:
            (is_are, word) = ("is", "It is a word") if len(self.words) == 1 else ("are", "They are words")
            remedy = (word, _options_with_words(options, name, [*self.not_missing, *self.words]))
            made.append(Doubt(f"{listed(self.words)} {is_are} read as missing.", (remedy,), is_open=False))
        if self.not_missing:
            (is_are, gap) = (
                ("is", "It is a missing value") if len(self.not_missing) == 1 else ("are", "They are missing values")
            )
            remedy = (gap, _options_with_words(options, name, []))
            made.append(
                Doubt(f"{listed(self.not_missing)} {is_are} read like any word, not as missing.", (remedy,), False)
            )
        return tuple(made)


def _options_with_words(options: ReadOptions, name: str, words: Sequence[tuple[str, int]]) -> tuple:
    """The options that keep these words, and no others, in the column."""
    return (("not_missing", tuple(sorted((dict(options.not_missing) | {name: tuple(w for w, _ in words)}).items()))),)


def listed(words: Sequence[tuple[str, int]]) -> str:
    """Words with their rows: 'NA' (20), '?' (3) and 2 more words."""
    as_written = lambda word: f"'{word}'" if word.isprintable() and len(word) < LENGTH else quoted(word)  # noqa: E731
    text = ", ".join(f"{as_written(word)} ({n:,})" for word, n in words[:LISTED])
    return text + (f" and {counted(len(words) - LISTED, 'more word')}" if len(words) > LISTED else "")


def missing_words(column: RawColumn, options: ReadOptions) -> MissingWords:
    """Which words of a column of words were read as missing, and which were not though they look so."""
    if column.content != "text":
        return MissingWords([], [])
    tokens = [token for token in options.tokens_like_missing(column.name) if token]
    texts, missing = words_of(column, options)
    looks_so, counts = is_one_of(texts, tokens), cell_counts(column)
    result: tuple[Counter, Counter] = Counter(), Counter()
    for place in np.flatnonzero(looks_so & (counts > 0)):
        result[int(not missing[place])][texts[int(place)].as_py()] += int(counts[place])
    return MissingWords(*(one.most_common() for one in result))


def spelling_doubt(same: tuple[tuple[str, str], ...], others: tuple) -> Doubt:
    """What is said of spellings that are read as one level. same : (spelling, level). others : of other columns."""
    text = ", ".join(f"{quoted(spelling)} as {quoted(level)}" for spelling, level in same[:LISTED])
    text += f" and {counted(len(same) - LISTED, 'more spelling')}" if len(same) > LISTED else ""
    text += ": read as one level. A tree, and what it is exported as, knows this spelling alone: rows that come by "
    text += "another way than a file that is read so need it, too."
    return Doubt(text, (("They are levels of their own", (("same_levels", others),)),), False)


def telling_doubt(column: RawColumn, options: ReadOptions, target: Column, rows: np.ndarray) -> Doubt | None:
    """What is said of words read as missing where rows with one differ in the target beyond chance; None else.

    rows : int (n,), the rows of the source that the target's are.
    """
    result = missing_words(column, options)
    is_said = column.name in dict(options.not_missing)
    if is_said or sum(n for _, n in result.words) < FEWEST or column.name == target.name:
        return None
    from treecore.criteria.significance import chi_square

    texts, _ = words_of(column, options)
    with_word = np.zeros(column.n_rows, dtype=np.int64)
    with_word[rows_with(column, is_one_of(texts, [word for word, _ in result.words]))] = 1
    known = ~target.missing
    if not known.any():
        return None
    codes = target.codes[known]
    codes = (codes >= np.median(codes)).astype(np.int64) if target.kind == "numeric" else codes
    table = np.zeros((2, int(codes.max(initial=0)) + 1))
    np.add.at(table, (with_word[rows[known]], codes), 1.0)
    p_value = chi_square(table).p_value
    if p_value >= LEVEL or (table.sum(axis=1) < FEWEST).any():
        return None
    doubt = result.doubts(column.name, options)[0]
    text = f"{doubt.text} Rows with it differ in '{target.name}' (p = {p_value:.2g}), so it may be a word of its own."
    confirmed = (
        ("It is a missing value" if len(result.words) == 1 else "They are missing values"),
        _options_with_words(options, column.name, []),
    )
    return Doubt(text, (*doubt.remedies, confirmed))


KEY_NAME = re.compile(r"(^|[_\W])(id|ids|uuid|guid|key|nr|no|num|number|idx|index|rowid|row|serial)($|[_\W])")


KEY_TAIL = re.compile(r"[a-z](Id|ID|Nr|No|Key|Index)$")


def is_key_name(name: str) -> bool:
    """Whether the name says that the column is a key: id, customer_id, CustomerId, row no."""
    return bool(KEY_NAME.search(name.lower()) or KEY_TAIL.search(name))
