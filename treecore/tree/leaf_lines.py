"""Lines in the nodes of a tree of numbers: a node that answers with a weighted sum of a few features of the row."""

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.tree.schema import Schema
from treecore.tree.splits import column_of, plain, ranges, saved_tree_error

LARGEST = 1e100
"""No coefficient and no value of a feature is larger: products of two of them are still numbers."""


@dataclass(frozen=True)
class LineTerm:
    """One term of a line: the coefficient times the row's value of a numeric feature.

    feature : index in the schema. fill : the mean of the node's rows, in place of a missing value. low, high : the
    range of the node's rows; a value beyond it counts as the nearest end of it.
    """

    feature: int
    coefficient: float
    fill: float
    low: float
    high: float

    def value(self, value: float | None) -> float:
        """What counts for a row with this value, None or NaN where it is missing."""
        if value is None or value != value:
            return self.fill
        return min(max(value, self.low), self.high)


@dataclass(frozen=True)
class LeafLine:
    """intercept + coefficient × value + ... of the terms in their order; without terms a constant."""

    intercept: float
    terms: tuple[LineTerm, ...]


def filled(line: LeafLine, schema: Schema) -> LeafLine:
    """The line in which what is filled into a missing value before the tree sees it stands in the place of a mean."""
    fills = [schema.features[term.feature].fill for term in line.terms]
    terms = [
        term if fill is None else replace(term, fill=term.value(fill))
        for term, fill in zip(line.terms, fills, strict=True)
    ]
    return replace(line, terms=tuple(terms))


