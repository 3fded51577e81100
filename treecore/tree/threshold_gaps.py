"""The gaps of a tree's thresholds: between which of a table's values they lie, also those that no training row has."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TypeVar

import numpy as np

from treecore.data.column import Column
from treecore.data.gaps import FLOAT32, MOST_DIGITS, NO_GAPS, Gaps
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.kernels.codes import CUTS, THRESHOLD
from treecore.tree.columns import TreeColumns
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.splits import Splits, column_of, plain, saved_tree_error
from treecore.tree.values import before_rounding

AnyTree = TypeVar("AnyTree", bound=TreeColumns)
FEW_VALUES = 4096
"""So many values of a feature may a tree keep in memory until its gaps are asked for; no other part of the table."""


def with_gaps(
    schema: Schema,
    columns: Sequence[Column],
    tests: Sequence[Splits],
    beside: Mapping[int, tuple[float, float]] | None = None,
) -> Schema:
    """The schema, whose features know the gaps of the thresholds that these tests ask for.

    columns : of the features, with the encoding that all roles share: what is printed is then true of every row of the
    table. A column that does not list its values is not searched for them. beside : of nodes, which have the first of
    the tests, the values on either side of a threshold on such a column.

    Of columns of few values they are searched for when they are asked for: that takes a tenth of growing a small tree,
    and few trees are printed.
    """
    features, result = list(schema.features), _Thresholds(tests)
    for f in result.features:
        feature, column = features[f], columns[f]
        if beside and not column.lists_values:
            gaps = _gaps_by_node(tests[0], f, beside)
        elif column.lists_values and _may_be_held(column.distinct):
            make = partial(_between_few, result, f, column.distinct, feature, schema.precision)
            gaps = Gaps.when_asked(make)
        else:
            threshold, closed = result.of(f)
            gaps = gaps_between(schema, feature, column, threshold, closed) if len(threshold) else feature.gaps
        features[f] = feature.with_gaps(gaps)
    return replace(schema, features=tuple(features))


def with_gaps_of(schema: Schema, table: Table, tests: Sequence[Splits]) -> Schema:
    """The schema of a tree from elsewhere, whose gaps end at the values of these rows, too.

    What is printed is then true of every row of the table, and of those that the gaps are known to part already.
    """
    features, result = list(schema.features), _Thresholds(tests)
    for f in result.features:
        feature = features[f]
        column = table.column(feature.name) if feature.numeric and feature.name in table.column_names else None
        if column is None or feature.terms or column.kind != "numeric" or not column.lists_values:
            continue
        gaps = _between(column.numbers, feature.fill, schema.precision, *result.of(f))
        pairs = zip(gaps.threshold.tolist(), gaps.closed.tolist(), strict=True)
        known = [feature.gaps.known(*pair) for pair in pairs]
        low = np.array([-np.inf if gap is None else gap.low for gap in known])
        high = np.array([np.inf if gap is None else gap.high for gap in known])
        features[f] = feature.with_gaps(replace(gaps, low=np.maximum(gaps.low, low), high=np.minimum(gaps.high, high)))
    return replace(schema, features=tuple(features))


def _may_be_held(values: np.ndarray) -> bool:
    """Few values, in memory of their own, that stay as they are?"""
    return len(values) <= FEW_VALUES and values.base is None and not values.flags.writeable


def _between_few(found: "_Thresholds", f: int, values: np.ndarray, feature: FeatureSchema, precision: str) -> Gaps:
    threshold, closed = found.of(f)
    return _between(values, feature.fill, precision, threshold, closed) if len(threshold) else feature.gaps


class _Thresholds:
    """The thresholds that tests ask for, by feature.

    features : indices of those that are asked for by numbers, in order.
    """

    def __init__(self, tests: Sequence[Splits]):
        self._tests = tests
        asked = (splits.feature[(splits.kind == THRESHOLD) | (splits.kind == CUTS)].tolist() for splits in tests)
        self.features = sorted(set(itertools.chain.from_iterable(asked)))

    def of(self, f: int) -> tuple[np.ndarray, np.ndarray]:
        """(threshold, closed) of all finite ones on a feature."""
        feature, threshold, closed = self._all
        a, b = feature.searchsorted((f, f + 1))
        return threshold[a:b], closed[a:b]

    @cached_property
    def _all(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return _thresholds(self._tests)


def _thresholds(tests: Sequence[Splits]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(feature, threshold, closed) of all finite thresholds, one feature after the other."""
    result = []
    for splits in tests:
        single = np.flatnonzero(splits.kind == THRESHOLD)
        result.append((splits.feature[single], splits.threshold[single], splits.closed[single]))
        if len(splits.cuts):
            owner = np.repeat(np.arange(len(splits)), np.diff(splits.cut_start))
            result.append((splits.feature[owner], splits.cuts, splits.closed[owner]))
    feature, threshold, closed = result[0] if len(result) == 1 else map(np.concatenate, zip(*result, strict=True))
    order = np.argsort(feature, kind="stable")
    order = order[np.isfinite(threshold[order])]
    return feature[order], threshold[order], closed[order]


