"""The yes-or-no questions that a table can be asked, and every row's answers."""

from dataclasses import dataclass

import numpy as np

from treecore.data.column import Column
from treecore.data.table import Table
from treecore.growing.settings.parts import THRESHOLD_RULES


@dataclass(frozen=True)
class Question:
    """Is the value below the threshold, or, of levels without an order, is it another one than `branches` names last?

    branches : the levels of "yes" and of "no"; () for a threshold. missing : where rows without a value go, to 0 (yes)
    or 1 (no), whichever has more rows.
    """

    feature: str
    threshold: float | None
    branches: tuple[tuple[str, ...], ...]
    missing: int


def questions(table: Table, cuts: int = 8) -> tuple[tuple[Question, ...], np.ndarray]:
    """(the questions, bool (n_rows, n_questions): is the answer yes).

    cuts : thresholds of a feature with an order, at most; where there are more, those that part its rows most evenly.
    Of questions that part the rows alike only the first is there.
    """
    asked, answers, seen = [], [], set()
    for column in table.feature_columns:
        for question, answer in _of(column, cuts):
            pattern = answer if answer[0] else ~answer
            key = np.packbits(pattern).tobytes()
            if key not in seen and 0 < answer.sum() < len(answer):
                seen.add(key)
                asked.append(question)
                answers.append(answer)
    matrix = np.stack(answers, axis=1) if answers else np.empty((table.n_rows, 0), bool)
    return tuple(asked), matrix


def _of(column: Column, cuts: int):
    present = ~np.asarray(column.missing)
    codes = np.asarray(column.codes, np.int64)
    known = np.unique(codes[present])
    if column.kind in ("numeric", "ordinal"):
        for place in _places(codes[present], known, cuts):
            yield _answered(codes < known[place], present, column, threshold=_threshold(column, known, place))
    elif len(known) > 1:
        for code in known if len(known) > 2 else known[:1]:
            others = tuple(level for i, level in enumerate(column.levels) if i != code)
            yield _answered(codes != code, present, column, branches=(others, (column.levels[code],)))


def _places(codes: np.ndarray, known: np.ndarray, cuts: int) -> list[int]:
    """Which of the known codes begin the upper side of a cut."""
    if len(known) - 1 <= cuts:
        return list(range(1, len(known)))
    below = np.searchsorted(np.sort(codes), known) / len(codes)
    wanted = np.arange(1, cuts + 1) / (cuts + 1)
    return sorted({int(np.argmin(np.abs(below[1:] - share))) + 1 for share in wanted})


def _threshold(column: Column, known: np.ndarray, place: int) -> float:
    if column.kind == "ordinal":
        return float(known[place - 1] + known[place]) / 2
    low, high = column.distinct[known[place - 1]], column.distinct[known[place]]
    return float(THRESHOLD_RULES["midpoint"].place(np.asarray(low), np.asarray(high)))


def _answered(yes: np.ndarray, present: np.ndarray, column: Column, threshold=None, branches=()):
    missing = 0 if 2 * yes[present].sum() >= present.sum() else 1
    return Question(column.name, threshold, branches, missing), np.where(present, yes, missing == 0)
