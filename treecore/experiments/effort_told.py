"""How many tests an answer takes, in a sentence and a table."""

from treecore.experiments.effort import Effort
from treecore.explaining.lines import Grid, Line, Words
from treecore.figures import brief, percent

MEANING = (
    "Fewest: the mean of Huffman's tree over the same leaves by their rows, were every test possible. Bound: the "
    "entropy of the leaves, which no tree goes below. Time: of one answer where all rows are asked at once."
)


def effort_lines(found: list[tuple[str, Effort, float]]) -> list[Line]:
    """(role, tests of its rows, seconds of one answer) -> what it comes to, and each role's numbers."""
    told = (
        ("tests, mean", lambda e, _: brief(e.mean)),
        ("most", lambda e, _: str(e.most)),
        ("fewest", lambda e, _: brief(e.fewest)),
        ("bound", lambda e, _: brief(e.bound)),
        ("time", lambda _, seconds: _time(seconds)),
    )
    rows = tuple((name, *(of(effort, seconds) for _, effort, seconds in found)) for name, of in told)
    return [Words(_said(*_judged(found))), Grid(("", *(role for role, _, _ in found)), rows), Words(MEANING)]


def _judged(found: list[tuple[str, Effort, float]]) -> tuple[str, Effort, float]:
    """Of rows held back if there are some."""
    of = {role: (role, effort, seconds) for role, effort, seconds in found}
    return next(of[role] for role in ("validation", "test", *of) if role in of)


def _said(role: str, of: Effort, seconds: float) -> str:
    if of.depth == 0:
        return "Your tree asks nothing: its one leaf answers every row."
    mean = f"{brief(of.mean)} test{'' if of.mean == 1 else 's'}"
    more = f", {percent(of.mean / of.fewest - 1)} more than" if of.mean > of.fewest > 0 else ", as many as"
    return (
        f"An answer takes {mean} on average ({role} rows){more} the {brief(of.fewest)} of the best "
        f"tree with the same leaves. The longest way, the depth, has {of.depth:,}; with all leaves at one depth it "
        f"would be {brief(of.balanced)}. Time: {_time(seconds)}."
    )


def _time(seconds: float) -> str:
    return f"{1e6 * seconds:.3g} µs"
