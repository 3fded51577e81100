"""Exercises on two branches: the Gini index as a sum over pairs, a k-way split as binary ones, twoing, and which tree
CART grows."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.teach.sheet import Blank, SheetTable, Task
from treecore.teach.split_tasks import LARGEST, ROUNDED, arithmetic, counts, parts_of

MOST_GROUPINGS, MOST_TREES = 7, 4
NEAR = Fraction(1, 10**10)


@dataclass(frozen=True)
class BinaryGrouping:
    """A split of a feature's levels into two branches. left, right : its levels. parts : rows of every class."""

    feature: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    parts: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def text(self) -> str:
        """ "Outlook: Overcast | Rain, Sunny"."""
        return f"{self.feature}: {', '.join(self.left)} | {', '.join(self.right)}"

    @property
    def decrease(self) -> Fraction:
        """Gini index of the rows, less that of the branches by their shares."""
        whole = [a + b for a, b in zip(*self.parts, strict=True)]
        left = sum(Fraction(sum(part), sum(whole)) * gini(part) for part in self.parts)
        return gini(whole) - left

    @property
    def twoing(self) -> Fraction:
        """P_L P_R / 4 (Σ |p_L − p_R|)² over the classes. Source: Breiman et al. (1984), section 4.3."""
        left, right = self.parts
        n, apart = sum(left) + sum(right), _apart(self.parts)
        return Fraction(sum(left) * sum(right), 4 * n * n) * apart * apart


def gini(of: Sequence[int]) -> Fraction:
    """1 − Σ p² of these counts."""
    return 1 - sum(Fraction(c, sum(of)) ** 2 for c in of)


def _apart(parts: tuple[tuple[int, ...], tuple[int, ...]]) -> Fraction:
    left, right = parts
    return sum((abs(Fraction(a, sum(left)) - Fraction(b, sum(right))) for a, b in zip(left, right, strict=True)),
               Fraction(0))  # fmt: skip


def groupings(table: Table, name: str) -> list[BinaryGrouping]:
    """Every split of a feature's levels into two branches; the first level is in the left one."""
    parts = parts_of(table, name)
    (first, *others), made = tuple(parts), []
    for size in range(len(others)):
        for chosen in combinations(others, size):
            left = (first, *chosen)
            right = tuple(level for level in others if level not in chosen)
            sides = tuple(
                tuple(map(sum, zip(*(parts[level] for level in side), strict=True))) for side in (left, right)
            )
            made.append(BinaryGrouping(name, left, right, sides))
    return made


def pairs_task(table: Table) -> Task:
    """The Gini index as the sum of p·p′ over all pairs of different classes, each way round."""
    n, here = table.n_rows, counts(table)
    there = [k for k, c in enumerate(here) if c]
    labels = [table.classes[k] for k in there]
    if len(there) < 2:
        raise TreecoreError("The rows are of one class", where="Target", remedy="Choose other rows")
    cells = tuple((labels[i], *("–" if i == j else "" for j in range(len(there)))) for i in range(len(there)))
    blanks, key, terms = [], [], []
    for i, a in enumerate(there):
        for j, b in enumerate(there):
            if i != j:
                value = Fraction(here[a] * here[b], n * n)
                blanks.append(
                    Blank(f"p of {labels[i]} times p of {labels[j]}", float(value), ROUNDED, place=(i, j + 1))
                )
                terms.append(f"{here[a]}/{n} · {here[b]}/{n}")
    whole = gini(here)
    blanks += [Blank("their sum", float(whole), ROUNDED), Blank("1 − Σ p²", float(whole), ROUNDED)]
    key.append(f"Σ p·p′ = {' + '.join(terms)} = {whole} = {float(whole):.4f}")
    key.append(f"1 − Σ p² = {arithmetic(here, 'gini')}")
    key.append(
        "Σ p · Σ p′ = 1 is the sum over all pairs; without those of equal classes, Σ p², the unequal ones are left."
    )
    text = (
        "The Gini index is the chance that two rows, drawn with replacement, are of different classes. Fill in p · p′ "
        f"for every pair of classes of {table.target}, add them up, and compare with 1 − Σ p²."
    )
    hint = (
        "Σ p is 1, so Σ p · Σ p′ is 1 as well. That sum contains the pairs of equal classes and the pairs of "
        "different ones."
    )
    return Task(
        text, (), SheetTable((str(table.target), *labels), cells), 3, tuple(key), blanks=tuple(blanks), hint=hint
    )


def chain_task(table: Table) -> Task:
    """A split with a branch for each level, as a chain of splits with two branches each."""
    name = max(table.features, key=lambda f: len(parts_of(table, f)))
    parts = parts_of(table, name)
    if len(parts) < 3:
        raise TreecoreError("No feature has three levels here", where="Features", remedy="Choose other rows")
    known, blanks, key, rows = list(parts), [], [], []
    for i in range(len(known) - 1):
        here, there = sum(parts[known[i]]), sum(sum(parts[level]) for level in known[i + 1 :])
        rows.append((f"{name} = {known[i]}?", "", ""))
        blanks += [
            Blank(f"{name} = {known[i]}: rows that say yes", here, place=(i, 1)),
            Blank(f"{name} = {known[i]}: rows that say no", there, place=(i, 2)),
        ]  # fmt: skip
        key.append(f"{name} = {known[i]}? yes {here}, no {there}")
    blanks += [Blank("inner nodes of the chain", len(known) - 1), Blank("leaves of the chain", len(known))]
    key.append(
        f"{len(known) - 1} inner nodes with two branches and {len(known)} leaves: the leaves are those of the split "
        f"with {len(known)} branches, so both answer alike. Each inner node with two branches adds one leaf."
    )
    text = (
        f"A split of {name} has a branch for each of its {len(known)} levels. Ask for one level after the other "
        "instead, with two branches each time. How many rows go which way, and how many inner nodes and leaves has "
        "the chain?"
    )
    hint = "Rows that answer no go on to the next question; the last question separates the last two levels."
    blank = SheetTable(("question", "yes", "no"), tuple(rows))
    return Task(text, (), blank, 2, tuple(key), blanks=tuple(blanks), hint=hint)


