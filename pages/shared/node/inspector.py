"""The selected node: its rows, its mix, its split and the splits that lost."""

import math

import streamlit as st

import treecore as tc
from pages.shared.session import state
from pages.shared.trees import groups, interest, tables, twins, work
from pages.shared.trees.plan import Plan, in_force
from pages.shared.widgets import explained, frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.criteria import CRITERIA
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Line
from treecore.explaining.pruning_arithmetic import Verdict, verdict_lines
from treecore.explaining.why_node import SCORE_WORDS, error_text, gain_text, plain_words, score_text
from treecore.export.cards import deviation_text
from treecore.figures import brief, count, per_cent, percent
from treecore.growing.inspect.candidates import Candidates
from treecore.growing.oblique_growth import why_sum
from treecore.growing.rebuild_node import why_leaf
from treecore.judging.interest import altered_words
from treecore.plots.step_lines import survival_curve
from treecore.pruning import PRUNERS, RAISED
from treecore.study.groups import Groups
from treecore.study.survival_curves import has_curves, horizon_of, node_curve, survival_score
from treecore.tree.node import NodeView
from treecore.tree.short_text import shorten


def inspect() -> None:
    """Everything about the selected node, training and validation rows side by side."""
    tree, node = work.grown(), work.selected()
    view = tree.node(node)
    cut = work.cuts()
    st.subheader(f"Node {node}", anchor=False)
    st.caption(plain(view.rule))
    st.markdown(plain(plain_words(tree, node, interest.of(tree))))
    _standing(tree, node, cut)
    st.markdown(_sizes(tree, view))
    of_node(node)
    if node == 0:
        judged()
    _mix(tree, node)
    twins.of_node(node)
    groups_of_selected()
    _split(tree, node)


def _sizes(tree: tc.Tree, view: NodeView) -> str:
    """Rows of the tree's figures and of validation with their share, and the impurity."""
    n, _, rest = explained.rows(view).partition(" ")
    shares = [f"**{n}** {rest} ({percent(view.weight / tree.weight[0])})"]
    validation = work.statistics().get("validation")
    if validation is not None:
        here, whole = (float(tree.weight_of(validation[n])) for n in (view.id, 0))
        shares.append(f"**{count(here, ',')}** validation rows ({percent(here / whole)})")
    altered = altered_words(tree)
    whose = f"the {tree.rows_named}, weighed anew by {altered}," if altered else f"the {tree.rows_named}"
    if tree.criterion == "squared_error":
        spread = plain(deviation_text(tree, view.impurity))
        return f"{' · '.join(shares)}  \nStandard deviation of {whose} **{spread}**, squared {brief(view.impurity)}"
    if not tree.target_kind.tells_impurity:
        beside = (f"{name.capitalize()}: {text}" for name, text in tree.target_kind.details(tree, view.id)[-1:])
        return "  \n".join([" · ".join(shares), *map(plain, beside)])
    named, loss = CRITERIA[tree.criterion].label, tree.schema.row_loss
    named += f", {loss.setting_text}," if loss is not None and loss.setting_text else ""
    return f"{' · '.join(shares)}  \n{named} of {whose} **{brief(view.impurity)}**"


def _standing(tree: tc.Tree, node: int, cuts: tc.Cuts) -> None:
    """Is the node part of the pruned tree, and why (not)?"""
    above = cuts.visible_ancestor(tree, node)
    if cuts.verdict[node] == RAISED and above not in tree.path(node):
        st.caption(
            f"Raised ({plain(_reason(cuts, node))}): node {above} moves up into its place and takes all of its rows."
        )
    elif above != node:
        told = f"is pruned ({plain(_reason(cuts, above))})" if above in tree.path(node) else "has its rows now"
        st.caption(f"A ghost: node {above} {'above it ' if above in tree.path(node) else ''}{told}.")
    elif cuts.verdict[node]:
        st.caption(
            f"Pruned here ({plain(_reason(cuts, node))}): a leaf now, it predicts {plain(tree.node(node).predicted)}."
        )


def _reason(cuts: tc.Cuts, node: int) -> str:
    reason = cuts.reasons.get(node)
    if reason is None:
        return "by hand"
    return reason.text if reason.method in reason.text else f"{reason.method}: {reason.text}"


