"""A table of rows to answer for: what does not fit is named first, then every row has its answer."""

import math
from functools import partial

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import side_panel
from pages.shared.database import external_table
from pages.shared.predict import one_row
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.session.uploaded_file import KeptFile
from pages.shared.trees import interest, other, work
from pages.shared.widgets import frames, messages
from pages.shared.widgets.messages import plain
from treecore.data import RawTable, read_raw
from treecore.data.read import months
from treecore.errors import TreecoreError
from treecore.export.spreadsheets import MEDIA, as_excel
from treecore.figures import brief, counted, per_cent
from treecore.judging.confusion import confusion
from treecore.plots.confusion_matrix import confusion as confusion_chart
from treecore.predicting.batch import Scored, as_csv, as_parquet, rows_of, score
from treecore.study.drift import Drift
from treecore.study.metrics import score as judged

SHOWN = 200


def show() -> None:
    """The uploader; of a file that is given notes, the whole as a file, the first rows, then figures."""
    file = state.rows_to_answer()
    other.say(other.ROWS, file is not None)
    if file is not None:
        _answered(file)
    _ask()
    if file is None:
        st.caption("Columns are found by their names, in any order. Your tree needs: " + _needed() + ".")


def stream() -> dict | None:
    """The rows of the file as they run down the tree: how many of each answer come to which node of the grown tree."""
    file = state.rows_to_answer()
    if file is None:
        return None
    try:
        scored = _scored(_read(file))
    except TreecoreError:  # which the page says beside the tree
        return None
    answers = scored.rows_by_answer()
    rows = {
        str(one_row.grown_node(int(t))): [[k, n] for k, n in enumerate(answers[t].tolist()) if n]
        for t in np.flatnonzero(answers.sum(axis=1))
    }  # fmt: skip
    return {"key": file.digest[:16], "n": len(scored.leaf), "rows": rows}


def _ask() -> None:
    """The place for a file."""
    kept = state.stored_for("uploader of rows", {"turn": 0})  # one that has given its file is never drawn again
    key = f"rows to answer {kept['turn']}"
    st.file_uploader(
        "Rows to predict: CSV, Excel, Parquet or another kind of file; the target is not needed",
        key=key, type=None, on_change=lambda: _take(key, kept),
    )  # fmt: skip


def _answered(file: KeptFile) -> None:
    try:
        raw = _read(file)
        with st.spinner(f"Predicting {counted(raw.n_rows, 'row')}", show_time=True):
            scored = _scored(raw)
    except TreecoreError as fault:
        messages.show(fault)
        st.caption(f"No predictions for {plain(file.name)}: correct the file and upload it again.")
        return
    _say(file.name, scored)
    _files(file.name, raw, scored)
    _first_rows(raw, scored)
    say(raw, scored)
    _confusion(scored)
    show_holding(file, raw, scored)


def _read(file: KeptFile) -> RawTable:
    how = other.options_of_values()
    make = partial(read_raw, file.content(), name=file.name, options=how)
    return cache.get(("rows", file.digest, file.name, how), make)


def _take(key: str, kept: dict) -> None:
    given = state.widget(key)
    if hasattr(given, "getvalue"):
        file, waited = KeptFile(given.name, given.getvalue()), state.rows_to_answer() is None
        other.remember(other.ROWS, file.name, file.digest, waited)
        state.set_rows_to_answer(file)
        kept["turn"] += 1


def _first_rows(raw: RawTable, scored: Scored) -> None:
    """What is answered stands first, as a file may have many columns."""
    frame = scored.beside(raw, guarded=False).slice(0, SHOWN).to_pandas()
    ours = list(frame.columns[len(raw.columns) :])
    shares = [name for name in ours if name.startswith(("share_", "weighted_share_", "estimated_share_"))]
    frame[shares] = frame[shares].map(per_cent)
    looks = dict.fromkeys(shares, frames.SHARE)
    frames.show(
        frame[[*ours, *frame.columns[: len(raw.columns)]]],
        looks,
        hide_index=True,
        height=side_panel.picture("predict", 280),
    )


