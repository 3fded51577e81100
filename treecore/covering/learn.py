"""Rules straight from a table: the learner's arrays in, a list of rules out."""

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from treecore.brief import Brief
from treecore.covering.found import Answers
from treecore.covering.learner import LEARNERS, Learner
from treecore.covering.listing import listed, shares_of
from treecore.covering.rows import Rows
from treecore.covering.saved import plain_rules, read_rules
from treecore.data.discretize import cuts_of
from treecore.data.frames import as_pandas
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.pruning.j48_collapse import largest_class
from treecore.rules.judged import Judged
from treecore.rules.rule_list import RuleList
from treecore.tree.threshold_gaps import gaps_between
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix

if TYPE_CHECKING:
    from treecore.data.table import RowsLike


@dataclass(frozen=True, eq=False, repr=False)
class Learned(Brief):
    """What was learned. listed : the rules, to read, judge and answer with; the first that covers a row answers.

    answers : the same as the learner has them, for the classes for which they were learned. tree : a single leaf that
    knows the table's schema. cuts : feature -> thresholds of the bins a learner without numbers worked on.
    """

    learner: Learner
    listed: RuleList
    answers: Answers
    cuts: dict[int, np.ndarray]

    def __str__(self) -> str:
        return str(self.listed)

    @property
    def tree(self) -> Tree:
        return self.listed.tree

    def predict_proba(self, rows: "RowsLike") -> np.ndarray:
        """float64 (n_rows, n_classes): class shares, rows that lack a value being shared as the learner shares them.

        rows : a Table or a DataFrame. A row that nothing answers has zeros.
        """
        return self.answered(rows)[1]

    def predict(self, rows: "RowsLike") -> np.ndarray:
        """object (n_rows,): what the first rule that covers a row says, None without an answer.

        Where the learner shares rows among rules, the class of the greatest share; of those within 1e-6 the first.
        """
        return np.array([*self.tree.classes, None], object)[self.answered(rows)[0]]

    def answered(self, rows: "RowsLike") -> tuple[np.ndarray, np.ndarray]:
        """(int64 (n_rows,), class of each row, -1 for no answer; float64 (n_rows, n_classes), its class shares)."""
        values = _values(self.tree, as_pandas(rows), self.cuts)
        shares, left = np.zeros((values.shape[1], len(self.tree.classes))), np.ones(values.shape[1])
        answers = self.learner.answering(self.answers)
        answer = np.full(values.shape[1], answers.default)
        for rule in answers.rules:
            part = rule.parts(values) * left
            shares += part[:, None] * shares_of(rule.totals)
            left -= part
            answer[part > 0] = rule.answer
        if answers.default >= 0:
            shares += left[:, None] * shares_of(answers.totals)
        if self.learner.shared:
            answer = np.where(shares.any(axis=1), largest_class(shares, at_first=-1.0), -1)
        return answer, shares

    def error(self, table: Table) -> float:
        """Weight of the rows answered wrongly, or not at all, over that of all with a known class; NaN without any."""
        known = ~table.target_column.missing
        weight = known.astype(float) if table.weights is None else table.weights * known
        wrong = self.predict(table) != table.target_column.labels()
        return float(weight @ wrong / weight.sum()) if weight.sum() else math.nan

    def to_dict(self) -> dict:
        """Everything, as JSON values."""
        return plain_rules(self.learner, self.listed, self.answers, self.cuts)

    @classmethod
    def from_dict(cls, data: dict) -> "Learned":
        """The inverse of to_dict; TreecoreError for another version, and for what no learner could have found."""
        return cls(*read_rules(data))


def learn_rules(table: Table, learner: str = "ripper", **settings) -> Learned:
    """Rules straight from the rows of a table. learner : a name in LEARNERS. settings : of its own settings, if any.

    Rows without a target or of weight 0 count for nothing. TreecoreError for a numeric target or without features.
    """
    way = LEARNERS[learner]
    for name in settings:
        if name not in way.names:
            remedy = f"There are: {', '.join(way.names)}" if way.names else "Leave it out"
            raise TreecoreError(f"{way.label} has no setting {name!r}", where=str(name), remedy=remedy)
    given = (way.settings(**settings),) if way.settings else ()
    if table.task == "regression":
        raise TreecoreError(
            "Rules straight from data answer with classes", where=f"Column {table.target!r}",
            remedy="Choose a target with classes, or read the rules off a regression tree",
        )  # fmt: skip
    tree = grow_tree(table, GrowSettings(max_depth=0))
    cuts = _cuts(tree, table) if way.levels_only else {}
    answers = way.learn(rows_of(tree, table, cuts), *given)
    tree = _with_gaps(tree, table, answers, cuts)
    return Learned(way, listed(tree, table, way.answering(answers), cuts), answers, cuts)


def _with_gaps(tree: Tree, table: Table, answers: Answers, cuts: dict[int, np.ndarray]) -> Tree:
    """The tree whose features know between which values of the table the numbers of the rules lie."""
    asked = {(test.feature, test.value, test.sign in ("<=", ">")) for rule in answers.rules for test in rule.tests}
    asked = {test for test in asked if test[0] not in cuts}
    asked |= {(f, cut, False) for f, edges in cuts.items() for cut in edges.tolist()}
    features = list(tree.schema.features)
    for f in {f for f, *_ in asked if features[f].numeric}:
        threshold, closed = zip(*(test[1:] for test in sorted(asked) if test[0] == f), strict=True)
        of = np.array(threshold, np.float64), np.array(closed, bool)
        features[f] = replace(features[f], gaps=gaps_between(tree.schema, features[f], table.feature_columns[f], *of))
    return replace(tree, schema=replace(tree.schema, features=tuple(features)))


def rows_of(tree: Tree, table: Table, cuts: dict[int, np.ndarray]) -> Rows:
    """The table's rows that count, as learners read them."""
    schema, judged = tree.schema, Judged.of(tree, table)
    at = np.flatnonzero(judged.weight > 0)
    values = _values(tree, table, cuts)[:, at]
    levels = tuple(
        (len(cuts[f]) + 1 if len(cuts[f]) else 0) if f in cuts else len(feature.levels)
        for f, feature in enumerate(schema.features)
    )
    texts = (*(feature.levels for feature in schema.features), schema.classes)
    return Rows(values, judged.truth[at].astype(np.int64), judged.weight[at], len(schema.classes), levels, texts)


def _cuts(tree: Tree, table: Table) -> dict[int, np.ndarray]:
    """Of every numeric feature, where the entropy of the classes cuts it."""
    return {f: cuts_of(table, one.name, "entropy_mdl") for f, one in enumerate(tree.schema.features) if one.numeric}


def _values(tree: Tree, rows, cuts: dict[int, np.ndarray]) -> np.ndarray:
    """float64 (n_features, n_rows): numbers, in bins where there are cuts, or levels; one the tree lacks is missing."""
    found = value_matrix(tree.schema, np.arange(len(tree.schema.features)), rows)
    for f, feature in enumerate(tree.schema.features):
        if f in cuts:
            found[f] = np.where(np.isnan(found[f]), np.nan, np.searchsorted(cuts[f], found[f], side="right"))
        elif not feature.numeric:
            found[f] = np.where(found[f] < 0, np.nan, found[f])
    return found
