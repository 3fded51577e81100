"""The grown tree on a canvas as cost-complexity pruning leaves it after so many steps; everything keeps its place."""

import numpy as np

from pages.shared.bench import canvas, tree
from pages.shared.trees import interest, nested, twins, work
from treecore.errors import TreecoreError
from treecore.export.cards import NodeCard, tree_cards
from treecore.view.subject import Subject

KEY = "bench_falling"


def draw(step: int, node: int, point) -> None:
    """The subtree after `step` steps, this node selected. point : called with a node that was clicked."""
    grown, last = work.grown(), len(nested.steps()) - 1
    subject = Subject(
        KEY, (*work.tree_key(), nested.risk()), grown, np.arange(grown.n_nodes), grown, grown.class_names,
        lambda nodes: tree_cards(grown, nodes, twins.statistics()), _dress,
        selected=node, bars=canvas.n_bars(twins.statistics()), lines=canvas.n_lines(),
        interest=interest.of(grown),
    )  # fmt: skip
    try:
        drawn, _ = work.kept("bench falling", nested.risk(), *canvas.looked_at(subject), *twins.key(),
                             make=lambda: canvas.drawing(subject))  # fmt: skip
    except TreecoreError as error:
        tree.plainly(error, grown)
        return
    made = last - step
    more = {"made": made, "acts": False, "splits": made, "coming": False, "switches": {}}
    take = lambda event: point(event.get("node")) if isinstance(event.get("node"), int) else None  # noqa: E731
    canvas.pane(subject, drawn, more, {"select": take}, tree.no_deed)


def _dress(cards: tuple[NodeCard, ...], made: list[dict]) -> None:
    """How many steps before the last one each node is there, and has branches."""
    found = nested.steps()
    last = len(found) - 1
    born, parts = last + 1 - found.until, last + 1 - found.step
    for card, row in zip(cards, made, strict=True):
        row["born"], row["parts"] = int(born[card.id]), int(parts[card.id])
