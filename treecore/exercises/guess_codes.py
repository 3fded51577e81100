"""The code of a learner's guesses of a tree's first splits, and what a class has guessed at every node."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.exercises.guess import split_guess
from treecore.exercises.handin import GUESSES, framed, misread, unframed
from treecore.growing.inspect.candidates import candidates
from treecore.tree.tree import Tree, split_order

MOST = 40
"""Splits that one code tells of."""
SHOWN = ""
"""In the place of a feature: the learner had the split shown."""


@dataclass(frozen=True)
class Guesses:
    """What a code says. number : the learner's. said : feature guessed for the first split, the second and so on; SHOWN
    where it was shown."""

    number: int
    said: tuple[str, ...]


def asked(tree: Tree, n: int) -> np.ndarray:
    """int64: the nodes whose splits are guessed, in the order in which they were split. n : so many at most."""
    return split_order(tree)[: min(n, MOST)]


def mark_of(tree: Tree, n: int) -> int:
    """24 bits that tell the first n splits of a tree from others."""
    splits = [[tree.node(int(c)).condition for c in tree.children(int(t))] for t in asked(tree, n)]
    told = repr((tree.schema.target, [f.name for f in tree.schema.features], tree.classes, splits))
    return int.from_bytes(hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=3).digest(), "big")


def code(tree: Tree, number: int, said: Sequence[str]) -> str:
    """The code of guesses, a byte each; nothing in it tells who the learner is. number : 0 to 65535.

    TreecoreError for a tree of more than 254 features.
    """
    names = [feature.name for feature in tree.schema.features]
    if len(names) > 254:
        remedy = "Choose fewer features on the page Data"
        raise TreecoreError("A code tells of 254 features at most", where="Features", remedy=remedy)
    content = bytes(1 + names.index(name) if name in names else 0 for name in said[:MOST])
    return framed(GUESSES, number, mark_of(tree, len(content)), content)


def is_one(text: str) -> bool:
    """Is it a code of guesses, of whatever tree?"""
    try:
        return unframed(text)[0] == GUESSES
    except TreecoreError:
        return False


def read(text: str, tree: Tree) -> Guesses:
    """What a code says. TreecoreError for a code of another tree, and for a letter that is wrong or missing."""
    version, number, mark, content = unframed(text)
    names = [feature.name for feature in tree.schema.features]
    if version != GUESSES:
        raise misread("it is of a sheet")
    if mark != mark_of(tree, len(content)) or any(place > len(names) for place in content):
        remedy = "Open the class link yourself, or choose the recipe that it was made with"
        raise TreecoreError("This code is of another tree", where="Hand-in code", remedy=remedy)
    return Guesses(number, tuple(names[place - 1] if place else SHOWN for place in content))


@dataclass(frozen=True)
class AtNode:
    """What a class has guessed at one node. best : features that no other one beats there. said : feature -> learners,
    the most frequent first; SHOWN among them."""

    node: int
    best: tuple[str, ...]
    said: dict[str, int]

    @property
    def n(self) -> int:
        return sum(self.said.values())

    @property
    def right(self) -> int:
        return sum(n for name, n in self.said.items() if name in self.best)

    @property
    def text(self) -> str:
        """ "22 humidity, 6 wind, 2 shown"."""
        return ", ".join(f"{n} {name or 'shown'}" for name, n in self.said.items())


def by_node(tree: Tree, train: Table, found: Sequence[Guesses]) -> list[AtNode]:
    """Every node that was asked about, in the order of growth. train : the rows that the tree grew on."""
    most, made = max((len(of.said) for of in found), default=0), []
    for place, node in enumerate(asked(tree, most).tolist()):
        possible = candidates(tree, node, train)
        features = [c.feature for c in possible.per_feature()]
        best = {name for name in features if split_guess(possible, name).is_best} | {tree.node(node).feature}
        said = Counter(of.said[place] for of in found if place < len(of.said))
        made.append(AtNode(node, tuple(sorted(best)), dict(said.most_common())))
    return made


def n_best(nodes: Sequence[AtNode], of: Guesses) -> int:
    """Of one learner's guesses so many named a best feature. nodes : as `by_node` has them."""
    return sum(name in node.best for name, node in zip(of.said, nodes, strict=False))
