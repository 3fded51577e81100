"""What a tree remembers of the table it was grown from: names, kinds, levels and classes, never rows."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FeatureSchema:
    """One feature: its name, kind, and (unless numeric) its levels in declared order.

    fill : the number, or the index of the level, that stands in for a missing value; None for nothing.
    """

    name: str
    kind: str
    levels: tuple[str, ...] = ()
    fill: float | None = None

    @property
    def numeric(self) -> bool:
        return self.kind == "numeric"


@dataclass(frozen=True)
class Schema:
    """The features in the order the tree numbers them, and the target.

    classes : the target's levels; () for regression.
    precision : "float64", or "float32" when values are rounded to it before a threshold is applied.
    """

    features: tuple[FeatureSchema, ...]
    target: str
    classes: tuple[str, ...] = ()
    precision: str = "float64"

    @property
    def task(self) -> str:
        return "classification" if self.classes else "regression"

    def to_dict(self) -> dict:
        return {
            "features": [_feature_to_dict(f) for f in self.features],
            "target": self.target,
            "classes": list(self.classes),
            "precision": self.precision,
        }

    @classmethod
    def from_dict(cls, data: dict) -> "Schema":
        features = (FeatureSchema(f["name"], f["kind"], tuple(f["levels"]), f.get("fill")) for f in data["features"])
        return cls(tuple(features), data["target"], tuple(data["classes"]), data["precision"])


def _feature_to_dict(feature: FeatureSchema) -> dict:
    return {"name": feature.name, "kind": feature.kind, "levels": list(feature.levels), "fill": feature.fill}
