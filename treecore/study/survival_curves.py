"""What a tree of survival times says of rows: Kaplan-Meier curves, medians, and how well it ranks and foretells."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, nan
from numbers import Real

import numpy as np

from treecore.brief import Brief, text_table
from treecore.data.table import Table
from treecore.data.table_like import counts_of
from treecore.errors import TreecoreError
from treecore.figures import count, number, p_value, percent
from treecore.judging.interest import wilson
from treecore.target import SurvivalTarget
from treecore.target.survival import log_rank_test
from treecore.tree.tree import Tree

Z = 1.959963984540054
"""Of intervals of 95 %."""
MOST_TIMES, MOST_CELLS = 1000, 20_000_000
"""At which Brier scores are taken, and rows times these: more of them change no digit that is said, and fill memory."""


@dataclass(frozen=True, eq=False, repr=False)
class SurvivalCurve(Brief):
    """The Kaplan-Meier curve of some rows: which share is still without an event.

    time : float64 (m,), times of events, rising. at_risk, events : float64 (m,), weight of the rows watched until then,
        and of those with an event then. share : float64 (m,), after each time. low, high : its 95 % interval, by the
        log-log of it. rows : weight of all rows. until : the last time at which one of them was watched.
    Source: Kaplan and Meier (1958); Greenwood (1926); Kalbfleisch and Prentice (1980) for the interval.
    """

    time: np.ndarray
    at_risk: np.ndarray
    events: np.ndarray
    rows: float
    until: float = nan

    @cached_property
    def share(self) -> np.ndarray:
        return np.cumprod(1.0 - self.events / self.at_risk)

    @cached_property
    def _deviation(self) -> np.ndarray:
        """Greenwood's standard error of log(-log(share)); NaN where the share is 0 or 1."""
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.cumsum(self.events / (self.at_risk * (self.at_risk - self.events)))
            return np.sqrt(terms) / np.abs(np.log(self.share))

    @property
    def low(self) -> np.ndarray:
        return self._bound(Z)

    @property
    def high(self) -> np.ndarray:
        return self._bound(-Z)

    def _bound(self, z: float) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            bound = self.share ** np.exp(z * self._deviation)
        return np.where(self.share > 0, bound, 0.0 if z > 0 else nan)

    def on_grid(self, last: float, steps: int) -> np.ndarray:
        """float64, at most steps + 1: the share at so many even steps of time from 0 to `last`, no further than rows
        were watched."""
        times = np.linspace(0.0, last, steps + 1)
        return self.at(times[: max(int(np.searchsorted(times, self.until, side="right")), 1)])

    def at(self, time) -> np.ndarray:
        """float64: the share without an event until these times, those of the times included."""
        return np.append(1.0, self.share)[np.searchsorted(self.time, time, side="right")]

    def risk(self, time: float) -> tuple[float, float, float]:
        """(share with an event until a time, from, to): one less the curve, with its 95 % interval.

        Beyond the last time that was watched it is that of then. Where the curve has no interval, as before the first
        event, that is Wilson's, of the rows watched until then.
        """
        place = int(np.searchsorted(self.time, time, side="right")) - 1
        share = self.share[place] if place >= 0 else 1.0
        low, high = (self.low[place], self.high[place]) if place >= 0 else (nan, nan)
        if not (np.isfinite(low) and np.isfinite(high)) or not 0.0 < share < 1.0:
            at_risk = self.at_risk[place] if place >= 0 else self.rows
            low, high = (float(bound) for bound in wilson(share * at_risk, at_risk))
        return float(1.0 - share), float(1.0 - high), float(1.0 - low)

    @property
    def median(self) -> float:
        """The first time at which half of the rows have had an event; infinite where it is never reached."""
        return self._first(self.share)

    @property
    def median_interval(self) -> tuple[float, float]:
        """The times at which the interval of the share goes below a half. Source: Brookmeyer and Crowley (1982)."""
        return self._first(self.low), self._first(self.high)

    def _first(self, share: np.ndarray) -> float:
        below = np.flatnonzero(share <= 0.5 * (1 + 1e-12))
        return float(self.time[below[0]]) if len(below) else inf


