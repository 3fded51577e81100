"""A tree that an experiment has made, on the canvas in place of yours: to be looked at, not to be changed."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np

import treecore as tc
from pages.shared.bench import canvas, tree
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import interest
from treecore.errors import TreecoreError
from treecore.export.cards import tree_cards, with_quantile_bars
from treecore.export.overlay_cards import overlay_cards
from treecore.study.node_targets import NodeTargets, targets_by_role
from treecore.study.overlay import Overlay
from treecore.tree.node_statistics import node_statistics
from treecore.view import split_histogram
from treecore.view.subject import Subject

KEY = "bench_experiment"


@dataclass(frozen=True, eq=False)
class Exhibit:
    """name : what the tree depends on, as a key. tree : it. tag : what it is called. rows : role -> Table, of the
    bars; the first are those that it was grown on."""

    name: Hashable
    tree: tc.Tree
    tag: str
    rows: Mapping[str, tc.Table]


def draw(shown: Exhibit) -> None:
    """The canvas with this tree."""
    subject = _subject(shown)
    try:
        drawn, _ = cache.get(("exhibit", shown.name, *canvas.looked_at(subject)), lambda: canvas.drawing(subject))
    except TreecoreError as error:
        tree.plainly(error, shown.tree)
        return
    events = {"select": lambda event: _select(shown, event.get("node"))}
    canvas.pane(subject, drawn, {"tag": shown.tag, "acts": False}, events, tree.no_deed)


def _subject(shown: Exhibit) -> Subject:
    made, statistics = shown.tree, _statistics(shown)
    return Subject(
        KEY, shown.name, made, np.arange(made.n_nodes), made, made.class_names,
        lambda nodes: with_quantile_bars(tree_cards(made, nodes, statistics), made, _targets(shown)),
        lambda cards, rows: _dress(rows, shown),
        selected=_selected(shown), bars=canvas.n_bars(statistics), lines=canvas.n_lines(), interest=interest.of(made),
        pictures=True,
    )  # fmt: skip


def _statistics(shown: Exhibit) -> dict[str, np.ndarray]:
    make = lambda: {role: node_statistics(shown.tree, rows) for role, rows in shown.rows.items()}  # noqa: E731
    return cache.get(("exhibit's bars", shown.name), make)


def _targets(shown: Exhibit) -> dict[str, NodeTargets]:
    return cache.get(("exhibit's targets", shown.name), lambda: targets_by_role(shown.tree, shown.rows))


def _dress(rows: list[dict], shown: Exhibit) -> None:
    train = next(iter(shown.rows.values()))
    split_histogram.into(rows, shown.tree, train, lambda: shown.tree.apply(train))


def _selected(shown: Exhibit) -> int:
    result = state.stored_for(f"selected of {KEY}", {})
    node = result.get("node", 0) if result.get("tree") == shown.name else 0
    return node if node < shown.tree.n_nodes else 0


def _select(shown: Exhibit, node) -> None:
    if isinstance(node, int) and 0 <= node < shown.tree.n_nodes:
        state.stored_for(f"selected of {KEY}", {}).update(tree=shown.name, node=node)


# Two trees that an experiment has made, laid over each other on the canvas: to be looked at, not to be changed.

PAIR_KEY = "bench_experiment_pair"


@dataclass(frozen=True, eq=False)
class Pair:
    """name : what both depend on, as a key. laid : one over the other. names : of the two, short. tag : of both."""

    name: Hashable
    laid: Overlay
    names: tuple[str, str]
    tag: str


def draw_pair(shown: Pair) -> None:
    """The canvas with both as one."""
    laid = shown.laid
    subject = Subject(
        PAIR_KEY, shown.name, laid, np.arange(len(laid)), None, laid.tree_a.class_names,
        lambda entries: overlay_cards(laid, entries, shown.names), selected=_selected_of_pair(shown), bars=2, lines=1,
        interest=interest.of(laid.tree_a),
    )  # fmt: skip
    try:
        drawn, _ = cache.get(("pair", shown.name, *canvas.looked_at(subject)), lambda: canvas.drawing(subject))
    except TreecoreError as error:
        tree.plainly(error, laid.tree_b)
        return
    events = {"select": lambda event: _select_in_pair(shown, event.get("node"))}
    canvas.pane(subject, drawn, {"tag": shown.tag, "acts": False}, events, tree.no_deed)


def _selected_of_pair(shown: Pair) -> int:
    """The place that was chosen, or the first where the trees differ: so it is drawn, however few rows come there."""
    result = state.stored_for(f"selected of {PAIR_KEY}", {})
    if result.get("pair") == shown.name and result["entry"] < len(shown.laid):
        return result["entry"]
    return shown.laid.first_difference or 0


def _select_in_pair(shown: Pair, entry) -> None:
    if isinstance(entry, int) and 0 <= entry < len(shown.laid):
        state.stored_for(f"selected of {PAIR_KEY}", {}).update(pair=shown.name, entry=entry)
