"""A number inside a span that people would name: as near as can be said with few digits."""

import math

from treecore.predicting.boxes import Span

SLACK = 0.02
"""A number of fewer digits may lie further inside by this share of the way, or of the span."""
MOST_DECIMALS = 15


def nice_number(span: Span, value: float | None, whole: bool = False) -> float | None:
    """The number of the span nearest to `value`; None where a span of whole numbers has none.

    value : None for any. The limit itself where it belongs to the span, else one of few digits behind it.
    """
    if whole:
        return _whole(span, value)
    if value is None:
        value = some_number(span)
    if span.holds(value):
        return value
    rising = value <= span.low
    edge, belongs = (span.low, span.low_in) if rising else (span.high, span.high_in)
    if belongs:
        return edge
    room = (span.high - span.low) / 2
    slack = min(SLACK * max(abs(edge - value), abs(edge) * 1e-3), room) if math.isfinite(room) else (
        SLACK * max(abs(edge - value), abs(edge) * 1e-3))  # fmt: skip
    for decimals in range(-max(0, math.floor(math.log10(abs(edge) or 1.0))), MOST_DECIMALS + 1):
        near = _next(edge, decimals, rising)
        if span.holds(near) and abs(near - edge) <= slack:
            return near
    near = math.nextafter(edge, math.inf if rising else -math.inf)
    return near if span.holds(near) else None


def _next(edge: float, decimals: int, rising: bool) -> float:
    """The first number of so many decimals beyond the edge."""
    unit = 10.0**-decimals
    step = math.floor(edge / unit) + 1 if rising else math.ceil(edge / unit) - 1
    return round(step * unit, max(decimals, 0))


def _whole(span: Span, value: float | None) -> float | None:
    start = some_number(span) if value is None else value
    if start <= span.low:
        near = math.floor(span.low) + 1 if not span.low_in else math.ceil(span.low)
    elif start >= span.high:
        near = math.ceil(span.high) - 1 if not span.high_in else math.floor(span.high)
    else:
        near = min((math.floor(start), math.ceil(start)), key=lambda n: (not span.holds(n), abs(n - start)))
    return float(near) if span.holds(float(near)) else None


def some_number(span: Span) -> float:
    """Some number to start from: 0 if it belongs, else near the finite limit."""
    if span.holds(0.0):
        return 0.0
    return span.low if span.low > -math.inf and span.low >= 0 else span.high
