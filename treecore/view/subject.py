"""What a canvas is of: the nodes there are, which of them carry most rows, which one is selected, and what is searched
for in them.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Protocol

import numpy as np

from treecore.export.cards import NodeCard
from treecore.judging.interest import Interest
from treecore.study.groups import Groups
from treecore.tree.tree import Tree

# Which nodes of a large tree are worth showing: those that most rows pass.


class Branching(Protocol):
    """What has nodes with branches: a Tree, or two of them laid over each other; arrays have an entry per node."""

    parent: np.ndarray
    is_leaf: np.ndarray
    weight: np.ndarray
    node_depth: np.ndarray

    def children(self, node: int) -> Sequence[int]: ...

    def path(self, node: int) -> Sequence[int]: ...


def covering_nodes(
    tree: Branching,
    limit: int,
    deepest: int | None = None,
    opened: Collection[int] = (),
    closed: Collection[int] = (),
    keep: int | None = None,
    within: int = 0,
) -> np.ndarray:
    """Ids (ascending) of about `limit` nodes: from the root down, the node with the most weight is opened next.

    A node is shown with all its siblings, so that nothing of a split is out of sight. deepest : levels below the first
    that are shown unasked. opened, closed : nodes whose children are shown, or are not, whatever their weight (a closed
    node wins over what is opened below it). keep : a node that is shown with its path, unless an ancestor is closed.
    within : the node that comes first.
    """
    must = {int(node) for node in opened}
    if keep is not None:
        must |= set(tree.path(keep)[:-1])
    must -= set(closed)
    for node in list(must):
        must |= set(tree.path(node)[:-1]) - set(closed)
    shown = {within}
    waiting: list[int] = []
    lowest = np.inf if deepest is None else int(tree.node_depth[within]) + deepest

    def arrive(node: int) -> None:
        if tree.is_leaf[node] or node in closed or (tree.node_depth[node] >= lowest and node not in must):
            return
        heappush(waiting, (node not in must, -float(tree.weight[node]), node))

    arrive(within)
    while waiting:
        optional, _, node = heappop(waiting)
        children = tree.children(node)
        if optional and len(shown) + len(children) > limit:
            continue  # a narrower split may still fit
        shown.update(children)
        for child in children:
            arrive(child)
    return np.array(sorted(shown))


@dataclass(frozen=True)
class Subject:
    """What a canvas shows.

    key : of its pane, by which the browser remembers how it was looked at. name : changes with another tree.
    cut : changes where the same tree is laid out anew. branching : whose nodes are chosen from. ids : what each of them
    is called on the canvas. figures : the tree of these ids; None where two trees are laid over each other.
    cards : of the nodes that are to be shown. dress : puts into their rows what this canvas alone has.
    selected, within : ids; beside : another one that is shown. bars, lines : of every card. opens : key of the canvas
    whose opened nodes are open here, too; None: its own. interest : the class whose share the nodes tell. crowd : how
    many times the size that can be read as a card a node may lack, where all leaves matter more than their texts.
    groups : of a column, which the bars show in place of the answer; of the nodes of `branching`. beside_key : of the
    canvas of a tree that it is compared with, whose direction it takes. pictures : do cards with figures show
    the values that their splits part? hides_empty : are leaves without rows left out? gives_way : is the way to the
    selected node what the canvas is for, for which others fold and cards become chips where there is little room?
    """

    key: str
    name: Hashable
    branching: Branching
    ids: np.ndarray
    figures: Tree | None
    classes: tuple[str, ...]
    cards: Callable[[np.ndarray], tuple[NodeCard, ...]]
    dress: Callable[[tuple[NodeCard, ...], list[dict]], None] = lambda cards, made: None
    cut: str = "grown"
    selected: int = 0
    within: int = 0
    bars: int = 1
    lines: int = 0
    beside: int | None = None
    opens: str | None = None
    interest: Interest | None = None
    crowd: float = 1.0
    groups: Groups | None = None
    beside_key: str = ""
    pictures: bool = False
    hides_empty: bool = False
    gives_way: bool = False


# What the reader searches for, found in all of the tree: in the nodes that are shown and in those that are not.

MOST_SEARCHED = 10_000
"""Nodes, those of the most rows, whose texts are read."""
MOST_LETTERS = 200
"""Of what is searched for."""


def hits(subject: Subject, text: str, texts: Mapping[int, str], shown: Sequence[int]) -> dict | None:
    """None where nothing is asked. texts : what `searched_texts` has made. shown : ids of the nodes that are drawn.

    text : that was searched for. ids : of the nodes of the branch that is looked at in which it stands. under : id of a
    node that is drawn -> how many of them are hidden below it.
    """
    looked = text.strip().lower()
    if not looked:
        return None
    places, drawn = [place for place, said in texts.items() if looked in said], set(shown)
    above = {int(subject.ids[place]): _nearest_shown(subject, place, drawn) for place in places}
    ids = [node for node, seen in above.items() if seen is not None]
    return {"text": text, "ids": ids, "under": Counter(above[node] for node in ids if node not in drawn)}


def _nearest_shown(subject: Subject, place: int, drawn: set[int]) -> int | None:
    """Id of the node itself where it is drawn, else of the drawn one below which it is hidden; None: of no such one."""
    path = subject.ids[list(subject.branching.path(place))]
    return next((int(node) for node in path[::-1] if node in drawn), None)


def searched_texts(subject: Subject) -> dict[int, str]:
    """Place -> all that can be found of the node."""
    heaviest = np.argsort(-subject.branching.weight, kind="stable")[:MOST_SEARCHED]
    places = np.sort(heaviest)
    return {int(place): _card_text(card) for place, card in zip(places, subject.cards(places), strict=True)}


def _card_text(card: NodeCard) -> str:
    return f"{card.title}\n{card.branch}\n{card.predicted}\n#{card.id}".lower()
