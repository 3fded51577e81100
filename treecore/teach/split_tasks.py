"""Exercises on splits, with all of their arithmetic: gains and χ² of words, thresholds of numbers, squared errors."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np

from treecore.data.column import Column, level_column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import exact
from treecore.teach.sheet import Blank, SheetTable, Task
from treecore.tree.tree import Tree

ROUNDED = 0.002
"""How far an impurity or a gain may be from the exact one: who rounds to three digits on the way is right."""
FORMULAS = {
    "entropy": "The entropy is − Σ p · log₂ p over the classes; p is the share of a class among the rows.",
    "gini": "The Gini index is 1 − Σ p² over the classes; p is the share of a class among the rows.",
}
GAIN = (
    "The gain is the impurity of all rows minus the impurity of each level, weighted by the level's share of the rows."
)
LARGEST = "The one with the largest value. If several have the same value, each of them is right."
CELL = 0.02
"""How far an expected count may be from the exact one."""


def levels(column: Column) -> list[str]:
    """The levels that occur, in their order."""
    return [level for level, n in zip(column.levels or (), column.present(), strict=False) if n]


def counts(table: Table, here: np.ndarray | None = None) -> list[int]:
    """Rows of every class."""
    codes = table.target_column.codes if here is None else table.target_column.codes[here]
    return np.bincount(codes, minlength=len(table.classes))[: len(table.classes)].tolist()


def impurity(of: list[int], measure: str) -> float:
    """Entropy in bits, or the Gini index, of these counts."""
    shares = [Fraction(c, sum(of)) for c in of if c]
    if measure == "gini":
        return float(1 - sum(p * p for p in shares))
    return -sum(float(p) * math.log2(p) for p in shares) or 0.0


def arithmetic(of: list[int], measure: str) -> str:
    """The arithmetic of an impurity in one line."""
    n, there = sum(of), [c for c in of if c]
    if measure == "gini":
        return "1 − " + " − ".join(f"({c}/{n})²" for c in there) + f" = {impurity(of, measure):.4f}"
    return " ".join(f"− {c}/{n} · log₂ {c}/{n}" for c in there) + f" = {impurity(of, measure):.4f}"


def rows_table(table: Table) -> SheetTable:
    """The rows themselves, numbered."""
    mark = "#"
    while mark in (*table.features, table.target):
        mark += "#"
    columns = (*table.features, str(table.target))
    cells = zip(*(table.column(c).labels().tolist() for c in columns), strict=True)
    return SheetTable((mark, *columns), tuple((str(i), *row) for i, row in enumerate(cells, 1)))


def impurity_task(table: Table, measure: str) -> Task:
    """That of all rows, which are given with it."""
    name = "Gini index" if measure == "gini" else "entropy"
    key = f"{named(table, counts(table))}: {arithmetic(counts(table), measure)}"
    text = f"Compute the {name} of {table.target} over all {table.n_rows} rows."
    asked = Blank(f"{name} of {table.target}", impurity(counts(table), measure), ROUNDED)
    return Task(text, (rows_table(table),), None, 3, (key,), blanks=(asked,), hint=FORMULAS[measure])


def named(table: Table, of: list[int]) -> str:
    """ "9 yes, 5 no"."""
    return ", ".join(f"{c} {label}" for c, label in zip(of, table.classes, strict=True))


def gain_tasks(table: Table, measure: str) -> list[Task]:
    """A question for every feature, and which one is best."""
    tasks, gains = [], {}
    for name in table.features:
        task, gains[name] = gain_task(table, name, measure)
        tasks.append(task)
    return [*tasks, _largest_task("Which attribute is asked first?", "asked first", gains)]


def gain_task(table: Table, name: str, measure: str) -> tuple[Task, float]:
    """The question, and the gain."""
    parts, n, whole = parts_of(table, name), table.n_rows, impurity(counts(table), measure)
    left = sum(sum(c) / n * impurity(c, measure) for c in parts.values())
    gain = 0.0 if abs(whole - left) < 1e-12 else whole - left
    key = [f"{name} = {level}: {named(table, c)}: {arithmetic(c, measure)}" for level, c in parts.items()]
    terms = " − ".join(f"{sum(c)}/{n} · {impurity(c, measure):.4f}" for c in parts.values())
    key.append(f"gain({name}) = {whole:.4f} − {terms} = {gain:.4f}")
    blank = SheetTable(
        (name, *table.classes, "impurity"), tuple((level, *[""] * (len(table.classes) + 1)) for level in parts)
    )
    blanks = []
    for i, (level, here) in enumerate(parts.items()):
        for k, (label, n_rows) in enumerate(zip(table.classes, here, strict=True), 1):
            blanks.append(Blank(f"{name} = {level}: rows of {label}", n_rows, place=(i, k)))
        mixed = Blank(f"{name} = {level}: impurity", impurity(here, measure), ROUNDED, place=(i, len(here) + 1))
        blanks.append(mixed)
    blanks.append(Blank(f"gain({name})", gain, ROUNDED))
    return Task(f"Compute the gain of {name}.", (), blank, 3, tuple(key), blanks=tuple(blanks), hint=GAIN), gain


def ratio_tasks(table: Table, measure: str) -> list[Task]:
    """C4.5's question of every feature that has at least two levels here; and which one is asked."""
    tasks, ratios = [], {}
    for name in table.features:
        sizes = [sum(part) for part in parts_of(table, name).values()]
        if len(sizes) < 2:
            continue
        gain, parting = gain_task(table, name, measure)[1], impurity(sizes, "entropy")
        ratios[name] = gain / parting
        key = (
            f"split information of {name}: {arithmetic(sizes, 'entropy')}",
            f"gain ratio({name}) = {gain:.4f} / {parting:.4f} = {ratios[name]:.4f}",
        )
        blanks = (
            Blank(f"gain({name})", gain, ROUNDED), Blank(f"split information of {name}", parting, ROUNDED),
            Blank(f"gain ratio({name})", ratios[name], ROUNDED),
        )  # fmt: skip
        text = f"Compute the gain ratio of {name}: its gain over its split information, the entropy of its branches."
        hint = "The split information is − Σ q · log₂ q, where q is a branch's share of the rows."
        tasks.append(Task(text, lines=3, key=key, blanks=blanks, hint=hint))
    if not ratios:
        raise TreecoreError("No feature has two levels here", where="Features", remedy="Choose other rows")
    tasks.append(_largest_task("Which attribute has the largest gain ratio?", "largest gain ratio", ratios))
    return tasks


