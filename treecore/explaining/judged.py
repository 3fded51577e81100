"""How rows without a value may count while a split is judged: five ways, and what the gain is by each."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.inspect import judging
from treecore.growing.inspect.candidates import candidates
from treecore.growing.inspect.node_values import NodeRows, node_rows
from treecore.registry import Registry
from treecore.tree.oblique import as_asked
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Unknown(Brief):
    """A nominal feature at a node: what is known of its levels, and the rows of which nothing is known.

    known : float64 (v, K), classes of the rows of every level at the node. here : float64 (K,), those of the rows
    without a value. whole : float64 (v, K), as `known`, of all training rows.
    """

    rows: NodeRows
    known: np.ndarray
    here: np.ndarray
    whole: np.ndarray


@dataclass(frozen=True)
class Way:
    """One way to count rows without a value. counted : of an Unknown, float64 (v, K): the branches as they are judged.

    scaled : the gain is multiplied by the known share of the rows, as the others are left out.
    """

    name: str
    label: str
    counted: Callable[[Unknown], np.ndarray]
    scaled: bool = False


def _one(u: Unknown, level: int) -> np.ndarray:
    counted = u.known.copy()
    counted[level] += u.here
    return counted


def _by_class(u: Unknown) -> np.ndarray:
    """Every row takes the commonest level of its own class in the whole table."""
    counted = u.known.copy()
    for k, n in enumerate(u.here):
        counted[int(u.whole[:, k].argmax()), k] += n
    return counted


def _shared(u: Unknown, by: np.ndarray) -> np.ndarray:
    share = by.sum(axis=1) / by.sum()
    return u.known + share[:, None] * u.here


WAYS: Registry[Way] = Registry(
    "way to count missing values",
    Way(
        "table_mode",
        "filled with the table's most frequent value",
        lambda u: _one(u, int(u.whole.sum(axis=1).argmax())),
    ),
    Way("class_mode", "filled with the most frequent value of the row's class", _by_class),
    Way("node_shares", "in parts, by the shares of the known rows of the node", lambda u: _shared(u, u.known)),
    Way("table_shares", "in parts, by the shares of the known rows of the table", lambda u: _shared(u, u.whole)),
    Way("known_only", "left out, and the gain times the known share (C4.5)", lambda u: u.known, scaled=True),
)


def judged_gain(tree: Tree, node: int, train: Table, feature: str, way: str) -> float:
    """The gain of one branch per level of a nominal feature at a node, if rows without a value count in this way.

    way : a name in WAYS. TreecoreError for a feature that has no levels, or a target that has no classes.
    """
    u = unknown(tree, node, train, feature)
    counted = WAYS[way].counted(u)
    gain = float(judging.decreases(u.rows.judge, counted[None])[0])
    return gain * float(u.known.sum() / (u.known.sum() + u.here.sum())) if WAYS[way].scaled else gain


def unknown(tree: Tree, node: int, train: Table, feature: str) -> Unknown:
    """What is known of a nominal feature at a node; see Unknown."""
    column = train.column(feature)
    if column.kind not in ("nominal", "boolean") or not tree.classes:
        raise TreecoreError("It has no levels to count classes by", where=feature, remedy="Choose a nominal feature")
    rows, root = node_rows(tree, node, train), node_rows(tree, 0, train)
    levels = column.n_distinct
    counts = [r.sums(column.codes[r.rows].astype(np.int64), levels + 1) for r in (rows, root)]
    present = counts[1][:levels].sum(axis=1) > 0
    return Unknown(rows, counts[0][:levels][present], counts[0][levels], counts[1][:levels][present])


def with_gaps(tree: Tree, node: int, train: Table) -> tuple[str, ...]:
    """The nominal features that can be judged at the node and of which some row there has no value."""
    train = as_asked(tree.schema, train)
    rows = node_rows(tree, node, train).rows
    names = dict.fromkeys(c.feature for c in candidates(tree, node, train).ranked)
    kinds = {name: train.column(name) for name in names}
    return tuple(n for n, c in kinds.items() if c.kind in ("nominal", "boolean") and c.missing[rows].any())