def _needed() -> str:
    features = [work.pruned().schema.features[f].name for f in work.pruned().asked.tolist()]
    more = f" and {len(features) - 12} more" if len(features) > 12 else ""
    return plain(", ".join(sorted(features)[:12]) + more) or "none"


def _scored(raw: RawTable) -> Scored:
    tree, r, flag = work.pruned(), state.record(), work.flag_rule()
    make = lambda: score(tree, rows_of(tree, raw, dict(r.derive), r.infinite), flag)  # noqa: E731
    return work.cached_cut("scored", raw.fingerprint, r.derive, r.infinite, flag, make=make)


def _say(name: str, scored: Scored) -> None:
    rows, tree = scored.table, scored.tree
    st.markdown(f"**{plain(name)}**: {counted(rows.n_rows, 'row')} predicted.")
    if scored.flag is not None:
        n = int(scored.flag.filled(False).sum())
        said = work.flag_rule().text(work.name_of_class(), work.pruned())
        st.markdown(f":material/flag: **{counted(n, 'row')}** flagged: {plain(said)}.")
    for note in rows.notes:
        st.warning(plain(note))
    if rows.target is None or not rows.target_column.present().any():
        return
    result = judged(tree, rows)
    head = result.headline
    told = f"{head.name.capitalize()} **{plain(head.told(head.value))}**" + f", {head.beside}" * bool(head.beside)
    st.markdown(f"{told} on {counted(result.n_rows, 'row')} with a known target.")


def _confusion(scored: Scored) -> None:
    """Where the rows have a class."""
    rows = scored.table
    if scored.tree.classes and rows.target is not None and rows.target_column.present().any():
        with st.expander("Confusion matrix"):
            st.plotly_chart(confusion_chart(confusion(scored.tree, rows), "counts"), key="predicted_confusion")


def _files(name: str, raw: RawTable, scored: Scored) -> None:
    stem = name.rsplit(".", 1)[0]
    with st.container(horizontal=True):
        for label, write, suffix, media in (
            ("CSV", as_csv, ".csv", "text/csv"), ("Excel", as_excel, ".xlsx", MEDIA),
            ("Parquet", as_parquet, ".parquet", "application/vnd.apache.parquet"),
        ):  # fmt: skip
            st.download_button(
                f"Download predictions, {label}", partial(_written, write, scored, raw), f"{stem}-answers{suffix}",
                media,
                key=f"answers {label}", on_click="ignore", icon=":material/download:",
            )  # fmt: skip


def _written(write, scored: Scored, raw: RawTable) -> bytes:
    return write(scored.beside(raw, guarded=write is as_csv))


# Does the tree still hold for the rows it is asked about? What was then and what is now, leaf by leaf.

INDEX = st.column_config.NumberColumn(format="%.3f")
MOST_PIXELS = 300
"""Of a table's height."""


def say(raw: RawTable, scored: Scored) -> None:
    """The answer in a sentence."""
    result = _drift(raw, scored)
    tell = st.success if result.holds else st.warning
    tell(plain(result.sentence), icon=":material/check:" if result.holds else ":material/trending_up:")


def show_holding(file: KeptFile, raw: RawTable, scored: Scored) -> None:
    """What the answer rests on, folded away."""
    result = _drift(raw, scored)
    with st.expander("Does the tree still hold on these rows?"):
        _figures(result)
        _leaves(result)
        _features(result)
        _months(result)
        for note in result.notes:
            st.caption(plain(note))
        if result.tests is not None:
            st.button(
                "Draw these rows beside the training rows",
                key="rows_as_bars",
                on_click=_as_bars,
                args=(file,),
                help="Each node gets a second bar, and a mark where the two differ significantly",
            )


def _drift(raw: RawTable, scored: Scored) -> Drift:
    tree, rows = scored.tree, scored.table
    training = None if external_table.is_on() else work.roles()["train"]
    named = interest.of(tree)

    def make() -> Drift:
        dates = _dates(raw)
        dates = None if dates is None else [dates[row] for row in rows.row_numbers]
        return tc.check(tree, rows, training, months=dates, class_of_interest=named and named.name)

    return work.cached_cut("drift", raw.fingerprint, state.record().derive, named and named.name, make=make)


