"""Numbers to bins: cut points learned from training rows, and columns binned by them.

A bin holds its lower edge and not its upper one: a value equal to a cut lies above it.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from treecore.data.column import Column, frozen
from treecore.data.gaps import NO_GAPS, Gaps
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import exact
from treecore.registry import Registry

MOST_BINS = 1000
TIE = 1e-10  # bits of entropy, or shares of the weight, that count as equal; the lowest cut wins
SIX = 6  # significant digits of a cut in a bin's name, if they part the values
MOST_NAMED = 8  # cuts that a note lists


def discretized(table: Table, names: Iterable[str], method: str, bins: int = 5) -> Table:
    """The table with these numeric features as ordinal columns, cut as the method learns from its rows.

    method : a name in BINNINGS. bins : how many, 2 to 1000, for the methods that take a number.
    Other rows must be cut alike: learn with `cut_points` from the training rows, then use `binned` on all.
    Raises TreecoreError for a column that is not numeric or is the target, and as `cut_points` does.
    """
    return binned(table, {name: cuts_of(table, name, method, bins) for name in names})


def cuts_of(table: Table, name: str, method: str, bins: int = 5) -> np.ndarray:
    """The thresholds that a method learns for one numeric feature from the table's rows; see `cut_points`.

    Raises TreecoreError for a column that is not numeric or is the target, and as `cut_points` does.
    """
    if name == table.target:
        raise TreecoreError("It is the target", where=f"Column {name!r}", remedy="Choose features only")
    return cut_points(_numeric(table, name).values(), table.weights, *classes_of(table), method, bins)


def classes_of(table: Table) -> tuple[np.ndarray | None, int]:
    """(int32 (n_rows,) class of every row, number of classes); (None, 0) without classes."""
    if table.target is None or table.task == "regression":
        return None, 0
    return table.target_column.codes, len(table.classes)


def binned(table: Table, cuts: Mapping[str, np.ndarray]) -> Table:
    """The table with these numeric columns as ordinal ones; missing stays missing, notes say the cuts.

    cuts : column name -> float64 ascending thresholds; k of them make k + 1 levels such as "2.45 to 4.9".
    A column without a cut gets a single level.
    Raises TreecoreError for a column that is not numeric, or thresholds that do not ascend.
    """
    new = {name: binned_column(_numeric(table, name), _checked_cuts(name, found)) for name, found in cuts.items()}
    notes = tuple(_note(column, cuts[name]) for name, column in new.items())
    return replace(table, columns=tuple(new.get(c.name, c) for c in table.columns), notes=(*table.notes, *notes))


def cut_points(
    values: np.ndarray, weights: np.ndarray | None, labels: np.ndarray | None, n_classes: int, method: str, bins: int
) -> np.ndarray:
    """Thresholds that part the values into bins: float64, ascending; empty when nothing is worth a cut.

    values : float64 (n_rows,), finite, or NaN for missing, which is ignored. weights : float64 (n_rows,) or None.
    labels : int (n_rows,), 0..n_classes-1 (any other number: no class), or None where the method needs no classes.
    Rows of weight 0 count for nothing. Raises TreecoreError for classes that are needed and not there, and for an
    impossible number of bins.
    """
    binning = BINNINGS[method]
    known = ~np.isnan(values)
    if weights is not None:
        known &= weights > 0
    if binning.needs_classes:
        if labels is None or n_classes == 0:
            raise TreecoreError(
                f"{binning.label} needs classes, and the target has none",
                where="Bins",
                remedy="Choose equal_width or equal_frequency, or a target with classes",
            )
        known &= (labels >= 0) & (labels < n_classes)
        groups, n_groups = labels[known].astype(np.int64), n_classes
    else:
        check_bins(bins)
        groups, n_groups = 0, 1
    distinct, code = np.unique(values[known], return_inverse=True)
    cells = np.bincount(
        code * n_groups + groups, None if weights is None else weights[known], minlength=len(distinct) * n_groups
    )
    return binning.cuts(distinct, cells.reshape(-1, n_groups).astype(np.float64), bins)


def _equal_width(distinct: np.ndarray, totals: np.ndarray, bins: int) -> np.ndarray:
    """Between the lowest and the highest value, at even distances; a bin may be empty."""
    if len(distinct) < 2:
        return np.empty(0)
    low, high = distinct[0], distinct[-1]
    cuts = 2 * np.linspace(low / 2, high / 2, bins + 1)[1:-1]  # halves: high - low may overflow
    return np.unique(cuts[(cuts > low) & (cuts <= high)])


def _equal_frequency(distinct: np.ndarray, totals: np.ndarray, bins: int) -> np.ndarray:
    """In the gap between two neighbouring values that is nearest to i / bins of the weight, i = 1..bins-1.

    Of two equally near gaps the lower one. Equal values never part, so cuts may coincide.
    """
    if len(distinct) < 2:
        return np.empty(0)
    weight = np.cumsum(totals.sum(axis=1))
    below, whole = weight[:-1], weight[-1]
    wanted = whole * np.arange(1, bins) / bins
    after = np.searchsorted(below, wanted)
    before, after = np.maximum(after - 1, 0), np.minimum(after, len(below) - 1)
    lower = wanted - below[before] <= below[after] - wanted + TIE * whole
    gaps = np.unique(np.where(lower, before, after))
    return _between(distinct[gaps], distinct[gaps + 1])


def _entropy_mdl(distinct: np.ndarray, totals: np.ndarray, bins: int) -> np.ndarray:
    """Recursive cuts of least entropy, each accepted by the MDL criterion; weights count as rows.

    Source: Fayyad and Irani (1993), Multi-interval discretization of continuous-valued attributes.
    """
    below = np.vstack([np.zeros(totals.shape[1]), np.cumsum(totals, axis=0)])
    gaps, todo = [], [(0, len(distinct))]
    while todo:
        start, stop = todo.pop()
        gap = _accepted_gap(below[start : stop + 1])
        if gap is not None:
            gaps.append(start + gap)
            todo += [(start, start + gap), (start + gap, stop)]
    upper = np.sort(np.array(gaps, dtype=np.int64))
    return _between(distinct[upper - 1], distinct[upper])


def _accepted_gap(below: np.ndarray) -> int | None:
    """How many of the distinct values lie below the best cut; None where the criterion refuses it.

    below : float64 (n_distinct + 1, n_classes), class weights below every distinct value and below all of them.
    With n the weight, k the number of classes present in a part and E its entropy, a cut into parts 1 and 2 is
    accepted when  gain > (log2(n - 1) + log2(3^k - 2) - k E + k1 E1 + k2 E2) / n.
    """
    if len(below) < 3:
        return None
    whole = below[-1] - below[0]
    low, high = below[1:-1] - below[0], below[-1] - below[1:-1]
    n, n_low, n_high = whole.sum(), low.sum(axis=1), high.sum(axis=1)
    entropy_low, entropy_high, entropy = _entropy(low), _entropy(high), float(_entropy(whole))
    inside = (n_low * entropy_low + n_high * entropy_high) / n
    best = int(np.argmax(inside <= inside.min() + TIE))
    k, k_low, k_high = (int(np.count_nonzero(part)) for part in (whole, low[best], high[best]))
    text = math.log2(3**k - 2) - (k * entropy - k_low * entropy_low[best] - k_high * entropy_high[best])
    needed = (math.log2(max(n - 1, 1)) + text) / n
    return best + 1 if entropy - inside[best] > needed else None


def _entropy(totals: np.ndarray) -> np.ndarray:
    """Bits, along the last axis (the classes)."""
    share = totals / totals.sum(axis=-1, keepdims=True)
    return -(share * np.log2(np.where(share > 0, share, 1))).sum(axis=-1)


def _between(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The mid-points; the upper value where rounding would give the lower, which must stay below the cut."""
    middle = low / 2 + high / 2
    return np.where(middle <= low, high, middle)


