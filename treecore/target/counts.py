"""A target of counts with exposure: events and what they were counted in, rates, and the Poisson deviance."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from treecore.errors import TreecoreError
from treecore.figures import count, number
from treecore.target.rounding import settled
from treecore.target.target import OWN, Target, TreeLike

LEVEL = 0.95
"""Of intervals of rates."""
ON_CARD = 16
"""Letters of an answer on a card."""
BESIDE = ("from", "to", "n", "rows of")
"""What stands beside the columns of the target in a table of figures: these may have the same names."""
LIMITS = ("min_weight_split", "min_weight_leaf", "min_share_split", "min_share_leaf")


LEAST_SHRINK, MOST_SHRINK = 1e-100, 1e100
"""Of shrinkages but 0: their squares are numbers."""


def is_shrinkage(k: float) -> bool:
    """Can rates be estimated with it?"""
    return k == 0.0 or LEAST_SHRINK <= k < MOST_SHRINK


@dataclass(frozen=True)
class Counts:
    """A column of counts as the target: `read_table(path, target=Counts("claims", exposure="years"))`.

    name : the column, whole numbers that are 0 or more. exposure : the column that says in how much each was counted
        (years, kilometres, patients), numbers above 0; "" where every row counts alike. The tree answers with events
        per unit of it.
    shrink : k of the estimate (D + 1/k²) / (T + 1/(k² r)) of a node with D events in an exposure of T, r being the rate
        of all training rows: the coefficient of variation that rates of nodes are expected to have. As small as 0.1
        draws them to r, 0 takes D / T as it is. Source: Therneau and Atkinson, An introduction to recursive
        partitioning using the rpart routines, section 8.
    """

    name: str
    exposure: str = ""
    shrink: float = 1.0
    second: ClassVar[str] = "exposure"
    """What the column beside the target is, in a table of columns."""
    takes_words: ClassVar[bool] = False
    """May the target be of words such as no and yes?"""

    def __post_init__(self):
        if not isinstance(self.shrink, int | float) or not is_shrinkage(self.shrink):
            remedy = f"Give a number of at least {LEAST_SHRINK:g}, or 0, which takes rates as they are"
            raise TreecoreError(f"{self.shrink!r} is not possible", where="shrink", remedy=remedy)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns that are read as numbers."""
        return tuple(filter(None, (self.name, self.exposure)))

    @property
    def kind(self) -> "CountTarget":
        """The kind of target that it makes."""
        return CountTarget(self.exposure, float(self.shrink))

    @property
    def alone(self) -> "Counts":
        """What is predicted where the column beside it becomes another one's."""
        return replace(self, exposure="")


def log_terms(events: np.ndarray, exposure: np.ndarray) -> np.ndarray:
    """float64 (m,): d ln(d / e), the part of a deviance that no rate changes; 0 without events."""
    some = events > 0
    return np.where(some, events * np.log(np.where(some, events / exposure, 1.0)), 0.0)


def rate_interval(events, exposure, level: float = LEVEL) -> tuple[np.ndarray, np.ndarray]:
    """(lower, upper), the exact interval of a rate: of so many events in this exposure, both above 0 or 0.

    Source: Garwood (1936), Fiducial limits for the Poisson distribution.
    """
    from scipy.special import gammaincinv

    events, tail = np.asarray(events, float), (1.0 - level) / 2.0
    lower = np.where(events > 0, gammaincinv(np.maximum(events, 1e-300), tail), 0.0)
    return lower / exposure, gammaincinv(events + 1.0, 1.0 - tail) / exposure


