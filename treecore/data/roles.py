"""Which rows train the tree, which validate it, which test it, and which are for pruning or for figures alone."""

from dataclasses import asdict, dataclass

import numpy as np

from treecore.data.column import Column, quoted, row_list
from treecore.data.dates import read_dates
from treecore.data.table_like import TableLike
from treecore.errors import TreecoreError

TRAIN, VALIDATION, TEST, PRUNING, ESTIMATION = range(5)
ROLE_WORDS = {
    **dict.fromkeys(("train", "training"), TRAIN),
    **dict.fromkeys(("validation", "validate", "valid", "val", "dev", "development"), VALIDATION),
    **dict.fromkeys(("test", "testing"), TEST),
    **dict.fromkeys(("pruning", "prune"), PRUNING),
    **dict.fromkeys(("estimation", "estimate", "honest"), ESTIMATION),
}
FRACTIONS = ("train", "validation", "test", "pruning", "estimation")
"""The roles in the order of their numbers; rows have one of the last two only where somebody asks for it."""
MAX_BINS = 10  # strata of a numeric target
MIN_ROWS_PER_BIN = 5
MIN_JUDGES = 30
"""Of fewer rows one that changes sides is more than 3 points of accuracy, and its standard error up to 9 and more."""


@dataclass(frozen=True)
class Roles:
    """Fractions of the rows for each role, drawn from a seed; or a column that names each row's role.

    train, validation, test, pruning, estimation : fractions >= 0 (train > 0) that sum to 1; each role's size is within
        one row of it. Without rows of their own, pruners judge by the validation rows. Estimation rows neither grow nor
        prune: the figures of an honest tree are counted on them; see pruning.honest.
    stratify : keep the target's class shares (for a numeric target: its quantile bins) alike in all roles.
    column : a column with the words train, validation, test, pruning, estimation; the fractions, stratify and seed are
        then not used.
    order : a column of dates or numbers: the earliest rows train, then come those for estimation, pruning and
        validation, the latest test; nothing is drawn. Rows without a value train; equal ones stay in the order of the
        table.
    """

    train: float = 0.6
    validation: float = 0.2
    test: float = 0.2
    stratify: bool = True
    seed: int = 0
    column: str | None = None
    order: str | None = None
    pruning: float = 0.0
    estimation: float = 0.0

    def __post_init__(self) -> None:
        for name in FRACTIONS:
            fraction = getattr(self, name)
            if not 0 <= fraction <= 1 or (name == "train" and fraction == 0 and self.column is None):
                raise TreecoreError(
                    f"{name} = {fraction:g} is not a usable fraction",
                    where="Roles",
                    remedy="Use fractions from 0 to 1, and more than 0 for train.",
                )
        total = sum(getattr(self, name) for name in FRACTIONS)
        if self.column is None and abs(total - 1) > 1e-6:
            asked = " + ".join(name for name in FRACTIONS if getattr(self, name) or name in FRACTIONS[:3])
            raise TreecoreError(
                f"{asked} = {total:g}, not 1",
                where="Roles",
                remedy="Change the fractions so that they sum to 1.",
            )

    def to_dict(self) -> dict:
        return asdict(self)


def too_few_to_hold_back(n_rows: int, roles: Roles) -> bool:
    """Would these roles have so few validation rows that they judge by chance? Then folds of all rows judge better."""
    return n_rows * roles.validation < MIN_JUDGES


def assign_roles(table: TableLike, roles: Roles) -> np.ndarray:
    """int8 (n_rows,): TRAIN, VALIDATION, TEST, PRUNING or ESTIMATION for each row.

    The draw depends on the seed and on the row's number in the source, not on where the row stands in the
    table or on the kinds of its columns.
    """
    if roles.column is not None:
        return _roles_from_column(table.column(roles.column))
    if roles.order is not None:
        return _in_order(in_time(table.column(roles.order)), roles)
    key = _hash(table.row_numbers, roles.seed)
    target = table.target_column if roles.stratify and table.target is not None else None
    strata = _strata(target, key) if target is not None else np.zeros(table.n_rows, dtype=np.int64)
    order = np.lexsort((key, strata))
    assigned = np.empty(table.n_rows, dtype=np.int8)
    assigned[order] = _roles_in_order(table.n_rows, roles)
    if target is not None and target.kind != "numeric":
        _give_train_every_class(assigned, strata, order)
    return assigned


