"""The segments in numbers: sorted by any column, to be downloaded and copied."""

from collections.abc import Callable

import streamlit as st

from pages.shared.bench import exports
from pages.shared.segments import line
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.frames import node_table
from treecore.brief import visible
from treecore.data.formula_injection import FORMULA
from treecore.export.spreadsheets import MEDIA, as_excel
from treecore.figures import brief, count, lift_text, number, per_cent
from treecore.plots.prediction_quality import qini_chart, ranking_curve
from treecore.predicting.batch import as_csv, as_parquet, harmless_columns
from treecore.study.segments import Segments, qini_curves

SHARES, OF_RATES = ("share", "captured", "share_of_total"), ("rate", "low", "high")
NAMES = {
    "rows": "rows", "captured": "captured so far", "share": "share of rows",
    "hits": "hits", "low": "from", "high": "to", "lift": "lift", "false_alarms": "false alarms so far",
    "profit": "profit so far", "median": "median", "spread": "spread", "total": "total",
    "share_of_total": "share of the total",
}  # fmt: skip
HEIGHT = 260
TEXTS = {"lift": lift_text, "spread": brief, "total": brief}
"""How figures are written that are neither shares nor answers nor counts."""


def show() -> None:
    """A row per segment; a click on one selects its leaf. A click on a head sorts."""
    of = line.segments()
    frame, looks = _frame(of)
    nodes = line.grown_ids()[of.node].tolist()
    high = frames.height(len(of), HEIGHT)
    node_table(
        frame, nodes, "segments", (line.role(), of.name, of.profit, of.horizon), column_config=looks, height=high
    )
    _files(of)
    fold("Copy as a table", "segments to copy", lambda: st.code(_copied(of), language=None, height=220))


def _frame(of: Segments) -> tuple[frames.Frame, dict]:
    """The figures of the rows that are counted, then the rates of the other roles, then the rule in words."""
    columns, role, looks = of.columns(), line.role(), {}
    kind = of.noun
    unit = of.tree.target_kind.figure_unit
    named = f"{of.quantity} ({unit})" if unit else of.quantity
    made = {"segment": [number or None for number in columns["segment"].tolist()]}
    for name, label in ({kind: named if not of.in_percent else kind} | NAMES).items():
        values = columns.get(f"{name}_{role}")
        if values is None:
            continue
        is_share = name in SHARES or (name in (kind, *OF_RATES) and of.in_percent)
        if is_share:
            made[label], looks[label] = [per_cent(value) for value in values.tolist()], frames.SHARE
        elif name in (kind, *OF_RATES, "median"):
            made[label], looks[label] = frames.answers(of.tree, values.tolist())
        else:
            made[label], looks[label] = frames.column(map(TEXTS.get(name, count), values.tolist()))
    for other in of.held:
        if other != role:
            label, values = f"{kind}, {line.role_name(other)}", columns[f"{kind}_{other}"]
            shares = ([per_cent(value) for value in values.tolist()], frames.SHARE) if of.in_percent else None
            made[label], looks[label] = shares or frames.answers(of.tree, values.tolist())
    made["rule"] = columns["rule"]
    return frames.of(made), looks | {"rule": st.column_config.Column(width="large")}


def _files(of: Segments) -> None:
    with st.container(horizontal=True, gap="small"):
        for label, write, suffix, media in (
            ("CSV", _csv, ".csv", "text/csv"), ("Excel", _excel, ".xlsx", MEDIA),
            ("Parquet", _parquet, ".parquet", "application/vnd.apache.parquet"),
        ):  # fmt: skip
            st.download_button(
                label, _writer(write, of), f"{exports.stem()}-segments{suffix}", media, key=f"segments {label}",
                on_click="ignore", icon=":material/download:", help="All figures of the rows of every role",
            )  # fmt: skip


def _writer(write: Callable[[Segments], bytes], of: Segments) -> Callable[[], bytes]:
    """Called when somebody asks for the file, outside of any run."""
    return lambda: write(of)


def _csv(of: Segments) -> bytes:
    return as_csv(harmless_columns(of.to_frame("pyarrow")))


def _excel(of: Segments) -> bytes:
    return as_excel(of.to_frame("pyarrow"), "segments")


def _parquet(of: Segments) -> bytes:
    return as_parquet(of.to_frame("pyarrow"))


def _copied(of: Segments) -> str:
    """Separated by tabs, as spreadsheets take what is pasted."""
    frame = _frame(of)[0]
    rows = frame.astype(object).where(frame.notna(), "").itertuples(index=False)
    return "\n".join("\t".join(_pasted(cell) for cell in row) for row in (tuple(frame.columns), *rows))


def _pasted(cell) -> str:
    """A cell in one line; the sign before what would be worked out says that it is text."""
    text = visible(cell) if isinstance(cell, str) else number(cell)
    return f"'{text}" if isinstance(cell, str) and text.startswith(FORMULA) else text


# Gains and lift of the segments, the rows of the figures beside those held back; for numbers there are none.

CURVE_HEIGHT = 300
WORDS = {
    "gains": "Gains: how many of the class are among the first rows.",
    "lift": "Lift: how many times as many as among rows drawn at random.",
}


def _qini(of: Segments) -> None:
    """What treating the rows of the largest predicted effects first would gain, where the tree predicts effects."""
    roles = {role: table for role, table in work.roles().items() if role in of.held}
    curves = work.cached_cut("qini curves", make=lambda: qini_curves(of.tree, roles))
    if not curves:
        return
    kind = of.tree.target_kind
    name = f"gain of {of.tree.schema.target} per treated row{kind.signed_unit and ',' + kind.signed_unit}"
    st.plotly_chart(qini_chart(curves, name, kind.units_shown(of.tree)), key="segments_qini", height=CURVE_HEIGHT)
    st.caption(
        "Qini curve: what the outcome gains if only the first rows are treated; dotted: as many rows taken by chance. "
        "The coefficient is the area between the two."
    )


def show_curves() -> None:
    """The curve that is chosen, with the line of a perfect order and that of chance."""
    of = line.segments()
    if of.name is None:
        _qini(of)
        return
    now = state.choice("segments curve")
    state.controlled(
        st.segmented_control, "Curve", now, lambda v: state.choose("segments curve", v or now), "segments_curve",
        options=["gains", "lift"], format_func=str.capitalize, label_visibility="collapsed",
    )  # fmt: skip
    shown = dict.fromkeys((of.tree.figures_of, "validation", "test"))
    roles = [role for role in shown if role in of.held]
    rule = work.flag_rule()
    at = None if rule is None or rule.class_of_interest != of.name else rule.threshold
    rankings = {role: of.ranking(role) for role in roles}
    st.plotly_chart(ranking_curve(rankings, now, at, perfect=True), key="segments_gains", height=CURVE_HEIGHT)
    st.caption(WORDS[now] + ("" if at is None else " Rings mark the flag rule."))
