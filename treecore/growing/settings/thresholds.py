"""Where numeric features are cut: thresholds between values or on one of the data, and bins with a branch each."""

import numpy as np

from treecore.data.column import Column
from treecore.data.discretize import BINNINGS, classes_of, cut_points
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import NUMERIC_SPLITS, SELECTORS, SPLIT_SCORES, THRESHOLD, ThresholdRule
from treecore.kernels.state import TESTED, Problem


def thresholds(rule: ThresholdRule, ordinal: bool, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """float64 (n,): thresholds between neighbouring values of a node, infinite where nothing known lies above.

    low, high : float64 (n,), NaN for a missing value. Ordinal levels are named by their index; a cut stands half way
    between two levels: above the last one that the rule's place does not exceed. So of levels that the node lacks those
    up to the middle go down, as in rpart, or none does where the rule takes the lower value itself, as ctree's.
    """
    low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
    known = ~np.isnan(high)
    placed = rule.place(low, np.where(known, high, low))
    return np.where(known, np.floor(placed) + 0.5 if ordinal else placed, np.inf)


def rounded(rule: ThresholdRule, values: np.ndarray) -> np.ndarray:
    """float64: the values in the precision in which the rule compares them; infinite where one is too large for it."""
    if rule.precision == "float64":
        return values
    with np.errstate(over="ignore"):
        return values.astype(rule.precision).astype(np.float64)


# Thresholds moved from between two values onto one of the data.


def data_values(problem: Problem, feature: np.ndarray, placed: np.ndarray, slack: float) -> np.ndarray:
    """values_on_data of thresholds of several features. feature : int64 (n,), of each."""
    result = np.empty(len(placed))
    for f in np.unique(feature):
        begin, n = problem.features["value_start"][f], problem.features["n_codes"][f]
        here = feature == f
        result[here] = on_data(problem.codes[f], problem.values[begin : begin + n], placed[here], slack)
    return result


def values_on_data(column: Column, placed: np.ndarray, slack: float) -> np.ndarray:
    """The largest of the column's values not above each threshold; one above it by less than `slack` is not above it.

    placed : float64 (n,), none below all values.
    With a slack, values are taken row after row, and one counts as larger only if it is by more than the slack; then
    the largest value that is above it by less than the slack takes its place, as rows with this value pass, too.
    Source: behaviour of Weka 3.6 (J48), slack 1e-6; Quinlan (1993) without.
    """
    return on_data(column.codes, column.numbers, placed, slack)


def on_data(codes: np.ndarray, numbers: np.ndarray, placed: np.ndarray, slack: float) -> np.ndarray:
    """The same of a column given as codes, int32 (n_rows,), and what they stand for, ascending."""
    # rows kept for other roles share the values
    present = np.flatnonzero(np.bincount(codes, minlength=len(numbers))[: len(numbers)])
    values = numbers[present]
    stop = np.searchsorted(values, placed, "right")
    result = values[stop - 1]
    below, above = (values[np.clip(at, 0, len(values) - 1)] for at in (stop - 2, stop))
    near = np.flatnonzero((stop > 1) & (result - below <= slack) | (stop < len(values)) & (above - placed < slack))
    first = _first_rows(codes, len(numbers)) if len(near) else None
    for i in near:
        result[i] = _in_row_order(values, present, first, float(placed[i]), slack)
    return result


def _in_row_order(values: np.ndarray, present: np.ndarray, first: np.ndarray, placed: float, slack: float) -> float:
    """What a threshold among values that are near each other becomes, taken row after row. Once a value has come, it
    is no more when it comes again. present : the code of each value. first : the first row of each code."""
    stop = int(np.searchsorted(values, placed, "right"))
    while stop < len(values) and values[stop] - placed < slack:
        stop += 1
    start = stop - 1
    while start > 0 and values[start] - values[start - 1] <= slack:
        start -= 1
    near, limit = present[start:stop], -np.inf
    for value in values[start:stop][np.argsort(first[near])].tolist():
        limit = value if value - limit > slack else limit
    while stop < len(values) and values[stop] - limit < slack:
        stop += 1
    # rows less than the slack above the limit pass the test: the largest of them says the same without a slack
    return max((v for v in values[start:stop].tolist() if v - limit < slack), default=limit)


def _first_rows(codes: np.ndarray, n_codes: int) -> np.ndarray:
    """int64 (n_codes + 1,): the first row of each code; anything for one without rows."""
    first = np.empty(n_codes + 1, np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of several rows of a code, the last one written stays
    return first


# Numeric features that branch by bins: which settings allow it, and their codes and edges.


def branches_by_bins(column: Column, growth: GrowSettings) -> bool:
    """Does this feature branch into bins, by the settings for all or by edges of its own?"""
    return column.kind == "numeric" and (growth.numeric != THRESHOLD or column.name in dict(growth.edges))


def edges_in_force(table: Table, growth: GrowSettings) -> dict[str, tuple[float, ...]]:
    """The edges that are given for numeric features of the table."""
    return {name: edges for name, edges in growth.edges
            if name in table.features and table.column(name).kind == "numeric"}  # fmt: skip


def in_bins(
    codes: np.ndarray, values: np.ndarray, name: str, table: Table, growth: GrowSettings
) -> tuple[np.ndarray, np.ndarray]:
    """(int32 (n_rows,) codes of bins, float64 (n_bins,) their upper edges, the last one infinite).

    codes, values : of a numeric feature as thresholds would see it; the largest code stands for missing. name : of the
    feature. The bins are those between the edges given for it, or those of the table's rows, which are the training
    rows; a value equal to an edge lies above it.
    """
    numbers, given = np.append(values, np.nan), dict(growth.edges).get(name)
    if given is None:
        cuts = cut_points(numbers[codes], table.weights, *classes_of(table), growth.numeric, growth.bins)
    else:
        cuts = np.array(given)
    edges = np.append(cuts, np.inf)
    bin_of = np.append(np.searchsorted(cuts, values, side="right"), len(edges)).astype(np.int32)
    return bin_of[codes], edges


def check_bins_fit(table: Table, growth: GrowSettings) -> None:
    """TreecoreError where target or other settings leave no sense to numeric features that branch by bins."""
    own = edges_in_force(table, growth)
    if growth.numeric == THRESHOLD and not own:
        return
    result = why_no_bins(growth)
    if result and growth.numeric == THRESHOLD:
        what, other = result
        raise TreecoreError(what, where="edges", remedy=f"Give no edges for {min(own)!r}, or take another {other}")
    if growth.numeric == THRESHOLD:
        return
    if not result and BINNINGS[growth.numeric].needs_classes and table.task == "regression":
        result = f"{BINNINGS[growth.numeric].label} needs classes, and the target {table.target!r} is a number"
        fitting = (name for name in NUMERIC_SPLITS if name == THRESHOLD or not BINNINGS[name].needs_classes)
        raise TreecoreError(result, where="numeric", remedy="Choose one of: " + ", ".join(fitting))
    if result:
        what, other = result
        raise TreecoreError(what, where="numeric", remedy=f"Set numeric to {THRESHOLD!r}, or take another {other}")


def why_no_bins(growth: GrowSettings) -> tuple[str, str] | None:
    """(what is wrong, the setting that it comes from), None where bins are possible."""
    score, selector = SPLIT_SCORES[growth.score], SELECTORS[growth.selector]
    if selector.code == TESTED:
        return f"{selector.label} finds the cuts by its test, bins mean nothing to it", "selector"
    if score.binary:
        return f"{score.label} is defined for two branches, one branch per bin has more", "score"
    return None
