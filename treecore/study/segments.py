"""The leaves of a tree as segments of the rows, riskiest first: what each holds, and what the first ones are worth."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from math import floor, inf, nan
from typing import Any

import numpy as np

from treecore.brief import Brief, text_table
from treecore.data.frames import AnyFrame, as_kind
from treecore.data.gaps import Gap
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import count, lift_text, number, percent
from treecore.judging.answers import answers_of
from treecore.judging.interest import (
    FlagRule,
    interest_named,
    place_of_class,
    riskiest_first,
    segment_numbers,
    segment_rates,
    wilson,
)
from treecore.judging.ranking import Ranking
from treecore.judging.uplift import QiniCurve, qini_curve
from treecore.rules.rule_set import rules
from treecore.study.survival_curves import risks_at
from treecore.target.counts import rate_interval
from treecore.target.effects import EffectTarget, effects_of
from treecore.tree.node_statistics import around_parent, end_statistics, true_numbers
from treecore.tree.predict import route
from treecore.tree.tree import Tree

QUANTILE = 1.959963984540054
"""Of the normal distribution, for 95 %."""
ALL = "all"
SLACK = 1e-9
"""Share of all rows by which a sum of parts of rows may be off."""


@dataclass(frozen=True)
class Profit:
    """What a row is worth by whether it is flagged and what it is.

    hit, miss : of a row of the class of interest that is flagged, or is not. false_alarm, correct_rejection : of any
    other row that is flagged, or is not.
    """

    hit: float = 0.0
    miss: float = 0.0
    false_alarm: float = 0.0
    correct_rejection: float = 0.0

    @classmethod
    def of_tree(cls, tree: Tree, k: int | None) -> "Profit | None":
        """What the costs or profits that a tree of two classes was grown with say of class k; else None."""
        if tree.loss is None or k is None or len(tree.classes) != 2:
            return None
        gain = -tree.loss
        return cls(*(float(gain[i, j]) + 0.0 for i, j in ((k, k), (k, 1 - k), (1 - k, k), (1 - k, 1 - k))))

    def of(self, rows: Any, hits: Any, all_rows: float, all_hits: float) -> Any:
        """The profit where of all rows these are flagged, hits among them."""
        alarms, missed = rows - hits, all_hits - hits
        rest = all_rows - all_hits - alarms
        return hits * self.hit + missed * self.miss + alarms * self.false_alarm + rest * self.correct_rejection


@dataclass(frozen=True, eq=False, repr=False)
class HeldOut(Brief):
    """What the segments hold of the rows of one role; float64 (n_segments,) each, in their order.

    rows : weight of the rows, those alone whose target is known. hits : of those of the class of interest; of a target
    of numbers the sum of it, of risks at a horizon the events expected until then. low, high : 95 % of the rate:
    Wilson's interval, weights taken for numbers of rows; of a mean 1.96 standard errors around it. spread : standard
    deviation of numbers, None for classes. median : of the numbers, None where the rows are not at hand. exposure : in
    how much counts were counted, None for other targets; hits are the events then, and rates, with exact intervals, are
    events per unit of it. overall : the effect in all rows, or their risk at the horizon, None for other targets; hits
    are effects, or risks, times rows then. effects : those in each segment, NaN without rows of an arm; None for
    others.
    """

    rows: np.ndarray
    hits: np.ndarray
    low: np.ndarray
    high: np.ndarray
    spread: np.ndarray | None = None
    median: np.ndarray | None = None
    exposure: np.ndarray | None = None
    overall: float | None = None
    effects: np.ndarray | None = None

    @property
    def n_rows(self) -> float:
        """Weight of all rows."""
        return float(self.rows.sum())

    @property
    def n_hits(self) -> float:
        """Of all rows of the class; of numbers their sum."""
        return float(self.hits.sum())

    @property
    def base(self) -> float:
        """The rate, the mean or the effect of all rows."""
        if self.overall is not None:
            return self.overall
        per = float(self.per.sum())
        return self.n_hits / per if per > 0 else nan

    @property
    def per(self) -> np.ndarray:
        """float64 (n,): what a rate is by, rows or the exposure."""
        return self.rows if self.exposure is None else self.exposure

    @cached_property
    def per_so_far(self) -> np.ndarray:
        """float64 (n + 1,): the same of the segments before each."""
        return np.append(0.0, np.cumsum(self.per))

    @property
    def rate(self) -> np.ndarray:
        """Share of the class, mean, or effect."""
        if self.effects is not None:
            return self.effects
        return _ratio(self.hits, self.per)

    @property
    def share(self) -> np.ndarray:
        """Of all rows."""
        return _ratio(self.rows, self.n_rows)

    @property
    def lift(self) -> np.ndarray:
        """The rate over that of all rows."""
        return _ratio(self.rate, self.base)

    @property
    def rows_so_far(self) -> np.ndarray:
        """Rows of this segment and of those before it."""
        return self.rows.cumsum()

    @property
    def hits_so_far(self) -> np.ndarray:
        return self.hits.cumsum()

    @property
    def captured(self) -> np.ndarray:
        """Of all rows of the class, or of the sum of all numbers, the share in the segments so far."""
        return _ratio(self.hits_so_far, self.n_hits)

    @property
    def false_alarms(self) -> np.ndarray:
        """Rows of other classes in the segments so far."""
        return self.rows_so_far - self.hits_so_far

    def profit(self, profit: Profit) -> np.ndarray:
        """Where the segments so far are flagged."""
        return profit.of(self.rows_so_far, self.hits_so_far, self.n_rows, self.n_hits)


@dataclass(frozen=True)
class Selection:
    """The first rows of the segments, riskiest first; where the line falls within a segment, that part of it.

    target, name : what a rate or a mean is of, and the class of interest (None: numbers). rows, hits : of the role, as
    of HeldOut. n_rows, n_hits : of all its rows. rate : of these rows, of numbers their mean; rate_text : the same in
    print. profit : None where none is reckoned. n_segments : that lie within wholly. rule : flags just these; None
    where there is none, or the first ones without those of an equal rate. adds_up : is there a total, see
    target.Target?
    """

    target: str
    name: str | None
    role: str
    rows: float
    hits: float
    n_rows: float
    n_hits: float
    profit: float | None
    n_segments: int
    rule: FlagRule | None
    rate: float = nan
    rate_text: str = ""
    adds_up: bool = True

    @property
    def false_alarms(self) -> float:
        return self.rows - self.hits

    @property
    def text(self) -> str:
        """ "Contact 500 of 6,015: 143 of 433 “yes”, 357 for nothing, profit 12,350."."""
        said = f"Contact {_whole_number(self.rows)} of {_whole_number(self.n_rows)}: "
        if self.name is None:
            said = f"The {_whole_number(self.rows)} highest of {_whole_number(self.n_rows)}: "
            if not self.adds_up:
                return f"{said}{self.target} {self.rate_text}."
            part = self.hits / self.n_hits if self.n_hits else nan
            return f"{said}{self.target} {self.rate_text}, {percent(part)} of the total."
        hits = floor(self.hits + 0.5)
        said += f"{_whole_number(hits)} of {_whole_number(self.n_hits)} “{self.name}”, "
        said += f"{_whole_number(floor(self.rows + 0.5) - hits)} for nothing"
        return said + ("." if self.profit is None else f", profit {_whole_number(self.profit)}.")


def _whole_number(value: float) -> str:
    return count(floor(value + 0.5), ",")


@dataclass(frozen=True, eq=False, repr=False)
class Segments(Brief):
    """The places where rows end, riskiest first by the rate of the training rows: leaves, and nodes at which rows stop.

    tree : whose. k, name : the class of interest, None for numbers. node : int64 (n_segments,), where the rows end.
    number : int64, 1 for the first leaf and so on; 0 for a node that is no leaf. told : float64, what the tree says:
    the rate in training, or its answer in numbers. held : role -> what the segments hold of its rows; first
    "train", or "estimation" of an honest tree.
    profit : what a row is worth, None where nobody has said it. horizon : the time until which risks are told and
    ranked, of survival times; None where the tree's answers are. answers : float64, what the tree itself says, by which
    rules flag: told, but for risks at a horizon.
    """

    tree: Tree
    k: int | None
    name: str | None
    node: np.ndarray
    number: np.ndarray
    told: np.ndarray
    held: Mapping[str, HeldOut]
    profit: Profit | None = None
    horizon: float | None = None
    answers: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.node)

    @property
    def label(self) -> str | None:
        """What texts call the class of interest; None for numbers."""
        return None if self.k is None else self.tree.class_names[self.k]

    @property
    def quantity(self) -> str:
        """What rates are of: "rate of yes", "mean price", "claims per 10 years", or "risk of relapse within 12
        (months)"."""
        if self.horizon is not None:
            spec = self.tree.schema.counts
            assert spec is not None
            return f"risk of {self.tree.schema.target} within {number(self.horizon)} ({spec.exposure})"
        return self.tree.target_kind.observed_quantity(self.tree) if self.name is None else f"rate of {self.label}"

    @property
    def noun(self) -> str:
        """The quantity in a word."""
        if self.horizon is not None:
            return "risk"
        return self.tree.target_kind.observed_noun if self.name is None else "rate"

    @property
    def answers_differ(self) -> bool:
        """Are the tree's answers another number of the rows than their rate: a quantile, a robust mean?"""
        return self.name is None and self.tree.schema.row_loss is not None

    @property
    def in_percent(self) -> bool:
        """Are rates shares of rows?"""
        return self.name is not None or self.horizon is not None

    @property
    def units(self) -> float:
        """Of rates where they are typed and listed: per cent, or the units of the target."""
        return 100.0 if self.in_percent else self.tree.target_kind.units_shown(self.tree)

    def rate_text(self, rate: float) -> str:
        """A rate as texts of the segments write it, in the unit that `quantity` names."""
        return percent(rate) if self.in_percent else self.tree.target_kind.figure_text(self.tree, rate)

    @property
    def adds_up(self) -> bool:
        """Have segments parts of a total? See target.Target."""
        return self.tree.target_kind.adds_up

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """What the rows of each have in common, in words."""
        of_leaf = {rule.leaf: rule.premise for rule in rules(self.tree).without_implied()}
        return tuple(of_leaf.get(node) or self.tree.node(node).rule for node in self.node.tolist())

    def judge(self, role: str | None = None) -> str:
        """The role that is counted on: the one named; else validation where it has rows, else that of the tree's own
        figures."""
        if role is None:
            own = self.tree.figures_of if self.tree.figures_of in self.held else next(iter(self.held))
            return "validation" if "validation" in self.held else own
        if role not in self.held:
            remedy = "Choose one of: " + ", ".join(self.held)
            raise TreecoreError(f"There are no rows called {role!r}", where="role", remedy=remedy)
        return role

    def ranking(self, role: str | None = None) -> Ranking:
        """The rows of a role by the rates of their segments: gains and lift. TreecoreError for numbers."""
        if self.name is None:
            raise TreecoreError("Numbers have no gains", where="ranking", remedy="Look at the share of the total")
        held = self.held[self.judge(role)]
        last = np.append(np.diff(np.nan_to_num(self.told, nan=-1.0)) != 0, True)
        hits, alarms = held.hits_so_far[last], held.false_alarms[last]
        return Ranking(self.told[last], hits, alarms, held.n_hits, held.n_rows - held.n_hits)

    # ------------------------------------------------------------ the first ones

    def first(self, rows: float, role: str | None = None) -> Selection:
        """So many rows of a role; within the last segment rows are of its rate."""
        role = self.judge(role)
        held = self.held[role]
        rows = float(min(max(rows, 0.0), held.n_rows))
        ends, hits = np.append(0.0, held.rows_so_far), np.append(0.0, held.hits_so_far)
        place = int(np.searchsorted(ends, rows, "right")) - 1  # the last one that ends at or before the line
        place = min(place, len(self))
        part = 0.0 if place == len(self) else (rows - ends[place]) / held.rows[place]
        result = hits[place] + (part * held.hits[place] if part > 0 else 0.0)
        whole = self.whole(int(np.count_nonzero(ends[1:] <= rows + SLACK * held.n_rows)), held)
        gain = None
        if self.profit is not None and self.name is not None:
            gain = float(self.profit.of(rows, result, held.n_rows, held.n_hits))
        per = held.per_so_far[place] + part * (held.per[place] if part > 0 else 0.0)
        rate = float(result) / per if per > 0 else nan
        target, adds_up = self.tree.schema.target if self.name is not None else self.quantity, self.adds_up
        of_rows, told = (rows, float(result), held.n_rows, held.n_hits), self.rate_text(rate)
        return Selection(target, self.label, role, *of_rows, gain, whole, self.rule(whole), rate, told, adds_up)

    def flagged(self, rule: FlagRule, role: str | None = None) -> Selection:
        """As many segments as a rule flags."""
        if self.answers is None:
            return self.above(rule.threshold, role)
        n = int(np.count_nonzero(self.answers >= rule.threshold))
        return replace(self._leading(n, role), rule=rule, n_segments=n)

    def within(self, budget: float, cost: float, role: str | None = None) -> Selection:
        """As many rows as a budget pays for, at this cost of each."""
        if not cost > 0:
            raise TreecoreError("A row costs nothing", where="cost", remedy="Give a number above 0")
        return self.first(max(budget, 0.0) / cost, role)

    def above(self, rate: float, role: str | None = None) -> Selection:
        """The segments whose rate, as the tree tells it, is at least this one."""
        n = int(np.count_nonzero(self.told >= rate))
        if self.answers is not None:
            return self._leading(n, role)
        return replace(self._leading(n, role), rule=FlagRule(rate, self.name), n_segments=n)

    def most_profitable(self, role: str | None = None) -> Selection:
        """The segments with which the profit on the rows of a role is largest, the fewest of equals."""
        if self.profit is None or self.name is None:
            remedy = "Say what a hit, a miss and a false alarm are worth"
            raise TreecoreError("No profit is known", where="profit", remedy=remedy)
        gains = self.held[self.judge(role)].profit(self.profit)
        held = self.held[self.judge(role)]
        gains = np.append(self.profit.of(0.0, 0.0, held.n_rows, held.n_hits), gains)
        whole = [n for n in range(len(self) + 1) if n == 0 or self.whole(n) == n]
        return self._leading(max(whole, key=lambda n: (gains[n], -n)), role)

    def _leading(self, n: int, role: str | None) -> Selection:
        role = self.judge(role)
        return self.first(float(self.held[role].rows[:n].sum()), role)

    def whole(self, n: int, held: HeldOut | None = None) -> int:
        """Of the first n segments those that a rule can tell from the others; not those at the end without rows."""
        while n and held is not None and not held.rows[n - 1] > 0:
            n -= 1
        if self.answers is not None:
            return next((m for m in range(n, 0, -1) if self.rule(m) is not None), 0)
        while 0 < n < len(self) and self.told[n - 1] == self.told[n]:
            n -= 1
        return n if n and not np.isnan(self.told[n - 1]) else int(np.count_nonzero(~np.isnan(self.told[:n])))

    def rule(self, n: int) -> FlagRule | None:
        """What flags the first n segments: a short threshold between the last one's rate and the next one's."""
        if not 0 < n <= len(self) or np.isnan(self.told[n - 1]):
            return None
        if self.answers is not None:  # the order is another one than that of the answers
            at, below = (
                float(f(part)) for f, part in ((np.min, self.answers[:n]), (np.max, [-inf, *self.answers[n:]]))
            )
            if not below < at:
                return None
        else:
            at = float(self.told[n - 1])
            below = float(self.told[n]) if n < len(self) and not np.isnan(self.told[n]) else -inf
        if self.name is not None and below < 0:
            return FlagRule(0.0, self.name)
        threshold = Gap(below, at, closed=False).decimal(at if below == -inf else (below + at) / 2)
        return FlagRule(threshold, self.name)

    def __str__(self) -> str:
        """The segments, riskiest first, with the rows of the first role."""
        role, held = next(iter(self.held.items()))
        figures = zip(self.number, self.node, self.rules, held.rows, held.rate, held.lift, held.captured, strict=True)
        rows = (
            (number, leaf, rule, count(n, ","), self.rate_text(rate))
            + ((lift_text(lift), percent(captured)) if self.adds_up else ())
            for number, leaf, rule, n, rate, lift, captured in figures
        )
        beside = ("lift", "captured") if self.adds_up else ()
        head = ("segment", "leaf", "rule", f"{role} rows", self.quantity, *beside)
        return text_table(head, rows, len(self), "segments more")

    # ------------------------------------------------------------ as a table

    def columns(self) -> dict[str, np.ndarray | list]:
        """segment, leaf, rule, and for each role, behind an underscore, its figures; see Held. segment is 0 for rows
        that stop at a node which is no leaf."""
        result: dict[str, np.ndarray | list] = {"segment": self.number, "leaf": self.node, "rule": list(self.rules)}
        for role, held in self.held.items():
            kind: dict[str, Any] = {"rows": held.rows, "share": held.share}
            if self.name is None:
                kind |= {self.noun: held.rate, "median": held.median, "spread": held.spread}
                kind |= {"low": held.low, "high": held.high}
                if self.adds_up:
                    kind |= {"lift": held.lift, "total": held.hits}
                    kind |= {"share_of_total": _ratio(held.hits, held.n_hits), "captured": held.captured}
            else:
                kind |= {"hits": held.hits, "rate": held.rate, "low": held.low, "high": held.high, "lift": held.lift}
                kind |= {"captured": held.captured, "false_alarms": held.false_alarms}
                if self.profit is not None:
                    kind["profit"] = held.profit(self.profit)
            result |= {f"{name}_{role}": values for name, values in kind.items() if values is not None}
        return result

    def to_frame(self, kind: str = "pandas", by: str | None = None, ascending: bool = False) -> AnyFrame:
        """A frame of this kind, a row per segment, riskiest first; shares are from 0 to 1.

        by : the column to sort by instead, as numbers, from the largest unless `ascending`; missing figures last.
        """
        import pyarrow as pa

        frame = pa.table(self.columns()).to_pandas()
        if by is not None and by not in frame.columns:
            remedy = "Choose one of: " + ", ".join(frame.columns)
            raise TreecoreError(f"There is no column {by!r}", where="by", remedy=remedy)
        if by is not None:
            frame = frame.sort_values(by, ascending=ascending, kind="stable").reset_index(drop=True)
        return as_kind(frame, kind)


