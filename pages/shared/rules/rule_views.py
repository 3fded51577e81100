"""The tree in force as rules: the three ways to read it, each made once and then kept."""

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import side_panel
from pages.shared.server import long_work
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.rules import Figures, LabelledRows, RuleList, RuleSet
from treecore.rules.describe import Description, describe
from treecore.tree.short_text import apart, shorten
from treecore.tree.tree import Tree

READ, MERGED, PRUNED = "as read", "without implied", "post-pruned"
LABELS = {READ: "full", MERGED: "simplified", PRUNED: "pruned"}
HELP = (
    "Full: every branch of a path is a condition. Simplified: conditions that follow from the others are left out "
    "(x < 5 beside x < 3). Pruned: conditions are dropped for as long as the rule's error on the "
    "validation rows it covers does not rise."
)


def choose() -> None:
    """The switch between the three."""
    wanted = _wanted()
    state.controlled(
        st.segmented_control, "Rules", wanted, lambda v: state.choose("rules_view", v or READ), "rules_view",
        options=[READ, MERGED, PRUNED], help=HELP, format_func=LABELS.get,
    )  # fmt: skip
    if in_force() != wanted:
        st.info(
            "There are no validation rows to judge rules by, so nothing is dropped. Give validation rows a share under "
            "*Train / validation / test split* on the page Data."
        )
        st.page_link("pages/data.py", label="Data")


def _wanted() -> str:
    chosen = state.choice("rules_view")
    return chosen if chosen in (READ, MERGED, PRUNED) else READ


def in_force() -> str:
    """The chosen view; without validation rows there is no post-pruning."""
    chosen = _wanted()
    return MERGED if chosen == PRUNED and work.judge() not in work.parts() else chosen


def of_paths(merged: bool) -> RuleSet:
    """The tree's paths, with the conditions on one feature taken together or not."""
    tree = work.pruned()
    return work.cached_cut("rules", merged, make=lambda: tc.rules(tree, merged=merged))


def before() -> RuleSet:
    """The rules in whose place those of the view stand: the same leaves, nothing dropped."""
    return of_paths(merged=in_force() != READ)


def rows() -> dict[str, LabelledRows]:
    """Role -> its rows, as rules are judged on them; roles without rows are left out."""
    tree, parts = work.pruned(), work.estimation() | work.parts()
    make = lambda: {role: LabelledRows.of(tree, part) for role, part in parts.items()}  # noqa: E731
    return work.cached_cut("rows for rules", make=make)


def own_rows() -> LabelledRows:
    """Those that the figures of the tree are of."""
    return rows()[work.pruned().figures_of]


def rules() -> RuleSet:
    """The rules of the view, in the order of the tree."""
    view, result = in_force(), before()
    if view == MERGED:
        return work.cached_cut("rules without implied", make=result.without_implied)
    if view == PRUNED:
        make = lambda report: result.simplified(rows()[work.judge()], own_rows(), report)  # noqa: E731
        said, remedy = long_work.describe_post_pruning, "choose another way to read the rules"
        key = work.cut_key("simplified rules")
        return long_work.cached(key, make, said, "Pruning of rules", remedy, "Post-prune")
    return result


def ordered() -> RuleList:
    """The rules in the order of their use: by validation error where they are post-pruned, else as in the tree."""
    result, view = rules(), in_force()
    judged = rows()[work.judge()] if view == PRUNED else None
    return work.cached_cut("rule list", view, make=lambda: result.listed(judged, own_rows()))


def figures(places: list[int]) -> dict[str, tuple[Figures, ...]]:
    """Role -> figures of the rules at these places of the list; of the rows of the tree's figures and of validation."""
    result, judged = ordered(), rows()
    some = RuleSet(result.tree, tuple(result.rules[i] for i in places))
    make = lambda: {r: some.figures(judged[r]) for r in (result.tree.figures_of, "validation") if r in judged}  # noqa: E731
    return work.cached_cut("rule figures", in_force(), tuple(places), make=make)


