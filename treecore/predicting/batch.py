"""A table without answers gets them: answer, shares, leaf and rule of every row, beside what the file had."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from treecore.brief import Brief
from treecore.data.formula_injection import arrow_of, harmless_text
from treecore.data.raw_table import RawTable
from treecore.data.table import Table
from treecore.figures import percent
from treecore.judging.interest import FlagRule, observed_shares, segment_numbers, weighted_words
from treecore.rules.rule_set import rules
from treecore.study.other_table import other_table
from treecore.tree.predict import answered_with, predicted_labels, route
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Scored(Brief):
    """The rows of a table, or what else was given, with what the tree says of them.

    labels : int64 (n_rows,), class of each row, -1 for no answer; None for numbers. values : float64 (n_rows,), the
    numbers; None for classes. shares : float64 (n_rows, n_classes), class shares of the training rows of the leaf as
    they are, NaN without an answer; None for numbers. weighted : the same as predict_proba gives them, where class
    weights or an estimate make others of them; else None.
    leaf : int64 (n_rows,), the node where each row ends, that of the largest share where there are several.
    parts : where some rows are shared among several nodes, text of each of these rows, null for the others.
    flag : bool (n_rows,) masked where there is no answer, and segment : int64 (n_rows,), number of each row's leaf from
    the highest rate down, 0 where it stops at a node that is none; None without a flag rule.
    """

    tree: Tree
    table: Table
    labels: np.ndarray | None
    values: np.ndarray | None
    shares: np.ndarray | None
    leaf: np.ndarray
    parts: pa.Array | None = None
    weighted: np.ndarray | None = None
    flag: np.ma.MaskedArray | None = None
    segment: np.ndarray | None = None

    @cached_property
    def _rule_of(self) -> dict[int, str]:
        return {rule.leaf: rule.premise for rule in rules(self.tree).without_implied()}

    def columns(self, rule: bool = True, guarded: bool = True) -> dict[str, pa.Array]:
        """answer, share_<class>, weighted_share_<class> (estimated_share_<class>, where no class has a weight) where
        those are others, flag (1 or 0) and segment where there is a flag rule, leaf, parts where rows are shared and,
        if asked for, the leaf's rule, as columns of their own.

        guarded : see arrow_of.
        """
        text_of = harmless_text if guarded else str
        columns = {"answer": self._answers(text_of)}
        weighted = "estimated_share" if self.tree.priors is None else "weighted_share"
        for what, shares in (("share", self.shares), (weighted, self.weighted)):
            if shares is None:
                continue
            for k, name in enumerate(self.tree.classes):
                share = shares[:, k]
                columns[f"{what}_{name}"] = pa.array(share, mask=np.isnan(share))
        if self.flag is not None:
            columns["flag"] = pa.array(self.flag.data.astype(np.int8), mask=np.ma.getmaskarray(self.flag))
            columns["segment"] = pa.array(self.segment, mask=self.segment == 0)
        columns["leaf"] = pa.array(self.leaf)
        if self.parts is not None:
            columns["parts"] = self.parts
        if rule:
            nodes, place = np.unique(self.leaf, return_inverse=True)
            texts = [text_of(self._rule_of.get(int(node), self.tree.node(int(node)).rule)) for node in nodes]
            columns["rule"] = pa.DictionaryArray.from_arrays(pa.array(place), pa.array(texts, pa.string())).cast(
                "string"
            )
        return columns

    def rows_by_answer(self) -> np.ndarray:
        """int64 (n_nodes, n_classes + 1): rows of each answer that come to each node; the last column has those without
        one, and all rows where the target is a number."""
        none = len(self.tree.classes)
        answer = np.full(len(self.leaf), none) if self.labels is None else np.where(self.labels < 0, none, self.labels)
        here = np.zeros((self.tree.n_nodes, none + 1), np.int64)
        np.add.at(here, (self.leaf, answer), 1)
        return self.tree.add_up(here)

    def _answers(self, text_of: Callable[[str], str]) -> pa.Array:
        if self.labels is None:
            assert self.values is not None
            return pa.array(self.values, mask=np.isnan(self.values))
        names = pa.array([text_of(name) for name in self.tree.classes], pa.string())
        return pa.DictionaryArray.from_arrays(pa.array(self.labels, mask=self.labels < 0), names).cast("string")

    def beside(self, raw: RawTable, rule: bool = True, guarded: bool = True) -> pa.Table:
        """The file's columns, then ours; a name that the file has already gets a number behind it.

        guarded : text that a spreadsheet would work out is not left to it; for other readers it is as it was.
        """
        made = arrow_of(raw, guarded)
        for name, column in self.columns(rule, guarded).items():
            made = made.append_column(_free(name, made.column_names), column)
        return made


def rows_of(tree: Tree, raw: RawTable, derive: Mapping | None = None, infinite: str = "error") -> Table:
    """What the tree reads of a file, columns matched by name; notes name levels that it does not know.

    derive, infinite : see other_table.

    TreecoreError, before anything is answered, names a column that is absent, or cells that are no numbers.
    """
    return other_table(tree, raw, derive, infinite=infinite, needs_target=False)


def score(tree: Tree, table: Table, flag: FlagRule | None = None) -> Scored:
    """Ask the tree about every row of a table, or of what else Tree.predict takes. flag : which rows are flagged."""
    leaf, parts = tree.apply(table), _parts(tree, table)
    flagged: dict[str, Any] = {} if flag is None else _flagged(tree, table, flag, leaf)
    if not tree.classes:
        return Scored(tree, table, None, tree.predict(table), None, leaf, parts, **flagged)
    proba, observed = tree.predict_proba(table), None
    if weighted_words(tree):
        observed = answered_with(tree, table, observed_shares(tree))
    return Scored(
        tree,
        table,
        predicted_labels(tree, table),
        None,
        proba if observed is None else observed,
        leaf,
        parts,
        None if observed is None else proba,
        **flagged,
    )


def _flagged(tree: Tree, table: Table, rule: FlagRule, leaf: np.ndarray) -> dict[str, np.ndarray]:
    """The fields `flag` and `segment` of Scored."""
    rates = rule.rates_of_rows(tree, table)
    flag = np.ma.MaskedArray(rule.flags(rates), np.isnan(rates))
    return {"flag": flag, "segment": segment_numbers(tree, rule.rates(tree))[leaf]}


def _parts(tree: Tree, table: Table) -> pa.Array | None:
    """Of rows that are shared among nodes, these with their parts: "4 35.7 %, 5 64.3 %", the largest first."""
    routes = route(tree, table)
    if routes.whole:
        return None
    texts: list[str | None] = [None] * (int(routes.row[-1]) + 1)
    starts = np.flatnonzero(np.diff(routes.row, prepend=-1))
    for start, stop in zip(starts, [*starts[1:], len(routes.row)], strict=True):
        if stop - start > 1:
            order = start + np.argsort(-routes.share[start:stop], kind="stable")
            texts[routes.row[start]] = ", ".join(f"{routes.node[i]} {percent(routes.share[i])}" for i in order)
    return pa.array(texts, pa.string())


def harmless_columns(table: pa.Table) -> pa.Table:
    """The same table with all text guarded that a spreadsheet would work out; see data.formula_injection."""
    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type):
            cells = [None if cell is None else harmless_text(cell) for cell in table.column(place).to_pylist()]
            table = table.set_column(place, field.name, pa.array(cells, pa.string()))
    return table


def as_csv(table: pa.Table) -> bytes:
    """UTF-8 with a header; names of columns are guarded as cells are."""
    guarded = table.rename_columns([harmless_text(name) for name in table.column_names])
    try:
        return _csv(guarded, "none")
    except pa.ArrowInvalid:  # some cell needs quotes, then all text gets them
        return _csv(guarded, "needed")


def _csv(table: pa.Table, quoting: str) -> bytes:
    made = io.BytesIO()
    csv.write_csv(table, made, csv.WriteOptions(quoting_style=quoting, quoting_header=quoting))
    return made.getvalue()


def as_parquet(table: pa.Table) -> bytes:
    """A Parquet file."""
    made = io.BytesIO()
    parquet.write_table(table, made)
    return made.getvalue()


def _free(name: str, taken: list[str]) -> str:
    if name not in taken:
        return name
    number = next(i for i in range(2, len(taken) + 3) if f"{name}_{i}" not in taken)
    return f"{name}_{number}"
