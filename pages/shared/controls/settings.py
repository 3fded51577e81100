"""What a setting of growth is on the screen, and what decides whether it makes sense."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import treecore as tc
from treecore.criteria import CRITERIA, criteria_for
from treecore.data.discretize import MOST_BINS
from treecore.growing.directions import DIRECTIONS, NO_SUMS
from treecore.growing.search.conditional import ADJUSTMENTS, STATISTICS
from treecore.growing.search.stopping import STOPPING_TESTS
from treecore.growing.searchers import is_tested
from treecore.growing.settings.grow_settings import LABELS, GrowSettings, samples_features, usual_criterion
from treecore.growing.settings.parts import (
    BRANCH_ORDERS,
    COST_FORMS,
    CUT_CHOICES,
    EMPTY_LEAVES,
    IMPURITY_SUMS,
    LEAF_MODELS,
    LEAF_SHARES,
    MAX_FEATURES,
    MISSING_STRATEGIES,
    NOMINAL_SPLITS,
    NUMERIC_SPLITS,
    PATIENCE_MEASURES,
    SELECTORS,
    SIZE_UNITS,
    SPLIT_SCORES,
    SURROGATE_STYLES,
    THRESHOLD,
    THRESHOLD_RULES,
    ZERO_GAINS,
)
from treecore.judging.measures import serves
from treecore.registry import Registry
from treecore.target import Target


@dataclass(frozen=True)
class Situation:
    """What decides which settings make sense: the table, and what is chosen so far."""

    table: tc.Table
    growth: GrowSettings

    @property
    def target(self) -> Target:
        return self.table.target_kind

    @property
    def task(self) -> str:
        return self.target.task

    @property
    def n_classes(self) -> int:
        return len(self.table.classes)

    @cached_property
    def kinds(self) -> set[str]:
        """Kinds of the features."""
        return {c.kind for c in self.table.feature_columns}

    @property
    def grouped(self) -> bool:
        """Is there a feature whose levels have no order?"""
        return bool(self.kinds & {"nominal", "boolean"})

    @property
    def ordered(self) -> bool:
        return bool(self.kinds & {"numeric", "ordinal"})

    @property
    def surrogates(self) -> bool:
        return MISSING_STRATEGIES[self.growth.missing].surrogates

    @property
    def tested(self) -> bool:
        """Does a test of every feature choose, and group or cut it by itself?"""
        return is_tested(self.growth)


@dataclass(frozen=True)
class Setting:
    """One field of Growth on the screen.

    group : the part of the sidebar it stands in. note : what it does.
    menu : the entries to choose from, None for a number. fits : is this entry one for the situation?
    least, most, step, digits : of a number; digits 0 for whole ones. unlimited : None is possible, and means no limit.
    shown : False hides it. idle : why it would change nothing with this table, '' where it acts.
    widget : the key of its control, its name where nothing else is said.
    """

    name: str
    group: str
    note: str = ""
    menu: Registry | None = None
    fits: Callable = lambda entry, now: True
    least: float = 0
    most: float | None = None
    step: float = 1
    digits: int = 0
    unlimited: bool = False
    shown: Callable = lambda now: True
    idle: Callable = lambda now: ""
    widget: str = ""

    @property
    def label(self) -> str:
        return LABELS[self.name]

    def makes_sense(self, now: Situation) -> bool:
        """Is there anything to be chosen, by the settings and for the target?"""
        return self.shown(now) and now.target.leaves_open(self.name)

    @property
    def format(self) -> str:
        """How the number is written."""
        return "%.3g" if self.digits > 6 else f"%.{self.digits}f" if self.digits else "%d"

    @property
    def key(self) -> str:
        return self.widget or self.name


def value_of(growth: GrowSettings, name: str, task: str):
    """The value in force; the criterion's own default in place of ''."""
    value = getattr(growth, name)
    if name == "criterion" and not value:
        return usual_criterion(growth, task)
    return value


def entries_for(setting: Setting, now: Situation) -> dict:
    """The entries of a menu that fit, by name."""
    known = {name: entry for name, entry in setting.menu.items() if now.target.allows(setting.name, name)}
    return {name: entry for name, entry in known.items() if setting.fits(entry, now)}


