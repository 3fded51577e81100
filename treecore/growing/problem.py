"""A table and settings as the arrays that the kernels read."""

import numpy as np

from treecore.criteria import CRITERIA, criteria_for
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.costs import class_factors, feature_costs
from treecore.growing.parts import NOMINAL_SPLITS, THRESHOLD_RULES
from treecore.growing.settings import Growth
from treecore.kernels.state import FEATURE, ORDERED, ROW, RULES, Problem
from treecore.tree.schema import FeatureSchema, Schema

NO_LIMIT = np.iinfo(np.int64).max


def criterion_of(table: Table, growth: Growth):
    """The criterion to judge splits of this target by; TreecoreError when the two do not fit."""
    fitting = criteria_for(table.task)
    if not growth.criterion:
        return CRITERIA["gini" if table.task == "classification" else "squared_error"]
    criterion = CRITERIA[growth.criterion]
    if criterion not in fitting:
        kind = "classes" if table.task == "classification" else "numbers"
        raise TreecoreError(
            f"{criterion.label} cannot judge the target {table.target!r}, whose values are {kind}",
            where="criterion",
            remedy="Choose one of: " + ", ".join(c.name for c in fitting),
        )
    return criterion


def schema_of(table: Table, growth: Growth) -> Schema:
    """What the tree will remember of the table."""
    features = tuple(FeatureSchema(c.name, c.kind, c.levels or ()) for c in table.feature_columns)
    precision = THRESHOLD_RULES[growth.threshold].precision
    return Schema(features, table.target, tuple(table.classes), precision)


def center_of(table: Table) -> float:
    """Weighted mean of a numeric target (0 for classes): sums around it do not cancel."""
    if table.task == "classification":
        return 0.0
    with np.errstate(over="ignore"):
        return float(np.average(table.target_column.values(), weights=table.weights))


def problem_of(table: Table, growth: Growth) -> Problem:
    """The kernels' view of the training rows. Distinct values are those of the table's encoding."""
    codes, values = zip(*(_coded(c, growth) for c in table.feature_columns), strict=True)
    features = np.zeros(len(codes), FEATURE)
    features["n_codes"] = [len(v) for v in values]
    features["value_start"] = np.cumsum([0, *features["n_codes"][:-1]])
    features["cost"] = feature_costs(table, growth)
    nominal = NOMINAL_SPLITS[growth.nominal].code
    features["splitter"] = [
        ORDERED if c.kind in ("numeric", "ordinal") else nominal for c in table.feature_columns
    ]
    return Problem(np.stack(codes), _rows(table, growth), features, np.concatenate(values), _rules(table, growth))


def _coded(column, growth: Growth) -> tuple[np.ndarray, np.ndarray]:
    """(codes int32, distinct values float64), in the precision that the threshold rule asks for."""
    values = column.distinct if column.kind == "numeric" else np.arange(column.n_distinct, dtype=np.float64)
    if column.kind != "numeric" or THRESHOLD_RULES[growth.threshold].precision == "float64":
        return column.codes, values
    if len(values) and np.abs(values).max() > np.finfo(np.float32).max:
        raise TreecoreError(
            f"{values[np.abs(values).argmax()]:g} is too large for 32-bit thresholds",
            where=f"Column {column.name!r}",
            remedy="Divide the column by a power of ten, or take another threshold rule",
        )
    rounded, merged = np.unique(values.astype(np.float32), return_inverse=True)
    new_code = np.append(merged, len(rounded)).astype(np.int32)
    return new_code[column.codes], rounded.astype(np.float64)


def _rows(table: Table, growth: Growth) -> np.ndarray:
    """ROW records; weights of classes are altered by priors and costs."""
    rows = np.zeros(table.n_rows, ROW)
    rows["weight"] = 1.0 if table.weights is None else table.weights
    if table.task == "classification":
        rows["label"] = table.target_column.codes
        rows["weight"] *= class_factors(table, growth)[rows["label"]]
    else:
        rows["response"] = table.target_column.values() - center_of(table)
    _check_size(rows["weight"], where="Weights")
    _check_size(rows["response"], where=f"Target {table.target!r}")
    return rows


def _check_size(numbers: np.ndarray, where: str) -> None:
    """TreecoreError unless squares and their sums stay within what a double holds."""
    size = np.abs(numbers[numbers != 0])
    if len(size) and not (size.max() < 1e130 and size.max() > 1e-130 and np.isfinite(size).all()):
        raise TreecoreError(
            f"Numbers of the size of {size.max():.3g} cannot be squared and summed",
            where=where,
            remedy="Multiply or divide all of them by a power of ten",
        )


def _rules(table: Table, growth: Growth) -> np.ndarray:
    """One RULES record."""
    # factors of priors and costs leave the sum of the weights as it is
    total = table.n_rows if table.weights is None else table.weights.sum()
    rules = np.zeros(1, RULES)
    rules["criterion"] = criterion_of(table, growth).code
    rules["n_classes"] = len(table.classes)
    rules["max_depth"] = NO_LIMIT if growth.max_depth is None else min(growth.max_depth, NO_LIMIT)
    rules["min_weight_split"] = growth.min_share_split * total
    rules["min_weight_leaf"] = growth.min_share_leaf * total
    rules["split_at_zero"] = growth.zero_gain == "split"
    rules["order_by_mean"] = growth.branch_order == "mean"
    rules["min_gap"] = THRESHOLD_RULES[growth.threshold].min_gap
    same = ("min_rows_split", "min_rows_leaf", "min_gain", "min_weighted_gain", "max_exhaustive", "tolerance")
    for name in same:
        rules[name] = min(getattr(growth, name), NO_LIMIT)
    return rules
