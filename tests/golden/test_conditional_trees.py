"""Trees recorded from partykit's and party's ctree: every test and every split, node for node."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.conformance import DEFAULT
from tests.peers.case import read_cases, table_of
from treecore.data import level_column
from treecore.data.table import Table
from treecore.growing.search.conditional import ConditionalSearch, association
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import problem_of

CLOSE = {"rel": 1e-8, "abs": 1e-300}
ADJUSTMENT = {("Bonferroni", "partykit"): "bonferroni", ("Bonferroni", "party"): "bonferroni_all",
              ("Univariate", "partykit"): "none"}  # fmt: skip
SIZES = {
    "ctree_airquality": 9,
    "ctree_diabetes": 13,
    "ctree_iris": 7,
    "ctree_iris_party": 7,
    "ctree_mpg_univariate": 23,
    "ctree_titanic_nominal": 15,
}


@pytest.fixture(scope="module")
def cases():
    return {case.id: case for case in read_cases(DEFAULT) if case.system == "ctree"}


def test_every_recorded_tree_is_compared(cases):
    assert set(cases) == set(SIZES)


@pytest.mark.parametrize("name", SIZES)
def test_tree(cases, name):
    grower = Regrown(cases[name])
    assert grower.compare(cases[name]["tree"], grower.rows, depth=0) == SIZES[name]


def used_rows(case) -> Table:
    """The rows that the peer grew the tree on, which have no empty cell."""
    used = case["rows_used"]
    schema = json.loads((case.folder / "data" / f"{case['dataset']}.schema.json").read_text("utf-8"))
    declared = {c["name"]: c for c in schema["columns"] if "levels" in c and c["name"] in case["features"]}
    table = table_of(case, as_numbers=True)
    table = table if used == "all" else table.take(np.array(used))
    columns = (
        level_column(c.name, declared[c.name]["kind"], c.values().astype(int), declared[c.name]["levels"])
        if c.name in declared
        else c
        for c in table.columns
    )
    return replace(table, columns=tuple(columns))


class Regrown:
    """Grows a recorded tree again, row sets passed down, and insists on the record at every node."""

    def __init__(self, case):
        settings = case["settings"]
        assert settings["teststat"] == settings["splitstat"] == "quadratic"
        self.table = used_rows(case)
        self.problem = problem_of(self.table, GrowSettings())
        self.rows = np.arange(self.table.n_rows)
        self.party = case["package"] == "party"
        self.max_depth = settings["maxdepth"] or np.inf
        self.min_rows_split = settings["minsplit"]
        self.search = ConditionalSearch(
            self.problem,
            alpha=settings["alpha"],
            adjustment=ADJUSTMENT[settings["testtype"], case["package"]],
            min_rows_leaf=settings["minbucket"],
            min_rows_split=settings["minsplit"],
            min_share_leaf=0.01,
        )

    def compare(self, node: dict, rows: np.ndarray, depth: int) -> int:
        """Number of nodes that agree, from this one down."""
        weight = np.ones(len(rows))
        assert len(rows) == node["n_rows"]
        self._compare_tests(node, rows, weight, may_split=depth < self.max_depth and len(rows) >= self.min_rows_split)
        found = self.search(rows, weight) if depth < self.max_depth else None
        assert (found is not None) == ("split" in node), node["id"]
        if found is None:
            return 1
        parts = self._parts(found, node["split"], rows)
        return 1 + sum(self.compare(c, r, depth + 1) for c, r in zip(node["children"], parts, strict=True))

    def _compare_tests(self, node, rows, weight, may_split: bool):
        by_name = {self.table.features[t.feature]: t for t in self.search.tested(rows, weight)}
        recorded = [c for c in node.get("criterion", ()) if not c.get("not_tested")]
        testable = {name for name, t in by_name.items() if t.df}
        assert {c["variable"] for c in recorded} == (testable if may_split else set()), node["id"]
        for want in recorded:
            test = by_name[want["variable"]]
            assert test.df == want["df"]
            assert test.statistic == pytest.approx(want["statistic"], **CLOSE)
            assert test.p_value == pytest.approx(want["unadjusted_p"], **CLOSE)
            if self.party:
                assert 1 - test.adjusted == pytest.approx(want["one_minus_p"], **CLOSE)
            else:
                assert test.adjusted == pytest.approx(want["p_value"], **CLOSE)

    def _parts(self, found, recorded: dict, rows: np.ndarray) -> list[np.ndarray]:
        """The rows of the two branches, once the split is the recorded one."""
        column = self.table.column(self.table.features[found.feature])
        assert column.name == recorded["variable"]
        codes = self.problem.codes[found.feature][rows]
        if recorded["kind"] == "numeric":
            assert column.distinct[found.cuts].tolist() == [recorded["threshold"]]
            branch = (codes > found.cuts[0]).astype(int)
        else:
            levels = [[column.levels[i] for i in np.flatnonzero(found.branch_of_level == b)] for b in (0, 1)]
            assert levels == [b["in"] for b in recorded["branches"]]
            branch = found.branch_of_level[codes]
        if "split_statistic" in recorded:
            statistic, _ = association(self._influence(rows), branch, np.ones(len(rows)))
            assert statistic == pytest.approx(recorded["split_statistic"], **CLOSE)
        return [rows[branch == b] for b in (0, 1)]

    def _influence(self, rows: np.ndarray) -> np.ndarray:
        if self.table.task == "regression":
            return self.table.target_column.values()[rows]
        return np.eye(len(self.table.classes))[self.table.target_column.codes[rows]]