def check_bins(bins: int) -> None:
    """TreecoreError unless it is a number of bins that is possible."""
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or not 2 <= bins <= MOST_BINS:
        remedy = f"Give a whole number from 2 to {MOST_BINS}"
        raise TreecoreError(f"{bins!r} bins are not possible", where="Bins", remedy=remedy)


def _numeric(table: Table, name: str) -> Column:
    column = table.column(name)
    if column.kind != "numeric":
        raise TreecoreError(
            f"It is {column.kind}, and only numbers can be put in bins",
            where=f"Column {name!r}",
            remedy="Leave it as it is, or make it numeric",
        )
    return column


def _checked_cuts(name: str, cuts: np.ndarray) -> np.ndarray:
    cuts = np.asarray(cuts, dtype=np.float64)
    if cuts.ndim != 1 or not np.isfinite(cuts).all() or (np.diff(cuts) <= 0).any():
        remedy = "Give finite numbers in ascending order, each once"
        raise TreecoreError("Its cut points do not ascend", where=f"Column {name!r}", remedy=remedy)
    return cuts


def binned_column(column: Column, cuts: np.ndarray) -> Column:
    """A numeric column as an ordinal one whose levels are the bins between ascending thresholds."""
    gaps = gaps_of_cuts(column, cuts)
    levels = bin_names(cuts, gaps)
    bin_of = np.append(np.searchsorted(cuts, column.numbers, side="right"), len(levels)).astype(np.int32)
    fill = None if column.fill is None else float(np.searchsorted(cuts, column.fill, side="right"))
    result = tuple(float(cut) for cut in cuts)
    codes = frozen(bin_of[column.codes])
    return Column(column.name, "ordinal", codes, levels=levels, fill=fill, cuts=result, gaps=gaps)


