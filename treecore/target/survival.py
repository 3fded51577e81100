"""A target of survival times: events counted in the cumulative hazard of all training rows, and hazard ratios."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.figures import brief, count
from treecore.target.counts import Counts, CountTarget, rate_interval
from treecore.target.target import TreeLike

# Two groups compared by their events.


@dataclass(frozen=True)
class LogRank:
    """The log-rank test of two groups of rows.

    observed : weight of the events of the first group. expected : of those it would have if both had one hazard.
    variance : of their number. Source: Mantel (1966), Evaluation of survival data.
    """

    observed: float
    expected: float
    variance: float

    @property
    def statistic(self) -> float:
        """Chi-square with one degree of freedom; NaN where nothing varies."""
        return (self.observed - self.expected) ** 2 / self.variance if self.variance > 0 else math.nan


@dataclass(frozen=True, eq=False, repr=False)
class LogRankTerms(Brief):
    """What the test adds up: float64 (m,), one entry per time of an event, rising.

    risk, risk_first : weight of all rows that are still watched then, and of those of the first group. events : of all
    of them then. expected, variance : of the events of the first group.
    """

    time: np.ndarray
    risk: np.ndarray
    risk_first: np.ndarray
    events: np.ndarray
    expected: np.ndarray
    variance: np.ndarray


def log_rank_terms(
    time: np.ndarray, event: np.ndarray, first: np.ndarray, weight: np.ndarray | None = None
) -> LogRankTerms:
    """Arguments as for log_rank_test."""
    weight = np.ones(len(time)) if weight is None else weight
    times, at = np.unique(time, return_inverse=True)
    left, died, left_first = (np.bincount(at, part, len(times)) for part in (weight, weight * event, weight * first))
    some = died > 0
    risk, risk_first = (np.cumsum(of[::-1])[::-1][some] for of in (left, left_first))
    d, part, varied = died[some], risk_first / risk, risk > 1
    spread = d * part * (1.0 - part) * np.maximum(risk - d, 0.0) / np.where(varied, risk - 1.0, 1.0)
    return LogRankTerms(times[some], risk, risk_first, d, d * part, np.where(varied, spread, 0.0))


def log_rank_test(time: np.ndarray, event: np.ndarray, first: np.ndarray, weight: np.ndarray | None = None) -> LogRank:
    """time : (n,), numbers or their ranks. event, first : bool (n,) or 0 and 1, had the row an event, and is it in the
    first group? weight : float64 (n,), a weight of 2 is a row twice."""
    terms = log_rank_terms(time, event, first, weight)
    observed = float((event * first).sum() if weight is None else weight @ (event * first))
    return LogRank(observed, float(terms.expected.sum()), float(terms.variance.sum()))


# Survival times as counts: the exposure by which an exponential model of scaled time has one rate for all rows.

MOST_TIMES = 1000
"""Of events that bound the pieces of the hazard; of more, so many quantiles."""


def exponential_exposure(time: np.ndarray, event: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """float64 (n,): the cumulative hazard of all rows at each row's time; events in it are counts with rate 1.

    time : float64 (n,), above 0. event : did the row end in one there? start : since when it was watched, for rows
    that came later; None for all from 0 on. The hazard is constant between the times of events. TreecoreError without
    any event, and for times that are not above 0. Case weights have no part in it, as in rpart, so that weighted rows
    may have another hazard than 1 together. Source: rpart 4.1, rpart.exp (Therneau and Atkinson); LeBlanc and
    Crowley (1992), Relative risk trees for censored survival data.
    """
    time, event = np.asarray(time, float), np.asarray(event, float)
    edges, hazard = cumulative_hazard(time, event, start)
    scaled = np.interp(time, edges, hazard)
    return scaled if start is None else scaled - np.interp(start, edges, hazard)


def cumulative_hazard(
    time: np.ndarray, event: np.ndarray, start: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(times where the slope changes, 0 first; cumulative hazard of all rows there), float64 (m,) each; as for
    exponential_exposure."""
    time, event = np.asarray(time, float), np.asarray(event, float)
    _check(time, event)
    edges = _edges(time, event)
    width, at = np.diff(edges), np.clip(np.searchsorted(edges, time, side="left") - 1, 0, len(edges) - 2)
    watched = _watched(edges, time, at)
    if start is not None:
        watched = watched - _watched(edges, start, np.clip(np.searchsorted(edges, start) - 1, 0, len(edges) - 2))
    deaths = np.bincount(at, event, len(width))
    rate = np.where(watched > 0, deaths / np.where(watched > 0, watched, 1.0), 0.0)
    return edges, np.cumsum(np.append(0.0, rate * width))