def why_not(entry, now: Situation) -> str:
    """Why an entry does not fit, as the end of a sentence that starts with its label."""
    most = getattr(entry, "max_classes", None)
    if most is not None and now.n_classes > most:
        return f"is for {most} classes, the target has {now.n_classes}"
    if now.n_classes and getattr(entry, "needs_loss", False) and not now.growth.weighs_answers:
        return "needs costs of errors"
    return f"is not for {now.target.held}"


# The settings of growth as the sidebar shows them: one entry each, choices read from the registries.

DEPTHS = (*range(1, 13), 15, 20, 30, None)


def _criterion_fits(entry, now: Situation) -> bool:
    return entry in criteria_for(now.task, now.n_classes, now.growth.weighs_answers)


def _reads(now: Situation, parameter: str) -> bool:
    """Does the criterion in force have this parameter?"""
    return CRITERIA[value_of(now.growth, "criterion", now.task)].parameter == parameter


def _task_fits(entry, now: Situation) -> bool:
    return now.task in entry.tasks


def _for_classes(now: Situation) -> bool:
    return now.task == "classification"


def _for_numbers(now: Situation) -> bool:
    return now.task == "regression"


def _has_lines(now: Situation) -> bool:
    return now.target.leaves_open("leaf_model") and now.growth.leaf_model == "linear"


def _no_lines(now: Situation) -> str:
    return "" if "numeric" in now.kinds else "No feature here is numeric, so that a line would be a constant."


def _no_levels(now: Situation) -> str:
    if now.tested:
        return "The test that chooses the feature also groups its levels."
    return "" if now.grouped else "No feature here is nominal or boolean."


def _not_compared(now: Situation) -> str:
    return "A test chooses the feature and its split." if now.tested else ""


def _binned(now: Situation) -> bool:
    return now.growth.numeric != THRESHOLD


def _by_level(now: Situation) -> bool:
    """Can a branch be without rows?"""
    return (now.growth.nominal == "multiway" or _binned(now) or now.growth.edges) and not now.tested


def _has_level(now: Situation) -> bool:
    """Is there a test whose level alpha counts?"""
    return now.tested or STOPPING_TESTS[now.growth.test].significance is not None


def _why_not_random(now: Situation) -> str:
    return "A test looks at every feature." if now.tested else ""


def _is_random(now: Situation) -> bool:
    """Is anything left to chance?"""
    return now.growth.test == "permutation" or samples_features(now.growth) or now.growth.oblique == "climb"


def _no_order(now: Situation) -> str:
    return "" if now.ordered else "No feature here is numeric or ordinal."


def _no_numbers(now: Situation) -> str:
    if now.tested:
        return "The test that chooses the feature also cuts it."
    return "" if "numeric" in now.kinds else "No feature here is numeric."


def _nothing_to_add(now: Situation) -> str:
    n = sum(column.kind == "numeric" for column in now.table.feature_columns)
    return "" if n > 1 else "Fewer than two features here are numeric."


def _tries_groupings(now: Situation) -> bool:
    tried = SPLIT_SCORES[now.growth.score].by_times
    tried = tried or CRITERIA[now.growth.criterion or "gini"].tries_groupings(now.n_classes)
    return tried and now.grouped and now.growth.nominal == "subset"


