"""All rules in a table, what answers where none does, and how good they are in the tree's place."""

import pandas as pd
import streamlit as st

from pages.shared import frames, rule_views, state, work
from pages.shared.messages import plain
from treecore.rules import Figures, RuleList

MOST = 200
"""Rules in the table; of more, those that cover most training rows."""
WIDTHS = {
    "": 24, "rule": 44, "IF": 350, "THEN": 80, "rows, train": 76, "support": 64, "confidence, train": 112, "lift": 48,
    "rows, validation": 100, "confidence, validation": 136,
}  # fmt: skip


def listing() -> None:
    """The rules with their numbers; a click on one selects its leaf on every page."""
    found = rule_views.ordered()
    shown, nodes = found.largest(MOST), rule_views.nodes()
    key = _table_key(shown)
    frames.show(
        _frame(found, shown), hide_index=True, height=min(35 * (len(shown) + 1) + 3, 318), key=key,
        column_config=_settings(),
        on_select=lambda: _take_row(key, [nodes[i] for i in shown]), selection_mode="single-row",
    )  # fmt: skip
    _say(found)


def _settings() -> dict:
    settings = {name: st.column_config.Column(width=width) for name, width in WIDTHS.items()}
    settings |= {name: st.column_config.NumberColumn(format="%.4g") for name in map(_squared, ("train", "validation"))}
    return settings | {"lift": st.column_config.NumberColumn(width=WIDTHS["lift"], format="%.2f")}


def _squared(role: str) -> str:
    return f"mean squared error, {role}"


def _table_key(shown: list[int]) -> str:
    """The table's name. It starts afresh when another node was selected elsewhere than the row it has ticked."""
    key = f"rules {rule_views.in_force()} {len(shown)} {state.choice('rules_table', 0)}"
    row = state.picked_row(key)
    if row is None or (row < len(shown) and shown[row] == rule_views.selected()):
        return key
    state.choose("rules_table", state.choice("rules_table", 0) + 1)
    return _table_key(shown)


def _take_row(key: str, nodes: list[int]) -> None:
    row = state.picked_row(key)
    if row is not None and row < len(nodes):
        state.change(selected=nodes[row])


def _frame(found: RuleList, shown: list[int]) -> pd.DataFrame:
    rules, selected = [found.rules[i] for i in shown], rule_views.selected()
    columns = {
        "": ["▶" if i == selected else "" for i in shown],
        "rule": [i + 1 for i in shown],
        "IF": [rule.premise for rule in rules],
        "THEN": [rule.said for rule in rules],
    }
    for role, figures in rule_views.figures(shown).items():
        columns |= _columns(role, figures, bool(found.tree.classes))
    if rule_views.in_force() == rule_views.PRUNED:
        columns["dropped"] = [len(rule.dropped) for rule in rules]
        answers = work.kept_cut("rules that answer", make=lambda: found.answered(rule_views.rows()["validation"]))
        columns["answers for, validation"] = [int(answers[i]) for i in shown]
    return pd.DataFrame(columns)


def _columns(role: str, figures: tuple[Figures, ...], classes: bool) -> dict[str, list]:
    """Rows covered and how well, of one role; lift and support of the training rows alone."""
    columns = {f"rows, {role}": [f.n_rows for f in figures]}
    if role == "train":
        columns["support"] = [f"{100 * f.support:.1f} %" for f in figures]
    if not classes:
        return columns | {_squared(role): [f.error for f in figures]}
    told = [f"{100 * f.confidence:.1f} %" if f.n_rows else "–" for f in figures]
    columns[f"confidence, {role}"] = told
    if role == "train":
        columns["lift"] = [f.lift for f in figures]
    return columns


def _say(found: RuleList) -> None:
    """How many rules there are and how they are ordered."""
    pruned = rule_views.in_force() == rule_views.PRUNED
    rules = "1 rule" if len(found) == 1 else f"{len(found):,} rules"
    dropped = sum(len(rule.dropped) for rule in found.rules)
    said = f"{rules}, {rule_views.rules().n_conditions:,} conditions"
    said += f", {dropped:,} preconditions dropped; best on validation first." if pruned else ", in the tree's order."
    if len(found) > MOST:
        said += f" The {MOST} that cover most training rows are shown, {len(found) - MOST:,} more are not."
    st.caption(f"{said} A click on a row selects its leaf (▶) on every page.")


def otherwise() -> None:
    """The default answer, and rules that no validation row speaks of."""
    found = rule_views.ordered()
    answer = f"**OTHERWISE** {plain(found.tree.schema.target)} = {plain(found.default_text)}"
    if found.default_rows is None:
        whence = "the root's answer: a rule covers every training row"
    else:
        name = "majority" if found.tree.classes else "mean"
        whence = f"the {name} of the {found.default_rows:,} training rows that no rule covers"
    st.markdown(f"{answer} ({whence}).")
    if found.unjudged:
        many = "1 rule covers" if found.unjudged == 1 else f"{found.unjudged:,} rules cover"
        st.caption(f"{many} no validation row: kept whole, at the end of the list.")


def quality() -> None:
    """The tree and the list of rules on every role, side by side."""
    found, rows = rule_views.ordered(), rule_views.rows()
    make = lambda: {role: found.error(part) for role, part in rows.items()}  # noqa: E731
    errors = work.kept_cut("rule list errors", rule_views.in_force(), make=make)
    columns = {"": ["the tree", "the rules, in this order"]}
    for role, score in work.scores().items():
        pair = (score.error, errors[role])
        name = "accuracy" if found.tree.classes else "mean squared error"
        columns[f"{name}, {role} ({score.n_rows:,} rows)"] = [1 - e for e in pair] if found.tree.classes else pair
    digits = st.column_config.NumberColumn(format="percent" if found.tree.classes else "%.4g")
    frames.show(pd.DataFrame(columns), hide_index=True, column_config={name: digits for name in columns if name})
    if found.tree.loss is not None or found.tree.priors is not None:
        st.caption("Rules are judged by their errors, not by costs or priors.")
    if found.tree.growth["missing"] == "fractional":
        st.caption(
            "A row that the tree shares among branches is covered by no rule that asks for the value it lacks; the "
            "default answers if no other rule covers it."
        )