def counts_deviance(events: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """2 (d ln(d / m) - (d - m)), infinite for events where none are expected."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(events > 0, events * np.log(events / expected), 0.0)
    scale = np.maximum(np.abs(logs), np.maximum(events, expected))
    return np.maximum(settled(2.0 * (logs - (events - expected)), scale, 1e-15), 0.0)


def _roots_apart(events: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Squared distance of the roots, which vary alike whatever the rate."""
    return (np.sqrt(events) - np.sqrt(expected)) ** 2


@dataclass(frozen=True)
class CountTarget(Target):
    """Counts, answered by events per unit of exposure.

    Statistics are (w, T, D, S): weight of the rows, exposure Σwe, events Σwd, and Σ w d ln(d / e), from which the
    deviance of any rate follows: 2 (S - D ln r - (D - r T)). exposure, shrink : see Counts.
    """

    exposure: str = ""
    shrink: float = 1.0
    task: ClassVar[str] = "counts"
    held: ClassVar[str] = "counts"
    instead: ClassVar[str] = "the rate as a number"
    """What another tree can predict, where counts have no meaning yet."""
    noun: ClassVar[str] = "rate"
    width: ClassVar[int] = 4
    losses: ClassVar[dict[str, Callable]] = {OWN: counts_deviance, "deviance": counts_deviance, "roots": _roots_apart}
    """Measure -> (events, expected events) -> the loss of rows."""
    settings: ClassVar[dict[str, tuple]] = {
        "score": ("decrease",), "test": ("none",), "oblique": ("none",),
        "monotonic": ((),), "size_penalty": (0.0,), "min_gain": (0.0,), "min_impurity": (0.0,),
        "min_weighted_gain": (0.0,), "patience": (0,), "nominal": ("subset",), "numeric": ("threshold",),
        "edges": ((),), "cuts": ("all",), "selector": ("best",), "leaf_model": ("constant",),
        "missing": (
            "majority", "surrogates", "surrogates_only", "stay", "rpart", "rpart_only", "rpart_stay", "own_value",
            "both_ways", "majority_rows",
        ),
        "min_weight_split": (0.0,), "min_weight_leaf": (0.0,), "min_share_split": (0.0,), "min_share_leaf": (0.0,),
    }  # fmt: skip
    """Limits on weights are none of counts with an exposure: kernels would hold them against it."""

    def spec(self, name: str) -> Counts:
        """The target as read_table takes it. name : of its column."""
        return Counts(name, self.exposure, self.shrink)

    def phrase(self, name: str, exposure: str) -> str:
        """What is predicted, from these texts for its columns."""
        return f"{name} per unit of {exposure}" if exposure else name

    def learned(self, events: np.ndarray, exposure: np.ndarray) -> "CountTarget":
        """The kind with what it has to know of all training rows: nothing."""
        return self

    def scaled(self, events: np.ndarray, exposure: np.ndarray) -> np.ndarray:
        """float64 (n,): what rates are per unit of."""
        return exposure

    def allows(self, setting: str, value: object) -> bool:
        return (setting in LIMITS and not self.exposure) or super().allows(setting, value)

    def leaves_open(self, setting: str) -> bool:
        return (setting in LIMITS and not self.exposure) or super().leaves_open(setting)

    def per_of(self, stats: np.ndarray) -> np.ndarray:
        return stats[..., 1]

    def mean_of(self, stats: np.ndarray) -> np.ndarray:
        """Events per unit of exposure, as they are."""
        exposure = stats[..., 1]
        return np.divide(stats[..., 2], exposure, out=np.zeros(np.shape(exposure)), where=exposure > 0)

    def row_sums(self, cell: np.ndarray, n: int, weight: np.ndarray, truth: np.ndarray) -> np.ndarray:
        known = self.is_known(truth)
        events, exposure = np.where(known[:, None], truth, 1.0).T
        parts = np.ones(len(cell)), exposure, events, log_terms(events, exposure)
        return np.stack([np.bincount(cell, weight * known * part, n) for part in parts], axis=1)

    def is_known(self, truth: np.ndarray) -> np.ndarray:
        return ~np.isnan(truth).any(axis=1)

    def answer_losses(self, truth: np.ndarray, answer) -> np.ndarray:
        """The deviance; infinite where there is no answer."""
        answer = np.asarray(answer, float)
        return np.where(np.isnan(answer), np.inf, counts_deviance(truth[:, 0], answer * truth[:, 1]))

    def interval(self, stats: np.ndarray) -> tuple[float, float]:
        _, exposure, events, _ = stats.tolist()
        if not exposure > 0:
            return math.nan, math.nan
        low, high = rate_interval(events, exposure)
        return float(low), float(high)

    def rates(self, stats: np.ndarray, root: np.ndarray) -> np.ndarray:
        """float64 (...): the estimated rate of rows with these statistics, NaN without any. root : statistics (4,) of
        all training rows."""
        exposure, events = stats[..., 1], stats[..., 2]
        prior = 0.0 if self.shrink == 0.0 else self.shrink**-2.0
        with np.errstate(divide="ignore", invalid="ignore"):
            of_prior = 0.0 if prior == 0.0 else prior / (root[2] / root[1])
            result = (events + prior) / (exposure + of_prior)
        return np.where(exposure > 0, result, np.nan)

    def observed(self, truth: np.ndarray) -> np.ndarray:
        """The row's own rate."""
        return truth[:, 0] / truth[:, 1]

    def residuals(self, truth: np.ndarray, answer: np.ndarray) -> np.ndarray:
        return truth[:, 0] - answer * truth[:, 1]

    def values(self, tree: TreeLike) -> np.ndarray:
        rates = self.rates(tree.stats, tree.stats[0])[tree.answer]
        return np.where(tree.answer < 0, np.nan, rates)

    def leaf_errors(self, tree: TreeLike, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
        self.check_loss(tree, measure)
        if measure == "roots":
            raise TreecoreError("It does not follow from a node's sums", where="measure", remedy="Take the deviance")
        return self.deviance_of(stats, tree.value)

    def deviance_of(self, stats: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """float64 (...): deviance of rows with these statistics around these rates; infinite for events where the rate
        is 0, 0 without rows."""
        w, exposure, events, logs = np.moveaxis(stats, -1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            of_rate = np.where(events > 0, events * np.log(rate), 0.0)
            result, scale = 2.0 * (logs - of_rate - (events - rate * exposure)), np.abs(logs) + np.abs(of_rate) + events
        return np.where(w == 0, 0.0, np.maximum(settled(result, scale), 0.0))

    def deviance_excess(self, stats: np.ndarray) -> np.ndarray:
        """float64 (...): by how much Σ w d ln(d / e) is below the least that rows of this rate can have."""
        _, exposure, events, logs = np.moveaxis(stats, -1, 0)
        some = (events > 0) & (exposure > 0)
        return np.where(some, events * np.log(np.where(some, events / np.where(some, exposure, 1.0), 1.0)), 0.0) - logs

    def row_losses(
        self, tree: TreeLike, measure: str, factor: np.ndarray | None = None
    ) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        loss = self.losses[measure]
        return lambda truth, answer: loss(truth[:, 0], answer * truth[:, 1])

    def own_measure(self, tree: TreeLike) -> str:
        return "deviance"

    @property
    def mean_loss(self) -> str:
        return "mean deviance"

    def loss_name(self, tree: TreeLike) -> str:
        return "mean deviance"

    def error_name(self, tree: TreeLike, measure: str = OWN) -> str:
        return "squared distance of roots" if measure == "roots" else "deviance"

    def answer_text(self, tree: TreeLike, node: int) -> str:
        """ "23.4 per 100 years"."""
        return self.value_text(tree, float(tree.value[node]))

    def value_text(self, tree: TreeLike, value: float) -> str:
        if math.isnan(value):
            return "no answer"
        return f"{self.figure_text(tree, value)}{self._per(tree)}"

    def details(self, tree: TreeLike, node: int) -> tuple[tuple[str, str], ...]:
        _, exposure, events, _ = tree.stats[node].tolist()
        if not exposure > 0:
            return ()
        result = [(tree.schema.target, count(events, ","))]
        if self.exposure:
            result.append((self.exposure, count(exposure, ",")))
        return (*result, (f"{100 * LEVEL:g} % interval", self._interval(tree, events, exposure)))

    def card_text(self, tree: TreeLike, node: int) -> str:
        """ "3.793 / 10 years" at a leaf, where the name of the unit is short; else "3.793": a legend has the rest."""
        value = float(tree.value[node])
        if math.isnan(value):
            return "no answer"
        units = self.units_shown(tree)
        text = self.figure_text(tree, value)
        whole = f"{text} / {number(units)} {self.exposure}" if units > 1 else f"{text} / {self.exposure}"
        return whole if self.exposure and tree.is_leaf[node] and len(whole) <= ON_CARD else text

    def scale_name(self, tree: TreeLike) -> str:
        return f"{tree.schema.target}{self._per(tree)}"

    def scale_text(self, tree: TreeLike, node: int) -> str:
        return self.figure_text(tree, float(tree.value[node]))

    def quantity(self, tree: TreeLike) -> str:
        return self.scale_name(tree) if self.exposure else f"mean {tree.schema.target}"

    def figures(self, tree: TreeLike, node: int, stats: np.ndarray) -> dict[str, str]:
        _, exposure, events, _ = stats.tolist()
        lower, upper = rate_interval(events, exposure) if exposure > 0 else (math.nan, math.nan)
        rate = events / exposure if exposure > 0 else math.nan
        result: dict[str, str] = {}
        of_rate = self._per(tree).strip() or "rate"
        for name, value in ((tree.schema.target, count(events, ",")), (self.exposure, count(exposure, ","))):
            while name in (*BESIDE, of_rate) or name in result:
                name += " (column)"
            result |= {name: value} if name else {}
        rates = {of_rate: rate, "from": lower, "to": upper}
        return result | {name: self.figure_text(tree, float(value)) for name, value in rates.items()}

    def units_shown(self, tree: TreeLike) -> float:
        """The power of ten of units of exposure in which all rows have about one event to ten, at least 1: the root's
        rate, which is the same in all trees of a table, decides for every node and for other rows."""
        rate = float(tree.value[0]) if self.exposure else 1.0
        return 10.0 ** max(math.ceil(-math.log10(rate)), 0) if rate > 0 else 1.0

    def _per(self, tree: TreeLike) -> str:
        units = self.units_shown(tree)
        if not self.exposure:
            return ""
        return f" per {number(units)} {self.exposure}" if units > 1 else f" per unit of {self.exposure}"

    def node_text(self, tree: TreeLike, node: int) -> str:
        """ "46 claims in 200.5 years, 95 %: 16.8 to 30.6 per 100 years"."""
        _, exposure, events, _ = tree.stats[node].tolist()
        if not exposure > 0:
            return ""
        held = f" in {count(exposure, ',')} {self.exposure}" if self.exposure else ""
        interval = f"{100 * LEVEL:g} %: {self._interval(tree, events, exposure)}"
        return f"{count(events, ',')} {tree.schema.target}{held}, {interval}"

    def _interval(self, tree: TreeLike, events: float, exposure: float) -> str:
        lower, upper = (self.figure_text(tree, float(rate)) for rate in rate_interval(events, exposure))
        return f"{lower} to {upper}{self._per(tree)}"