def nodes() -> list[int]:
    """The node of the grown tree that each rule of the list is of."""
    result = ordered()
    make = lambda: work.cuts().standing(work.grown())[[rule.leaf for rule in result.rules]].tolist()  # noqa: E731
    return work.cached_cut("nodes of rules", in_force(), make=make)


def selected() -> int | None:
    """Position in the list of the selected leaf's rule; None where the selected node has branches."""
    node, known = work.cuts().visible_ancestor(work.grown(), work.selected()), nodes()
    return known.index(node) if node in known else None


# Which rules are listed, and in which order: found by a word, by their answer, those of most rows first.

ALL = "every answer"
WIDTHS = {False: 138, True: 220}
"""Pixels of a field, in the narrow drawer and in the wide one."""
BY_ROWS, BY_USE = "most rows first", "in their order"


def choose_order() -> None:
    """A word, an answer, and the order."""
    width = WIDTHS[side_panel.is_wider("rules")]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.text_input, "Find", _word(), lambda v: state.choose("find rule", v or ""), "find_rule",
            placeholder="a feature, a level …", width=width,
        )  # fmt: skip
        if work.pruned().classes:
            places = apart(work.pruned().class_names)
            state.controlled(
                st.selectbox, "Prediction", _answer(), lambda v: state.choose("rule answer", v), "rule_answer",
                options=[ALL, *work.pruned().class_names],
                format_func=lambda name: "all" if name == ALL else shorten(name, 40, places),
                width=width,
            )  # fmt: skip
        state.controlled(
            st.segmented_control, "Order", order(), lambda v: state.choose("rule order", v or BY_ROWS), "rule_order",
            options=[BY_ROWS, BY_USE], label_visibility="collapsed",
            format_func={BY_ROWS: BY_ROWS, BY_USE: "in rule order"}.get,
        )  # fmt: skip


def order() -> str:
    return state.choice("rule order")


def _word() -> str:
    return state.choice("find rule")


def _answer() -> str:
    chosen = state.choice("rule answer")
    return chosen if chosen in work.pruned().class_names else ALL


def places() -> list[int]:
    """Positions in the list of those that are wanted."""
    rules, word, answer = ordered().rules, _word().casefold(), _answer()
    result = [i for i, rule in enumerate(rules) if answer in (ALL, rule.said)]
    if word:
        texts = work.cached_cut("rule texts", in_force(), make=lambda: [r.text.casefold() for r in rules])
        result = [i for i in result if word in texts[i]]
    if order() == BY_USE:
        return result
    weight = np.array([-rules[i].train.weight if rules[i].train else 0.0 for i in result])
    return [result[i] for i in np.argsort(weight, kind="stable").tolist()]


# The page Rules: every class in one line, as short as can be.


def show() -> None:
    """Each class as an OR of ANDs, and whether anything shorter says the same; of a large tree why not."""
    tree = work.pruned()
    described, refusal = work.cached_cut("described classes", make=lambda: _described(tree))
    if refusal:
        st.caption(plain(refusal))
    for result in described:
        st.markdown(f"**{plain(result.said)}**: {plain(result.text)}")
        st.caption(_how_short(result))
    if described:
        st.caption("For rows without missing values in the features of the tree.")


def _described(tree: Tree) -> tuple[tuple[Description, ...], str]:
    """Every class, or why there is no line of any: kept, too, as a large tree has many paths to look at."""
    try:
        return describe(tree), ""
    except TreecoreError as fault:
        return (), f"{fault.what}. {fault.remedy}."


def _how_short(found: Description) -> str:
    paths = f"{found.n_paths:,} {'path' if found.n_paths == 1 else 'paths'} of the tree"
    if not found.terms:
        return f"{paths}; nothing is answered so"
    terms = f"{len(found.terms):,} {'term' if len(found.terms) == 1 else 'terms'} for {paths}"
    return f"{terms}; nothing shorter says the same" if found.exact else f"{terms}; something shorter may say the same"
