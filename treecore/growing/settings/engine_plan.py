"""How settings are carried out on a table, decided once: rules, the criterion, and which fast kernels they fit."""

from typing import NamedTuple

import numpy as np

from treecore.criteria.criterion import Criterion
from treecore.criteria.split_scores import DECREASE, GAIN_RATIO, MDL_GAIN_RATIO
from treecore.data.column import Column
from treecore.data.table import Table
from treecore.data.table_like import cached_with_table
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import (
    MISSING_STRATEGIES,
    NOMINAL_SPLITS,
    SELECTORS,
    SPLIT_SCORES,
    THRESHOLD_RULES,
)
from treecore.growing.settings.problem import criterion_of, rules_of
from treecore.growing.settings.thresholds import branches_by_bins, rounded
from treecore.kernels.buckets.class_cuts import MOST_CORNER_CLASSES
from treecore.kernels.records.records import MOST_CLASSES, MOST_ROWS
from treecore.kernels.state import (
    AVERAGE_GAIN,
    BEST,
    MAJORITY,
    OWN_VALUE,
    SHARE,
    STAY,
    SUBSET,
    SURROGATES,
    TESTED,
    WHOLE_GAIN,
    is_special_search,
    is_special_split,
)

LEAST_TOLERANCE = 1e-13
"""Below it rounding decides which of two equal cuts is best, and formulas round differently."""
MOST_TOLERANCE = 1e-9
"""Above it cuts that no rounding makes equal count as equal, and it shows in which order cuts of gain ratio, or the
features of REPTree, are compared with the best ones so far."""
MOST_WEIGHT = 2**24
"""Of all rows: x log2 x of all numbers up to it are kept for entropy."""
MOST_COUNTS = 2**28
"""Rows times classes: twice as many numbers are asked for at once, most of which are never touched."""
MOST_LEVELS = 255
"""Of a nominal feature, as the tables of levels keep room for as many at every node."""


class EnginePlan(NamedTuple):
    """What growing by these settings on this table comes to.

    rules : RULES (1,). criterion : that judges splits. special : see kernels.records.grow_records, if it is a
        fast tree.
    counted : can a fast tree's large nodes be grown from buckets?
    shared : do the kernels of records.shared_rows grow it?
    fast_parts : the parts of the kernels that grow it fast, as treecore.warm names them; none where they cannot.
    general_parts : those of the general kernels.
    settings : the settings as plain values. Nothing here may be changed: it is shared.
    """

    rules: np.ndarray
    criterion: Criterion
    special: bool
    counted: bool
    shared: bool
    fast_parts: tuple[str, ...]
    general_parts: tuple[str, ...]
    settings: dict


MOST_ALIKE = 64
_alike: dict[tuple[GrowSettings, str, int, int], EnginePlan] = {}
"""Terms of plain tables, by the settings, the kind of target, how many classes there are (0 for none) and how many
surrogates there is room for; so many at most."""


def plan_for(table: Table, growth: GrowSettings) -> EnginePlan:
    """How trees are grown on this table by these settings; TreecoreError where they do not fit it."""
    if _is_plain(table, growth):
        return _of_alike(table, growth)
    return _of_table(table, growth)


@cached_with_table
def _of_table(table: Table, growth: GrowSettings) -> EnginePlan:
    return _new_plan(table, growth)


def _is_plain(table: Table, growth: GrowSettings) -> bool:
    """Is the plan that of all tables of numbers like it (see _of_alike), however many rows they have?"""
    by_table = growth.min_share_split or growth.min_share_leaf or growth.priors or growth.weighs_answers
    by_table = by_table or growth.costs or growth.edges or growth.max_features != "all"
    by_table = by_table or THRESHOLD_RULES[growth.threshold].min_gap or table.task == "effects"
    by_variance = table.task == "regression" and SELECTORS[growth.selector].least_variance
    plain = table.weights is None and not by_table and not by_variance and _has_room(table)
    return bool(plain and table.is_plain)


def _of_alike(table: Table, growth: GrowSettings) -> EnginePlan:
    """The plan of a plain table, made for the first one of its sort."""
    sort = growth, table.task, len(table.classes), min(growth.max_surrogates, len(table.features))
    result = _alike.get(sort)
    if result is None:
        if len(_alike) == MOST_ALIKE:
            _alike.clear()
        result = _alike[sort] = _new_plan(table, growth)
    return result


def is_fast(table: Table, growth: GrowSettings) -> bool:
    """Can the fast kernels grow the tree?"""
    return bool(plan_for(table, growth).fast_parts)


