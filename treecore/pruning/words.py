"""The verdicts of pruners in few words: for the diagram's stubs, and for tables of many nodes."""

import math

from treecore.pruning.cuts import CUT, KEEP, RAISED, Reason

WORDS = {KEEP: "keep", CUT: "cut", RAISED: "raised"}


def compared(reason: Reason) -> str:
    """The deciding number against its threshold, "2.3 ≤ 4.1"; '' where no number decided."""
    a, b = reason.number, reason.threshold
    if math.isnan(a):
        return ""
    if math.isnan(b):
        return short(a)
    sign = "≤" if a <= b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) else ">"
    told = next((pair for digits in (4, 6, 9) if _differ(pair := (short(a, digits), short(b, digits)))), None)
    left, right = told or (short(a), short(b))
    return f"{left} {sign} {right}"


def _differ(pair: tuple[str, str]) -> bool:
    return pair[0] != pair[1]


def short(value: float, digits: int = 4) -> str:
    """A number in a few digits; "∞" and "–" for infinite and missing ones."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.{digits}g}".replace("-", "−")


def stub_lines(reason: Reason | None) -> tuple[str, ...]:
    """Method and number of a verdict, such as ("reduced error", "3 ≤ 4"); () without a reason."""
    if reason is None:
        return ()
    return tuple(line for line in (reason.method, compared(reason)) if line)
