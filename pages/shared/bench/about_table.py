"""What is predicted from what, to read and to change beside the tree; all rows to train, classes to count alike."""

import re

import numpy as np
import streamlit as st

from pages.shared.controls import costs
from pages.shared.data import columns, split
from pages.shared.database import external_table
from pages.shared.session import state
from pages.shared.trees import first_recipe, interest, tables, work
from pages.shared.widgets.messages import plain
from treecore.data import infer_kinds
from treecore.data.target_guess import may_be_survival
from treecore.figures import counted
from treecore.tree.short_text import apart, shorten

MOST_NAMED, FEW_NAMED = 6, 3
UNEQUAL = 0.4
"""Two classes, or more, of which one has less than this part of an even share of the rows are unequal."""


def show(editable: bool) -> None:
    """The table in a line, and what the tree learns from it. editable : not where the page itself edits it."""
    raw, table = state.raw(), work.table()
    st.markdown(f"**{plain(raw.source)}**: {external_table.size()}")
    external_table.note()
    if not editable:
        st.caption(f"Predicting {plain(table.target or 'nothing yet')} from {counted(len(table.features), 'column')}.")
        return
    guesses = infer_kinds(raw)
    names = [guess.name for guess in guesses]
    state.controlled(
        st.selectbox, "Predicting", work.target(), columns.take_target, "predicted", options=names
    )  # fmt: skip
    if work.is_grown() and interest.offered(work.grown()):
        state.controlled(
            st.selectbox, "Class of interest", interest.chosen(work.grown()), interest.choose, "interest",
            options=interest.offered(work.grown()),
            help="Every node shows the rate of this class; its colour compares the rate with that of all rows",
        )  # fmt: skip
    features, known, others = list(work.features()), {*names}, (*work.target_columns(), state.record().weights)
    state.controlled(
        st.multiselect, f"from {counted(len(features), 'column')}", features, columns.take_features, "predictors",
        options=[name for name in names if name not in others] + [name for name in features if name not in known],
    )  # fmt: skip
    out = _left_out(guesses, MOST_NAMED)
    if out:
        st.caption(f"Left out: {plain(out)}.")
    with st.container(horizontal=True):
        split.all_rows()
        _balance()
    st.page_link("pages/data.py", label="Table and columns")


def sentence() -> None:
    """What is predicted from what, beside the whole tree."""
    table = work.table()
    what, beside = f"**{plain(shorten(table.target, 40))}**", plain(shorten(table.exposure or "", 40))
    what = what if table.counts is None else table.counts.phrase(what, beside)
    told = f"Predicting {what} from {counted(len(table.features), 'column')}"
    out = _left_out(infer_kinds(state.raw()), FEW_NAMED)
    if out:
        told += f"; left out: {plain(out)}"
    st.caption(f"{told}. To change this, click the table's name above the tree.")


def offer_survival() -> None:
    """Beside the whole tree: the time that stands beside the class may be what is to be predicted, by one click."""
    table = work.table()
    if table.target is None or table.task != "classification" or len(table.classes) != 2 or state.opened():
        return
    found = may_be_survival(infer_kinds(state.raw()), table.target)
    if found is not None:
        time, event = (plain(shorten(name, 40)) for name in (found.exposure, table.target))
        st.caption(f"{time} may say how long each row was watched, until {event} or without it.")
        st.button(
            "Predict the time until it", key="offer_survival", on_click=lambda: columns.take_predicted(found.predicted),
            help="Rows without the event then count for as long as they were watched; undo brings the classes back",
        )  # fmt: skip


def why_not_cart() -> None:
    """Beside the whole tree: what was chosen to grow it by, unasked, and the way back to CART."""
    told = first_recipe.why_not_cart()
    if told:
        st.caption(plain(told))
        st.button("Use CART", key="use_cart", on_click=first_recipe.use_cart)


def passed_over() -> None:
    """Beside the whole tree: why another column than one would expect was taken as the target, unasked."""
    if tables.passed_over():
        st.caption(plain(tables.passed_over()))


def _left_out(guesses, most: int) -> str:
    """Columns that the tree does not see, with the reason where they were left out for the user."""
    used = {*work.features(), *work.target_columns(), state.record().weights}
    out = [guess for guess in guesses if guess.name not in used]
    places = apart(guess.name for guess in guesses)
    told = [shorten(g.name, 24, places) + (f" ({_why(g)})" if g.use != "feature" else "") for g in out]
    return ", ".join(told[:most]) + (f" and {len(told) - most} more" if len(told) > most else "")


def _why(guess) -> str:
    """The reason in few words: its first clause without what stands in brackets."""
    told = guess.reason.removeprefix("Left out: ")
    if guess.n_distinct == 1:
        return told.rstrip(".")  # it names the value, whatever signs that has
    return re.split(r"[,;.] ", re.sub(r" \([^)]*\)", "", told))[0].rstrip(".")


def remedies() -> None:
    """Beside the whole tree, where one class is rare: what one click changes of how much its rows and errors count."""
    if not _is_unequal():
        return
    with st.container(horizontal=True, gap="small"):
        _balance("balance_here")
        if len(work.table().classes) == 2:
            st.button(
                "Set costs or profit …", key="miss_costs", on_click=_weigh_answers,
                help="Enter what a hit, a miss and a false alarm cost or earn: leaves then predict what pays most, and "
                     "trees are judged by it",
            )  # fmt: skip


def _weigh_answers() -> None:
    """The fields of hits, misses and false alarms, over the page."""
    costs.speak_of("profit")
    state.choose(costs.OPEN, True)


def _is_unequal() -> bool:
    """Has a class less than UNEQUAL of an even share of the training rows?"""
    train = work.roles()["train"]
    if tables.in_force() or train.task != "classification" or len(train.classes) < 2:
        return False
    k = len(train.classes)
    counts = np.bincount(train.target_column.codes[train.target_column.codes < k], minlength=k)
    return bool(counts.min() < UNEQUAL * counts.sum() / k)


def _balance(key: str = "balance") -> None:
    """One click: every class counts alike, however rare; and back."""
    even = state.record().grow.growth().priors is not None
    if not even and not _is_unequal():
        return
    st.button(
        "Weigh classes as in the data" if even else "Weigh classes equally", key=key,
        on_click=lambda: costs.take_mode("rows" if even else "equal"),
        help="Class weights: " + ("as in the training rows" if even else "every class counts the same, so that a "
        "rare one is not ignored. The tree then predicts the rare class more often, and accuracy falls"),
    )  # fmt: skip
