"""What stands around a number: a sign of money, a unit, and a minus that is not in front as usual.

Amounts come as browsers, spreadsheets and accounting write them: "1.234,50 €" with a space that does not break,
"R$ 12", "CHF 1'250.00", "(12.50)", "100,00-", and with the minus of typesetting.
"""

import re
from collections import Counter
from typing import NamedTuple

import numpy as np

from treecore.data.cells import all_match, is_equal, matches

SPACE = "[ \t\u00a0\u2002\u2003\u2007\u2009\u200a\u202f]"
MINUSES = "[\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d]"
MINUS = dict.fromkeys(map(ord, MINUSES.strip("[]")), "-")
MONEY = """
US$ NZ$ HK$ AU$ CA$ R$ A$ C$ S$ € $ £ ¥ ￥ ₹ ₽ ₺ ₩ ₪ ฿ ₫ ₱ ₦ ₴ ₸ ₡ ₲ ₵ ₾ ₼ ¢ % ‰
"""
CURRENCIES = """
EUR USD GBP CHF JPY CNY RMB SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH TRY INR PKR LKR BRL MXN ARS CLP COP PEN UYU
AUD CAD NZD SGD HKD TWD KRW ZAR NGN KES EGP MAD ILS AED SAR QAR THB IDR MYR PHP VND Euro SFr. SFr Fr. Fr Rs. Rs Rp RM
kr. kr zł Kč Ft lei лв. лв руб. руб грн
"""
ATTACHED = "EUR USD GBP CHF Rs. Rs Fr."
"""These words may stand right before a whole number; of others "PEN12" is a code, and "PEN 12" or "PEN12.50" money."""
UNITS = """
kg mg µg lb lbs oz km cm mm µm nm ft mi ml cl dl ha km² m² m³ kWh MWh kW MW GHz MHz kHz Hz TB GB MB KB km/h mph m/s °C
°F ppm bpm px min sec hrs hPa mbar kcal mmHg
"""


def _one_of(*signs: str) -> str:
    """An expression for any of the signs that stand in these texts, the longest first, as "$" stands in "R$"."""
    return "|".join(map(re.escape, sorted(" ".join(signs).split(), key=len, reverse=True)))


SIGN = _one_of(MONEY, CURRENCIES, UNITS)
BEFORE = re.compile(
    rf"[-+(]*{SPACE}*(?:({_one_of(MONEY, ATTACHED)}){SPACE}*[-+(.,]*\d"
    rf"|({_one_of(CURRENCIES)})(?:{SPACE}+[-+(.,]*\d|[-+(]*\d+[.,'’]\d))"
)
BEHIND = re.compile(rf"[-+(]*{SPACE}*[.,]?\d.*?[-)]?{SPACE}*(?<![^\W\d_])({SIGN})[-)]*")
"""Known signs may stand beside a number without a space."""
UNIT_WORD = re.compile(rf".*[\d.,]{SPACE}+([^\W\d_][^\s\d()+,;-]{{0,14}})\)?")
"""Any other word is a unit where it stands behind every number, a space between: "3 Zimmer", but not "Zimmer 3"."""
DIGITS = "\\d[\\d.,'’ \u00a0\u2009\u202f]*|[.,]\\d+"
TRAILING = rf"({DIGITS}){SPACE}*-"
BRACKETED = rf"\({SPACE}*({DIGITS}){SPACE}*\)"
TWO_DIGITS = r"[^\d]*\d.*\d.*"
USUAL_PATTERN = r"[-+]?[\d.,]+(?:[eE][-+]?\d+)?"
USUAL = re.compile(USUAL_PATTERN, re.ASCII).fullmatch
A_DIGIT = re.compile(r"\d", re.ASCII).search
LOOKED_AT = 50
LONGEST = 100  # characters of a number with all that stands around it; on longer texts some expressions take their time
A_NUMBER = re.compile(
    rf"[-+(]*{SPACE}*(?:{SIGN})?{SPACE}*[-+(]*{SPACE}*(?:{DIGITS})(?:[eE][-+]?\d+)?[-)]?{SPACE}*(?:{SIGN})?[-)]?"
)


class Unsigned(NamedTuple):
    """Texts without what stands around the numbers.

    sign : what stands before or behind the numbers, such as "%"; "" for nothing. signed : bool (k,), which texts have
    it, all of them where there is none. minus : how a negative number is written where that is not "-5"; "" else.
    texts : pyarrow string array (k,).
    """

    sign: str
    signed: np.ndarray
    texts: object
    minus: str = ""


