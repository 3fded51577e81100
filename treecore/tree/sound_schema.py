"""Names, kinds and levels from outside: what conditions and routes take for granted."""

import sys

import numpy as np

from treecore.errors import TreecoreError
from treecore.tree.plain_columns import names_of, wrong
from treecore.tree.schema import FeatureSchema, Schema

KINDS = ("numeric", "ordinal", "nominal", "boolean")


def check_schema(schema: Schema) -> None:
    """TreecoreError saying what is wrong with the schema of a saved tree."""
    names_of("target", [schema.target])
    if schema.precision not in ("float64", "float32"):
        raise wrong("precision", f"{schema.precision!r} is none")
    if schema.class_names:
        check_class_names(schema.classes, schema.class_names)
    if schema.counts is not None and schema.classes:
        raise wrong("counts", "A target of classes is no target of counts")
    names_of("features", [feature.name for feature in schema.features])
    numbers = {feature.name for feature in schema.features if feature.numeric and not feature.terms}
    for feature in schema.features:
        _check_feature(feature)
        if feature.terms:
            _check_terms(feature, numbers)


def check_class_names(classes: tuple[str, ...], names: tuple[str, ...]) -> None:
    """TreecoreError for names that could be taken for another class."""
    if len(names) != len(classes):
        raise wrong("class_names", f"There are {len(classes)} classes")
    for k, name in enumerate(names):
        if not name.strip() or name in (*names[:k], *names[k + 1 :], *classes[:k], *classes[k + 1 :]):
            raise TreecoreError(
                f"{name!r} cannot be the name of {classes[k]!r}",
                where="class names",
                remedy="Give every class a name of its own, which is no other class's value",
            )


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


def _check_terms(feature: FeatureSchema, numbers: set[str]) -> None:
    """A weighted sum is of numeric features that are no sums, each once. numbers : the names of those."""
    where = f"feature {feature.name!r}"
    if not feature.numeric or feature.cuts is not None or feature.fill is not None:
        raise wrong(where, "A weighted sum is a number without bins and stand-ins")
    names = [name for name, _ in feature.terms]
    if not all(isinstance(name, str) and name in numbers for name in names) or len(set(names)) < len(names):
        raise wrong(where, "It is no sum of numeric features, each once")
    if not all(type(w) in (int, float) and 0 < abs(w) <= sys.float_info.max for _, w in feature.terms):
        raise wrong(where, "A weight in it is 0 or no number")


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