def chi_tasks(table: Table) -> list[Task]:
    """The χ² statistic of every feature and the classes, with the counts that independence leads one to expect."""
    return [_chi(table, name) for name in table.features if len(parts_of(table, name)) > 1]


def _chi(table: Table, name: str) -> Task:
    parts, whole, n = parts_of(table, name), counts(table), table.n_rows
    there = [k for k, c in enumerate(whole) if c]
    labels = [table.classes[k] for k in there]
    degrees = (len(parts) - 1) * (len(there) - 1)
    blanks, key, terms, value = [], [], [], Fraction(0)
    for i, (level, part) in enumerate(parts.items()):
        cells = []
        for place, k in enumerate(there, 1):
            expected = Fraction(sum(part) * whole[k], n)
            asks = f"{name} = {level}: expected rows of {table.classes[k]}"
            blanks.append(Blank(asks, float(expected), CELL, place=(i, place)))
            cells.append(f"{sum(part)} · {whole[k]}/{n} = {float(expected):.4f} {table.classes[k]}")
            terms.append(f"({part[k]} − {float(expected):.4f})²/{float(expected):.4f}")
            value += (part[k] - expected) ** 2 / expected
        key.append(f"{name} = {level}: expected {', '.join(cells)}")
    blanks += [Blank("χ²", float(value), max(CELL, float(value) / 200)), Blank("degrees of freedom", degrees)]
    key.append(f"χ² = {' + '.join(terms)} = {float(value):.4f}")
    key.append(f"degrees of freedom: ({len(parts)} − 1) · ({len(there)} − 1) = {degrees}")
    heads = (name, *(f"expected {label}" for label in labels))
    blank = SheetTable(heads, tuple((level, *[""] * len(there)) for level in parts))
    text = (
        f"Compute χ² of {name} and {table.target}: in each cell expect what independence gives, then sum "
        "(observed − expected)² / expected."
    )
    hint = "Expected count = rows of the level × rows of the class ÷ all rows."
    return Task(text, (), blank, 3, tuple(key), blanks=tuple(blanks), hint=hint)


