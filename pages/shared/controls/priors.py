"""The classes' shares to reckon with: those of the training rows, equal ones, or the user's."""

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared.controls.growth import put, situation
from pages.shared.controls.refit import costs_belong_to
from pages.shared.controls.settings import Situation
from pages.shared.controls.tables import table
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.figures import number
from treecore.study.metrics import class_shares

MODES = {"rows": "as in the data", "equal": "balanced", "own": "custom"}
DRAFT, SAID = "priors draft", "priors said"
"""Own numbers as they are typed: they come into force when they sum to 1."""


def editor(now: Situation) -> None:
    """One number per class; they come into force when they sum to 1."""
    st.markdown("**Class weights**: how much each class counts, as if it had this share of the rows")
    mode = _mode(now)
    state.controlled(
        st.segmented_control, "Priors", mode, lambda v: take_mode(v or mode), "priors_mode", options=list(MODES),
        format_func=MODES.get, label_visibility="collapsed",
    )  # fmt: skip
    if mode == "own":
        _own(now)


def _mode(now: Situation) -> str:
    if _draft(now) is not None:
        return "own"
    if now.growth.priors is None:
        return "rows"
    return "equal" if np.ptp([p for p in now.growth.priors if p > 0]) < 1e-12 else "own"


def _draft(now: Situation) -> tuple[float, ...] | None:
    """The numbers typed last, if they were for this target and nothing else has come into force since."""
    belongs, draft = state.choice(DRAFT)
    if belongs != costs_belong_to(now):
        return None
    return draft if not _is_whole(draft) or now.growth.priors == draft else None


def _is_whole(numbers: tuple[float, ...]) -> bool:
    return abs(sum(numbers) - 1) <= 1e-6


def take_mode(mode: str) -> None:
    """Priors of one of the MODES."""
    now = situation()
    shares = class_shares(work.roles()["train"])
    state.choose(SAID, "")
    if mode == "own":
        _take_own(now.growth.priors or tuple(shares.tolist()))
        return
    state.choose(DRAFT, (None, None))
    occurs = shares > 0  # a class without training rows cannot be given a prior
    put("priors", None if mode == "rows" else tuple((occurs / occurs.sum()).tolist()))
    state.choose("costs for", costs_belong_to(now))


def _take_own(numbers: tuple[float, ...]) -> None:
    """Keep the numbers, and put them in force if they sum to 1."""
    belongs = costs_belong_to(situation())
    if _is_whole(numbers):
        put("priors", numbers)
        state.choose("costs for", belongs)
    state.choose(DRAFT, (belongs, numbers))


def _own(now: Situation) -> None:
    numbers = _draft(now) or now.growth.priors
    classes, shares = list(work.name_of_class().values()), class_shares(work.roles()["train"])
    frame = pd.DataFrame({"class": classes, "share of training rows": shares, "prior": numbers})
    table(
        frame, "priors", lambda changed: _take_cells(numbers, changed), hide_index=True,
        disabled=["class", "share of training rows"], height=frames.height(len(numbers), 353),
        column_config={"share of training rows": st.column_config.NumberColumn(format="%.4f"),
                       "prior": st.column_config.NumberColumn(format="%.6g")},
    )  # fmt: skip
    if state.choice(SAID):
        st.error(plain(state.choice(SAID)))
    _total(now, numbers)


def _total(now: Situation, numbers: tuple[float, ...]) -> None:
    """What they sum to, and on request the same in proportion."""
    total = sum(numbers)
    if _is_whole(numbers):
        st.caption("The weights sum to 1 and are in use.")
        return
    in_force = "those of the training rows" if now.growth.priors is None else ", ".join(map(number, now.growth.priors))
    st.warning(plain(f"The weights sum to {number(total)}, not 1. Until they do, the tree uses {in_force}."))
    st.button(
        f"Divide each by {number(total)}", key="priors_normalise", disabled=total <= 0,
        on_click=lambda: _take_own(tuple(p / total for p in numbers)),
    )  # fmt: skip


def _take_cells(numbers: tuple[float, ...], changed: dict[int, dict]) -> None:
    classes, new = list(work.name_of_class().values()), list(numbers)
    for i, cells in changed.items():
        prior = float(cells.get("prior") or 0.0)
        if not 0 <= prior < np.inf:
            state.choose(SAID, f"A class weight of {number(prior)} is not possible for “{classes[i]}”: give 0 or more.")
            return
        new[i] = prior
    state.choose(SAID, "")
    _take_own(tuple(new))
