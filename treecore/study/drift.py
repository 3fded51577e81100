"""Does a tree still hold for rows that came later? Where they end, what they are like, and how often they are so.

Two tables are compared: the rows that the tree was grown on, and rows of another time. What can be said of the first
without having them is in the tree: how many rows each leaf had, and of which classes.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf, isfinite, nan, sqrt
from typing import Any

import numpy as np

from treecore.brief import MOST_LINES, Brief, visible
from treecore.data.level_index import NO_LEVEL, places_among
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import brief, counted, number, percent
from treecore.judging.answers import Answers, answers_of
from treecore.judging.interest import Interest, interest_of, wilson
from treecore.judging.measures import MEASURES
from treecore.judging.ranking import ranking_by, ranking_of_groups
from treecore.kernels.codes import CUTS, THRESHOLD
from treecore.rules.rule_set import rules
from treecore.study.twins import Twins, judged, node_tests, rows_judged
from treecore.tree.node_statistics import end_statistics, has_target
from treecore.tree.predict import route
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix

LEVEL = 0.01
"""Of the leaves' tests: lower than usual, as splits were chosen by the training rows, which sets their rates apart."""
FAIL_ABOVE = 0.25
"""A stability index above this is taken for another population; from 0.1 on people look. Source: Siddiqi (2006)."""
PSEUDO = 0.5
"""Rows that are added to every bin, so that an empty one does not make the index infinite."""
MOST_BINS, MOST_NAMED = 10, 8
MOST_NEW = 0.05
"""Of the rows: with more of them of levels that the tree does not know it no longer holds."""
FACTOR, SPREADS = 1.25, 0.25
"""Leaves count as changed where chance does not explain the difference, and a rate is more than this many times the
other, or a mean or an effect is further off than this part of the standard deviation of what it is a mean of."""


@dataclass(frozen=True)
class Bin:
    """Rows of some values, then and now; by weight."""

    name: str
    then: float
    now: float


@dataclass(frozen=True)
class FeatureShift:
    """A feature that the tree asks for, then and now.

    index : stability index over the bins; None without the training rows, of which the tree keeps no values.
    chance : what it stays below by chance in 99 of 100 samples of so many rows. missing_then, missing_now : shares
    of rows without a value; the former None without the training rows. new_levels : names that the tree does not know.
    """

    name: str
    index: float | None
    chance: float | None
    bins: tuple[Bin, ...]
    missing_then: float | None
    missing_now: float
    new_levels: tuple[str, ...] = ()
    n_new: float = 0.0


@dataclass(frozen=True)
class LeafShift:
    """A leaf, then and now.

    then, now : rows, by weight. rate_then, rate_now : share of the class of interest (of the tree's answer, where no
    class is looked for), mean of the numbers, rate of counts, hazard ratio or effect, of rows with a known target; NaN
    where there are none. low, high : 95 % interval of rate_now, NaN for numbers. p : of the test that both are alike,
    adjusted for all leaves; NaN where it was not tested. changed : is the difference beyond chance, and large?
    """

    node: int
    rule: str
    then: float
    now: float
    rate_then: float
    rate_now: float
    low: float
    high: float
    p: float
    changed: bool


@dataclass(frozen=True)
class Month:
    """Rows of one month: how many, the index of their leaves, and what was expected and observed of the target."""

    name: str
    n_rows: int
    index: float
    expected: float
    observed: float


