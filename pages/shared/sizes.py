"""The nested sequence: error against size, and choosing a size on it."""

import pandas as pd
import streamlit as st

from pages.shared import state, work
from treecore.evaluation.curves import SizeCurve, size_curve
from treecore.plots.size_curve import size_curve as size_chart
from treecore.recipe import Prune


def _curve() -> SizeCurve:
    parts = {name: part for name, part in work.roles().items() if part.n_rows}
    return work.kept("curve", make=lambda: size_curve(work.sequence(), parts))


def chosen_step() -> int | None:
    """The step of the sequence in force; None when another strategy or a hand edit made the cuts."""
    r = state.record()
    alpha = dict(r.prune.parameters).get("alpha")
    if work.cut_by_hand():
        return None
    if r.prune.method == "none":
        return 0
    if r.prune.method != "cost_complexity":
        return None
    return work.sequence().at_alpha(alpha) if alpha is not None else _curve().best("validation")


def choose_step(step: int) -> None:
    """Prune to this step of the sequence; what was cut by hand goes with the former cuts."""
    alpha = float(work.sequence().alpha[step])
    prune = Prune("cost_complexity", (("alpha", alpha),)) if step else Prune("none")
    state.change(prune=prune, edits=work.takes(), undone=())


def curve() -> None:
    """The curve; a click on it, or the slider, chooses a size."""
    found, step = _curve(), chosen_step()
    with st.container(horizontal=True):
        measure = _switch("Measure", "measure", _measures(found), {"error": _named(found)}.get)
        _switch("Size in", "size", ["leaves", "nodes", "depth"])
    figure = size_chart(found, step, measure, state.choice("size", "leaves"))
    st.plotly_chart(figure, key="size_curve", height=380, on_select=_take_click, selection_mode="points")
    if len(found) < 2:
        st.caption("The tree is a lone root: there is nothing to prune.")
        return
    if step is not None:  # the cuts in force are a step of the sequence
        state.controlled(
            st.select_slider, "Pruned to", step, choose_step, "step",
            options=range(len(found) - 1, -1, -1), format_func=lambda k: _leaves(found, k),
        )  # fmt: skip
    _say(found, step)
    _how_counted(found)


def _how_counted(found: SizeCurve) -> None:
    """What the error of the curve has in it besides the rows' number."""
    if found.measure.endswith("by the priors"):
        st.caption("By the priors: a row counts as much as its class's prior over its share of the training rows.")
    if work.grown().growth["missing"] == "fractional":
        st.caption("Rows that go down several branches count here in every leaf that they reach, by their shares.")


def _leaves(found: SizeCurve, step: int) -> str:
    n = int(found.n_leaves[step])
    return "1 leaf" if n == 1 else f"{n:,} leaves"


def _measures(found: SizeCurve) -> list[str]:
    """What can be drawn; what the tree is pruned by comes first where that is a cost."""
    if found.task == "regression":
        return ["error"]
    return ["accuracy", "error"] if found.measure == "error rate" else ["error", "accuracy"]


def _named(found: SizeCurve) -> str:
    return "error" if found.measure == "error rate" else found.measure


def _switch(label: str, name: str, options: list[str], named=lambda option: None) -> str:
    chosen = state.choice(name, options[0])
    chosen = chosen if chosen in options else options[0]
    state.controlled(
        st.segmented_control, label, chosen, lambda v: state.choose(name, v or options[0]), name, options=options,
        format_func=lambda option: named(option) or option,
    )  # fmt: skip
    return chosen


def _take_click() -> None:
    told = state.clicked("size_curve")
    if told and int(told[0]) < len(work.sequence()):
        choose_step(int(told[0]))


def _say(found: SizeCurve, step: int | None) -> None:
    """Which subtree is in force, by which rule, and why one might choose another."""
    best = found.best("validation")
    if step is None:
        st.caption(
            f"In force: {work.pruned().n_leaves} leaves, cut in another way than this sequence (see Pruning and "
            "By hand in the sidebar). A click on the curve goes back to it."
        )
    else:
        st.caption(f"In force: {_leaves(found, step)}, the best tree where a leaf costs α = {found.alpha[step]:.4g}.")
    if best is None:
        st.caption("There are no validation rows, so nothing here says which size is best.")
        return
    by = "" if found.measure in ("error rate", "mean squared error") else f" by {found.measure}"
    st.caption(
        f"Best on validation{by}: {_leaves(found, best)} (the smallest of equally good trees). Reasons to choose "
        "otherwise: a smaller tree that is nearly as good is easier to read and to trust; and the validation "
        f"{_named(found)} is itself an estimate from a limited number of rows."
    )
    if step != best:
        st.button(f"Prune to {_leaves(found, best)}", on_click=lambda: choose_step(best), key="best_step")


def table() -> None:
    """Every step in numbers."""
    found = _curve()
    name = _named(found)
    frame = pd.DataFrame({"leaves": found.n_leaves, "nodes": found.n_nodes, "depth": found.depth, "α": found.alpha})
    for role, error in found.error.items():
        frame[f"{name}, {role}"] = error
        if found.accuracy and found.measure != "error rate":
            frame[f"accuracy, {role}"] = found.accuracy[role]
    with st.expander("The sequence in numbers"):
        st.dataframe(frame, hide_index=True, height=300)
        baseline = ", ".join(f"{role} {value:.4g}" for role, value in found.baseline.items())
        what = {"error rate": "the training majority class", "mean squared error": "the training mean"}
        st.caption(f"Always answering {what.get(found.measure, 'what the root does')}: {name} {baseline}.")
