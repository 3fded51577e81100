"""The row that is asked about: its values by feature, and where your tree sends it."""

from pages.shared.session import state
from pages.shared.trees import work
from treecore.data.table import Table
from treecore.export.portable import Portable
from treecore.predicting.decision_path import Story, asked_features, row_values, story

ROW, VALUES = "row to predict", "values to predict"


def portable() -> Portable:
    """Your tree, question by question."""
    tree = work.pruned()
    return work.kept_cut("portable", make=lambda: Portable(tree))


def names() -> list[str]:
    """The features that your tree asks for, those of the most rows first."""
    return asked_features(portable())


def n_rows() -> int:
    return work.table_in_sight().n_rows


def row() -> dict:
    """feature -> number, level, or None: of the row of the table that was chosen, with what was typed over it."""
    return over(values_of(work.table_in_sight(), min(state.choice(ROW, 1), n_rows()) - 1), typed())


def over(own: dict, others: dict) -> dict:
    """A row's own values with others that were typed over them, as far as it has such features."""
    return own | {name: value for name, value in others.items() if name in own}


def values_of(table: Table, place: int) -> dict:
    """feature -> number, level, or None, of one row of a table."""
    return row_values(table, place, work.pruned().schema.own_names)


def typed() -> dict:
    """What was typed over the row's own values."""
    return state.choice(VALUES)


def take_row(place) -> None:
    """Another row of the table, with its own values."""
    state.choose(VALUES, {})
    state.choose(ROW, int(place or 1))
    _look()


def take_value(name: str, value) -> None:
    """Another value; None: it is not known."""
    take_values({name: value})


def take_values(values: dict) -> None:
    """Several of them at once."""
    state.choose(VALUES, {**typed(), **values})
    _look()


def _look() -> None:
    """The tree shows the way of the row."""
    state.change(selected=grown_node(told().ends[0].node))


def told(values: dict | None = None) -> Story:
    """The way of a row with these values; None: of the row that is asked about."""
    return story(portable(), row() if values is None else values)


def ends() -> list[int]:
    """Nodes of the grown tree in which the row that is asked about ends."""
    return ends_of(told())


def ends_of(found: Story) -> list[int]:
    """The same of any row: those of its largest parts first."""
    return [grown_node(end.node) for end in sorted(found.ends, key=lambda end: -end.share)]


def grown_node(node: int) -> int:
    """A node of your tree in the grown one, whose nodes are on the canvas."""
    return int(work.cuts().standing(work.grown())[node])
