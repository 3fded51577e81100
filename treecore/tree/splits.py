"""Tests on one feature, as frozen columns: the primary splits of the nodes, or their surrogates."""

from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np

from treecore.data.column import frozen
from treecore.kernels.codes import LEAF, STAYS
from treecore.tree.plain_columns import column_of


@dataclass(frozen=True, eq=False)
class Splits:
    """One test per entry; all arrays are read-only and have one entry per test unless said otherwise.

    kind : int8, LEAF, THRESHOLD, LEVELS or CUTS.
    feature : int32, index into the schema's features, -1 at a leaf.
    threshold : float64; an ordinal feature is cut between the indices of its levels; infinite: known values take
        the low side, missing ones the other.
    closed : bool, the low side is x <= threshold (J48, scikit-learn) instead of x < threshold (rpart).
    low_branch : int8, the branch that gets the low side.
    level_start : int64 (n + 1,), where each entry's levels begin in `level_branch`.
    level_branch : int32 (sum of levels,), the branch of every level; -1 for one not seen at the node.
    cut_start, cuts : the ascending thresholds of entry i are cuts[cut_start[i]:cut_start[i + 1]], for kind CUTS;
        branch b lies above b of them; above an infinite one there are missing values only.
    missing_branch, unseen_branch : int32, where a missing value and an unseen level go: a branch's
        number, STAYS or SHARED. Surrogates, if the node has any, are asked first.
    """

    kind: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    closed: np.ndarray
    low_branch: np.ndarray
    level_start: np.ndarray
    level_branch: np.ndarray
    missing_branch: np.ndarray
    unseen_branch: np.ndarray
    cut_start: np.ndarray | None = None
    cuts: np.ndarray | None = None

    def __post_init__(self):
        if self.cuts is None:
            object.__setattr__(self, "cut_start", np.zeros(len(self.kind) + 1))
            object.__setattr__(self, "cuts", np.zeros(0))
        freeze_columns(vars(self), _DTYPES)

    def __len__(self) -> int:
        return len(self.kind)

    def levels(self, entry: int) -> np.ndarray:
        """The branch of every level of this entry's feature (empty unless kind is LEVELS)."""
        return self.level_branch[self.level_start[entry] : self.level_start[entry + 1]]

    def take(self, entries) -> "Splits":
        """The same tests, in this order."""
        entries = np.asarray(entries, np.int64)
        per_entry = {f.name: getattr(self, f.name)[entries] for f in fields(self) if f.name not in _LISTS}
        level_start, level_branch = _taken(self.level_start, self.level_branch, entries)
        cut_start, cuts = _taken(self.cut_start, self.cuts, entries)
        return Splits(**per_entry, level_start=level_start, level_branch=level_branch, cut_start=cut_start, cuts=cuts)

    def without(self, entries: np.ndarray) -> "Splits":
        """The same columns with these entries (bool mask) turned into leaves; their levels stay unused."""
        changes = {
            "kind": LEAF,
            "feature": -1,
            "threshold": np.nan,
            "missing_branch": STAYS,
            "unseen_branch": STAYS,
        }
        columns = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, value in changes.items():
            columns[name] = np.where(entries, value, columns[name])
        return Splits(**columns)

    def to_dict(self) -> dict:
        return {f.name: plain(getattr(self, f.name)) for f in fields(self)}

    @classmethod
    def from_dict(cls, data: dict, where: str = "splits") -> "Splits":
        """What to_dict wrote. where : what messages call it."""
        return cls(**{name: column_of(f"{where}.{name}", data[name], dtype) for name, dtype in _DTYPES.items()})


_DTYPES = {
    "kind": np.int8, "feature": np.int32, "threshold": np.float64, "closed": np.bool_, "low_branch": np.int8,
    "level_start": np.int64, "level_branch": np.int32, "missing_branch": np.int32, "unseen_branch": np.int32,
    "cut_start": np.int64, "cuts": np.float64,
}  # fmt: skip
_LISTS = ("level_start", "level_branch", "cut_start", "cuts")


def freeze_columns(columns: dict, dtypes: dict) -> None:
    """Give these columns, unless they are None, their types and make them read-only."""
    for name, dtype in dtypes.items():
        if columns[name] is not None:
            columns[name] = frozen(np.ascontiguousarray(columns[name], dtype))


def _taken(start: np.ndarray, items: np.ndarray, entries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lists of these entries, one behind the other: (where each begins, the items)."""
    parts = [items[start[i] : start[i + 1]] for i in entries]
    return np.concatenate([[0], np.cumsum([len(p) for p in parts])]), np.concatenate([items[:0], *parts])


def plain(array: np.ndarray) -> list:
    """JSON has no NaN and no infinity: None and "inf" stand for them."""
    if array.dtype.kind == "f":
        return [None if np.isnan(v) else str(v) if np.isinf(v) else v for v in array.tolist()]
    return array.tolist()


@lru_cache(maxsize=1)
def no_splits() -> Splits:
    """A table without entries, for trees without surrogates."""
    return Splits(**{name: np.zeros(int(name.endswith("_start")), dtype) for name, dtype in _DTYPES.items()})
