"""The selected leaf's rule in full."""

import streamlit as st

import treecore as tc
from pages.shared.rules import rule_views
from pages.shared.trees import interest, work
from pages.shared.widgets.messages import plain
from treecore.figures import lift_text, percent
from treecore.growing.settings.parts import LEAF_SHARES
from treecore.judging.interest import rate
from treecore.rules import Drop, Figures, Rule


def show() -> None:
    """The rule with what was dropped struck through, the numbers that decided, and its rows in every role; nothing
    where the selected node has branches."""
    place = rule_views.selected()
    if place is None:
        return
    result = rule_views.ordered()
    rule = result.rules[place]
    st.subheader(f"Rule {place + 1} of {len(result):,}: node {rule_views.nodes()[place]}", anchor=False)
    whole = next(r for r in rule_views.before() if r.leaf == rule.leaf)
    lines = [_line(condition, rule) for condition in whole.conditions] or ["every row"]
    st.markdown("**IF**\n" + "\n".join(f"- {line}" for line in lines) + f"\n\n**THEN** {plain(rule.conclusion)}")
    figures = {role: of_role[0] for role, of_role in rule_views.figures([place]).items()}
    st.markdown("  \n".join(_numbers(role, f, result.tree) for role, f in figures.items()))
    _remarks(rule, whole, figures)


def _line(condition, rule: Rule) -> str:
    """A condition; struck through, with its numbers, where it was dropped or says nothing by itself."""
    text = plain(condition.text)
    drop = next((d for d in rule.dropped if d.condition == condition), None)
    if drop is not None:
        return f"~~{text}~~ {_why(drop, rule.dropped.index(drop) + 1)}"
    return text if condition in rule.conditions else f"~~{text}~~ implied by the others"


def _why(drop: Drop, step: int) -> str:
    return (
        f"dropped in step {step}: {work.judge()} {_error(drop.before)} with it ({_rows(drop.rows_before)}), "
        f"{_error(drop.after, False)} without ({_rows(drop.rows_after)})"
    )


def _error(value: float | None = None, named: bool = True) -> str:
    """ "error 12.3 %" or "RMSE 45.6"; either alone."""
    tree = rule_views.ordered().tree
    if tree.classes:
        name, text = "error", percent(value or 0.0)
    else:
        name, text = tree.target_kind.loss_shown(tree, value or 0.0)
    return name if value is None else f"{name} {plain(text)}" if named else plain(text)


def _rows(n: int) -> str:
    return "1 row" if n == 1 else f"{n:,} rows"


def _numbers(role: str, figures: Figures, tree: tc.Tree) -> str:
    """A rule on the rows of a role, in words."""
    name = f"{'training' if role == 'train' else role} {'row' if figures.n_rows == 1 else 'rows'}"
    rows = f"**{figures.n_rows:,}** {name} ({percent(figures.support)})"
    if not figures.n_rows:
        return rows
    if figures.confidence is None:
        name, text = tree.target_kind.loss_shown(tree, figures.error)
        return f"{rows}, {name} **{plain(text)}**"
    looked_for = interest.of(tree)
    if looked_for is None or not figures.shares:
        return f"{rows}, confidence **{percent(figures.confidence)}**, lift **{lift_text(figures.lift)}**"
    said = f"**{plain(rate(figures.shares[looked_for.k], looked_for.name))}**"
    return f"{rows}, {said}, {percent(figures.confidence)} match the prediction (lift {lift_text(figures.lift)})"


def _remarks(rule: Rule, whole: Rule, figures: dict[str, Figures]) -> None:
    """The path in the tree, why no more goes, and what becomes of rows without a value."""
    path = next(r for r in rule_views.of_paths(merged=False) if r.leaf == rule.leaf)
    if len(path.conditions) > len(whole.conditions):
        asked = ", ".join(c.text for c in path.conditions)
        st.caption(f"The full path has {len(path.conditions)} conditions: {plain(asked)}.")
    if rule.halted is not None:
        st.caption(
            f"No further condition is dropped: without {plain(rule.halted.condition.text)} the {work.judge()} "
            f"{_error()} would rise from {_error(rule.halted.before, False)} to {_error(rule.halted.after, False)}."
        )
    elif rule_views.in_force() == rule_views.PRUNED and not figures["validation"].n_rows:
        st.caption("It covers no validation row, so no condition can be tested and dropped.")
    if work.pruned().added is not None and rule.answer >= 0:
        estimate = LEAF_SHARES[work.pruned().growth["leaf_shares"]].label
        looked_for = interest.of(work.pruned())
        k = rule.answer if looked_for is None else looked_for.k
        said = plain(rate(rule.shares[k], work.pruned().class_names[k]))
        st.caption(f"With “{plain(estimate)}” the tree uses {said}.")
    for name, said in rule.without_value():
        st.caption(f"A row without {plain(name)}: {plain(said)}.")
