"""Stopping against pruning, in sentences."""

from treecore.experiments.horizon import Horizon
from treecore.explaining.lines import Line, Words
from treecore.figures import brief, count, p_value, percent, points

LEAST = 0.005
"""Differences of error rates below this are none."""
LEVEL = 0.05


def horizon_lines(found: Horizon) -> list[Line]:
    """Which of the two goes further and by how much, by which measure; behind which split the other one stopped."""
    told = percent if found.share else lambda value: brief(found.sign * value)
    a, b = found.best
    stopped = f"{told(found.stopped_error[a])} with {_leaves(found.stopped_leaves[a])}"
    pruned = f"{told(found.pruned_error[b])} with {_leaves(found.pruned_leaves[b])}"
    head = f"By {found.measure}, best of those stopped by any least gain: {stopped}; best of those pruned: {pruned}."
    return [Words(_said(found, float(found.pruned_error[b]))), Words(head)]


def _said(found: Horizon, least: float) -> str:
    matters = LEAST if found.share else 0.02 * abs(least)
    by = (points if found.share else brief)(abs(found.lost))
    if abs(found.lost) <= matters:
        return "Here both do as well: no split that gains much hides behind one that gains little."
    better = "pruning" if found.lost > 0 else "stopping"
    if not found.p < LEVEL:
        chance = f" (p = {p_value(found.p)})" if found.p == found.p else ""
        return f"Here {better} does better by {by}, which may be chance on these rows{chance}."
    if better == "stopping":
        return f"Here stopping does better, by {by}: no split hides another one."
    return (
        f"Here the horizon bites, by {by}: a split that gains little opens others that gain much, and who stops "
        "there never sees them, while who goes on there splits noise elsewhere, too."
    )


def _leaves(n: int) -> str:
    return "one leaf" if n == 1 else f"{count(int(n), ',')} leaves"
