"""Texts cut to the room there is, so that names which are alike for long stay apart."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from treecore.brief import visible

Places = Mapping[str, tuple[int, ...]]
"""Text -> where it begins to differ from others, ascending."""
NOWHERE: Places = MappingProxyType({})
LONGEST = 20_000
"""Letters of a text that are looked at: half of them from its start, half from its end."""
ALIKE = 6
"""Letters that two names have in common at their start before it has to be said where they differ."""
NEIGHBOURS = 40
"""Names before and after a name, in alphabetical order, that it is compared with."""
TAIL = 0.4
"""Of the room: for the end of a name, where nothing says that another part tells it from others."""
LEAD = 8
"""Letters at most between the start of a word and the letter in it that differs."""

_SIGN = re.compile(r"[<≤=≥>] ")


def clean(text: str) -> str:
    """The text on one line, with control characters, lone surrogates and bidirectional overrides written out."""
    return " ".join(visible(str(text)).split())


def width(text: str) -> int:
    """Columns the text needs when wide characters (emoji, CJK) count double."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(ch) in "WF" for ch in text)
    return len(text) + wide - sum(unicodedata.combining(ch) > 0 for ch in text)


def apart(*kinds: Iterable[str]) -> Places:
    """Where each name, cleaned, differs from those of its kind that begin as it does; of the others nothing."""
    result = [_apart(tuple(dict.fromkeys(names))) for names in kinds]
    return result[0] if len(result) == 1 else {name: at for places in result for name, at in places.items()}


@lru_cache(64)
def _apart(names: tuple[str, ...]) -> Places:
    ordered = sorted({bounded(name) for name in names})
    common = [_in_common(a, b) for a, b in pairwise(ordered)]
    result = {}
    for i, name in enumerate(ordered):
        falling = {*_falling(common[max(i - NEIGHBOURS, 0) : i][::-1]), *_falling(common[i : i + NEIGHBOURS])}
        places = tuple(sorted(place for place in falling if ALIKE <= place < len(name)))
        if places:
            result[name] = places
    return MappingProxyType(result)


def _in_common(a: str, b: str) -> int:
    """How many letters two names begin with."""
    n = min(len(a), len(b))
    if a[:n] == b[:n]:
        return n
    low, high = 0, n  # a[:low] is the same, a[:high] is not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if a[:middle] == b[:middle] else (low, middle)
    return low


def _falling(common: Sequence[int]) -> set[int]:
    """What a name has in common with one further and further away: the least on the way there."""
    result, least = set(), LONGEST
    for letters in common:
        least = min(least, letters)
        if least < ALIKE:
            break
        result.add(least)
    return result