def gaps_between(
    schema: Schema, feature: FeatureSchema, column: Column, threshold: np.ndarray, closed: np.ndarray
) -> Gaps:
    """Between all the values of a feature's column and what stands in for a missing one; what is known of the feature
    where the column does not list its values.

    threshold : float64 (k,). closed : bool (k,).
    """
    if not column.lists_values:
        return feature.gaps
    return _between(column.numbers, feature.fill, schema.precision, threshold, closed)


def _between(values: np.ndarray, fill: float | None, precision: str, threshold: np.ndarray, closed: np.ndarray) -> Gaps:
    values = values if fill is None else np.union1d(values, fill)
    if precision == "float64":
        return Gaps.between(values, threshold, closed)
    result = Gaps.between(values, threshold, closed, before_rounding(threshold, closed))
    with np.errstate(over="ignore"):  # a number of the gap parts the values as they are, and as the tree rounds them
        low, high = (ends.astype(np.float32).astype(np.float64) for ends in (result.low, result.high))
    return replace(result, low=np.maximum(result.low, low), high=np.minimum(result.high, high))


def with_value(schema: Schema, feature: FeatureSchema, value: float) -> FeatureSchema:
    """The feature with gaps that end at a value, so that what is printed beside the value is true of it, too."""
    gaps = feature.gaps
    place = np.float64(np.float32(value)) if schema.precision == "float32" else value
    is_low = np.where(gaps.closed, place <= gaps.threshold, place < gaps.threshold)
    low, high = (
        np.where(is_low, np.maximum(gaps.low, value), gaps.low),
        np.where(is_low, gaps.high, np.minimum(gaps.high, value)),
    )
    return replace(feature, gaps=replace(gaps, low=low, high=high))


def _gaps_by_node(splits: Splits, f: int, beside: Mapping[int, tuple[float, float]]) -> Gaps:
    """Of the nodes that ask for a feature; of nodes with equal thresholds, what is left to all of them."""
    result: dict[tuple[float, bool], tuple[float, float]] = {}
    for node, (low, high) in beside.items():
        key = float(splits.threshold[node]), bool(splits.closed[node])
        if splits.feature[node] == f:
            ends = result.get(key, (low, high))
            result[key] = max(low, ends[0]), min(high, ends[1])
    keys, limits = (np.array(list(of), np.float64).reshape(-1, 2) for of in (result, result.values()))
    return Gaps(keys[:, 0], keys[:, 1] > 0, *limits.T.copy())


def with_rounded_thresholds(tree: AnyTree, digits: int | None) -> AnyTree:
    """The tree with other thresholds in the same gaps; see Tree.rounded."""
    if digits is not None and (
        isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MOST_DIGITS
    ):
        raise TreecoreError(
            f"A threshold cannot have {digits!r} digits",
            where="digits",
            remedy=f"Give a number from 1 to {MOST_DIGITS}",
        )
    features = tuple(_rounded_feature(feature, digits) for feature in tree.schema.features)
    schema, old = replace(tree.schema, features=features), tree.schema
    splits, surrogates = (_rounded_splits(old, tests, digits) for tests in (tree.splits, tree.surrogates))
    return replace(tree, schema=schema, splits=splits, surrogates=surrogates)


