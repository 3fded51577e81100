"""The features that are not on a picture, held at stated values."""

from collections.abc import Mapping
from math import nan

import numpy as np

from treecore.data.level_index import level_index
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.evaluation.axes import Axis, feature_index
from treecore.figures import number
from treecore.tree.oblique import own_parts
from treecore.tree.schema import FeatureSchema
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix


def default_fixed(tree: Tree, table: Table) -> dict[str, float | str | None]:
    """A typical value of every feature: the median or the most frequent level of the table's rows.

    Give it the training rows. None (missing) for a feature without any known value.
    """
    features = [tree.schema.features[f] for f in tree.schema.own]
    matrix = value_matrix(tree.schema, np.array(tree.schema.own, np.int64), table)
    return {feature.name: _typical(feature, values) for feature, values in zip(features, matrix, strict=True)}


def _typical(feature: FeatureSchema, values: np.ndarray) -> float | str | None:
    known = values[values >= 0] if not feature.numeric else values[~np.isnan(values)]
    if not len(known):
        return None
    return float(np.median(known)) if feature.numeric else feature.levels[np.bincount(known.astype(int)).argmax()]


def fixed_codes(tree: Tree, axes: tuple[Axis, ...], fixed: Mapping[str, object]) -> list[float]:
    """The fixed values as routing reads them, one per feature: numbers, level indices, NaN where missing, and for
    weighted sums, which follow from the others.

    Raises TreecoreError for a feature the tree tests that is neither an axis nor fixed, or for an unknown level.
    """
    tests = [tree.splits.feature[~tree.is_leaf], tree.surrogates.feature]
    tested = own_parts(tree.schema, np.unique(np.concatenate(tests)).tolist())
    tested -= {feature_index(tree, axis.name) for axis in axes}
    codes = [nan] * len(tree.schema.features)
    for f in tested:
        feature = tree.schema.features[f]
        if feature.name not in fixed:
            remedy = "Give it a value, or None for missing; default_fixed() gives typical ones"
            raise TreecoreError("It is neither an axis nor fixed", where=f"Feature {feature.name!r}", remedy=remedy)
        codes[f] = _code(feature, fixed[feature.name], tree.schema.precision)
    return codes


def _code(feature: FeatureSchema, value, precision: str) -> float:
    if value is None or value != value:
        return nan
    if feature.numeric:
        try:
            return float(np.float32(value)) if precision == "float32" else float(value)
        except (TypeError, ValueError):
            remedy = "Give a number, or None for missing"
            where = f"Feature {feature.name!r}"
            raise TreecoreError(f"{value!r} is not a number", where=where, remedy=remedy) from None
    place = level_index(feature.levels).place(value)
    if place < 0:
        remedy = "Its levels are: " + ", ".join(map(repr, feature.levels[:12]))
        raise TreecoreError(f"There is no level {value!r}", where=f"Feature {feature.name!r}", remedy=remedy)
    return float(place)


def fixed_words(tree: Tree, axes: tuple[Axis, ...], fixed: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """(feature, value in words) of every feature the tree tests that is no axis."""
    tested = own_parts(tree.schema, np.unique(tree.splits.feature[~tree.is_leaf]).tolist())
    names = [tree.schema.features[f].name for f in sorted(tested)]
    shown = {axis.name for axis in axes}
    return tuple((name, _words(fixed[name])) for name in names if name not in shown)


def _words(value) -> str:
    if value is None or value != value:
        return "missing"
    return value if isinstance(value, str) else number(float(value))