def kaplan_meier(time: np.ndarray, event: np.ndarray, weight: np.ndarray | None = None) -> SurvivalCurve:
    """time, event, weight : float64 (n,); rows with an event at a time are counted before those censored then."""
    weight = np.ones(len(time)) if weight is None else weight
    times, at = np.unique(time, return_inverse=True)
    died, left = (np.bincount(at, w, len(times)) for w in (weight * event, weight))
    at_risk = np.cumsum(left[::-1])[::-1]
    some = died > 0
    until = float(times[-1]) if len(times) else nan
    return SurvivalCurve(times[some], at_risk[some], died[some], float(weight.sum()), until)


def censoring(time: np.ndarray, event: np.ndarray, weight: np.ndarray | None = None) -> SurvivalCurve:
    """The curve of how long rows are watched: which share is not censored yet; rows with an event at a time are gone
    before those censored then."""
    weight = np.ones(len(time)) if weight is None else weight
    times, at = np.unique(time, return_inverse=True)
    died, lost = (np.bincount(at, w, len(times)) for w in (weight * event, weight * (1.0 - event)))
    at_risk = np.cumsum((died + lost)[::-1])[::-1] - died
    some = lost > 0
    return SurvivalCurve(times[some], at_risk[some], lost[some], float(weight.sum()))


def survival_curves(tree: Tree, table: Table) -> dict[int, SurvivalCurve]:
    """Node -> the curve of the rows that come to it; nodes without rows are left out. TreecoreError for a tree of
    another target, and for a table without its times and events."""
    time, event, weight = survival_rows(tree, table)
    by_node = rows_of_nodes(tree, table)
    return {node: kaplan_meier(time[rows], event[rows], weight[rows]) for node, rows in by_node.items()}


STEPS, LATEST = 32, 0.98
"""Of small curves: even steps of time, from 0 to the time that this share of the rows does not pass."""


@dataclass(frozen=True, eq=False, repr=False)
class SmallCurves(Brief):
    """The curves of some nodes on one grid of time, for pictures of a few pixels.

    last : the time at which the grid ends. shares : node -> thousandths without an event after each step, no further
    than its rows were watched; nodes without rows are left out. time, event : names of the columns of the target.
    """

    last: float
    shares: dict[int, list[int]]
    time: str
    event: str


def small_curves(tree: Tree, table: Table, rows_of: Callable[[int], np.ndarray], nodes: Iterable[int]) -> SmallCurves:
    """rows_of : node -> positions of its rows in the table, int."""
    time, event, weight = survival_rows(tree, table)
    known = ~np.isnan(time + event) & (weight > 0)
    last, shares = float(np.quantile(time[known], LATEST)) if known.any() else 0.0, {}
    for node in nodes:
        rows = rows_of(node)
        rows = rows[known[rows]]
        if len(rows):
            curve = kaplan_meier(time[rows], event[rows], weight[rows])
            shares[node] = np.round(1000.0 * curve.on_grid(last, STEPS)).astype(int).tolist()
    return SmallCurves(last, shares, tree.schema.counts.exposure, tree.schema.target)


@dataclass(frozen=True, eq=False, repr=False)
class NodeCurve(Brief):
    """The curve of the rows of a node, beside that of all rows. time, event : names of the columns of the target."""

    node: int
    time: str
    event: str
    here: SurvivalCurve
    whole: SurvivalCurve

    @property
    def text(self) -> str:
        """ "Median weeks until failed: 40 (95 %: 31 to 55), 70 (61 to 80) of all rows"."""
        result = f"Median {self.time} until {self.event}: {_median(self.here, '95 %: ')}"
        return f"{result}, {_median(self.whole)} of all rows" if self.node else result

    def risk_text(self, horizon: float) -> str:
        """ "Risk of failed within 40 (weeks): 31.2 % (95 %: 25.0 % to 38.4 %), 50.1 % of all rows"."""
        risk, low, high = (percent(share) for share in self.here.risk(horizon))
        result = f"Risk of {self.event} within {number(horizon)} ({self.time}): {risk} (95 %: {low} to {high})"
        return f"{result}, {percent(self.whole.risk(horizon)[0])} of all rows" if self.node else result


def has_curves(tree: Tree) -> bool:
    """Is it a tree of survival times?"""
    return isinstance(tree.schema.counts, SurvivalTarget)


