"""Weka's rule learners: Prism, JRip and PART, rule for rule."""

import numpy as np

import treecore as tc
from tests.peers.case import Case, probe_table, table_of
from tests.peers.compare import Verdict
from tests.peers.predict import judge_predictions
from tests.peers.recorded import prediction_difference
from tests.peers.settings import options
from tests.peers.weka_j48 import as_nominal
from treecore.covering import Learned, learn_rules

SIGNS = {"eq": "=", "ne": "!="}
OPTIONS = {
    "weka_prism": {},
    "weka_part": {
        "M": ("least", float), "C": ("cf", float), "U": ("prune", False), "B": ("binary", True),
        "R": ("reduced_error", True), "N": ("folds", int), "Q": ("seed", int),
    },
    "weka_jrip": {
        "F": ("folds", int), "N": ("least", float), "O": ("rounds", int), "S": ("seed", int), "P": ("prune", False),
        "E": ("check_error", False),
    },
}  # fmt: skip
"""System -> switch -> (our setting, what reads its value, or what it means)."""


def settings_of(case: Case) -> dict:
    """The options of Weka's command line as our settings."""
    found = {}
    for switch, value in options(case.settings).items():
        if switch in OPTIONS[case.system]:
            name, read = OPTIONS[case.system][switch]
            found[name] = read if isinstance(read, bool) else read(value)
    return found


class WekaRules:
    """Compares the rules in their order, and what they answer. learner : our name of the system."""

    def __init__(self, learner: str):
        self.learner = learner

    def unsupported(self, case: Case) -> str:
        """Why a case cannot be compared yet, '' if it can."""
        other = sorted(set(options(case.settings)) - set(OPTIONS[case.system]) - {"Q"})
        return f"option -{other[0]} is not built yet" if other else ""

    def compare_grow(self, case: Case) -> Verdict:
        if reason := self.unsupported(case):
            return Verdict(case.id, "grow", "unsupported", reason)
        found = learn_rules(self.table(case), self.learner, **settings_of(case))
        ours, theirs = _ours(found), [_theirs(rule) for rule in case["rules"]]
        for place, (own, recorded) in enumerate(zip(ours, theirs, strict=False)):
            if not _same(own, recorded):
                return Verdict(case.id, "grow", "mismatch", f"rule {place}: {recorded}, ours {own}")
        if len(ours) != len(theirs):
            return Verdict(case.id, "grow", "mismatch", f"{len(theirs)} rules, ours {len(ours)}")
        return self._compare_totals(case, found)

    def _compare_totals(self, case: Case, found: Learned) -> Verdict:
        totals = [*(rule.totals for rule in found.answers.rules), found.answers.totals]
        for place, (rule, own) in enumerate(zip(case["rules"], totals, strict=False)):
            shares = np.array(own) / max(sum(own), 1e-300)
            for name, value in (("counts", own), ("class_distribution", shares)):
                if rule.get(name) is not None and not np.allclose(value, rule[name], rtol=1e-8, atol=1e-6):
                    return Verdict(case.id, "grow", "mismatch", f"rule {place}: {name} {rule[name]}, ours {value}")
        return Verdict(case.id, "grow", "match", f"{len(case['rules'])}/{len(case['rules'])} rules")

    def compare_prune(self, case: Case) -> Verdict:
        return Verdict(case.id, "prune", "unsupported", "nothing recorded: rules are pruned as they are learned")

    def compare_predict(self, case: Case) -> Verdict:
        if reason := self.unsupported(case):
            return Verdict(case.id, "predict", "unsupported", reason)
        found = learn_rules(self.table(case), self.learner, **settings_of(case))
        differ = lambda rows, told: prediction_difference(found.predict(rows), found.predict_proba(rows), told)  # noqa: E731
        return judge_predictions(self, case, self.table(case), differ)

    def table(self, case: Case) -> tc.Table:
        return as_nominal(table_of(case))

    def probes(self, case: Case) -> tc.Table:
        return as_nominal(probe_table(case))


def _ours(found: Learned) -> list[tuple]:
    """(tests, answer) of every rule, the default's last."""
    features, classes, told = found.tree.schema.features, found.tree.classes, []
    for rule in found.answers.rules:
        tests = []
        for test in rule.tests:
            feature = features[test.feature]
            value = feature.levels[int(test.value)] if feature.levels else test.value
            tests.append((feature.name, test.sign, value))
        told.append((tuple(tests), classes[rule.answer]))
    covers_all = bool(told) and not told[-1][0]
    return told if found.answers.default < 0 or covers_all else [*told, ((), classes[found.answers.default])]


def _same(ours: tuple, theirs: tuple) -> bool:
    """Of rules as (tests, answer); Weka takes numbers less than 1e-6 apart for equal."""
    if ours[1] != theirs[1] or len(ours[0]) != len(theirs[0]):
        return False
    for own, recorded in zip(ours[0], theirs[0], strict=True):
        words = isinstance(own[2], str) or isinstance(recorded[2], str)
        close = own[2] == recorded[2] if words else abs(own[2] - recorded[2]) <= 1e-6
        if own[:2] != recorded[:2] or not close:
            return False
    return True


def _theirs(rule: dict) -> tuple:
    tests = []
    for condition in rule["conditions"]:
        sign = next((SIGNS[name] for name in SIGNS if name in condition), condition.get("op"))
        value = next((condition[name] for name in SIGNS if name in condition), condition.get("value"))
        tests.append((condition["variable"], sign, value))
    return tuple(tests), rule["predicted"]
