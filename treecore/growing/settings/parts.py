"""The choices a grower is made of, besides the criterion: registries of small entries."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt, log2
from typing import Any

import numpy as np

from treecore.criteria import split_scores
from treecore.data.discretize import BINNINGS
from treecore.judging.measures import MEASURED
from treecore.kernels import state
from treecore.registry import Registry


@dataclass(frozen=True)
class NominalSplit:
    """How a nominal or boolean feature branches; `code` is the kernels' name for it."""

    name: str
    label: str
    note: str
    code: int


NOMINAL_SPLITS = Registry(
    "nominal split",
    NominalSplit(
        "subset",
        "Two groups of levels",
        "The best binary grouping: exact for two classes and for regression (levels sorted by mean target), "
        "by enumeration up to 10 levels otherwise; beyond, a heuristic: levels sorted by each class's share.",
        state.SUBSET,
    ),
    NominalSplit(
        "multiway",
        "One branch per level",
        "A level without rows at the node gets an empty leaf that predicts the node's majority class.",
        state.MULTIWAY,
    ),
    NominalSplit(
        "one_level",
        "One level against the rest",
        "The one level that is best separated from all others.",
        state.ONE_LEVEL,
    ),
)


@dataclass(frozen=True)
class NumericSplit:
    """How a numeric feature branches: in two, or in one go into bins found by the binning of the same name."""

    name: str
    label: str
    note: str
    needs_classes: bool = False


THRESHOLD = "threshold"
NUMERIC_SPLITS = Registry(
    "numeric split",
    NumericSplit(THRESHOLD, "Cut in two", "The best threshold at each node; a feature may be cut again further down."),
    *(
        NumericSplit(
            binning.name, f"One branch per bin: {binning.label.lower().replace('mdl', 'MDL')}",
            "The bins are found once, from all training rows. " + binning.note, binning.needs_classes,
        )
        for binning in BINNINGS.values()
    ),
)  # fmt: skip


@dataclass(frozen=True)
class SplitScore:
    """What is maximised over the splits of a node; `code` is the kernels' name for it.

    binary : it is defined for two branches only. tasks : kinds of target it can judge.
    unit : of the score, '' for a pure number, "impurity" for the unit of the criterion.
    by_times : it is made of the times of rows, not of sums, and has a search of its own (kernels.log_rank_search).
    """

    name: str
    label: str
    formula: str
    source: str
    code: int
    binary: bool = False
    tasks: tuple[str, ...] = ("classification",)
    unit: str = ""
    by_times: bool = False