@dataclass(frozen=True, eq=False, repr=False)
class LeafLines(Brief):
    """The line of every node, fitted to the training rows that reach it, as columns.

    intercept : float64 (n_nodes,), NaN at a node without rows. start : int64 (n_nodes + 1,); the terms of node t are
    entries start[t]:start[t+1] of feature (int32), coefficient, fill, low and high (float64), see LineTerm.
    error, inside : float64 (n_nodes,), sum of squared errors of the line on the training rows that reach the node, and
    on those whose route ends in it though it has branches; of log-odds what the labels that they give cost there.
    log_loss, brier : of log-odds, float64 (n_nodes, 2), these losses of the shares, summed over the same rows as error
    and inside; else None. All arrays are read-only.
    """

    intercept: np.ndarray
    start: np.ndarray
    feature: np.ndarray
    coefficient: np.ndarray
    fill: np.ndarray
    low: np.ndarray
    high: np.ndarray
    error: np.ndarray
    inside: np.ndarray
    log_loss: np.ndarray | None = None
    brier: np.ndarray | None = None

    def __post_init__(self):
        for name, kind in KINDS.items():
            if getattr(self, name) is None:
                continue
            array = np.array(getattr(self, name), kind)
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def n_terms(self) -> np.ndarray:
        """int64 (n_nodes,)."""
        return np.diff(self.start)

    def line(self, node: int) -> LeafLine:
        entries = range(int(self.start[node]), int(self.start[node + 1]))
        columns = (self.feature, self.coefficient, self.fill, self.low, self.high)
        terms = tuple(LineTerm(*(column[e].item() for column in columns)) for e in entries)
        return LeafLine(float(self.intercept[node]), terms)

    def take(self, nodes: np.ndarray, leaf: np.ndarray) -> "LeafLines":
        """Those of these nodes, in this order; `leaf` (bool, one each) says which have no branches."""
        entries, n = ranges(self.start[nodes], self.n_terms[nodes]), self.n_terms[nodes]
        columns = {name: getattr(self, name)[entries] for name in PER_TERM}
        inside = np.where(leaf, self.error[nodes], self.inside[nodes])
        start = np.concatenate([[0], np.cumsum(n)])
        of_shares = {}
        for name in OF_SHARES:
            lost = getattr(self, name)
            if lost is not None:
                lost = lost[nodes]
                of_shares[name] = np.stack([lost[:, 0], np.where(leaf, lost[:, 0], lost[:, 1])], axis=1)
        return LeafLines(self.intercept[nodes], start, **columns, error=self.error[nodes], inside=inside, **of_shares)

    @cached_property
    def used(self) -> np.ndarray:
        """int64, ascending: the features that any line has."""
        return np.unique(self.feature).astype(np.int64)

    def answers(self, values: np.ndarray, row: np.ndarray, node: np.ndarray) -> np.ndarray:
        """float64 (m,): what the lines of these nodes are for these rows; NaN for node -1.

        values : float64 (features used, n_rows), NaN where missing; see tree.values.plain_numbers. row, node : int64
        (m,). Terms are added one after the other, as code that is exported does.
        """
        result = np.where(node < 0, np.nan, self.intercept[node])
        slot = np.searchsorted(self.used, self.feature)
        for j in range(int(self.n_terms.max(initial=0))):
            some = np.flatnonzero((node >= 0) & (self.n_terms[node] > j))
            entry = self.start[node[some]] + j
            x = values[slot[entry], row[some]]
            x = np.where(np.isnan(x), self.fill[entry], np.clip(x, self.low[entry], self.high[entry]))
            result[some] += self.coefficient[entry] * x
        return result

    def to_dict(self) -> dict:
        told = {name: getattr(self, name) for name in KINDS if getattr(self, name) is not None}
        return {name: array.tolist() if array.ndim > 1 else plain(array) for name, array in told.items()}

    @classmethod
    def from_dict(cls, data: dict) -> "LeafLines":
        return cls(**{
            name: column_of(f"lines.{name}", data[name], kind, 2 if name in OF_SHARES else 1)
            for name, kind in KINDS.items()
            if name in data or name not in OF_SHARES
        })  # fmt: skip

    def check(self, schema: Schema, answer: np.ndarray) -> None:
        """TreecoreError saying what is wrong with lines that were read from outside, of a tree with these answers."""
        n, m = len(answer), len(self.feature)
        for name in OF_SHARES:
            lost = getattr(self, name)
            if lost is not None and (not schema.classes or lost.shape != (n, 2) or not (lost >= 0).all()):
                raise saved_tree_error(f"lines.{name}", "It is no loss of the class shares of each node")
        lengths = {"intercept": n, "start": n + 1, "error": n, "inside": n} | dict.fromkeys(PER_TERM, m)
        for name, length in lengths.items():
            if len(getattr(self, name)) != length:
                raise saved_tree_error(f"lines.{name}", f"It has {len(getattr(self, name))} entries, not {length}")
        if self.start[0] != 0 or self.start[-1] != m or (np.diff(self.start) < 0).any():
            raise saved_tree_error("lines.start", f"It does not ascend from 0 to {m}")
        numeric = [f for f, feature in enumerate(schema.features) if feature.numeric and not feature.terms]
        speaks = np.zeros(n, bool)
        speaks[answer[answer >= 0]] = True
        odd = {
            "feature": ~np.isin(self.feature, numeric),
            "intercept": np.where(speaks, ~(np.abs(self.intercept) < LARGEST), np.isinf(self.intercept)),
            "high": ~(self.low <= self.high),
            "error": ~(self.error >= 0),
            "inside": ~(self.inside >= 0),
        }
        odd |= {name: ~(np.abs(getattr(self, name)) < LARGEST) for name in ("coefficient", "fill", "low")}
        for name, bad in odd.items():
            if bad.any():
                raise saved_tree_error(f"lines.{name}", f"Entry {int(np.argmax(bad))} cannot be part of a line")


KINDS = {
    "intercept": np.float64, "start": np.int64, "feature": np.int32, "coefficient": np.float64, "fill": np.float64,
    "low": np.float64, "high": np.float64, "error": np.float64, "inside": np.float64, "log_loss": np.float64,
    "brier": np.float64,
}  # fmt: skip
OF_SHARES = ("log_loss", "brier")
PER_TERM = ("feature", "coefficient", "fill", "low", "high")
assert set(KINDS) == {field.name for field in fields(LeafLines)}
