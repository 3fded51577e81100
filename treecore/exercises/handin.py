"""The code that a sheet which marks itself shows at the end: what was right, and nothing about who wrote it."""

import hashlib
import re
from binascii import crc_hqx
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from treecore.errors import TreecoreError
from treecore.exercises.sheet import Sheet

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of a code: those of Crockford's base 32, which are not taken for each other."""
VERSION, GUESSES = 1, 2
"""First byte of the code of a sheet, and of that of guessed splits."""
UNTOUCHED, WRONG, RIGHT, HELPED = range(4)
"""States of an answer; the last: right once its arithmetic was shown."""


Found = TypeVar("Found")


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
    return framed(VERSION, sheet.variant, mark_of(sheet), bytes(packed))


def framed(version: int, number: int, mark: int, content: bytes) -> str:
    """A code of letters in groups of four, with a check of all of it. number : 16 bits; mark : 24 bits."""
    body = bytes([version, *number.to_bytes(2, "big"), *mark.to_bytes(3, "big"), *content])
    body += crc_hqx(body, 0xFFFF).to_bytes(2, "big")
    bits = "".join(f"{byte:08b}" for byte in body)
    bits += "0" * (-len(bits) % 5)
    letters = "".join(LETTERS[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def read(text: str, sheet_of: Callable[[int], Sheet]) -> HandIn:
    """What a code says. sheet_of : variant -> the sheet.

    TreecoreError where a letter is wrong or missing, and for the code of another sheet.
    """
    version, variant, mark, packed = unframed(text)
    if version != VERSION:
        raise misread("it is of another version of the sheet")
    sheet = sheet_of(variant)
    n = sum(len(task.blanks) for task in sheet.markable)
    if mark != mark_of(sheet) or len(packed) != (n + 3) // 4:
        raise TreecoreError(
            "This code is of another sheet", where="Hand-in code",
            remedy="Choose the table, the questions and the measure that the sheet was made with",
        )  # fmt: skip
    return HandIn(sheet.variant, tuple(packed[i // 4] >> 2 * (i % 4) & 3 for i in range(n)))


def unframed(text: str) -> tuple[int, int, int, bytes]:
    """(version, number, mark, content) of a code, as `framed` takes them.

    Small letters are read, too, O as 0, I and L as 1; spaces and dashes are not needed.
    TreecoreError where a letter is wrong or missing.
    """
    letters = re.sub(r"[\s-]", "", text.upper()).translate(str.maketrans("OIL", "011"))
    if not letters or set(letters) - set(LETTERS):
        raise misread("it has letters that no code has" if letters else "it is empty")
    bits = "".join(f"{LETTERS.index(letter):05b}" for letter in letters)
    body = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) - 7, 8))
    if len(body) < 8 or crc_hqx(body[:-2], 0xFFFF) != int.from_bytes(body[-2:], "big"):
        raise misread("a letter is wrong or missing")
    return body[0], int.from_bytes(body[1:3], "big"), int.from_bytes(body[3:6], "big"), body[6:-2]


@dataclass(frozen=True)
class Line(Generic[Found]):
    """One line of a list of codes. name : what stands before the code. found : what it says, or None; fault : why."""

    name: str
    found: Found | None
    fault: str = ""


def read_all(text: str, sheet_of: Callable[[int], Sheet]) -> list[Line[HandIn]]:
    """A sheet's code in each line, with a name before it or none; empty lines are left out."""
    return read_lines(text, lambda written: read(written, sheet_of))


def read_lines(text: str, read_code: Callable[[str], Found]) -> list[Line[Found]]:
    """The same of any codes. read_code : reads one, or raises TreecoreError."""
    lines = []
    for line in filter(None, map(str.strip, text.splitlines())):
        written = re.split(r"[\s:;,]+", line)[-1]
        name = line[: len(line) - len(written)].strip(" \t:;,")
        try:
            lines.append(Line(name, read_code(written)))
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


def misread(why: str) -> TreecoreError:
    return TreecoreError(f"This is no hand-in code: {why}", where="Hand-in code", remedy="Copy it from the sheet again")
