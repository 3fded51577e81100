"""How brittle a tree is in the smallest way: values of one row are others, and the tree grows anew."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from treecore.brief import Brief, visible
from treecore.data.column import frozen, numeric_column
from treecore.data.level_index import level_index
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Line, Words
from treecore.figures import number, percent
from treecore.recipe import Recipe
from treecore.rules import rules
from treecore.study.nested_selection import grown_from, prepared
from treecore.study.overlay import overlay
from treecore.study.questions.importances import with_column
from treecore.study.questions.question import Picture, Setting, Setup, StudyQuestion, Told, Work
from treecore.study.questions.stability import BAND, SAME, Regrown, same_split_within, stability
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class RowSensitivity(Brief):
    """before, tree : grown on the rows as they are, and anew. rows : on which the latter grew, prepared. stays : bool
    (n_nodes,) of the former, which of its splits the new one has, within the band; False at leaves. changed : share of
    the rows that get another answer."""

    before: Tree
    tree: Tree
    rows: Table
    stays: np.ndarray
    changed: float

    @property
    def n_splits(self) -> int:
        """Of the former tree."""
        return int((~self.before.is_leaf).sum())


def with_value(table: Table, row: int, name: str, value: float | str | None) -> Table:
    """The table with another value in one cell; None makes it missing.

    row : position. value : a number, or a level of a column of levels. TreecoreError for a row, column or level that
    there is not.
    """
    column = table.column(name)
    if row not in range(table.n_rows):
        remedy = f"Choose one of 1 to {table.n_rows:,}"
        raise TreecoreError(f"There is no row {row + 1}", where="row", remedy=remedy)
    if column.kind == "numeric":
        values = column.values()
        values[row] = np.nan if value is None else float(value)
        return with_column(table, replace(numeric_column(name, values), fill=column.fill))
    place = level_index(column.levels).place(value)
    if value is not None and place < 0:
        remedy = "Choose one of: " + ", ".join(column.level_names)
        raise TreecoreError(f"{value!r} is no level", where=f"Column {name!r}", remedy=remedy)
    codes = column.codes.copy()
    codes[row] = column.n_distinct if value is None else place
    return with_column(table, replace(column, codes=frozen(codes)))


def row_sensitivity(
    before: Tree, recipe: Recipe, row: int, values: Mapping[str, float | str | None], train: Table,
    validation: Table | None = None, pruning: Table | None = None, band: float = BAND,
) -> RowSensitivity:  # fmt: skip
    """The recipe's tree with other values in one training row, beside the tree that it made of the rows as they are.

    before : of the same recipe and rows. values : column -> what it is now. train, validation, pruning : the rows of
    the roles before the recipe prepares them.
    """
    other = train
    for name, value in values.items():
        other = with_value(other, row, name, value)
    given = prepared(recipe, other, validation, pruning)
    anew, once = grown_from(recipe, given), np.ones((1, train.n_rows), np.uint8)
    result = stability(before, Regrown(train, (anew,), once), band)
    return RowSensitivity(before, anew, given["train"], np.nan_to_num(result.returns) > 0, float(result.changed[0]))


# What one moved row has changed, in a sentence: splits that stay, the highest other one, and answers.

MOST_PATHS = 30
"""Of a tree with more leaves they are not listed."""


def describe_row_change(found: RowSensitivity) -> list[Line]:
    """What has changed, and the way to each leaf of the tree that grew anew."""
    paths = rules(found.tree) if found.tree.n_leaves <= MOST_PATHS else ()
    return [Words(row_change_sentence(found)), *(Words(rule.text) for rule in paths)]


def row_change_sentence(found: RowSensitivity, plane: float | None = None) -> str:
    """plane : share of the plane shown that is answered otherwise, None where none is shown."""
    n, kept = found.n_splits, int(found.stays.sum())
    splits = "There was no split" if not n else "All splits stay" if kept == n else f"{kept:,} of {n:,} splits stay"
    size = (found.before.n_leaves, found.tree.n_leaves)
    leaves = f"{size[0]:,} leaves as before" if size[0] == size[1] else f"{size[1]:,} leaves instead of {size[0]:,}"
    answers = f"{percent(found.changed)} of the rows"
    answers += f" and {percent(plane)} of the plane get another answer" if plane is not None else " get another answer"
    return f"{splits}; {leaves}; {answers}. {highest_change(found.before, found.tree)}".strip()


def highest_change(before: Tree, after: Tree) -> str:
    """The place next to the root where the two are not the same; "" where they are so everywhere."""
    laid = overlay(before, after)
    if (entry := laid.first_difference) is None:
        return ""
    a, b = laid.nodes(entry)
    above = a if a >= 0 else laid.nodes(int(laid.parent[entry]))[0]
    place = "At the root" if above == 0 else f"Where {visible(before.node(above).rule)}"
    return f"{place} it now {_does(after, b)}, before it {_did(before, a)}."


def _does(tree: Tree, node: int) -> str:
    return _test_or_answer(tree, node, "asks", "answers")


def _did(tree: Tree, node: int) -> str:
    return _test_or_answer(tree, node, "asked", "answered")


def _test_or_answer(tree: Tree, node: int, asks: str, answers: str) -> str:
    if node < 0:
        return "had no node" if asks == "asked" else "has no node"
    view = tree.node(node)
    if view.is_leaf:
        return f"{answers} {visible(view.predicted)}"
    return f"{asks} {visible(tree.node(tree.children(node)[0]).condition)}"


ROW = Setting("moved row", "Training row", 1, least=1, width=120)
COLUMN = Setting(
    "moved column", "Column", width=170, usual=lambda setup: _first_column(setup),
    options=lambda setup: {n: n for n in (*setup.rows_as_read["train"].features, setup.table.target)},
)  # fmt: skip
TO = Setting("moved to", "Becomes", kind=(Real, str))


def _first_column(setup: Setup) -> str:
    """What the root asks for: it matters most."""
    tree = setup.tree
    return setup.rows_as_read["train"].features[0] if tree.is_leaf[0] else tree.node(0).feature


def row_chosen(setup: Setup) -> int:
    """From 1 on."""
    return min(setup[ROW], setup.rows_as_read["train"].n_rows)


def value_chosen(setup: Setup) -> float | str | None:
    """The new value, if the column can have it."""
    chosen, column = setup[TO], setup.rows_as_read["train"].column(setup[COLUMN])
    if column.kind == "numeric":
        fits = not isinstance(chosen, str) and chosen is not None and len(column.numbers)
        return min(max(float(chosen), float(column.numbers[0])), float(column.numbers[-1])) if fits else None
    return chosen if chosen in column.level_names else None


def value_in_words(value: float | str | None) -> str:
    """'' for none."""
    return "" if value is None else value if isinstance(value, str) else number(value)


def _work(setup: Setup) -> Work:
    row, values, rows = row_chosen(setup) - 1, {setup[COLUMN]: value_chosen(setup)}, setup.rows_as_read
    before, recipe, band = setup.tree, setup.recipe, setup[SAME]
    apart = {role: rows.get(role) for role in ("train", "validation", "pruning")}
    return lambda report: row_sensitivity(before, recipe, row, values, **apart, band=band)


def _pictures(found: RowSensitivity, setup: Setup) -> list[Picture]:
    """The tree of before, and which of its splits stay."""
    caption = "The tree of the rows as they are: a diamond marks a split that goes with the moved row."
    high = min(90 + 52 * (int(found.before.node_depth.max()) + 1), 500)
    return [Picture("icicle.returning_splits", (found.before, found.stays), caption, high)] if found.n_splits else []


def _about(setup: Setup) -> Told:
    to = value_in_words(value_chosen(setup))
    return ("training row", row_chosen(setup)), ("column", setup[COLUMN]), ("to", to), same_split_within(setup)


ROW_SENSITIVITY = StudyQuestion(
    "moved", "What if one row were different?", "One value of a row changed", _work,
    lambda answer, setup: describe_row_change(answer), _pictures, (ROW, COLUMN, TO), _about,
    obstacle=lambda setup: "Choose another value." if value_chosen(setup) is None else "", passing=("to",),
    report_place=5,
)  # fmt: skip
ROW_IN_PLANE = replace(
    ROW_SENSITIVITY,
    name="plane",
    label="",
    title="One row moved in the plane",
    settings=(),
    on_page=False,
    report_place=4,
)
"""Two values of a row, as it is moved over a plane of the page Regions, which says which."""
