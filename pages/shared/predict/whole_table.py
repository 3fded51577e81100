"""A table of rows to answer for: what does not fit is named first, then every row has its answer."""

from functools import partial

import numpy as np
import streamlit as st

from pages.shared.bench import room
from pages.shared.predict import asked, holding
from pages.shared.server import memo
from pages.shared.session import asked_again, state
from pages.shared.session.kept_file import KeptFile
from pages.shared.trees import other, work
from pages.shared.widgets import frames, messages
from pages.shared.widgets.messages import plain
from treecore.data import RawTable, read_raw
from treecore.errors import TreecoreError
from treecore.export.spreadsheets import MEDIA, as_excel
from treecore.figures import counted, per_cent
from treecore.judging.confusion import confusion
from treecore.plots.prediction_quality import confusion as confusion_chart
from treecore.predicting.batch import Scored, as_csv, as_parquet, rows_of, score
from treecore.study.metrics import score as judged

SHOWN = 200


def show() -> None:
    """The uploader; of a file that is given notes, the whole as a file, the first rows, then figures."""
    file = state.rows_to_answer()
    asked_again.say(asked_again.ROWS, file is not None)
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
        str(asked.grown_node(int(t))): [[k, n] for k, n in enumerate(answers[t].tolist()) if n]
        for t in np.flatnonzero(answers.sum(axis=1))
    }  # fmt: skip
    return {"key": file.digest[:16], "n": len(scored.leaf), "rows": rows}


def _ask() -> None:
    """The place for a file."""
    kept = state.kept_for("uploader of rows", {"turn": 0})  # one that has given its file is never drawn again
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
    holding.say(raw, scored)
    _confusion(scored)
    holding.show(file, raw, scored)


def _read(file: KeptFile) -> RawTable:
    how = other.options_of_values()
    make = partial(read_raw, file.content(), name=file.name, options=how)
    return memo.get(("rows", file.digest, file.name, how), make)


def _take(key: str, kept: dict) -> None:
    given = state.widget(key)
    if hasattr(given, "getvalue"):
        file, waited = KeptFile(given.name, given.getvalue()), state.rows_to_answer() is None
        asked_again.remember(asked_again.ROWS, file.name, file.digest, waited)
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
        frame[[*ours, *frame.columns[: len(raw.columns)]]], looks, hide_index=True, height=room.picture("predict", 280)
    )


def _needed() -> str:
    features = [work.pruned().schema.features[f].name for f in {*work.pruned().splits.feature.tolist()} - {-1}]
    more = f" and {len(features) - 12} more" if len(features) > 12 else ""
    return plain(", ".join(sorted(features)[:12]) + more) or "none"


def _scored(raw: RawTable) -> Scored:
    tree, r, flag = work.pruned(), state.record(), work.flag_rule()
    make = lambda: score(tree, rows_of(tree, raw, dict(r.derive), r.infinite), flag)  # noqa: E731
    return work.kept_cut("scored", raw.fingerprint, r.derive, r.infinite, flag, make=make)


def _say(name: str, scored: Scored) -> None:
    rows, tree = scored.table, scored.tree
    st.markdown(f"**{plain(name)}**: {counted(rows.n_rows, 'row')} predicted.")
    if scored.flag is not None:
        n = int(scored.flag.filled(False).sum())
        said = work.flag_rule().text(work.name_of_class())
        st.markdown(f":material/flag: **{counted(n, 'row')}** flagged: {plain(said)}.")
    for note in rows.notes:
        st.warning(plain(note))
    if rows.target is None or not rows.target_column.present().any():
        return
    found = judged(tree, rows)
    head = found.headline
    told = f"{head.name.capitalize()} **{head.told(head.value)}**" + f", {head.beside}" * bool(head.beside)
    st.markdown(f"{told} on {counted(found.n_rows, 'row')} with a known target.")


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
