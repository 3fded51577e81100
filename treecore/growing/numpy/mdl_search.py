"""The search of J48, whose numeric features pay for the number of their cuts and whose numbers may be a little apart
and count as equal: the twin of what kernels.general.ordered_cuts and kernels.general.scores do for it."""

import numpy as np

from treecore.growing.numpy.search import Search
from treecore.kernels.general.scores import SUM_TOLERANCE
from treecore.kernels.state import MULTIWAY, ORDERED, OWN_VALUE, Problem


def is_known(problem: Problem) -> bool:
    """Cuts, and a branch per level; missing is no value of its own."""
    splitters = np.isin(problem.features["splitter"], (ORDERED, MULTIWAY)).all()
    return bool(splitters and problem.rules["missing"][0] != OWN_VALUE)


class MdlSearch(Search):
    """The splits of the nodes of one block.

    cut : int64 (f, q), of each ordered feature the last cut that was better than all before it by more than the step.
    least : float64 (f, q), weight that a side of a cut needs.
    """

    def _best_values(self) -> tuple[np.ndarray, np.ndarray]:
        if self.cuts is not None:
            self.least = self._least()
            self._leave_out_small_sides()
            self.cut, best = self._better_in_turn()
        values, share = super()._best_values()
        if self.cuts is not None:
            values[self.ordered] = best
        return values, share

    def _least(self) -> np.ndarray:
        """float64 (f, q): weight that a side needs, see scores.least_weight."""
        even = np.minimum(0.1 * self.cuts.known / self.rules["n_classes"], 25.0)
        return np.maximum(self.rules["min_weight_leaf"], even - SUM_TOLERANCE)

    def _leave_out_small_sides(self) -> None:
        least, n_left = self.least[..., None], self.cuts.n_left
        small = (n_left < least) | (self.cuts.known[..., None] - n_left < least)
        self.cuts.values[small] = -np.inf

    def _better_in_turn(self) -> tuple[np.ndarray, np.ndarray]:
        """(cut, its value), (f, q), going from cut to cut; -inf where none is worth more than the step."""
        values, step = self.cuts.values, SUM_TOLERANCE / self.cuts.share
        at, best = np.zeros(step.size, np.int64), np.full(step.size, -np.inf)
        so_far = np.maximum.accumulate(values, axis=2)
        rises = values > 0.0
        rises[..., 1:] &= values[..., 1:] > so_far[..., :-1]  # no other cut can be better by the step than one before
        each, cut = np.nonzero(rises.reshape(step.size, -1))
        steps, last, to_beat = step.ravel().tolist(), -1, 0.0
        found = zip(each.tolist(), cut.tolist(), values.reshape(step.size, -1)[each, cut].tolist(), strict=True)
        for i, place, value in found:
            if i != last:
                last, to_beat = i, steps[i]
            if value > to_beat:
                at[i], best[i], to_beat = place, value, value + steps[i]
        return at.reshape(step.shape), best.reshape(step.shape)

    def _scores(self) -> np.ndarray:
        """Gain ratios; gains become those that are left when numeric features have paid."""
        total, scores = self.block.nodes["weight"], np.full_like(self.values, -np.inf)
        for f in range(len(self.values)):
            some = np.flatnonzero(self.values[f] > -np.inf)
            ordered = f not in self.groupings
            weight = self._known_weight(f)[some]
            gain = np.where(self.gains[f, some] * weight < SUM_TOLERANCE, 0.0, self.gains[f, some])
            if ordered:
                at = np.searchsorted(self.ordered, f)
                gain = self._paid(at, some, gain)
                info = self._cut_informations(np.full(len(some), f), some, self.cut[at, some])
            else:
                info = self._grouping_informations(f, some, np.zeros(len(some), np.int64))
            self.gains[f, some] = gain
            self.values[f, some] = np.where(gain > -np.inf, self.values[f, some], -np.inf)
            asked = (info > SUM_TOLERANCE / total[some]) & (gain > -np.inf)
            ratio = np.divide(gain, info, out=np.full(len(some), -np.inf), where=asked)
            scores[f, some] = ratio / self.block.problem.features["cost"][f]
        return scores

    def _known_weight(self, f: int) -> np.ndarray:
        """float64 (q,): of the rows with a value."""
        if f in self.groupings:
            return self.groupings[f].levels.weight
        return self.cuts.known[np.searchsorted(self.ordered, f)]

    def _paid(self, at: int, nodes: np.ndarray, gain: np.ndarray) -> np.ndarray:
        """What is left of the gains of an ordered feature; -inf where it is nothing, or the node is too small."""
        n_cuts = (self.cuts.values[at, nodes] > -np.inf).sum(axis=1)
        gain = gain - np.log2(n_cuts) / self.block.nodes["weight"][nodes]
        n_known = self.block.counted[self.ordered[at], nodes].sum(axis=1)
        few = n_known < 2.0 * self.least[at, nodes] + SUM_TOLERANCE
        return np.where(few | (gain < SUM_TOLERANCE), -np.inf, gain)

    def _winners(self) -> tuple[np.ndarray, np.ndarray]:
        """The feature that no later one beats by more than the step, see scores.first_clearly_best; no value to reach:
        its cut is known, and a branch per level is the only grouping."""
        least = self._average_gain() - self.rules["average_slack"]
        winner, best = np.full(len(least), -1), np.zeros(len(least))
        for f in range(len(self.scores)):
            better = (self.gains[f] >= least) & (self.scores[f] - best > self.rules["step"])
            winner, best = np.where(better, f, winner), np.where(better, self.scores[f], best)
        gain = np.where(winner >= 0, self.gains[winner, np.arange(len(winner))], -np.inf)
        return np.where(self._are_enough(gain), winner, -1), np.full(len(winner), -np.inf)

    def _cut_reaching(self, f: np.ndarray, nodes: np.ndarray, reach: np.ndarray) -> np.ndarray:
        return self.cut[f, nodes]

    def _worth(self, nodes: np.ndarray, f: np.ndarray, value: np.ndarray, split: np.ndarray):
        return self.gains[f, nodes], self.scores[f, nodes]