def segments(
    tree: Tree,
    table: Table | Mapping[str, Table] | None = None,
    class_of_interest: str | None = None,
    profit: Profit | None = None,
    horizon: float | None = None,
) -> Segments:
    """The leaves of a tree, riskiest first, with what each holds of training rows and of others.

    table : other rows, called "rows", or role -> Table, such as {"validation": ..., "test": ...}; what the training
    rows are (of an honest tree the estimation rows) is known to the tree, and a role of their name, "train" (or
    "estimation"), only adds their medians. Roles are summed up as "all".
    class_of_interest : whose rate is told; by itself the rarer of two classes, of more the rarest; None for numbers.
    profit : what a row is worth; by itself what the tree of two classes was grown with.
    horizon : of survival times, a time: segments are then ranked and told by the risk of the event until then, one less
    the Kaplan-Meier curve of the rows that end there. The order is that of the tree's own rows where they are among the
    tables, else of the first role.
    Rows without a target, or of a class that the tree does not know, are not counted.
    """
    class_of_interest = interest_named(tree, class_of_interest)
    k = place_of_class(tree, class_of_interest)
    tables = {} if table is None else dict(table) if isinstance(table, Mapping) else {"rows": table}
    own = tree.figures_of
    if horizon is not None:
        return _by_risk(tree, tables, horizon, isinstance(table, Mapping))
    ends = {own: _own_ends(tree)}
    for role, rows in tables.items():
        if role != own:
            ends[role] = end_statistics(tree, rows)
    if isinstance(table, Mapping) and len(ends) > 1:
        ends[ALL] = reduce(np.add, ends.values())
    weights = {role: tree.weight_of(found) for role, found in ends.items()}
    reached = np.any([weight > 0 for weight in weights.values()], axis=0) | tree.is_leaf
    rates = segment_rates(tree, k)
    node = riskiest_first(tree, np.flatnonzero(reached), rates)
    held = {
        role: _held(tree, found[node], node, k, tables.get(role))
        for role, found in ends.items()
        if role == own or weights[role].sum() > 0
    }
    profit = Profit.of_tree(tree, k) if profit is None else profit
    numbers = segment_numbers(tree, rates)[node]
    return Segments(tree, k, class_of_interest, node, numbers, rates[node], held, profit)


