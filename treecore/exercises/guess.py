"""What a learner has guessed of a split or of a cut, judged: its rank among all that was possible, and its points."""

from dataclasses import dataclass

import numpy as np

from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.growing.inspect.landscape import Curve, Landscape
from treecore.pruning.sequence import Links

ROUNDING = 1e-9
"""Numbers that differ by no larger share are equal."""


@dataclass(frozen=True)
class Judged:
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


def split_guess(found: Candidates, feature: str) -> Judged:
    """The best split of a feature among those of all features; its points are its share of the best score.

    A feature that the selector passes over, as its gain is below the average, ranks after all others, without points.
    """
    each = found.per_feature()
    mine = next(c for c in each if c.feature == feature)
    eligible = [c.score for c in each if c.eligible]
    if not mine.eligible:
        better = len(eligible) + _above([c.score for c in each if not c.eligible], mine.score)
        return Judged(better + 1, len(each), mine.score, max(eligible, default=0.0), 0.0)
    best = max(eligible)
    return Judged(_above(eligible, mine.score) + 1, len(each), mine.score, best, _share(mine.score, best))


def order_guess(found: Candidates, features: tuple[str, ...]) -> tuple[tuple[Judged, ...], float]:
    """(each feature of a ranking, judged for itself, the points of the ranking: the share of places that are right).

    A place is right where the feature has the rank of its place, or shares it with others.
    """
    judged, taken = tuple(split_guess(found, name) for name in features), []
    ranks = sorted(split_guess(found, c.feature).rank for c in found.per_feature())
    for place, guess in enumerate(judged):
        taken.append(guess.rank == ranks[place])
    return judged, float(np.mean(taken)) if taken else 0.0


def ordered_features(found: Landscape) -> tuple[str, ...]:
    """Those whose rows a threshold can part here, in the order of their names."""
    return tuple(sorted(part.feature for part in found.parts if isinstance(part, Curve)))


def cut_guess(found: Landscape, feature: str, threshold: float) -> tuple[Judged, Candidate]:
    """(the cut of a feature nearest to a threshold among all cuts of this feature, the best of these).

    Its points are its share of the best that any split of the node has.
    """
    part = next(p for p in found.parts if p.feature == feature and isinstance(p, Curve))
    at = int(np.abs(part.threshold - threshold).argmin())
    value, best = float(part.gain[at]), part.best
    judged = Judged(_above(part.gain, value) + 1, len(part.gain), value, best, _share(value, found.best))
    return judged, found.candidate(feature, float(part.threshold[part.gain.argmax()]))


MOST_OFFERED = 5


def offered_links(here: Links) -> tuple[int, ...]:
    """Nodes to choose from, by rising number: the weakest link, the strongest, and some between them."""
    standing = here.node[here.stands]
    places = np.unique(np.linspace(0, len(standing) - 1, min(MOST_OFFERED, len(standing))).round().astype(int))
    return tuple(sorted(standing[places].tolist()))


def link_guess(here: Links, node: int) -> Judged:
    """Which link is cut next: its rank by g among the nodes that have branches; points as its g comes near the least.

    value, best : g of the node, and the least.
    """
    g = here.g[here.stands]
    value, least = float(here.g[here.place(node)]), float(g.min())
    rank = int(np.sum(g < value - _slack(value))) + 1
    points = 1.0 if rank == 1 else min(max(least / value, 0.0), 1.0) if value > 0 else 0.0
    return Judged(rank, len(g), value, least, points)


def _above(values, mine: float) -> int:
    """How many are better, beyond rounding."""
    return int(np.sum(np.asarray(values, float) > mine + _slack(mine)))


def _slack(value: float) -> float:
    return ROUNDING * abs(value) + 1e-12


def _share(value: float, best: float) -> float:
    """Of the best; 1 where there is nothing to be gained."""
    return min(max(value / best, 0.0), 1.0) if best > _slack(0.0) else 1.0