def _check(time: np.ndarray, event: np.ndarray) -> None:
    """TreecoreError for what are no times and no events."""
    if not (time > 0).all():
        bad = int(np.flatnonzero(~(time > 0))[0])
        remedy = "Times of observation are above 0: correct these rows or leave them out"
        raise TreecoreError(f"The time of row {bad + 1} is {time[bad]:g}", where="Time", remedy=remedy)
    if not (event > 0).any():
        remedy = "Choose the column that says which rows ended in an event"
        raise TreecoreError("No row has an event", where="Event", remedy=remedy)
    if not np.isin(event, (0.0, 1.0)).all():
        bad = int(np.flatnonzero(~np.isin(event, (0.0, 1.0)))[0])
        remedy = "Write 1 where a row ended in an event and 0 where it was only watched so long"
        raise TreecoreError(f"The event of row {bad + 1} is {event[bad]:g}", where="Event", remedy=remedy)


def _edges(time: np.ndarray, event: np.ndarray) -> np.ndarray:
    """Where the hazard changes: at times of events, which are equal where only rounding parts them."""
    times = np.unique(time[event == 1])
    kept, slack = [times[0]], np.finfo(float).eps * (times[-1] - times[0])
    for t in times[1:].tolist():
        if t - kept[-1] > slack:
            kept.append(t)
    times = np.array(kept)
    if len(times) > MOST_TIMES:
        times = np.quantile(times, np.arange(MOST_TIMES + 1) / MOST_TIMES)
    return np.concatenate([[0.0], times[:-1], [time.max()]])


def _watched(edges: np.ndarray, time: np.ndarray, at: np.ndarray) -> np.ndarray:
    """float64 (n_edges - 1,): how long rows were watched in each piece, until their times. at : the pieces of these."""
    n, width = len(edges) - 1, np.diff(edges)
    longer = np.append(np.cumsum(np.bincount(at, minlength=n)[::-1])[::-1][1:], 0)
    return width * longer + np.bincount(at, time - edges[at], n)


@dataclass(frozen=True)
class Survival:
    """Times until an event as the target: `read_table(path, target=Survival("months", "died"))`.

    time : the column of how long each row was watched, above 0. event : the column of 1 where the row ended in an event
    then, 0 where it was only watched so long (censored). shrink : of hazard ratios to 1, see target.Counts.
    Source: LeBlanc and Crowley (1992), Relative risk trees for censored survival data; rpart's method "exp".
    """

    time: str
    event: str
    shrink: float = 1.0
    second: ClassVar[str] = "time"
    takes_words: ClassVar[bool] = True

    def __post_init__(self):
        if not self.time or not self.event or self.time == self.event:
            remedy = "Name the column of times, and that of events"
            raise TreecoreError("Times and events are two columns", where="Survival", remedy=remedy)
        self.counts  # noqa: B018  a shrinkage that is none is refused

    @property
    def counts(self) -> Counts:
        return Counts(self.event, self.time, self.shrink)

    @property
    def numbers(self) -> tuple[str, ...]:
        return self.counts.numbers

    @property
    def name(self) -> str:
        """The column that is the target: events are what is counted."""
        return self.event

    @property
    def exposure(self) -> str:
        return self.time

    @property
    def kind(self) -> "SurvivalTarget":
        """The kind of target that it makes."""
        return SurvivalTarget(self.time, float(self.shrink))

    @property
    def alone(self) -> str:
        """The event as a class: without a time there is no survival."""
        return self.event


