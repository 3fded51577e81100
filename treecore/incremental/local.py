"""Does a node's split follow from the rows at the node? Then rows elsewhere cannot change it."""

from treecore.criteria import CRITERIA
from treecore.criteria.criterion import Criterion
from treecore.data.table import Table
from treecore.growing.oblique.directions import NO_SUMS
from treecore.growing.settings.grow_settings import GrowSettings, is_drawn, usual_criterion
from treecore.growing.settings.parts import NOMINAL_SPLITS, SELECTORS, THRESHOLD_RULES
from treecore.growing.settings.parts import THRESHOLD as IN_TWO
from treecore.growing.settings.terms import terms_of
from treecore.growing.wide_tables import widest
from treecore.kernels.state import AVERAGE_GAIN, BEST, MAJORITY, SUBSET, Problem

ALWAYS = {
    "max_leaves": "the number of leaves is limited",
    "patience": "growth ends by validation rows",
    "priors": "priors are set against the shares of all rows",
    "loss": "costs are set against the shares of all rows",
    "profit": "profits are set against the shares of all rows",
    "edges": "numbers are parted into bins",
    "size_penalty": "the size of the whole tree is paid for",
    "min_share_split": "least shares are those of all rows",
    "min_share_leaf": "least shares are those of all rows",
    "min_weighted_gain": "gains are weighed by the share of all rows",
}
"""Setting -> why a node's split depends on more than its rows where it is set."""


def criterion_of(growth: GrowSettings) -> Criterion:
    """What judges the splits of a target of classes."""
    return CRITERIA[growth.criterion or usual_criterion(growth, "classification")]


def reaches_beyond(growth: GrowSettings, problem: Problem, weighted: bool) -> str:
    """Why the split of a node cannot be found from its rows, counted one each; "" if it can. weighted : have rows
    weights?"""
    for name, why in ALWAYS.items():
        if getattr(growth, name):
            return why
    rules, selector = problem.rules[0], SELECTORS[growth.selector]
    reasons = {
        "rows lack values, and do not follow the larger branch": rules["missing"] != MAJORITY,
        "rows have weights": weighted,
        "surrogate splits are listed": rules["max_surrogates"] > 0,
        "numbers are parted into bins": growth.numeric != IN_TWO,
        "splits are tested": growth.test != "none" or selector.code not in (BEST, AVERAGE_GAIN) or selector.step > 0,
        "features or thresholds are drawn at the node by its place in the tree": is_drawn(growth),
        "answers are bound by splits above the node": len(growth.monotonic) > 0,
        "weighted sums of features are looked for in the whole tree": growth.oblique != NO_SUMS,
        "features of many levels for all rows are left out": selector.many_levels < float("inf"),
        "branches are put in the order of their means": growth.branch_order == "mean",
        "numbers are rounded to 32 bits": THRESHOLD_RULES[growth.threshold].precision != "float64",
        "the impurity comes from another package": criterion_of(growth).node is None or criterion_of(growth).by_address,
        "a feature has very many levels": widest(problem) > 0,
    }
    return next((why for why, holds in reasons.items() if holds), "")


def is_bounded(growth: GrowSettings, problem: Problem) -> bool:
    """Can a feature's best gain rise by no more than the node's own impurity does, times its weight, when rows are
    added? So it is for the decrease of a concave impurity; see kernels.fed.best."""
    heuristic = NOMINAL_SPLITS[growth.nominal].code == SUBSET and problem.rules["n_classes"][0] > 2
    widest_feature = problem.features["n_codes"][problem.features["splitter"] == SUBSET].max(initial=0)
    plain = growth.score == "decrease" and growth.selector == "best" and not growth.costs and growth.cuts == "all"
    fits = not heuristic or widest_feature <= growth.max_exhaustive
    return bool(plain and criterion_of(growth).concave and fits and THRESHOLD_RULES[growth.threshold].min_gap == 0)


def is_on_records(table: Table, growth: GrowSettings) -> bool:
    """Can a node be grown anew on sorted records, by cuts of values that all rows have? See kernels.fed.regrow."""
    found = terms_of(table, growth)
    by_gain = growth.score == "decrease" and growth.selector == "best"
    return by_gain and bool(found.fast_parts) and not found.special
