"""The tree in force as rules: the three ways to read it, each made once and then kept."""

import streamlit as st

import treecore as tc
from pages.shared.server import long_work
from pages.shared.session import state
from pages.shared.trees import work
from treecore.rules import Figures, LabelledRows, RuleList, RuleSet

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
    return work.kept_cut("rules", merged, make=lambda: tc.rules(tree, merged=merged))


def before() -> RuleSet:
    """The rules in whose place those of the view stand: the same leaves, nothing dropped."""
    return of_paths(merged=in_force() != READ)


def rows() -> dict[str, LabelledRows]:
    """Role -> its rows, as rules are judged on them; roles without rows are left out."""
    tree, parts = work.pruned(), work.estimation() | work.parts()
    make = lambda: {role: LabelledRows.of(tree, part) for role, part in parts.items()}  # noqa: E731
    return work.kept_cut("rows for rules", make=make)


def own_rows() -> LabelledRows:
    """Those that the figures of the tree are of."""
    return rows()[work.pruned().figures_of]


def rules() -> RuleSet:
    """The rules of the view, in the order of the tree."""
    view, found = in_force(), before()
    if view == MERGED:
        return work.kept_cut("rules without implied", make=found.without_implied)
    if view == PRUNED:
        make = lambda report: found.simplified(rows()[work.judge()], own_rows(), report)  # noqa: E731
        said, remedy = long_work.rules_said, "choose another way to read the rules"
        key = work.cut_key("simplified rules")
        return long_work.kept(key, make, said, "Pruning of rules", remedy, "Post-prune")
    return found


def ordered() -> RuleList:
    """The rules in the order of their use: by validation error where they are post-pruned, else as in the tree."""
    found, view = rules(), in_force()
    judged = rows()[work.judge()] if view == PRUNED else None
    return work.kept_cut("rule list", view, make=lambda: found.listed(judged, own_rows()))


def figures(places: list[int]) -> dict[str, tuple[Figures, ...]]:
    """Role -> figures of the rules at these places of the list; of the rows of the tree's figures and of validation."""
    found, judged = ordered(), rows()
    some = RuleSet(found.tree, tuple(found.rules[i] for i in places))
    make = lambda: {r: some.figures(judged[r]) for r in (found.tree.figures_of, "validation") if r in judged}  # noqa: E731
    return work.kept_cut("rule figures", in_force(), tuple(places), make=make)


def nodes() -> list[int]:
    """The node of the grown tree that each rule of the list is of."""
    found = ordered()
    make = lambda: work.cuts().standing(work.grown())[[rule.leaf for rule in found.rules]].tolist()  # noqa: E731
    return work.kept_cut("nodes of rules", in_force(), make=make)


def selected() -> int | None:
    """Position in the list of the selected leaf's rule; None where the selected node has branches."""
    node, known = work.cuts().visible_ancestor(work.grown(), work.selected()), nodes()
    return known.index(node) if node in known else None