SPLIT_SCORES = Registry(
    "split score",
    SplitScore(
        "decrease", "Gain (impurity decrease)", r"i(t) - \sum_j \tfrac{n_j}{n} i(t_j)", "Breiman et al. (1984)",
        split_scores.DECREASE, tasks=("classification", "regression", "counts", "effects"), unit="impurity",
    ),
    SplitScore(
        "gain_ratio", "Gain ratio", r"\frac{\text{gain}}{-\sum_j \tfrac{n_j}{n} \log_2 \tfrac{n_j}{n}}",
        "Quinlan (1993)", split_scores.GAIN_RATIO, tasks=("classification", "regression"),
    ),
    SplitScore(
        "mdl_gain_ratio", "Gain ratio, thresholds paid for (J48)",
        r"\frac{\text{gain} - \log_2(\text{cuts}) / n}{-\sum_j \tfrac{n_j}{n} \log_2 \tfrac{n_j}{n}}", "Quinlan (1996)",
        split_scores.MDL_GAIN_RATIO,
    ),
    SplitScore(
        "twoing", "Twoing", r"\tfrac{P_L P_R}{4} \Big(\sum_k |p_{kL} - p_{kR}|\Big)^2", "Breiman et al. (1984)",
        split_scores.TWOING, binary=True,
    ),
    SplitScore(
        "chi_square", "Chi-square, -log10 p", r"-\log_{10} P\Big(\chi^2 > \sum \tfrac{(O - E)^2}{E}\Big)",
        "Pearson (1900)", split_scores.CHI_SQUARE,
    ),
    SplitScore(
        "g_test", "G-test, -log10 p", r"-\log_{10} P\Big(\chi^2 > 2 \sum O \ln \tfrac{O}{E}\Big)",
        "Woolf (1957)", split_scores.G_TEST,
    ),
    SplitScore(
        "log_rank", "Log-rank statistic", r"\frac{(O - E)^2}{V}", "Mantel (1966); Ciampi et al. (1986)",
        split_scores.DECREASE, binary=True, tasks=("counts",), by_times=True,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Selector:
    """How one feature is chosen from the features' best splits.

    code : the kernels' name. slack : a gain this much below the average still counts as the average.
    many_levels : features with at least this many levels per training row do not count in the average.
    step : a feature must beat the best one before it by more than this, the first one 0; 0 for no such rule.
    criterion : what judges classes where the settings leave it open. least_variance : share of the variance of all
    training rows that a node needs to be split where the settings ask for no impurity, of a numeric target.
    """

    name: str
    label: str
    note: str
    code: int
    slack: float = 0.0
    many_levels: float = np.inf
    step: float = 0.0
    criterion: str = "gini"
    least_variance: float = 0.0


SELECTORS = Registry(
    "selector",
    Selector("best", "Best score", "The feature whose best split has the largest score.", state.BEST),
    Selector(
        "average_gain", "Best score at average gain", "Of the features whose gain is at least the average, the one "
        "with the best score: a ratio can be large because the split information is small.", state.AVERAGE_GAIN, 1e-10,
    ),
    Selector(
        "j48", "Best score at average gain (J48)", "As above with the slack of 0.001 that Weka allows; features with "
        "many levels do not count in the average, and a later feature must be better by more than 0.000001.",
        state.AVERAGE_GAIN, 1e-3, 0.3, 1e-6,
    ),
    Selector(
        "conditional", "Conditional inference (ctree)", "A permutation test of every feature chooses, and says when to "
        "stop; then the feature's best binary cut or grouping is taken, whatever is asked for nominal features. A "
        "branch needs 1 % of its node's weight.", state.TESTED,
    ),
    Selector(
        "chaid", "Merged categories (CHAID)", "Categories that do not differ significantly are merged, and the most "
        "significant feature gets a branch per group, whatever is asked for nominal features; missing is a category.",
        state.TESTED,
    ),
    Selector(
        "reptree", "Best gain of all rows (REPTree)", "A feature's best split is that of the rows with a value; "
        "features compete by the gain of all rows, the others shared among the branches. Then the winner must gain "
        "more than 0.000001 and have two branches of enough weight, or the node is a leaf.",
        state.WHOLE_GAIN, criterion="entropy", least_variance=1e-3,
    ),
)  # fmt: skip


def _midpoint(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Half way between two neighbouring values; the upper one where rounding would give the lower."""
    with np.errstate(over="ignore"):
        middle = (low + high) / 2
    middle = np.where(np.isfinite(middle), middle, low / 2 + high / 2)
    return np.where(middle <= low, high, middle)


def _float32_midpoint(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Half way between two neighbouring float32 values, held in double; the lower one if it rounds up."""
    middle = low / 2 + high / 2
    return np.where(middle >= high, low, middle)


def _low(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The lower value itself."""
    return low


@dataclass(frozen=True)
class ThresholdRule:
    """Where a threshold stands between two neighbouring values of a node, and which side it closes.

    place : (low, high) float64 arrays -> thresholds. closed : the low side is x <= threshold.
    precision : values are rounded to it before they are compared. min_gap : values no further apart
    than this count as one. on_data : the threshold is the largest value of the training rows that is not above it,
    or above it by less than `slack`.
    """

    name: str
    label: str
    place: Callable[..., Any]
    closed: bool = False
    precision: str = "float64"
    min_gap: float = 0.0
    on_data: bool = False
    slack: float = 0.0


THRESHOLD_RULES = Registry(
    "threshold rule",
    ThresholdRule("midpoint", "Mid-point, x < θ", _midpoint),
    ThresholdRule(
        "float32",
        "Mid-point of 32-bit values, x ≤ θ (scikit-learn)",
        _float32_midpoint,
        closed=True,
        precision="float32",
        min_gap=1e-7,
    ),
    ThresholdRule(
        "data_value", "Data value below the mid-point, x ≤ θ (C4.5)", _float32_midpoint, closed=True, on_data=True
    ),
    ThresholdRule("low_value", "Largest value of the low branch, x ≤ θ (ctree)", _low, closed=True),
    ThresholdRule(
        "j48", "As C4.5, values within 0.00001 as one (J48)", _float32_midpoint, closed=True, min_gap=1e-5,
        on_data=True, slack=1e-6,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """A named alternative that needs no code of its own."""

    name: str
    label: str


ZERO_GAINS = Registry(
    "zero-gain choice",
    Choice("stop", "Stop when no split reduces the impurity"),
    Choice("split", "Split even when the best gain is 0"),
)
BRANCH_ORDERS = Registry(
    "branch order",
    Choice("value", "Low values first"),
    Choice("mean", "Smaller mean target first (rpart)"),
)
EMPTY_LEAVES = Registry(
    "empty-leaf rule",
    Choice("parent", "Predicts the parent's majority class"),
    Choice("none", "Makes no prediction (Weka's Id3)"),
)
CUT_CHOICES = Registry(
    "choice of cuts",
    Choice("all", "Between all neighbouring values"),
    Choice("boundaries", "Only between neighbours of different class"),
    Choice("random", "One drawn for each feature (extremely randomised)"),
)
COST_FORMS = Registry(
    "form of attribute costs",
    Choice("divide", "score / cost"),
    Choice("square", "score² / cost (Tan)"),
    Choice("power", "(2^score − 1) / (cost + 1)^w (Nunez)"),
)


PATIENCE_MEASURES = Registry(
    "measure of validation rows", *(Choice(name, label[0].upper() + label[1:]) for name, label in MEASURED)
)


@dataclass(frozen=True)
class FeatureCount:
    """How many features are drawn at random at every node; the split is looked for among these.

    n : (how many there are, the settings' count, the settings' share) -> how many are drawn.
    """

    name: str
    label: str
    note: str
    n: Callable[[int, int, float], int]


MAX_FEATURES = Registry(
    "number of features drawn",
    FeatureCount("all", "All d features", "Every feature is tried at every node.", lambda d, count, share: d),
    FeatureCount(
        "sqrt", "√d features", "Usual for classes in a random forest (Breiman).", lambda d, count, share: isqrt(d)
    ),
    FeatureCount("log2", "log₂ d features", "Even fewer.", lambda d, count, share: int(log2(d))),
    FeatureCount("count", "A number of them", "A fixed number.", lambda d, count, share: count),
    FeatureCount(
        "share", "A share of them", "A third is usual for regression.", lambda d, count, share: int(share * d)
    ),
)
SIZE_UNITS = Registry(
    "unit of size",
    Choice("nodes", "Nodes"),
    Choice("links", "Links (branches)"),
    Choice("leaves", "Leaves"),
)
IMPURITY_SUMS = Registry(
    "sum of impurities",
    Choice("full", "Σ i(leaf): each leaf counts in full"),
    Choice("shares", "Σ share · i(leaf): each leaf counts by its share of the rows"),
)
SURROGATE_STYLES = Registry(
    "surrogate style",
    Choice("all", "Agreement over all rows whose split value is known"),
    Choice("known", "Agreement over rows for which both values are known"),
)


@dataclass(frozen=True)
class LeafShares:
    """How the class shares that a leaf answers with are estimated from its rows.

    added : (float64 (K,), class shares of all training rows; m) -> float64 (K,), rows of each class that are added to
    those of every leaf; None where none are.
    """

    name: str
    label: str
    note: str
    added: Callable[[np.ndarray, float], np.ndarray] | None = None


LEAF_SHARES = Registry(
    "estimate of class shares",
    LeafShares("counted", "As counted, n(k) / n", "A leaf with two rows of one class gets a share of 100 %."),
    LeafShares(
        "laplace", "Laplace, (n(k) + 1) / (n + K)", "One row of each of the K classes is added to every leaf.",
        lambda shares, m: np.ones(len(shares)),
    ),
    LeafShares(
        "m_estimate", "m-estimate, (n(k) + m p(k)) / (n + m)",
        "m rows are added to every leaf, mixed as all training rows are: p(k) is the class's share of them (Cestnik).",
        lambda shares, m: m * shares,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class LeafModel:
    """What the leaves of a numeric target answer with."""

    name: str
    label: str
    note: str


LEAF_MODELS = Registry(
    "leaf model",
    LeafModel(
        "constant",
        "One answer",
        "Every row of a leaf gets the same answer, the mean or the class shares of its training rows.",
    ),
    LeafModel(
        "linear",
        "A line",
        "Every leaf has a small line of its own, such as 12 + 4.5 × area − 0.2 × age, fitted to its training rows. Of "
        "two classes it gives the log-odds of the second one (logistic regression).",
    ),
)


@dataclass(frozen=True)
class MissingStrategy:
    """What becomes of rows without the value that a split asks for, in training and in prediction.

    code : the kernels' name. by_rows : the larger branch is that of more rows, not of more weight.
    ties : of equally large branches 0 takes the first, 1 the last, 2 lets the row stay. surrogates : backup splits
    are looked for. else_majority : a row that no surrogate can send follows the larger branch instead of staying.
    conserves : the children's weights sum up to the node's. errs_on : rows that a nominal surrogate must send
    otherwise than the split does (rpart 4.1 drops the best ones by that); else each must send two rows either way.
    later_by_rows : in prediction the larger branch is that of more rows, of equal ones none, whether or not rows in
    training may follow it (rpart 4.1, which lets them only where it may keep surrogates).
    tested : surrogates are found by tests (growing.tested_surrogates), not by how many rows they send alike.
    leaves_out : rows that do not grow the tree, a name in growing.settings.problem.LEFT_OUT; '' for none.
    """

    name: str
    label: str
    note: str
    code: int
    by_rows: bool = False
    ties: int = 0
    surrogates: bool = False
    else_majority: bool = False
    conserves: bool = True
    errs_on: int = 0
    later_by_rows: bool = False
    tested: bool = False
    leaves_out: str = ""


MISSING_STRATEGIES = Registry(
    "missing-value strategy",
    MissingStrategy("majority", "Larger branch", "Follows the branch with more training weight.", state.MAJORITY),
    MissingStrategy(
        "fractional", "Shared among all branches", "Goes down every branch, with the branch's share of the known rows "
        "as weight (C4.5).", state.SHARE,
    ),
    MissingStrategy(
        "surrogates", "Surrogate splits", "Uses the most similar split of another feature (CART); if that value is "
        "missing too, follows the larger branch.", state.SURROGATES, surrogates=True, else_majority=True,
    ),
    MissingStrategy(
        "surrogates_only", "Surrogate splits, else stays", "Uses surrogate splits; if their values are missing too, "
                                                           "the row ends at the node.",
        state.SURROGATES, surrogates=True, conserves=False,
    ),
    MissingStrategy(
        "stay", "Stays at the node", "Ends at the node, which makes the prediction.", state.STAY, conserves=False
    ),
    MissingStrategy(
        "rpart", "Surrogate splits (rpart, usesurrogate 2)", "As surrogate splits; with equally large branches the row "
        "ends at the node, predictions take the branch with more rows, and a nominal surrogate that errs on fewer than "
        "two rows is not used. Rows without the value of any feature are left out.",
        state.SURROGATES, ties=2, surrogates=True, else_majority=True, conserves=False, errs_on=2,
        later_by_rows=True, leaves_out="empty",
    ),
    MissingStrategy(
        "rpart_only", "Surrogate splits, else stays (rpart, usesurrogate 1)", "As above, without the larger branch.",
        state.SURROGATES, surrogates=True, conserves=False, errs_on=2, leaves_out="empty",
    ),
    MissingStrategy(
        "rpart_stay", "Stays at the node (rpart, usesurrogate 0)", "Surrogate splits are listed but not used.",
        state.STAY, surrogates=True, conserves=False, errs_on=2, leaves_out="empty",
    ),
    MissingStrategy(
        "own_value", "A value of its own", "Missing is one more level; with ordered features it goes below or above "
        "the cut or has a branch to itself, whichever is better.", state.OWN_VALUE,
    ),
    MissingStrategy(
        "both_ways", "Tried below and above (scikit-learn)", "As a value of its own; without missing values at the "
        "node it follows the branch with more rows. Rows of weight 0 are left out.", state.OWN_VALUE,
        by_rows=True, ties=1, leaves_out="weightless",
    ),
    MissingStrategy(
        "majority_rows", "Larger branch by rows (ctree)", "Follows the branch with more training rows, whatever they "
        "weigh; of equally large ones the last.", state.MAJORITY, by_rows=True, ties=1,
    ),
    MissingStrategy(
        "tested_surrogates", "Surrogate splits by tests (ctree, maxsurrogate)", "Uses the splits of the features that "
        "are tied to the branches most significantly; if their values are missing too, follows the branch with more "
        "training rows, of equally large ones the last.", state.SURROGATES,
        by_rows=True, ties=1, surrogates=True, else_majority=True, tested=True,
    ),
    MissingStrategy(
        "node_value", "Most likely value at the node", "Follows the branch of the node's mean, or of its most "
        "frequent level.", state.NODE_VALUE,
    ),
)  # fmt: skip
