"""Error against size along the nested sequence, and choosing a size on it."""

from collections.abc import Sequence

import streamlit as st

from pages import WORKBENCH
from pages.shared.bench import dock, side_panel
from pages.shared.session import state
from pages.shared.trees import nested, work
from pages.shared.widgets import explained, frames, messages
from pages.shared.widgets.fold import fold
from pages.shared.widgets.frames import node_table
from pages.shared.widgets.messages import plain
from treecore.explaining.measure_arithmetic import folds_lines
from treecore.explaining.pruning_arithmetic import link_lines
from treecore.export.modules import joined, styles
from treecore.figures import brief, number
from treecore.judging.losses import OWN
from treecore.judging.measures import NAMES, OF_ORDER, own_measure
from treecore.pruning import PRUNERS
from treecore.pruning.sequence import Links, links_at
from treecore.study.curves import SizeCurve
from treecore.view.size_picker import RULES as MARKS
from treecore.view.size_picker import SIZES

RULES = ((0.0, "0-SE"), (1.0, "1-SE"))
OVER = 226
"""Pixels of the window for the strip and the switches over the curve, and the slider below it."""

_curve = st.components.v2.component(
    "treecore_size_curve", html='<div class="sizes"></div>',
    css=styles(WORKBENCH / "dock.css", WORKBENCH / "size_curve.css"), js=joined(WORKBENCH / "size_curve_main.js"),
)  # fmt: skip


def curve() -> None:
    """The curve; a click on it or the slider chooses a size. Its Play only shows them all, one after the other."""
    result, step = nested.curve(), nested.chosen_step()
    if len(result) < 2:
        st.caption("The tree has no splits, so there is nothing to prune.")
        return
    _draw(result, step)
    if step is not None:  # the cuts in force are a step of the sequence
        state.controlled(
            st.select_slider, "Pruned to", step, nested.take, "step", options=range(len(result) - 1, -1, -1),
            format_func=lambda k: _leaves(result, k),
        )  # fmt: skip
    _steps(len(result), step)
    _cross_validation()
    _say(result, step)
    _how_counted(result)


def _draw(found: SizeCurve, step: int | None) -> None:
    """What is dragged along it fades branches of the tree beside it; letting go prunes to that size."""
    measure, size = _chosen("measure", _measures(found)), _chosen("size", list(SIZES))
    drawn = dock.drawing_of(found, measure).large(step, size)
    pixels = side_panel.high("size_and_pruning", 360, OVER)
    with st.container(key="size_curve"):
        _curve(  # its height is said twice: until its script runs, what is below it would stand above
            key="size curve", data={"curve": drawn, "pixels": pixels}, height=pixels,
            on_step_change=lambda: _take(state.widget("size curve").get("step")),
        )  # fmt: skip
    if len(drawn["steps"]) < len(found):
        told = f"Drawn are {len(drawn['steps']):,} of {len(found):,} sizes. The slider and the table below have all."
        st.caption(told)


def _steps(n_steps: int, step: int | None) -> None:
    """One step to either side."""
    here = 0 if step is None else step
    with st.container(horizontal=True):
        smaller, larger = step is not None and here < n_steps - 1, bool(step)
        for name, to, possible in (("Smaller", here + 1, smaller), ("Larger", here - 1, larger)):
            st.button(name, on_click=nested.take, args=(to,), key=f"step_{name.lower()}", disabled=not possible)


def _take(step) -> None:
    if isinstance(step, int):
        dock.take(step)


def switches() -> None:
    """In which measure and over which size the curve is drawn."""
    result = nested.curve()
    with st.container(horizontal=True):
        error = _named(result)
        _switch("Measure", "measure", _measures(result), {"error": error, "r2": "R²"}.get)
        _switch("Size in", "size", list(SIZES))


def sequence() -> None:
    """How the sequence is made, and what judges its sizes."""
    with st.container(horizontal=True):
        state.controlled(
            st.selectbox, "Sequence by", nested.risk(), nested.choose_risk, "risk", width=230,
            options=nested.risks(), format_func={name: nested.risk_label(name) for name in nested.risks()}.get,
            help="What each pruning step keeps as low as possible on the training rows",
        )  # fmt: skip
        state.controlled(
            st.selectbox, "Sizes judged by", nested.measure(), nested.choose_measure, "judged_by", width=230,
            options=nested.measures(), format_func={name: nested.measure_label(name) for name in nested.measures()}.get,
            help="The error rate ignores a rare class that no leaf predicts; the log loss and the area under "
                 "ROC judge the leaves’ shares",
        )  # fmt: skip