def parts_of(table: Table, name: str) -> dict[str, list[int]]:
    """Level of a feature -> rows of every class that have it."""
    labels = table.column(name).labels()
    return {level: counts(table, labels == level) for level in levels(table.column(name))}


def _largest_task(text: str, asks: str, values: dict[str, float]) -> Task:
    """Which one has the largest value; equals are all right."""
    largest = max(values.values())
    first = [name for name, value in values.items() if value >= largest - 1e-10]
    listing = ", ".join(f"{name} {value:.4f}" for name, value in sorted(values.items(), key=lambda pair: -pair[1]))
    right = tuple(i for i, name in enumerate(values) if name in first)
    key = (f"{' or '.join(first)}: {listing}.",)
    return Task(text, lines=2, key=key, blanks=(Blank(asks, options=tuple(values), right=right),), hint=LARGEST)


def commonest(rows: Table) -> list[str]:
    """The classes of most rows."""
    here = counts(rows)
    return [label for label, n in zip(rows.classes, here, strict=True) if n == max(here)]


def best_attributes(gains: dict[str, tuple[Task, float]]) -> list[str]:
    """The attributes of the largest gain."""
    best = max(gain for _, gain in gains.values())
    return [name for name, (_, gain) in gains.items() if gain >= best - 1e-10]


# Exercises on numbers: the threshold of a feature by its gain, and a split of a numeric target by squared errors.

MOST_SORTED, MOST_CUTS, MOST_ASKED = 10, 5, 3


def need_classes(of: Table | Tree) -> None:
    """TreecoreError unless the target of a table or a tree has classes, which most exercises count."""
    kind = of.target_kind if isinstance(of, Tree) or of.target is not None else None
    if kind is None or kind.task != "classification":
        of_numbers = kind is not None and kind.task == "regression"
        what = "These questions count classes" + ("" if kind is None else f", and the target holds {kind.held}")
        also = ", or ask only “Split numbers by squared errors”" if of_numbers else ""
        raise TreecoreError(what, where="Target", remedy=f"Choose a target of few values on Data{also}")


def threshold_task(table: Table, measure: str, variant: int = 0) -> Task:
    """Which threshold of the first number is asked: the gains between neighbours of different classes.

    TreecoreError without classes, or without a number that can part them.
    """
    need_classes(table)
    feature, rows = _sorted(table, variant)
    values, codes = [exact(v) for v in feature.values()[rows]], table.target_column.codes[rows]
    classes = [table.classes[k] for k in codes]
    cuts = _cuts(feature.values()[rows], codes)
    n, k = len(rows), len(table.classes)
    whole = np.bincount(codes, minlength=k).tolist()
    before, gains, key = impurity(whole, measure), [], [f"All rows: {arithmetic(whole, measure)}"]
    for at, text in cuts:
        sides = [np.bincount(part, minlength=k).tolist() for part in (codes[:at], codes[at:])]
        impurities = [impurity(side, measure) for side in sides]
        gains.append(max(before - sum(sum(s) / n * i for s, i in zip(sides, impurities, strict=True)), 0.0))
        key += [f"{feature.name} < {text}: {arithmetic(sides[0], measure)}; ≥: {arithmetic(sides[1], measure)}"]
        terms = " − ".join(f"{sum(s)}/{n} · {i:.4f}" for s, i in zip(sides, impurities, strict=True))
        key.append(f"gain({feature.name} < {text}) = {before:.4f} − {terms} = {gains[-1]:.4f}")
    key.append(f"Asked is {' or '.join(f'{feature.name} < {cuts[i][1]}' for i in _largest(gains))}.")
    blank = SheetTable(("threshold", "gain"), tuple((text, "") for _, text in cuts))
    blanks = [
        Blank(f"gain of {feature.name} < {text}", gain, ROUNDED, place=(i, 1))
        for i, ((_, text), gain) in enumerate(zip(cuts, gains, strict=True))
    ]
    options = tuple(f"{feature.name} < {text}" for _, text in cuts)
    blanks.append(Blank("which is asked", options=options, right=tuple(_largest(gains))))
    sorted_rows = SheetTable((feature.name, str(table.target)), tuple(zip(values, classes, strict=True)))
    text = (
        f"Compute the gain of each threshold of {feature.name}, half-way between neighbours whose classes differ. "
        "Which one is asked?"
    )
    return Task(text, (sorted_rows,), blank, 4, tuple(key), blanks=tuple(blanks), hint=FORMULAS[measure])


