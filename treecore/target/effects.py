"""A target of effects: what a treatment changes of an outcome, from the rows with it and those without it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from treecore.errors import TreecoreError
from treecore.figures import brief, count, number, p_value, percent
from treecore.target.rounding import settled
from treecore.target.target import OWN, Target, TreeLike

LEVEL = 0.95
"""Of intervals of effects."""
UNBALANCED = 0.01
"""p of the share of treated rows at a node, below which it is called unbalanced: many nodes are looked at."""
MIN_ROWS, MOST_ROWS = 10, 1_000_000
"""Rows of each arm in a leaf: at least so many, if nobody says another number; and the largest such number."""


def is_least(min_rows: object) -> bool:
    """Can leaves be asked for so many rows of each arm?"""
    return type(min_rows) is int and 1 <= min_rows <= MOST_ROWS


CONTROLS = (
    *("0", "no", "false", "f", "n", "none", "control", "controls", "ctrl", "placebo", "untreated", "not treated"),
    *("standard", "standard care", "usual care", "baseline", "hold out", "holdout", "old"),
)
"""Values by which the rows that were not treated are called."""


def named_control(values: Sequence[str]) -> str:
    """The value that is named as a control is, "" where none or more than one of them is."""
    named = [value for value in values if value.strip().casefold() in CONTROLS]
    return named[0] if len(named) == 1 else ""


@dataclass(frozen=True)
class Effect:
    """The effect of a treatment as the target: `read_table(path, target=Effect("recovered", "drug"))`.

    outcome : the column that the treatment may change: numbers, or two values such as 0 and 1, no and yes, of which the
        share of 1 or yes is compared. treatment : the column with two values, which says who was treated. control : the
        value of those who were not; "" takes the one that is named so (0, no, control, placebo ...). min_rows : of each
        arm that a leaf holds at least, by their weight where rows have one. treated : the value of those who were; ""
        takes the other one, so that both must be there. The tree answers with the mean outcome of the treated less that
        of the control, which is the effect where it was drawn by chance, or by what the features say, who was treated.
    Source: Athey and Imbens (2016), Recursive partitioning for heterogeneous causal effects.
    """

    outcome: str
    treatment: str
    control: str = ""
    min_rows: int = MIN_ROWS
    treated: str = ""
    second: ClassVar[str] = "treatment"
    takes_words: ClassVar[bool] = True

    def __post_init__(self):
        if not is_least(self.min_rows):
            remedy = f"Give a whole number from 1 to {MOST_ROWS:,}"
            raise TreecoreError(f"{self.min_rows!r} is not possible", where="min_rows", remedy=remedy)
        for name in ("outcome", "treatment", "control", "treated"):
            if not isinstance(getattr(self, name), str):
                raise TreecoreError(f"{getattr(self, name)!r} is no text", where=name, remedy="Write it in quotes")
        if not self.outcome or not self.treatment or self.outcome == self.treatment:
            remedy = "Name the column of outcomes, and that of who was treated"
            raise TreecoreError("Outcome and treatment are two columns", where="Effect", remedy=remedy)

    @property
    def name(self) -> str:
        """The column that is the target."""
        return self.outcome

    @property
    def exposure(self) -> str:
        """The column beside it."""
        return self.treatment

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns that are read as numbers."""
        return (self.outcome,)

    @property
    def kind(self) -> "EffectTarget":
        """The kind of target that it makes; the table says more of it, see data.table_like.with_arms."""
        return EffectTarget(self.treatment, self.control, self.treated, min_rows=self.min_rows)

    @property
    def alone(self) -> str:
        """The outcome by itself: without a treatment there is no effect."""
        return self.outcome