def gaps_of_cuts(column: Column, cuts: np.ndarray) -> Gaps:
    """Between which of a numeric column's values its cuts lie; none is looked for where codes are found on demand."""
    if not column.lists_values:
        return column.gaps
    cuts = np.array(cuts, np.float64)
    return Gaps.between(column.numbers, cuts, np.zeros(len(cuts), bool))


def bin_names(cuts: np.ndarray, gaps: Gaps = NO_GAPS) -> tuple[str, ...]:
    """The bins between ascending thresholds in words: "< 2.45", "2.45 to 4.9", "≥ 4.9"."""
    if len(cuts) == 0:
        return ("all values",)
    texts = _texts(cuts, gaps)
    inner = (f"{low} to {high}" for low, high in itertools.pairwise(texts))
    return (f"< {texts[0]}", *inner, f"≥ {texts[-1]}")


def _texts(cuts: np.ndarray, gaps: Gaps) -> list[str]:
    """The numbers with six significant digits, or as many more as tell them apart and lie in their gaps."""
    for digits in range(SIX, 18):
        texts = [f"{cut:.{digits}g}" for cut in cuts.tolist()]
        if len(set(texts)) == len(texts):
            break
    return [_parting(gaps, cut, text) for cut, text in zip(cuts.tolist(), texts, strict=True)]


def _parting(gaps: Gaps, cut: float, text: str) -> str:
    """The text of a cut if it parts the values as the cut does; else one that does."""
    gap = gaps.around(cut, closed=False)
    if gap is None:
        return text if float(text) == cut else exact(cut)
    return text if float(text) in gap else exact(gap.decimal(cut, SIX))


def _note(column: Column, cuts: np.ndarray) -> str:
    name = column.name
    if len(cuts) == 0:
        return f"{name}: no cut was found, so all its values share one level."
    more = f" and {len(cuts) - MOST_NAMED} more places" if len(cuts) > MOST_NAMED else ""
    named = ", ".join(_texts(np.asarray(cuts), column.gaps)[:MOST_NAMED])
    return f"{name}: put in {len(cuts) + 1} bins, cut at {named}{more}."


@dataclass(frozen=True)
class Binning:
    """A way to find cut points. cuts : (distinct float64 (m,), class weights float64 (m, n), bins) -> thresholds."""

    name: str
    label: str
    note: str
    cuts: Callable[[np.ndarray, np.ndarray, int], np.ndarray]
    needs_classes: bool = False


BINNINGS: Registry[Binning] = Registry(
    "binning",
    Binning("equal_width", "Equal width", "All bins are equally wide; some may be empty.", _equal_width),
    Binning(
        "equal_frequency",
        "Equal frequency",
        "All bins hold about the same weight; equal values share a bin, so there may be fewer bins.",
        _equal_frequency,
    ),
    Binning(
        "entropy_mdl",
        "Entropy with MDL",
        "Cuts that part the classes best, as long as the description gets shorter; finds the number of bins itself.",
        _entropy_mdl,
        needs_classes=True,
    ),
)
