"""A table and settings as the arrays that the kernels read, and the rows that a tree is grown on."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from treecore.criteria import CRITERIA, criteria_for
from treecore.criteria.poisson import UNIT
from treecore.criteria.row_losses import RowLoss, usual_delta
from treecore.criteria.split_scores import MDL_GAIN_RATIO
from treecore.data.column import Column, frozen
from treecore.data.discretize import gaps_of_cuts
from treecore.data.table import Table
from treecore.data.table_like import Described, cached_with_table, target_counts
from treecore.errors import TreecoreError
from treecore.growing.settings.costs import class_factors, feature_costs, loss_matrix
from treecore.growing.settings.grow_settings import GrowSettings, in_cases, samples_features, usual_criterion
from treecore.growing.settings.parts import (
    COST_FORMS,
    CUT_CHOICES,
    LEAF_SHARES,
    MAX_FEATURES,
    MISSING_STRATEGIES,
    NOMINAL_SPLITS,
    SELECTORS,
    SPLIT_SCORES,
    SURROGATE_STYLES,
    THRESHOLD_RULES,
)
from treecore.growing.settings.thresholds import branches_by_bins, check_bins_fit, in_bins
from treecore.kernels.general.scores import SUM_TOLERANCE
from treecore.kernels.random_features import root_key
from treecore.kernels.state import (
    FEATURE,
    MAJORITY,
    MULTIWAY,
    NO_TARGETS,
    NODE_VALUE,
    ORDERED,
    OWN_VALUE,
    ROW,
    RULES,
    Problem,
)
from treecore.target import CountedTarget, EffectTarget
from treecore.tree.columns import LARGEST_MEAN
from treecore.tree.line_fit import CONSTANT
from treecore.tree.schema import FeatureSchema, Schema

# Growing for answers alone: without what no row will ask for.


def prediction_only(growth: GrowSettings, table: Table) -> GrowSettings:
    """The same without surrogate splits, which take half of the time, where none of the table's rows would ask one.

    Rows ask where a value is missing, or where a level was not among the rows of the node that split: of two levels
    both were.
    """
    if growth.missing != "surrogates" or any(c.n_missing or _may_be_new(c) for c in table.feature_columns):
        return growth
    return replace(growth, max_surrogates=0)


def _may_be_new(column) -> bool:
    return column.kind == "nominal" and len(column.levels) > 2


# The rows that a tree is grown on: those of a table whose target is known, and what some peers leave out besides.


def training_rows(table: Table, growth: GrowSettings) -> Table:
    """The rows that count while a tree grows; the table itself where these are all of them.

    Rows without a target are left out, with a note. Then those that the missing-value strategy leaves out.
    """
    known = _cached(table, Table.without_missing_target)
    if not known.n_rows:
        return table  # whose target has no value at all is said when it is checked
    leaves_out = MISSING_STRATEGIES[growth.missing].leaves_out
    if leaves_out:
        known = _cached(known, _without, leaves_out)
    return known if known.counts is None else _cached(known, _learned)  # of the rows that grow it alone


def _cached(table: Table, make: Callable[..., Table], *args: str) -> Table:
    """What the function makes of the table, made once, as encodings stay with a table."""
    rows = _another(table, make, *args)
    return table if rows is None else rows


@cached_with_table
def _another(table: Table, make: Callable[..., Table], *args: str) -> Table | None:
    """None for the table itself, which would never be let go if it held itself."""
    rows = make(table, *args)
    return None if rows is table else rows


def _learned(table: Table) -> Table:
    """The table whose kind of target knows what it has to know of all training rows."""
    events, exposure = table.target_column, table.exposure and table.column(table.exposure)
    if not exposure or events.kind != "numeric":
        return table  # what is wrong is said when it is checked
    if exposure.kind != "numeric" and not isinstance(table.counts, EffectTarget):
        return table
    if events.n_missing or exposure.n_missing:
        return table
    if isinstance(table.counts, EffectTarget):
        truth = target_counts(table)
        return replace(table, counts=table.counts.learned(*truth.T, table.weights))
    kind = table.counts.learned(events.values(), exposure.values())
    return table if kind is table.counts else replace(table, counts=kind)


def _without(table: Table, leaves_out: str) -> Table:
    """The table without the rows that LEFT_OUT finds by this name, with a note."""
    left_out, why = LEFT_OUT[leaves_out](table)
    n = int(np.count_nonzero(left_out))
    if n in (0, table.n_rows):
        return table
    note = f"{n} of {table.n_rows} rows were left out: {why}."
    return replace(table.take(~left_out), notes=(*table.notes, note))


def _empty(table: Table) -> tuple[np.ndarray, str]:
    """(bool (n_rows,), rows without a value of any feature; why they are left out). To rpart a column of weights is one
    more column, which never lacks a value."""
    lacking = [column.n_missing for column in table.feature_columns]
    some = table.weights is None and bool(lacking) and min(lacking) > 0
    without = [column.missing for column in table.feature_columns] if some else [np.zeros(table.n_rows, bool)]
    return np.logical_and.reduce(without), "they have no value of any feature"


def _weightless(table: Table) -> tuple[np.ndarray, str]:
    """(bool (n_rows,), rows of weight 0; why they are left out)."""
    return np.zeros(table.n_rows, bool) if table.weights is None else table.weights == 0, "they weigh 0"


LEFT_OUT = {"empty": _empty, "weightless": _weightless}
"""MissingStrategy.leaves_out -> which rows these are, and why."""


# Features with which the answer may only rise, or only fall: checked, and as the numbers that the kernels need.


def constraints(table: Table, growth: GrowSettings) -> np.ndarray:
    """int64 (d,): what kernels.constraints holds each feature to; 0 where nothing is said.

    Of two classes, growth.monotonic is about the share of the second one, kernels about that of the first.
    """
    given = dict(growth.monotonic)
    if not given:
        return np.zeros(len(table.features), np.int64)
    _check_target(table, growth)
    _check_missing(table, growth)
    for name in given:
        _check_feature(table, growth, name)
    sign = -1 if table.task == "classification" else 1
    return np.array([sign * given.get(name, 0) for name in table.features], np.int64)


def _check_target(table: Table, growth: GrowSettings) -> None:
    if table.task == "classification" and len(table.classes) != 2:
        remedy = "Bind no feature, or choose a target of two classes or of numbers"
        raise TreecoreError(f"The target has {len(table.classes)} classes, none of which comes before another",
                            where="monotonic", remedy=remedy)  # fmt: skip
    if row_loss_for(table, growth) is not None:
        remedy = "Take squared_error, or bind no feature"
        raise TreecoreError("Means are held in order, not medians, other quantiles or Huber means", where="monotonic",
                            remedy=remedy)  # fmt: skip


def _check_missing(table: Table, growth: GrowSettings) -> None:
    """Rows that follow a branch after the split has been judged could carry its mean out of order."""
    strategy = MISSING_STRATEGIES[growth.missing]
    if strategy.surrogates and growth.max_surrogates > 0:
        raise TreecoreError(
            "A surrogate split may send rows against the order that predictions must keep",
            where="missing",
            remedy="Choose missing = majority, both_ways or own_value",
        )
    if strategy.code == OWN_VALUE:
        return
    lacking = [c.name for c in table.feature_columns if c.n_missing]
    if lacking:
        raise TreecoreError(
            "Rows without a value would be sent after the split is judged, and predictions might not stay in order",
            where=f"Column {lacking[0]!r}",
            remedy="Fill the missing values, or choose missing = both_ways or own_value",
        )


def _check_feature(table: Table, growth: GrowSettings, name: str) -> None:
    if name not in table.features:
        remedy = "The features are: " + ", ".join(table.features)
        raise TreecoreError("There is no such feature", where=f"monotonic, {name!r}", remedy=remedy)
    column = table.column(name)
    if column.kind not in ("numeric", "ordinal") or branches_by_bins(column, growth):
        remedy = "Bind numeric and ordinal features that are cut in two"
        raise TreecoreError("Its branches have no order", where=f"monotonic, {name!r}", remedy=remedy)


LARGEST_WEIGHT = 1e130
"""Squares of weights, and sums of them, are still numbers."""
NO_LIMIT = np.iinfo(np.int64).max


def criterion_of(table: Table, growth: GrowSettings):
    """The criterion to judge splits of this target by; TreecoreError when the two do not fit."""
    fitting = criteria_for(table.task, len(table.classes), growth.weighs_answers)
    if not growth.criterion:
        return CRITERIA[usual_criterion(growth, table.task)]
    criterion = CRITERIA[growth.criterion]
    if criterion.needs_loss and not growth.weighs_answers and table.task == criterion.task:
        remedy = "Give a loss matrix, or choose gini, which is the same with equal costs"
        raise TreecoreError(f"{criterion.label} needs costs", where="loss", remedy=remedy)
    if criterion not in fitting and criterion.task == table.task:
        raise TreecoreError(
            f"{criterion.label} is for {criterion.max_classes} classes, the target {table.target!r} has "
            f"{len(table.classes)}",
            where="criterion",
            remedy="Choose one of: " + ", ".join(c.name for c in fitting),
        )
    if criterion not in fitting:
        raise TreecoreError(
            f"{criterion.label} cannot judge the target {table.target!r}, whose values are {table.target_kind.held}",
            where="criterion",
            remedy="Choose one of: " + ", ".join(c.name for c in fitting),
        )
    return criterion


def row_loss_for(table: Table, growth: GrowSettings) -> RowLoss | None:
    """The loss of single rows that splits are judged by, with its parameter; None for a criterion of sums. The tree
    remembers it, as it is pruned and judged by it, too.

    A delta of 0 is that of row_losses.usual_delta on these rows.
    """
    made = CRITERIA[growth.criterion].row_loss if growth.criterion else None
    if made is None or table.task != "regression":
        return None
    if not made.parameter:
        return made()
    value = getattr(growth, made.parameter)
    return made(value or _delta_of(table))


@cached_with_table
def _delta_of(table: Table) -> float:
    return usual_delta(table.target_column.values(), table.case_weights)


def schema_of(table: Table, growth: GrowSettings, problem: Problem | None = None) -> Schema:
    """What the tree will remember of the table. problem : knows the bins, where numeric features branch by them."""
    features = table.described
    if problem is not None:
        columns = enumerate(zip(features, table.feature_columns, strict=True))
        features = tuple(_with_bins(described, c, f, growth, problem) for f, (described, c) in columns)
    return _schema(
        features, table.target, tuple(table.classes), THRESHOLD_RULES[growth.threshold].precision, table.counts,
        table.target_column.unit, row_loss_for(table, growth),
    )  # fmt: skip


@lru_cache(maxsize=16)
def _schema(
    features: tuple[tuple, ...], target: str, classes: tuple[str, ...], precision: str, counts: CountedTarget | None,
    unit: str, row_loss: RowLoss | None,
) -> Schema:  # fmt: skip
    """Tables that follow each other have the same columns, mostly."""
    return Schema(
        tuple(FeatureSchema(*feature) for feature in features),
        target,
        classes,
        precision,
        counts=counts,
        unit=unit,
        row_loss=row_loss,
    )


def _with_bins(described: Described, column: Column, f: int, growth: GrowSettings, problem: Problem) -> Described:
    """With the cuts between its bins and their gaps, where the feature branches by them."""
    if not branches_by_bins(column, growth):
        return described
    begin, n = int(problem.features["value_start"][f]), int(problem.features["n_codes"][f])
    cuts = problem.values[begin : begin + n - 1]
    return (*described[:4], tuple(cuts.tolist()), described[5], gaps_of_cuts(column, cuts), described[7])


def targets_of(table: Table) -> np.ndarray:
    """float64 (n,), read-only: a numeric target as it is, counts as kernels have them; (0,) for classes."""
    if table.task == "classification":
        return NO_TARGETS
    if isinstance(table.counts, EffectTarget):
        return frozen(table.counts.transformed(target_counts(table)))
    if table.counts is not None:
        return frozen(rates_in_kernels(table)[1])
    return frozen(np.ascontiguousarray(table.target_column.values()))


def problem_of(table: Table, growth: GrowSettings) -> Problem:
    """The kernels' view of the training rows. Distinct values are those of the table's encoding, or edges of bins."""
    check_bins_fit(table, growth)
    codes, values = zip(*(_encoded(c, table, growth) for c in table.feature_columns), strict=True)
    return Problem(
        codes=np.stack(codes), rows=_rows(table, growth), features=features_of(table, growth, values),
        values=np.concatenate(values), rules=rules_of(table, growth),
        judge=criterion_of(table, growth).judge(loss_matrix(table, growth), row_loss_for(table, growth)),
        targets=targets_of(table), center=table.target_center,
    )  # fmt: skip


def features_of(table: Table, growth: GrowSettings, values: Sequence[np.ndarray]) -> np.ndarray:
    """FEATURE records. values : of each feature, what its codes stand for."""
    features = np.zeros(len(values), FEATURE)
    features["n_codes"] = [len(v) for v in values]
    features["value_start"] = np.cumsum([0, *features["n_codes"][:-1]])
    features["cost"] = feature_costs(table, growth)
    features["ordinal"] = [c.kind == "ordinal" for c in table.feature_columns]
    nominal = NOMINAL_SPLITS[growth.nominal].code
    features["splitter"] = [_splitter(c, growth, nominal) for c in table.feature_columns]
    own = MISSING_STRATEGIES[growth.missing].code == OWN_VALUE
    features["n_branches"] = features["n_codes"] + [own and c.n_missing > 0 for c in table.feature_columns]
    features["averaged"] = _averaged(table, growth)
    features["monotonic"] = constraints(table, growth)
    return features


def _splitter(column: Column, growth: GrowSettings, nominal: int) -> int:
    if branches_by_bins(column, growth):
        return MULTIWAY
    return ORDERED if column.kind in ("numeric", "ordinal") else nominal


def _averaged(table: Table, growth: GrowSettings) -> np.ndarray:
    """bool (d,): features that count in the average gain; all of them where every one has many levels."""
    most = SELECTORS[growth.selector].many_levels * table.n_rows
    # 0.3 * 10 is a little less or more than 3
    few = np.array([c.kind == "numeric" or c.n_distinct < most - SUM_TOLERANCE for c in table.feature_columns])
    return few if few.any() else np.ones(len(few), bool)


def _encoded(column: Column, table: Table, growth: GrowSettings) -> tuple[np.ndarray, np.ndarray]:
    """(codes int32, float64 what they stand for): distinct values, or the upper edges of bins."""
    result = _coded(column, growth)
    return in_bins(*result, column.name, table, growth) if branches_by_bins(column, growth) else result


def _coded(column, growth: GrowSettings) -> tuple[np.ndarray, np.ndarray]:
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
    rounded = values.astype(np.float32)
    new = np.append(True, rounded[1:] != rounded[:-1])[: len(rounded)]
    new_code = np.append(np.cumsum(new) - 1, new.sum()).astype(np.int32)
    return new_code[column.codes], rounded[new].astype(np.float64)


def _rows(table: Table, growth: GrowSettings) -> np.ndarray:
    """ROW records; weights of classes are altered by priors and costs, those of counts are exposures."""
    rows = np.zeros(table.n_rows, ROW)
    rows["case"] = 1.0 if table.weights is None else table.weights
    rows["weight"] = rows["case"]
    if table.task == "classification":
        rows["label"] = table.target_column.codes
        rows["weight"] *= class_factors(table, growth)[rows["label"]]
    elif isinstance(table.counts, EffectTarget):
        truth = target_counts(table)
        rows["label"], rows["response"] = truth[:, 1], table.counts.transformed(truth)
        check_size(truth[:, 0] - table.counts.center, LARGEST_MEAN, where=f"Target {table.target!r}")
        check_size(rows["weight"], LARGEST_WEIGHT, where="Weights")
        return rows
    elif table.counts is not None:
        exposure, rates = rates_in_kernels(table)
        rows["weight"] *= exposure
        rows["response"] = rates
        rows["label"] = table.counts.row_labels(table)
        check_size(rows["weight"], LARGEST_WEIGHT, where="Weights")
        return rows
    else:
        rows["response"] = table.target_column.values() - table.target_center
    check_size(rows["weight"], LARGEST_WEIGHT, where="Weights")
    check_size(rows["response"], LARGEST_MEAN, where=f"Target {table.target!r}")
    return rows


def rates_in_kernels(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """(exposure, rate) float64 (n,) of a target of counts; rates in units of the largest one times poisson.UNIT."""
    events, exposure = target_counts(table).T
    rates = events / exposure
    largest = rates.max(initial=0.0)
    return exposure, rates / largest * UNIT if largest > 0 else rates


def check_size(numbers: np.ndarray, limit: float, where: str) -> None:
    """TreecoreError unless the largest number lies between the inverse of the limit and the limit."""
    largest = max(numbers.max(initial=0.0), -numbers.min(initial=0.0))  # neither is a number where one of them is not
    if not (largest == 0.0 or 1 / limit < largest < limit):
        raise TreecoreError(
            f"Numbers of the size of {largest:.3g} cannot be squared and summed",
            where=where,
            remedy="Multiply or divide all of them by a power of ten",
        )


def rules_of(table: Table, growth: GrowSettings) -> np.ndarray:
    """One RULES record."""
    _check_score(table, growth)
    rules = _rules_of_settings(growth).copy()
    rules["criterion"], rules["n_classes"] = criterion_of(table, growth).code, len(table.classes)
    # factors of priors and costs leave the sum of the weights as it is
    total = table.n_rows if table.weights is None else table.weights.sum()
    check_meaning(table, growth)
    # fractions of rows sum up to a weight with an error in the last digits
    slack = SUM_TOLERANCE if SPLIT_SCORES[growth.score].code == MDL_GAIN_RATIO else 1e-9
    for name in ("split", "leaf"):
        least = max(getattr(growth, f"min_share_{name}") * total, getattr(growth, f"min_weight_{name}"))
        rules[f"min_weight_{name}"] = max(least - slack, 0.0) if growth.missing == "fractional" else least
    if isinstance(table.counts, EffectTarget):
        rules["min_weight_leaf"] = table.counts.min_rows  # of each arm, as kernels.effect_search takes it
    # a feature backs up a split once: there is room for no more
    rules["max_surrogates"] = np.minimum(rules["max_surrogates"], len(table.features))
    if samples_features(growth):
        rules["n_sampled"], rules["root_key"] = n_features_per_split(growth, len(table.features)), root_key(growth.seed)
    strategy = MISSING_STRATEGIES[growth.missing]
    # without missing values only the route of those to come is open, which the tree's columns say
    apart = strategy.code == NODE_VALUE or (strategy.code == OWN_VALUE and growth.nominal == "one_level")
    # but a row of weight 0 may have a level that no row has which counts, and goes as one without a value
    sends = any(c.n_missing for c in table.feature_columns) or (table.weights is not None and not table.weights.all())
    nothing_to_send = not apart and not sends
    rules["missing"] = MAJORITY if nothing_to_send else strategy.code
    least_variance = SELECTORS[growth.selector].least_variance
    if least_variance and rules["criterion"] == CRITERIA["squared_error"].code and not growth.min_impurity:
        rules["min_impurity"] = least_variance * _variance(table)
    return rules


def n_features_per_split(growth: GrowSettings, n_features: int) -> int:
    """How many of so many features are drawn at every node; 0 where all are looked at."""
    n = max(MAX_FEATURES[growth.max_features].n(n_features, growth.n_features, growth.share_features), 1)
    return 0 if n >= n_features else n


@lru_cache(maxsize=64)
def _rules_of_settings(growth: GrowSettings) -> np.ndarray:
    """What does not depend on the table."""
    rules = np.zeros(1, RULES)
    score, selector = SPLIT_SCORES[growth.score], SELECTORS[growth.selector]
    rules["score"], rules["selector"] = score.code, selector.code
    rules["average_slack"], rules["step"] = selector.slack, selector.step
    rules["max_depth"] = NO_LIMIT if growth.max_depth is None else min(growth.max_depth, NO_LIMIT)
    rules["split_at_zero"] = growth.zero_gain == "split"
    rules["order_by_mean"] = growth.branch_order == "mean"
    threshold = THRESHOLD_RULES[growth.threshold]
    rules["min_gap"], rules["closed"], rules["on_data"] = threshold.min_gap, threshold.closed, threshold.on_data
    rules["cut_at"] = threshold.place(np.zeros(1), np.ones(1))[0]
    rules["cuts"], rules["monotonic"] = list(CUT_CHOICES).index(growth.cuts), len(growth.monotonic) > 0
    rules["cost_form"], rules["cost_power"] = list(COST_FORMS).index(growth.cost_form), growth.cost_power
    rules["min_share"] = SUM_TOLERANCE if score.code == MDL_GAIN_RATIO else 0.0
    same = ("min_rows_split", "min_rows_leaf", "min_impurity", "min_gain", "min_weighted_gain", "max_exhaustive")
    limits = in_cases(growth)  # the weights that a test asks for are those of cases, which the test itself knows
    for name in (*same, "tolerance"):
        rules[name] = min(getattr(limits, name), NO_LIMIT)
    _missing_rules(rules, growth)
    return rules


def _missing_rules(rules: np.ndarray, growth: GrowSettings) -> None:
    strategy = MISSING_STRATEGIES[growth.missing]
    rules["majority_rows"], rules["majority_ties"] = strategy.by_rows, strategy.ties
    rules["max_surrogates"] = min(growth.max_surrogates, NO_LIMIT) if strategy.surrogates else 0
    # rpart sends nothing to the larger branch if it may keep no surrogate at all
    rules["surrogate_majority"] = strategy.else_majority and (growth.max_surrogates > 0 or not strategy.later_by_rows)
    rules["errs_on"] = strategy.errs_on
    rules["surrogate_style"] = list(SURROGATE_STYLES).index(growth.surrogate_style)


def _variance(table: Table) -> float:
    with np.errstate(over="ignore"):
        return float(np.average((table.target_column.values() - table.target_center) ** 2, weights=table.weights))


def check_meaning(table: Table, growth: GrowSettings) -> None:
    """TreecoreError for a setting that has no meaning for the kind of target."""
    odd = table.target_kind.odd_settings(growth)
    if odd:
        kind, why = table.target_kind, table.target_kind.why_not(odd[0])
        held = f"{len(kind.classes)} {kind.held}" if why else kind.held
        raise TreecoreError(
            f"A target of {held}, {table.target!r}, knows no {odd[0]!r} of {getattr(growth, odd[0])!r}"
            + (f": {why}" if why else ""),
            where=odd[0],
            remedy=f"Leave this setting as CART has it, or predict {table.target_kind.instead}",
        )
    if growth.leaf_model != CONSTANT:
        _check_lines(table, growth)


def _check_lines(table: Table, growth: GrowSettings) -> None:
    """TreecoreError for settings that judge a tree with lines by one answer per leaf."""
    if table.classes and growth.leaf_shares != "counted":
        what = f"{LEAF_SHARES[growth.leaf_shares].label} estimates the class shares of leaves that have no lines"
        raise TreecoreError(what, where="leaf_shares", remedy="Choose: counted")
    if not criterion_of(table, growth).additive:
        what = (
            f"Lines in the leaves are fitted by squares, the splits are judged by {criterion_of(table, growth).label}"
        )
        raise TreecoreError(what, where="leaf_model", remedy="Grow by the squared error, or with one answer per leaf")
    if growth.patience:
        what = "Early stopping watches the errors of single answers while the tree grows, not those of lines"
        raise TreecoreError(what, where="patience", remedy="Set it to 0 and prune the tree, or grow without lines")


def _check_score(table: Table, growth: GrowSettings) -> None:
    """TreecoreError where score, target and kind of split do not fit together."""
    score = SPLIT_SCORES[growth.score]
    if table.task not in score.tasks:
        fitting = ", ".join(s.name for s in SPLIT_SCORES.values() if table.task in s.tasks)
        raise TreecoreError(
            f"{score.label} cannot judge the target {table.target!r}, whose values are {table.target_kind.held}",
            where="score",
            remedy="Choose one of: " + fitting,
        )
    own = MISSING_STRATEGIES[growth.missing].code == OWN_VALUE and any(c.n_missing for c in table.feature_columns)
    if score.by_times and own:
        raise TreecoreError(
            f"{score.label} compares rows whose value is known: a missing value cannot be one of its own",
            where="missing",
            remedy="Take surrogate splits, the larger branch, or another score",
        )
    if score.binary and growth.nominal == "multiway":
        raise TreecoreError(
            f"{score.label} is defined for two branches, one branch per level has more",
            where="nominal",
            remedy="Choose one of: " + ", ".join(n for n in NOMINAL_SPLITS if n != "multiway"),
        )
    if growth.cuts == "boundaries" and table.task != "classification":
        raise TreecoreError(
            "Cuts between neighbours of different class need a target with classes", where="cuts", remedy="Choose: all"
        )