def bounded(text: str) -> str:
    """The cleaned text, of a very long one its two ends."""
    text = str(text)
    return clean(text if len(text) <= LONGEST else text[: LONGEST // 2] + text[-LONGEST // 2 :])


def shorten(text: str, limit: int, places: Places = NOWHERE) -> str:
    """The cleaned text in at most `limit` columns, with an ellipsis wherever something was left out.

    places : where it differs from others, which stays in sight; else its start and its end do.
    """
    text = bounded(text)
    if width(text) <= limit:
        return text
    return cut(text, limit, _places_in(text, places))


def _places_in(text: str, places: Places) -> tuple[int, ...]:
    """Of a condition those of the name in it."""
    sign = _SIGN.match(text)
    if text in places or sign is None:
        return places.get(text, ())
    return tuple(place + sign.end() for place in places.get(text[sign.end() :], ()))


def cut(text: str, limit: int, places: Sequence[int]) -> str:
    """Parts of a text that is wider than its room: the start, and the word at each of the places, or the end.

    As `cut` of assets/workbench/text.js. Of places that have no room together the last ones are kept.
    """
    ends = [place for place in places if place < len(text)]
    for kept in range(len(ends), 0, -1):
        parts = [[0, 1]]
        for place in ends[-kept:]:
            start, last = _word(text, place), parts[-1]
            if start < last[1] or start == last[0]:
                last[1] = max(last[1], place + 1)
            else:
                parts.append([start, place + 1])
        if _wide(text, parts) <= limit:
            return _grown(text, parts, limit)
    tail = _end(text, int(TAIL * (limit - 1)))
    return _grown(text, [[0, 0], [tail, len(text)]] if tail < len(text) else [[0, 0]], limit)


def _word(text: str, place: int) -> int:
    """Where the word begins that has this letter, unless that is far away."""
    start = place
    while start > 0 and place - start < LEAD and text[start - 1].isalnum():
        start -= 1
    return place if start and text[start - 1].isalnum() else start


def _end(text: str, room: int) -> int:
    """Where the end of the text begins that has so much room."""
    at, used = len(text), 0
    while at > 0 and (used := used + width(text[at - 1])) <= room:
        at -= 1
    while at < len(text) and (text[at] == " " or unicodedata.combining(text[at])):
        at += 1
    return at


def _grown(text: str, parts: list[list[int]], limit: int) -> str:
    """The parts, each as far to the right as there is room, a letter at a time."""
    room, stops, grows = limit - _wide(text, parts), [*(start for start, _ in parts[1:]), len(text)], True
    while grows:
        grows = False
        for part, stop in zip(parts, stops, strict=True):
            if part[1] < stop:
                needs = width(text[part[1]]) - (part[1] + 1 == stop)  # what follows needs no ellipsis then
                if needs <= room:
                    part[1], room, grows = part[1] + 1, room - needs, True
    return _joined(text, parts)


def _joined(text: str, parts: Sequence[Sequence[int]]) -> str:
    result, at = "", 0
    for start, stop in parts:
        result = result + text[start:stop] if start == at else f"{result.rstrip()}…{text[start:stop].lstrip()}"
        at = stop
    return result if at == len(text) else f"{result.rstrip()}…"


def _wide(text: str, parts: Sequence[Sequence[int]]) -> int:
    shown, at, gaps = 0, 0, 0
    for start, stop in parts:
        shown, gaps, at = shown + width(text[start:stop]), gaps + (start != at), stop
    return shown + gaps + (at != len(text))


_BETWEEN = re.compile("(?<![≤≥<>=≠∈]) ")
"""Where a line may end: a sign stays with what it compares with."""


def fit_lines(text: str, limit: int, levels: Sequence[str] = (), places: Places = NOWHERE) -> list[str]:
    """At most two lines of at most `limit` columns.

    levels : where the text lists them in braces; it ends in '+3 more}' where they do not fit. Any other text is
    shortened. places : as `shorten` has them.
    """
    if len(text) <= 8 * limit and width(clean(text)) <= limit:
        return [clean(text)]
    if len(levels) > 1:
        return _fit_levels(levels, text[text.rindex("}") :], limit, places)
    whole = bounded(text)
    words = _BETWEEN.split(whole)
    first = " ".join(words[: _pack(words, limit, " ")])
    if not first:
        return [shorten(text, limit, places)]
    rest = whole[len(first) :].lstrip()
    skipped = len(whole) - len(rest)
    later = tuple(place - skipped for place in places.get(whole, ()) if place >= skipped)
    return [first, shorten(rest, limit, {rest: later})] if rest else [first]


def _fit_levels(levels: Sequence[str], end: str, limit: int, places: Places) -> list[str]:
    """end : what follows the last level, from the brace on."""
    items = [shorten(level, limit - 2, places) for level in levels[: 2 * limit]]  # and a comma: more do not fit
    items[0] = "{" + items[0]
    first = max(_pack(items, limit - 1, ", "), 1)
    rest, n_rest = items[first:], len(levels) - first
    whole = ", ".join(rest) + end
    if n_rest == len(rest) and width(whole) <= limit:
        return [", ".join(items[:first]) + ",", whole] if rest else [", ".join(items) + end]
    for count in range(_pack(rest, limit, ", "), -1, -1):
        second = ", ".join([*rest[:count], f"+{n_rest - count} more}}"])
        if width(second) <= limit:
            break
    return [", ".join(items[:first]) + ",", second]


def _pack(words: list[str], limit: int, glue: str) -> int:
    """How many of the words fit on one line."""
    used = -len(glue)
    for count, word in enumerate(words):
        used += len(glue) + width(word)
        if used > limit:
            return count
    return len(words)
