"""RIPPER: rules class by class, the rarest first, each grown and pruned, the list made short."""

from dataclasses import dataclass

import numpy as np

from treecore.covering.rule_length import RuleLengths, Tests, data_bits, passes
from treecore.covering.value_rules import SMALL, TrainingArrays, ValueRule, ValueRules, ValueTest, check_settings
from treecore.covering.weka_random import JavaRandom, first_random_row, rising, text_hash

# One rule of RIPPER: grown by FOIL's gain, then cut back on rows of its own.


@dataclass(frozen=True)
class Antecedent:
    """A test with its gain. right, rate : weight of the class it finds, and (right + 1) / (covered + 1)."""

    test: ValueTest
    gain: float
    right: float
    rate: float


def grown(
    rows: TrainingArrays, wanted: int, at: np.ndarray, tests: tuple[ValueTest, ...], least: float
) -> tuple[ValueTest, ...]:
    """The tests with more behind them, while a test gains and finds weight `least` of the class or more.

    at : positions of the rows to grow on, which pass `tests`.
    """
    weight = float(rows.weight[at].sum())
    if weight <= SMALL:
        return tests
    rate = (_right(rows, wanted, at) + 1.0) / (weight + 1.0)
    used = {t.feature for t in tests if rows.n_levels[t.feature]}
    while len(at) and 1.0 - rate > SMALL:
        free = [f for f in range(rows.n_features) if f not in used]
        best = _best_antecedent(rows, wanted, at, free, rate)
        if best is None or least - best.right > SMALL:
            break
        if rows.n_levels[best.test.feature]:
            used.add(best.test.feature)
        tests, at, rate = (*tests, best.test), at[best.test.holds(rows.values, at)], best.rate
    return tests


def _right(rows: TrainingArrays, wanted: int, at: np.ndarray) -> float:
    return float(rows.weight[at][rows.labels[at] == wanted].sum())


def _best_antecedent(
    rows: TrainingArrays, wanted: int, at: np.ndarray, free: list[int], rate: float
) -> Antecedent | None:
    """The test of most gain above 0, the first of equals."""
    best = None
    for feature in free:
        candidate = (_of_levels if rows.n_levels[feature] else _of_numbers)(rows, wanted, at, feature, rate)
        if candidate is not None and candidate.gain > (best.gain if best else 0.0):
            best = candidate
    return best


def _of_levels(rows: TrainingArrays, wanted: int, at: np.ndarray, feature: int, rate: float) -> Antecedent | None:
    column = rows.values[feature][at]
    at = at[~np.isnan(column)]
    levels, weight = rows.values[feature][at].astype(int), rows.weight[at]
    covered = np.bincount(levels, weight, rows.n_levels[feature])
    right = np.bincount(levels, weight * (rows.labels[at] == wanted), rows.n_levels[feature])
    rates = (right + 1.0) / (covered + 1.0)
    gain = right * (_log2(rates) - _log2(rate))
    level = int(np.argmax(gain))
    return Antecedent(
        ValueTest(feature, "=", float(level)), float(gain[level]), float(right[level]), float(rates[level])
    )


def _of_numbers(rows: TrainingArrays, wanted: int, at: np.ndarray, feature: int, rate: float) -> Antecedent | None:
    """Up to every value, or from it on: whichever gains more, the second where they are equal."""
    column = rows.values[feature][at]
    known = ~np.isnan(column)
    if not known.any():
        return None
    values, place = np.unique(column[known], return_inverse=True)
    weight = rows.weight[at][known]
    covered = np.bincount(place, weight)
    right = np.bincount(place, weight * (rows.labels[at][known] == wanted))
    up, up_right = np.cumsum(covered), np.cumsum(right)
    on, on_right = up[-1] - up + covered, up_right[-1] - up_right + right
    first, second = (r * (_log2((r + 1.0) / (c + 1.0)) - _log2(rate)) for r, c in ((up_right, up), (on_right, on)))
    best = int(np.argmax(np.maximum(first, second)))
    low = bool(first[best] > second[best])
    c, r, gain = (up[best], up_right[best], first[best]) if low else (on[best], on_right[best], second[best])
    return Antecedent(
        ValueTest(feature, "<=" if low else ">=", float(values[best])), float(gain), float(r), (r + 1) / (c + 1)
    )


def _log2(x):
    return np.log(x) / np.log(2.0)


