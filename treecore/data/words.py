"""Words that people order or pair: low < medium < high, Monday to Sunday, no and yes."""

import re
from collections.abc import Iterable

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
# Words for no and yes in pairs; those of a group are the same words written at length and in short.
TRUTHS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("false", "f", "falsch", "faux"), ("true", "t", "wahr", "vrai")),
    (("no", "n"), ("yes", "y")),
    (("0",), ("1",)),
    (("off",), ("on",)),
    (("nein",), ("ja",)),
    (("non",), ("oui",)),
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