def _by_risk(tree: Tree, tables: dict[str, Table], horizon: float, sums_up: bool) -> Segments:
    """Ranked by the risk until a horizon. sums_up : are there all roles, too?"""
    if not tables:
        remedy = f"Give them: segments(tree, {{{tree.figures_of!r}: rows, ...}}, horizon=...)"
        raise TreecoreError("Risks at a horizon need rows with their times", where="table", remedy=remedy)
    nodes, own = np.arange(tree.n_nodes), tree.figures_of if tree.figures_of in tables else next(iter(tables))
    parts = {own: [tables[own]]} | {role: [rows] for role, rows in tables.items() if role != own}
    if sums_up and len(parts) > 1:
        parts[ALL] = list(tables.values())
    risks = {role: risks_at(tree, rows, nodes, horizon) for role, rows in parts.items()}
    rates = risks[own].risk
    reached = np.any([found.rows > 0 for found in risks.values()], axis=0) | tree.is_leaf
    node = riskiest_first(tree, np.flatnonzero(reached), rates)
    held = {
        role: HeldOut(
            found.rows[node], np.nan_to_num(found.risk[node]) * found.rows[node], found.low[node], found.high[node],
            overall=found.pooled,
        )
        for role, found in risks.items()
        if role == own or found.rows.sum() > 0
    }  # fmt: skip
    numbers, answers = segment_numbers(tree, rates)[node], np.asarray(tree.value, float)[node]
    return Segments(tree, None, None, node, numbers, rates[node], held, None, horizon, answers)