def twoing_task(table: Table) -> Task:
    """All splits of an attribute into two branches, by the decrease of the Gini index and by twoing."""
    splits = _of_one(table)
    blank = SheetTable(("left | right", "Gini decrease", "twoing"), tuple((g.text, "", "") for g in splits))
    blanks, key = [], [f"All rows: {arithmetic(counts(table), 'gini')}"]
    for i, g in enumerate(splits):
        asks = (f"{g.text}: decrease of the Gini index", g.decrease), (f"{g.text}: twoing", g.twoing)
        blanks += [Blank(told, float(value), ROUNDED, place=(i, k)) for k, (told, value) in enumerate(asks, 1)]
        key += _arithmetic(g)
    for name, values in (("Gini index", [g.decrease for g in splits]), ("twoing", [g.twoing for g in splits])):
        best = tuple(i for i, value in enumerate(values) if value >= max(values) - NEAR)
        blanks.append(Blank(f"the split that the {name} takes", options=tuple(g.text for g in splits), right=best))
        key.append(f"The {name} takes {' or '.join(splits[i].text for i in best)}.")
    text = (
        f"Compute for each split of {splits[0].feature} into two branches how much the Gini index decreases, and its "
        "twoing, P_L · P_R / 4 · (Σ |p_L − p_R|)² over the classes. Which split does each of them take?"
    )
    hint = (
        "P_L and P_R are the shares of the rows that go left and right; p_L and p_R are the shares of a class on "
        "the left and on the right."
    )
    return Task(text, (), blank, 4, tuple(key), blanks=tuple(blanks), hint=hint)


def _of_one(table: Table) -> list[BinaryGrouping]:
    """Of the attribute of most levels whose groupings fit on a sheet."""
    fitting = {name: groupings(table, name) for name in table.features if 2 <= len(parts_of(table, name)) <= 4}
    groups = max(fitting.values(), key=len, default=[])
    if not groups:
        raise TreecoreError("No feature has two to four levels here", where="Features", remedy="Choose other rows")
    return groups[:MOST_GROUPINGS]


def _arithmetic(g: BinaryGrouping) -> list[str]:
    (left, right), n = g.parts, sum(map(sum, g.parts))
    whole = [a + b for a, b in zip(left, right, strict=True)]
    terms = " − ".join(f"{sum(part)}/{n} · {float(gini(part)):.4f}" for part in (left, right))
    apart = " + ".join(f"|{a}/{sum(left)} − {b}/{sum(right)}|" for a, b in zip(left, right, strict=True))
    return [
        f"{g.text}: left {arithmetic(list(left), 'gini')}; right {arithmetic(list(right), 'gini')}",
        f"{g.text}: decrease {float(gini(whole)):.4f} − {terms} = {float(g.decrease):.4f}",
        f"{g.text}: twoing {sum(left)}/{n} · {sum(right)}/{n} / 4 · ({apart})² = {float(g.twoing):.4f}",
    ]


def cart_task(table: Table, variant: int = 0) -> Task:
    """Which of some roots CART has on these rows: the one of the largest decrease of the Gini index, among rivals."""
    result = [g for name in table.features if 2 <= len(parts_of(table, name)) <= 4 for g in groupings(table, name)]
    result.sort(key=lambda g: -g.decrease)
    if not result or not result[0].decrease:
        raise TreecoreError("No split decreases the Gini index", where="Rows", remedy="Choose other rows")
    best = [g for g in result if g.decrease >= result[0].decrease - NEAR]
    rivals = [next((g for g in result if g not in best and g.feature == name), None) for name in table.features]
    others = sorted((g for g in rivals if g is not None), key=lambda g: -g.decrease)[: MOST_TREES - 1]
    if not others:
        raise TreecoreError("All splits decrease it alike", where="Rows", remedy="Choose other rows")
    shown = [best[0], *others]
    order = np.random.default_rng(variant).permutation(len(shown)).tolist()
    shown = [shown[i] for i in order]
    letters = "ABCD"[: len(shown)]
    given = SheetTable(
        ("tree", "branch", *table.classes),
        tuple(
            ("" if side else letter, f"{g.feature} = {', '.join((g.left, g.right)[side])}", *map(str, g.parts[side]))
            for letter, g in zip(letters, shown, strict=True) for side in (0, 1)
        ),
    )  # fmt: skip
    blanks = [
        Blank(f"tree {letter}: decrease of the Gini index", float(g.decrease), ROUNDED)
        for letter, g in zip(letters, shown, strict=True)
    ]
    right = tuple(i for i, g in enumerate(shown) if g in best)
    blanks.append(Blank("the tree that CART grows", options=tuple(f"tree {letter}" for letter in letters), right=right))
    key = [f"tree {letter}: {_arithmetic(g)[1]}" for letter, g in zip(letters, shown, strict=True)]
    alike = " It decreases it as much as another split of the table, which CART may take instead." * (len(best) > 1)
    key.append(f"CART grows tree {letters[right[0]]}: no split of two branches decreases the Gini index more.{alike}")
    text = (
        "These are the first splits of some trees with two branches per node, and the rows of every class in their "
        "branches. How much does each decrease the Gini index, and which one begins the tree that CART grows?"
    )
    return Task(text, (given,), None, 4, tuple(key), blanks=tuple(blanks), hint=LARGEST)