def _new_plan(table: Table, growth: GrowSettings) -> EnginePlan:
    array = rules_of(table, growth)
    rules, own = array[0], array["missing"][0] == OWN_VALUE
    special = bool(table.weights is not None or own or nominal_levels(table).any())
    criterion = criterion_of(table, growth)
    counted, parts = criterion.has_scan and not own and _is_by_gain(rules) and _can_be_counted(table), ()
    judged = criterion.has_scan or (criterion.scanned_by_cuts and not special)
    if judged and _fits(table, growth, rules):
        later = rules["max_surrogates"] > 0 and rules["missing"] == MAJORITY
        parts = ("fast_special" if special else "fast", *(["fast_surrogates"] if later else []))
    shared = not parts and _is_shared(table, growth, criterion, rules)
    general = _general_parts(growth, criterion, rules)
    return EnginePlan(array, criterion, special, counted, shared, parts, general, growth.to_dict())


def _general_parts(growth: GrowSettings, criterion: Criterion, rules: np.void) -> tuple[str, ...]:
    split = "special_split" if is_special_split(rules) else "split"
    if not criterion.additive:
        return ("absolute", split)
    if SPLIT_SCORES[growth.score].by_times:
        searches = ("log_rank",)
    elif rules["selector"] == TESTED:
        searches = ()
    elif criterion.task in ("classification", "regression"):
        is_special = is_special_search(rules, NOMINAL_SPLITS[growth.nominal].code)
        searches = ("special_search" if is_special else "search",)
    else:
        searches = (criterion.task,)
    return (*searches, split, *(["surrogates"] if rules["max_surrogates"] > 0 else []))


def _is_shared(table: Table, growth: GrowSettings, criterion: Criterion, rules: np.void) -> bool:
    """Are rows shared by the two branches of a split where their value is missing, each counted once at the root, and
    is all else known to kernels.records.shared_rows?"""
    judged = table.task in ("classification", "regression") and len(table.classes) <= MOST_CLASSES
    judged = judged and criterion.additive
    whole = table.weights is None and growth.priors is None and not growth.weighs_answers
    asked = MISSING_STRATEGIES[growth.missing].code == SHARE and rules["score"] in (
        DECREASE,
        GAIN_RATIO,
        MDL_GAIN_RATIO,
    )
    usual = not any(rules[name] for name in ("cuts", "monotonic", "n_sampled", "order_by_mean"))
    one_by_one = growth.max_leaves is not None or growth.patience or growth.test != "none" or growth.size_penalty
    settled = LEAST_TOLERANCE <= growth.tolerance <= MOST_TOLERANCE and rules["selector"] != TESTED
    fits = judged and whole and asked and usual and not one_by_one and settled and _has_room(table)
    return bool(fits and not nominal_levels(table).any() and _is_cut_in_two(table, growth))


def _can_be_counted(table: Table) -> bool:
    """Does every row count once, with a value in every feature, and are there few classes, or numbers and no feature
    that levels part?"""
    few = not nominal_levels(table).any() if table.task == "regression" else len(table.classes) <= MOST_CORNER_CLASSES
    return few and table.weights is None and not any(c.n_missing for c in table.feature_columns)


def _fits(table: Table, growth: GrowSettings, rules: np.void) -> bool:
    """Do the fast kernels know all that is asked for? Whole weights; cuts of an order and two groups of levels; no
    test; rows without a value go to the larger branch or count as a value, or where cuts part rows that count once by
    surrogates."""
    untested = growth.test == "none" and not growth.size_penalty and _is_compared(table, growth, rules)
    usual = not any(rules[name] for name in ("cost_form", "cuts", "monotonic")) and not growth.costs
    settled = growth.tolerance >= LEAST_TOLERANCE
    fits = settled and _has_room(table)
    strategy = MISSING_STRATEGIES[growth.missing]
    # rows without a value follow the larger branch by weight, in training and, where rows have weights, later on
    by_weight = strategy.code != MAJORITY or not strategy.by_rows
    by_weight = by_weight and (table.weights is None or not strategy.later_by_rows)
    sent = _sends_missing(table, rules) and by_weight and not (strategy.tested and rules["max_surrogates"] > 0)
    listed = rules["max_surrogates"] == 0 or table.weights is None
    if not (not growth.patience and untested and usual and fits and sent and listed):
        return False
    return _has_whole_weights(table, growth) and _is_cut_in_two(table, growth) and _exceed_min_gap(table, growth, rules)


def _sends_missing(table: Table, rules: np.void) -> bool:
    """Do the fast kernels know where rows without a value go?"""
    if rules["missing"] not in (SURROGATES, STAY):
        return rules["missing"] in (MAJORITY, OWN_VALUE)
    of_all = rules["surrogate_style"] == 0 or rules["max_surrogates"] == 0
    return bool(of_all and table.weights is None and not nominal_levels(table).any())


