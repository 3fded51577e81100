"""Stopping against pruning, and the tests that answers take, in sentences and tables."""

from treecore.experiments.effort import Effort
from treecore.experiments.horizon import Horizon
from treecore.explaining.lines import Grid, Line, Words
from treecore.figures import brief, count, percent

LEAST = 0.005
"""Differences of error rates below this are none."""


def horizon_lines(found: Horizon, share: bool) -> list[Line]:
    """Which of the two goes further, and the split behind which the other one stopped."""
    told = percent if share else brief
    a, b = int(found.stopped_error.argmin()), int(found.pruned_error.argmin())
    stopped = f"{told(found.stopped_error[a])} with {_leaves(found.stopped_leaves[a])}"
    pruned = f"{told(found.pruned_error[b])} with {_leaves(found.pruned_leaves[b])}"
    head = f"Best of those stopped by any least gain: {stopped}; best of those pruned: {pruned}."
    matters = LEAST if share else 0.02 * abs(float(found.pruned_error[b]))
    if found.lost > matters:
        said = (
            "Here the horizon bites: a split that gains little opens others that gain much, and who stops there never "
        )
        said += "sees them, while who goes on there splits noise elsewhere, too."
    elif found.lost < -matters:
        said = "Here stopping does as well or better: no split hides another one."
    else:
        said = "Here both do as well: no split that gains much hides behind one that gains little."
    return [Words(head), Words(said)]


def effort_lines(found: list[tuple[str, Effort, float]]) -> list[Line]:
    """(role, tests of its rows, seconds of one answer) -> a table and what its columns mean."""
    rows = tuple(
        (role, brief(e.mean), str(e.most), brief(e.fewest), brief(e.bound), f"{1e6 * seconds:.3g} µs")
        for role, e, seconds in found
    )
    first = found[0][1]
    words = (
        f"Depth {first.depth}; with all leaves at one depth it were {brief(first.balanced)} tests. Fewest: the mean of "
        "Huffman's tree over the same leaves by their rows, were every test possible. Bound: the entropy of the "
        "leaves. Time: of one answer where all rows are asked at once."
    )
    return [Grid(("rows", "tests, mean", "most", "fewest", "bound", "time"), rows), Words(words)]


def _leaves(n: int) -> str:
    return "one leaf" if n == 1 else f"{count(int(n), ',')} leaves"
