"""Which features matter, and what one of them does, in a sentence with its numbers."""

import numpy as np

from treecore.brief import visible
from treecore.experiments.importances import RANDOM_NUMBER, RANDOM_WORD, Importances
from treecore.experiments.partial import Partial
from treecore.figures import brief, in_unit, number, percent, points
from treecore.judging.measures import Measure

MOST_NAMED = 5


def importance_told(found: Importances, kind: str, measure: Measure) -> str:
    """What the bars of this kind come to. kind : "mixed", "without", "gain" or "chance", as of the picture."""
    if kind in ("mixed", "without") and not np.isfinite(found.score):
        return f"{measure.label} has no value on these rows."
    return {"mixed": _mixed, "without": _without, "gain": _gain, "chance": _chance}[kind](found, measure)


def _mixed(found: Importances, measure: Measure) -> str:
    top = int(found.mixed.argmax())
    if not found.mixed[top] > 0:
        return "No feature counts on these rows: with any one's values mixed up the answers are as good."
    nothing = [n for n, m, sd in zip(found.names, found.mixed, found.mixed_sd, strict=True) if m <= sd]
    said = f"{visible(found.names[top])} counts most: with its values mixed up, {_worse(found.mixed[top], measure)}."
    return said + (f" {_of(nothing, found.names)} no more than the draws vary." if nothing else "")


def _without(found: Importances, measure: Measure) -> str:
    top = int(found.without.argmax())
    if not found.without[top] > 0:
        return "No feature is missed: grown without any one, the tree does as well or better."
    idle = [n for n, w in zip(found.names, found.without, strict=True) if w <= 0]
    said = f"{visible(found.names[top])} is missed most: grown without it, {_worse(found.without[top], measure)}."
    return said + (f" {_of(idle, found.names, 'is', 'are')} not missed." if idle else "")


def _gain(found: Importances, _: Measure) -> str:
    top = int(found.gain.argmax())
    if not found.gain[top] > 0:
        return "Your tree asks for nothing."
    return f"{visible(found.names[top])} makes {percent(float(found.gain[top]))} of the gains of the tree's splits."


def _chance(found: Importances, _: Measure) -> str:
    if not found.with_random:
        return "This algorithm cannot take the two columns of chance."
    word, of_number = (found.with_random.get(name, 0.0) for name in (RANDOM_WORD, RANDOM_NUMBER))
    said = f"Though they mean nothing, {RANDOM_WORD} makes {percent(word)} of the gains and {RANDOM_NUMBER} "
    said += f"{percent(of_number)}."
    below = [n for n in found.names if found.with_random.get(n, 0.0) <= max(word, of_number)]
    return said + (f" {_of(below, found.names)} no more than the larger of them." if below else "")


def _worse(by: float, measure: Measure) -> str:
    return f"{measure.label} is {points(by) if measure.percent else brief(by)} worse"


def _of(names: list[str], among: tuple[str, ...], does: str = "counts", do: str = "count") -> str:
    """ "3 of 8 features (a, b, c) count". does, do : the verb of one and of several."""
    shown = ", ".join(map(visible, names[:MOST_NAMED])) + (", …" if len(names) > MOST_NAMED else "")
    if len(among) == 1:
        return f"The only feature ({shown}) {does}"
    return f"{len(names):,} of {len(among):,} features ({shown}) {do if len(names) > 1 else does}"


def partial_told(found: Partial, target: str, share: bool) -> str:
    """The least and the greatest mean answer, and where they are.

    target : what is answered. share : is it the share of a class?
    """
    told, name = percent if share else lambda value: in_unit(brief(value), found.unit), visible(found.name)
    low, high = int(found.mean.argmin()), int(found.mean.argmax())
    if not found.mean[high] - found.mean[low] > 1e-9 * max(1.0, abs(found.mean[high])):
        return f"{name} changes no mean answer: {visible(target)} is {told(float(found.mean[low]))} everywhere."
    ends = [f"{told(float(found.mean[i]))} where {name} {_place(found, i)}" for i in (low, high)]
    said = f"The mean answer ({visible(target)}) goes from {ends[0]} to {ends[1]}."
    steps = np.diff(found.mean)
    if found.levels or len(steps) < 2:
        return said
    way = "rises" if (steps >= 0).all() else "falls" if (steps <= 0).all() else ""
    return said + (f" It never {'falls' if way == 'rises' else 'rises'} as {name} grows." if way else "")


def _place(found: Partial, i: int) -> str:
    if found.levels:
        return f"is {visible(found.levels[i])}"
    others = np.flatnonzero(found.mean != found.mean[i])  # pieces beside it may answer the same
    first, last = int(others[others < i].max(initial=-1)) + 1, int(others[others > i].min(initial=len(found.mean)))
    low, high = (in_unit(number(float(found.edges[i])), found.of_feature) for i in (first, last))
    if first == 0:
        return f"is below {high}"
    return f"is above {low}" if last == len(found.mean) else f"is from {low} to {high}"
