"""Tests on one feature, as frozen columns: the primary splits of the nodes, or their surrogates."""

from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import chain

import numpy as np

from treecore.brief import DERIVED, Brief
from treecore.data.column import frozen
from treecore.errors import TreecoreError
from treecore.kernels.codes import LEAF, STAYS


def ranges(first: np.ndarray, n: np.ndarray) -> np.ndarray:
    """int64 (n.sum(),): first[i], first[i] + 1, ..., n[i] numbers for every i. first, n : whole numbers, (k,)."""
    n = np.asarray(n, np.int64)
    return np.arange(n.sum()) + np.repeat(first - np.cumsum(n) + n, n)


# Plain lists of a file as columns of a tree: nothing is rounded, cut off or guessed on the way.

NOT_FINITE = {"inf": np.inf, "-inf": -np.inf, None: np.nan}
"""What stands in a file for the numbers that JSON does not have."""


def saved_tree_error(where: str, what: str) -> TreecoreError:
    """The error for a saved tree that is none. where : the column. what : its fault."""
    return TreecoreError(what, where=f"Saved tree, {where}", remedy="Load what `to_dict` wrote")


def column_of(where: str, values, dtype: type, n_dimensions: int = 1) -> np.ndarray:
    """The values as an array of this type; TreecoreError for any that the type does not hold as it is."""
    rows = _list(where, values)
    flat = rows if n_dimensions == 1 else list(chain.from_iterable(_list(where, row) for row in rows))
    array = _array(where, flat, np.dtype(dtype))
    if n_dimensions == 1:
        return array
    if len({len(row) for row in rows}) > 1:
        raise saved_tree_error(where, "The rows differ in length")
    return array.reshape(len(rows), -1) if rows else array.reshape(0, 0)


def names_of(where: str, values) -> tuple[str, ...]:
    """Names that differ from each other; TreecoreError for anything else."""
    names = _list(where, values)
    if not all(isinstance(name, str) and _is_text(name) for name in names):
        raise saved_tree_error(where, "Not every name is text")
    if len(set(names)) < len(names):
        raise saved_tree_error(where, "Two have the same name")
    return tuple(names)


def _is_text(name: str) -> bool:
    """Half of a pair of UTF-16 is none: it can be written nowhere."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def _list(where: str, values) -> list:
    if not isinstance(values, list):
        raise saved_tree_error(where, "There is no list")
    return values


def _array(where: str, values: list, dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "f":
        return _numbers(where, values)
    kind = bool if dtype.kind == "b" else int
    if set(map(type, values)) - {kind}:
        raise saved_tree_error(where, f"Not every entry is {'true or false' if kind is bool else 'a whole number'}")
    try:
        return np.array(values, dtype)
    except OverflowError:
        raise saved_tree_error(where, "There is a number that is too large") from None


def _numbers(where: str, values: list) -> np.ndarray:
    types = set(map(type, values))
    if types <= {int, float, type(None), str}:
        try:
            return np.array([NOT_FINITE[v] if v is None or type(v) is str else v for v in values], np.float64)
        except (KeyError, OverflowError):
            pass
    raise saved_tree_error(where, "Not every entry is a number")


@dataclass(frozen=True, eq=False, repr=False)
class Splits(Brief):
    """One test per entry; all arrays are read-only and have one entry per test unless said otherwise.

    kind : int8, LEAF, THRESHOLD, LEVELS or CUTS.
    feature : int32, index into the schema's features, -1 at a leaf.
    threshold : float64; an ordinal feature is cut between the indices of its levels; infinite: known values take
        the low side, missing ones the other.
    closed : bool, the low side is x <= threshold (J48, scikit-learn) instead of x < threshold (rpart).
    low_branch : int8, the branch that gets the low side.
    level_start : int64 (n + 1,), where each entry's levels begin in `level_branch`.
    level_branch : int32 (sum of levels,), the branch of every level; -1 for one not seen at the node.
    level_id, n_levels, usual_branch : int32, (0,) where `level_branch` has every level of each entry. Else it lists
        only the levels that go another way than most: level_id, parallel to it, says which these are, ascending within
        an entry; n_levels and usual_branch, one per entry, how many levels there are and where the others go. So large
        tables take as much memory as levels are told apart at the node.
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
    cut_start: np.ndarray = DERIVED
    cuts: np.ndarray = DERIVED
    level_id: np.ndarray = DERIVED
    n_levels: np.ndarray = DERIVED
    usual_branch: np.ndarray = DERIVED

    def __post_init__(self):
        if self.cuts is None:
            object.__setattr__(self, "cut_start", np.zeros(len(self.kind) + 1))
            object.__setattr__(self, "cuts", np.zeros(0))
        for name in LISTED:
            if getattr(self, name) is None:
                object.__setattr__(self, name, _NOTHING)
        freeze_columns(vars(self), _DTYPES)

    def __len__(self) -> int:
        return len(self.kind)

    def levels(self, entry: int) -> np.ndarray:
        """The branch of every level of this entry's feature (empty unless kind is LEVELS)."""
        here = slice(self.level_start[entry], self.level_start[entry + 1])
        if not self.are_listed:
            return self.level_branch[here]
        branches = np.full(self.n_levels[entry], self.usual_branch[entry])
        branches[self.level_id[here]] = self.level_branch[here]
        return branches

    @property
    def are_listed(self) -> bool:
        """Do the tables of levels list only those that go another way than most?"""
        return len(self.n_levels) > 0

    def listed_ids(self) -> np.ndarray:
        """int32, parallel to level_branch: the levels that it tells of."""
        if self.are_listed:
            return self.level_id
        return ranges(np.zeros(len(self), np.int64), np.diff(self.level_start)).astype(np.int32)

    def take(self, entries) -> "Splits":
        """The same tests, in this order."""
        entries = np.asarray(entries, np.int64)
        per_entry = {f.name: getattr(self, f.name)[entries] for f in fields(self) if f.name not in (*_LISTS, *LISTED)}
        level_start, level_branch = _taken(self.level_start, self.level_branch, entries)
        cut_start, cuts = _taken(self.cut_start, self.cuts, entries)
        if self.are_listed:
            per_entry |= {name: getattr(self, name)[entries] for name in ("n_levels", "usual_branch")}
            per_entry["level_id"] = _taken(self.level_start, self.level_id, entries)[1]
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
        """As JSON values; without the columns of listed levels where every level has its branch."""
        names = [f.name for f in fields(self) if self.are_listed or f.name not in LISTED]
        return {name: plain(getattr(self, name)) for name in names}

    @classmethod
    def from_dict(cls, data: dict, where: str = "splits") -> "Splits":
        """What to_dict wrote. where : what messages call it."""
        names = [name for name in _DTYPES if name in data or name not in LISTED]
        return cls(**{name: column_of(f"{where}.{name}", data[name], _DTYPES[name]) for name in names})


_DTYPES = {
    "kind": np.int8, "feature": np.int32, "threshold": np.float64, "closed": np.bool_, "low_branch": np.int8,
    "level_start": np.int64, "level_branch": np.int32, "missing_branch": np.int32, "unseen_branch": np.int32,
    "cut_start": np.int64, "cuts": np.float64, "level_id": np.int32, "n_levels": np.int32, "usual_branch": np.int32,
}  # fmt: skip
LISTED = ("level_id", "n_levels", "usual_branch")
"""The columns of tables that list only some of their levels."""
_NOTHING = frozen(np.zeros(0, np.int32))
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