def effects_of(stats: np.ndarray) -> np.ndarray:
    """float64 (...): mean outcome of the treated less that of the control, NaN where one of them has no rows."""
    w, treated, y0, y1 = np.moveaxis(stats[..., :4], -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = y1 / treated - y0 / (w - treated)
    return np.where((treated > 0) & (w - treated > 0), effect, np.nan)


def variances_of(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(control, treated), float64 (...): mean squared distance of outcomes from their arm's mean; 0 without rows."""
    w, treated, y0, y1, yy0, yy1 = np.moveaxis(stats, -1, 0)
    result = []
    for n, y, yy in ((w - treated, y0, yy0), (treated, y1, yy1)):
        n = np.where(n > 0, n, 1.0)
        result.append(np.maximum(settled(yy / n - (y / n) ** 2, yy / n), 0.0))
    return result[0], result[1]


def welch_interval(stats: np.ndarray, level: float = LEVEL) -> tuple[float, float]:
    """The interval of a difference of means; NaN where an arm has fewer than two rows.

    stats : float64 (6,), see EffectTarget. Source: Welch (1947), The generalization of Student's problem.
    """
    from scipy.special import stdtrit

    w, treated = float(stats[0]), float(stats[1])
    n = np.array([w - treated, treated])
    if (n < 2).any():
        return math.nan, math.nan
    terms = np.array(variances_of(stats)) * n / (n - 1) / n
    effect, error = float(effects_of(stats)), math.sqrt(terms.sum())
    if error == 0.0:
        return effect, effect
    freedom = float(terms.sum() ** 2 / (terms**2 / (n - 1)).sum())
    width = float(stdtrit(freedom, 0.5 + level / 2.0)) * error
    return effect - width, effect + width


def wilson_interval(hits: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """The interval of a share. Source: Wilson (1927), Probable inference."""
    from scipy.special import ndtri

    z = float(ndtri(0.5 + level / 2.0))
    share = hits / n
    middle, width = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    below = 1 + z * z / n
    return max((middle - width) / below, 0.0), min((middle + width) / below, 1.0)


def newcombe_interval(stats: np.ndarray, level: float = LEVEL) -> tuple[float, float]:
    """The interval of a difference of shares, of outcomes that are 0 or 1; NaN where an arm has no rows.

    Source: Newcombe (1998), Interval estimation for the difference between independent proportions, method 10.
    """
    w, treated, y0, y1 = (float(value) for value in stats[:4])
    control = w - treated
    if not (treated > 0 and control > 0):
        return math.nan, math.nan
    share0, share1 = y0 / control, y1 / treated
    (low0, high0), (low1, high1) = wilson_interval(y0, control, level), wilson_interval(y1, treated, level)
    effect = share1 - share0
    below = math.hypot(share1 - low1, high0 - share0)
    above = math.hypot(high1 - share1, share0 - low0)
    return effect - below, effect + above


def arms_p_value(stats: np.ndarray, root: np.ndarray) -> float:
    """p of the treated being as frequent among these rows as among all others; NaN where there are no others.

    stats, root : float64 (6,), of the rows of a node and of all rows. Pearson's chi-square of two by two.
    """
    from scipy.special import chdtrc

    (n, treated), (whole, all_treated) = stats[:2], root[:2]
    rest, expected = whole - n, np.outer([n, whole - n], [all_treated, whole - all_treated]) / max(whole, 1.0)
    if rest <= 0 or not (expected > 0).all():
        return math.nan
    seen = np.array([[treated, n - treated], [all_treated - treated, rest - (all_treated - treated)]])
    return float(chdtrc(1, ((seen - expected) ** 2 / expected).sum()))


def _transformed_loss(transformed: np.ndarray, answer: np.ndarray) -> np.ndarray:
    return (transformed - answer) ** 2


@dataclass(frozen=True)
class EffectTarget(Target):
    """Effects of a treatment, answered by the difference of the two arms' mean outcomes.

    Statistics are (n, n1, y0, y1, yy0, yy1): rows, those of them that were treated, and sums and squares of the
    outcomes of control and treated, less `center`. A row of weight 2 is one that is there twice, in intervals, too.

    treatment, control, treated : the column, and its two values. shares : are all outcomes 0 or 1? min_rows : of each
    arm in a leaf, at least. mean, share : of the
    training rows (1 - p) times the mean outcome of the treated and p times that of the control, and p, the share that
    was treated; NaN before a tree has learned them. Losses compare effects with the transformed outcome
    (y - mean) (w - p) / (p (1 - p)), whose mean is the effect where it was drawn by chance who was treated (w = 1).
    Source: Athey and Imbens (2016), section 3 and appendix.
    """

    treatment: str
    control: str = ""
    treated: str = ""
    shares: bool = False
    min_rows: int = MIN_ROWS
    mean: float = math.nan
    share: float = math.nan
    task: ClassVar[str] = "effects"
    held: ClassVar[str] = "effects of a treatment"
    instead: ClassVar[str] = "the outcome by itself"
    noun: ClassVar[str] = "effect"
    adds_up: ClassVar[bool] = False
    diverging: ClassVar[bool] = True
    shows_rows: ClassVar[bool] = False
    tells_impurity: ClassVar[bool] = False
    n_card_lines: ClassVar[int] = 3
    rows_needed: ClassVar[float] = 4.0  # a difference of two halves varies as the mean of a quarter of the rows
    width: ClassVar[int] = 6
    losses: ClassVar[dict[str, Callable]] = {OWN: _transformed_loss, "transformed": _transformed_loss}
    risks: ClassVar[tuple[str, ...]] = (OWN,)
    settings: ClassVar[dict[str, tuple]] = {
        "score": ("decrease",), "test": ("none",), "oblique": ("none",),
        "monotonic": ((),), "size_penalty": (0.0,), "min_gain": (0.0,), "min_impurity": (0.0,),
        "min_weighted_gain": (0.0,), "patience": (0,), "nominal": ("subset",), "numeric": ("threshold",),
        "edges": ((),), "cuts": ("all",), "selector": ("best",), "costs": ((),), "max_features": ("all",),
        "leaf_model": ("constant",),
        "missing": (
            "majority", "surrogates", "surrogates_only", "stay", "rpart", "rpart_only", "rpart_stay", "majority_rows",
        ),
        "min_weight_split": (0.0,), "min_weight_leaf": (0.0,), "min_share_split": (0.0,), "min_share_leaf": (0.0,),
    }  # fmt: skip

    @property
    def exposure(self) -> str:
        """The column beside the outcome."""
        return self.treatment

    @property
    def center(self) -> float:
        """What outcomes are summed up around: numbers far from 0 would cancel, whole sums of 0 and 1 stay exact."""
        return 0.0 if self.shares or math.isnan(self.mean) else self.mean

    def spec(self, name: str) -> Effect:
        """The target as read_table takes it. name : of its column."""
        return Effect(name, self.treatment, self.control, self.min_rows)

    def phrase(self, name: str, beside: str) -> str:
        """What is predicted, from these texts for its columns."""
        return f"effect of {beside} on {name}"

    def learned(self, outcome: np.ndarray, arm: np.ndarray, weight: np.ndarray | None = None) -> "EffectTarget":
        """The kind with what it has to know of all training rows. TreecoreError where one arm has none."""
        counts = np.ones(len(arm), bool) if weight is None else weight > 0
        for w, called in ((0.0, self.control), (1.0, self.treated)):
            if not (arm[counts] == w).any():
                row = "row" if weight is None else "row of a weight above 0"
                raise TreecoreError(
                    f"No {row} has the value {called!r}, and an effect needs rows of both arms",
                    where=f"Column '{self.treatment}'",
                    remedy="Give rows of both arms, or choose another column for the treatment",
                )
        if weight is None:
            share, means = float(arm.mean()), [float(outcome[arm == w].mean()) for w in (0.0, 1.0)]
        else:
            share = float(weight @ arm / weight.sum())
            means = [float(np.average(outcome[arm == w], weights=weight[arm == w])) for w in (0.0, 1.0)]
        return replace(self, mean=share * means[0] + (1.0 - share) * means[1], share=share)

    def transformed(self, truth: np.ndarray) -> np.ndarray:
        """float64 (m,): the transformed outcome of rows, whose mean is the effect where treatment was drawn."""
        outcome, arm = truth.T
        return (outcome - self.mean) * (arm - self.share) / (self.share * (1.0 - self.share))

    # statistics

    def mean_of(self, stats: np.ndarray) -> np.ndarray:
        """Mean transformed outcome, which every group of rows has."""
        w, treated, y0, y1 = np.moveaxis(stats[..., :4], -1, 0)
        by = self.mean - self.center
        total = (y1 - by * treated) / self.share - (y0 - by * (w - treated)) / (1.0 - self.share)
        return np.divide(total, w, out=np.zeros(np.shape(w)), where=w > 0)

    def row_sums(self, cell: np.ndarray, n: int, weight: np.ndarray, truth: np.ndarray) -> np.ndarray:
        known = self.is_known(truth)
        outcome, arm = np.where(known[:, None], truth, 0.0).T
        y, w = outcome - self.center, weight * known
        parts = w, w * arm, w * (1 - arm) * y, w * arm * y, w * (1 - arm) * y * y, w * arm * y * y
        return np.stack([np.bincount(cell, part, n) for part in parts], axis=1)

    def is_known(self, truth: np.ndarray) -> np.ndarray:
        return ~np.isnan(truth).any(axis=1)

    def answers(self, stats: np.ndarray) -> np.ndarray:
        return (stats[..., 1] > 0) & (stats[..., 0] - stats[..., 1] > 0)

    def may_be_leaf(self, stats: np.ndarray) -> np.ndarray:
        return (stats[..., 1] >= self.min_rows) & (stats[..., 0] - stats[..., 1] >= self.min_rows)

    def arms(self, stats: np.ndarray) -> tuple[tuple[str, float, float], tuple[str, float, float]]:
        """(name, rows, mean outcome) of the control, then of the treated; stats : (6,)."""
        w, treated, y0, y1 = (float(value) for value in stats[:4])
        of = lambda y, n: y / n + self.center if n > 0 else math.nan  # noqa: E731
        return (self.control, w - treated, of(y0, w - treated)), (self.treated, treated, of(y1, treated))

    def spread_of_rows(self, stats: np.ndarray) -> float:
        """The standard deviation of outcomes within the arms."""
        return math.sqrt(sum(float(variance) for variance in variances_of(stats)) / 2)

    def interval(self, stats: np.ndarray) -> tuple[float, float]:
        """95 % interval of the effect on rows with these statistics (6,)."""
        return newcombe_interval(stats) if self.shares else welch_interval(stats)

    # answers and losses

    def observed(self, truth: np.ndarray) -> np.ndarray:
        """The transformed outcome: no single row shows an effect."""
        return self.transformed(truth)

    def shown_of_rows(self, truth: np.ndarray) -> np.ndarray:
        """The outcome, beside which stands who was treated."""
        return truth[:, 0]

    def arms_of_rows(self, truth: np.ndarray) -> np.ndarray:
        return np.nan_to_num(truth[:, 1]).astype(np.int64)

    def values(self, tree: TreeLike) -> np.ndarray:
        return np.where(tree.answer < 0, np.nan, effects_of(tree.stats)[tree.answer])

    def residuals(self, truth: np.ndarray, answer: np.ndarray) -> np.ndarray:
        return self.transformed(truth) - answer

    def answer_losses(self, truth: np.ndarray, answer) -> np.ndarray:
        """Squared distance from the transformed outcome; infinite where there is no answer."""
        answer = np.asarray(answer, float)
        return np.where(np.isnan(answer), np.inf, _transformed_loss(self.transformed(truth), answer))

    def leaf_errors(self, tree: TreeLike, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
        self.check_loss(tree, measure)
        return self.deviance_of(stats, tree.value)

    def deviance_of(self, stats: np.ndarray, effect: np.ndarray) -> np.ndarray:
        """float64 (...): squared distances of the transformed outcomes of rows with these statistics from an effect."""
        w, treated, y0, y1, yy0, yy1 = np.moveaxis(stats, -1, 0)
        by, p, q, n0 = self.mean - self.center, self.share, 1.0 - self.share, w - treated
        squares = (yy1 - by * (2 * y1 - by * treated)) / p**2 + (yy0 - by * (2 * y0 - by * n0)) / q**2
        sums = (y1 - by * treated) / p - (y0 - by * n0) / q
        around = effect * effect * w
        errors = np.maximum(settled(squares - 2 * effect * sums + around, np.abs(squares) + around), 0.0)
        return np.where(w == 0, 0.0, errors)

    def row_losses(
        self, tree: TreeLike, measure: str, factor: np.ndarray | None = None
    ) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        loss = self.losses[measure]
        return lambda truth, answer: loss(self.transformed(truth), answer)

    def own_measure(self, tree: TreeLike) -> str:
        return "transformed"

    # words

    @property
    def mean_loss(self) -> str:
        return "mean squared error from the transformed outcome"

    def loss_name(self, tree: TreeLike) -> str:
        return self.mean_loss

    def error_name(self, tree: TreeLike, measure: str = OWN) -> str:
        return "squared error from the transformed outcome"

    def signed(self, value: float) -> str:
        """ "+12.3 points" of shares, "−3.21" of numbers."""
        if math.isnan(value):
            return "no answer"
        size = abs(value) * (100.0 if self.shares else 1.0)
        text = f"{size:.1f}" if self.shares else brief(size)
        sign = "" if float(text.replace(",", "")) == 0.0 else "−" if value < 0 else "+"
        return f"{sign}{text}{' points' if self.shares else ''}"

    def outcome_text(self, value: float) -> str:
        """A mean outcome of an arm: a share in per cent, or a number."""
        if math.isnan(value):
            return "no rows"
        return percent(value) if self.shares else brief(value)

    def answer_text(self, tree: TreeLike, node: int) -> str:
        return self.signed(float(tree.value[node]))

    def value_text(self, tree: TreeLike, value: float) -> str:
        return self.signed(value)

    def cell_text(self, tree: TreeLike, node: int) -> str:
        return number(float(tree.value[node]))

    def interval_text(self, stats: np.ndarray) -> str:
        """ "−1.2 to +8.3 points"; "unknown" where an arm has too few rows."""
        lower, upper = self.interval(stats)
        if math.isnan(lower):
            return "unknown: an arm has too few rows"
        return f"{self.signed(lower).removesuffix(' points')} to {self.signed(upper)}"

    def arms_text(self, stats: np.ndarray) -> str:
        """ "drug 62.0 % of 100, placebo 50.0 % of 98"."""
        control, treated = self.arms(stats)
        told = (f"{called} {self.outcome_text(mean)} of {count(n, ',')}" for called, n, mean in (treated, control))
        return ", ".join(told)

    def details(self, tree: TreeLike, node: int) -> tuple[tuple[str, str], ...]:
        stats = tree.stats[node]
        if not stats[0] > 0:
            return ()
        word = "share" if self.shares else "mean"
        result = [
            (f"{word} of {tree.schema.target}, {called}", f"{self.outcome_text(mean)} of {count(n, ',')} rows")
            for called, n, mean in reversed(self.arms(stats))
        ]
        interval = f"{100 * LEVEL:g} % interval", self.interval_text(stats)
        return (*result, interval, ("treated", self.balance(tree, node)))

    def balance(self, tree: TreeLike, node: int) -> str:
        """ "50.2 % of rows, 48.9 % of all others: no sign of imbalance (p 0.43)"."""
        stats, root = tree.stats[node], tree.stats[0]
        here, p = f"{percent(stats[1] / stats[0])} of rows", arms_p_value(stats, root)
        if math.isnan(p):
            return here
        there = percent((root[1] - stats[1]) / (root[0] - stats[0]))
        verdict = "no sign of imbalance" if p >= UNBALANCED else "unbalanced, so the arms may differ in other ways, too"
        return f"{here}, {there} of all others: {verdict} (p {p_value(p)})"

    def card_lines(self, tree: TreeLike, node: int) -> list[list[str]]:
        """Both arms and the interval of their difference."""
        stats = tree.stats[node]
        told = [[called, self.outcome_text(mean)] for called, _, mean in reversed(self.arms(stats))]
        return [*told, ["95 %", self.interval_text(stats).partition(":")[0].removesuffix(" points")]]

    def answer_of(self, stats: np.ndarray) -> np.ndarray:
        return effects_of(stats)

    def band(self, stats: np.ndarray) -> tuple[float, float] | None:
        """The 95 % interval."""
        lower, upper = self.interval(stats)
        return None if math.isnan(lower) else (lower, upper)

    def stats_text(self, tree: TreeLike, node: int, stats: np.ndarray) -> str:
        return self.signed(float(effects_of(stats)))

    def rows_text(self, tree: TreeLike, node: int) -> str:
        (_, _, mean0), (_, _, mean1) = self.arms(tree.stats[node])
        word = "share" if self.shares else "mean"
        return (
            f"In the {count(float(tree.stats[node][0]), ',')} rows here the {word} of {tree.schema.target} is "
            f"{self.outcome_text(mean1)} with {self.treatment} = {self.treated} and {self.outcome_text(mean0)} with "
            f"{self.control}: an effect of {self.answer_text(tree, node)} "
            f"(95 %: {self.interval_text(tree.stats[node])})."
        )

    def card_text(self, tree: TreeLike, node: int) -> str:
        """ "+12.3 points" of shares."""
        return self.answer_text(tree, node)

    def units_shown(self, tree: TreeLike) -> float:
        """Differences of shares are shown in percentage points."""
        return 100.0 if self.shares else 1.0

    @property
    def figure_unit(self) -> str:
        return "points" if self.shares else ""

    @property
    def signed_unit(self) -> str:
        return f" {self.figure_unit}" if self.figure_unit else ""

    def figure_text(self, tree: TreeLike, value: float) -> str:
        return self.signed(value)

    def tick_text(self, tree: TreeLike, value: float) -> str:
        return self.signed(value).removesuffix(" points").removesuffix(".0")

    def answer_name(self, tree: TreeLike) -> str:
        return self.subject(tree)

    def scale_name(self, tree: TreeLike) -> str:
        """ "effect on recovered (points)", which the numbers beside it need not say again."""
        return f"{self.subject(tree)} ({self.figure_unit})" if self.figure_unit else self.subject(tree)

    def scale_text(self, tree: TreeLike, node: int) -> str:
        return self.card_text(tree, node).removesuffix(" points")

    def quantity(self, tree: TreeLike) -> str:
        """ "effect on recovered"."""
        return self.subject(tree)

    def subject(self, tree: TreeLike) -> str:
        return f"effect on {tree.schema.target}"

    def short_text(self, tree: TreeLike, node: int) -> str:
        return self.answer_text(tree, node)

    def figures(self, tree: TreeLike, node: int, stats: np.ndarray) -> dict[str, str]:
        (_, n0, mean0), (_, n1, mean1) = self.arms(stats)
        lower, upper = self.interval(stats)
        return {
            f"rows {self.treated}": count(n1, ","), f"rows {self.control}": count(n0, ","),
            f"outcome {self.treated}": self.outcome_text(mean1), f"outcome {self.control}": self.outcome_text(mean0),
            "effect": self.signed(float(effects_of(stats))), "from": self.signed(lower), "to": self.signed(upper),
        }  # fmt: skip

    def node_text(self, tree: TreeLike, node: int) -> str:
        """ "drug 62.0 % of 100, placebo 50.0 % of 98, 95 %: −2.1 to +25.3 points"."""
        stats = tree.stats[node]
        return f"{self.arms_text(stats)}, 95 %: {self.interval_text(stats)}" if stats[0] > 0 else ""
