"""Exercises on unknown values: C4.5's gain and its fractions of rows, surrogate splits, and answers without a value."""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.teach.binary_tasks import BinaryGrouping, groupings
from treecore.teach.sheet import Blank, SheetTable, Task
from treecore.teach.split_tasks import GAIN, ROUNDED, arithmetic, counts, impurity, named, parts_of
from treecore.tree.tree import Tree

MOST_HIDDEN, MOST_ASKED = 3, 3


@dataclass(frozen=True)
class Hidden:
    """An attribute of which some rows do not tell the value. rows : their places. known : the others' table."""

    feature: str
    rows: tuple[int, ...]
    known: Table


def hidden(table: Table, variant: int = 0) -> Hidden:
    """The first attribute, with up to three values hidden, so that two levels at least are known."""
    rng = np.random.default_rng(variant)
    for name in table.features:
        for _ in range(20):
            rows = np.sort(rng.choice(table.n_rows, min(MOST_HIDDEN, max(table.n_rows // 4, 1)), replace=False))
            known = table.take(np.setdiff1d(np.arange(table.n_rows), rows))
            if len(parts_of(known, name)) > 1 and sum(n > 0 for n in counts(known)) > 1:
                return Hidden(name, tuple(rows.tolist()), known)
    raise TreecoreError("No value can be hidden here", where="Rows", remedy="Choose more rows")


def fractions_task(table: Table, measure: str, variant: int = 0) -> Task:
    """C4.5's gain of an attribute that some rows lack, and the fractions of these rows in each branch."""
    of = hidden(table, variant)
    name, parts, n, n_known = of.feature, parts_of(of.known, of.feature), table.n_rows, of.known.n_rows
    whole = impurity(counts(of.known), measure)
    left = sum(sum(c) / n_known * impurity(c, measure) for c in parts.values())
    gain, share = max(whole - left, 0.0), Fraction(n_known, n)
    lost = counts(table.take(np.array(of.rows)))
    heads = (name, "fraction of each unknown row", *(f"weight of {label}" for label in table.classes))
    blank = SheetTable(heads, tuple((level, *[""] * (1 + len(table.classes))) for level in parts))
    blanks, key = [], [f"Known: {named(table, counts(of.known))}: {arithmetic(counts(of.known), measure)}"]
    for i, (level, here) in enumerate(parts.items()):
        part = Fraction(sum(here), n_known)
        blanks.append(Blank(f"{name} = {level}: fraction of each unknown row", float(part), ROUNDED, place=(i, 1)))
        sums = []
        for k, (label, c) in enumerate(zip(table.classes, here, strict=True)):
            weight = c + part * lost[k]
            blanks.append(Blank(f"{name} = {level}: weight of {label}", float(weight), 0.02, place=(i, k + 2)))
            sums.append(f"{c} + {part} · {lost[k]} = {float(weight):.4f} {label}")
        key.append(f"{name} = {level}: {arithmetic(here, measure)}; fraction {part}; {', '.join(sums)}")
    terms = " − ".join(f"{sum(c)}/{n_known} · {impurity(c, measure):.4f}" for c in parts.values())
    blanks += [
        Blank("gain on the rows whose value is known", gain, ROUNDED),
        Blank("gain with the unknown values", float(share) * gain, ROUNDED),
    ]  # fmt: skip
    key.append(f"over the known rows: {whole:.4f} − {terms} = {gain:.4f}")
    key.append(f"with the unknown ones: {n_known}/{n} · {gain:.4f} = {float(share) * gain:.4f}")
    rows = ", ".join(str(place + 1) for place in of.rows)
    text = (
        f"Suppose that {name} is unknown in rows {rows}. Compute C4.5's gain of {name}: over the rows whose value is "
        "known, times their share of all rows. Then send each unknown row into every branch by the branch's share of "
        "the known rows: what weight has each class there?"
    )
    return Task(text, (), blank, 4, tuple(key), blanks=tuple(blanks), hint=GAIN)


def surrogate_task(table: Table) -> Task:
    """The best surrogate of CART's first split: which other attribute sends most rows the same way."""
    primary = _best(table)
    goes_left = np.isin(table.column(primary.feature).labels(), primary.left)
    n, n_left = table.n_rows, int(goes_left.sum())
    blind = max(n_left, n - n_left)
    others = [name for name in table.features if name != primary.feature and len(parts_of(table, name)) > 1]
    if not others:
        raise TreecoreError("There is no second attribute", where="Features", remedy="Choose more features")
    agreed, blanks, key = [], [], [
        f"{primary.text} sends {n_left} left and {n - n_left} right; the larger branch for all agrees in {blind} of {n}"
    ]  # fmt: skip
    for i, name in enumerate(others):
        labels, sides = table.column(name).labels(), []
        total = 0
        for level in parts_of(table, name):
            here = goes_left[labels == level]
            a, b = int(here.sum()), int((~here).sum())
            total += max(a, b)
            sides.append(f"{level} {'left' if a >= b else 'right'} ({max(a, b)} of {a + b})")
        agreed.append(total)
        adjusted = Fraction(total - blind, n - blind)
        blanks += [
            Blank(f"{name}: rows sent the same way", total, place=(i, 1)),
            Blank(f"{name}: adjusted agreement", float(adjusted), ROUNDED, place=(i, 2)),
        ]  # fmt: skip
        key.append(
            f"{name}: {', '.join(sides)}: {total} of {n} the same way; adjusted ({total} − {blind}) / ({n} − {blind}) "
            f"= {float(adjusted):.4f}"
        )
    best = tuple(i for i, total in enumerate(agreed) if total == max(agreed))
    blanks.append(Blank("the first surrogate", options=tuple(others), right=best))
    helps = (
        ""
        if max(agreed) > blind
        else " It is no better than sending all rows to the larger branch, so rpart takes no surrogate."
    )
    key.append(f"First is {' or '.join(others[i] for i in best)}.{helps}")
    blank = SheetTable(("surrogate", "same way", "adjusted"), tuple((name, "", "") for name in others))
    text = (
        f"The split is {primary.text}. Where {primary.feature} is unknown a surrogate decides: send each level of "
        "another attribute to the side to which most of its rows go. In how many rows does it agree with the split? "
        "The adjusted agreement is (agreed − a) / (all − a), where a is what the larger branch alone agrees in."
    )
    hint = "For each level count how many of its rows go left and how many go right. The larger number agrees."
    return Task(text, (), blank, 4, tuple(key), blanks=tuple(blanks), hint=hint)


def _best(table: Table) -> BinaryGrouping:
    """The split of two branches of the largest decrease that leaves rows on both sides."""
    groups = [g for name in table.features if 2 <= len(parts_of(table, name)) <= 6 for g in groupings(table, name)]
    best = max(groups, key=lambda g: g.decrease, default=None)
    if best is None or not best.decrease:
        raise TreecoreError("No split decreases the Gini index", where="Rows", remedy="Choose other rows")
    return best


def unknown_rows_task(table: Table, tree: Tree) -> Task:
    """Rows of which the tree's first attribute is unknown: they go into every branch by its share of the rows.

    tree : of these rows, with a branch for each level.
    """
    if tree.is_leaf[0]:
        raise TreecoreError("The tree is a lone root", where="Rows", remedy="Choose other rows")
    asks, first, rows, blanks, key = str(tree.node(0).feature), len(table.features), [], [], []
    for place, (i, known) in enumerate(_rows_without(table, asks).items()):
        shares, branches = _shares(table, tree, asks, i)
        rows.append((*known, *[""] * (len(table.classes) + 1)))
        row = ", ".join(known)
        blanks += [
            Blank(f"{row}: share of {label}", float(share), ROUNDED, place=(place, first + k))
            for k, (label, share) in enumerate(zip(table.classes, shares, strict=True))
        ]
        right = tuple(k for k, share in enumerate(shares) if share == max(shares))
        blanks.append(Blank(f"{row}: answer", options=table.classes, right=right, place=(place, first + len(shares))))
        sums = (f"{label} {share} = {float(share):.4f}" for label, share in zip(table.classes, shares, strict=True))
        key.append(f"{row}: {'; '.join(branches)}. Sums: {', '.join(sums)}")
    heads = (*table.features, *(f"share of {label}" for label in table.classes), "answer")
    text = (
        f"{asks} is unknown in these rows. Send each of them into every branch of the root of the tree that asks for "
        "the largest gain first, by the branch's share of the rows, and add up what the leaves say."
    )
    hint = (
        "Each leaf contributes its class shares times the weight that reached it; a leaf without rows uses the shares "
        "of the node above."
    )
    return Task(text, (), SheetTable(heads, tuple(rows)), 3, tuple(key), blanks=tuple(blanks), hint=hint)


def _rows_without(table: Table, asks: str) -> dict[int, tuple[str, ...]]:
    """Place -> cells of a few rows that differ besides this attribute, whose cell is "?"."""
    labels = {name: table.column(name).labels() for name in table.features}
    places: dict[tuple[str, ...], int] = {}
    for i in range(table.n_rows):
        places.setdefault(tuple("?" if name == asks else str(labels[name][i]) for name in table.features), i)
    every = list(places.items())
    picked = np.unique(np.linspace(0, len(every) - 1, min(MOST_ASKED, len(every))).astype(int))
    return {every[p][1]: every[p][0] for p in picked}


def _shares(table: Table, tree: Tree, asks: str, i: int) -> tuple[list[Fraction], list[str]]:
    """Share of every class for row i without this attribute, and what each branch gives to it."""
    labels, shares, branches = table.column(asks).labels(), [Fraction(0)] * len(table.classes), []
    for level, part in parts_of(table, asks).items():
        donor = table.take([int(np.flatnonzero(labels == level)[0])])
        row = table.take([i])
        columns = tuple(donor.column(c.name) if c.name == asks else c for c in row.columns)
        node = int(tree.apply(replace(row, columns=columns))[0])
        while not tree.n_rows[node]:
            node = int(tree.parent[node])
        weight, n = Fraction(sum(part), table.n_rows), int(tree.n_rows[node])
        here = [Fraction(int(c), n) for c in tree.stats[node]]
        shares = [a + weight * b for a, b in zip(shares, here, strict=True)]
        class_counts = ", ".join(f"{c} {label}" for label, c in zip(table.classes, here, strict=True) if c)
        branches.append(f"{asks} = {level} with weight {weight}: {class_counts}")
    return shares, branches
