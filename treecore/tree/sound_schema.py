"""Names, kinds and levels from outside: what conditions and routes take for granted."""

import sys

import numpy as np

from treecore.tree.plain_columns import names_of, wrong
from treecore.tree.schema import FeatureSchema, Schema

KINDS = ("numeric", "ordinal", "nominal", "boolean")


def check_schema(schema: Schema) -> None:
    """TreecoreError saying what is wrong with the schema of a saved tree."""
    names_of("target", [schema.target])
    if schema.precision not in ("float64", "float32"):
        raise wrong("precision", f"{schema.precision!r} is none")
    names_of("features", [feature.name for feature in schema.features])
    for feature in schema.features:
        _check_feature(feature)


def _check_feature(feature: FeatureSchema) -> None:
    where = f"feature {feature.name!r}"
    if feature.kind not in KINDS:
        raise wrong(where, f"There is no kind {feature.kind!r}")
    if feature.numeric and feature.levels:
        raise wrong(where, "A numeric feature has no levels")
    if feature.cuts is not None:
        _check_cuts(where, feature)
    if feature.fill is not None:
        _check_fill(where, feature)


def _check_cuts(where: str, feature: FeatureSchema) -> None:
    if feature.kind not in ("numeric", "ordinal"):
        raise wrong(where, f"A {feature.kind} feature has no bins")
    cuts = np.array(feature.cuts)
    if not (np.isfinite(cuts).all() and (np.diff(cuts) > 0).all()):
        raise wrong(where, "The cuts between bins do not ascend")
    if not feature.numeric and len(cuts) + 1 != len(feature.levels):
        raise wrong(where, f"{len(cuts)} cuts do not make {len(feature.levels)} bins")


def _check_fill(where: str, feature: FeatureSchema) -> None:
    fill = feature.fill
    is_number = type(fill) in (int, float) and abs(fill) <= sys.float_info.max
    if not is_number or not (feature.numeric or (fill == int(fill) and 0 <= fill < len(feature.levels))):
        raise wrong(where, f"{fill!r} cannot stand in for a missing value")
