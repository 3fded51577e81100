"""partykit's and party's ctree: a test of every feature at every node, complete rows only."""

from dataclasses import replace

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from tests.peers.compare import groups_of, levels_in
from tests.peers.recorded import first_difference_of
from treecore.growing.search.conditional import Tested, association
from treecore.growing.searchers import TestSearcher
from treecore.growing.settings.problem import problem_of
from treecore.kernels.codes import THRESHOLD

ADJUSTMENT = {("Bonferroni", "partykit"): "bonferroni", ("Bonferroni", "party"): "bonferroni_all",
              ("Univariate", "partykit"): "none", ("Univariate", "party"): "none"}  # fmt: skip
CLOSE = {"rtol": 1e-8, "atol": 1e-15}
SMALLEST = np.finfo(float).eps
"""partykit writes so where a statistic is smaller, and the p-value of that."""


class Ctree(Adapter):
    def unsupported(self, case: Case) -> str:
        settings = case.settings
        if (settings["testtype"], _package(case)) not in ADJUSTMENT:
            return f"p-values of {settings['testtype']} are not built yet"
        return super().unsupported(case)

    def growth(self, case: Case) -> tc.GrowSettings:
        settings = case.settings
        return replace(
            tc.PRESETS["ctree"].growth,
            alpha=settings["alpha"],
            adjustment=ADJUSTMENT[settings["testtype"], _package(case)],
            test_statistic=settings["teststat"],
            split_statistic=settings["splitstat"],
            min_rows_split=settings["minsplit"],
            min_rows_leaf=settings["minbucket"],
            max_depth=settings["maxdepth"],
            max_surrogates=settings.get("maxsurrogate", 0),
            missing="tested_surrogates" if settings.get("maxsurrogate") else "majority_rows",
        )

    def merit(self, case: Case, tree: tc.Tree, node: int) -> tuple[str, float]:
        """The permutation statistic of the two branches."""
        table = self.table(case)
        low, high = (node_rows(tree, child, table) for child in tree.children(node))
        rows = np.concatenate([low, high])
        known = ~table.column(tree.node(node).feature).missing[rows]
        side = np.repeat([0.0, 1.0], [len(low), len(high)])[known]
        maximum = case.settings["splitstat"] == "maximum"
        rows = rows[known]
        return "split_statistic", association(_influence(table, rows), side, _cases(table)[rows], maximum)[0]

    def in_our_order(self, case: Case, tree: tc.Tree, node: int, peer: dict) -> dict:
        """party orders the two groups of levels its own way, and a level without rows at the node may be in either."""
        split = peer.get("split", {})
        by_level = not tree.is_leaf[node] and tree.splits.kind[node] != THRESHOLD
        if _package(case) != "party" or not by_level or tree.node(node).feature != split["variable"]:
            return peer
        ours = groups_of(tree, tree.splits, node)
        here = frozenset().union(*ours)
        pairs = [(levels_in(b) & here, child) for b, child in zip(split["branches"], peer["children"], strict=True)]
        if [group for group, _ in pairs] == ours[::-1]:
            pairs.reverse()
        branches = [{"in": sorted(group)} for group, _ in pairs]
        return {**peer, "split": {**split, "branches": branches}, "children": [child for _, child in pairs]}

    def other_candidates(self, case: Case, tree: tc.Tree, node: int, peer: dict, table: tc.Table) -> str:
        """The tests at this node, and at the leaves right below it, which are compared nowhere else."""
        below = zip(tree.children(node), peer["children"], strict=True)
        here = [(node, peer), *((child, record) for child, record in below if "split" not in record)]
        differences = (self._tests(case, tree, i, record, table) for i, record in here)
        return next((text for text in differences if text), "")

    def _tests(self, case: Case, tree: tc.Tree, node: int, peer: dict, table: tc.Table) -> str:
        """First difference among the tests of a node: statistic, degrees of freedom, p-value, adjusted p-value.

        A feature that does not vary has no test, or one whose statistic is 0.
        """
        if "criterion" not in peer:
            return ""
        growth = self.growth(case)
        rows = node_rows(tree, node, table)
        weight = _cases(table)[rows]
        deepest = np.inf if growth.max_depth is None else growth.max_depth
        may_split = tree.node_depth[node] < deepest and weight.sum() >= growth.min_rows_split
        tests = TestSearcher(problem_of(table, growth), growth).search.tested(rows, weight)
        ours = {table.features[t.feature]: t for t in tests if t.df and may_split}
        recorded = {c["variable"]: c for c in peer["criterion"] if not c.get("not_tested")}
        recorded = {name: c for name, c in recorded.items() if name in ours or c.get("statistic") != 0}
        if set(ours) != set(recorded):
            return f"tests of {sorted(recorded)}, ours of {sorted(ours)}"
        maximum = growth.test_statistic == "maximum"
        found = (_difference(peer, record, ours[name], maximum) for name, record in recorded.items())
        return next((text for text in found if text), "")


def _difference(peer: dict, record: dict, test: Tested, maximum: bool) -> str:
    numbers = {"statistic": test.statistic} | ({} if maximum else {"df": test.df})
    ps = {"p_value": test.adjusted, "one_minus_p": 1 - test.adjusted}
    if test.statistic > SMALLEST:
        ps["unadjusted_p"] = test.p_value
    # partykit integrates by a lattice that is shifted at random, to within 0.001 of each test's p
    text = first_difference_of(record, numbers, **CLOSE)
    text = text or first_difference_of(record, ps, **({"rtol": 0.0, "atol": 0.01} if maximum else CLOSE))
    return f"test of {record['variable']} at node {peer.get('id')}: {text}" if text else ""


def _package(case: Case) -> str:
    """partykit where the record does not say which of the two it is."""
    return case.get("package", "partykit")


def node_rows(tree: tc.Tree, node: int, table: tc.Table) -> np.ndarray:
    """Positions of the table's rows that pass through the node."""
    inside = tree.descendants(node)
    inside[node] = True
    return np.flatnonzero(inside[tree.apply(table)])


def _cases(table: tc.Table) -> np.ndarray:
    """float64 (n_rows,): the case weights."""
    return np.ones(table.n_rows) if table.weights is None else table.weights


def _influence(table: tc.Table, rows: np.ndarray) -> np.ndarray:
    """The target of these rows as the permutation statistic takes it."""
    if table.task == "regression":
        return table.target_column.values()[rows]
    return np.eye(len(table.classes))[table.target_column.codes[rows]]