def node_curve(tree: Tree, table: Table, node: int) -> NodeCurve | None:
    """None for a tree of another target, and where no row of known time comes to the node.

    table : the rows, of training or others. node : of the tree.
    """
    if not has_curves(tree):
        return None
    time, event, weight = survival_rows(tree, table)
    ends = tree.apply(table)
    known = ~np.isnan(time + event) & (weight > 0) & (ends >= 0)
    here = known & ((ends == node) | tree.descendants(node)[ends])
    if not here.any():
        return None
    curves = (kaplan_meier(time[rows], event[rows], weight[rows]) for rows in (here, known))
    return NodeCurve(node, tree.schema.counts.exposure, tree.schema.target, *curves)


@dataclass(frozen=True, eq=False, repr=False)
class RiskAt(Brief):
    """The risk of an event until a horizon, in some nodes: float64 (m,) each, of nodes without rows NaN; pooled is that
    of all their rows. rows : weight of those of known time and event."""

    rows: np.ndarray
    risk: np.ndarray
    low: np.ndarray
    high: np.ndarray
    pooled: float


def risks_at(tree: Tree, tables: Sequence[Table], nodes: np.ndarray, horizon: float) -> RiskAt:
    """Of the rows of these tables together that end in each of the nodes. TreecoreError for a horizon that is not above
    0, and for a tree of another target."""
    if not isinstance(horizon, Real) or isinstance(horizon, bool) or not horizon > 0:
        what = f"The horizon {horizon if isinstance(horizon, Real) else repr(horizon)} is no number above 0"
        raise TreecoreError(what, where="horizon", remedy="Give a time above 0")
    time, event, weight = np.concatenate([np.stack(survival_rows(tree, table)) for table in tables], axis=1)
    ends = np.concatenate([tree.apply(table) for table in tables])
    known = np.flatnonzero(~np.isnan(time + event) & (weight > 0) & np.isin(ends, nodes))
    known = known[np.argsort(ends[known], kind="stable")]
    begin, stop = (np.searchsorted(ends[known], nodes, side=side) for side in ("left", "right"))

    def at(rows: np.ndarray) -> tuple[float, float, float, float]:
        if not len(rows):
            return 0.0, nan, nan, nan
        return float(weight[rows].sum()), *kaplan_meier(time[rows], event[rows], weight[rows]).risk(horizon)

    rows, risk, low, high = np.array([at(known[a:b]) for a, b in zip(begin, stop, strict=True)]).T
    return RiskAt(rows, risk, low, high, at(known)[1])


def horizon_of(tree: Tree, table: Table) -> tuple[float, float, float]:
    """(least, usual, largest) horizon that is sensible for these rows: from the first times of events to the time that
    few rows pass; the usual one is the median of all rows, or half of the largest."""
    time, event, weight = survival_rows(tree, table)
    known = ~np.isnan(time + event) & (weight > 0)
    if not known.any():
        raise TreecoreError("No row has a time, an event and a weight", where="Times", remedy="Take the training rows")
    largest = float(np.quantile(time[known], LATEST))
    curve = kaplan_meier(time[known], event[known], weight[known])
    usual = curve.median if curve.median <= largest else largest / 2
    return float(time[known].min()), float(usual), largest


def _median(curve: SurvivalCurve, named: str = "") -> str:
    low, high = curve.median_interval
    if curve.median == inf:
        return f"not reached ({named}from {number(low)} on)" if low < inf else "not reached"
    return f"{number(curve.median)} ({named}{number(low)} {f'to {number(high)}' if high < inf else 'or more'})"


def rows_of_nodes(tree: Tree, table: Table) -> dict[int, np.ndarray]:
    """Node -> the rows of known time, event and some weight that come to it, int64; nodes without any are left out."""
    time, event, weight = survival_rows(tree, table)
    ends = np.where(~np.isnan(time + event) & (weight > 0), tree.apply(table), -1)
    result: dict[int, list[np.ndarray]] = {}
    for end in np.unique(ends[ends >= 0]).tolist():
        rows = np.flatnonzero(ends == end)
        for node in tree.path(end):
            result.setdefault(int(node), []).append(rows)
    return {node: np.concatenate(parts) for node, parts in sorted(result.items())}


