"""The code that a sheet which marks itself shows at the end: what was right, and nothing about who wrote it."""

import hashlib
import re
from binascii import crc_hqx
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treecore.errors import TreecoreError
from treecore.exercises.sheet import Sheet

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of a code: those of Crockford's base 32, which are not taken for each other."""
VERSION = 1
UNTOUCHED, WRONG, RIGHT, HELPED = range(4)
"""States of an answer; the last: right once its arithmetic was shown."""


@dataclass(frozen=True)
class HandIn:
    """What a code says. states : one of UNTOUCHED, WRONG, RIGHT, HELPED for every answer of the sheet, in its order."""

    variant: int
    states: tuple[int, ...]

    @property
    def n_right(self) -> int:
        """Answers that were right without their arithmetic."""
        return self.states.count(RIGHT)


def mark_of(sheet: Sheet) -> int:
    """24 bits that tell one sheet from another."""
    told = repr([(task.text, task.given, task.blanks) for task in sheet.markable])
    return int.from_bytes(hashlib.blake2b(told.encode(), digest_size=3).digest(), "big")


def code(sheet: Sheet, states: Sequence[int]) -> str:
    """The code of these answers: variant, mark, two bits an answer, and a check of all."""
    packed = bytearray((len(states) + 3) // 4)
    for i, state in enumerate(states):
        packed[i // 4] |= state << 2 * (i % 4)
    body = bytes([VERSION, *sheet.variant.to_bytes(2, "big"), *mark_of(sheet).to_bytes(3, "big"), *packed])
    body += crc_hqx(body, 0xFFFF).to_bytes(2, "big")
    bits = "".join(f"{byte:08b}" for byte in body)
    bits += "0" * (-len(bits) % 5)
    letters = "".join(LETTERS[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def read(text: str, sheet_of: Callable[[int], Sheet]) -> HandIn:
    """What a code says. sheet_of : variant -> the sheet.

    Small letters are read, too, O as 0, I and L as 1; spaces and dashes are not needed.
    TreecoreError where a letter is wrong or missing, and for the code of another sheet.
    """
    letters = re.sub(r"[\s-]", "", text.upper()).translate(str.maketrans("OIL", "011"))
    if not letters or set(letters) - set(LETTERS):
        raise _misread("it has letters that no code has" if letters else "it is empty")
    bits = "".join(f"{LETTERS.index(letter):05b}" for letter in letters)
    body = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) - 7, 8))
    if len(body) < 8 or crc_hqx(body[:-2], 0xFFFF) != int.from_bytes(body[-2:], "big"):
        raise _misread("a letter is wrong or missing")
    if body[0] != VERSION:
        raise _misread("it is of another version of the sheet")
    sheet = sheet_of(int.from_bytes(body[1:3], "big"))
    n, packed = sum(len(task.blanks) for task in sheet.markable), body[6:-2]
    if int.from_bytes(body[3:6], "big") != mark_of(sheet) or len(packed) != (n + 3) // 4:
        raise TreecoreError(
            "This code is of another sheet", where="Hand-in code",
            remedy="Choose the table, the questions and the measure that the sheet was made with",
        )  # fmt: skip
    return HandIn(sheet.variant, tuple(packed[i // 4] >> 2 * (i % 4) & 3 for i in range(n)))


@dataclass(frozen=True)
class Line:
    """One line of a list of codes. name : what stands before the code. found : what it says, or None; fault : why."""

    name: str
    found: HandIn | None
    fault: str = ""


def read_all(text: str, sheet_of: Callable[[int], Sheet]) -> list[Line]:
    """A code in each line, with a name before it or none; empty lines are left out."""
    lines = []
    for line in filter(None, map(str.strip, text.splitlines())):
        written = re.split(r"[\s:;,]+", line)[-1]
        name = line[: len(line) - len(written)].strip(" \t:;,")
        try:
            lines.append(Line(name, read(written, sheet_of)))
        except TreecoreError as fault:
            lines.append(Line(name or line[:40], None, fault.what))
    return lines


def by_task(sheet: Sheet, found: HandIn) -> list[tuple[int, int]]:
    """(right without help, answers) of every question."""
    first, told = 0, []
    for task in sheet.markable:
        states = found.states[first : first + len(task.blanks)]
        told.append((states.count(RIGHT), len(states)))
        first += len(states)
    return told


def _misread(why: str) -> TreecoreError:
    return TreecoreError(f"This is no hand-in code: {why}", where="Hand-in code", remedy="Copy it from the sheet again")
