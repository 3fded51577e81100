"""Exercises on attributes of words: impurity, gain, gain ratio and the χ² test, with all of their arithmetic."""

import math
from fractions import Fraction

import numpy as np

from treecore.data.column import Column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.exercises.sheet import Blank, Grid, Task

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


def rows_as_given(table: Table) -> Grid:
    """The rows themselves, numbered."""
    mark = "#"
    while mark in (*table.features, table.target):
        mark += "#"
    columns = (*table.features, str(table.target))
    cells = zip(*(table.column(c).labels().tolist() for c in columns), strict=True)
    return Grid((mark, *columns), tuple((str(i), *row) for i, row in enumerate(cells, 1)))


def impurity_task(table: Table, measure: str) -> Task:
    """That of all rows, which are given with it."""
    name = "Gini index" if measure == "gini" else "entropy"
    key = f"{named(table, counts(table))}: {arithmetic(counts(table), measure)}"
    text = f"Compute the {name} of {table.target} over all {table.n_rows} rows."
    asked = Blank(f"{name} of {table.target}", impurity(counts(table), measure), ROUNDED)
    return Task(text, (rows_as_given(table),), None, 3, (key,), blanks=(asked,), hint=FORMULAS[measure])


def named(table: Table, of: list[int]) -> str:
    """ "9 yes, 5 no"."""
    return ", ".join(f"{c} {label}" for c, label in zip(of, table.classes, strict=True))


def gain_tasks(table: Table, measure: str) -> list[Task]:
    """A question for every feature, and which one is best."""
    tasks, gains = [], {}
    for name in table.features:
        task, gains[name] = gain_task(table, name, measure)
        tasks.append(task)
    return [*tasks, _first("Which attribute is asked first?", "asked first", gains)]


def gain_task(table: Table, name: str, measure: str) -> tuple[Task, float]:
    """The question, and the gain."""
    parts, n, whole = parts_of(table, name), table.n_rows, impurity(counts(table), measure)
    left = sum(sum(c) / n * impurity(c, measure) for c in parts.values())
    gain = 0.0 if abs(whole - left) < 1e-12 else whole - left
    key = [f"{name} = {level}: {named(table, c)}: {arithmetic(c, measure)}" for level, c in parts.items()]
    terms = " − ".join(f"{sum(c)}/{n} · {impurity(c, measure):.4f}" for c in parts.values())
    key.append(f"gain({name}) = {whole:.4f} − {terms} = {gain:.4f}")
    blank = Grid(
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
    tasks.append(_first("Which attribute has the largest gain ratio?", "largest gain ratio", ratios))
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
        told = []
        for place, k in enumerate(there, 1):
            expected = Fraction(sum(part) * whole[k], n)
            asks = f"{name} = {level}: expected rows of {table.classes[k]}"
            blanks.append(Blank(asks, float(expected), CELL, place=(i, place)))
            told.append(f"{sum(part)} · {whole[k]}/{n} = {float(expected):.4f} {table.classes[k]}")
            terms.append(f"({part[k]} − {float(expected):.4f})²/{float(expected):.4f}")
            value += (part[k] - expected) ** 2 / expected
        key.append(f"{name} = {level}: expected {', '.join(told)}")
    blanks += [Blank("χ²", float(value), max(CELL, float(value) / 200)), Blank("degrees of freedom", degrees)]
    key.append(f"χ² = {' + '.join(terms)} = {float(value):.4f}")
    key.append(f"degrees of freedom: ({len(parts)} − 1) · ({len(there)} − 1) = {degrees}")
    heads = (name, *(f"expected {label}" for label in labels))
    blank = Grid(heads, tuple((level, *[""] * len(there)) for level in parts))
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


def _first(text: str, asks: str, values: dict[str, float]) -> Task:
    """Which one has the largest value; equals are all right."""
    largest = max(values.values())
    first = [name for name, value in values.items() if value >= largest - 1e-10]
    told = ", ".join(f"{name} {value:.4f}" for name, value in sorted(values.items(), key=lambda pair: -pair[1]))
    right = tuple(i for i, name in enumerate(values) if name in first)
    key = (f"{' or '.join(first)}: {told}.",)
    return Task(text, lines=2, key=key, blanks=(Blank(asks, options=tuple(values), right=right),), hint=LARGEST)


def commonest(rows: Table) -> list[str]:
    """The classes of most rows."""
    here = counts(rows)
    return [label for label, n in zip(rows.classes, here, strict=True) if n == max(here)]


def best_attributes(gains: dict[str, tuple[Task, float]]) -> list[str]:
    """The attributes of the largest gain."""
    best = max(gain for _, gain in gains.values())
    return [name for name, (_, gain) in gains.items() if gain >= best - 1e-10]
