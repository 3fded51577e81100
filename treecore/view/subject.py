"""What a canvas is of: the nodes there are, their cards, and which of them the reader looks at."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np

from treecore.export.cards import NodeCard
from treecore.export.covering import Branching
from treecore.judging.interest import Interest
from treecore.study.groups import Groups
from treecore.tree.tree import Tree


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
    the values that their splits part? hides_empty : are leaves without rows left out?
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
