"""Rows as points on a picture: a sample small enough to draw, each with what it is and what the tree says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.study.plane import Axis, feature_index
from treecore.study.regions import Regions
from treecore.tree.node_statistics import true_target
from treecore.tree.predict import predictions_at
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix

LIMIT = 2500
"""Points a browser draws without effort."""
SPREAD = 0.32
"""How far points on an axis of levels are spread to either side of their level."""


@dataclass(frozen=True, eq=False, repr=False)
class Points(Brief):
    """Rows to draw; entry i of each array is one row.

    x, y : float64, spread at random within its band on an axis of levels. role : int64, index into `roles`.
    row : int64, 0-based row of the source. truth, answer : int64 class index (answer -1: none) or float64.
    node : int64, where the row itself ends, by its own values of all features. wrong : bool, all False for
    regression. in_plane : bool, whether the region under the point is the node it ends in; elsewhere its other
    features differ from the fixed ones. note : what was left out, for people ('' when nothing was).
    units, quantity : as of Regions, of numbers. arm : of effects, int64, 1 where a row was treated, else None; truth is
    its outcome then, which no answer can be compared with. arms : what control and treated are called, else ().
    """

    x: np.ndarray
    y: np.ndarray
    role: np.ndarray
    roles: tuple[str, ...]
    row: np.ndarray
    truth: np.ndarray
    answer: np.ndarray
    node: np.ndarray
    wrong: np.ndarray
    in_plane: np.ndarray
    note: str
    units: float = 1.0
    quantity: str = ""
    arm: np.ndarray | None = None
    arms: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.x)

    def of_all(self) -> "Points":
        """The same for a picture of the rows that lie there, which is of no fixed values: none is elsewhere."""
        return replace(self, in_plane=np.ones(len(self), bool))

    def answered_by(self, answer_of: Callable[[Table], np.ndarray], tables: Mapping[str, Table]) -> "Points":
        """The same rows as others than the tree answer them, who know no regions.

        answer_of : rows -> int64 class index, or float64, of each. tables : role -> rows among which these are.
        """
        answer = self.answer.copy()
        for k, role in enumerate(self.roles):
            here, rows = self.role == k, tables[role]
            order = np.argsort(rows.row_numbers, kind="stable")
            answer[here] = answer_of(rows.take(order[np.searchsorted(rows.row_numbers[order], self.row[here])]))
        wrong = (answer != self.truth) & (self.truth.dtype.kind == "i")
        return replace(self.of_all(), answer=answer, wrong=wrong)


def plane_points(
    tree: Tree,
    regions: Regions,
    tables: Mapping[str, Table | None],
    ids: np.ndarray | None = None,
    limit: int = LIMIT,
    seed: int = 0,
) -> Points:
    """At most `limit` rows of the roles (role -> Table) in the plane of some regions.

    ids : as for `regions`.
    """
    roles, parts, note = sampled(tables, limit, seed)
    xy = [_plane_values(tree, part, regions.x, regions.y) for part in parts]
    value = "drawn value" if regions.x.left_out or regions.y.left_out else "value"
    points = _points(tree, roles, parts, xy, ids, note, value)
    under = regions.index_at(points["x"], points["y"])
    points["in_plane"] = np.append(regions.node, -1)[under] == points["node"]
    rng = np.random.default_rng(seed)
    for name, axis in (("x", regions.x), ("y", regions.y)):
        if axis.kind != "numeric":
            points[name] = points[name] + rng.uniform(-SPREAD, SPREAD, len(points[name]))
    return Points(**points)


def step_points(
    tree: Tree,
    feature: str,
    tables: Mapping[str, Table | None],
    ids: np.ndarray | None = None,
    limit: int = LIMIT,
    seed: int = 0,
) -> Points:
    """At most `limit` rows of the roles, the target over one numeric feature; y is in the units shown."""
    roles, parts, note = _comparable_rows(tree, tables, limit, seed)
    f = np.array([feature_index(tree, feature)])
    units = tree.target_kind.units_shown(tree)
    observed = [units * tree.target_kind.observed(true_target(tree, part)) for part in parts]
    xy = [np.stack([value_matrix(tree.schema, f, part)[0], y]) for part, y in zip(parts, observed, strict=True)]
    points = _points(tree, roles, parts, xy, ids, note)
    return Points(**points, in_plane=np.ones(len(points["x"]), bool))


def _comparable_rows(tree: Tree, tables: Mapping[str, Table | None], limit: int, seed: int):
    """The same as sampled; no rows where no single one can be compared with an answer."""
    if tree.target_kind.shows_rows:
        return sampled(tables, limit, seed)
    return (), [], f"No single row shows one of {tree.target_kind.held}: rows are not drawn"


def sampled(tables: Mapping[str, Table | None], limit: int, seed: int) -> tuple[tuple[str, ...], list[Table], str]:
    """(roles, their tables cut down to `limit` rows together, a note): every row is as likely as any other."""
    known = {role: table for role, table in tables.items() if table is not None}
    sizes = [table.n_rows for table in known.values()]
    total = sum(sizes)
    if total <= limit:
        return tuple(known), list(known.values()), ""
    chosen = np.sort(np.random.default_rng(seed).choice(total, limit, replace=False, shuffle=False))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    parts = []
    for start, stop, table in zip(starts[:-1], starts[1:], known.values(), strict=True):
        parts.append(table.take(chosen[(chosen >= start) & (chosen < stop)] - start))
    return tuple(known), parts, f"{limit:,} of {total:,} rows are drawn, chosen at random"


def _plane_values(tree: Tree, table: Table, x: Axis, y: Axis) -> np.ndarray:
    features = np.array([feature_index(tree, axis.name) for axis in (x, y)])
    values = value_matrix(tree.schema, features, table)
    return np.stack([axis.places(found) for axis, found in zip((x, y), values, strict=True)])


def _points(tree: Tree, roles, parts: list[Table], xy: list[np.ndarray], ids, note: str, value="value") -> dict:
    """Fields of Points (but in_plane) for the rows that have a place and a known target."""
    places = np.concatenate([np.empty((2, 0)), *xy], axis=1)
    kind = tree.target_kind
    known = [true_target(tree, part) for part in parts]
    truth, has_target = (_joined([of(y) for y in known]) for of in (kind.shown_of_rows, kind.is_known))
    arms = [kind.arms_of_rows(y) for y in known]
    ends = [tree.apply(part) for part in parts]
    node = _joined(ends).astype(np.int64)
    answer = _joined([_answer(tree, part, end) for part, end in zip(parts, ends, strict=True)]).astype(
        np.int64 if tree.classes else np.float64
    )
    keep = ~np.isnan(places).any(axis=0) & has_target.astype(bool)
    if not keep.all():
        lost = f"{np.count_nonzero(~keep):,} rows without a {value} on an axis or a known target are not drawn"
        note = f"{note}; {lost}" if note else lost
    columns = {
        "x": places[0],
        "y": places[1],
        "role": np.repeat(np.arange(len(parts)), [part.n_rows for part in parts]),
        "row": _joined([part.row_numbers for part in parts]).astype(np.int64),
        "truth": truth,
        "answer": answer,
        "node": node if ids is None else ids[node],
        "wrong": (answer != truth) & bool(tree.classes),
    }
    has_arms = bool(arms) and arms[0] is not None
    columns |= {"arm": _joined(arms)} if has_arms else {}
    return {name: values[keep] for name, values in columns.items()} | {
        "roles": roles, "note": note, "units": kind.units_shown(tree), "quantity": kind.scale_name(tree),
        "arms": (kind.control, kind.treated) if has_arms else (),
    }  # fmt: skip


def _answer(tree: Tree, rows: Table, node: np.ndarray) -> np.ndarray:
    """What the nodes that rows end in answer: class indices, or numbers."""
    return predictions_at(tree, rows)(np.arange(rows.n_rows), node)


def _joined(arrays: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(arrays) if arrays else np.empty(0)
