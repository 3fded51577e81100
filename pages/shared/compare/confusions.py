"""Confusion matrix, on the rows of a role: counts, shares, recall, costs."""

import streamlit as st

import treecore as tc
from pages.shared.session import state
from pages.shared.trees import comparison, work
from pages.shared.widgets.messages import plain
from treecore.figures import brief, number, percent
from treecore.judging.confusion import NO_ANSWER, Confusion, confusion
from treecore.plots.prediction_quality import SHOWN
from treecore.plots.prediction_quality import confusion as confusion_chart
from treecore.study.metrics import score

MEASURES = {"counts": "counts", "shares": "shares of all rows", "recall": "shares of the true class", "cost": "costs"}
TREES = {"pruned": "your tree", "unpruned": "your tree, unpruned"}


def show() -> None:
    """The matrix with its switches, the cells of two classes by name, and what the errors cost."""
    if not work.grown().classes:
        return
    role, which, measure = _switches()
    tree, rows = _tree(which), comparison.parts()[role]
    found = work.kept_cut("confusion", role, which, make=lambda: confusion(tree, rows))
    st.plotly_chart(confusion_chart(found, measure), key="confusion", height=_height(found))
    _say(found, tree, rows, role, which)


def _tree(which: str) -> tc.Tree:
    return work.pruned() if which == "pruned" else work.grown()


def _switches() -> tuple[str, str, str]:
    roles = list(comparison.parts())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        role = _switch("Rows of", "confusion_role", roles, roles[-1])
        which = (
            _switch("Predictions of", "confusion_tree", list(TREES), "pruned", TREES.get) if work.pruned_away() else ""
        )
        measure = _switch("Shown as", "confusion_shown", list(SHOWN), "counts", lambda m: MEASURES.get(m, m))
    return role, which or "pruned", measure


def _switch(label: str, key: str, options: list[str], first: str, named=str) -> str:
    chosen = state.choice(key, first)
    chosen = chosen if chosen in options else first
    state.controlled(
        st.segmented_control, label, chosen, lambda v: state.choose(key, v or chosen), key, options=options,
        format_func=named,
    )  # fmt: skip
    return chosen


def _height(found: Confusion) -> int:
    """Pixels: a row each, and room for the answers' names, which stand upright when they are many."""
    return min(900, 150 + 52 * len(found.classes) if len(found.classes) <= 8 else 260 + 36 * len(found.classes))


def _say(found: Confusion, tree: tc.Tree, rows: tc.Table, role: str, which: str) -> None:
    """Of which rows it is, the named cells, the totals."""
    st.markdown(plain(f"{found.n_rows:,} {role} rows, predictions of {TREES[which]}."))
    if len(found.classes) == 2:
        _named(found)
    lines = [f"Errors: {percent(found.error_rate)} of the rows."]
    if found.loss is not None:
        whole, word = float(found.worth.sum()), found.worth_name
        lines.append(f"Total {word} {number(whole)}, mean {word} {brief(whole / found.weight)} per row.")
    if found.priors is not None:
        judged = score(tree, rows)
        lines.append(f"{judged.measure.capitalize()}: {brief(judged.cost)}, rows weighted by prior over share.")
    if NO_ANSWER in found.answers:
        lines.append("Rows without a prediction cost as much as the most expensive error of their class.")
    if found.n_left_out:
        lines.append(f"Left out: {found.n_left_out:,} rows whose class is missing or unknown to the tree.")
    st.markdown("  \n".join(map(plain, lines)))


def _named(found: Confusion) -> None:
    """TP, FN, FP and TN with their meaning; which class is the positive one is the reader's to say."""
    positive = _switch("Positive class", "positive", list(found.classes), found.classes[-1])
    cells = found.named(positive).values()
    st.markdown("  \n".join(
        f"**{cell.short}** {number(cell.weight)}: {cell.name}, {plain(cell.truth)} predicted as {plain(cell.answer)}"
        for cell in cells
    ))  # fmt: skip