def _mix(tree: tc.Tree, node: int) -> None:
    """Class weights or the mean of the rows of both bars."""
    stats = dict(zip(twins.labels(), twins.statistics().values(), strict=True))
    if tree.classes:
        frame, looks = frames.of({"class": tree.class_names}), {}
        for role, s in stats.items():
            total = max(float(s[node].sum()), 1e-300)
            frame[role] = s[node]
            frame[f"{role}, %"] = [per_cent(n / total) for n in s[node]]
            looks |= {role: frames.COUNT, f"{role}, %": frames.SHARE}
        frames.show(frame, looks, hide_index=True)
    else:
        here = {role: s[node] for role, s in stats.items()}
        frame = frames.of([tree.target_kind.figures(tree, node, of_role) for of_role in here.values()])
        frame.insert(0, "rows of", list(here))
        frame.insert(1, "n", [count(float(tree.weight_of(of_role)), ",") for of_role in here.values()])
        frames.figures(frame, hide_index=True)


def _split(tree: tc.Tree, node: int) -> None:
    result = work.candidates(node)
    view = tree.node(node)
    if view.is_leaf:
        st.markdown(f"**A leaf.** It predicts {plain(view.predicted)}. {plain(_why_leaf(node, result))}")
        fold("The arithmetic of this leaf", "arithmetic", lambda: explained.arithmetic(node))
        explained.label(node)
    else:
        _chosen(work.trained(), view, result)
        described = tables.description(str(view.feature))
        if described:
            st.caption(f"{plain(view.feature)}: {plain(described)}")
    line = explained.line_of(node)
    if line:
        fold("The line of this node", "line", lambda: explained.show(line))
    _tests(node)


def _why_leaf(node: int, found: Candidates) -> str:
    gain = max((c.gain for c in found.ranked if c.eligible), default=None)
    tree = work.trained()  # it ends here for want of training rows, or of splits of them
    return work.cached("why leaf", node, make=lambda: why_leaf(tree, node, gain, work.roles()["train"]))


def _chosen(tree: tc.Tree, view: NodeView, found: Candidates) -> None:
    """The split, its arithmetic and its missing values. tree : of the training rows, which chose it."""
    chosen = next((c for c in found.ranked if c.chosen), None)
    score = ""
    if chosen is not None and found.score != "decrease":
        score = f", {SCORE_WORDS[found.score].split(',')[0]} {score_text(tree, found, chosen.score)}"
    by = "" if view.tree is tree else f" on the {tree.rows_named}"
    error = error_text(tree, view.id)
    lower = f": {error} of the rows here" if error else ""
    st.markdown(f"**Split** on {plain(view.feature)}{lower}, gain {plain(gain_text(tree, view.id) + score)}{by}")
    why = work.cached("why sum", view.id, make=lambda: why_sum(tree, view.id, work.roles()["train"]))
    if why:
        st.caption(plain(why))
    fold("The arithmetic of this split", "arithmetic", lambda: explained.arithmetic(view.id))
    explained.missing(view.id)


def _tests(node: int) -> None:
    lines = explained.feature_tests(node)
    if lines:
        fold("The tests of all features", "feature tests", lambda: explained.show(lines))


# The groups of a column among the rows of a node: how they fare, and what the tree says of them.


def groups_of_selected() -> None:
    """Of the selected node, by the rows that its figures are of, where the bars show a column."""
    result = groups.at_selected()
    if result is not None:
        show(*result)
        tree = result[0].tree
        chose = ", which also chose the splits: for a column used by the tree a small p is no surprise"
        rows = f"Of the {tree.rows_named}{chose if tree.figures_of == 'train' else ''}."
        st.caption(f"{rows} p: against the other rows of the node, corrected for the number of groups (Holm).")


def show(of: Groups, node: int) -> None:
    """A sentence, and a row per group."""
    st.markdown(f"**By {plain(shorten(of.column, 40))}.** {plain(of.text(node))}")
    frame, looks = _frame(of, node)
    frames.show(frame, looks, hide_index=True, height=frames.height(len(frame)))


