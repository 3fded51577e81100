"""Where a tree sends the rows of an engine: the node at which each one ends, as an expression over its columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from treecore.data.column import frozen
from treecore.data.level_index import MISSING, places_among
from treecore.data.roles import FRACTIONS, Roles
from treecore.data.table import Table, no_such_column
from treecore.data.table_like import FromColumns, check_trainable
from treecore.database.column_summary import binned_columns, least_above, level_columns, number_scales, target_column
from treecore.database.connection import DatabaseSource
from treecore.database.counter import EngineCounter
from treecore.database.engine_columns import (
    MOST_LEVELS,
    ColumnBins,
    FeatureCodes,
    Plan,
    as_number,
    as_text,
    codes_of,
    exact,
    label_in_engine,
    level_code,
    value_counts,
)
from treecore.database.hash_split import ends_of, hash_of, part_of, some_rows
from treecore.errors import TreecoreError
from treecore.growing.counted_table import CountedColumn
from treecore.kernels.codes import LEAF, SHARED, THRESHOLD
from treecore.kernels.codes import LEVELS as BY_LEVEL
from treecore.tree.oblique import refuse_oblique
from treecore.tree.tree import Tree


def end_of(tree: Tree, relation, texts: Mapping[str, Mapping[str, int]], halved: bool):
    """int32, an Ibis expression: the node at which each row's route ends; -1 for a row of which parts go several ways.

    texts : of each feature with levels, the place that each of the engine's texts has among those of the tree, MISSING
    or NO_LEVEL for none. halved : as in level_code. TreecoreError for trees that ask surrogates or branch by bins.
    """
    _check(tree)
    return _below(tree, relation, texts, halved, 0)


def _check(tree: Tree) -> None:
    refuse_oblique(tree, "judging in an engine")
    if len(tree.surrogates) or not np.isin(tree.splits.kind, (LEAF, THRESHOLD, BY_LEVEL)).all():
        raise _not_counted("It asks surrogates or branches by bins")


def refuse_parts(nodes: np.ndarray) -> None:
    """TreecoreError where one of these ends of rows is of a row that goes several ways."""
    if (nodes < 0).any():
        raise _not_counted("Rows lack a value that it asks for, and it sends parts of them down every branch")


def _not_counted(what: str) -> TreecoreError:
    remedy = "Grow with missing = majority, or judge it on a sample"
    return TreecoreError(f"{what}, which is not counted in an engine", where="Tree", remedy=remedy)


def _below(tree: Tree, relation, texts: Mapping[str, Mapping[str, int]], halved: bool, node: int):
    import ibis

    here = ibis.literal(node, "int32")
    if tree.is_leaf[node]:
        return here
    splits, feature = tree.splits, tree.schema.features[int(tree.splits.feature[node])]
    cell, parted = relation[feature.name], []
    if feature.kind == "numeric":
        value = as_number(cell)
        missing = value.isnull()
        value = value.cast("float32").cast("float64") if tree.schema.precision == "float32" else value
    else:
        known = {text: place for text, place in texts[feature.name].items() if place >= 0}
        gone = [text for text, place in texts[feature.name].items() if place == MISSING]
        text = as_text(cell)
        value = level_code(text, known, len(feature.levels), halved)
        missing = text.isnull() | text.isin(gone) if gone else text.isnull()
    if splits.kind[node] == BY_LEVEL:
        asked = _by_level(splits.levels(node), value)
        unseen = ~missing & ~value.isin(np.flatnonzero(splits.levels(node) >= 0).tolist())
        _send(asked, int(splits.unseen_branch[node]), unseen)
        if splits.unseen_branch[node] == SHARED:
            parted.append(unseen)
    else:
        asked = _by_threshold(splits, node, value if feature.kind == "numeric" else value.nullif(len(feature.levels)))
    _send(asked, int(splits.missing_branch[node]), missing)
    if splits.missing_branch[node] == SHARED:
        parted.append(missing)
    # every child stands in the query once: its text would double from level to level otherwise
    cases = [(rows, ibis.literal(-1, "int32")) for rows in parted] + [
        (asked[b], _below(tree, relation, texts, halved, child))
        for b, child in enumerate(tree.children(node))
        if b in asked
    ]
    return ibis.cases(*cases, else_=here)


def _send(asked: dict, branch: int, rows) -> None:
    """Let a branch get these rows, too; none if it is none."""
    if branch >= 0:
        asked[branch] = asked[branch] | rows if branch in asked else rows


def _by_threshold(splits, node: int, value) -> dict:
    """branch -> condition for known values."""
    low = int(splits.low_branch[node])
    if np.isinf(splits.threshold[node]):
        return {low: value.notnull()}
    edge = exact(splits.threshold[node])
    below = value <= edge if splits.closed[node] else value < edge
    return {low: below, 1 - low: ~below}


def _by_level(branches: np.ndarray, value) -> dict:
    """branch -> condition for levels that it was seen with."""
    return {int(b): value.isin(np.flatnonzero(branches == b).tolist()) for b in np.unique(branches) if b >= 0}


# A table that stays where it is: what a Table tells, as far as an engine can count it.

N_CODES = 255
"""Values, or bins of a numeric feature with more."""

ROWS_WORTH_REFINING = 1_000_000
"""Of a table with more rows, cuts stay between bins unless it is asked for otherwise."""


@dataclass(frozen=True, eq=False, repr=False)
class DatabaseTable(FromColumns):
    """Rows in an engine, of which only counts come here; every method returns a new one.

    source : where it is. relation : an Ibis table of its rows. plans : how each column is read. target, features, notes
    : as of a Table. n_codes : values of a numeric feature that are told apart; one with more is counted in as many bins
    with about as many rows each. level_counts : of the columns with levels, over all roles. key : columns by whose hash
    roles are dealt; none for all of them. refine : as in open_table. Case weights are not supported.
    """

    source: DatabaseSource
    relation: Any
    plans: tuple[Plan, ...]
    target: str | None
    features: tuple[str, ...]
    n_codes: int = N_CODES
    key: tuple[str, ...] = ()
    levels_of: dict | None = None
    notes: tuple[str, ...] = ()
    refine: bool | None = None
    _ends: WeakKeyDictionary = field(default_factory=WeakKeyDictionary, init=False, repr=False)
    _codes: dict[int, FeatureCodes] = field(default_factory=dict, init=False, repr=False)
    weights, rows_are_elsewhere = None, True

    @cached_property
    def n_rows(self) -> int:
        """Rows with a target, when it was asked first."""
        return int(self.source.run(self.relation.agg(n=self.relation.count()))["n"][0].as_py())

    @property
    def is_refined(self) -> bool:
        """Are cuts between bins moved to the best place within the two?"""
        return self.n_rows <= ROWS_WORTH_REFINING if self.refine is None else self.refine

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(plan.name for plan in self.plans)

    @cached_property
    def scales(self) -> dict[str, CountedColumn | ColumnBins]:
        """Each feature by name, with its levels or values where they are few, else its bins."""
        plans = tuple(self._declared(self.plan(name)) for name in self.features)
        result, _ = level_columns(self.source, self.relation, plans)
        numbers = tuple(p.name for p in plans if p.kind == "numeric")
        result |= number_scales(self.source, self.relation, numbers, self.n_codes)
        lost = [name for name in self.features if name not in result]
        if lost:
            raise TreecoreError(
                f"It has more than {MOST_LEVELS} levels",
                where=f"Column {lost[0]!r}",
                remedy="Leave it out of the features",
            )
        return {name: result[name] for name in self.features}

    @property
    def codes(self) -> FeatureCodes:
        """The codes of all features, found once for all fits on this table that the same connection serves."""
        connection = self.source.n_connections
        if connection not in self._codes:
            self._codes[connection] = codes_of(self)
        return self._codes[connection]

    def _declared(self, plan: Plan) -> Plan:
        """The plan with the levels that all roles share."""
        return self.levels_of.get(plan.name, plan) if self.levels_of else plan

    @cached_property
    def feature_columns(self) -> tuple[CountedColumn, ...]:
        scales = self.scales.values()
        bins = {f"c{i}": scale for i, scale in enumerate(scales) if isinstance(scale, ColumnBins)}
        binned = binned_columns(self.source, self.relation, self.codes.rows, bins) if bins else {}
        return tuple(binned.get(scale.name, scale) for scale in scales)

    @cached_property
    def target_column(self) -> CountedColumn:
        """The target's column; TreecoreError when no target is chosen."""
        if self.target is None:
            raise TreecoreError("No target is chosen", where="Target", remedy="Choose the column to predict")
        return target_column(self.source, self.relation, self._declared(self.plan(self.target)))

    @cached_property
    def target_center(self) -> float:
        """As of a Table."""
        if not self.target_kind.around_center:
            return 0.0
        mean = self.relation.agg(mean=as_number(self.relation[self.target]).mean())
        return float(self.source.run(mean)["mean"][0].as_py())

    def plan(self, name: str) -> Plan:
        """How the column of this name is read; TreecoreError naming the columns there are."""
        result = next((plan for plan in self.plans if plan.name == name), None)
        if result is None:
            raise no_such_column(name, self.column_names)
        return result

    def column(self, name: str) -> CountedColumn:
        """The column of this name: a feature's or the target's."""
        self.plan(name)
        return self.target_column if name == self.target else self._feature(name)

    def _feature(self, name: str) -> CountedColumn:
        return next(c for c in self.feature_columns if c.name == name)

    def with_features(self, names: Iterable[str]) -> "DatabaseTable":
        """Exactly these features, in this order."""
        names = tuple(names)
        for name in names:
            self.plan(name)
        return replace(self, features=names)

    def check_trainable(self) -> None:
        """TreecoreError when no tree can be grown on this table, with the remedy."""
        check_trainable(self)

    def split(self, roles: Roles) -> tuple["DatabaseTable", ...]:
        """(train, validation, test), and, where a share is for pruning alone, those rows.

        Each row by the hash of its key and the seed, so that it keeps its role. Shares are met about; nothing is
        stratified. Equal rows share a role where there is no key.
        """
        return tuple(self.by_role(roles).values())

    def by_role(self, roles: Roles) -> dict[str, "DatabaseTable"]:
        """The same with the names of the roles, see Table.by_role."""
        ends, part = ends_of(roles), part_of(hash_of(self.relation, self.key), roles.seed)
        parts = (self.relation.filter((part >= a) & (part < b)) for a, b in ends)
        return {name: replace(self, relation=relation) for name, relation in zip(FRACTIONS, parts, strict=False)}

    def hash_folds(self, n_folds: int, seed: int) -> list[tuple["DatabaseTable", "DatabaseTable"]]:
        """For each fold the other rows and its own, see cross_validation.make_folds; they do not follow the roles."""
        fold = part_of(hash_of(self.relation, self.key), f"folds {seed}") % n_folds
        return [
            tuple(replace(self, relation=self.relation.filter(has)) for has in (fold != i, fold == i))
            for i in range(n_folds)
        ]

    def lowest(self, codes: Sequence[tuple[int, int]]) -> list[float]:
        """See growing.counted_table.CountedTable."""
        scales = tuple(self.scales.values())
        wanted = {f: np.unique([code for g, code in codes if g == f]) for f, _ in codes}
        edges = {scales[f].name: scales[f].edges[above - 1] for f, above in wanted.items()}
        result = least_above(self.source, self.relation, edges)
        return [float(result[scales[f].name][np.searchsorted(wanted[f], code)]) for f, code in codes]

    def counter(self, look: Callable[[], None]) -> EngineCounter:
        """A counter for one fit; see growing.counted_table."""
        return EngineCounter(self, look)

    def end_statistics(self, tree: Tree) -> np.ndarray:
        """float64 (n_nodes, S): as tree.node_statistics, counted by the engine in one query, once for a tree."""
        if tree.classes:
            return self._ends_of(tree).copy()
        powers, center = self.end_powers(tree)
        return around(powers[:, :3], center, tree.center)

    def end_powers(self, tree: Tree) -> tuple[np.ndarray, float]:
        """(float64 (n_nodes, 5), center): sums of (y - center)^0 to (y - center)^4 of the rows that end in each node.

        y : a numeric target.
        """
        return self._ends_of(tree).copy(), float(tree.center[0])

    def _ends_of(self, tree: Tree) -> np.ndarray:
        if tree not in self._ends:
            self._ends[tree] = frozen(self._counted_ends(tree))
        return self._ends[tree]

    def _counted_ends(self, tree: Tree) -> np.ndarray:
        relation = self.relation
        cell, node = relation[self.target], end_of(tree, relation, self._texts_of(tree), self.source.is_duckdb)
        if tree.classes:
            return self._counted_classes(tree, relation.select(node=node, y=as_text(cell)))
        ends = relation.select(node=node, y=as_number(cell) - float(tree.center[0]))
        square = ends.y * ends.y
        powers = {"s0": ends.count(), "s1": ends.y.sum(), "s2": square.sum(), "s3": (square * ends.y).sum(),
                  "s4": (square * square).sum()}  # fmt: skip
        result = self.source.run(ends.group_by("node").agg(**powers))
        sums = np.zeros((tree.n_nodes, len(powers)))
        refuse_parts(result["node"].to_numpy())
        sums[result["node"].to_numpy()] = np.stack([result[name].to_numpy() for name in powers], axis=1)
        return sums

    def _texts_of(self, tree: Tree) -> dict[str, dict[str, int]]:
        """Of each feature with levels that the tree asks for, the place of each text of the engine, see end_of."""
        asked = {tree.schema.features[int(f)] for f in tree.splits.feature[~tree.is_leaf]}
        result = {}
        for feature in (f for f in asked if not f.numeric):
            cell, plan = self.relation[feature.name], (self.levels_of or {}).get(feature.name)
            texts = plan.texts if plan else value_counts(self.source, self.relation, as_text(cell), MOST_LEVELS)
            if texts is None:
                what = f"It has more than {MOST_LEVELS} levels"
                raise TreecoreError(what, where=f"Column {feature.name!r}", remedy="Judge the tree on a sample")
            result[feature.name] = _places(feature.levels, texts, cell.type())
        return result

    def _counted_classes(self, tree: Tree, ends) -> np.ndarray:
        result = self.source.run(ends.group_by("node", "y").agg(n=ends.count())).to_pydict()
        refuse_parts(np.array(result["node"], np.int64))
        place = _places(tree.classes, set(result["y"]), self.relation[self.target].type())
        stats = np.zeros((tree.n_nodes, len(tree.classes)))
        for node, text, n in zip(result["node"], result["y"], result["n"], strict=True):
            if place.get(text, -1) >= 0:
                stats[node, place[text]] += n
        return stats

    def sample(self, n: int = 10_000, seed: int = 0) -> Table:
        """About n rows as a Table in memory, the same ones for a seed; a note says that they are a sample."""
        from treecore.data.read import read_table

        names = [*self.features, *([self.target] if self.target else [])]
        rows = self.source.run(some_rows(self.source, self.relation, n, seed).select(*names))
        kinds = {p.name: p.kind for p in self.plans if p.name in names and p.kind != "ordinal"}
        table = read_table(rows.to_pandas(), target=self.target, kinds=kinds)
        drawn = f"drawn by their hash (seed {seed})"
        note = f"These are {table.n_rows} of the {self.n_rows} rows of {self.source.name}, {drawn}."
        return replace(table, notes=(*table.notes, note))


def _places(levels: tuple[str, ...], texts: Iterable[str | None], kind_of_engine) -> dict[str, int]:
    """The place among these levels of each text of a column of this type, MISSING or NO_LEVEL for none."""
    texts = [text for text in texts if text is not None]
    result = places_among(levels, [label_in_engine(kind_of_engine, text) for text in texts])
    return dict(zip(texts, result.tolist(), strict=True))


def around(stats: np.ndarray, center: float, wanted: np.ndarray) -> np.ndarray:
    """Sums (n, sum of y, of y^2), float64 (q, 3), of targets less `center` as those less the center of each node."""
    n, s1, s2 = stats.T
    less = wanted - center
    return np.stack([n, s1 - n * less, s2 - 2 * less * s1 + n * less * less], axis=1)