# fmt: off
SETTINGS = Registry(
    "setting of growth",
    Setting("criterion", "main", menu=CRITERIA, fits=_criterion_fits),
    Setting("quantile", "main", "0.9: nine tenths of the rows of a leaf lie below its answer; 0.5: half, the median.",
            least=0.0001, most=0.9999, step=0.05, digits=4, shown=lambda now: _reads(now, "quantile")),
    Setting("delta", "main",
            "Distances up to δ, in the target’s unit, count by their square, larger ones by their size, so that few "
            "far rows do not rule. 0: 1.345 robust standard deviations of the target.",
            least=0.0, step=0.1, digits=7, shown=lambda now: _reads(now, "delta")),
    Setting("max_depth", "main", unlimited=True),
    Setting("min_rows_leaf", "main", "The smallest leaf that is allowed. Larger: a simpler tree.", least=1),
    Setting("leaf_model", "main", menu=LEAF_MODELS, idle=_no_lines),
    Setting("line_features", "main",
            "So few that a line can be read; they are added one by one, as long as the adjusted error falls, or for "
            "classes Akaike’s criterion.",
            least=1, most=20, shown=_has_lines),
    Setting("line_ridge", "main",
            "Draws the coefficients to 0 (ridge); 0: ordinary least squares, 1: a lone one of numbers is halved. Lines "
            "of log-odds have 0.01 at least, so that they exist where a line parts the classes.",
            least=0.0, step=0.1, digits=2, shown=_has_lines),
    Setting("line_smoothing", "main",
            "Mixes a leaf's line with those of the nodes above, which count as so many rows. 0: never; M5's own: 15.",
            least=0.0, step=5.0, digits=1, shown=_has_lines),

    Setting("score", "splits", menu=SPLIT_SCORES,
            fits=_task_fits, idle=_not_compared),
    Setting("selector", "splits", menu=SELECTORS),
    Setting("nominal", "splits", menu=NOMINAL_SPLITS, idle=_no_levels),
    Setting("adjustment", "splits", menu=ADJUSTMENTS,
            shown=lambda now: now.growth.selector == "conditional"),
    Setting("test_statistic", "splits", menu=STATISTICS,
            shown=lambda now: now.growth.selector == "conditional"),
    Setting("split_statistic", "splits", menu=STATISTICS,
            shown=lambda now: now.growth.selector == "conditional"),
    Setting("merge_alpha", "splits",
            "CHAID merges categories whose difference has a larger p-value.", most=1.0, least=0.0, step=0.01, digits=4,
            shown=lambda now: now.growth.selector == "chaid"),
    Setting("chaid_bins", "splits",
            "An ordered feature with more values at a node is cut into so many groups of about equal weight.",
            least=2, most=60, shown=lambda now: now.growth.selector == "chaid"),
    Setting("max_exhaustive", "splits",
            "Where sorting levels does not find the best grouping, as with three classes; beyond, a heuristic does.",
            least=2, most=20, shown=_tries_groupings),
    Setting("empty_leaf", "splits", menu=EMPTY_LEAVES,
            shown=_by_level),
    Setting("numeric", "splits", menu=NUMERIC_SPLITS, idle=_no_numbers,
            fits=lambda entry, now: _for_classes(now) or not entry.needs_classes),
    Setting("bins", "splits", least=2, most=MOST_BINS,
            shown=lambda now: _binned(now) and not NUMERIC_SPLITS[now.growth.numeric].needs_classes),
    Setting("oblique", "splits", menu=DIRECTIONS, idle=_nothing_to_add,
            fits=lambda entry, now: _for_classes(now) or entry.for_numbers),
    Setting("coefficient_price", "splits",
            "Of oblique splits: a sum must tell the target in so many times the bits fewer that its coefficients take; "
            "0 takes any sum that is better than the best single feature.",
            least=0.0, step=0.5, digits=2, shown=lambda now: now.growth.oblique != NO_SUMS),
    Setting("threshold", "splits", menu=THRESHOLD_RULES, idle=_no_order),
    Setting("cuts", "splits", menu=CUT_CHOICES, idle=_no_order,
            fits=lambda entry, now: _for_classes(now) or entry.name != "boundaries"),
    Setting("zero_gain", "splits", "XOR needs a first split whose gain is 0.",
            menu=ZERO_GAINS),
    Setting("branch_order", "splits", menu=BRANCH_ORDERS),
    Setting("tolerance", "splits",
            "Splits whose gains differ by less than this share of the node's impurity count as equal: the first one is "
            "taken.",
            most=1.0, step=1e-10, digits=12),
    Setting("max_features", "splits", "A split is the best of some features drawn at random, as in a random forest.",
            menu=MAX_FEATURES, idle=_why_not_random),
    Setting("n_features", "splits", least=1, shown=lambda now: now.growth.max_features == "count"),
    Setting("share_features", "splits", least=0.0, most=1.0, step=0.05, digits=3,
            shown=lambda now: now.growth.max_features == "share"),
    Setting("seed", "splits",
            "For all that is drawn at random: features and thresholds at nodes, starts of a search, permutation tests.",
            shown=_is_random, widget="growth_seed"),

    Setting("max_leaves", "limits", "Grown best-first: the split with the largest total gain comes first.",
            least=1, unlimited=True),
    Setting("min_rows_split", "limits", least=1),
    Setting("min_weight_split", "limits",
            "Like the limit of rows, but rows count by their weights: case weights, priors, costs, shares of rows.",
            least=0.0, step=1.0, digits=2),
    Setting("min_weight_leaf", "limits", least=0.0, step=1.0, digits=2),
    Setting("min_share_split", "limits",
            "0.05 leaves nodes with less than 5 % of the rows alone.", least=0.0, most=1.0, step=0.01, digits=3),
    Setting("min_share_leaf", "limits", least=0.0, most=0.5,
            step=0.01, digits=3),
    Setting("min_gain", "limits", "β, in the unit of the impurity.", least=0.0, step=0.005, digits=4),
    Setting("min_weighted_gain", "limits",
            "The gain multiplied by the node's share of the training weight.", least=0.0, step=0.001, digits=5),
    Setting("min_impurity", "limits",
            "θ: a node less impure than this is a leaf; for squared error, in the target's unit squared.",
            least=0.0, step=0.01, digits=4),

    Setting("test", "stopping", menu=STOPPING_TESTS, fits=_task_fits),
    Setting("alpha", "stopping", "The level of the test, α.", least=0.0, most=1.0,
            step=0.01, digits=4, shown=_has_level),
    Setting("n_permutations", "stopping", least=1, most=1_000_000,
            shown=lambda now: now.growth.test == "permutation"),
    Setting("size_penalty", "stopping",
            "Only splits that lower α · size + the sum of the leaves' impurities are made; 0 for none.",
            least=0.0, step=0.01, digits=4),
    Setting("size_unit", "stopping", menu=SIZE_UNITS,
            shown=lambda now: now.growth.size_penalty > 0),
    Setting("impurity_sum", "stopping", menu=IMPURITY_SUMS,
            shown=lambda now: now.growth.size_penalty > 0),
    Setting("patience", "stopping",
            "Growth (best-first) ends after so many splits in a row without a lower error on the validation rows; the "
            "tree is the one of the lowest error. 0: never."),
    Setting("patience_measure", "stopping", menu=PATIENCE_MEASURES,
            shown=lambda now: now.growth.patience > 0,
            fits=lambda entry, now: serves(entry.name, now.target)
            and (entry.name != "profit" or now.growth.weighs_answers)),

    Setting("missing", "missing", menu=MISSING_STRATEGIES),
    Setting("max_surrogates", "missing", shown=lambda now: now.surrogates),
    Setting("surrogate_style", "missing", menu=SURROGATE_STYLES,
            shown=lambda now: now.surrogates),

    Setting("cost_form", "costs", menu=COST_FORMS,
            idle=lambda now: "" if now.growth.costs else "No feature has a cost other than 1."),
    Setting("cost_power", "costs", "0: costs play no part; 1: all of it.", least=0.0, most=1.0, step=0.1,
            digits=2, shown=lambda now: bool(now.growth.costs) and now.growth.cost_form == "power"),
    Setting("leaf_shares", "costs", menu=LEAF_SHARES, shown=_for_classes),
    Setting("leaf_rows", "costs", least=0.0, step=1.0, digits=2,
            shown=lambda now: now.growth.leaf_shares == "m_estimate"),
)
# fmt: on

PANEL = {name: LABELS[name] for name in ("loss", "profit", "priors", "costs", "monotonic")}
"""Settings that have an editor of their own."""
KEPT = (
    *(
        "max_depth",
        "max_leaves",
        "min_rows_leaf",
        "seed",
        "leaf_model",
        "line_features",
        "line_ridge",
        "line_smoothing",
    ),
    *(name for name, setting in SETTINGS.items() if setting.group in ("limits", "stopping", "costs")),
    *PANEL,
    "edges",
)
"""What stays when another algorithm is chosen: limits, what errors and features cost, edges of bins given by hand."""
ON_DATA = {"edges": LABELS["edges"]}
"""Settings that are made on the page Data."""
