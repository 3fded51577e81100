"""Comparison of predictions on the training rows and on the rows with blanked features."""

from collections.abc import Callable

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from tests.peers.compare import Verdict, settled
from tests.peers.recorded import prediction_difference


def compare_predictions(adapter: Adapter, case: Case) -> Verdict:
    """Classes exactly, probabilities and means to 1e-8, on every training row and every probe row.

    Where the recorded tree settled a tie in its own way our tree differs by right; the rows are then
    compared on the tree with the recorded splits.
    """
    reason = adapter.unsupported(case)
    if reason:
        return Verdict(case.id, "predict", "unsupported", reason)
    table = adapter.table(case)
    found = settled(adapter, case)
    if found.difference:
        return Verdict(case.id, "predict", "mismatch", "the trees differ: " + found.difference)
    return judge_predictions(
        adapter, case, table, lambda rows, told: _difference(adapter, case, found.tree, rows, told)
    )


def judge_predictions(adapter: Adapter, case: Case, table: tc.Table, difference: Callable) -> Verdict:
    """The verdict on those of the training and of the probe rows that are recorded.

    difference : (rows, what is recorded of them) -> the first difference, '' if there is none.
    """
    compared = []
    for name, what in (("predictions", "training"), ("probe_predictions", "probe")):
        if not case.get(name):
            continue
        rows = table if what == "training" else adapter.probes(case)
        if text := difference(rows, case[name]):
            return Verdict(case.id, "predict", "mismatch", f"{what} {text}")
        compared.append(f"{rows.n_rows} {what}")
    if not compared:
        return Verdict(case.id, "predict", "unsupported", "no predictions are recorded")
    return Verdict(case.id, "predict", "match", f"{' and '.join(compared)} rows")


def _difference(adapter: Adapter, case: Case, tree: tc.Tree, table: tc.Table, recorded: dict) -> str:
    if not tree.classes:
        return prediction_difference(None, tree.predict(table), recorded)
    labels = [adapter.answer(label) for label in tree.predict(table)]
    ends = tree.apply(table)

    def equal(row: int, ours: str | None, theirs: str | None) -> bool:
        return _equal_costs(tree, ends[row], ours, theirs)

    return prediction_difference(labels, adapter.probabilities(case, tree, table), recorded, equal)


def _equal_costs(tree: tc.Tree, node: int, ours: str | None, theirs: str | None) -> bool:
    """Are two classes as good as each other at a node? Rounding decides between them."""
    if ours not in tree.classes or theirs not in tree.classes:
        return False
    cost = tree.expected_cost[node]
    return bool(np.isclose(cost[tree.classes.index(ours)], cost[tree.classes.index(theirs)], rtol=1e-12))
