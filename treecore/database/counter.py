"""Counting the rows of one fit: by node, feature, code and class, one query for all open nodes of a level."""

from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np

from treecore.database.column_summary import union
from treecore.database.connection import ConnectionLost, DatabaseSource, NoAnswer
from treecore.database.engine_columns import exact
from treecore.errors import TreecoreError
from treecore.growing.counted_table import CountedValues, Cut, Sent

# The values of a table beside cuts between bins, as an engine counts them.

MOST_VALUES = 100_000
"""Rows beside a cut of which every value comes here; of more, as many as PARTS parts of the same width."""
PARTS = 4096


def values_around_cuts(cuts: Sequence[Cut], rows, n_classes: int, source: DatabaseSource, look) -> list[CountedValues]:
    """The values of each cut, with one query. rows : an Ibis table of c0, …, v0, …, y and node.

    TreecoreError where the rows are not as many as they were.
    """
    by_feature = groupby(sorted(cuts, key=lambda c: c.feature), key=lambda c: c.feature)
    queries = [_query(list(here), f, rows, bool(n_classes)) for f, here in by_feature]
    result = source.attempt(union(queries).to_pyarrow, look)
    columns = {name: result[name].to_numpy() for name in result.column_names}
    return [_values(cut, columns, n_classes, source) for cut in cuts]


def _query(cuts: list[Cut], f: int, rows, by_class: bool):
    """Rows beside these cuts of feature f, counted by node, value (or part) and class."""
    import ibis

    code, cell = rows[f"c{f}"], rows[f"v{f}"]
    inside = ibis.or_(*((rows.node == c.node) & (code >= c.low) & (code <= c.high) for c in cuts))
    parts = [(rows.node == c.node, _part(c, code, cell)) for c in cuts if c.n_rows > MOST_VALUES]
    key = ibis.cases(*parts, else_=cell) if parts else cell
    chosen = rows.select("node", "y", inside=inside, key=key, cell=cell)
    chosen = chosen.filter(chosen.inside)
    figures = {"n": chosen.count(), "low": chosen.cell.min(), "high": chosen.cell.max()}
    if by_class:
        return chosen.group_by("node", "key", "y").agg(**figures)
    return chosen.group_by("node", "key").agg(**figures, s1=chosen.y.sum(), s2=(chosen.y * chosen.y).sum())


def _part(cut: Cut, code, cell):
    """float64: which of the parts between the cut's ends a value is in; the first where it is below them.

    Those of each bin are its own, so that the cut between the bins is one of those that are judged anew.
    """
    width = cut.above - cut.below if cut.below is not None else abs(cut.above)
    below = cut.above - (width or 1.0)
    part = ((cell - exact(below)) * exact(PARTS / (width or 1.0))).floor().cast("float64").clip(lower=0, upper=PARTS)
    return code.cast("float64") * exact(PARTS + 1.0) + part


def _values(cut: Cut, columns: dict[str, np.ndarray], n_classes: int, source: DatabaseSource) -> CountedValues:
    here = columns["node"] == cut.node
    result = {name: column[here] for name, column in columns.items()}
    keys, at = np.unique(result["key"], return_inverse=True)
    if round(result["n"].sum()) != cut.n_rows:
        raise rows_changed(source)
    low, high = np.full(len(keys), np.inf), np.full(len(keys), -np.inf)
    np.minimum.at(low, at, result["low"])
    np.maximum.at(high, at, result["high"])
    if n_classes:
        sums = np.zeros((len(keys), n_classes))
        sums[at, result["y"]] = result["n"]
    else:
        sums = np.zeros((len(keys), 3))
        sums[at] = np.stack([result["n"], result["s1"], result["s2"]], axis=1)
    return CountedValues(low, high, sums)


def rows_changed(source: DatabaseSource) -> TreecoreError:
    """The error where rows are not as many as they were."""
    return NoAnswer(
        "Its rows have changed while the tree was growing", where=source.name,
        remedy="Grow again when nobody writes to it, or on a snapshot",
    )  # fmt: skip


MOST_KEPT = 16_000_000
"""Sums of nodes that are kept for the sake of their children: 128 MB."""
MOST_ASKED = 60
"""Features times levels of the tree since the node of each row was last written down: beyond, that is sooner."""


