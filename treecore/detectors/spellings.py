"""Levels that are one word in several spellings: by case, spaces, accents, or a letter that was mistyped."""

import re
import unicodedata
from collections import defaultdict

import numpy as np

from treecore.data.column import Column
from treecore.data.table import Table
from treecore.data.vocabulary import listed
from treecore.detectors.finding import MERGE, Finding

MOST_LEVELS, NEARLY_ALL = 500, 0.5
"""Of more levels, and of more for each row, words are names of rows or free text."""
SHORT, RARE = 2, 0.2
"""Letters of a code, such as Co and CO, that is a misspelling only where it is this rare beside the other."""
LEAST_LETTERS, LEAST_ROWS, TIMES_RARER = 5, 20, 20
"""Of a word in which a letter is mistyped; rows of the right one, and how many times as often it occurs."""
TOLD = 4
VOWELS = frozenset("aeiou")
BETWEEN_LETTERS = re.compile(r"(?<=[^\W\d_])[\s_-]+(?=[^\W\d_])")
BESIDE_A_LETTER = re.compile(r"(?<=[^\W\d_])[\s_]+(?=\d)|(?<=\d)[\s_]+(?=[^\W\d_])")
WORDS = re.compile(r"[^\W\d_]+")


def spellings(table: Table) -> list[Finding]:
    """Columns of levels, features and the target, with spellings that may be of one level."""
    result = []
    for name in (*table.features, table.target):
        column = table.column(name) if name is not None else None
        if column is not None and column.kind != "numeric" and column.n_distinct > 1:
            groups = _groups(column)
            if groups:
                result.append(_finding(name, groups))
    return result


def _groups(column: Column) -> list[list[tuple[str, int]]]:
    """Spellings of one level each, (level, rows), the commonest first."""
    present = column.present()
    there = np.flatnonzero(present)
    if len(there) > min(MOST_LEVELS, max(20, NEARLY_ALL * present.sum())):
        return []
    alike: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for place in there:
        alike[plain_spelling(column.level_names[place])].append((column.level_names[place], int(present[place])))
    for group in alike.values():
        group.sort(key=lambda level: (-level[1], level[0]))
    split = {key: group[:1] + [other for other in group[1:] if not _is_code(key) or other[1] <= RARE * group[0][1]]
             for key, group in alike.items()}  # fmt: skip
    mistyped = _mistyped({key: sum(n for _, n in group) for key, group in alike.items()})
    for wrong, right in mistyped.items():
        split[right] = split[right] + split.pop(wrong)
    return [group for group in split.values() if len(group) > 1]


def plain_spelling(level: str) -> str:
    """The level in small letters, without accents, and without spaces, hyphens and low lines between letters.

    Digits stay apart: "1 2" is no 12.
    """
    letters = unicodedata.normalize("NFKD", level.strip().casefold())
    plain = "".join(sign for sign in letters if not unicodedata.combining(sign))
    return BESIDE_A_LETTER.sub("", BETWEEN_LETTERS.sub("", plain))


def _is_code(key: str) -> bool:
    """So few letters, at most, that case may tell two codes apart."""
    return max(map(len, WORDS.findall(key)), default=0) <= SHORT


def _mistyped(rows: dict[str, int]) -> dict[str, str]:
    """Rare word -> common one that it differs from by one letter. rows : of each word."""
    result = {}
    common = [word for word, n in rows.items() if n >= LEAST_ROWS]
    for wrong, n in rows.items():
        near = [word for word in common if rows[word] >= TIMES_RARER * n and is_mistyped(wrong, word)]
        if len(near) == 1:
            result[wrong] = near[0]
    return result


def is_mistyped(wrong: str, right: str) -> bool:
    """Do two texts differ within one long word by a letter too many or too few, two that changed places, or a vowel?

    Never by its first or last letter (Gambia and Zambia, Maria and Mario, boat and boats), by digits, or by a consonant
    in place of another (Ireland and Iceland): those are words of their own.
    """
    one, other = WORDS.findall(wrong), WORDS.findall(right)
    if wrong == right or len(one) != len(other) or WORDS.sub("", wrong) != WORDS.sub("", right):
        return False
    apart = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    if len(apart) != 1 or min(map(len, apart[0])) < LEAST_LETTERS:
        return False
    a, b = apart[0]
    if a[0] != b[0] or a[-1] != b[-1]:
        return False
    start = next(i for i in range(min(len(a), len(b)) + 1) if a[i : i + 1] != b[i : i + 1])
    if len(a) != len(b):
        long, short = (a, b) if len(a) > len(b) else (b, a)
        return long[start + 1 :] == short[start:]
    if a[start + 1 :] == b[start + 1 :]:
        return {a[start], b[start]} <= VOWELS
    return a[start : start + 2] == b[start : start + 2][::-1] and a[start + 2 :] == b[start + 2 :]


def _finding(name: str, groups: list[list[tuple[str, int]]]) -> Finding:
    groups = sorted(groups, key=lambda group: -sum(n for _, n in group))
    sentence = "; ".join(listed(group) for group in groups[:TOLD])
    more = f"; and {len(groups) - TOLD} more" if len(groups) > TOLD else ""
    pairs = tuple((level, group[0][0]) for group in groups for level, _ in group[1:])
    n = sum(n for group in groups for _, n in group[1:])
    text = f"{sentence}{more}: spellings of one level{' each' if len(groups) > 1 else ''}, by the rows that have them."
    return Finding("spellings", name, n, text, MERGE, reading=(("same_levels", ((name, pairs),)),))