@dataclass(frozen=True, eq=False, repr=False)
class Drift(Brief):
    """Whether a tree still holds; see `check`.

    then, now : rows by weight. index, chance : of the leaves, as of a FeatureShift. expected, observed : the rate that
    the tree's leaves promise for the new rows, and theirs; low, high : its 95 % interval. quality : "AUC", "RMSE" of
    numbers, "mean deviance" of counts or "Qini coefficient" of effects, then and now; "" where it is not judged.
    tests : of the leaves, None without targets.
    """

    tree: Tree
    interest: Interest | None
    then: float
    now: float
    index: float
    chance: float
    leaves: tuple[LeafShift, ...]
    features: tuple[FeatureShift, ...]
    fail_above: float
    expected: float = nan
    observed: float = nan
    low: float = nan
    high: float = nan
    quality: str = ""
    quality_then: float = nan
    quality_now: float = nan
    months: tuple[Month, ...] = ()
    tests: Twins | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why the tree no longer holds; () where it does."""
        result = []
        if self.index > max(self.fail_above, self.chance):
            result.append(f"its leaves hold other shares of the rows (index {self.index:.2f})")
        moved = [f for f in self.features if f.index is not None and f.index > max(self.fail_above, f.chance or 0.0)]
        if moved:
            named = ", ".join(f"{f.name} ({f.index:.2f})" for f in moved[:MOST_NAMED])
            result.append(f"what it asks for is distributed otherwise: {named}")
        result += [f"{percent(f.n_new / self.now)} of the rows have levels of {f.name} that it does not know"
                  for f in self.features if f.n_new > MOST_NEW * self.now]  # fmt: skip
        changed = [leaf for leaf in self.leaves if leaf.changed]
        if changed:
            result.append(f"{counted(len(changed), 'leaf', 'leaves')} of {len(self.leaves)} "
                         f"{'has' if len(changed) == 1 else 'have'} other {self._noun}s than then")  # fmt: skip
        return tuple(result)

    def __str__(self) -> str:
        """The beginning of its text."""
        lines = self.text().split("\n")
        more = [f"… {len(lines) - MOST_LINES:,} lines more in text()"] if len(lines) > MOST_LINES else []
        return "\n".join(lines[:MOST_LINES] + more)

    @property
    def holds(self) -> bool:
        return not self.reasons

    @property
    def sentence(self) -> str:
        """What to know first."""
        if self.reasons:
            return f"The tree no longer holds: {'; '.join(self.reasons)}."
        judged = any(isfinite(leaf.rate_now) for leaf in self.leaves)  # not by effects of rows of one arm
        told = f", and no leaf's {self._noun} has changed" if judged else ""
        return f"The tree still holds: its leaves have much the same shares of the rows (index {self.index:.2f}){told}."

    def text(self) -> str:
        """The sentence, then what it rests on, as lines of a terminal."""
        lines = [self.sentence, *self._of_all(), "", *self._of_leaves(), "", *self._of_features(),
                 *self._of_months(), *(f"note: {note}" for note in self.notes)]  # fmt: skip
        return "\n".join(map(visible, lines))

    def _of_all(self) -> list[str]:
        lines = [f"leaves: stability index {self.index:.3f}; up to {self.chance:.3f} is chance with so many rows"]
        show = self.rate_text
        if self.tests is not None:
            between = f" ({show(self.low)} to {show(self.high)})" if isfinite(self.low) else ""
            lines.append(f"{self.about_class}: expected {show(self.expected)}, observed {show(self.observed)}{between}")
        if self.quality:
            lines.append(f"{self.quality}: then {brief(self.quality_then)}, now {brief(self.quality_now)}")
        return lines

    def _of_leaves(self) -> list[str]:
        show = self.rate_text
        told = [(show(leaf.rate_then), show(leaf.rate_now) if isfinite(leaf.rate_now) else "–") for leaf in self.leaves]
        wide = max(9, *(len(text) for rates in told for text in rates))
        lines = [f"{'leaf':>6} {'rows then':>12} {'now':>12} {'then':>{wide}} {'now':>{wide}}  rule"]
        for leaf, (then, now) in zip(self.leaves, told, strict=True):
            shares = percent(leaf.then / self.then if self.then else nan), percent(leaf.now / self.now)
            mark = "  changed" * leaf.changed
            lines.append(
                f"{leaf.node:>6} {shares[0]:>12} {shares[1]:>12} {then:>{wide}} {now:>{wide}}  {leaf.rule}{mark}"
            )
        return lines

    def _of_features(self) -> list[str]:
        lines = []
        for f in self.features:
            index = "" if f.index is None else f"index {f.index:.3f} (chance {f.chance:.3f}), "
            gone = f"missing {percent(f.missing_now)}"
            gone += "" if f.missing_then is None else f" (then {percent(f.missing_then)})"
            new = f", new levels: {', '.join(f.new_levels[:MOST_NAMED])}" if f.new_levels else ""
            lines.append(f"{f.name}: {index}{gone}{new}")
        return lines

    def _of_months(self) -> list[str]:
        show = self.rate_text
        rates = lambda m: f", expected {show(m.expected)}, observed {show(m.observed)}"  # noqa: E731
        return [
            f"{m.name}: {counted(m.n_rows, 'row')}, index {m.index:.3f}{rates(m) if isfinite(m.observed) else ''}"
            for m in self.months
        ]

    @property
    def _noun(self) -> str:
        return self.tree.target_kind.observed_noun

    def rate_text(self, rate: float) -> str:
        """A rate, or another of the figures that leaves have then and now, in the words of about_class."""
        if self.tree.classes:
            return percent(rate)
        return self.tree.target_kind.figure_text(self.tree, rate)

    @property
    def about_class(self) -> str:
        """What rates are of: a class, the leaf's answer, the target's mean, or what another target is answered by."""
        if not self.tree.classes:
            return self.tree.target_kind.observed_quantity(self.tree)
        return self.interest.name if self.interest else "right answers"

    def to_dict(self) -> dict:
        """For machines: plain numbers and texts; what is not known is None."""
        made = {name: getattr(self, name) for name in SINGLE} | {
            "holds": self.holds, "sentence": self.sentence, "reasons": list(self.reasons), "rates_of": self.about_class,
            "leaves": [asdict(leaf) for leaf in self.leaves], "features": [asdict(f) for f in self.features],
            "months": [asdict(month) for month in self.months], "notes": list(self.notes),
        }  # fmt: skip
        return _finite(made)


SINGLE = (
    "then", "now", "index", "chance", "fail_above", "expected", "observed", "low", "high", "quality", "quality_then",
    "quality_now",
)  # fmt: skip


def _finite(value: Any) -> Any:
    """Without numbers that JSON does not have."""
    if isinstance(value, dict):
        return {key: _finite(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def check(
    tree: Tree, table: Table, training: Table | None = None, *, months: Sequence[str] | None = None,
    class_of_interest: str | None = None, fail_above: float = FAIL_ABOVE, level: float = LEVEL,
) -> Drift:  # fmt: skip
    """Compare the rows of a later table with those that a tree was grown on.

    table : with what the tree asks for, see study.other_table; its target need not be there. training : the rows
    the tree was grown on; without them nothing is said of how single features were distributed. The leaves of an honest
    tree are compared with its estimation rows. months : of each row of
    `table`, such as "2026-11", "" where it is not known. fail_above : index above which the tree no longer holds, where
    chance does not explain it, either. level : of the tests of the leaves, after Holm's correction for their number.
    Raises TreecoreError if a table lacks what the tree needs, has no rows, or for an impossible fail_above.
    Source: the index is sum (now - then) ln(now / then) over the shares of bins, Kullback's divergence both ways;
    Siddiqi (2006), Credit Risk Scorecards. What it is by chance: Yurdakul and Naranjo (2020).
    """
    if not fail_above > 0:
        remedy = "Choose one such as 0.25"
        raise TreecoreError(f"An index of {fail_above:g} is not possible", where="fail_above", remedy=remedy)
    for rows, which in ((table, "table"), (training, "training")):
        if rows is not None and not float(rows.case_weights.sum()) > 0:
            raise TreecoreError("There is no row to compare", where=which, remedy="Give a table with rows")
    interest = interest_of(tree, class_of_interest)
    leaves = np.flatnonzero(tree.is_leaf)
    reach = _reach(tree, table)
    grown_on = training if tree.figures_of == "train" else None  # an honest tree has the leaves' figures of other rows
    then = tree.weight[leaves] if grown_on is None else _reach(tree, grown_on)[leaves]
    index, chance = _index(then, reach[leaves])
    made = Drift(
        tree, interest, float(then.sum()), float(reach.sum()), index, chance, (), _features(tree, table, training),
        fail_above, months=_months(tree, table, then, months, interest), notes=_notes(tree, training, reach),
    )  # fmt: skip
    has_answers = table.target is not None and bool(has_target(tree, table).any())
    before = np.where(tree.is_leaf[:, None], tree.stats if grown_on is None else end_statistics(tree, grown_on), 0.0)
    if not has_answers:
        return replace(made, leaves=_leaves(tree, leaves, then, reach[leaves], before, None, None, interest))
    stats = end_statistics(tree, table)
    sizes = int(tree.n_rows[0]) if grown_on is None else rows_judged(tree, grown_on), rows_judged(tree, table)
    tests = judged(node_tests(tree, before, stats, *sizes), "later", "holm", level)
    made = replace(made, leaves=_leaves(tree, leaves, then, reach[leaves], before, stats, tests, interest), tests=tests)
    made = _with_answers(made, before, stats)
    if tree.task == "effects" and grown_on is not None:
        qini_then, qini_now = (MEASURES["qini"](answers_of(tree, rows)) for rows in (grown_on, table))
        if isfinite(qini_then) and isfinite(qini_now):  # rows of one arm alone have none
            return replace(made, quality="Qini coefficient", quality_then=qini_then, quality_now=qini_now)
    return made if tree.lines is None else _with_lines(made, table, grown_on, interest)


def _reach(tree: Tree, table: Table) -> np.ndarray:
    """float64 (n_nodes,): weight of the rows that end in each node."""
    routes = route(tree, table)
    return np.bincount(routes.node, routes.share * routes.of_rows(table.case_weights), tree.n_nodes)


def _index(then: np.ndarray, now: np.ndarray) -> tuple[float, float]:
    """(stability index of bins, what it stays below by chance in 99 of 100 cases)."""
    from scipy import stats

    if len(then) < 2:
        return 0.0, 0.0
    p, q = ((c + PSEUDO) / (c + PSEUDO).sum() for c in (then, now))
    chance = (1 / max(then.sum(), 1) + 1 / max(now.sum(), 1)) * stats.chi2.ppf(0.99, len(then) - 1)
    return float(((q - p) * np.log(q / p)).sum()), float(chance)


def _notes(tree: Tree, training: Table | None, reach: np.ndarray) -> tuple[str, ...]:
    notes = []
    if training is None:
        notes.append("Without the training rows only the leaves can be compared, not how each feature is distributed.")
    stopped = float(reach[~tree.is_leaf].sum())
    if stopped > 0:
        notes.append(f"{number(stopped)} rows end above a leaf, as no branch is for them; the index leaves them out.")
    return tuple(notes)


# ---------------------------------------------------------------- the leaves


def _rate(tree: Tree, node: np.ndarray, stats: np.ndarray, interest: Interest | None) -> np.ndarray:
    """float64 (len(node),): share of the class of interest or of right answers, or what rows of another target would be
    answered with by themselves; NaN without rows."""
    weight = tree.weight_of(stats[node])
    if not tree.classes:
        return np.where(weight > 0, tree.center[node] + tree.target_kind.answer_of(stats[node]), nan)
    part = stats[node, interest.k if interest else np.maximum(tree.summary[node].astype(int), 0)]
    return np.divide(part, weight, out=np.full(len(node), nan), where=weight > 0)


def _leaves(
    tree: Tree, leaves: np.ndarray, then: np.ndarray, now: np.ndarray, before: np.ndarray,
    stats: np.ndarray | None, tests: Any, interest: Interest | None,
) -> tuple[LeafShift, ...]:  # fmt: skip
    rate_then = _rate(tree, leaves, before, interest)
    rate_now, p = (np.full(len(leaves), nan) for _ in range(2))
    low, high, changed = rate_now, rate_now, np.zeros(len(leaves), bool)
    if stats is not None:
        rate_now, p = _rate(tree, leaves, stats, interest), tests.adjusted[leaves]
        changed = tests.differs[leaves] & _is_large(tree, rate_then, rate_now)
        low, high = _intervals(tree, rate_now, stats[leaves])
    premises = {rule.leaf: rule.premise for rule in rules(tree).without_implied()}
    return tuple(
        LeafShift(
            int(node),
            premises[int(node)],
            float(then[i]),
            float(now[i]),
            float(rate_then[i]),
            float(rate_now[i]),
            float(low[i]),
            float(high[i]),
            float(p[i]),
            bool(changed[i]),
        )
        for i, node in enumerate(leaves)
    )


def _intervals(tree: Tree, rate: np.ndarray, stats: np.ndarray) -> np.ndarray:
    """float64 (2, m): 95 % intervals of rates of rows with these statistics (m, S); NaN for means."""
    if tree.classes:
        weight = tree.weight_of(stats)
        return np.array(wilson(np.nan_to_num(rate) * weight, weight))
    return np.array([tree.target_kind.interval(of) for of in stats]).reshape(-1, 2).T


def _is_large(tree: Tree, then: np.ndarray, now: np.ndarray) -> np.ndarray:
    """bool: is a difference of rates, means or effects more than one would live with?"""
    spread = tree.target_kind.spread_of_rows(tree.stats[0])
    if isfinite(spread):
        return np.abs(now - then) > SPREADS * spread
    above, below = np.maximum(then, now), np.minimum(then, now)
    return above > FACTOR * below


def _with_answers(made: Drift, before: np.ndarray, stats: np.ndarray) -> Drift:
    """What was expected of the new rows and what became of them, and how well the tree orders or answers both."""
    tree, interest = made.tree, made.interest
    weight = tree.target_kind.per_of(stats)
    nodes = np.flatnonzero(weight > 0)
    promised = _rate(tree, nodes, before, interest)
    known = ~np.isnan(promised)
    total = float(weight[nodes][known].sum())
    expected = float(promised[known] @ weight[nodes][known]) / total if total else nan
    observed = float(np.nansum(_rate(tree, nodes, stats, interest) * weight[nodes]) / weight.sum())
    whole = stats.sum(axis=0)
    if tree.schema.counts is not None:
        observed = float(tree.target_kind.answer_of(whole))
    low, high = (float(v[0]) for v in _intervals(tree, np.array([observed]), whole[None]))
    name, then, now = _quality(tree, before, stats, interest)
    return replace(made, expected=expected, observed=observed, low=low, high=high, quality=name, quality_then=then,
                   quality_now=now)  # fmt: skip


def _with_lines(made: Drift, table: Table, grown_on: Table | None, interest: Interest | None) -> Drift:
    """Of a tree whose leaves answer with lines: what these expected of the new rows, and how far they were off."""
    tree, now = made.tree, answers_of(made.tree, table)
    assert tree.lines is not None
    if tree.classes:
        if interest is None or now.shares is None:
            return made
        expected = float(np.average(now.shares[:, interest.k], weights=now.weight))
        ranked_then, ranked_now = (rows and ranking_by(tree, rows, interest.k) for rows in (grown_on, table))
        area_then, area_now = (ranked.area if ranked else nan for ranked in (ranked_then, ranked_now))
        return replace(made, expected=expected, quality="AUC", quality_then=area_then, quality_now=area_now)
    squares = tree.lines.error[tree.is_leaf].sum() + tree.lines.inside[~tree.is_leaf].sum()
    then = sqrt(float(squares) / float(tree.weight[0])) if grown_on is None else _off(answers_of(tree, grown_on))
    expected = float(np.average(now.said, weights=now.weight))
    return replace(made, expected=expected, quality="RMSE", quality_then=then, quality_now=_off(now))


def _off(answers: Answers) -> float:
    """Root mean squared error of numbers."""
    return sqrt(float(np.average((answers.truth - answers.said) ** 2, weights=answers.weight)))


def _quality(tree: Tree, before: np.ndarray, stats: np.ndarray, interest: Interest | None) -> tuple[str, float, float]:
    """AUC of the class of interest, RMSE of numbers, or mean deviance of counts, then and now."""
    if tree.lines is not None or tree.task == "effects":  # no sum of the target tells it
        return "", nan, nan
    if tree.schema.counts is not None:
        kind = tree.target_kind
        loss_then, loss_now = (float(kind.deviance_of(s, tree.value).sum() / s[:, 0].sum()) for s in (before, stats))
        return kind.mean_loss, loss_then, loss_now
    if not tree.classes:
        return "RMSE", _root_mean_square(tree, before), _root_mean_square(tree, stats)
    if interest is None:
        return "", nan, nan
    areas = []
    for counts in (before, stats):
        met = counts.sum(axis=1) > 0
        areas.append(ranking_of_groups(tree.proba[met, interest.k], counts[met], interest.k).area)
    return "AUC", areas[0], areas[1]


def _root_mean_square(tree: Tree, stats: np.ndarray) -> float:
    """Of the distances to the answers of the nodes where rows end."""
    off = np.nan_to_num(tree.value - tree.center)
    squares = stats[:, 2] - 2 * off * stats[:, 1] + off**2 * stats[:, 0]
    weight = float(stats[:, 0].sum())
    return sqrt(max(float(squares.sum()), 0.0) / weight) if weight > 0 else nan


# ---------------------------------------------------------------- the features


def _features(tree: Tree, table: Table, training: Table | None) -> tuple[FeatureShift, ...]:
    """Those the tree asks for, the most changed first."""
    asked = tree.asked
    made = [_feature(tree, int(f), table, training) for f in asked]
    return tuple(sorted(made, key=lambda shift: -inf if shift.index is None else -shift.index))


def _feature(tree: Tree, f: int, table: Table, training: Table | None) -> FeatureShift:
    feature = tree.schema.features[f]
    places, names = _binning(tree, f, training)
    count = lambda rows: np.bincount(places(rows), rows.case_weights, len(names))  # noqa: E731
    now, then = count(table), None if training is None else count(training)
    new, n_new = _new_levels(feature, table)
    share = lambda counts: float(counts[-1] / counts.sum())  # noqa: E731
    index, chance = None, None
    bins: tuple[Bin, ...] = ()
    if then is not None:
        there = (then > 0) | (now > 0)
        index, chance = _index(then[there], now[there])
        bins = tuple(Bin(names[i], float(then[i]), float(now[i])) for i in np.flatnonzero(there))
    return FeatureShift(
        feature.name, index, chance, bins, None if then is None else share(then), share(now), new, n_new
    )


FIFTHS = (0.2, 0.4, 0.6, 0.8)


def _binning(tree: Tree, f: int, training: Table | None) -> Any:
    """(rows -> int64 (n_rows,) bin of each, names of the bins): numbers by the thresholds that the tree asks for, by
    fifths of the training rows where lines alone read them, levels one by one; then levels that are new, and missing
    values, each a bin of their own."""
    feature = tree.schema.features[f]
    if feature.by_number and not feature.levels:
        cuts, closed = _thresholds(tree, f)
        if not len(cuts) and training is not None:  # lines read it, and no split asks for it
            known = _values(tree, f, training, missing=np.nan)
            cuts, closed = np.unique(np.nanquantile(known, FIFTHS)) if not np.isnan(known).all() else cuts, True
        sort = lambda v: np.searchsorted(cuts, v, side="left" if closed else "right")  # noqa: E731
        n, names = len(cuts) + 1, _ranges(feature, cuts, closed)
    else:
        n, names = len(feature.level_names), list(feature.level_names)
        shown = np.arange(n)
        if n > MOST_BINS and training is not None:
            counts = np.bincount(np.maximum(_values(tree, f, training), -1).astype(int) + 1, minlength=n + 1)[1:]
            shown = np.minimum(np.argsort(np.argsort(-counts, kind="stable")), MOST_BINS - 1)
            names = [names[i] for i in np.argsort(-counts, kind="stable")[: MOST_BINS - 1]] + ["all other levels"]
            n = MOST_BINS
        sort = lambda v: shown[v.astype(int)]  # noqa: E731

    def places(rows: Table) -> np.ndarray:
        values = _values(tree, f, rows, missing=np.nan)
        gone, new = np.isnan(values), np.zeros(len(values), bool)
        if feature.level_names and not feature.branches_by_bins:
            new = values < 0
        plain = np.where(gone | new, 0.0, values)
        return np.where(gone, n + 1, np.where(new, n, sort(plain)))

    return places, [*names, "new levels", "missing"]


def _values(tree: Tree, f: int, rows: Table, missing: float = -1.0) -> np.ndarray:
    """float64 (n_rows,): numbers or places of levels, -1 for new levels; nothing stands in for a missing value."""
    features = list(tree.schema.features)
    features[f] = replace(features[f], fill=None)
    values = value_matrix(replace(tree.schema, features=tuple(features)), np.array([f]), rows)[0]
    return np.where(np.isnan(values), missing, values)


def _thresholds(tree: Tree, f: int) -> tuple[np.ndarray, bool]:
    """(float64, ascending: where the tree parts a numeric feature, the places with most rows; is a number equal to one
    of them below it?)."""
    splits = tree.splits
    nodes = np.flatnonzero(~tree.is_leaf & (splits.feature == f))
    weight: dict[float, float] = {}
    for node in nodes:
        if splits.kind[node] == THRESHOLD:
            values = splits.threshold[node : node + 1]
        elif splits.kind[node] == CUTS:
            values = splits.cuts[int(splits.cut_start[node]) : int(splits.cut_start[node + 1])]
        else:
            continue
        for value in values[np.isfinite(values)].tolist():
            weight[value] = weight.get(value, 0.0) + float(tree.weight[node])
    chosen = sorted(weight, key=lambda value: -weight[value])[: MOST_BINS - 1]
    return np.array(sorted(chosen)), bool(len(nodes) and splits.closed[nodes].all())


def _ranges(feature: Any, cuts: np.ndarray, closed: bool) -> list[str]:
    printed = [feature.in_unit(feature.printed(float(cut), closed)) for cut in cuts]
    if not printed:
        return ["all values"]
    below, above = ("≤", ">") if closed else ("<", "≥")
    between = [f"{above} {a} and {below} {b}" for a, b in pairwise(printed)]
    return [f"{below} {printed[0]}", *between, f"{above} {printed[-1]}"]


def _new_levels(feature: Any, table: Table) -> tuple[tuple[str, ...], float]:
    """Levels of the table that the tree does not know, and the weight of their rows."""
    names = feature.level_names
    if not names or feature.by_number or feature.name not in table.column_names:
        return (), 0.0
    column = table.column(feature.name)
    if column.kind == "numeric":
        return (), 0.0
    unknown = [i for i, at in enumerate(places_among(names, column.level_names)) if at == NO_LEVEL]
    counts = np.bincount(column.codes, table.case_weights, column.n_distinct + 1)
    met = [i for i in unknown if counts[i] > 0]
    return tuple(column.level_names[i] for i in met), float(counts[met].sum())


# ---------------------------------------------------------------- month by month


def _months(tree: Tree, table: Table, then: np.ndarray, months: Any, interest: Interest | None) -> tuple[Month, ...]:
    if months is None:
        return ()
    names = np.asarray(months, object)
    if len(names) != table.n_rows:
        raise TreecoreError(f"{len(names)} months for {table.n_rows} rows", where="months", remedy="Give one a row")
    made = []
    for name in sorted({str(n) for n in names} - {""}):
        rows = table.take(np.flatnonzero(names == name))
        reach = _reach(tree, rows)[tree.is_leaf]
        expected = observed = nan
        if rows.target is not None and has_target(tree, rows).any():
            stats = end_statistics(tree, rows)
            whole = _with_answers(Drift(tree, interest, 0, 0, 0, 0, (), (), 1), _only_leaves(tree), stats)
            expected, observed = whole.expected, whole.observed
        made.append(Month(name, rows.n_rows, _index(then, reach)[0], expected, observed))
    return tuple(made)


def _only_leaves(tree: Tree) -> np.ndarray:
    return np.where(tree.is_leaf[:, None], tree.stats, 0.0)