def survival_rows(tree: Tree, table: Table) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(time, event, weight), float64 (n_rows,), NaN where it is missing. TreecoreError for a tree of another target."""
    kind = tree.schema.counts
    if not isinstance(kind, SurvivalTarget):
        remedy = 'Grow it on read_table(..., target=tc.Survival("time", "event"))'
        raise TreecoreError("The tree is of no survival times", where="Target", remedy=remedy)
    counts_of(table, tree.schema.target, kind)  # what is no time or no event is refused
    return table.column(kind.exposure).values(), table.column(tree.schema.target).values(), table.case_weights


def log_rank(time: np.ndarray, event: np.ndarray, group: np.ndarray, weight: np.ndarray | None = None) -> float:
    """The log-rank statistic of two groups, chi-square with one degree of freedom; NaN where nothing varies.

    group : bool (n,). Source: Mantel (1966), Evaluation of survival data.
    """
    return log_rank_test(time, event, group, weight).statistic


def concordance(time: np.ndarray, event: np.ndarray, risk: np.ndarray, weight: np.ndarray | None = None) -> float:
    """Of all pairs of which one is known to have had its event first, how often it had the higher risk; ties half.

    time, event, risk, weight : float64 (n,); a pair counts by the product of its weights. NaN without such a pair. Of
    equal times with one event, that row was first.
    Source: Harrell et al. (1982), Evaluating the yield of medical tests.
    """
    order = np.lexsort((-event, time))
    weight = (np.ones(len(time)) if weight is None else weight)[order]
    time, event, risk = time[order], event[order], risk[order]
    pairs = won = 0.0
    levels, rank = np.unique(risk, return_inverse=True)
    still = np.bincount(rank, weight, len(levels))
    start = 0
    while start < len(time):
        stop = start + int(np.searchsorted(time[start:], time[start], side="right"))
        here, died = slice(start, stop), event[start:stop] == 1
        dying, by = rank[here][died], weight[here][died]
        np.subtract.at(still, dying, by)  # those with an event at the same time are no pairs
        below = np.cumsum(still)
        pairs += below[-1] * by.sum()
        won += by @ (below[dying] - still[dying] / 2.0)
        np.subtract.at(still, rank[here][~died], weight[here][~died])
        start = stop
    return float(won / pairs) if pairs > 1e-12 * weight.sum() ** 2 else nan  # less is rounding


def integrated_brier(
    time: np.ndarray,
    event: np.ndarray,
    share: np.ndarray,
    at: np.ndarray,
    censored: SurvivalCurve,
    weight: np.ndarray | None = None,
) -> float:
    """Mean over the times `at` (by the trapezoid rule) of the Brier score of the shares foretold.

    share : float64 (n, m), the share without an event that is foretold for each row at each time, float64 (m,), rising.
    censored : of the training rows, by which rows are weighted; see censoring. weight : case weights, float64 (n,).
    Source: Graf et al. (1999).
    """
    before = _left_of(censored, time)
    score = np.empty(len(at))
    for j, t in enumerate(at.tolist()):
        gone = (time <= t) & (event == 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            of_gone = np.where(gone, share[:, j] ** 2 / before, 0.0)
            of_there = np.where(time > t, (1.0 - share[:, j]) ** 2 / censored.at(t), 0.0)
        score[j] = np.average(np.nan_to_num(of_gone + of_there, posinf=0.0), weights=weight)
    return float(np.trapezoid(score, at) / (at[-1] - at[0]))


def _left_of(curve: SurvivalCurve, time: np.ndarray) -> np.ndarray:
    """float64 (n,): the curve just before these times."""
    return np.append(1.0, curve.share)[np.searchsorted(curve.time, time, side="left")]


def survival_shares(tree: Tree, curves: dict[int, SurvivalCurve], ends: np.ndarray, at: np.ndarray) -> np.ndarray:
    """float64 (n, m): which share of rows like these is without an event at each time, float64 (m,).

    curves : of the training rows, or of others, see survival_curves; a node without one has that of the nearest node
        above it. ends : int (n,), where each row ends, see Tree.apply. TreecoreError without any curve.
    """
    if 0 not in curves:
        remedy = "Take the rows that the tree was grown on"
        raise TreecoreError("No row has a time, an event and a weight", where="Curves", remedy=remedy)
    answering = tree.answer[ends].astype(int)
    nodes, place = np.unique(answering, return_inverse=True)
    nearest = [next(n for n in reversed(tree.path(node)) if n in curves) for node in nodes.tolist()]
    return np.array([curves[int(node)].at(at) for node in nearest]).reshape(-1, len(at))[place]


def survival_text(tree: Tree, table: Table) -> str:
    """A line per node: its rows and events, the median time with its interval, the hazard ratio with its interval, and
    of a split in two the p-value of the log-rank test between its branches. table : the rows, of training or others."""
    curves, by_node = survival_curves(tree, table), rows_of_nodes(tree, table)
    rows = []
    for node, curve in curves.items():
        view, (low, high) = tree.node(node), curve.median_interval
        median = f"{_time(curve.median)} ({_time(low)} to {_time(high)})"
        figures = count(curve.rows, ","), count(float(curve.events.sum()), ","), median, view.predicted
        rows.append((str(node), view.rule, *figures, _split_p(tree, node, table, by_node)))
    head = ("node", "rule", "rows", "events", "median time (95 %)", "hazard", "log-rank p")
    return text_table(head, rows, len(rows), "nodes more")


def _split_p(tree: Tree, node: int, table: Table, by_node: dict[int, np.ndarray]) -> str:
    """Of the log-rank test between two branches; "" for none."""
    from scipy.special import chdtrc

    sides = [by_node.get(child) for child in tree.children(node)]
    if len(sides) != 2 or any(side is None for side in sides):
        return ""
    rows, first = np.concatenate(sides), np.arange(sum(map(len, sides))) < len(sides[0])
    time, event, weight = (values[rows] for values in survival_rows(tree, table))
    result = log_rank(time, event, first, weight)
    return "" if np.isnan(result) else p_value(float(chdtrc(1, result)))


def _time(value: float) -> str:
    return number(value) if value < inf else "not reached"


@dataclass(frozen=True)
class SurvivalScore:
    """n_rows : judged, those of known time and event with a weight; the others are NaN where nothing can be judged.
    concordance : see there; 0.5 ranks as chance does. brier, baseline : the integrated Brier score of the leaves'
    curves, and of the curve of all training rows. until : the last time that they are judged at."""

    n_rows: int
    concordance: float
    brier: float
    baseline: float
    until: float

    @property
    def text(self) -> str:
        """ "concordance 0.622, Brier score 0.1894 (of one curve for all 0.2096)"; '' where nothing can be said."""
        brier = f"Brier score {self.brier:.4f} (of one curve for all {self.baseline:.4f})"
        said = (f"concordance {self.concordance:.3f}", self.concordance), (brier, self.brier)
        return ", ".join(text for text, value in said if not np.isnan(value))


def survival_score(tree: Tree, train: Table, table: Table) -> SurvivalScore:
    """How well a tree of survival times ranks and foretells the rows of a table.

    train : the rows that it was grown on, whose curves its leaves answer with. The Brier score is integrated over the
    times of events of the table, up to the one after which a tenth of its rows are still watched; of more than 1,000
    times over so many of them, evenly. A weight of 2 counts as two rows. NaN where the table has no row of known time
    and event; TreecoreError where train has none.
    """
    curves = survival_curves(tree, train)
    own_time, own_event, own_weight = survival_rows(tree, train)
    time, event, weight = survival_rows(tree, table)
    known = ~np.isnan(time + event) & (weight > 0)
    time, event, weight, ends = time[known], event[known], weight[known], tree.apply(table)[known]
    if not len(time):
        return SurvivalScore(0, nan, nan, nan, nan)
    own = ~np.isnan(own_time + own_event)
    censored = censoring(own_time[own], own_event[own], own_weight[own])
    at = np.unique(time[(event == 1) & (time <= _quantile(time, weight, 0.9))])
    most = max(2, min(MOST_TIMES, MOST_CELLS // len(time)))
    at = at[np.unique(np.linspace(0, len(at) - 1, most).round().astype(int))] if len(at) > most else at
    ranked = concordance(time, event, tree.value[ends], weight)
    if len(at) < 2:
        return SurvivalScore(len(time), ranked, nan, nan, nan)
    foretold = survival_shares(tree, curves, ends, at)
    of_all = np.broadcast_to(curves[0].at(at), foretold.shape)
    brier, baseline = (integrated_brier(time, event, s, at, censored, weight) for s in (foretold, of_all))
    return SurvivalScore(len(time), ranked, brier, baseline, float(at[-1]))


def _quantile(time: np.ndarray, weight: np.ndarray, share: float) -> float:
    """The first time that so large a share of the weight has reached, however weights are scaled."""
    order = np.argsort(time, kind="stable")
    reached = np.cumsum(weight[order])
    return float(time[order][np.searchsorted(reached, share * reached[-1] * (1 - 1e-12))])
