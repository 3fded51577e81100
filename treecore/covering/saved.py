"""Learned rules as plain data, and back: nothing is taken over that no learner could have found."""

import math
from dataclasses import asdict, fields, replace

import numpy as np

from treecore.covering.found import HOLDS, Answers, Found, Test
from treecore.covering.learner import LEARNERS, Learner
from treecore.covering.listing import rule_of, shares_of
from treecore.errors import TreecoreError
from treecore.rules.rule import Figures
from treecore.rules.rule_list import RuleList
from treecore.tree.plain_columns import column_of
from treecore.tree.schema import FeatureSchema
from treecore.tree.tree import Tree

RULES_VERSION = 1
Cuts = dict[int, np.ndarray]


def plain_rules(learner: Learner, listed: RuleList, answers: Answers, cuts: Cuts) -> dict:
    """Learned rules as JSON values; see learn.Learned for the parts."""
    rules = [
        {
            "tests": [asdict(test) for test in found.tests],
            "answer": found.answer,
            "totals": list(found.totals),
            "train": None if rule.train is None else _plain_figures(rule.train),
        }
        for found, rule in zip(answers.rules, listed.rules, strict=True)
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


def read_rules(data: dict) -> tuple[Learner, RuleList, Answers, Cuts]:
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
    found = tuple(_found(tree, cuts, entry, f"rules, entry {i}") for i, entry in enumerate(entries))
    n_classes, rows = len(tree.classes), _part(data, "default_rows")
    default = _whole("default", _part(data, "default"), -1, n_classes - 1)
    answers = Answers(found, default, _totals("totals", _part(data, "totals"), n_classes, may_lack=default < 0))
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
    found = tuple(_number(where, value, least=0.0) for value in _list(where, values))
    if len(found) != n_classes or not math.isfinite(sum(found)):
        raise _wrong(where, f"There are not {n_classes} class weights")
    return found


def _cuts(learner: Learner, tree: Tree, data) -> Cuts:
    """Of every numeric feature, where the learner puts numbers in bins."""
    binned = [str(f) for f, one in enumerate(tree.schema.features) if one.numeric] if learner.levels_only else []
    if not isinstance(data, dict) or sorted(data) != sorted(binned):
        raise _wrong("cuts", "There are not the bins of the numeric features")
    cuts = {int(f): column_of(f"cuts, {f}", data[f], np.float64) for f in binned}
    if not all(np.isfinite(edges).all() and (np.diff(edges) > 0).all() for edges in cuts.values()):
        raise _wrong("cuts", "They do not ascend")
    return cuts


def _found(tree: Tree, cuts: Cuts, data, where: str) -> Found:
    n_classes = len(tree.classes)
    tests = _list(f"{where}, tests", _part(data, "tests"))
    return Found(
        tuple(_test(tree, cuts, test, f"{where}, test {i}") for i, test in enumerate(tests)),
        _whole(f"{where}, answer", _part(data, "answer"), 0, n_classes - 1),
        _totals(f"{where}, totals", _part(data, "totals"), n_classes),
    )


def _test(tree: Tree, cuts: Cuts, data, where: str) -> Test:
    features = tree.schema.features
    f = _whole(f"{where}, feature", _part(data, "feature"), 0, len(features) - 1)
    sign, n_levels = _part(data, "sign"), _n_levels(features[f], cuts.get(f))
    allowed = ("=",) if f in cuts else ("=", "!=") if n_levels else ("<", "<=", ">=", ">")
    if not isinstance(sign, str) or sign not in HOLDS or sign not in allowed:
        raise _wrong(f"{where}, sign", f"It is none of {', '.join(allowed)}")
    value = _number(f"{where}, value", _part(data, "value"))
    if n_levels and not (value.is_integer() and 0 <= value < n_levels):
        raise _wrong(f"{where}, value", "There is no such level or bin")
    return Test(f, sign, value, _number(f"{where}, share", _part(data, "share"), 0.0, 1.0))


def _n_levels(feature: FeatureSchema, edges: np.ndarray | None) -> int:
    """Of a feature as the learner reads it; 0 for numbers."""
    return len(feature.levels) if edges is None else len(edges) + 1


def _plain_figures(figures: Figures) -> dict:
    """NaN, the error of a rule that covers nothing, is null. Rules that are saved are of classes: no other measure."""
    plain = asdict(figures) | {"shares": list(figures.shares)}
    return {name: None if value != value else value for name, value in plain.items() if name != "measure"}


APART = "shares", "measure"
"""Figures that are read otherwise, or not saved."""


def _figures(data, n_classes: int, where: str) -> Figures | None:
    if data is None:
        return None
    found = {field.name: _part(data, field.name) for field in fields(Figures) if field.name not in APART}
    n_rows = _whole(f"{where}, n_rows", found.pop("n_rows"), 0, 2**53)
    known = {name: _number(f"{where}, {name}", value, 0.0) for name, value in found.items() if value is not None}
    missing = {"weight", "support"} - set(known)
    if missing:
        raise _wrong(where, f"There is no {missing.pop()}")
    shares = _list(f"{where}, shares", data.get("shares", []))  # files of before have none
    if len(shares) not in (0, n_classes):
        raise _wrong(f"{where}, shares", f"There are {n_classes} classes")
    most = 1.0 + 1e-9  # sums of weights may differ in their last digits
    return Figures(n_rows, **known, shares=tuple(_number(f"{where}, shares", share, 0.0, most) for share in shares))
