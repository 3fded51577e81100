"""Words that people order or pair: low < medium < high, Monday to Sunday, no and yes."""

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
PAIRS = (
    ("no", "yes"),
    ("n", "y"),
    ("false", "true"),
    ("f", "t"),
    ("0", "1"),
    ("off", "on"),
    ("nein", "ja"),
    ("non", "oui"),
    ("falsch", "wahr"),
    ("faux", "vrai"),
)
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


def boolean_levels(words: Iterable[str]) -> tuple[str, str] | None:
    """The two words as (negative, positive) when they are a pair such as no and yes; None otherwise."""
    by_word = {word.casefold(): word for word in words}
    for negative, positive in PAIRS:
        if set(by_word) == {negative, positive} and len(list(words)) == 2:
            return by_word[negative], by_word[positive]
    return None
