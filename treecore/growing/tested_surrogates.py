"""Surrogates by tests: the splits of the features that tell best, by a permutation test, which branch a row takes.

A test says how surely two features know of each other, not how many rows they send alike: what it finds is the same
whether the branches are of equal size or not. Source: Hothorn, Hornik & Zeileis (2006), JCGS 15; as partykit answers.
"""

import numpy as np

from treecore.growing.search.branches import CodedSplit
from treecore.growing.search.conditional import ConditionalSearch, Tested, by_significance
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.kernels.general.surrogate_search import mark_known
from treecore.kernels.state import N_LEVELS, N_SURROGATES, GrowState, Problem


class TestedSurrogates:
    """Lists the surrogates of nodes with two branches.

    The branches are two classes, of the rows with a value for the node's split and a positive weight. Every other
    feature is tested against them, and in the order of the p-values each that varies gives its best cut or grouping,
    however few rows are on a side of it, until there are enough. A split points the way that most rows of its first
    side go, whatever they weigh.
    """

    __test__ = False  # not a class of tests, whatever pytest makes of its name

    def __init__(self, problem: Problem, growth: GrowSettings):
        rules = problem.rules.copy()
        rules["n_classes"] = 2
        self._problem = problem
        self._sides = problem.rows.copy()
        # no limit on the size of a side: a backup split makes no leaves
        self._search = ConditionalSearch(
            problem._replace(rows=self._sides, rules=rules), min_rows_leaf=0.0,
            test_statistic=growth.test_statistic, split_statistic=growth.split_statistic,
        )  # fmt: skip

    def __call__(self, growing: GrowState, ids: np.ndarray) -> None:
        """Give the nodes with these ids, whose split was found, their surrogates. There must be room for them."""
        for node in ids.tolist():
            record = growing.nodes[node]
            record["surrogate_start"], record["n_surrogates"] = growing.counts[N_SURROGATES], 0
            if record["n_children"] == 2:
                self._list(growing, node)

    def _list(self, growing: GrowState, node: int) -> None:
        record, search, problem = growing.nodes[node], self._search, self._problem
        rows, side, weight = self._known(growing, node)
        by_known = problem.rules["surrogate_style"][0] == 1
        tests = self.tests(int(record["feature"]), rows, side, weight)
        for test in tests[: int(problem.rules["max_surrogates"][0])]:
            split = search.split_by(test, rows, weight)
            if split is None:
                continue
            codes = problem.codes[test.feature, rows]
            both = codes < problem.features["n_codes"][test.feature]
            codes, truth, case = codes[both], side[both], weight[both]
            branch = codes > split.cuts[0] if len(split.cuts) else split.branch_of_level[codes]
            firsts = truth[branch == 0]
            low_branch = int(2 * np.count_nonzero(firsts) > len(firsts))
            entry = self._write(growing, record, split, low_branch)
            record["n_surrogates"] += 1
            whole, of_branch = (case, truth) if by_known else (weight, side)
            most = np.bincount(of_branch, whole).max()
            agree, whole = case[(branch ^ low_branch) == truth].sum(), whole.sum()
            entry["agree"] = agree / whole
            entry["adjusted"] = (agree - most) / (whole - most) if whole > most else 0.0

    def tests(self, feature: int, rows: np.ndarray, side: np.ndarray, weight: np.ndarray) -> list[Tested]:
        """The tests of all other features than the split's that vary, the surest first.

        rows : int64 (n,), training rows with a value for the split. side : int64 (n,), the branch of each. weight :
        float64 (n,), case weights.
        """
        self._sides["label"][rows] = side
        return by_significance([t for t in self._search.tested(rows, weight) if t.df and t.feature != feature])

    def _known(self, growing: GrowState, node: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(rows that the node's split sends, int64, ascending; the branch of each; its case weight, which may be 0)."""
        record, problem = growing.nodes[node], self._problem
        stop = mark_known(problem, growing, node)
        rows = np.sort(growing.order[record["feature"], record["start"] : stop]).astype(np.int64)
        begin = int(record["level_start"])
        if begin >= 0 and record["n_cuts"] == 0:
            # levels of rows of weight 0 alone have no branch
            rows = rows[growing.level_branch[begin + problem.codes[record["feature"], rows]] >= 0]
        return rows, growing.side[rows].astype(np.int64), problem.rows["case"][rows]

    def _write(self, growing: GrowState, record: np.void, split: CodedSplit, low_branch: int) -> np.void:
        """The next entry of growing.surrogates, with the split. record : of the node. low_branch : of the split's first
        side."""
        test = growing.surrogates[growing.counts[N_SURROGATES]]
        test["feature"], test["n_used"], test["low_branch"] = split.feature, 0, low_branch
        growing.counts[N_SURROGATES] += 1
        if len(split.cuts):
            test["low"], test["level_start"] = split.cuts[0], -1
            # rows that are about to be sent, too, have a value on either side of the threshold
            codes = self._problem.codes[split.feature, growing.order[0, record["start"] : record["stop"]]]
            test["high"] = codes[codes > split.cuts[0]].min()
            return test
        test["low"], test["high"], test["low_branch"] = 0, 0, 0
        begin, table = int(growing.counts[N_LEVELS]), split.branch_of_level
        growing.level_branch[begin : begin + len(table)] = np.where(table < 0, -1, table ^ low_branch)
        test["level_start"] = begin
        growing.counts[N_LEVELS] += len(table)
        return test
