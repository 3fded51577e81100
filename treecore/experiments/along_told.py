"""What a recipe along a scale comes to, in a sentence or two with their numbers."""

from math import inf

import numpy as np

from treecore.errors import TreecoreError
from treecore.experiments.curves import Along
from treecore.experiments.extrapolate import Outlook, outlook
from treecore.figures import brief, percent
from treecore.judging.measures import Measure

MOST_ALIKE = 0.9
"""A part of the repetitions, or of the trees, of which "nearly all" is said."""
HARDLY = 0.005, 0.02
"""Gains that are none: of shares in points, of other scores as a part of the score."""
FEW = 50
"""Rows that train, below which nothing is promised of more of them."""
SO_FEW = "So few rows say little of what more would do."
LONE = (
    "Nearly every tree here is a lone leaf and gives one answer to all rows, so there is little to see: prune less, "
    "say by a least number of rows in a leaf."
)


def carried_on(found: Along, measure: Measure) -> Outlook | None:
    """A learning curve carried on; None of another scale, where a score is missing, and of a profit without an end."""
    try:
        return outlook(found.at, found.score, best=measure.best) if found.of_rows and measure.best < inf else None
    except TreecoreError:
        return None


def along_told(found: Along, measure: Measure, scale: str) -> str:
    """What more rows, or ever more that is wrong, would do. scale : what the places are."""
    said = _rows_told(found, measure) if found.of_rows else _harm_told(found, measure, scale)
    return said + f" {LONE}" * bool((found.n_leaves == 1).mean() >= MOST_ALIKE)


def _rows_told(found: Along, measure: Measure) -> str:
    told, mean, ahead = _told(measure), found.score.mean(axis=1), carried_on(found, measure)
    half = int(abs(found.at - found.at[-1] / 2).argmin())
    said = f"{measure.label} of rows held back: {told(mean[-1])} with all {found.at[-1]:,.0f} rows, {told(mean[half])} "
    said += f"with {found.at[half]:,.0f}."
    if ahead is None:
        return said
    score, low, high = (told(float(v[-1])) for v in (ahead.score, ahead.low, ahead.high))
    then = f" Carried on as a power law to {ahead.at[-1]:,.0f} rows: {score} ({low} to {high})."
    return f"{_promise(ahead, measure) if found.at[-1] >= FEW else SO_FEW} {said}{then}"


def _promise(ahead: Outlook, measure: Measure) -> str:
    """Would more rows help?"""
    sign = 1 if measure.higher else -1
    gain = sign * float(ahead.score[-1] - ahead.score[0])
    least = HARDLY[0] if measure.percent else HARDLY[1] * abs(float(ahead.score[0]))
    if gain <= least:
        return "More rows like these would hardly help."
    sure = min(sign * float(end[-1] - ahead.score[0]) for end in (ahead.low, ahead.high)) > 0
    return "More rows like these should help." if sure else "More rows like these may help; it is not sure."


def _harm_told(found: Along, measure: Measure, scale: str) -> str:
    """The score at first, in the middle and at last; from where on it is worse."""
    told, mean, middle = _told(measure), found.score.mean(axis=1), len(found.at) // 2
    places = [f"{told(mean[i])} at {percent(found.at[i])}" for i in (0, middle, -1)]
    said = f"{measure.label} of rows held back: {', '.join(places)} ({scale})."
    i = harms_from(found, measure)
    if i is None:
        return f"{said} Nowhere are nine repetitions of ten worse than with {percent(found.at[0])}."
    more = f"{percent(found.at[i])} or {'more' if found.at[-1] > found.at[0] else 'less'}"
    return f"{said} With {more} at least nine repetitions of ten are worse than with {percent(found.at[0])}."


def harms_from(found: Along, measure: Measure) -> int | None:
    """The first place from which on nearly all repetitions score worse than they do at the first place."""
    off = found.score - found.score[0]
    worse = ((off < 0 if measure.higher else off > 0).mean(axis=1)) >= MOST_ALIKE
    last_good = np.flatnonzero(~worse)[-1]  # the first place is never worse than itself
    return None if last_good == len(worse) - 1 else int(last_good) + 1


def _told(measure: Measure):
    return percent if measure.percent else brief