def qini_curves(tree: Tree, tables: Mapping[str, Table]) -> dict[str, QiniCurve]:
    """Role -> the curve of the tree's predicted effects on its rows; {} for a tree of anything but effects, and without
    the roles that have rows of one arm alone."""
    if tree.task != "effects":
        return {}
    found = {role: qini_curve(answers_of(tree, table)) for role, table in tables.items()}
    return {role: curve for role, curve in found.items() if curve is not None}


def _own_ends(tree: Tree) -> np.ndarray:
    """float64 (n_nodes, S): of the rows of the tree's own figures those that end in each node; see end_statistics."""
    ends, below = np.array(tree.stats), np.arange(1, tree.n_nodes)
    np.subtract.at(ends, tree.parent[below], around_parent(tree, tree.stats[below], below))
    stops = tree.is_leaf | (tree.weight_of(ends) > SLACK * tree.weight[0])
    ends = np.where(stops[:, None], ends, 0.0)
    return np.maximum(ends, 0.0) if tree.classes else ends


def _held(tree: Tree, stats: np.ndarray, node: np.ndarray, k: int | None, rows: Table | None) -> HeldOut:
    """Of one role. stats : float64 (n_segments, S), of the rows that end in each of these nodes."""
    if k is not None:
        weight = stats.sum(axis=1)
        return HeldOut(weight, stats[:, k], *wilson(stats[:, k], weight))
    if tree.schema.counts is not None:
        if tree.task == "effects":
            return _held_effects(tree, stats)
        w, exposure, events, _ = stats.T
        low, high = rate_interval(events, np.where(exposure > 0, exposure, nan))
        return HeldOut(w, events, low, high, exposure=exposure)
    w, wy, wyy = stats.T
    off = _ratio(wy, w)
    spread = np.sqrt(np.maximum(_ratio(wyy, w) - off**2, 0.0))
    mean, half = tree.center[node] + off, QUANTILE * spread / np.sqrt(np.where(w > 0, w, nan))
    total = np.where(w > 0, w * tree.center[node] + wy, 0.0)
    median = _medians(tree, rows)[node] if isinstance(rows, Table) else None
    return HeldOut(w, total, mean - half, mean + half, spread, median)