class EngineCounter:
    """A table's rows as an engine counts them.

    The node of each row follows from the splits made so far, as a CASE over its codes; every few levels it is written
    down with them where they are written down too, and rows at leaves are left behind.

    Of the children of a node all are counted but the largest, which has what they leave of the node's: where classes
    are counted, whose numbers are whole, and codes are written down, so that they are those of the node.
    """

    def __init__(self, table, look: Callable[[], None]):
        self._table, self._source, self._look = table, table.source, look
        columns = table.feature_columns
        self._n_codes = [c.n_distinct for c in columns]
        self._has_missing = [c.n_missing > 0 for c in columns]
        self._n_classes = len(table.classes)
        self._sent: dict[int, Sent] = {}
        self._parent: dict[int, int] = {}
        self._begin()
        self._n_open: dict[int, float] = {0: float(table.n_rows)}

    def _begin(self) -> None:
        """Start from the codes alone, with all splits made so far still to be followed."""
        codes, self._connection = self._table.codes, self._source.n_connections
        self._rows, self._names, self._may_write, self._is_ours = codes.rows, codes.names, codes.is_cached, False
        self._columns = (*codes.names, *codes.values, "y")
        self._tops, self._levels = {0}, MOST_ASKED if self._sent else 0
        self._above: dict[int, np.ndarray] = {}

    def _write_down(self, query) -> None:
        kept = self._source.cached(query, self._look)
        if kept is not None:
            self.close()
            self._rows, self._is_ours = kept, True

    def cells(self, nodes: Sequence[int]) -> np.ndarray:
        """See growing.counted_table.Counter. TreecoreError where the table has changed since it was opened.

        Where the connection is lost, it is these nodes that are counted again, on a new one.
        """
        return self._again(lambda: self._counted(nodes))

    def values(self, cuts: Sequence[Cut]) -> list[CountedValues]:
        """See growing.counted_table.Counter; what goes wrong as in `cells`."""
        return self._again(
            lambda: values_around_cuts(
                cuts, self._placed({c.node for c in cuts}, self._columns), self._n_classes, self._source, self._look
            )
        )

    def _again(self, count: Callable):
        """What this comes to, on a new connection where the last one was lost."""
        try:
            return count()
        except ConnectionLost:
            self._source.reconnect(self._look)
            return count()

    def _placed(self, nodes: set[int], columns: Sequence[str]):
        """These columns of the rows at these nodes, with their node: one part of a query for all features, so that it
        is found once."""
        if self._connection != self._source.n_connections:  # what was written down went with the last one
            self._begin()
        rows = self._rows.select(*columns, node=self._place(self._rows, nodes))
        if not self._sent:  # all rows are at the root
            return rows
        return rows.filter(rows.node.notnull()).alias("placed")  # Ibis puts what has no name into the query of each

    def _counted(self, nodes: Sequence[int]) -> np.ndarray:
        if self._connection != self._source.n_connections:
            self._begin()
        rest = self._rest(nodes)
        others = {child for node in rest for child in self._siblings(node)}
        result = self._asked(sorted((set(nodes) | others) - set(rest)))
        for node in rest:
            result[node] = self._above[self._parent[node]] - sum(result[child] for child in self._siblings(node))
        for node in nodes:
            self._above.pop(self._parent.get(node), None)
        return np.stack([result[node] for node in nodes])

    def _rest(self, nodes: Sequence[int]) -> list[int]:
        """Of these nodes those that have what their siblings leave, where fewer rows are to be counted for that."""
        largest = sorted(nodes, key=lambda node: (-self._n_open[node], node))
        result: dict[int | None, int] = {}
        for node in largest:
            result.setdefault(self._parent.get(node), node)
        return [node for parent, node in result.items() if parent in self._above and self._is_less(parent, node, nodes)]

    def _is_less(self, parent: int, node: int, nodes: Sequence[int]) -> bool:
        """Do all children of a node but this one have fewer rows than those of them that are asked for?"""
        n_rows = dict(zip(self._sent[parent].children, self._sent[parent].n_rows, strict=True))
        asked = sum(n for child, n in n_rows.items() if child in set(nodes))
        return sum(n_rows.values()) == self._n_open[parent] and sum(n_rows.values()) - n_rows[node] < asked

    def _siblings(self, node: int) -> list[int]:
        return [child for child in self._sent[self._parent[node]].children if child != node]

    def _asked(self, nodes: Sequence[int]) -> dict[int, np.ndarray]:
        """Node -> float64 (d, codes, S), of these nodes as the engine counts them."""
        self._write_nodes_down(nodes)
        placed = self._placed(set(nodes), (*self._names, "y"))
        queries = [self._query(placed, f) for f in range(len(self._names))]
        result = self._source.attempt(union(queries).to_pyarrow, self._look)
        feature, node, code, n = (result[name].to_numpy() for name in ("feature", "node", "code", "n"))
        d, m = len(self._names), max(self._n_codes) + 1
        at = np.searchsorted(np.array(nodes), node)
        if self._n_classes:
            sums = np.zeros((len(nodes), d, m, self._n_classes))
            sums[at, feature, code, result["y"].to_numpy()] = n
        else:
            sums = np.zeros((len(nodes), d, m, 3))
            sums[at, feature, code] = np.stack([n, result["s1"].to_numpy(), result["s2"].to_numpy()], axis=1)
        self._check(nodes, sums)
        return dict(zip(nodes, sums, strict=True))

    def _query(self, placed, f: int):
        """Rows with their node, counted by node, the code of feature f and the class."""
        import ibis

        chosen = placed.select("node", "y", code=placed[self._names[f]])
        if self._n_classes:
            counted = chosen.group_by("node", "code", "y").agg(n=chosen.count())
        else:
            counted = chosen.group_by("node", "code").agg(
                n=chosen.count(), s1=chosen.y.sum(), s2=(chosen.y * chosen.y).sum()
            )
        return counted.mutate(code=counted.code.cast("int32"), feature=ibis.literal(f, "int32"))

    def _check(self, nodes: Sequence[int], sums: np.ndarray) -> None:
        """The rows at a node are as many as when its parent was counted, for every feature."""
        counts = sums.sum(axis=3) if self._n_classes else sums[..., 0]
        expected = np.array([self._n_open.get(node, np.nan) for node in nodes])
        if (np.abs(counts.sum(axis=2) - expected[:, None]) > 0.5).any():
            raise rows_changed(self._source)

    def split(self, sent: Sequence[Sent], sums: Sequence[np.ndarray]) -> None:
        """See growing.counted_table.Counter."""
        for split in sent:
            self._sent[split.node] = split
            self._parent |= dict.fromkeys(split.children, split.node)
            self._n_open |= zip(split.children, split.n_rows, strict=True)
        if self._may_write and self._n_classes:
            self._above |= zip((split.node for split in sent), sums, strict=True)
            most = MOST_KEPT // sums[0].size + 1
            self._above = dict(list(self._above.items())[-most:])
        self._levels += 1

    def _write_nodes_down(self, nodes: Sequence[int]) -> None:
        """Write down at which open node each row is, if that has become worth it."""
        if not self._may_write or self._levels * len(self._names) < MOST_ASKED:
            return
        rows, open_nodes = self._rows, {n for n in self._parent if n not in self._sent}
        place = self._place(rows, open_nodes)
        query = rows.select(*self._columns, node=place.cast("int32"))
        self._write_down(query.filter(query.node.notnull()))
        self._tops, self._levels = open_nodes, 0

    def _place(self, rows, wanted: set[int]):
        """int32: which of the wanted nodes each row is at, NULL for none."""
        import ibis

        needed, nothing = set(wanted), ibis.null("int32")
        for node in wanted:
            while node not in self._tops:
                node = self._parent[node]
                needed.add(node)

        def below(node: int):
            if node not in needed:
                return nothing
            split = self._sent.get(node)
            return ibis.literal(node, "int32") if split is None else self._branch(rows, split, below)

        tops = sorted(self._tops & needed)
        if "node" not in rows.columns:
            return below(tops[0])

        def among(low: int, high: int):
            if high - low == 1:
                return ibis.ifelse(rows.node == tops[low], below(tops[low]), nothing)
            middle = (low + high) // 2
            return ibis.ifelse(rows.node < tops[middle], among(low, middle), among(middle, high))

        return among(0, len(tops)) if tops else nothing

    def _branch(self, rows, split: Sent, below: Callable):
        """Where the rows of a node go. Every child stands in the query once."""
        import ibis

        code, rest = rows[self._names[split.feature]], None
        if split.branch is None:
            rest = 1 - split.low_branch  # all that are not below: it is the conditions that take long
            cell, edge = (code, split.low) if split.edge is None else (rows[f"v{split.feature}"], exact(split.edge))
            asked = {split.low_branch: cell <= edge}
        else:
            seen = [int(b) for b in np.unique(split.branch) if b >= 0]
            asked = {b: code.isin(np.flatnonzero(split.branch == b).tolist()) for b in seen}
        branch, missing = split.missing_branch, code == self._n_codes[split.feature]
        cases = []
        if self._has_missing[split.feature] and branch < 0:
            cases.append((missing, ibis.null("int32")))
        elif self._has_missing[split.feature] and branch != rest:
            asked[branch] = asked[branch] | missing if branch in asked else missing
        cases += [(asked[b], below(child)) for b, child in enumerate(split.children) if b in asked]
        return ibis.cases(*cases, else_=ibis.null("int32") if rest is None else below(split.children[rest]))

    def close(self) -> None:
        """Forget what was written down."""
        if self._is_ours:
            self._source.drop(self._rows)
            self._is_ours = False
