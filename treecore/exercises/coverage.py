"""An exercise on rules: the ways of a tree as rules, what each covers, how often it is right, and its lift."""

from fractions import Fraction

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.exercises.attributes import ROUNDED, counts
from treecore.exercises.counted import rows_below
from treecore.exercises.sheet import Blank, Grid, Task
from treecore.rules.from_tree import leaves_in_order
from treecore.tree.tree import Tree


def coverage_task(table: Table, tree: Tree) -> Task:
    """tree : of these rows. TreecoreError for a lone root."""
    if tree.is_leaf[0]:
        raise TreecoreError("The tree is a lone root", where="Rows", remedy="Choose other rows")
    ends, whole, rows, blanks, key = tree.apply(table), counts(table), [], [], []
    for leaf in leaves_in_order(tree):
        here = rows_below(tree, leaf, table, ends)
        if not here.n_rows:
            continue
        view, place = tree.node(leaf), len(rows)
        k = int(tree.value[leaf])
        right = counts(here)[k]
        share, base = Fraction(right, here.n_rows), Fraction(whole[k], table.n_rows)
        rule = f"IF {view.rule}"
        rows.append((rule, "", "", "", "", ""))
        blanks += [
            Blank(f"{rule}: {head}", float(value), within, place=(place, i))
            for i, (head, value, within) in enumerate(
                (
                    ("rows", here.n_rows, 0.0), ("right", right, 0.0), ("confidence", share, ROUNDED),
                    ("lift", share / base, 0.01),
                ), 2,
            )
        ]  # fmt: skip
        blanks.append(Blank(f"{rule}: answer", options=tree.classes, right=(k,), place=(place, 1)))
        key.append(
            f"{rule} THEN {tree.classes[k]}: covers {here.n_rows} of {table.n_rows} rows, {right} right; confidence "
            f"{share} = {float(share):.4f}; lift {share} / ({base}) = {float(share / base):.4f}"
        )
    text = (
        "These are the rules of the tree that asks for the largest gain first. What does each answer (the first of "
        "equal classes)? How many rows does it cover, how many of them are right, what is its confidence, and its "
        "lift over the class's share of all rows?"
    )
    hint = "Confidence = rows right ÷ rows covered. Lift = confidence ÷ the share of the class among all rows."
    blank = Grid(("rule", "answer", "rows", "right", "confidence", "lift"), tuple(rows))
    return Task(text, (), blank, 2, tuple(key), blanks=tuple(blanks), hint=hint)