def pruned(
    rows: TrainingArrays, wanted: int, at: np.ndarray, tests: tuple[ValueTest, ...], whole: bool
) -> tuple[ValueTest, ...]:
    """The first tests alone, as many as are most accurate on the rows `at`; fewer where that is equal.

    whole : rows that are left out rightly count as right, too, as for a rule within its list.
    """
    total = float(rows.weight[at].sum())
    if total <= SMALL:
        return tests
    keep, most, refused = 0, (_right(rows, wanted, at) + 1.0) / (total + 2.0), 0.0
    for n, test in enumerate(tests, 1):
        inside = test.holds(rows.values, at)
        out = at[~inside]
        refused += float(rows.weight[out].sum()) - _right(rows, wanted, out)
        at = at[inside]
        right, covered = _right(rows, wanted, at), float(rows.weight[at].sum())
        worth = (right + refused) / total if whole else (right + 1.0) / (covered + 2.0)
        if worth > most:
            keep, most = n, worth
    return tests[:keep]


SURPLUS = 64.0
"""Bits by which a list may be longer than the shortest so far."""


@dataclass(frozen=True)
class RipperSettings:
    """folds : one of so many prunes, the others grow. least : weight of the class that a test must find.

    rounds : of optimisation. seed : of the shuffles. prune : False grows rules on all rows and leaves them so, without
    rounds. check_error : rules for a class end at one that is wrong as often as right.
    """

    folds: int = 3
    least: float = 2.0
    rounds: int = 2
    seed: int = 1
    prune: bool = True
    check_error: bool = True

    def __post_init__(self):
        check_settings(self, folds=2, least=0.0, rounds=0, seed=-(2**31))


def ripper(rows: TrainingArrays, settings: RipperSettings = RipperSettings()) -> ValueRules:
    """Rules of every class but the most frequent one, which answers where none does.

    Source: Cohen (1995); draws, ties and lengths as Weka 3.6 has them (JRip).
    """
    random = JavaRandom(settings.seed)
    random = JavaRandom(text_hash(first_random_row(rows, random)) + settings.seed)
    order = _classes(rows, JavaRandom(random.whole()))
    ranked = rows.numbered(np.argsort(order)[rows.labels])
    counts, left, rules = ranked.by_class(), np.arange(rows.n_rows), []
    for k in range(rows.n_classes - 1):
        own = float(ranked.weight[left][ranked.labels[left] == k].sum())
        if counts[k] <= SMALL or own <= 0:
            continue
        learner = _OneClass(ranked, k, counts[k] / counts[k:].sum(), left, settings, random)
        lists = learner.rules()
        if lists.tests:
            left = lists.start  # the same rows; without a round Weka goes on in the order that was drawn for the first
        for tests in lists.tests:
            inside = passes(rows, tests, left)
            rules.append(ValueRule(tests, int(order[k]), tuple(rows.by_class(left[inside]).tolist())))
            left = left[~inside]
    return ValueRules(tuple(rules), int(order[-1]), tuple(rows.by_class(left).tolist()))


def _classes(rows: TrainingArrays, random: JavaRandom) -> np.ndarray:
    """int64 (n_classes,): the classes, the rarest first; of equals in a drawn order."""
    shuffled = random.shuffled(np.arange(rows.n_classes))
    return shuffled[rising(rows.by_class()[shuffled])]


