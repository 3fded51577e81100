"""Rules learned straight from the training rows, beside those of the tree: which learner, how good, and the list."""

import streamlit as st

import treecore as tc
from pages.shared.rules import rulebook
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.covering import LEARNERS, Learned, learn_rules
from treecore.errors import TreecoreError
from treecore.figures import counted
from treecore.rules.rule import Rule

CHOSEN = "rules learned"
MOST = {"prism": 500_000, "ripper": 200_000, "part": 30_000, "depth_first": 10_000}
"""Training rows times features, for about ten seconds of work."""
IN_FULL, LISTED = 12, 1000
"""Rules written out, and rules in the table."""


def show() -> None:
    """Closed at first: learning takes time."""
    fold("Rules straight from the rows", "learned rules", _choose)


def _choose() -> None:
    train = work.roles()["train"]
    if train.task == "regression":
        st.caption(f"They answer with classes, and {plain(train.target)} is a number.")
        return
    chosen = state.choice(CHOSEN)
    state.controlled(
        st.selectbox, "Learner", chosen, lambda name: state.choose(CHOSEN, name), "rules_learned",
        options=["", *LEARNERS], format_func=lambda name: LEARNERS[name].label if name else "none",
        help="They look for rules in the training rows themselves, without a tree.",
    )  # fmt: skip
    if chosen:
        _learned(chosen, train)


def _learned(name: str, train: tc.Table) -> None:
    size, learner = train.n_rows * len(train.features), LEARNERS[name]
    st.caption(f"{learner.label}: {learner.formula}. Source: {learner.source}.")
    if size > MOST[name]:
        st.info(
            f"{train.n_rows:,} training rows of {counted(len(train.features), 'feature')} take {learner.label} too "
            f"long: at most {MOST[name]:,} cells. Take fewer rows or features on Data, or another learner."
        )
        return
    try:
        result = work.cached("learned rules", name, make=lambda: learn_rules(train, name))
    except TreecoreError as fault:
        st.info(f"{plain(fault.what)}. {plain(fault.remedy)}.")
        return
    _quality(result)
    _listing(result)


def _quality(found: Learned) -> None:
    """Beside the tree, on every role."""
    make = lambda: {role: found.error(part) for role, part in work.parts().items()}  # noqa: E731
    errors = work.cached("errors of learned rules", found.learner.name, make=make)
    rulebook.compare_with_tree(errors, found.learner.label)


def _listing(found: Learned) -> None:
    rules = found.listed.rules
    size = f"{counted(len(rules), 'rule')}, {counted(sum(len(rule.conditions) for rule in rules), 'condition')}"
    order = "shares of rules are added up" if found.learner.shared else "the first that covers a row predicts"
    st.caption(f"{size}; {order}. Figures are of the rows that no rule before covers.")
    for place, rule in enumerate(rules[:IN_FULL], 1):
        st.markdown(f"{place}\\. **IF** {rulebook.premise(rule)} **THEN** **{plain(rule.conclusion)}**")
        st.caption(_figures(found, rule))
    st.markdown(f"**OTHERWISE** {plain(found.tree.schema.target)} = {plain(found.listed.default_text)}")
    if len(rules) > IN_FULL:
        frame = frames.of({"IF": [r.premise for r in rules[:LISTED]], "THEN": [r.said for r in rules[:LISTED]]})
        frames.show(frame, hide_index=True, height=318)


def _figures(found: Learned, rule: Rule) -> str:
    if rule.train is None:
        return "no training row is left for it"
    return rulebook.describe_figures(found.tree, rule, {"train": rule.train})
