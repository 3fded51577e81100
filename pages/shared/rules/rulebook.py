"""All rules in full, what answers where none does, and how good they are in the tree's place."""

import streamlit as st

import treecore as tc
from pages.shared.rules import rule_views
from pages.shared.session import state
from pages.shared.trees import interest, work
from pages.shared.widgets import frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.export.rule_texts import measured
from treecore.figures import counted, per_cent, percent
from treecore.judging.interest import Interest
from treecore.rules import Figures, Rule, RuleList
from treecore.tree.short_text import shorten

FIRST, MORE, MOST = 12, 24, 1000
"""Rules that are shown at first, and at every click more; rules in the table."""
SHOWN = "rules shown"
WIDTHS = {
    "": 24, "rule": 44, "IF": 520, "THEN": 80, "rows, train": 76, "support": 64, "confidence, train": 112, "lift": 48,
    "rows, validation": 100, "confidence, validation": 136,
}  # fmt: skip


def listing() -> None:
    """The rules in full, as many as the reader asks for; a button of each selects its leaf on every page."""
    result, places = rule_views.ordered(), rule_views.places()
    _say(result, len(places))
    if not places:
        st.info("No rule matches.")
        return
    shown = places[: state.choice(SHOWN)]
    figures, nodes, selected = rule_views.figures(shown), rule_views.nodes(), rule_views.selected()
    for at, place in enumerate(shown):
        with st.container(key=f"rulecard_{'selected' if place == selected else place}", gap=None):
            st.button(
                f"Rule {place + 1:,}", key=f"take_rule_{place}", type="tertiary", icon=":material/arrow_right:",
                on_click=lambda node=nodes[place]: state.change(selected=node), help="Select its leaf in the tree",
            )  # fmt: skip
            rule = result.rules[place]
            st.markdown(f"**IF** {premise(rule)} **THEN** **{plain(rule.conclusion)}**")
            st.caption(describe_figures(result.tree, rule, {role: of_role[at] for role, of_role in figures.items()}))
    more = len(places) - len(shown)
    if more:
        st.button(
            f"{min(more, MORE):,} more of {counted(more, 'rule')}", key="more_rules", width="stretch",
            on_click=lambda: state.choose(SHOWN, len(shown) + MORE),
        )  # fmt: skip
    fold("As a table", "rules as a table", lambda: _table(result, places[:MOST]))


def premise(rule: Rule) -> str:
    """All of its conditions, wherever lines end."""
    return " **AND** ".join(plain(c.text) for c in rule.conditions) or "every row"


def describe_figures(tree: tc.Tree, rule: Rule, figures: dict[str, Figures]) -> str:
    """Rows, and the rate of the class of interest or how good the rule is on them, role by role."""
    told = []
    for role, f in figures.items():
        name = "training" if role == "train" else role
        rows = f"{f.n_rows:,} {name} {'row' if f.n_rows == 1 else 'rows'}"
        said = measured(f, rule, tree, interest.of(tree)).removeprefix("mean ")
        told.append(f"{rows}, {plain(said)}" if said else rows)
    return " · ".join(told)


def _table(found: RuleList, places: list[int]) -> None:
    """The same with all numbers, to sort and to download."""
    frame, looks = _frame(found, places)
    settings = {name: looks.get(name, {}) | look for name, look in _settings(found.tree).items()}
    frames.show(frame, hide_index=True, height=318, column_config=looks | settings)


def _settings(tree: tc.Tree) -> dict:
    widths = {name.replace("train", tree.figures_of): width for name, width in WIDTHS.items()}
    settings = {name: st.column_config.Column(width=width) for name, width in widths.items()}
    roles = (tree.figures_of, "validation")
    shares = {"support", *(f"confidence, {role}" for role in roles)}
    settings |= {name: st.column_config.NumberColumn(width=widths[name], format=frames.PERCENT) for name in shares}
    looked_for = interest.of(tree)
    if looked_for is not None:
        settings |= {_rate(looked_for, role): frames.SHARE for role in roles}
    return settings | {"lift": st.column_config.NumberColumn(width=WIDTHS["lift"], format="%.2f")}


def _lost(tree: tc.Tree, role: str) -> str:
    return f"{tree.target_kind.loss_shown(tree, 0.0)[0]}, {role}"