def as_questions(table: Table, variant: int = 0) -> tuple[Table, Table]:
    """(A few rows with their first numbers, the same rows as answers to questions such as "age < 30").

    TreecoreError without classes, or without a number that can part them.
    """
    need_classes(table)
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
    key, left = [f"All rows: mean {_number_text(_mean(y))}, sum of squared errors {_number_text(whole)}"], []
    for at, text in cuts:
        parts = [_squares(part) for part in (y[:at], y[at:])]
        left.append(sum(parts))
        means = [_number_text(_mean(part)) for part in (y[:at], y[at:])]
        key.append(
            f"{feature.name} < {text}: means {means[0]} and {means[1]}; "
            f"{_number_text(parts[0])} + {_number_text(parts[1])} = {_number_text(left[-1])}"
        )
    best = _largest([-value for value in left])
    key.append(
        f"Asked is {' or '.join(f'{feature.name} < {cuts[i][1]}' for i in best)}: {_number_text(whole)} − "
        f"{_number_text(left[best[0]])} = {_number_text(whole - left[best[0]])} less."
    )
    near = float(whole) / 500 or 0.01
    blank = SheetTable(("threshold", "squared errors left"), tuple((text, "") for _, text in cuts))
    blanks = [
        Blank("mean of all rows", float(_mean(y)), near / len(y)),
        Blank("squared errors of all rows", float(whole), near),
        *(
            Blank(f"squared errors left by {feature.name} < {text}", float(value), near, place=(i, 1))
            for i, ((_, text), value) in enumerate(zip(cuts, left, strict=True))
        ),
        Blank("which is asked", options=tuple(f"{feature.name} < {text}" for _, text in cuts), right=tuple(best)),
    ]  # fmt: skip
    sorted_rows = SheetTable(
        (feature.name, str(table.target)), tuple((exact(a), exact(float(b))) for a, b in zip(x, y, strict=True))
    )
    text = (
        f"Each side of a threshold of {feature.name} answers with its mean. Compute the sum of squared errors that "
        "each threshold leaves. Which one is asked?"
    )
    hint = "The squared error of a group of rows is Σ (y − mean)². Add the two sides."
    return Task(text, (sorted_rows,), blank, 4, tuple(key), blanks=tuple(blanks), hint=hint)


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
    thresholds = []
    starts = [0, *(i for i, (a, b) in enumerate(pairwise(values), 1) if a != b)]
    groups = [set(codes[a:b].tolist()) for a, b in pairwise([*starts, len(values)])]
    for place, (before, after) in enumerate(pairwise(groups), 1):
        at = starts[place]
        if len(before | after) > 1:
            thresholds.append((at, exact(float((Fraction(exact(values[at - 1])) + Fraction(exact(values[at]))) / 2))))
    picked = np.unique(np.linspace(0, len(thresholds) - 1, min(len(thresholds), most)).astype(int))
    return [thresholds[i] for i in picked]


def _largest(values: list) -> list[int]:
    most = max(values)
    return [i for i, value in enumerate(values) if value >= most - Fraction(1, 10**10)]


def _mean(y: list[Fraction]) -> Fraction:
    return sum(y, Fraction(0)) / len(y)


def _squares(y: list[Fraction]) -> Fraction:
    return sum(((v - _mean(y)) ** 2 for v in y), Fraction(0))


def _number_text(value: Fraction) -> str:
    return f"{float(value):.6g}"