def _rounded_feature(feature: FeatureSchema, digits: int | None) -> FeatureSchema:
    """Its gaps are those of the new thresholds; bins have them for edges."""
    gaps = feature.gaps
    if not feature.numeric or not len(gaps.threshold):
        return feature
    cuts = feature.cuts and tuple(gaps.rounded(cut, False, digits) for cut in feature.cuts)
    pairs = zip(gaps.threshold.tolist(), gaps.closed.tolist(), strict=True)
    new = np.array([gaps.rounded(threshold, closed, digits) for threshold, closed in pairs])
    return replace(feature, cuts=cuts, gaps=replace(gaps, threshold=new))


def _rounded_splits(schema: Schema, tests: Splits, digits: int | None) -> Splits:
    """schema : with the gaps of the thresholds as they are in the tests."""

    def rounded(numbers: np.ndarray, entries: np.ndarray) -> np.ndarray:
        of = zip(numbers.tolist(), tests.feature[entries].tolist(), tests.closed[entries].tolist(), strict=True)
        return np.array(
            [schema.features[f].gaps.rounded(x, closed, digits) if f in numeric else x for x, f, closed in of]
        )

    numeric = {f for f, feature in enumerate(schema.features) if feature.numeric}
    owner = np.repeat(np.arange(len(tests)), np.diff(tests.cut_start))
    threshold, cuts = rounded(tests.threshold, np.arange(len(tests))), rounded(tests.cuts, owner)
    return replace(tests, threshold=threshold, cuts=cuts)


def gaps_to_dict(schema: Schema) -> dict:
    """As JSON values: the gaps of each feature that knows some, by its name."""
    return {
        f.name: {column: plain(getattr(f.gaps, column)) for column in _SAVED}
        for f in schema.features if len(f.gaps.threshold)
    }  # fmt: skip


def with_saved_gaps(schema: Schema, saved) -> Schema:
    """The schema with what gaps_to_dict wrote; TreecoreError for anything else. Of numbers that are rounded to 32 bits
    some gaps are known in any case."""
    if not isinstance(saved, dict) or not saved.keys() <= {f.name for f in schema.features if f.by_number}:
        raise saved_tree_error("gaps", "They are not of its numeric features")
    unknown = FLOAT32 if schema.precision == "float32" else NO_GAPS
    features = (
        replace(f, gaps=_saved_gaps(schema, f.name, saved[f.name])) if f.name in saved
        else replace(f, gaps=unknown) if f.numeric else f
        for f in schema.features
    )  # fmt: skip
    return replace(schema, features=tuple(features))


_SAVED = {"threshold": np.float64, "closed": np.bool_, "low": np.float64, "high": np.float64}


def _saved_gaps(schema: Schema, name: str, saved) -> Gaps:
    where = f"gaps of {name!r}"
    if not isinstance(saved, dict) or saved.keys() != _SAVED.keys():
        raise saved_tree_error(where, f"They are not columns of {', '.join(_SAVED)}")
    gaps = Gaps(*(column_of(where, saved[column], kind) for column, kind in _SAVED.items()))
    if len({len(getattr(gaps, column)) for column in _SAVED}) > 1:
        raise saved_tree_error(where, "The columns differ in length")
    low, high = gaps.low, gaps.high
    if schema.precision == "float32":
        with np.errstate(over="ignore"):
            low, high = low.astype(np.float32), high.astype(np.float32)
    t = gaps.threshold
    inside = np.where(gaps.closed, (low <= t) & (t < high), (low < t) & (t <= high)) & (gaps.low < gaps.high)
    if not inside.all():
        raise saved_tree_error(where, f"The threshold {t[np.argmin(inside)]} does not lie in its gap")
    return gaps