def without_signs(texts) -> Unsigned:
    """The texts (pyarrow string array (k,)) with a minus in front where one is meant, and without a common sign.

    Where most have a sign, a number without it is something else.
    """
    texts = _without_long(texts)
    every, first = np.ones(len(texts), dtype=bool), texts[:LOOKED_AT].to_pylist()
    if not any(map(A_DIGIT, first)) or (all(map(USUAL, first)) and all_match(texts, USUAL_PATTERN)):
        return Unsigned("", every, texts)
    plain = texts if _is_ascii(texts) else _replaced(texts, MINUSES, "-")
    sign = _common_sign(plain)
    signed, bare = _without_sign(plain, sign) if sign else (every, plain)
    if 2 * signed.sum() < len(texts):
        sign, signed, bare = "", every, plain
    negative = _with_minus_in_front(bare)
    changed = np.flatnonzero(~is_equal(negative, bare)) if negative is not bare else ()
    if not len(changed) and plain is not texts:
        changed = np.flatnonzero(~is_equal(plain, texts) & matches(negative, r"-.*\d.*"))
    return Unsigned(sign, signed, negative, texts[int(changed[0])].as_py() if len(changed) else "")


def is_number(text: str) -> bool:
    """Is the text a number, whatever stands around it?"""
    return len(text) <= LONGEST and A_NUMBER.fullmatch(text.translate(MINUS)) is not None


def is_negative(text: str) -> bool:
    """Is the text a number with a minus, or in brackets?"""
    plain = text.strip().translate(MINUS)
    return any(sign in plain for sign in "-(") and is_number(plain)


def has_unit(text: str) -> bool:
    """Is the text a number with a word behind it?"""
    return text[:1].isdigit() and len(text) <= LONGEST and UNIT_WORD.fullmatch(text) is not None


def _common_sign(texts) -> str:
    """The sign that most of the first texts have; "" for none. A word that is no known sign has to stand in all."""
    first = [text for text in texts[:LOOKED_AT].to_pylist() if any(map(str.isdigit, text))]
    found = (BEFORE.match(text) or BEHIND.fullmatch(text) for text in first)
    known = Counter(one[one.lastindex] for one in found if one)
    if known:
        sign, n = known.most_common(1)[0]
        return sign if 2 * n >= len(first) else ""
    words = {unit[1] if (unit := UNIT_WORD.fullmatch(text)) else "" for text in first}
    return words.pop() if len(words) == 1 else ""


def _without_sign(texts, sign: str) -> tuple[np.ndarray, object]:
    """(which texts have the sign, the texts without it)."""
    escaped = re.escape(sign)
    before = rf"([-+(]*){SPACE}*{escaped}{SPACE}*([-+(]*){SPACE}*([\d.,].*)"
    behind = rf"(.*[\d.,)]-?){SPACE}*{escaped}{SPACE}*([-)]*)"
    signed = matches(texts, rf"(?:{before})|(?:{behind})")
    bare = _replaced(texts, rf"^{behind}$", r"\1\2")
    return signed, bare if sign in UNITS.split() else _replaced(bare, rf"^{before}$", r"\1\2\3")


def _with_minus_in_front(texts):
    """The texts with "-" before numbers that have it behind them, or stand in brackets.

    Brackets around every number, and a minus behind digits that stand alone ("2-" is a mark at school), mean something
    else.
    """
    trailing, bracketed = matches(texts, TRAILING), matches(texts, BRACKETED)
    if trailing.any() and matches(texts.filter(trailing), TWO_DIGITS).any():
        texts = _replaced(texts, rf"^{TRAILING}$", r"-\1")
    if bracketed.any() and not bracketed.all():
        texts = _replaced(texts, rf"^{BRACKETED}$", r"-\1")
    return _replaced(texts, rf"^([-+]){SPACE}+([\d.,])", r"\1\2")


def _without_long(texts):
    """The texts, "" for those that are too long for a number."""
    from pyarrow import compute

    longest = compute.max(compute.binary_length(texts)).as_py() or 0
    if longest <= LONGEST:
        return texts
    return compute.if_else(compute.greater(compute.utf8_length(texts), LONGEST), "", texts)


def _replaced(texts, pattern: str, replacement: str):
    """The texts with what matches (RE2) replaced; the same object where nothing does."""
    from pyarrow import compute

    if not compute.any(compute.match_substring_regex(texts, pattern=pattern)).as_py():
        return texts
    return compute.replace_substring_regex(texts, pattern=pattern, replacement=replacement)


def _is_ascii(texts) -> bool:
    from pyarrow import compute

    return compute.all(compute.string_is_ascii(texts)).as_py() is not False