class _OneClass:
    """Rules for one class, and their description length as they come."""

    def __init__(self, rows, wanted, expected, start, settings, random: JavaRandom):
        self.rows, self.wanted, self.expected, self.start = rows, wanted, expected, start
        self.settings, self.random = settings, random
        self.n_tests = float(sum(n or 2 * _distinct(rows.values[f]) for f, n in enumerate(rows.n_levels)))
        own = float(rows.weight[start][rows.labels[start] == wanted].sum())
        self.first = data_bits(expected, 0.0, float(rows.weight[start].sum()), 0.0, own)

    def rules(self) -> RuleLengths:
        """Grown one after the other, then each set against two variants, as often as there are rounds."""
        lengths = self._built()
        for _ in range(self.settings.rounds if self.settings.prune else 0):
            lengths = self._optimised(lengths.tests)
        return lengths

    def _lengths(self) -> RuleLengths:
        check = self.settings.check_error
        return RuleLengths(self.rows, self.wanted, self.n_tests, self.expected, self.start, check)

    def _built(self) -> RuleLengths:
        lengths, least, bits, more = self._lengths(), self.first, self.first, True
        while more:
            growing, pruning = self._parts(lengths.after[-1] if lengths.after else self.start)
            if not lengths.tests and self.settings.prune:  # Weka goes on in the order that is drawn first
                lengths.start = np.concatenate([growing, pruning])
            lengths.add(self._new(growing, pruning))
            bits += lengths.bits_with(len(lengths.tests) - 1)
            least = min(least, bits)
            more = not self._ends(lengths, least, bits)
            if not more:
                lengths.drop_last()
            elif lengths.stats[-1].missed <= SMALL:
                break
        return lengths

    def _new(self, growing: np.ndarray, pruning: np.ndarray) -> Tests:
        tests = grown(self.rows, self.wanted, growing, (), self.settings.least)
        return pruned(self.rows, self.wanted, pruning, tests, whole=False) if self.settings.prune else tests

    def _ends(self, lengths: RuleLengths, least: float, bits: float) -> bool:
        """Is the list too long, or the last rule without a hit or wrong as often as right?"""
        last = lengths.stats[-1]
        wrong = self.settings.check_error and last.hit > SMALL and last.false / last.covered >= 0.5
        return bits > least + SURPLUS or last.hit <= SMALL or wrong

    def _parts(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(rows to grow on, rows to prune on), drawn class by class so that both have the classes' shares."""
        if not self.settings.prune:
            return at, at[:0]
        folds, labels = self.settings.folds, self.rows.labels[at]
        bags = [self.random.shuffled(at[labels == k]) for k in range(self.rows.n_classes)]
        together = np.concatenate(bags)
        shuffled = np.concatenate([together[fold::folds] for fold in range(folds)])
        n_growing = len(at) * (folds - 1) // folds
        return shuffled[:n_growing], shuffled[n_growing:]

    def _optimised(self, old: list[Tests]) -> RuleLengths:
        """Every rule, or its replacement, or its revision: whichever makes the list shortest; then more if need be."""
        old, lengths = list(old), self._lengths()
        least = bits = self.first
        place, at, stopped = 0, self.start, False
        while not stopped:
            growing, pruning = self._parts(at)
            rest = place >= len(old)
            if not rest and not passes(self.rows, old[place], at).any():
                lengths.add(old[place])
                at = np.concatenate([growing, pruning])  # Weka goes on in the order that was drawn
                place += 1
                continue
            tests = self._new(growing, pruning) if rest else self._variant(old, place, lengths, growing, pruning)
            lengths.add(tests)
            missed = lengths.stats[-1].missed
            if rest:
                bits += lengths.bits_with(place)
                least = min(least, bits)
                stopped = self._ends(lengths, least, bits)
                if stopped:
                    lengths.drop_last()
                    place -= 1
                else:
                    old.append(tests)
            else:
                old[place] = tests
            if lengths.tests:
                at = lengths.after[-1]
            place += 1
            if missed <= SMALL:
                break
        for tests in old[place + 1 :]:
            lengths.add(tests)
        lengths.drop_costly()
        return lengths

    def _variant(self, old: list[Tests], place: int, lengths: RuleLengths, growing, pruning) -> Tests:
        """The rule as it is, revised, or replaced, the first of the shortest."""
        new = grown(self.rows, self.wanted, growing, (), self.settings.least)
        later = old[place + 1 :]
        free = ~np.any([passes(self.rows, tests, pruning) for tests in later], axis=0) if later else slice(None)
        pruning = pruning[free]
        new = pruned(self.rows, self.wanted, pruning, new, whole=True)
        own = growing[passes(self.rows, old[place], growing)]
        revised = grown(self.rows, self.wanted, own, old[place], self.settings.least)
        revised = pruned(self.rows, self.wanted, pruning, revised, whole=True)
        bits = [self._bits(old, place, tests, lengths) for tests in (old[place], revised, new)]
        return (old[place], revised, new)[int(np.argmin(bits))]

    def _bits(self, old: list[Tests], place: int, tests: Tests, lengths: RuleLengths) -> float:
        trial = self._lengths()
        trial.tests, trial.stats, trial.after = list(lengths.tests), list(lengths.stats), list(lengths.after)
        for one in (tests, *old[place + 1 :]):
            trial.add(one)
        return trial.bits_with(place)


def _distinct(values: np.ndarray) -> int:
    return len(np.unique(values[~np.isnan(values)]))
