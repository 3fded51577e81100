"""Comparison of predictions on the training rows and on the rows with blanked features."""

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from tests.peers.compare import Verdict, settle


def compare_predictions(adapter: Adapter, case: Case) -> Verdict:
    """Classes exactly, probabilities and means to 1e-8, on every training row and every probe row.

    Where the recorded tree settled a tie in its own way our tree differs by right; the rows are then
    compared on the tree with the recorded splits.
    """
    reason = adapter.unsupported(case)
    if reason:
        return Verdict(case.id, "predict", "unsupported", reason)
    table = adapter.table(case)
    found = settle(adapter, case, table)
    if found.difference:
        return Verdict(case.id, "predict", "mismatch", "the trees differ: " + found.difference)
    text = _difference(adapter, found.tree, table, case["predictions"])
    if text:
        return Verdict(case.id, "predict", "mismatch", text)
    if not case.get("probe_predictions"):
        return Verdict(case.id, "predict", "match", f"{table.n_rows} training rows")
    probes = adapter.probes(case)
    text = _difference(adapter, found.tree, probes, case["probe_predictions"])
    detail = f"probe {text}" if text else f"{table.n_rows} training and {probes.n_rows} probe rows"
    return Verdict(case.id, "predict", "mismatch" if text else "match", detail)


def _difference(adapter: Adapter, tree: tc.Tree, table: tc.Table, recorded: dict) -> str:
    if not tree.classes:
        ours = tree.predict(table)
        wrong = np.flatnonzero(~np.isclose(ours, recorded["value"], rtol=1e-8, atol=1e-12))
        return f"row {wrong[0]}: {recorded['value'][wrong[0]]}, ours {ours[wrong[0]]}" if len(wrong) else ""
    labels = [adapter.answer(label) for label in tree.predict(table)]
    ends = tree.apply(table)
    for row, (ours, theirs) in enumerate(zip(labels, recorded["class"], strict=True)):
        if ours != theirs and not _equal_costs(tree, ends[row], ours, theirs):
            return f"row {row}: class {theirs}, ours {ours}"
    proba = tree.predict_proba(table)
    wrong = np.flatnonzero(~np.isclose(proba, recorded["prob"], rtol=1e-8, atol=1e-12).all(axis=1))
    return f"row {wrong[0]}: {recorded['prob'][wrong[0]]}, ours {proba[wrong[0]]}" if len(wrong) else ""


def _equal_costs(tree: tc.Tree, node: int, ours: str | None, theirs: str | None) -> bool:
    """Are two classes as good as each other at a node? Rounding decides between them."""
    if ours not in tree.classes or theirs not in tree.classes:
        return False
    cost = tree.expected_cost[node]
    return bool(np.isclose(cost[tree.classes.index(ours)], cost[tree.classes.index(theirs)], rtol=1e-12))
