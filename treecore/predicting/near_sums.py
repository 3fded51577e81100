"""The cheapest numbers by which weighted sums come to lie in their spans."""

from collections.abc import Iterator
from itertools import product

from treecore.predicting.boxes import Span
from treecore.predicting.limits import Limits
from treecore.predicting.sum_program import NARROW, WIDE, Moved, Summed, SumProgram

DEARER = 0.02
"""Numbers of few digits may cost more than the least by this share, and ten times WIDE."""


def moved_of(feature: int, name: str, value, spans: tuple[Span, ...], limits: Limits) -> Moved:
    """One feature of sums, with all it may come to; it may also stay where it could not come to.

    value : number, None for unknown, or a bin's name, which has no place among numbers. spans : where it may lie.
    """
    known, whole = value if isinstance(value, float) else None, name in limits.whole
    allowed = limits.allowed(name, known)
    found = () if name in limits.locked else tuple(span for s in spans if not (span := s.meet(allowed)).empty)
    stays = known is not None and any(s.holds(known) for s in spans)
    if stays and ((whole and not known.is_integer()) or not any(s.holds(known) for s in found)):
        found = (*found, Span(known, known, True, True))
    scale, cost = limits.scale.get(name, 1.0), limits.costs.get(name, 1.0)
    return Moved(feature, known, found, 1.0 if whole else scale, cost / scale if whole and known is not None else cost,
                 whole)  # fmt: skip


def nearest(moved: list[Moved], sums: list[Summed]) -> Iterator[tuple[float, dict[int, float]]]:
    """(the least price, numbers by feature that come near to it) for every choice of spans; () where none will do.

    Spans that do not meet are tried one by one. The same price comes with several numbers, those of few digits first.
    """
    features = [one.feature for one in moved]
    for spans in product(*(one.spans for one in moved), *(one.spans for one in sums)):
        program = SumProgram(tuple(moved), tuple(sums), spans[: len(moved)], spans[len(moved) :])
        (price, _), (_, close), (wide_price, wide) = map(program.solved, (0.0, NARROW, WIDE))
        if close is None:
            continue
        found = [close]
        if wide is not None and wide_price <= price * (1 + DEARER) + 10 * WIDE:
            found = [program.with_few_digits(wide), wide, close]
        yield from ((price, dict(zip(features, numbers.tolist(), strict=True))) for numbers in found)
