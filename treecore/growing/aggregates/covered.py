"""Which settings can be grown from sums, and the kernels' view of a table of which only sums are known."""

import numpy as np

from treecore.criteria.split_scores import DECREASE, GAIN_RATIO
from treecore.errors import TreecoreError
from treecore.growing.aggregates.counted import CountedTable
from treecore.growing.oblique.directions import NO_SUMS
from treecore.growing.settings.bins import branches_by_bins
from treecore.growing.settings.costs import loss_matrix
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import MISSING_STRATEGIES, THRESHOLD_RULES
from treecore.growing.settings.problem import criterion_of, features_of, rules_of
from treecore.kernels.state import (
    AVERAGE_GAIN,
    BEST,
    MAJORITY,
    MULTIWAY,
    NODE_VALUE,
    ORDERED,
    OWN_VALUE,
    ROW,
    STAY,
    SUBSET,
    Problem,
)


class NeedsRows(TreecoreError):
    """A setting that needs the rows themselves. instead : (setting, value) that does not, where one alone helps."""

    instead: tuple[str, str] | None = None


def problem_of_counts(table: CountedTable, growth: GrowSettings) -> Problem:
    """As problem_of; `codes` has each code of a feature once, and there are no rows.

    NeedsRows naming the first setting that does.
    """
    columns = table.feature_columns
    _check_bins(table, growth)
    values = [_values(c, growth) for c in columns]
    features = features_of(table, growth, values)
    rules = rules_of(table, growth)
    rules["min_rows_split"] = 0  # a node's cells are no rows; the loop looks at it
    m = int(features["n_codes"].max()) + 1
    codes = np.minimum(np.arange(m, dtype=np.int32), features["n_codes"][:, None].astype(np.int32))
    judge = criterion_of(table, growth).judge(loss_matrix(table, growth))
    problem = Problem(
        codes, np.zeros(0, ROW), features, np.concatenate(values), rules, judge, center=table.target_center
    )
    _check(problem, table, growth)
    return problem


def is_counted(growth: GrowSettings) -> bool:
    """Does a table without a missing value grow from counts by these settings' way with missing values?"""
    strategy = MISSING_STRATEGIES[growth.missing]
    return strategy.code != NODE_VALUE and not (strategy.surrogates and growth.max_surrogates > 0)


def _values(column, growth: GrowSettings) -> np.ndarray:
    """float64: what the codes stand for, the largest value where it is several."""
    if column.kind != "numeric":
        return np.arange(column.n_distinct, dtype=np.float64)
    if THRESHOLD_RULES[growth.threshold].precision == "float64":
        return column.distinct
    rounded = column.distinct.astype(np.float32).astype(np.float64)
    if not (np.diff(rounded) > 0).all() or not np.isfinite(rounded).all():
        raise _needs_rows(
            f"The numbers of column {column.name!r} in 32 bits", "threshold", "choose a rule for 64-bit thresholds"
        )
    return rounded


def _check_bins(table: CountedTable, growth: GrowSettings) -> None:
    if any(branches_by_bins(c, growth) for c in table.feature_columns):
        raise _needs_rows("A branch per bin", "numeric", "let numeric features be cut in two")


def _check(problem: Problem, table: CountedTable, growth: GrowSettings) -> None:
    rules = problem.rules[0]
    if not criterion_of(table, growth).additive:
        raise _needs_rows("Absolute error", "criterion", "choose squared_error", "squared_error")
    if rules["max_surrogates"] or rules["missing"] not in (MAJORITY, STAY, OWN_VALUE):
        remedy = "choose missing = majority, stay, own_value or both_ways"
        raise _needs_rows("What these settings do with missing values", "missing", remedy, "majority")
    if rules["score"] not in (DECREASE, GAIN_RATIO) or rules["selector"] not in (BEST, AVERAGE_GAIN) or rules["step"]:
        raise _needs_rows("This score or selector", "score", "choose the decrease or the gain ratio")
    if not np.isin(problem.features["splitter"], (ORDERED, SUBSET, MULTIWAY)).all():
        raise _needs_rows("One level against the rest", "nominal", "choose subset or multiway", "subset")
    if growth.oblique != NO_SUMS:
        raise _needs_rows("A weighted sum of features", "oblique", "grow without oblique splits")
    if growth.test != "none" or growth.size_penalty or growth.patience or rules["cuts"] or rules["cost_form"]:
        raise _needs_rows(
            "A test, a penalty, patience, boundaries, thresholds that are drawn or a form of costs", "growth",
            "leave these at their defaults",
        )  # fmt: skip
    if growth.monotonic:
        raise _needs_rows("Answers that only rise or fall", "monotonic", "bind none")


def _needs_rows(what: str, where: str, remedy: str, instead: str = "") -> NeedsRows:
    """The error for what cannot be made of sums. instead : the value of the setting that can."""
    fault = NeedsRows(
        f"{what} cannot be had from sums alone, which is how a table grows where it lives",
        where=where,
        remedy=f"For this table {remedy}, or grow on a sample of its rows",
    )
    fault.instead = (where, instead) if instead else None
    return fault
