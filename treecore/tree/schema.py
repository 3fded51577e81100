"""What a tree remembers of the table it was grown from: names, kinds, levels and classes, never rows."""

from dataclasses import asdict, dataclass, field

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CRITERIA
from treecore.criteria.row_losses import PinballLoss, RowLoss
from treecore.data.discretize import bin_names
from treecore.data.gaps import NO_GAPS, Gaps
from treecore.data.number_reading import unit_in
from treecore.figures import in_unit
from treecore.target import CountedTarget, CountTarget, EffectTarget, SurvivalTarget, Target, target_of
from treecore.target.counts import is_shrinkage
from treecore.target.effects import is_least
from treecore.tree.splits import column_of, names_of, saved_tree_error

LONGEST_UNIT = 40


@dataclass(frozen=True)
class FeatureSchema:
    """One feature: its name, kind, and (unless numeric) its levels in declared order.

    fill : the number, or the index of the level, that stands in for a missing value; None for nothing.
    cuts : ascending thresholds between bins, None where there are no bins; a number equal to one lies above it. Of an
        ordinal feature, its levels are the bins, and rows may have the raw numbers instead; of a numeric one, it
        branches by them.
    terms : of a weighted sum of other features, their names and weights: a threshold on it is an oblique split. Rows
        need not have it, as it is computed from these. () for a feature of its own.
    gaps : between which values of the table the thresholds on it lie, so that they can be printed with few digits. No
        part of what was learned: they are not compared, and saved beside the tree.
    unit : what stands beside its numbers in the file, and in print beside a threshold; not compared either.
    """

    name: str
    kind: str
    levels: tuple[str, ...] = ()
    fill: float | None = None
    cuts: tuple[float, ...] | None = None
    terms: tuple[tuple[str, float], ...] = ()
    gaps: Gaps = field(default=NO_GAPS, compare=False, repr=False)
    unit: str = field(default="", compare=False)

    @property
    def numeric(self) -> bool:
        return self.kind == "numeric"

    @property
    def by_number(self) -> bool:
        """Is it a number to people: numeric, or in bins of numbers?"""
        return self.numeric or self.cuts is not None

    @property
    def branches_by_bins(self) -> bool:
        """Does a split of it part its numbers into all of the bins at once?"""
        return self.numeric and self.cuts is not None

    def printed(self, threshold: float, closed: bool = False) -> str:
        """A threshold on it in print. closed : a number equal to the threshold is on the low side."""
        return self.gaps.printed(threshold, closed)

    def in_unit(self, printed: str) -> str:
        """A number of it in print with its unit, which its own name need not have in it."""
        return in_unit(printed, self.unit)

    def with_gaps(self, gaps: Gaps) -> "FeatureSchema":
        """The same feature, which knows these gaps; dataclasses.replace takes four times as long, for every tree."""
        made = object.__new__(FeatureSchema)
        made.__dict__.update(self.__dict__, gaps=gaps)
        return made

    @property
    def level_names(self) -> tuple[str, ...]:
        """The levels, or the bins by which a numeric feature branches."""
        return bin_names(np.array(self.cuts), self.gaps) if self.branches_by_bins else self.levels


