"""Guesses of splits and cuts: their ranks and points, the code that hands them in, and what a class has guessed."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.inspect.candidates import Candidate, Candidates, candidates
from treecore.growing.inspect.landscape import Curve, Landscape
from treecore.pruning.sequence import Links
from treecore.teach.hand_in import GUESSES, framed, misread, unframed
from treecore.tree.tree import Tree, split_order

ROUNDING = 1e-9
"""Numbers that differ by no larger share are equal."""


@dataclass(frozen=True)
class GuessScore:
    """A guess among what was possible.

    rank : 1 for the best; what is as good shares a rank. of : how many there were. value, best : what they compete by,
    of the guess and of the best. points : from 0 to 1, the best's for what is as good.
    """

    rank: int
    of: int
    value: float
    best: float
    points: float

    @property
    def is_best(self) -> bool:
        return self.rank == 1


def split_guess(rivals: Candidates, feature: str) -> GuessScore:
    """The best split of a feature among those of all features; its points are its share of the best score.

    A feature that the selector passes over, as its gain is below the average, ranks after all others, without points.
    """
    each = rivals.per_feature()
    mine = next(c for c in each if c.feature == feature)
    eligible = [c.score for c in each if c.eligible]
    if not mine.eligible:
        better = len(eligible) + _above([c.score for c in each if not c.eligible], mine.score)
        return GuessScore(better + 1, len(each), mine.score, max(eligible, default=0.0), 0.0)
    best = max(eligible)
    return GuessScore(_above(eligible, mine.score) + 1, len(each), mine.score, best, _share(mine.score, best))


def order_guess(rivals: Candidates, features: tuple[str, ...]) -> tuple[tuple[GuessScore, ...], float]:
    """(each feature of a ranking, judged for itself, the points of the ranking: the share of places that are right).

    A place is right where the feature has the rank of its place, or shares it with others.
    """
    judged, taken = tuple(split_guess(rivals, name) for name in features), []
    ranks = sorted(split_guess(rivals, c.feature).rank for c in rivals.per_feature())
    for place, guess in enumerate(judged):
        taken.append(guess.rank == ranks[place])
    return judged, float(np.mean(taken)) if taken else 0.0


def ordered_features(landscape: Landscape) -> tuple[str, ...]:
    """Those whose rows a threshold can part here, in the order of their names."""
    return tuple(sorted(part.feature for part in landscape.parts if isinstance(part, Curve)))


def cut_guess(landscape: Landscape, feature: str, threshold: float) -> tuple[GuessScore, Candidate]:
    """(the cut of a feature nearest to a threshold among all cuts of this feature, the best of these).

    Its points are its share of the best that any split of the node has.
    """
    part = next(p for p in landscape.parts if p.feature == feature and isinstance(p, Curve))
    at = int(np.abs(part.threshold - threshold).argmin())
    value, best = float(part.gain[at]), part.best
    judged = GuessScore(_above(part.gain, value) + 1, len(part.gain), value, best, _share(value, landscape.best))
    return judged, landscape.candidate(feature, float(part.threshold[part.gain.argmax()]))


MOST_OFFERED = 5


def offered_links(here: Links) -> tuple[int, ...]:
    """Nodes to choose from, by rising number: the weakest link, the strongest, and some between them."""
    standing = here.node[here.stands]
    places = np.unique(np.linspace(0, len(standing) - 1, min(MOST_OFFERED, len(standing))).round().astype(int))
    return tuple(sorted(standing[places].tolist()))


def link_guess(here: Links, node: int) -> GuessScore:
    """Which link is cut next: its rank by g among the nodes that have branches; points as its g comes near the least.

    value, best : g of the node, and the least.
    """
    g = here.g[here.stands]
    value, least = float(here.g[here.place(node)]), float(g.min())
    rank = int(np.sum(g < value - _slack(value))) + 1
    points = 1.0 if rank == 1 else min(max(least / value, 0.0), 1.0) if value > 0 else 0.0
    return GuessScore(rank, len(g), value, least, points)


def _above(values, mine: float) -> int:
    """How many are better, beyond rounding."""
    return int(np.sum(np.asarray(values, float) > mine + _slack(mine)))


def _slack(value: float) -> float:
    return ROUNDING * abs(value) + 1e-12


def _share(value: float, best: float) -> float:
    """Of the best; 1 where there is nothing to be gained."""
    return min(max(value / best, 0.0), 1.0) if best > _slack(0.0) else 1.0


# The code of a learner's guesses of a tree's first splits, and what a class has guessed at every node.

MOST_GUESSES = 40
"""Splits that one code tells of."""
SHOWN = ""
"""In the place of a feature: the learner had the split shown."""


@dataclass(frozen=True)
class Guesses:
    """What a code says. number : the learner's. said : feature guessed for the first split, the second and so on; SHOWN
    where it was shown."""

    number: int
    said: tuple[str, ...]


def guessed_nodes(tree: Tree, n: int) -> np.ndarray:
    """int64: the nodes whose splits are guessed, in the order in which they were split. n : so many at most."""
    return split_order(tree)[: min(n, MOST_GUESSES)]


def tree_mark(tree: Tree, n: int) -> int:
    """24 bits that tell the first n splits of a tree from others."""
    splits = [[tree.node(int(c)).condition for c in tree.children(int(t))] for t in guessed_nodes(tree, n)]
    content = repr((tree.schema.target, [f.name for f in tree.schema.features], tree.classes, splits))
    return int.from_bytes(hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=3).digest(), "big")


def guess_code(tree: Tree, number: int, features: Sequence[str]) -> str:
    """The code of guesses, a byte each; nothing in it tells who the learner is. number : 0 to 65535.

    TreecoreError for a tree of more than 254 features.
    """
    names = [feature.name for feature in tree.schema.features]
    if len(names) > 254:
        remedy = "Choose fewer features on the page Data"
        raise TreecoreError("A code tells of 254 features at most", where="Features", remedy=remedy)
    content = bytes(1 + names.index(name) if name in names else 0 for name in features[:MOST_GUESSES])
    return framed(GUESSES, number, tree_mark(tree, len(content)), content)


def is_guess_code(text: str) -> bool:
    """Is it a code of guesses, of whatever tree?"""
    try:
        return unframed(text)[0] == GUESSES
    except TreecoreError:
        return False


def read_guess_code(text: str, tree: Tree) -> Guesses:
    """What a code says. TreecoreError for a code of another tree, and for a letter that is wrong or missing."""
    version, number, mark, content = unframed(text)
    names = [feature.name for feature in tree.schema.features]
    if version != GUESSES:
        raise misread("it is of a sheet")
    if mark != tree_mark(tree, len(content)) or any(place > len(names) for place in content):
        remedy = "Open the class link yourself, or choose the recipe that it was made with"
        raise TreecoreError("This code is of another tree", where="Hand-in code", remedy=remedy)
    return Guesses(number, tuple(names[place - 1] if place else SHOWN for place in content))


@dataclass(frozen=True)
class GuessesAtNode:
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


def guesses_by_node(tree: Tree, train: Table, guesses: Sequence[Guesses]) -> list[GuessesAtNode]:
    """Every node that was asked about, in the order of growth. train : the rows that the tree grew on."""
    most, made = max((len(of.said) for of in guesses), default=0), []
    for place, node in enumerate(guessed_nodes(tree, most).tolist()):
        possible = candidates(tree, node, train)
        features = [c.feature for c in possible.per_feature()]
        best = {name for name in features if split_guess(possible, name).is_best} | {tree.node(node).feature}
        counts = Counter(of.said[place] for of in guesses if place < len(of.said))
        made.append(GuessesAtNode(node, tuple(sorted(best)), dict(counts.most_common())))
    return made


def n_best(nodes: Sequence[GuessesAtNode], of: Guesses) -> int:
    """Of one learner's guesses so many named a best feature. nodes : as `guesses_by_node` has them."""
    return sum(name in node.best for name, node in zip(of.said, nodes, strict=False))