def _cross_validation() -> None:
    """Off or on, with how many folds, drawn by which seed; a fault of the folds is said here."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by_strategy = nested.parameters().get("choose") == "cross-validation"
        folds, seed = nested.folds_and_seed()
        state.controlled(
            st.toggle, f"Cross-validate ({folds} folds)", nested.is_on(),
            lambda on: state.choose("cross_validate", on), "cross_validate", disabled=by_strategy,
            help="The size of your tree was chosen by it" if by_strategy else
                 "Trees grown on the other folds are judged by the rows of each fold: no validation rows are needed",
        )  # fmt: skip
        if nested.is_on():
            for name, label, value, least in (("folds", "Folds", folds, 2), ("folds_seed", "Seed", seed, 0)):
                state.controlled(
                    st.number_input, label, value, lambda v, name=name: state.choose(name, int(v)), name,
                    min_value=least, step=1, width=110, disabled=by_strategy,
                )  # fmt: skip
    _, fault = nested.cross_validation()
    if fault is not None:
        messages.show(fault)


def _marks() -> tuple[tuple[int, str], ...]:
    result, _ = nested.cross_validation()
    return () if result is None else tuple((result.best(errors), name) for errors, name in RULES)


def _how_counted(found: SizeCurve) -> None:
    """What the error of the curve has in it besides the rows' number."""
    if found.measure.endswith("by the priors"):
        st.caption("By the priors: a row counts as much as its class's prior over its share of the training rows.")
    if work.estimation():
        st.caption("Sizes are judged by the shares of the training rows: estimation rows choose none.")
    if work.grown().growth["missing"] == "fractional":
        st.caption("Rows that go down several branches count here in every leaf that they reach, by their shares.")


def _leaves(found: SizeCurve, step: int) -> str:
    n = int(found.n_leaves[step])
    return "1 leaf" if n == 1 else f"{n:,} leaves"


def _measures(found: SizeCurve) -> list[str]:
    """What can be drawn; what the tree is pruned by comes first where that is a cost."""
    own = {"classification": "accuracy", "regression": "r2"}.get(found.task)
    if own is None or (own == "r2" and (found.by != OWN or found.measure != "mean squared error")):
        return ["error"]
    return [own, "error"] if own == "r2" or found.measure == "error rate" else ["error", own]


def _named(found: SizeCurve) -> str:
    return "error" if found.measure == "error rate" else found.name


def _chosen(name: str, options: Sequence[str]) -> str:
    chosen = state.choice(name, options[0])
    return chosen if chosen in options else options[0]


def _switch(label: str, name: str, options: Sequence[str], named=lambda option: None) -> None:
    state.controlled(
        st.segmented_control, label, _chosen(name, options), lambda v: state.choose(name, v or options[0]), name,
        options=options, format_func=lambda option: named(option) or option, label_visibility="collapsed",
    )  # fmt: skip


def _say(found: SizeCurve, step: int | None) -> None:
    """Which subtree is in force, by which rule, and why one might choose another; the sizes that rules would choose."""
    best, cross, named = found.best(), _marks(), _named(found)
    by = "" if found.measure in ("error rate", "mean squared error") else f" by {found.measure}"
    if best is None and not cross:
        st.caption(_in_force(found, step))
        st.caption("There are no validation rows, so nothing here says which size is best: cross-validation can.")
        return
    judge = found.judge if best is not None else "cross-validated"
    st.caption(
        f"{_in_force(found, step)} Two reasons to choose otherwise: a smaller tree that is nearly as good is easier to "
        f"read and to trust; and the {judge} {named} is itself an estimate from a limited number of rows."
    )
    if best is not None:
        st.caption(f"Best on {found.judge} rows{by}: {_leaves(found, best)} (the smallest of equally good trees).")
    with st.container(horizontal=True):
        if best is not None and step != best:
            st.button(f"Prune to {_leaves(found, best)}", on_click=lambda: nested.take(best), key="best_step")
        for (errors, _), (k, name) in zip(RULES, cross, strict=False):
            _, what, told = MARKS[int(errors)]
            st.button(
                f"{what[:1].upper()}{what[1:]} ({name} rule): {_leaves(found, k)}", key=f"rule_{name}",
                on_click=lambda e=errors: nested.by_rule(e),
                help=f"{told} in cross-validation. Prune to it, now and whenever the tree is grown anew",
            )  # fmt: skip


def _in_force(found: SizeCurve, step: int | None) -> str:
    """The size and the rule that chose it."""
    if step is None:
        by = "by hand" if work.cut_by_hand() else plain(PRUNERS[state.record().prune.method].label)
        return (
            f"Your tree: {work.pruned().n_leaves:,} leaves, cut in another way than this sequence ({by}; see Pruning "
            "and By hand in the sidebar). A click on the curve goes back to it."
        )
    size, given = f"Your tree: {_leaves(found, step)}", nested.parameters()
    if state.record().prune.method != nested.METHOD or work.refusal() is not None:
        return f"{size}, the grown tree: no rule has chosen a size yet."
    if given.get("alpha") is not None:
        return f"{size}, chosen by you: the best tree where a leaf costs α = {brief(found.alpha[step])}."
    return f"{size}, {_rule(given)}; it is the best tree where a leaf costs α = {brief(found.alpha[step])}."


