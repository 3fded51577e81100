"""Rules straight from a table: learned, applied to rows, and saved as plain data and read back."""

import math
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from treecore.brief import Brief
from treecore.covering.rule_learner import LEARNERS, RuleLearner, as_rule_list, rule_of, shares_of
from treecore.covering.value_rules import HOLDS, TrainingArrays, ValueRule, ValueRules, ValueTest
from treecore.data.discretize import cuts_of
from treecore.data.frames import as_pandas
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.pruning.j48 import largest_class
from treecore.rules.cover import LabelledRows
from treecore.rules.rule import Figures
from treecore.rules.rule_set import RuleList
from treecore.tree.schema import FeatureSchema
from treecore.tree.splits import column_of
from treecore.tree.threshold_gaps import gaps_between
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix

if TYPE_CHECKING:
    from treecore.data.table import RowsLike


# Learned rules as plain data, and back: nothing is taken over that no learner could have found.

RULES_VERSION = 1
BinCuts = dict[int, np.ndarray]


def plain_rules(learner: RuleLearner, listed: RuleList, answers: ValueRules, cuts: BinCuts) -> dict:
    """Learned rules as JSON values; see Learned for the parts."""
    rules = [
        {
            "tests": [asdict(test) for test in learned.tests],
            "answer": learned.answer,
            "totals": list(learned.totals),
            "train": None if rule.train is None else _plain_figures(rule.train),
        }
        for learned, rule in zip(answers.rules, listed.rules, strict=True)
    ]
    return {
        "rules_version": RULES_VERSION,
        "learner": learner.name,
        "tree": listed.tree.to_dict(gaps=True),
        "cuts": {str(f): edges.tolist() for f, edges in cuts.items()},
        "rules": rules,
        "default": answers.default,
        "totals": list(answers.totals),
        "default_rows": listed.default_rows,
    }


def read_rules(data: dict) -> tuple[RuleLearner, RuleList, ValueRules, BinCuts]:
    """The inverse of plain_rules. TreecoreError for another version and for what is no list of learned rules."""
    if not isinstance(data, dict) or "rules_version" not in data:
        raise _wrong("rules", "These are no saved rules")
    if data["rules_version"] != RULES_VERSION:
        remedy = f"This version reads {RULES_VERSION}: learn the rules again"
        what = f"These rules were saved with version {data['rules_version']!r}"
        raise TreecoreError(what, where="rules_version", remedy=remedy)
    learner, tree = LEARNERS[_part(data, "learner")], Tree.from_dict(_part(data, "tree"))
    if tree.n_nodes != 1 or not tree.classes:
        raise _wrong("tree", "It is no single leaf that answers with classes")
    cuts = _cuts(learner, tree, _part(data, "cuts"))
    entries = _list("rules", _part(data, "rules"))
    learned = tuple(_rule(tree, cuts, entry, f"rules, entry {i}") for i, entry in enumerate(entries))
    n_classes, rows = len(tree.classes), _part(data, "default_rows")
    default = _whole("default", _part(data, "default"), -1, n_classes - 1)
    answers = ValueRules(learned, default, _totals("totals", _part(data, "totals"), n_classes, may_lack=default < 0))
    rules = tuple(
        replace(rule_of(tree, one, cuts), train=_figures(_part(entry, "train"), n_classes, f"rules, entry {i}, train"))
        for i, (one, entry) in enumerate(zip(learner.answering(answers).rules, entries, strict=True))
    )
    shares = tuple(shares_of(answers.totals).tolist()) or (0.0,) * n_classes
    rows = None if rows is None else _whole("default_rows", rows, 1, 2**53)
    return learner, RuleList(tree, rules, learner.answering(answers).default, shares, rows), answers, cuts


def _wrong(where: str, what: str) -> TreecoreError:
    return TreecoreError(what, where=f"Saved rules, {where}", remedy="Load what `to_dict` wrote")


def _part(data, name: str):
    if not isinstance(data, dict) or name not in data:
        raise _wrong(name, "It is missing")
    return data[name]


def _list(where: str, values) -> list:
    if not isinstance(values, list):
        raise _wrong(where, "There is no list")
    return values


