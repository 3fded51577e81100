"""What happens to the training rows before growing: missing values filled or left out, numbers put in bins."""

from dataclasses import replace

import streamlit as st

from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.data import BINNINGS, FILLS
from treecore.data.prepare import BINS, OTHERS
from treecore.recipe import Prepare

NO_BINS = "none"
SHOWN = 4  # notes that are seen at once


def show() -> None:
    """All the controls, in the order in which they act."""
    missing()
    bins()


def missing() -> None:
    """What becomes of missing values before growing."""
    prepare = state.record().prepare
    state.controlled(
        st.selectbox, "Missing values before growing", prepare.missing, lambda v: _take(missing=v),
        "prepare_missing", options=_fills(prepare.missing), format_func=lambda name: FILLS[name].label,
        help=f"{FILLS[prepare.missing].note} Learned from the training rows; other rows keep their missing values, "
        "and the tree puts the same value in their place when it predicts.",
    )  # fmt: skip
    if prepare.missing == "drop_columns":
        state.controlled(
            st.number_input, "Left out above this share of missing values", prepare.limit,
            lambda v: _take(limit=Prepare().limit if v is None else v), "prepare_limit", value=None, min_value=0.0,
            max_value=1.0, step=0.05, format="%.2f", placeholder=f"{Prepare().limit:g}",
        )  # fmt: skip
    if fills():
        st.caption("New rows are filled in the same way, so the tree never meets a missing value.")


def fills() -> bool:
    """Does the preparation leave the tree no missing value to treat?"""
    columns = work.roles()["train"].feature_columns
    return bool(columns) and all(column.fill is not None for column in columns)


def bins() -> None:
    """Numeric features as ordinal ones, cut into bins before growing."""
    method, n = next(((method, n) for feature, method, n in state.record().prepare.bins if not feature), (NO_BINS, 0))
    labels = {NO_BINS: "Leave numbers as they are"} | {name: entry.label for name, entry in BINNINGS.items()}
    classes = work.table().task == "classification"
    fitting = [name for name in labels if classes or name in (method, NO_BINS) or not BINNINGS[name].needs_classes]
    state.controlled(
        st.selectbox, "Bins before growing", method, lambda v: _take_bins(v, n or BINS), "prepare_bins",
        options=fitting, format_func=labels.get,
        help="Numeric features become ordered bins, which trees cut between. "
        + (BINNINGS[method].note if method != NO_BINS else ""),
    )  # fmt: skip
    if method != NO_BINS and not BINNINGS[method].needs_classes:
        state.controlled(
            st.number_input, "Bins", n, lambda v: _take_bins(method, v or BINS), "prepare_n_bins", value=None,
            min_value=2, max_value=1000, step=1, placeholder=str(BINS),
        )  # fmt: skip


def notes() -> None:
    """What was filled, left out or put in bins, a line each."""
    told = work.preparation_notes()
    for note in told[:SHOWN]:
        st.caption("• " + plain(note))
    if told[SHOWN:]:
        with st.expander(f"{len(told) - SHOWN} more features were prepared"):
            for note in told[SHOWN:]:
                st.caption("• " + plain(note))


def _fills(chosen: str) -> list[str]:
    """Names of what fits the target, and of what is chosen even if it does not."""
    classes = work.table().task == "classification"
    return [name for name, fill in FILLS.items() if classes or name == chosen or not fill.needs_classes]


def _take(**fields) -> None:
    state.change(prepare=replace(state.record().prepare, **fields), selected=0, stopped=None)


def _take_bins(method: str, n: int) -> None:
    """Bins for every numeric feature, beside those that a feature has by itself."""
    own = tuple(entry for entry in state.record().prepare.bins if entry[0] != OTHERS)
    _take(bins=own if method == NO_BINS else (*own, (OTHERS, method, n)))