def _dates(raw: RawTable) -> list[str] | None:
    """Month by month, where there is one column of dates of which nothing is in doubt."""
    try:
        return months(raw)
    except TreecoreError:
        return None


def _figures(found: Drift) -> None:
    show = found.rate_text
    lines = [f"Stability index of the leaves **{found.index:.3f}**. With this many rows up to {found.chance:.3f} can "
             "be "
             f"chance; above {found.fail_above:g} the rows count as a different population."]  # fmt: skip
    if found.tests is not None:
        between = f" ({show(found.low)} to {show(found.high)})" if math.isfinite(found.low) else ""
        lines.append(f"{plain(found.about_class)}: expected {show(found.expected)}, "
                     f"observed **{show(found.observed)}**{between}.")  # fmt: skip
    if found.quality:
        lines.append(f"{found.quality}: {brief(found.quality_then)} then, **{brief(found.quality_now)}** now.")
    st.markdown("  \n".join(lines))


def _leaves(found: Drift) -> None:
    rate, look = _rates(found)
    unit = f"share of {found.about_class}" if found.tree.classes else found.about_class
    frame = frames.of({
        "leaf": [leaf.node for leaf in found.leaves],
        "rows then": [per_cent(leaf.then / found.then if found.then else 0.0) for leaf in found.leaves],
        "rows now": [per_cent(leaf.now / found.now) for leaf in found.leaves],
        f"{unit} then": [rate(leaf.rate_then) for leaf in found.leaves],
        f"{unit} now": [rate(leaf.rate_now) for leaf in found.leaves],
        "changed": [leaf.changed for leaf in found.leaves],
        "rule": [leaf.rule for leaf in found.leaves],
    })  # fmt: skip
    if found.tests is None:
        frame = frame.drop(columns=[f"{unit} now", "changed"])
    looks = {"rows then": frames.SHARE, "rows now": frames.SHARE, f"{unit} then": look, f"{unit} now": look}
    _table(frame, looks)


def _features(found: Drift) -> None:
    if not found.features:
        return
    frame = frames.of({
        "feature": [f.name for f in found.features],
        "index": [f.index for f in found.features],
        "by chance up to": [f.chance for f in found.features],
        "missing then": [per_cent(f.missing_then) for f in found.features],
        "missing now": [per_cent(f.missing_now) for f in found.features],
        "new levels": [", ".join(f.new_levels[:8]) for f in found.features],
    })  # fmt: skip
    looks = {"index": INDEX, "by chance up to": INDEX, "missing then": frames.SHARE, "missing now": frames.SHARE}
    _table(frame, looks)


def _months(found: Drift) -> None:
    if not found.months:
        return
    rate, look = _rates(found)
    frame = frames.of({
        "month": [m.name for m in found.months],
        "rows": [m.n_rows for m in found.months],
        "index": [m.index for m in found.months],
        "expected": [rate(m.expected) for m in found.months],
        "observed": [rate(m.observed) for m in found.months],
    })  # fmt: skip
    if found.tests is None:
        frame = frame.drop(columns=["expected", "observed"])
    looks = {"rows": frames.COUNT, "index": INDEX, "expected": look, "observed": look}
    _table(frame, looks)


def _table(frame: frames.Frame, looks: dict) -> None:
    frames.show(frame, looks, hide_index=True, height=frames.height(len(frame), MOST_PIXELS))


def _rates(found: Drift) -> tuple:
    """How a rate or a mean is put into a table, and how its column is written."""
    if found.tree.classes:
        return per_cent, frames.SHARE
    units = found.tree.target_kind.units_shown(found.tree)
    return lambda rate: float(rate) * units, st.column_config.NumberColumn()


def _as_bars(file: KeptFile) -> None:
    """The rows become the second bar of every node."""
    other.take(file.name, file.content())
