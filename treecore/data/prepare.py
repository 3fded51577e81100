"""What happens to the rows before growing: missing values are filled or left out, then numbers are put in bins.

Everything is learned from the training rows as they are then; the rows of other roles are put in the same bins, and
their missing values stay: in prediction the tree puts `Column.fill` in their place.
"""

from collections.abc import Iterable, Mapping
from numbers import Integral

import numpy as np

from treecore.data.discretize import BINNINGS, binned, check_bins, cuts_of
from treecore.data.fill import filled
from treecore.data.table import Table
from treecore.errors import TreecoreError

BINS = 5
"""How many there are where nothing else is asked for."""
OTHERS = ""
"""Stands in place of a name for every numeric feature without bins of its own."""
Bins = tuple[tuple[str, str, int], ...]


def prepare(
    train: Table, *others: Table, missing: str = "none", limit: float = 0.7, bins: str | Iterable = ()
) -> tuple[Table, ...]:
    """The training rows as trees shall see them, and the rows of other roles with the same features and bins.

    missing, limit : see data.filled. bins : (feature, method, number of bins) triples, where the feature "" stands for
    all other numeric ones, or the name of a method in BINNINGS for all of them, in 5 bins.
    Raises TreecoreError as `filled` and `discretized` do. A feature that was left out needs no bins.
    """
    made = filled(train, missing, limit)
    cuts = _cuts(made, checked_bins(bins), known=train.features)
    parts = (other.with_features(made.features) for other in others)
    return tuple(binned(table, cuts) if cuts else table for table in (made, *parts))


def _cuts(train: Table, bins: Bins, known: tuple[str, ...]) -> Mapping[str, np.ndarray]:
    """Thresholds of every feature that is put in bins. known : features before any was left out."""
    named = {feature: (method, n) for feature, method, n in bins}
    numeric = [c.name for c in train.feature_columns if c.kind == "numeric"]
    everywhere = {name: named[OTHERS] for name in numeric} if OTHERS in named else {}
    left_out = {OTHERS, *(set(known) - set(train.features))}
    wanted = everywhere | {name: how for name, how in named.items() if name not in left_out}
    return {name: cuts_of(train, name, *how) for name, how in wanted.items()}


def checked_bins(bins: str | Iterable) -> Bins:
    """The triples in order of the features; TreecoreError for what is none, or a feature named twice."""
    try:
        given = ((OTHERS, bins, BINS),) if isinstance(bins, str) else tuple(bins)
        triples = tuple(_triple(*entry) for entry in given)
    except TypeError:
        remedy = 'Give (feature, method, number of bins) triples, such as ("age", "equal_width", 5)'
        raise TreecoreError(f"{bins!r} is not possible", where="bins", remedy=remedy) from None
    names = [name for name, *_ in triples]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        what = f"The feature {twice!r} is" if twice else "All other features are"
        raise TreecoreError(f"{what} put in bins twice", where="bins", remedy="Name each feature once")
    return tuple(sorted(triples))


def _triple(feature: str, method: str, n: int) -> tuple[str, str, int]:
    if not isinstance(feature, str) or (isinstance(n, float) and not n.is_integer()):
        raise TypeError
    BINNINGS[method]
    n = int(n) if isinstance(n, Integral | float) and not isinstance(n, bool) else n
    check_bins(n)
    return feature, method, n