def _hash(row_numbers: np.ndarray, seed: int) -> np.ndarray:
    """uint64 (n_rows,): well-mixed keys (the finaliser of splitmix64), one per row number and seed."""
    with np.errstate(over="ignore"):
        x = row_numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        x += np.uint64((int(seed) * 0xD1342543DE82EF95 + 0x632BE59BD9B4E019) % 2**64)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def _strata(target: Column, key: np.ndarray) -> np.ndarray:
    """int64 (n_rows,): rows that should be spread over the roles alike; missing targets are one stratum."""
    if target.kind != "numeric":
        return target.codes.astype(np.int64)
    known = target.n_rows - target.n_missing
    n_bins = max(1, min(MAX_BINS, known // MIN_ROWS_PER_BIN))
    rank = np.empty(target.n_rows, dtype=np.int64)
    rank[np.lexsort((key, target.codes))] = np.arange(target.n_rows)
    return np.where(target.missing, n_bins, rank * n_bins // max(known, 1))


def _roles_in_order(n_rows: int, roles: Roles) -> np.ndarray:
    """int8 (n_rows,): the role of each place in the stratified order.

    Each role stands at even distances, so every run of places (a class) gets its fair share to within a
    row or so, and the totals are within one row of the fractions.
    """
    assigned = np.full(n_rows, TRAIN, dtype=np.int8)
    left = 1.0
    for role in (TEST, VALIDATION, PRUNING, ESTIMATION):
        share = getattr(roles, FRACTIONS[role])
        rest = np.flatnonzero(assigned == TRAIN)
        if left > 0:
            assigned[rest[_evenly(len(rest), min(share / left, 1.0))]] = role
        left -= share
    return assigned


def _evenly(n: int, fraction: float) -> np.ndarray:
    """Places among 0..n-1 at even distances, round(n * fraction) of them."""
    steps = np.floor(np.arange(n + 1) * fraction + 0.5 + 1e-9)
    return np.flatnonzero(np.diff(steps) > 0)


def _give_train_every_class(assigned: np.ndarray, strata: np.ndarray, order: np.ndarray) -> None:
    """Swap rows so that a class without a training row gets one (in place; the sizes of the roles stay)."""
    n_strata = int(strata.max(initial=-1)) + 1
    in_train = np.bincount(strata[assigned == TRAIN], minlength=n_strata)
    for stratum in np.flatnonzero((np.bincount(strata, minlength=n_strata) > 0) & (in_train == 0)):
        giver = int(np.argmax(in_train))
        if in_train[giver] < 2:
            return
        gets = order[strata[order] == stratum][0]
        gives = order[(strata[order] == giver) & (assigned[order] == TRAIN)][0]
        assigned[gives], assigned[gets] = assigned[gets], TRAIN
        in_train[giver] -= 1
        in_train[stratum] += 1


def in_time(column: Column) -> np.ndarray:
    """float64 (n_rows,): dates as seconds, or numbers; NaN for missing. TreecoreError for a column of neither."""
    if column.kind == "numeric":
        return column.values()
    import pyarrow as pa

    dates = read_dates(pa.array(list(column.level_names), pa.string()), None)
    if dates is None or dates.ambiguous:
        raise TreecoreError(
            "It holds neither numbers nor dates whose order is certain",
            where=f"Column {column.name!r}",
            remedy="Order rows by a number, or by dates such as 2026-11-24",
        )
    return np.append(dates.stamps.astype(np.int64).astype(float), np.nan)[column.codes]


def _in_order(time: np.ndarray, roles: Roles) -> np.ndarray:
    n = len(time)
    ends = np.rint(n * np.cumsum([roles.train, roles.estimation, roles.pruning, roles.validation])).astype(int)
    assigned = np.full(n, TEST, np.int8)
    order = np.lexsort((np.nan_to_num(time), ~np.isnan(time)))
    assigned[order[: ends[3]]] = VALIDATION
    assigned[order[: ends[2]]] = PRUNING
    assigned[order[: ends[1]]] = ESTIMATION
    assigned[order[: max(ends[0], 1)]] = TRAIN
    return assigned


def _roles_from_column(column: Column) -> np.ndarray:
    labels = column.labels()
    words = {label: ROLE_WORDS.get(label.strip().casefold(), -1) for label in set(labels.tolist())}
    assigned = np.array([words[label] for label in labels], dtype=np.int8)
    unknown = np.flatnonzero(assigned < 0)
    if len(unknown):
        raise TreecoreError(
            f"{quoted(labels[unknown[0]])} is not a role (first at {row_list(unknown)})",
            where=f"Column '{column.name}'",
            remedy="Its cells must say train, validation, test, pruning or estimation.",
        )
    return assigned
