"""Tests on one feature, as frozen columns: the primary splits of the nodes, or their surrogates."""

from dataclasses import dataclass, fields

import numpy as np

from treecore.kernels.codes import LEAF, STAYS


@dataclass(frozen=True, eq=False)
class Splits:
    """One test per entry; all arrays are read-only and have one entry per test unless said otherwise.

    kind : int8, LEAF, THRESHOLD or LEVELS.
    feature : int32, index into the schema's features, -1 at a leaf.
    threshold : float64; an ordinal feature is cut between the indices of its levels.
    closed : bool, the low side is x <= threshold (J48, scikit-learn) instead of x < threshold (rpart).
    low_branch : int8, the branch that gets the low side.
    level_start : int64 (n + 1,), where each entry's levels begin in `level_branch`.
    level_branch : int32 (sum of levels,), the branch of every level; -1 for one not seen at the node.
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

    def __post_init__(self):
        for field in fields(self):
            array = np.ascontiguousarray(getattr(self, field.name), _DTYPES[field.name])
            array.flags.writeable = False
            object.__setattr__(self, field.name, array)

    def __len__(self) -> int:
        return len(self.kind)

    def levels(self, entry: int) -> np.ndarray:
        """The branch of every level of this entry's feature (empty unless kind is LEVELS)."""
        return self.level_branch[self.level_start[entry] : self.level_start[entry + 1]]

    def take(self, entries) -> "Splits":
        """The same tests, in this order."""
        parts = [self.levels(i) for i in entries]
        per_entry = {f.name: getattr(self, f.name)[entries] for f in fields(self) if "level" not in f.name}
        return Splits(
            **per_entry,
            level_start=np.concatenate([[0], np.cumsum([len(p) for p in parts])]),
            level_branch=np.concatenate([np.empty(0, np.int32), *parts]),
        )

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
    def from_dict(cls, data: dict) -> "Splits":
        read = {"threshold": lambda values: [np.nan if v is None else v for v in values]}
        return cls(**{f.name: read.get(f.name, lambda v: v)(data[f.name]) for f in fields(cls)})


_DTYPES = {
    "kind": np.int8, "feature": np.int32, "threshold": np.float64, "closed": np.bool_, "low_branch": np.int8,
    "level_start": np.int64, "level_branch": np.int32, "missing_branch": np.int32, "unseen_branch": np.int32,
}  # fmt: skip


def plain(array: np.ndarray) -> list:
    """JSON has no NaN: None stands for it."""
    if array.dtype.kind == "f":
        return [None if np.isnan(v) else v for v in array.tolist()]
    return array.tolist()


def no_splits() -> Splits:
    """A table without entries, for trees without surrogates."""
    return Splits(
        **{name: np.zeros(1 if name == "level_start" else 0, dtype) for name, dtype in _DTYPES.items()}
    )
