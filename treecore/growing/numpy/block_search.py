"""The best split of each node over all features: the twin of kernels.general.search_nodes and of
kernels.general.scores.
"""

from dataclasses import replace

import numpy as np

from treecore.criteria.split_scores import GAIN_RATIO
from treecore.growing.numpy.feature_splits import LevelGroupings, OrderedCuts, all_cuts, all_groupings, v_range
from treecore.growing.numpy.node_blocks import Block, SortedRows, blocks, good_enough, informations, may_split
from treecore.kernels.general.scores import LEAST_SCALE, SUM_TOLERANCE
from treecore.kernels.random_features import are_open
from treecore.kernels.state import (
    AVERAGE_GAIN,
    MULTIWAY,
    N_LEVELS,
    OPEN,
    ORDERED,
    OWN_VALUE,
    GrowState,
    Problem,
    with_room,
)


def search_nodes(given: SortedRows, growing: GrowState, first: int, stop: int, by: "type[FeatureSearch]") -> GrowState:
    """FeatureSearch the nodes first:stop and write the splits to them; those that have none stay leaves."""
    allowed = may_split(given.problem.rules[0], growing.nodes[first:stop])
    for block in blocks(given, growing, first + np.flatnonzero(allowed)):
        growing = by(replace(block, growing=growing)).written()
    return growing