@dataclass(frozen=True, repr=False)
class Schema(Brief):
    """The features in the order the tree numbers them, and the target.

    classes : the target's levels; () for regression.
    precision : "float64", or "float32" when values are rounded to it before a threshold is applied.
    counts : how a target of two columns is taken, counts, survival times or effects; None for another.
    class_names : what people call the classes, in their order; () where they are called by their own values. Answers,
        code and what is saved have the values.
    row_loss : the loss of single rows that a tree of numbers was grown by, and is pruned and judged by, where it is
        not the squared error; else None.
    unit : what stands beside the numbers of the target in the file; no part of what was learned, and not compared.
    """

    features: tuple[FeatureSchema, ...]
    target: str
    classes: tuple[str, ...] = ()
    precision: str = "float64"
    class_names: tuple[str, ...] = ()
    counts: CountedTarget | None = None
    unit: str = field(default="", compare=False)
    row_loss: RowLoss | None = None

    @property
    def target_unit(self) -> str:
        """The unit of predicted numbers: of the values, else of the target's name; "" for none, and for classes."""
        return "" if self.classes or self.counts is not None else self.unit or unit_in(self.target)

    @property
    def own(self) -> tuple[int, ...]:
        """Indices of the features that rows have themselves; the others are weighted sums of these."""
        return tuple(f for f, feature in enumerate(self.features) if not feature.terms)

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names of the features that rows have themselves."""
        return tuple(self.features[f].name for f in self.own)

    @property
    def target_kind(self) -> Target:
        """What a tree counts of such a target, answers and loses, and how it says so."""
        return self.counts or target_of(self.classes, self.row_loss)

    @property
    def task(self) -> str:
        return self.target_kind.task

    def to_dict(self) -> dict:
        data = {
            "features": [_feature_to_dict(f) for f in self.features],
            "target": self.target,
            "classes": list(self.classes),
            "precision": self.precision,
        }
        if self.counts is not None:
            text = asdict(self.counts)
            data["counts"] = {name: list(value) if isinstance(value, tuple) else value for name, value in text.items()}
        if self.unit:
            data["unit"] = self.unit
        if self.row_loss is not None:
            data["row_loss"] = {"name": self.row_loss.name} | asdict(self.row_loss)
        return data | {"class_names": list(self.class_names)} if self.class_names else data

    @classmethod
    def from_dict(cls, data: dict) -> "Schema":
        features = tuple(_feature_from_dict(f) for f in data["features"])
        named = names_of("class_names", data.get("class_names", []))
        counts = _counts_of(data["counts"]) if "counts" in data else None
        classes = names_of("classes", data["classes"])
        unit, row_loss = _unit_of(data.get("unit", "")), _row_loss_of(data["row_loss"]) if "row_loss" in data else None
        return cls(features, data["target"], classes, data["precision"], named, counts, unit, row_loss)


def _unit_of(text: str) -> str:
    if not isinstance(text, str) or len(text) > LONGEST_UNIT:
        raise saved_tree_error("unit", f"{text!r} is no unit")
    return text


def _row_loss_of(data: dict) -> RowLoss:
    """The loss of single rows; TreecoreError for what is none."""
    made = next((c.row_loss for c in CRITERIA.values() if c.row_loss is not None and c.name == data["name"]), None)
    if made is not None and not made.parameter:
        return made()
    value = None if made is None else data[made.parameter]
    number = type(value) in (int, float) and 0 < value < (1 if made is PinballLoss else np.inf)
    if not number:
        raise saved_tree_error("row_loss", f"{data!r} describes no loss")
    return made(float(value))


def _effect_of(data: dict) -> EffectTarget:
    """The kind of a target of effects; TreecoreError for what is none."""
    texts = [data[name] for name in ("treatment", "control", "treated")]
    known = all(isinstance(text, str) for text in texts) and type(data["shares"]) is bool and is_least(data["min_rows"])
    numbers = [data[name] for name in ("mean", "share")]
    known = known and all(type(value) in (int, float) and np.isfinite(value) for value in numbers)
    if not known or not 0.0 < data["share"] < 1.0 or texts[1] == texts[2]:
        raise saved_tree_error("counts", f"{data!r} describes no treatment")
    return EffectTarget(*texts, data["shares"], data["min_rows"], *map(float, numbers))


def _counts_of(data: dict) -> CountedTarget:
    """The kind of a target of two columns; TreecoreError for what is none."""
    if "treatment" in data:
        return _effect_of(data)
    exposure, shrink = data["exposure"], data["shrink"]
    if not isinstance(exposure, str) or type(shrink) not in (int, float) or not is_shrinkage(shrink):
        raise saved_tree_error("counts", f"{data!r} describes no counts")
    if "hazard" not in data:
        return CountTarget(exposure, float(shrink))
    times, hazard = (np.array(data[name], np.float64) for name in ("times", "hazard"))
    rises = all(len(x) > 1 and np.isfinite(x).all() and x[0] == 0 and (np.diff(x) >= 0).all() for x in (times, hazard))
    if not rises or times.shape != hazard.shape or len(times) > 10_000:
        raise saved_tree_error("counts", "Its hazard does not rise from 0 with the times")
    return SurvivalTarget(exposure, float(shrink), tuple(times.tolist()), tuple(hazard.tolist()))


def _feature_to_dict(feature: FeatureSchema) -> dict:
    data = {"name": feature.name, "kind": feature.kind, "levels": list(feature.levels), "fill": feature.fill}
    data |= {"cuts": None if feature.cuts is None else list(feature.cuts)}
    data |= {"unit": feature.unit} if feature.unit else {}
    return data | {"terms": [list(term) for term in feature.terms]} if feature.terms else data


def _feature_from_dict(data: dict) -> FeatureSchema:
    cuts = data.get("cuts")
    cuts = None if cuts is None else tuple(column_of("cuts", cuts, np.float64).tolist())
    terms = tuple((name, weight) for name, weight in data.get("terms", ()))
    levels, unit = names_of("levels", data["levels"]), _unit_of(data.get("unit", ""))
    return FeatureSchema(data["name"], data["kind"], levels, data.get("fill"), cuts, terms, unit=unit)
