"""The nearest value of one feature that lies in a box, and its price."""

from treecore.predicting.boxes import Span
from treecore.predicting.limits import Limits
from treecore.predicting.nice import nice_number


def number_near(name: str, value, spans: tuple[Span, ...], limits: Limits) -> tuple[float, float] | None:
    """(the number, its price) nearest to the value in any of the spans; a bin's name has no place among numbers."""
    known = isinstance(value, float)
    if known and any(span.holds(value) for span in spans):
        return value, 0.0
    if name in limits.locked:
        return None
    allowed, found = limits.allowed(name, value if known else None), []
    for span in (s.meet(allowed) for s in spans):
        near = None if span.empty else nice_number(span, value if known else None, name in limits.whole)
        if near is not None:
            edge = near if not known or name in limits.whole else max(span.low, min(span.high, value))
            found.append((abs(edge - value) / limits.scale.get(name, 1.0) if known else 1.0, near))
    price, near = min(found, default=(0.0, None))
    return None if near is None else (near, price)


def level_near(feature, value, names: frozenset[str], limits: Limits) -> tuple[str, float] | None:
    """(the level, its price) nearest to the value; the first of equals."""
    if value in names:
        return value, 0.0
    if feature.name in limits.locked:
        return None
    order = {name: i for i, name in enumerate(feature.levels)}
    ordered = feature.kind == "ordinal" and value in order
    way = limits.one_way.get(feature.name) if ordered else None
    found = []
    for name in sorted(names, key=order.__getitem__):
        passed = order[name] - order[value] if ordered else 0
        if way is None or (passed > 0) == (way == "up"):
            found.append((abs(passed) / max(len(order) - 1, 1) if ordered else 1.0, order[name], name))
    if not found:
        return None
    price, _, name = min(found)
    return name, price