def _frame(of: Groups, node: int) -> tuple[frames.Frame, dict]:
    result = of.of_node(node)
    kind = of.noun
    made = {"group": [group.name for group in result], "rows": [group.rows for group in result]}
    looks = {"rows": frames.COUNT, "p": st.column_config.NumberColumn(format="%.2g")}
    for label, name in (
        (kind, "rate"), ("the others", "others"), ("p", "p_value"), ("tree says", "told"), ("from", "low"),
        ("to", "high"), ("difference", "difference"),
    ):  # fmt: skip
        values = [getattr(group, name) for group in result]
        if name == "p_value":
            made[label] = values
        elif of.k is None:
            made[label], looks[label] = frames.answers(of.tree, values)
        else:
            made[label], looks[label] = [per_cent(value) for value in values], frames.SHARE
    made["share of rows"] = [per_cent(group.share) for group in result]
    looks["share of rows"] = frames.SHARE
    made["test"] = [group.method for group in result]
    return frames.of(made), looks


# How long the rows of a node are without the event, beside all rows, where times until an event are predicted.

HEIGHT = 300
MOST_JUDGED = 20_000
"""Validation rows that are ranked and foretold while one waits."""
SCORES = (
    "Concordance: of two rows of which one is known to have had its event first, how often that one had the higher "
    "hazard; 0.5 is chance. Brier score: mean squared distance of the curves from what happened, over time; lower is "
    "better."
)


def of_node(node: int, asks_horizon: bool = False) -> None:
    """The curve of a node of the grown tree, with its median in words, and if asked for the risk until the horizon;
    nothing for other targets."""
    result = work.cached("survival", node, make=lambda: node_curve(work.grown(), work.own_rows(), node))
    if result is None:
        return
    at = horizon() if asks_horizon else None
    if at is not None:
        st.markdown(f"**{plain(result.risk_text(at))}.**")
        drag_horizon("node_horizon")
    st.plotly_chart(survival_curve(result, at), key=f"survival {node}", height=HEIGHT)
    st.caption(plain(f"{result.text}."))


def horizon() -> float:
    """The time until which risks are told, of survival times: the one that was chosen, or the usual one."""
    least, usual, largest = _horizons()
    told = state.choice("horizon")
    return float(min(max(told, least), largest)) if type(told) in (int, float) else usual


def drag_horizon(key: str) -> None:
    """Its slider; the horizon is one on all pages."""
    least, _, largest = _horizons()
    if least < largest:
        state.controlled(
            st.slider, f"Horizon ({plain(work.grown().schema.counts.exposure)})", horizon(),
            lambda at: state.choose("horizon", float(at)), key,
            min_value=least, max_value=largest, step=10.0 ** round(math.log10((largest - least) / 200)), format="%g",
            help="The risk is the share of rows with an event until then: one less the Kaplan-Meier curve",
        )  # fmt: skip


def _horizons() -> tuple[float, float, float]:
    """The least, the usual and the largest one."""
    return work.cached("horizons", make=lambda: horizon_of(work.grown(), work.own_rows()))


def judged() -> None:
    """How well the pruned tree ranks and foretells the validation rows; nothing for other targets, or many rows."""
    rows = work.parts()
    if "validation" not in rows or not has_curves(work.pruned()) or rows["validation"].n_rows > MOST_JUDGED:
        return
    make = lambda: survival_score(work.pruned(), rows["train"], rows["validation"])  # noqa: E731
    result = work.cached_cut("survival score", make=make)
    if result.text:
        st.caption(plain(f"Validation: {result.text}."), help=SCORES)


# What the strategy in force made of the selected node, and the arithmetic of its deciding number.


def verdict_of_selected() -> None:
    """Of the strategy alone: what was cut or restored by hand is said in the inspector."""
    node = work.selected()
    lines = lines_of(in_force(), node)
    if not lines:
        return
    with st.expander(f"Why {PRUNERS[state.record().prune.method].label} decided so about node {node}"):
        explained.show(lines)


def lines_of(plan: Plan, node: int) -> list[Line]:
    """The explanation of this plan's strategy; [] where it never looked at the node, or cannot serve."""
    cuts = work.strategy(plan)
    if isinstance(cuts, TreecoreError):
        return []
    about, tree = plan.prune, work.grown(plan)
    stats = work.statistics(plan).get("validation")
    verdict = Verdict(tree, cuts, node, PRUNERS[about.method], dict(about.parameters), stats)
    return work.cached("verdict lines", about, node, make=lambda: verdict_lines(verdict), plan=plan)