def _is_by_gain(rules: np.void) -> bool:
    """Is the best split simply that of the largest gain?"""
    return bool(rules["selector"] == BEST and rules["score"] == DECREASE)


def _is_compared(table: Table, growth: GrowSettings, rules: np.void) -> bool:
    """Do the fast kernels know how splits compete? By their gain; where every row counts once and has every value,
    and features are cut in an order, also by the gain ratio and as in REPTree."""
    if _is_by_gain(rules):
        return True
    whole = table.weights is None and not any(c.n_missing for c in table.feature_columns)
    whole = whole and not nominal_levels(table).any() and growth.max_features == "all" and not rules["max_surrogates"]
    known = ((DECREASE, WHOLE_GAIN), (GAIN_RATIO, BEST), (GAIN_RATIO, AVERAGE_GAIN))
    settled = rules["step"] == 0 and growth.tolerance <= MOST_TOLERANCE
    return bool(whole and settled and (rules["score"], rules["selector"]) in known)


def _has_room(table: Table) -> bool:
    """Is there room for the rows in records, and for the statistics of as many nodes as there can be?"""
    return 2 <= table.n_rows < MOST_ROWS and table.n_rows * len(table.classes) <= MOST_COUNTS


def _has_whole_weights(table: Table, growth: GrowSettings) -> bool:
    """Are the weights of the rows whole numbers from 1 on, whose sums are exact?"""
    if growth.priors is not None or growth.weighs_answers:
        return False
    w = table.weights
    return bool(w is None or (w.min() >= 1.0 and w.sum() <= MOST_WEIGHT and (w == np.floor(w)).all()))


def _is_cut_in_two(table: Table, growth: GrowSettings) -> bool:
    """Is every feature cut in two?"""
    most = nominal_levels(table).max()
    in_groups = bool(most == 0 or (NOMINAL_SPLITS[growth.nominal].code == SUBSET and most <= MOST_LEVELS))
    return in_groups and not any(branches_by_bins(c, growth) for c in table.feature_columns)


def _exceed_min_gap(table: Table, growth: GrowSettings, rules: np.void) -> bool:
    """Can the numbers be told apart by their keys? Where the threshold rule counts near ones as one, see
    fast.values_apart; what does not show in the cuts is not looked at there, so that no two may be so near."""
    rule = THRESHOLD_RULES[growth.threshold]
    if not rule.min_gap:
        return True
    numeric = [c for c in table.feature_columns if c.kind == "numeric"]
    if _shows_in_cuts(growth, rules):
        return all(np.isfinite(rounded(rule, _extremes(c))).all() for c in numeric)
    return all(_least_gap(rounded(rule, c.numbers)) > rule.min_gap for c in numeric)


def _extremes(column: Column) -> np.ndarray:
    """float64: the least and the largest value of a numeric column, none where all are missing. Its distinct values
    are not asked for where nobody has: to rank them takes as long as growing does."""
    values = column.distinct if column.lists_values else column.values()
    result = np.fmin.reduce(values, initial=np.inf), np.fmax.reduce(values, initial=-np.inf)
    return np.array(result if result[0] <= result[1] else ())


def _shows_in_cuts(growth: GrowSettings, rules: np.void) -> bool:
    """Would it show in the cuts of a tree if one between near values had taken part? Not in its surrogates; not where
    features compete otherwise than by their gain, as the cut of a loser counts; nor where features are drawn and gains
    refused, as one is drawn in the place of a feature that offers no cut, but not of one whose cut is refused."""
    listed = growth.max_surrogates and MISSING_STRATEGIES[growth.missing].code == SURROGATES
    refused = growth.zero_gain != "split" or growth.min_gain or growth.min_weighted_gain
    return _is_by_gain(rules) and not listed and not (rules["n_sampled"] and refused)


def _least_gap(values: np.ndarray) -> float:
    """Between neighbours; less than 0 where a value is too large for the precision it was rounded to."""
    is_finite = len(values) == 0 or np.isfinite(values[[0, -1]]).all()
    return float(np.diff(values).min(initial=np.inf)) if is_finite else -np.inf


@cached_with_table
def nominal_levels(table: Table) -> np.ndarray:
    """int64 (d,): how many levels each feature has that is split by groups of them, 0 for the others."""
    if table.is_plain:
        return np.zeros(len(table.features), np.int64)
    return np.array(
        [0 if c.kind in ("numeric", "ordinal") else len(c.level_names) for c in table.feature_columns], np.int64
    )