class FeatureSearch:
    """The splits of the nodes of one block: what each feature's best one is worth, and which feature wins.

    values, gains, scores : float64 (d, q), -inf where there is no split.
    """

    def __init__(self, block: Block):
        self.block, self.rules = block, block.problem.rules[0]
        splitter = block.problem.features["splitter"]
        self.ordered = np.flatnonzero(splitter == ORDERED)
        self._cuts = all_cuts(block, self.ordered) if len(self.ordered) else None
        self.groupings = {f: all_groupings(block, f) for f in np.flatnonzero(splitter != ORDERED).tolist()}
        self.values, self.share = self._best_values()
        self.gains = np.where(self.values > -np.inf, self.values * self.share, -np.inf)
        self.scores = self._scores()
        if self.rules["n_sampled"]:
            self._close_undrawn()

    @property
    def cuts(self) -> OrderedCuts:
        """Of the ordered features; asked for only where there are some."""
        assert self._cuts is not None
        return self._cuts

    def _close_undrawn(self) -> None:
        """Leave out the features that are not drawn."""
        drawn = are_open(self.block.nodes["key"], int(self.rules["n_sampled"]), self.scores > -np.inf)
        for result in (self.values, self.gains, self.scores):
            result[~drawn] = -np.inf

    def _best_values(self) -> tuple[np.ndarray, np.ndarray]:
        """(values, share of the rows that count) of each feature's best split."""
        weight, d, q = self.block.nodes["weight"], *self.block.rows.shape[:2]
        values, share = np.empty((d, q)), np.ones((d, q))
        if self._cuts is not None:
            values[self.ordered], share[self.ordered] = self.cuts.values.max(axis=2, initial=-np.inf), self.cuts.share
        for f, grouping in self.groupings.items():
            values[f], share[f] = grouping.values.max(axis=1, initial=-np.inf), grouping.levels.weight / weight
        return values, share

    def _scores(self) -> np.ndarray:
        if self.rules["score"] != GAIN_RATIO:
            return self.gains / self.block.problem.features["cost"][:, None]
        scores = np.full_like(self.values, -np.inf)
        at, nodes = np.nonzero(self.values[self.ordered] > -np.inf)
        if len(at):
            f = self.ordered[at]
            scores[f, nodes] = self._cut_ratios(f, nodes, self._best_cuts()[at, nodes])
        for g, grouping in self.groupings.items():
            nodes = np.flatnonzero(self.values[g] > -np.inf)
            if len(nodes):
                scores[g, nodes] = self._grouping_ratios(g, nodes, np.argmax(grouping.values[nodes], axis=1))
        return scores

    def _best_cuts(self) -> np.ndarray:
        """int64 (f, q): the best cut of each ordered feature, better than those before it by more than rounding."""
        bar = self.values[self.ordered] - self.rules["tolerance"] * self.cuts.parent
        return np.argmax(self.cuts.values >= bar[..., None], axis=2)

    def _cut_ratios(self, f: np.ndarray, nodes: np.ndarray, cut: np.ndarray) -> np.ndarray:
        """float64 (n,): gain ratio of these cuts of the features f, one per node; -inf where nothing is parted."""
        values = self.cuts.values[np.searchsorted(self.ordered, f), nodes, cut]
        return self._ratios(f, nodes, values, self._cut_informations(f, nodes, cut))

    def _grouping_ratios(self, f: int, nodes: np.ndarray, split: np.ndarray) -> np.ndarray:
        """float64 (n,): gain ratio of these groupings of feature f, one per node; -inf where nothing is parted."""
        information = self._grouping_informations(f, nodes, split)
        return self._ratios(f, nodes, self.groupings[f].values[nodes, split], information)

    def _ratios(self, f, nodes: np.ndarray, value: np.ndarray, information: np.ndarray) -> np.ndarray:
        gain = value * self.share[f, nodes]
        ratio = np.divide(gain, information, out=np.full(len(nodes), -np.inf), where=information > 0.0)
        return ratio / self.block.problem.features["cost"][f]

    def _cut_informations(self, f: np.ndarray, nodes: np.ndarray, cut: np.ndarray) -> np.ndarray:
        """float64 (n,): split information; rows without a value are one more branch."""
        total, at = self.block.nodes["weight"][nodes], np.searchsorted(self.ordered, f)
        n_left, weight = self.cuts.n_left_of(at, nodes, cut), self.cuts.known[at, nodes]
        return informations(n_left, weight - n_left, total - weight, total)

    def _grouping_informations(self, f: int, nodes: np.ndarray, split: np.ndarray) -> np.ndarray:
        """float64 (n,): the same of groupings."""
        total, grouping = self.block.nodes["weight"][nodes], self.groupings[f]
        if grouping.multiway:
            return grouping.information(nodes, total)
        n_left, weight = grouping.n_left(nodes, split), grouping.levels.weight[nodes]
        return np.where(n_left > 0.0, informations(n_left, weight - n_left, total - weight, total), 0.0)

    def _winners(self) -> tuple[np.ndarray, np.ndarray]:
        """(winning feature, value at which one of its splits is as good as the best) of each node; -1 for none."""
        rules, impurity = self.rules, self.block.nodes["impurity"]
        scores = self.scores
        if rules["selector"] == AVERAGE_GAIN:
            scores = np.where(self.gains >= self._average_gain() - rules["average_slack"], scores, -np.inf)
        best = scores.max(axis=0)
        ratio = rules["score"] == GAIN_RATIO
        slack = rules["tolerance"] * (np.maximum(np.abs(best), LEAST_SCALE * impurity) if ratio else impurity)
        bar = best - slack
        winner, each = np.argmax(scores >= bar, axis=0), np.arange(len(best))
        value = self.values[winner, each]
        if ratio:
            reach = value - rules["tolerance"] * impurity
        else:
            cost = self.block.problem.features["cost"][winner]
            reach = np.minimum(value, bar * cost / self.share[winner, each])
        enough = self._are_enough(self.gains[winner, each])
        return np.where((best > -np.inf) & enough, winner, -1), reach

    def _are_enough(self, gains: np.ndarray) -> np.ndarray:
        """bool (q,): do the gains of the winners allow a split at all?"""
        return good_enough(self.rules, self.block.nodes, self.block.growing.nodes["weight"][0], gains)

    def _average_gain(self) -> np.ndarray:
        """float64 (q,): mean gain of the features that can split and count in it; infinite if there are none."""
        counts = (self.block.problem.features["averaged"] != 0)[:, None] & (self.gains > -np.inf)
        n = counts.sum(axis=0)
        total = np.cumsum(np.where(counts, self.gains, 0.0), axis=0)[-1]
        return np.where(n > 0, total / np.maximum(n, 1), np.inf)

    def written(self) -> GrowState:
        """Let the nodes have the splits that won."""
        winner, reach = self._winners()
        growing = self.block.growing
        cut = np.flatnonzero(np.isin(winner, self.ordered))
        if len(cut):
            self._write_cuts(cut, winner, reach)
        for f in np.intersect1d(winner, list(self.groupings)):
            nodes, tried = np.flatnonzero(winner == f), self.groupings[f].values
            split = np.argmax(tried[nodes] >= reach[nodes, None], axis=1)
            self._write(nodes, winner, tried[nodes, split], split)
            growing = self._write_levels(growing, f, nodes, self.groupings[f], split)
        return growing

    def _write(self, nodes: np.ndarray, winner: np.ndarray, value: np.ndarray, split: np.ndarray) -> None:
        """The feature that won at these nodes of the block, and what its split, of this value, is worth.

        Only where features are cut may they differ.
        """
        ids, record, f = self.block.ids[nodes], self.block.growing.nodes, winner[nodes]
        record["feature"][ids] = f
        record["gain"][ids], record["score"][ids] = self._worth(nodes, f, value, split)

    def _worth(self, nodes: np.ndarray, f: np.ndarray, value: np.ndarray, split: np.ndarray):
        """(gain, score) of these splits of the features f, one per node."""
        gain = value * self.share[f, nodes]
        score = gain / self.block.problem.features["cost"][f]
        if self.rules["score"] == GAIN_RATIO and f[0] in self.groupings:
            score = self._grouping_ratios(f[0], nodes, split)
        elif self.rules["score"] == GAIN_RATIO:
            score = self._cut_ratios(f, nodes, split)
        return gain, score

    def _write_cuts(self, nodes: np.ndarray, winner: np.ndarray, reach: np.ndarray) -> None:
        ids, record, f = self.block.ids[nodes], self.block.growing.nodes, np.searchsorted(self.ordered, winner[nodes])
        cut = self._cut_reaching(f, nodes, reach)
        self._write(nodes, winner, self.cuts.values[f, nodes, cut], cut)
        record["low"][ids], record["high"][ids], record["missing_branch"][ids] = self.cuts.places(f, nodes, cut)
        record["n_children"][ids] = 2

    def _cut_reaching(self, f: np.ndarray, nodes: np.ndarray, reach: np.ndarray) -> np.ndarray:
        """int64: the first cut of the f-th ordered feature that is as good as the best, one per node."""
        return np.argmax(self.cuts.values[f, nodes] >= reach[nodes, None], axis=1)

    def _write_levels(
        self, growing: GrowState, f: int, nodes, grouping: LevelGroupings, split: np.ndarray
    ) -> GrowState:
        ids, feature, rules = self.block.ids[nodes], self.block.problem.features[f], self.rules
        n_codes, multiway = int(feature["n_codes"]), feature["splitter"] == MULTIWAY
        tables = np.tile(np.arange(n_codes + 1) if multiway else np.full(n_codes + 1, -1), (len(ids), 1))
        if not multiway:
            levels = grouping.levels
            there = v_range(levels) < levels.n_levels[nodes, None]
            each = np.nonzero(there)[0]
            tables[each, levels.ids[nodes][there]] = grouping.side(nodes, split)[there]
        growing = with_room(growing, levels=tables.size)
        begin = int(growing.counts[N_LEVELS])
        growing.level_branch[begin : begin + tables.size] = tables.ravel()
        growing.counts[N_LEVELS] += tables.size
        n_children = int(feature["n_branches"]) if multiway else 2
        record, of_missing = growing.nodes, tables[:, n_codes]
        own = rules["missing"] == OWN_VALUE
        record["missing_branch"][ids] = np.where(own & (of_missing >= 0) & (of_missing < n_children), of_missing, OPEN)
        record["level_start"][ids] = begin + np.arange(len(ids)) * (n_codes + 1)
        record["n_children"][ids] = n_children
        return growing


# The search of J48, whose numeric features pay for the number of their cuts and whose numbers may be a little apart
# and count as equal: the twin of what kernels.general.ordered_cuts and kernels.general.scores do for it.


def is_known(problem: Problem) -> bool:
    """Cuts, and a branch per level; missing is no value of its own."""
    splitters = np.isin(problem.features["splitter"], (ORDERED, MULTIWAY)).all()
    return bool(splitters and problem.rules["missing"][0] != OWN_VALUE)


class MdlSearch(FeatureSearch):
    """The splits of the nodes of one block.

    cut : int64 (f, q), of each ordered feature the last cut that was better than all before it by more than the step.
    least : float64 (f, q), weight that a side of a cut needs.
    """

    def _best_values(self) -> tuple[np.ndarray, np.ndarray]:
        if self._cuts is not None:
            self.least = self._least()
            self._leave_out_small_sides()
            self.cut, best = self._better_in_turn()
        values, share = super()._best_values()
        if self._cuts is not None:
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
        result = zip(each.tolist(), cut.tolist(), values.reshape(step.size, -1)[each, cut].tolist(), strict=True)
        for i, place, value in result:
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
                at = int(np.searchsorted(self.ordered, f))
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
