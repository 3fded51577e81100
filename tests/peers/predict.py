"""Comparison of predictions on the training rows."""

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from tests.peers.compare import Verdict, settle


def compare_predictions(adapter: Adapter, case: Case) -> Verdict:
    """Classes exactly, probabilities and means to 1e-8, on every training row.

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
    detail = text or f"{table.n_rows} training rows, probe rows not compared"
    return Verdict(case.id, "predict", "mismatch" if text else "match", detail)


def _difference(adapter: Adapter, tree: tc.Tree, table: tc.Table, recorded: dict) -> str:
    if not tree.classes:
        ours = tree.predict(table)
        wrong = np.flatnonzero(~np.isclose(ours, recorded["value"], rtol=1e-8, atol=1e-12))
        return f"row {wrong[0]}: {recorded['value'][wrong[0]]}, ours {ours[wrong[0]]}" if len(wrong) else ""
    labels = [adapter.answer(label) for label in tree.predict(table)]
    for row, (ours, theirs) in enumerate(zip(labels, recorded["class"], strict=True)):
        if ours != theirs:
            return f"row {row}: class {theirs}, ours {ours}"
    proba = tree.predict_proba(table)
    wrong = np.flatnonzero(~np.isclose(proba, recorded["prob"], rtol=1e-8, atol=1e-12).all(axis=1))
    return f"row {wrong[0]}: {recorded['prob'][wrong[0]]}, ours {proba[wrong[0]]}" if len(wrong) else ""
