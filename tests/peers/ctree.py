"""partykit's and party's ctree: a test of every feature at every node, complete rows only."""

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case, table_of
from treecore.growing.conditional import Tested
from treecore.growing.permutation_test import association
from treecore.growing.problem import problem_of
from treecore.growing.searchers import TestSearcher
from treecore.kernels.codes import THRESHOLD

ADJUSTMENT = {("Bonferroni", "partykit"): "bonferroni", ("Bonferroni", "party"): "bonferroni_all",
              ("Univariate", "partykit"): "none"}  # fmt: skip
CLOSE = {"rtol": 1e-8, "atol": 1e-300}


class Ctree(Adapter):
    def unsupported(self, case: Case) -> str:
        settings = case["settings"]
        other = {settings["teststat"], settings["splitstat"]} - {"quadratic"}
        return f"statistic {other.pop()} is not built yet" if other else ""

    def table(self, case: Case) -> tc.Table:
        """The rows that the peer grew the tree on, which have no empty cell.

        No statistic is recorded of groups of levels: 0 stands for it in the record, as in `merit`.
        """
        for node in _nodes(case["tree"]):
            if "split" in node:
                node["split"].setdefault("split_statistic", 0.0)
        table = table_of(case)
        return table if case["rows_used"] == "all" else table.take(np.array(case["rows_used"]))

    def growth(self, case: Case) -> tc.Growth:
        settings = case["settings"]
        return tc.Growth(
            selector="conditional",
            threshold="low_value",
            zero_gain="split",
            alpha=settings["alpha"],
            adjustment=ADJUSTMENT[settings["testtype"], case["package"]],
            min_rows_split=settings["minsplit"],
            min_rows_leaf=settings["minbucket"],
            max_depth=settings["maxdepth"],
        )

    def merit(self, case: Case, tree: tc.Tree, node: int) -> tuple[str, float]:
        """The permutation statistic of the two branches."""
        if tree.splits.kind[node] != THRESHOLD:
            return "split_statistic", 0.0
        table = self.table(case)
        low, high = (node_rows(tree, child, table) for child in tree.children(node))
        rows = np.concatenate([low, high])
        side = np.repeat([0.0, 1.0], [len(low), len(high)])
        return "split_statistic", association(_influence(table, rows), side, np.ones(len(rows)))[0]

    def other_candidates(self, case: Case, tree: tc.Tree, node: int, peer: dict, table: tc.Table) -> str:
        """The tests at this node, and at the leaves right below it."""
        below = zip(tree.children(node), peer["children"], strict=True)
        here = [(node, peer), *((child, record) for child, record in below if "split" not in record)]
        differences = (self._tests(case, tree, i, record, table) for i, record in here)
        return next((text for text in differences if text), "")

    def _tests(self, case: Case, tree: tc.Tree, node: int, peer: dict, table: tc.Table) -> str:
        """First difference among the tests of a node: statistic, degrees of freedom, p-value, adjusted p-value."""
        growth = self.growth(case)
        rows = node_rows(tree, node, table)
        may_split = tree.node_depth[node] < (growth.max_depth or np.inf) and len(rows) >= growth.min_rows_split
        tests = TestSearcher(problem_of(table, growth), growth).search.tested(rows, np.ones(len(rows)))
        ours = {table.features[t.feature]: t for t in tests if t.df and may_split}
        recorded = {c["variable"]: c for c in peer.get("criterion", ()) if not c.get("not_tested")}
        if set(ours) != set(recorded):
            return f"tests of {sorted(recorded)}, ours of {sorted(ours)}"
        found = (_difference(peer, record, ours[name]) for name, record in recorded.items())
        return next((text for text in found if text), "")


def _difference(peer: dict, record: dict, test: Tested) -> str:
    numbers = [("statistic", test.statistic), ("df", test.df), ("unadjusted_p", test.p_value)]
    numbers.append(("p_value", test.adjusted) if "p_value" in record else ("one_minus_p", 1 - test.adjusted))
    for name, ours in numbers:
        if not np.isclose(ours, record[name], **CLOSE):
            return f"test of {record['variable']} at node {peer['id']}: {name} {record[name]}, ours {ours}"
    return ""


def node_rows(tree: tc.Tree, node: int, table: tc.Table) -> np.ndarray:
    """Positions of the table's rows that pass through the node."""
    inside = tree.descendants(node)
    inside[node] = True
    return np.flatnonzero(inside[tree.apply(table)])


def _influence(table: tc.Table, rows: np.ndarray) -> np.ndarray:
    """The target of these rows as the permutation statistic takes it."""
    if table.task == "regression":
        return table.target_column.values()[rows]
    return np.eye(len(table.classes))[table.target_column.codes[rows]]


def _nodes(node: dict):
    yield node
    for child in node.get("children", ()):
        yield from _nodes(child)
