"""The size curve, small in the dock or large beside the tree: quality along the nested sequence, with the sizes that
rules choose."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.figures import brief, in_unit, percent
from treecore.judging.losses import OWN
from treecore.judging.measures import NAMES, OF_ORDER
from treecore.pruning import CrossValidated
from treecore.study.curves import SizeCurve

MOST_STEPS = 240
PLAYER = {
    "play": "▶ Play", "stop": "■ Stop",
    "play_title": "Branches fall as the price of a leaf rises, and come back; your tree stays as it is",
}  # fmt: skip
RULES = (
    ("least error", "least error in folds", "Smallest tree of least error"),
    ("1-SE", "smallest within 1 SE", "Smallest tree within one standard error of the least error"),
)
"""What marks of cross-validation's rules are called where there is little room, where there is more, and in a sentence;
by the standard errors that they allow."""
SIZES = {"leaves": "n_leaves", "nodes": "n_nodes", "depth": "depth"}
"""What can stand on the axis."""
LABELS = {
    "train": "training", "validation": "validation", "test": "test", "pruning": "pruning", "cross": "cross-validation",
}  # fmt: skip


MOST_HEADING = 26
"""Letters beside the lines of the dock."""
WIDE = 1e7
"""Numbers from here on have no room beside an axis, as those of Huber loss of prices."""


@dataclass(frozen=True, eq=False, repr=False)
class CurveDrawing(Brief):
    """How a size curve is drawn.

    measure : "accuracy", "r2" or "error", which is what the curve names; "" for the first that has a meaning.
    folds : the cross-validation whose rules are marked. words : more of them, by their names. unit : of the target's
    numbers.
    """

    found: SizeCurve
    measure: str = ""
    folds: CrossValidated | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""

    @cached_property
    def _quality(self) -> "_Quality":
        return _Quality(self.found, self.measure, self.unit)

    def small(self, chosen: int | None, drawn: dict | None = None) -> dict:
        """For the dock, with the step in force among those drawn. drawn : what `drawn` has made, where it is kept."""
        drawn = self.drawn() if drawn is None else drawn
        kept = [step["k"] for step in drawn["steps"]]
        if chosen is None or chosen in kept:
            return drawn | {"chosen": chosen}
        return self.drawn(chosen) | {"chosen": chosen}

    def large(self, chosen: int | None, size: str) -> dict:
        """The same as the picture of a page. size : on the axis, of SIZES."""
        result, quality, drawn = self.found, self._quality, self.small(chosen)
        at = getattr(result, SIZES[size])
        for step in drawn["steps"]:
            step["at"] = int(at[step["k"]])
        drawn["marks"] = [mark | {"text": mark["long"]} for mark in drawn["marks"]]
        words = drawn["words"] | {"quality": quality.axis(), "sizes": f"{size} of the pruned tree", **PLAYER}
        return drawn | {"even": size == "depth", "words": words}

    def drawn(self, always: int | None = None) -> dict:
        """What does not depend on the step in force. always : a step that is among those drawn."""
        result, quality, folds = self.found, self._quality, self.folds
        best, marks = result.best(), []
        if best is not None:
            title = f"Best on {result.judge} rows: {leaves(result, best)}"
            long = f"best on {result.judge}"
            marks.append({"name": "best", "text": "best", "long": long, "k": best, "title": title})
        if folds is not None:
            for errors, (text, long, what) in enumerate(RULES):
                k = folds.best(float(errors))
                title = f"{what} in cross-validation ({errors}-SE rule): {leaves(result, k)}"
                marks.append({"name": "rule", "text": text, "long": long, "k": k, "title": title})
        elif best is not None and result.judged is not None:
            k = result.judged.best(1.0)
            what, long = "Smallest tree within one standard error of the best", "smallest within 1 SE"
            title = f"{what} on {result.judge} rows (1-SE rule): {leaves(result, k)}"
            marks.append({"name": "rule", "text": "1-SE", "long": long, "k": k, "title": title})
        marks = _joined(marks)
        keep = _thinned(result, quality, {mark["k"] for mark in marks} | ({always} if always is not None else set()))
        lines = [
            {
                "name": role,
                "label": f"{LABELS[role]} {quality.told(values[0])}",
                "values": _rounded(values[keep]),
                "told": [f"{LABELS[role]} {quality.told(values[k])}" for k in keep],
            }
            for role, values in quality.lines.items()
        ]
        values = np.concatenate([[*line["values"]] for line in lines])
        low, high = float(values.min()), float(values.max())
        if quality.majority is not None:
            low, high = min(low, quality.majority), max(high, quality.majority)
        margin = 0.06 * (high - low) or 0.05
        return {
            "steps": [_step(result, quality, int(k)) for k in keep], "lines": lines, "marks": marks,
            "band": None if quality.band is None else [_rounded(pair) for pair in quality.band[keep]],
            "majority": quality.majority, "low": low - margin, "high": high + margin,
            "ticks": [[value, quality.tick(value)] for value in ticks(low, high)],
            "words": {
                "name": f"{quality.name} against leaves: drag to prune", "majority": quality.said(), **self.words,
            },
        }  # fmt: skip


def _joined(marks: list[dict]) -> list[dict]:
    """Marks of one size as one."""
    result: dict[int, dict] = {}
    for mark in marks:
        first = result.setdefault(mark["k"], mark)
        if first is not mark:
            first["text"] += f", {mark['text']}"
            first["long"] += f", {mark['long']}"
            first["title"] += f"; {mark['title']}"
    return list(result.values())


class _Quality:
    """What the curve shows of each role: accuracy, the share of variance explained, the mean profit, or a loss, of
    which less is better.

    measure : "accuracy", "r2" or "error", where the reader has chosen; else the first that has a meaning. Mean squared
    errors are drawn as their roots, which have the unit of the target."""

    def __init__(self, found: SizeCurve, measure: str = "", unit: str = ""):
        self.unit = ""
        first = next(iter(found.error))
        roles = {role: error for role, error in found.error.items() if np.isfinite(error).all()}
        self.percent, self.band, self.higher = True, None, True
        if measure == "accuracy" and found.accuracy and found.measure != "error rate":
            self.name, self.always = "Accuracy", "baseline"
            self.lines = {role: found.accuracy[role] for role in roles}
            self.majority = float(found.accuracy["validation" if "validation" in roles else first][-1])
        elif found.by in OF_ORDER:
            self.name, self.always, self.percent = (
                NAMES[found.by].capitalize(),
                "baseline",
                found.by == "captured",
            )
            judge = "validation" if "validation" in roles else first
            self.majority = 1 - float(found.baseline[judge])
            self.lines = {role: 1 - error for role, error in roles.items()}
            self._cross(found, lambda error: 1 - error)
        elif found.measure == "mean squared error" and found.by == OWN and measure != "error":
            self.name, self.always, self.majority = "R²", "baseline", 0.0
            scale = {role: found.baseline[role] or 1.0 for role in roles}
            self.lines = {role: 1 - error / scale[role] for role, error in roles.items()}
            self._cross(found, lambda error: 1 - error / (found.baseline[first] or 1.0))
        elif found.measure == "error rate" and measure != "error":
            self.name, self.always = "Accuracy", "baseline"
            judge = "validation" if "validation" in roles else first
            self.majority = 1 - float(found.baseline[judge])
            self.lines = {role: 1 - error for role, error in roles.items()}
            self._cross(found, lambda error: 1 - error)
        elif found.measure == "mean squared error":
            self.name, self.always, self.percent, self.higher, self.unit = "RMSE", "baseline", False, False, unit
            self.majority = math.sqrt(found.baseline["validation" if "validation" in roles else first])
            self.lines = {role: np.sqrt(error) for role, error in roles.items()}
            self._cross(found, lambda error: np.sqrt(np.maximum(error, 0.0)))
        else:
            self.name, self.always = found.measure.capitalize(), "baseline"
            self.percent = found.measure == "error rate"
            turned, self.higher = (-1, True) if found.of_profit else (1, False)
            judge = "validation" if "validation" in roles else first
            self.majority = turned * float(found.baseline[judge])
            self.lines = {role: turned * error for role, error in roles.items()}
            self._cross(found, lambda error: turned * error)
        if self.band is not None:
            self.lines["cross"] = self.band.mean(axis=1)

    def _cross(self, found: SizeCurve, turned) -> None:
        if found.cv_mean is not None:
            ends = turned(found.cv_mean + found.cv_error), turned(found.cv_mean - found.cv_error)
            self.band = np.sort(np.column_stack(ends), axis=1)

    def told(self, value: float) -> str:
        return percent(value) if self.percent else in_unit(brief(value), self.unit)

    def axis(self) -> str:
        """What the axis is called, and which end of it is better."""
        return f"{self.name} ({'higher' if self.higher else 'lower'} is better)"

    def heading(self, size: str) -> str:
        """What the figures of a tree of this size are: "Log loss at 2 leaves:"; without the size, or the measure, where
        both or even that are too long for the room beside the lines."""
        texts = f"{self.name} at {size}:", f"{self.name}:", f"at {size}:"
        return next(text for text in texts if len(text) <= MOST_HEADING or text is texts[-1])

    def said(self) -> str:
        """What always giving one answer is called, with its figure."""
        return (
            self.always
            if self.majority is None or (self.percent and self.majority == 0.0)
            else f"{self.always} {self.told(self.majority)}"
        )

    def tick(self, value: float) -> str:
        if not self.percent and abs(value) >= WIDE:
            return f"{value:.3g}"
        return f"{100 * value:g} %" if self.percent else in_unit(brief(value), self.unit)


def leaves(found: SizeCurve, k: int) -> str:
    """ "1 leaf", "1,204 leaves"."""
    n = int(found.n_leaves[k])
    return "1 leaf" if n == 1 else f"{n:,} leaves"


def _step(found: SizeCurve, quality: _Quality, k: int) -> dict:
    judged = [f"{LABELS[role]} {quality.told(values[k])}" for role, values in quality.lines.items()]
    size = leaves(found, k)
    main = next((role for role in ("validation", "cross", "train") if role in quality.lines), "train")
    return {
        "k": k, "leaves": int(found.n_leaves[k]), "at": int(found.n_leaves[k]),
        "spoken": ", ".join([size, *judged]),
        "text": f"{size} · {quality.told(quality.lines[main][k])}", "size": quality.heading(size),
    }  # fmt: skip


def _thinned(found: SizeCurve, quality: _Quality, always: set[int]) -> np.ndarray:
    """Steps that are drawn: of those that share a place, one; the first, the last and those with a mark always."""
    n = len(found)
    if n <= MOST_STEPS:
        return np.arange(n)
    places = np.log(found.n_leaves) / max(float(np.log(found.n_leaves[0])), 1e-9)
    _, first = np.unique(np.round(places * MOST_STEPS).astype(int), return_index=True)
    return np.array(sorted({0, n - 1, *first.tolist(), *always}))


def ticks(low: float, high: float) -> list[float]:
    """Round values between the two, at most six."""
    span = (high - low) or 0.1
    step = 10.0 ** math.floor(math.log10(span / 2))
    step = next((step * m for m in (1, 2, 5, 10, 20) if span / (step * m) <= 5), step * 20)
    first = math.ceil((low - 0.03 * span) / step)
    return [round(i * step, 12) for i in range(first, math.floor((high + 0.03 * span) / step) + 1)]


def _rounded(values) -> list[float]:
    return [round(float(value), 5) for value in values]
