"""The grown tree on a canvas as it is after so many splits: what is there stands where it will stand at the end."""

import numpy as np

import treecore as tc
from pages.shared.bench import canvas, tree
from pages.shared.session import state
from pages.shared.trees import interest, nested, twins, work
from treecore.errors import TreecoreError
from treecore.export.cards import NodeCard
from treecore.growing.inspect.candidates import Candidate
from treecore.tree.tree import split_order
from treecore.view import canvas_nodes, split_histogram
from treecore.view.rivals import split_branches
from treecore.view.subject import Subject

KEY, GUESSED = "bench_growth", "bench_guess"
NEVER = 1 << 30


def order() -> np.ndarray:
    """The node split first, second and so on."""
    grown = work.grown()
    return work.cached("split order", make=lambda: split_order(grown))


def draw_growth(made: int, node: int, go, known: int | None = None, weighed: Candidate | None = None) -> None:
    """The tree after `made` splits, this node selected. go : called with another number of splits. known : so many
    splits may be seen, as the others are to be guessed; None for all. weighed : a split of the node that is talked of,
    which is not made yet."""
    subject = _subject(work.grown(), node, known)
    about = (known, *canvas.looked_at(subject), *twins.key(), twins.correction(), twins.level())
    try:
        drawn, _ = work.cached("bench growth", *about, make=lambda: canvas.drawing(subject))
    except TreecoreError as error:
        tree.plainly(error, work.grown().after(made))
        return
    coming = state.choice("coming") and known is None
    told = "Show as ghosts what is still to come"
    switches = {"coming": {"text": "To come", "title": told, "on": coming}} if known is None else {}
    switches |= canvas.empty_switch(work.grown())
    splits = len(order()) if known is None else known
    maybe = None
    if weighed is not None:
        maybe = {"node": node, "branches": split_branches(work.trained(), node, weighed, interest.of(work.grown()))}
    more = {"made": made, "maybe": maybe, "acts": False, "splits": splits, "coming": coming, "switches": switches}
    events = {
        "select": lambda event: _take(event.get("node"), go),
        "made": lambda event: _take_step(event.get("made"), go),
        "choose": lambda event: canvas.choose(event, canvas.CHOICES | {"coming"}),
    }
    canvas.pane(subject, drawn, more, events, tree.no_deed)


def _subject(grown: tc.Tree, node: int, known: int | None) -> Subject:
    beside = node if grown.is_leaf[node] else int(grown.first_child[node])
    return Subject(
        KEY if known is None else GUESSED, work.tree_key(), grown, np.arange(grown.n_nodes), grown, grown.class_names,
        lambda nodes: canvas_nodes.marked(twins.own_cards(grown, nodes), twins.differences()),
        lambda cards, made: _dress(cards, made, known),
        selected=node, beside=beside, bars=canvas.n_bars(twins.statistics()), lines=canvas.n_lines(),
        interest=interest.of(grown), pictures=known is None,
        hides_empty=canvas.hides_empty(grown),
    )  # fmt: skip


def _dress(cards: tuple[NodeCard, ...], made: list[dict], known: int | None) -> None:
    """With how many splits each node is there, and with how many it is split itself."""
    grown = work.grown()
    at = np.full(grown.n_nodes, NEVER)
    at[order()] = np.arange(1, len(order()) + 1)
    for card, row in zip(cards, made, strict=True):
        row["born"] = int(at[grown.parent[card.id]]) if card.id else 0
        row["parts"] = int(at[card.id])
    split_histogram.into(made, grown, work.own_rows(), lambda: work.ends(grown.figures_of))
    for row in made if known is not None else ():
        if row["parts"] > known and not row["leaf"]:
            _hide_split(row)


def _hide_split(row: dict) -> None:
    """Nothing of the row tells what the node is split by."""
    row.pop("histogram", None)
    told = row["told"][:2] + [
        line for line in row["told"][2:] if not line.startswith("gain ") and "without" not in line
    ]
    lines = [line for line in row["lines"] if line[0] != "gain"]
    row |= {"title": row["answer"], "label": f"{row['answer']}, {row['n']} rows, to be guessed", "told": told}
    row["lines"] = lines


def _take(node, go) -> None:
    """To the split of a node, or to the one that made a leaf."""
    grown = work.grown()
    if not isinstance(node, int) or not 0 <= node < grown.n_nodes or grown.n_nodes == 1:
        return
    parted = int(grown.parent[node]) if grown.is_leaf[node] else node
    go(int(np.flatnonzero(order() == parted)[0]) + 1)


def _take_step(made, go) -> None:
    if isinstance(made, int) and 0 <= made <= len(order()):
        go(made)


# The grown tree on a canvas as cost-complexity pruning leaves it after so many steps; everything keeps its place.

PRUNING_KEY = "bench_falling"


def draw_pruning(step: int, node: int, point) -> None:
    """The subtree after `step` steps, this node selected. point : called with a node that was clicked."""
    grown, last = work.grown(), len(nested.steps()) - 1
    subject = Subject(
        PRUNING_KEY, (*work.tree_key(), nested.risk()), grown, np.arange(grown.n_nodes), grown, grown.class_names,
        lambda nodes: twins.own_cards(grown, nodes), _dress_pruning,
        selected=node, bars=canvas.n_bars(twins.statistics()), lines=canvas.n_lines(),
        interest=interest.of(grown),
    )  # fmt: skip
    try:
        drawn, _ = work.cached("bench falling", nested.risk(), *canvas.looked_at(subject), *twins.key(),
                             make=lambda: canvas.drawing(subject))  # fmt: skip
    except TreecoreError as error:
        tree.plainly(error, grown)
        return
    made = last - step
    more = {"made": made, "acts": False, "splits": made, "coming": False, "switches": {}}
    take = lambda event: point(event.get("node")) if isinstance(event.get("node"), int) else None  # noqa: E731
    canvas.pane(subject, drawn, more, {"select": take}, tree.no_deed)


def _dress_pruning(cards: tuple[NodeCard, ...], made: list[dict]) -> None:
    """How many steps before the last one each node is there, and has branches."""
    result = nested.steps()
    last = len(result) - 1
    born, parts = last + 1 - result.until, last + 1 - result.step
    for card, row in zip(cards, made, strict=True):
        row["born"], row["parts"] = int(born[card.id]), int(parts[card.id])