def _whole(where: str, value, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise _wrong(where, f"It is no whole number from {least} to {most}")
    return value


def _number(where: str, value, least: float = -math.inf, most: float = math.inf) -> float:
    number = column_of(where, [value], np.float64)[0]
    if not (math.isfinite(number) and least <= number <= most):
        raise _wrong(where, "It is no number that it could be")
    return float(number)


def _totals(where: str, values, n_classes: int, may_lack: bool = False) -> tuple[float, ...]:
    """Class weights."""
    if may_lack and values == []:
        return ()
    totals = tuple(_number(where, value, least=0.0) for value in _list(where, values))
    if len(totals) != n_classes or not math.isfinite(sum(totals)):
        raise _wrong(where, f"There are not {n_classes} class weights")
    return totals


def _cuts(learner: RuleLearner, tree: Tree, data) -> BinCuts:
    """Of every numeric feature, where the learner puts numbers in bins."""
    binned = [str(f) for f, one in enumerate(tree.schema.features) if one.numeric] if learner.levels_only else []
    if not isinstance(data, dict) or sorted(data) != sorted(binned):
        raise _wrong("cuts", "There are not the bins of the numeric features")
    cuts = {int(f): column_of(f"cuts, {f}", data[f], np.float64) for f in binned}
    if not all(np.isfinite(edges).all() and (np.diff(edges) > 0).all() for edges in cuts.values()):
        raise _wrong("cuts", "They do not ascend")
    return cuts


def _rule(tree: Tree, cuts: BinCuts, data, where: str) -> ValueRule:
    n_classes = len(tree.classes)
    tests = _list(f"{where}, tests", _part(data, "tests"))
    return ValueRule(
        tuple(_test(tree, cuts, test, f"{where}, test {i}") for i, test in enumerate(tests)),
        _whole(f"{where}, answer", _part(data, "answer"), 0, n_classes - 1),
        _totals(f"{where}, totals", _part(data, "totals"), n_classes),
    )


def _test(tree: Tree, cuts: BinCuts, data, where: str) -> ValueTest:
    features = tree.schema.features
    f = _whole(f"{where}, feature", _part(data, "feature"), 0, len(features) - 1)
    sign, n_levels = _part(data, "sign"), _n_levels(features[f], cuts.get(f))
    allowed = ("=",) if f in cuts else ("=", "!=") if n_levels else ("<", "<=", ">=", ">")
    if not isinstance(sign, str) or sign not in HOLDS or sign not in allowed:
        raise _wrong(f"{where}, sign", f"It is none of {', '.join(allowed)}")
    value = _number(f"{where}, value", _part(data, "value"))
    if n_levels and not (value.is_integer() and 0 <= value < n_levels):
        raise _wrong(f"{where}, value", "There is no such level or bin")
    return ValueTest(f, sign, value, _number(f"{where}, share", _part(data, "share"), 0.0, 1.0))


def _n_levels(feature: FeatureSchema, edges: np.ndarray | None) -> int:
    """Of a feature as the learner reads it; 0 for numbers."""
    return len(feature.levels) if edges is None else len(edges) + 1


def _plain_figures(figures: Figures) -> dict:
    """NaN, the error of a rule that covers nothing, is null."""
    plain = asdict(figures) | {"shares": list(figures.shares)}
    return {name: None if value != value else value for name, value in plain.items()}


def _figures(data, n_classes: int, where: str) -> Figures | None:
    if data is None:
        return None
    numbers = {field.name: _part(data, field.name) for field in fields(Figures) if field.name != "shares"}
    n_rows = _whole(f"{where}, n_rows", numbers.pop("n_rows"), 0, 2**53)
    known = {name: _number(f"{where}, {name}", value, 0.0) for name, value in numbers.items() if value is not None}
    missing = {"weight", "support"} - set(known)
    if missing:
        raise _wrong(where, f"There is no {missing.pop()}")
    shares = _list(f"{where}, shares", data.get("shares", []))  # files of before have none
    if len(shares) not in (0, n_classes):
        raise _wrong(f"{where}, shares", f"There are {n_classes} classes")
    most = 1.0 + 1e-9  # sums of weights may differ in their last digits
    return Figures(n_rows, **known, shares=tuple(_number(f"{where}, shares", share, 0.0, most) for share in shares))


@dataclass(frozen=True, eq=False, repr=False)
class Learned(Brief):
    """What was learned. listed : the rules, to read, judge and answer with; the first that covers a row answers.

    answers : the same as the learner has them, for the classes for which they were learned. tree : a single leaf that
    knows the table's schema. cuts : feature -> thresholds of the bins a learner without numbers worked on.
    """

    learner: RuleLearner
    listed: RuleList
    answers: ValueRules
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
    arguments = (way.settings(**settings),) if way.settings else ()
    if table.task != "classification":
        raise TreecoreError(
            f"Rules straight from data answer with classes, and the target holds {table.target_kind.held}",
            where=f"Column {table.target!r}", remedy="Choose a target with classes, or read the rules off a tree of it",
        )  # fmt: skip
    tree = grow_tree(table, GrowSettings(max_depth=0))
    cuts = _entropy_cuts(tree, table) if way.levels_only else {}
    answers = way.learn(rows_of(tree, table, cuts), *arguments)
    tree = _with_gaps(tree, table, answers, cuts)
    return Learned(way, as_rule_list(tree, table, way.answering(answers), cuts), answers, cuts)


def _with_gaps(tree: Tree, table: Table, answers: ValueRules, cuts: dict[int, np.ndarray]) -> Tree:
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


def rows_of(tree: Tree, table: Table, cuts: dict[int, np.ndarray]) -> TrainingArrays:
    """The table's rows that count, as learners read them."""
    schema, judged = tree.schema, LabelledRows.of(tree, table)
    at = np.flatnonzero(judged.weight > 0)
    values = _values(tree, table, cuts)[:, at]
    levels = tuple(
        (len(cuts[f]) + 1 if len(cuts[f]) else 0) if f in cuts else len(feature.levels)
        for f, feature in enumerate(schema.features)
    )
    texts = (*(feature.levels for feature in schema.features), schema.classes)
    return TrainingArrays(
        values, judged.truth[at].astype(np.int64), judged.weight[at], len(schema.classes), levels, texts
    )


def _entropy_cuts(tree: Tree, table: Table) -> dict[int, np.ndarray]:
    """Of every numeric feature, where the entropy of the classes cuts it."""
    return {f: cuts_of(table, one.name, "entropy_mdl") for f, one in enumerate(tree.schema.features) if one.numeric}


def _values(tree: Tree, rows, cuts: dict[int, np.ndarray]) -> np.ndarray:
    """float64 (n_features, n_rows): numbers, in bins where there are cuts, or levels; one the tree lacks is missing."""
    values = value_matrix(tree.schema, np.arange(len(tree.schema.features)), rows)
    for f, feature in enumerate(tree.schema.features):
        if f in cuts:
            values[f] = np.where(np.isnan(values[f]), np.nan, np.searchsorted(cuts[f], values[f], side="right"))
        elif not feature.numeric:
            values[f] = np.where(values[f] < 0, np.nan, values[f])
    return values
