"""Exercises on numbers: the threshold of a feature by its gain, and a split of a numeric target by squared errors."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from treecore.data.column import Column, level_column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.exercises.attributes import FORMULAS, ROUNDED, arithmetic, impurity
from treecore.exercises.sheet import Blank, Grid, Task
from treecore.figures import exact

MOST_SORTED, MOST_CUTS, MOST_ASKED = 10, 5, 3


def threshold_task(table: Table, measure: str, variant: int = 0) -> Task:
    """Which threshold of the first number is asked: the gains between neighbours of different classes.

    TreecoreError without classes, or without a number that can part them.
    """
    if table.target is None or table.task != "classification":
        raise TreecoreError("Exercises count classes", where="Target", remedy="Choose a target of few values")
    feature, rows = _sorted(table, variant)
    values, codes = [exact(v) for v in feature.values()[rows]], table.target_column.codes[rows]
    classes = [table.classes[k] for k in codes]
    cuts = _cuts(feature.values()[rows], codes)
    n, k = len(rows), len(table.classes)
    whole = np.bincount(codes, minlength=k).tolist()
    before, gains, key = impurity(whole, measure), [], [f"All rows: {arithmetic(whole, measure)}"]
    for at, text in cuts:
        sides = [np.bincount(part, minlength=k).tolist() for part in (codes[:at], codes[at:])]
        parted = [impurity(side, measure) for side in sides]
        gains.append(max(before - sum(sum(s) / n * i for s, i in zip(sides, parted, strict=True)), 0.0))
        key += [f"{feature.name} < {text}: {arithmetic(sides[0], measure)}; ≥: {arithmetic(sides[1], measure)}"]
        terms = " − ".join(f"{sum(s)}/{n} · {i:.4f}" for s, i in zip(sides, parted, strict=True))
        key.append(f"gain({feature.name} < {text}) = {before:.4f} − {terms} = {gains[-1]:.4f}")
    key.append(f"Asked is {' or '.join(f'{feature.name} < {cuts[i][1]}' for i in _largest(gains))}.")
    blank = Grid(("threshold", "gain"), tuple((text, "") for _, text in cuts))
    blanks = [
        Blank(f"gain of {feature.name} < {text}", gain, ROUNDED, place=(i, 1))
        for i, ((_, text), gain) in enumerate(zip(cuts, gains, strict=True))
    ]
    options = tuple(f"{feature.name} < {text}" for _, text in cuts)
    blanks.append(Blank("which is asked", options=options, right=tuple(_largest(gains))))
    given = Grid((feature.name, str(table.target)), tuple(zip(values, classes, strict=True)))
    text = (
        f"Compute the gain of each threshold of {feature.name}, half-way between neighbours whose classes differ. "
        "Which one is asked?"
    )
    return Task(text, (given,), blank, 4, tuple(key), blanks=tuple(blanks), hint=FORMULAS[measure])


def as_questions(table: Table, variant: int = 0) -> tuple[Table, Table]:
    """(A few rows with their first numbers, the same rows as answers to questions such as "age < 30").

    TreecoreError without classes, or without a number that can part them.
    """
    if table.target is None or table.task != "classification":
        raise TreecoreError("Exercises count classes", where="Target", remedy="Choose a target of few values")
    first, order = _sorted(table, variant)
    others = (c for c in table.feature_columns if c.kind == "numeric" and c.name != first.name)
    second = [c for c in others if not c.missing[order].any()][:1]
    rows = table.take(np.sort(order)).with_features(tuple(c.name for c in (first, *second)))
    asked = []
    for column in rows.feature_columns:
        at = np.argsort(column.values(), kind="stable")
        for _, text in _cuts(column.values()[at], rows.target_column.codes[at], MOST_ASKED):
            answers = np.where(column.values() < float(text), "yes", "no").astype(object)
            asked.append(level_column(f"{column.name} < {text}", "nominal", answers, ("yes", "no")))
    features = tuple(column.name for column in asked)
    return rows, Table((*asked, rows.target_column), features=features, target=rows.target)


def squares_task(table: Table, variant: int = 0) -> Task:
    """A regression split by hand: means, sums of squared errors, and which threshold takes most of them away.

    TreecoreError where the target is no number, or no feature parts the rows.
    """
    if table.target is None or table.task != "regression":
        raise TreecoreError("Squared errors need a numeric target", where="Target", remedy="Choose a number as target")
    feature, rows = _sorted(table, variant)
    x, y = feature.values()[rows], [Fraction(str(v)) for v in table.target_column.values()[rows].tolist()]
    cuts = _cuts(x, np.arange(len(rows)))
    whole = _squares(y)
    key, left = [f"All rows: mean {_told(_mean(y))}, sum of squared errors {_told(whole)}"], []
    for at, text in cuts:
        parts = [_squares(part) for part in (y[:at], y[at:])]
        left.append(sum(parts))
        means = [_told(_mean(part)) for part in (y[:at], y[at:])]
        key.append(
            f"{feature.name} < {text}: means {means[0]} and {means[1]}; "
            f"{_told(parts[0])} + {_told(parts[1])} = {_told(left[-1])}"
        )
    best = _largest([-value for value in left])
    key.append(
        f"Asked is {' or '.join(f'{feature.name} < {cuts[i][1]}' for i in best)}: {_told(whole)} − "
        f"{_told(left[best[0]])} = {_told(whole - left[best[0]])} less."
    )
    near = float(whole) / 500 or 0.01
    blank = Grid(("threshold", "squared errors left"), tuple((text, "") for _, text in cuts))
    blanks = [
        Blank("mean of all rows", float(_mean(y)), near / len(y)),
        Blank("squared errors of all rows", float(whole), near),
        *(
            Blank(f"squared errors left by {feature.name} < {text}", float(value), near, place=(i, 1))
            for i, ((_, text), value) in enumerate(zip(cuts, left, strict=True))
        ),
        Blank("which is asked", options=tuple(f"{feature.name} < {text}" for _, text in cuts), right=tuple(best)),
    ]  # fmt: skip
    given = Grid(
        (feature.name, str(table.target)), tuple((exact(a), exact(float(b))) for a, b in zip(x, y, strict=True))
    )
    text = (
        f"Each side of a threshold of {feature.name} answers with its mean. Compute the sum of squared errors that "
        "each threshold leaves. Which one is asked?"
    )
    hint = "The squared error of a group of rows is Σ (y − mean)². Add the two sides."
    return Task(text, (given,), blank, 4, tuple(key), blanks=tuple(blanks), hint=hint)


def _sorted(table: Table, variant: int) -> tuple[Column, np.ndarray]:
    """The first number with three values among few rows, and these rows in its order."""
    rng = np.random.default_rng(variant)
    for column in (c for c in table.feature_columns if c.kind == "numeric"):
        known = np.flatnonzero(~column.missing & ~np.isnan(table.target_column.values().astype(float)))
        n = min(len(known), MOST_SORTED)
        for _ in range(20):
            even = known[np.linspace(0, len(known) - 1, n).astype(int)] if n else known
            rows = even if variant == 0 else rng.choice(known, n, replace=False)
            rows = rows[np.argsort(column.values()[rows], kind="stable")]
            if len(np.unique(column.values()[rows])) > 2 and len(np.unique(table.target_column.values()[rows])) > 1:
                return column, rows
            if variant == 0:
                break
    raise TreecoreError("No number parts the rows", where="Features", remedy="Choose a table with a column of numbers")


def _cuts(values: np.ndarray, codes: np.ndarray, most: int = MOST_CUTS) -> list[tuple[int, str]]:
    """(rows below, threshold) half-way between neighbours of other classes; at most so many, evenly."""
    found = []
    starts = [0, *(i for i, (a, b) in enumerate(pairwise(values), 1) if a != b)]
    groups = [set(codes[a:b].tolist()) for a, b in pairwise([*starts, len(values)])]
    for place, (before, after) in enumerate(pairwise(groups), 1):
        at = starts[place]
        if len(before | after) > 1:
            found.append((at, exact(float((Fraction(exact(values[at - 1])) + Fraction(exact(values[at]))) / 2))))
    picked = np.unique(np.linspace(0, len(found) - 1, min(len(found), most)).astype(int))
    return [found[i] for i in picked]


def _largest(values: list) -> list[int]:
    most = max(values)
    return [i for i, value in enumerate(values) if value >= most - Fraction(1, 10**10)]


def _mean(y: list[Fraction]) -> Fraction:
    return sum(y, Fraction(0)) / len(y)


def _squares(y: list[Fraction]) -> Fraction:
    return sum(((v - _mean(y)) ** 2 for v in y), Fraction(0))


def _told(value: Fraction) -> str:
    return f"{float(value):.6g}"