def _held_effects(tree: Tree, stats: np.ndarray) -> HeldOut:
    """Of effects of a treatment: those of the rows themselves, with intervals, and that of all of them."""
    w, effect = stats[:, 0], effects_of(stats)
    kind = tree.schema.counts
    assert isinstance(kind, EffectTarget)
    low, high = np.array([kind.interval(one) for one in stats]).T
    overall = float(effects_of(stats.sum(axis=0)))
    return HeldOut(w, np.nan_to_num(effect) * w, low, high, overall=overall, effects=effect)


def _medians(tree: Tree, rows: Table) -> np.ndarray:
    """float64 (n_nodes,): the weighted median of the numbers that end in each node; NaN where none does."""
    routes, made = route(tree, rows), np.full(tree.n_nodes, nan)
    y, weight = routes.of_rows(true_numbers(tree, rows)), routes.share * routes.of_rows(rows.case_weights)
    known = ~np.isnan(y) & (weight > 0)
    order = np.lexsort((y[known], routes.node[known]))
    y, weight, node = y[known][order], weight[known][order], routes.node[known][order]
    starts = np.flatnonzero(np.diff(node, prepend=-1))
    for start, stop in zip(starts, [*starts[1:], len(node)], strict=True):
        so_far = weight[start:stop].cumsum()
        half = so_far[-1] / 2
        low = int(np.searchsorted(so_far, half * (1 - SLACK)))
        high = min(int(np.searchsorted(so_far, half * (1 + SLACK), "right")), stop - start - 1)
        made[node[start]] = (y[start + low] + y[start + high]) / 2
    return made


def _ratio(above: Any, below: Any) -> np.ndarray:
    """above / below, NaN over nothing."""
    above, below = np.broadcast_arrays(np.asarray(above, float), np.asarray(below, float))
    return np.divide(above, below, out=np.full(above.shape, nan), where=below != 0)
