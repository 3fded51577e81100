"""Numbers as people read them: plainly, and in LaTeX as the terms of a formula."""

import math
from collections.abc import Iterable
from contextlib import contextmanager
from contextvars import ContextVar

MOST_TERMS = 14
LARGE = 1e15
"""From here on powers of ten; below it a number is written out."""

MONEY_BEFORE = ("US$", "NZ$", "HK$", "AU$", "CA$", "R$", "A$", "C$", "S$", "$", "£", "¥", "₹")
"""Signs of money that stand before an amount in English."""


def number(value: float) -> str:
    """Six significant digits, without a tail of zeros; a large number whole."""
    return f"{value:.0f}" if 1e6 <= abs(value) < LARGE else f"{value + 0.0:.6g}"


def exact(value: float) -> str:
    """The fewest digits that read back to this very number: '2.45', '448252', '1e-300'."""
    return repr(float(value) + 0.0).removesuffix(".0")


def count(value: float, separator: str = "") -> str:
    """Rows or weight: whole numbers as such, others with four significant digits, at least one of them a decimal.

    Sums of parts of rows are whole where they are so but for rounding. separator : of thousands.
    """
    if not math.isfinite(value):
        return "–"
    if math.isclose(value, round(value), rel_tol=1e-9, abs_tol=1e-9):
        return f"{round(value):,}".replace(",", separator)
    digits = f"{value:.4g}"
    small = abs(value) < 1 or ("." in digits and abs(value) < 1000)
    return digits if small else f"{value:,.1f}".replace(",", separator)


def short_counts(value: float) -> list[str]:
    """The same count ever shorter, where there is little room: "12.4k", "12k"; [] below a thousand."""
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if math.isfinite(value) and abs(value) >= size:
            texts = [f"{value / size:.{digits}f}" for digits in (1, 0)]
            whole = texts[0].removesuffix(".0")
            return [f"{text}{sign}" for text in dict.fromkeys((whole, texts[1]))]
    return []


def brief(value: float, digits: int = 4) -> str:
    """Four significant digits, for what is judged rather than read off: answers, impurities, gains, α; a large one
    whole, with separators of thousands; a dash for no number.

    digits : more than four where numbers that are compared begin alike, see target.Target.answer_digits.
    """
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "-∞"
    if 1e4 <= abs(value) < LARGE:
        whole = math.floor(math.log10(abs(value))) + 1
        return f"{value:,.0f}" if digits <= whole else _without_zeros(f"{value:,.{digits - whole}f}")
    return f"{value + 0.0:.{digits}g}"


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".")


def briefly(value: float | None, digits: int = 4) -> float | None:
    """The number that `brief` writes, for tables that write their numbers themselves; None stays."""
    return value if value is None or not math.isfinite(value) else float(brief(value, digits).replace(",", ""))


def grouped(text: str) -> str:
    """A number as it is printed, with separators of thousands from ten thousand on; other texts as they are."""
    whole, point, rest = text.partition(".")
    digits = whole.removeprefix("-")
    return f"{int(whole):,}{point}{rest}" if digits.isdecimal() and len(digits) > 4 else text


def in_unit(text: str, unit: str) -> str:
    """A number in print with its unit: "195,196 €", "$195,196", "12 %"; a dash and an empty text have none."""
    if not unit or not any(map(str.isdigit, text)):
        return text
    if unit in MONEY_BEFORE:
        sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
        return f"{sign}{unit}{digits}"
    return f"{text}\u00a0{unit}"


def lift_text(value: float) -> str:
    """How many times as frequent, or as high, as in all rows, in two decimals: '1.35'; a dash for no number."""
    return f"{value:.2f}" if math.isfinite(value) else "–"


def percent(share: float) -> str:
    """A share such as '33.3 %' or '5.0 %', joined by a no-break space; '<0.1 %' of what is more than nothing.

    A share and the rest of it, as accuracy and error are, add up to 100 in print, too."""
    if not math.isfinite(share):
        return "–"
    text = _tenths(share)
    return f"{text if share <= 0 or text != '0.0' else '<0.1'}\u00a0%".replace("-0.0", "0.0")


def per_cent(share: float | None) -> float | None:
    """The number that `percent` writes, for tables that write their numbers themselves; None stays."""
    return share if share is None or not math.isfinite(share) else float(_tenths(share))


def _tenths(share: float) -> str:
    """Per cent with one decimal. Halves go to the even digit, also those that are halves but for rounding: 18.45 and
    81.55 are printed as 18.4 and 81.6, where each by itself would be 18.4 and 81.5."""
    tenths = 1000 * share
    below = math.floor(tenths)
    is_half = abs(tenths - below - 0.5) < 1e-7
    return f"{(below + below % 2 if is_half else round(tenths)) / 10:.1f}"


def points(difference: float) -> str:
    """A difference of shares such as '19.8 points'."""
    return f"{100 * difference:.1f} points"


def times(ratio: float) -> str:
    """How many times as much, in two digits: '0.47 times', '2.5 times', '120 times'."""
    return f"{float(f'{ratio:.2g}'):g} times"


def p_value(p: float) -> str:
    """Two significant digits such as '0.043', or '< 0.001'."""
    return "–" if math.isnan(p) else "< 0.001" if p < 0.001 else f"{p:.2g}"


_least_digits: ContextVar[int] = ContextVar("least_digits", default=1)


@contextmanager
def at_least(digits: int):
    """Within it `tex` gives every number so many digits."""
    token = _least_digits.set(digits)
    try:
        yield
    finally:
        _least_digits.reset(token)


def tex(value: float, digits: int = 5) -> str:
    """A number in LaTeX; powers of ten where it is very large or small."""
    digits, value = max(digits, _least_digits.get()), value + 0.0  # no minus before a zero
    if not math.isfinite(value):
        return r"\infty" if value > 0 else r"-\infty" if value < 0 else r"\text{?}"
    mantissa, _, power = f"{value:.{digits}g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else mantissa


def fraction(above: float, below: float) -> str:
    """A share of weights in LaTeX."""
    return rf"\tfrac{{{weight(above)}}}{{{weight(below)}}}"


def weight(value: float) -> str:
    """A weight in LaTeX: whole numbers as such, parts of rows with four digits."""
    text = count(value)
    return tex(value, 4) if "e" in text else text


def summed(terms: Iterable[str], sign: str = "+") -> list[str]:
    """The terms of a sum with their signs, the first one without a plus; only the first ones of very many."""
    terms = list(terms)
    if len(terms) > MOST_TERMS:
        terms = [*terms[: MOST_TERMS - 1], r"\dots"]
    return [f" {sign} {term}" if i or sign != "+" else term for i, term in enumerate(terms)] or ["0"]


# Counts in words.


def counted(n: int, noun: str, nouns: str = "") -> str:
    """'1 line' or '2,001 lines'; nouns : the plural where it is not the noun with an s."""
    return f"{n:,} {noun if n == 1 else nouns or noun + 's'}"
