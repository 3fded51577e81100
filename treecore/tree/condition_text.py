"""Conditions in words: "< 2.45", "{Some, Full}", "= Sunny or missing"."""

import math

import numpy as np

from treecore.kernels.codes import CUTS, LEVELS
from treecore.tree.schema import FeatureSchema
from treecore.tree.splits import Splits

MISSING = "missing"


def branch_text(feature: FeatureSchema, splits: Splits, entry: int, branch: int, missing: int | None = None) -> str:
    """The condition on `feature` for going down this branch of this split, without the feature's name.

    missing : the branch of missing values where they are a value of their own.
    """
    if splits.kind[entry] == LEVELS:
        known = _levels_text(feature, splits, entry, branch)
    else:
        known = _interval_text(feature, *limits_of(feature, splits, entry, branch), is_closed(feature, splits, entry))
    if branch != missing or known == MISSING:
        return known or "∈ {}"
    return f"{known} or {MISSING}" if known else f"= {MISSING}"


def condition_text(feature: FeatureSchema, splits: Splits, entry: int, branch: int, missing: int | None = None) -> str:
    """The same with the feature's name, as part of a rule."""
    text = branch_text(feature, splits, entry, branch, missing)
    if splits.kind[entry] == LEVELS:
        return f"{feature.name} {text}"
    if text in ("known", MISSING):
        return f"{feature.name} is {text}"
    low, high = limits_of(feature, splits, entry, branch)
    if not (math.isfinite(low) and math.isfinite(high)):
        return f"{feature.name} {text}"
    tail = f" or {MISSING}" if text.endswith(MISSING) else ""
    if not feature.by_number:
        return f"{feature.name} {'' if text.startswith('=') else 'from '}{text}"
    closed = is_closed(feature, splits, entry)
    below, above = ("<", "≤") if closed else ("≤", "<")
    lowest, highest = (feature.in_unit(feature.printed(limit, closed)) for limit in (low, high))
    return f"{lowest} {below} {feature.name} {above} {highest}{tail}"


def _levels_text(feature: FeatureSchema, splits: Splits, entry: int, branch: int) -> str:
    """'' for a branch that no level goes down."""
    levels = [feature.level_names[v] for v in np.flatnonzero(splits.levels(entry) == branch)]
    if not levels:
        return ""
    if len(levels) == 1:
        return levels[0] if feature.cuts is not None else f"= {levels[0]}"  # bins say "2 to 4"
    return "∈ {" + ", ".join(levels) + "}"


def _interval_text(feature: FeatureSchema, low: float, high: float, closed: bool) -> str:
    if low == math.inf:
        return MISSING
    if low == -math.inf and high == math.inf:
        return "known"
    return _numeric_text(feature, low, high, closed) if feature.by_number else _ordinal_text(feature, low, high)


def number_at(feature: FeatureSchema, threshold: float) -> float:
    """The threshold as a number: for bins the one between the two, as their levels' indices stand for it."""
    if feature.numeric or not math.isfinite(threshold):
        return threshold
    assert feature.cuts is not None
    return feature.cuts[int(min(max(math.floor(threshold), 0), len(feature.cuts) - 1))]


def is_closed(feature: FeatureSchema, splits: Splits, entry: int) -> bool:
    """Does a number equal to a threshold lie below it? Never with bins."""
    return bool(splits.closed[entry]) and (feature.numeric or feature.cuts is None)


def limits_of(feature: FeatureSchema, splits: Splits, entry: int, branch: int) -> tuple[float, float]:
    """The thresholds below and above a branch, infinite where there is none; (inf, inf): only missing values.

    Between indices of levels for an ordinal feature, but for bins of numbers.
    """
    if splits.kind[entry] == CUTS:
        cuts = splits.cuts[splits.cut_start[entry] : splits.cut_start[entry + 1]]
        place = branch
    else:
        cuts = splits.threshold[entry : entry + 1]
        place = int(branch != splits.low_branch[entry])
    limits = [-math.inf, *(float(cut) for cut in cuts), math.inf]
    if feature.by_number:
        limits = [number_at(feature, limit) for limit in limits]
    return limits[place], limits[place + 1]


def threshold_sides(feature: FeatureSchema, threshold: float, closed: bool, printed: str = "") -> tuple[str, str]:
    """The conditions on a feature on either side of a threshold: "< 2.5" and "≥ 2.5", "≤ short" and "≥ long".

    threshold : finite, as a split has it. closed : does a number equal to it lie below? printed : the number in print,
    where the feature does not know the threshold's gap.
    """
    if not feature.by_number:
        return _ordinal_text(feature, -math.inf, threshold), _ordinal_text(feature, threshold, math.inf)
    number, closed = number_at(feature, threshold), closed and feature.numeric
    return _numeric_sides(feature.in_unit(printed or feature.printed(number, closed)), closed)


def _numeric_sides(printed: str, closed: bool) -> tuple[str, str]:
    return f"{'≤' if closed else '<'} {printed}", f"{'>' if closed else '≥'} {printed}"


def _numeric_text(feature: FeatureSchema, low: float, high: float, closed: bool) -> str:
    below, above = (feature.in_unit(feature.printed(limit, closed)) for limit in (low, high))
    if low == -math.inf:
        return _numeric_sides(above, closed)[0]
    if high == math.inf:
        return _numeric_sides(below, closed)[1]
    if closed:  # "a to b" holds its lower end, as bins do
        return f"> {below}, ≤ {above}"
    return f"{below} to {above}"


def _ordinal_text(feature: FeatureSchema, low: float, high: float) -> str:
    """Ordinal cuts between level indices, in the levels' names."""
    if low == -math.inf:
        return "≤ " + feature.levels[int(np.floor(high))]
    first = feature.levels[int(np.floor(low)) + 1]
    if high == math.inf:
        return "≥ " + first
    last = feature.levels[int(np.floor(high))]
    return f"= {first}" if first == last else f"{first} to {last}"