@dataclass(frozen=True)
class SurvivalTarget(CountTarget):
    """Events in scaled time, answered by hazard ratios: 1 is the hazard of all training rows, each counted once, as in
    rpart: case weights count in nodes, not in this scale, so that a weighted root may have another one.

    times, hazard : the cumulative hazard of the training rows, and the times where its slope changes, between which it
    is linear; () before a tree has learned them, when rows are scaled by their own.
    """

    times: tuple[float, ...] = ()
    hazard: tuple[float, ...] = ()
    held: ClassVar[str] = "survival times"
    instead: ClassVar[str] = "the event as a class"
    noun: ClassVar[str] = "hazard ratio"
    rate_word: ClassVar[str] = "hazard"

    settings: ClassVar[dict[str, tuple]] = CountTarget.settings | {"score": ("decrease", "log_rank")}

    def spec(self, name: str) -> Survival:
        return Survival(self.exposure, name, self.shrink)

    def phrase(self, name: str, exposure: str) -> str:
        return f"{exposure} until {name}"

    def learned(self, events: np.ndarray, time: np.ndarray) -> "SurvivalTarget":
        """The kind with the hazard of these rows. TreecoreError for what are no times and events."""
        edges, hazard = cumulative_hazard(time, events)
        return replace(self, times=tuple(edges.tolist()), hazard=tuple(hazard.tolist()))

    def scaled(self, events: np.ndarray, time: np.ndarray) -> np.ndarray:
        """float64 (n,): the cumulative hazard at each time, NaN where the time is missing."""
        known = ~np.isnan(time) & ~np.isnan(events)
        kind = self if self.times else self.learned(events[known], time[known])
        return np.where(np.isnan(time), np.nan, np.interp(np.nan_to_num(time), kind.times, kind.hazard))

    def units_shown(self, tree: TreeLike) -> float:
        """A hazard ratio has no unit."""
        return 1.0

    def row_labels(self, table: Any) -> np.ndarray:
        """Twice the rank of the time, and 1 more for an event: what log-rank tests are made of."""
        return 2 * table.column(self.exposure).codes.astype(np.int64) + (table.target_column.values() > 0)

    def named_answer(self, tree: TreeLike, node: int) -> str:
        return self.answer_text(tree, node)  # "hazard × 1.2" says what it is

    @property
    def one_for_all(self) -> str:
        return f"one {self.rate_word} for all"

    def answer_digits(self, tree: TreeLike) -> int:
        return 3  # as is usual for hazard ratios, which are estimates from few events

    def value_text(self, tree: TreeLike, value: float) -> str:
        return "no answer" if math.isnan(value) else f"hazard × {self.figure_text(tree, value)}"

    def node_text(self, tree: TreeLike, node: int) -> str:
        """ "46 events, 95 %: hazard × 1.2 to 2.2"."""
        _, exposure, events, _ = tree.stats[node].tolist()
        if not exposure > 0:
            return ""
        lower, upper = (self.figure_text(tree, float(rate)) for rate in rate_interval(events, exposure))
        return f"{count(events, ',')} events, 95 %: hazard × {lower} to {upper}"

    def details(self, tree: TreeLike, node: int) -> tuple[tuple[str, str], ...]:
        _, exposure, events, _ = tree.stats[node].tolist()
        if not exposure > 0:
            return ()
        lower, upper = (self.figure_text(tree, float(rate)) for rate in rate_interval(events, exposure))
        result = ("events", count(events, ",")), ("expected of all rows' hazard", brief(exposure))
        return (*result, ("95 % interval", f"hazard × {lower} to {upper}"))

    def figures(self, tree: TreeLike, node: int, stats: np.ndarray) -> dict[str, str]:
        _, exposure, events, _ = stats.tolist()
        lower, upper = rate_interval(events, exposure) if exposure > 0 else (math.nan, math.nan)
        ratio = events / exposure if exposure > 0 else math.nan
        ratios = {"hazard ratio": ratio, "from": lower, "to": upper}
        result = {"events": count(events, ","), "expected": brief(exposure)}
        return result | {name: self.figure_text(tree, float(value)) for name, value in ratios.items()}

    def card_text(self, tree: TreeLike, node: int) -> str:
        return f"× {self.figure_text(tree, float(tree.value[node]))}"

    def short_text(self, tree: TreeLike, node: int) -> str:
        return self.card_text(tree, node)

    def subject(self, tree: TreeLike) -> str:
        return f"the hazard of {tree.schema.target}"

    def quantity(self, tree: TreeLike) -> str:
        return f"hazard ratio of {tree.schema.target}"

    def scale_name(self, tree: TreeLike) -> str:
        return self.quantity(tree)