def _frame(found: RuleList, shown: list[int]) -> tuple[frames.Frame, dict]:
    """The table, and how its columns of numbers are written."""
    rules, selected = [found.rules[i] for i in shown], rule_views.selected()
    columns = {
        "": ["▶" if i == selected else "" for i in shown],
        "rule": [i + 1 for i in shown],
        "IF": [rule.premise for rule in rules],
        "THEN": [rule.cell for rule in rules],
    }
    looks: dict = {}
    if not found.tree.classes and not any(rule.by_line for rule in rules):
        columns["THEN"], looks["THEN"] = frames.answers(found.tree, (float(rule.answer) for rule in rules))
    for role, figures in rule_views.figures(shown).items():
        columns |= _columns(role, figures, found.tree)
        if not found.tree.classes:
            name, kind = _lost(found.tree, role), found.tree.target_kind
            texts = (kind.loss_shown(found.tree, f.error)[1] for f in figures)
            columns[name], looks[name] = frames.column(texts)
    if rule_views.in_force() == rule_views.PRUNED:
        columns["dropped"] = [len(rule.dropped) for rule in rules]
        answers = work.cached_cut("rules that answer", make=lambda: found.answered(rule_views.rows()["validation"]))
        columns["predicts, validation"] = [int(answers[i]) for i in shown]
    return frames.of(columns), looks


def _columns(role: str, figures: tuple[Figures, ...], tree: tc.Tree) -> dict[str, list]:
    """Rows covered, the rate of the class of interest and how often the answer is right, of one role; lift and support
    of the rows of the tree's figures alone."""
    columns = {f"rows, {role}": [f.n_rows for f in figures]}
    if role == tree.figures_of:
        columns["support"] = [per_cent(f.support) for f in figures]
    if not tree.classes:
        return columns
    looked_for = interest.of(tree)
    if looked_for is not None:
        columns[_rate(looked_for, role)] = [per_cent(f.shares[looked_for.k]) if f.shares else None for f in figures]
    columns[f"confidence, {role}"] = [per_cent(f.confidence) if f.n_rows else None for f in figures]
    if role == tree.figures_of:
        columns["lift"] = [f.lift for f in figures]
    return columns


def _rate(looked_for: Interest, role: str) -> str:
    return f"rate of {shorten(looked_for.name, 24)}, {role}"


def _say(found: RuleList, n_found: int) -> None:
    """How many rules there are and how they are ordered."""
    pruned = rule_views.in_force() == rule_views.PRUNED
    said = f"{counted(len(found), 'rule')}, {counted(rule_views.rules().n_conditions, 'condition')}"
    if pruned:
        said += f", {counted(sum(len(r.dropped) for r in found.rules), 'precondition')} dropped"
        said += "; the first rule that covers a row predicts, those best on validation come first"
    if n_found < len(found):
        said = f"{n_found:,} of {said}"
    st.caption(f"{said}. Click a rule to select its leaf.")


def otherwise() -> None:
    """The default answer, and rules that no validation row speaks of."""
    result = rule_views.ordered()
    answer = f"**OTHERWISE** {plain(result.tree.target_kind.answer_name(result.tree))} = {plain(result.default_text)}"
    if result.default_rows is None:
        whence = f"the root's answer: a rule covers every {result.tree.rows_named.removesuffix('s')}"
    else:
        name = "majority" if result.tree.classes else result.tree.target_kind.noun
        whence = f"the {name} of the {result.default_rows:,} {result.tree.rows_named} that no rule covers"
    st.markdown(f"{answer} ({whence}).")
    if result.unjudged:
        many = "1 rule covers" if result.unjudged == 1 else f"{result.unjudged:,} rules cover"
        st.caption(f"{many} no validation row: not pruned, at the end of the list.")
    if result.tree.loss is not None or result.tree.priors is not None:
        st.caption("Rules are judged by their errors, not by costs or priors.")
    if result.tree.growth["missing"] == "fractional":
        st.caption(
            "A row with a missing value is covered by no rule that needs this value; if no other rule covers it, the "
            "default predicts."
        )


def quality() -> None:
    """The tree and the list of rules on every role, side by side: where they may differ, which paths never do."""
    if rule_views.in_force() != rule_views.PRUNED:
        return
    result, rows = rule_views.ordered(), rule_views.rows()
    make = lambda: {role: result.error(part) for role, part in rows.items()}  # noqa: E731
    errors = work.cached_cut("rule list errors", rule_views.in_force(), make=make)
    compare_with_tree(errors, "the rules")


def compare_with_tree(errors: dict[str, float], name: str) -> None:
    """Errors of rules, by role, beside those of the tree. name : what the rules are called."""
    tree = work.grown()
    scores, classes = work.scores(), bool(tree.classes)
    kind = tree.target_kind
    tell = (lambda e: percent(1 - e)) if classes else lambda e: kind.loss_shown(tree, e)[1]
    judged_by = "accuracy" if classes else kind.loss_shown(tree, 0.0)[0]
    frame = {
        judged_by: [f"{r} ({s.n_rows:,} rows)" for r, s in scores.items()],
        "the tree": [tell(score.error) for score in scores.values()],
        name: [tell(errors[role]) for role in scores],
    }
    frames.figures(frames.of(frame), hide_index=True)