def _rule(given: dict) -> str:
    """ "the smallest tree of least error on the rows that judge", and with how many standard errors to spare."""
    rows, errors = f"on the {work.judge()} rows", given.get("standard_errors", 0.0)
    if given.get("choose") == "cross-validation":
        rows = f"by {given.get('folds', nested.FOLDS)}-fold cross-validation of the training rows"
    by = own_measure(nested.measure(), work.grown())
    best = f"the {'largest' if by in OF_ORDER or by == 'profit' else 'least'} {NAMES[by]}"
    if not errors:
        return f"the smallest tree of {best} {rows} (0-SE rule)"
    many = "standard error" if errors == 1 else "standard errors"
    return f"the smallest tree within {number(errors)} {many} of {best} {rows} ({number(errors)}-SE rule)"


def table() -> None:
    """Every step in numbers."""
    result = nested.curve()
    name = _named(result)
    frame = frames.of({"leaves": result.n_leaves, "nodes": result.n_nodes, "depth": result.depth, "α": result.alpha})
    for role, values in result.shown.items():
        frame[f"{name}, {role}"] = values
        if result.accuracy and result.measure != "error rate":
            frame[f"accuracy, {role}"] = result.accuracy[role]
    if result.cv_mean is not None:
        frame["cross-validation"], frame["its standard error"] = result.cv_shown, result.cv_error_shown
    looks = dict.fromkeys(("leaves", "nodes"), frames.COUNT)
    for column in frame.columns[3:]:
        frame[column], looks[column] = frames.column(map(brief, frame[column].tolist()))
    with st.expander("The sequence in numbers"):
        frames.show(frame, looks, hide_index=True, height=300)
        baseline = ", ".join(f"{role} {brief(value)}" for role, value in result.baseline_shown.items())
        what = {
            "error rate": "the training majority class", "mean squared error": "the training mean",
            "mean deviance": "the training rate",
        }  # fmt: skip
        st.caption(f"Always answering {what.get(result.measure, 'what the root does')}: {name} {baseline}.")
    _of_folds()


def _of_folds() -> None:
    """What the folds say of the size in force, fold by fold."""
    folds, step = nested.cross_validation()[0], nested.chosen_step()
    if folds is not None and folds.per_fold is not None and step is not None:
        show = lambda: explained.show(folds_lines(folds, step))  # noqa: E731
        fold(f"How {folds.n_folds} folds judge {_leaves(nested.curve(), step)}", "of folds", show)


# R(t), R(T_t), |T_t| and g(t) of every node in the subtree in force, and the arithmetic of the selected one.

MOST_ROWS = 300


def show() -> None:
    """The table, weakest link first; a row selects its node, and its g(t) is opened below."""
    result, step = nested.steps(), nested.chosen_step()
    if len(result) < 2:
        return
    k = 0 if step is None else step
    here: Links = work.cached("links", result.by, k, make=lambda: links_at(result, k))
    st.subheader("Weakest links", anchor=False)
    what = "of the grown tree" if step in (None, 0) else f"of the subtree of {int(result.n_leaves[k]):,} leaves"
    st.caption(
        f"Inner nodes {what}, weakest first: the least $g(t) = (R(t) - R(T_t)) / (|T_t| - 1)$ is the α at which the "
        f"next branches fall. $R$ is what rows of the node (or of the leaves below it) add to the tree's {result.unit} "
        "on the training rows."
    )
    frame, looks = _frame(here)
    settings = {"height": 280, "placeholder": "", "column_config": looks}
    node_table(frame, here.node[:MOST_ROWS], "links", (result.by, k), **settings)
    if len(here) > MOST_ROWS:
        st.caption(
            f"{len(here) - MOST_ROWS:,} more nodes are not listed: the strongest links, and those pruned long before."
        )
    node = work.selected()
    st.markdown(f"**Node {node}**")
    explained.show(link_lines(here, node))


def _frame(here: Links) -> tuple[frames.Frame, dict]:
    """The table, and how its columns are written."""
    tree, first = work.grown(), slice(MOST_ROWS)
    frame = {
        "node": here.node[first], "test": [tree.node(int(t)).feature for t in here.node[first]],
        "R(t)": here.risk[first], "R(Tt)": here.branch_risk[first], "|Tt|": here.n_leaves[first],
        "g(t)": here.g[first], "falls at step": here.step[first], "α": here.alpha[first],
    }  # fmt: skip
    shown = frames.of(frame).astype({"|Tt|": "Int64"})
    shown.loc[~here.stands[first], "|Tt|"] = None  # it has no branches any more
    looks = {"|Tt|": frames.COUNT, "": st.column_config.TextColumn("", width=24)}
    looks["node"] = st.column_config.NumberColumn(width=60)
    for name in ("R(t)", "R(Tt)", "g(t)", "α"):
        shown[name], looks[name] = frames.column(map(brief, shown[name].tolist()))
    return shown, looks
