"""What it costs to know each feature, and with which ones the answer may only rise or only fall."""

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared.controls.growth import put, situation
from pages.shared.controls.settings import Situation
from pages.shared.controls.tables import table
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.figures import number

SAID = "feature costs said"
WAYS = {"either way": 0, "rises": 1, "falls": -1}
"""What the answer may do when a feature grows."""


def editor(now: Situation) -> None:
    """A cost above 0 per feature, whose form is chosen in the sidebar; which way the answer may go with it, where the
    target has an order."""
    st.markdown("**Costs of features**: what it takes to know their values")
    given = dict(now.growth.costs)
    features = now.table.features
    frame = pd.DataFrame({"feature": features, "cost": [given.get(f, 1.0) for f in features]})
    if has_order(now):
        st.caption(f"{_answer(now)} can be forced to only rise, or only fall, as the feature grows.")
        signs = dict(now.growth.monotonic)
        frame["answer"] = [list(WAYS)[signs.get(f, 0)] for f in features]
    table(
        frame, "feature costs", lambda changed: _take(features, changed), hide_index=True, disabled=["feature"],
        height=frames.height(len(features), 248),
        column_config={"answer": st.column_config.SelectboxColumn(options=list(WAYS), required=True)},
    )  # fmt: skip
    if state.choice(SAID):
        st.error(plain(state.choice(SAID)))
    st.button(
        "Every feature costs 1", key="costs_reset", disabled=not given,
        on_click=lambda: (put("costs", ()), state.choose(SAID, "")),
    )  # fmt: skip
    if given:
        st.latex(_formula(now))


def has_order(now: Situation) -> bool:
    """Can an answer rise or fall?"""
    return now.task == "regression" or now.n_classes == 2


def _answer(now: Situation) -> str:
    return "The answer" if now.task == "regression" else f"The share of “{plain(work.called(now.table.classes[1]))}”"


def _formula(now: Situation) -> str:
    """The form in force, g being a split's score and c its feature's cost."""
    w = number(now.growth.cost_power)
    return {"divide": r"\frac{g}{c}", "square": r"\frac{g^2}{c}", "power": rf"\frac{{2^g - 1}}{{(c + 1)^{{{w}}}}}"}.get(
        now.growth.cost_form, ""
    )


def _take(features: tuple[str, ...], changed: dict[int, dict]) -> None:
    """Put new costs and ways in force, or say which of them cannot be; an emptied cell costs 1 again."""
    now = situation()
    costs, signs = dict(now.growth.costs), dict(now.growth.monotonic)
    for i, cells in changed.items():
        said = _refused(now, features[i], cells)
        if said:
            state.choose(SAID, said)
            return
        if "cost" in cells:
            costs[features[i]] = _cost(cells)
        if cells.get("answer"):
            signs[features[i]] = WAYS[cells["answer"]]
    put("costs", tuple(sorted((f, cost) for f, cost in costs.items() if cost != 1)))
    put("monotonic", tuple(sorted((f, sign) for f, sign in signs.items() if sign)))
    state.choose(SAID, "")


def _cost(cells: dict) -> float:
    return 1.0 if cells.get("cost") is None else float(cells["cost"])


def _refused(now: Situation, feature: str, cells: dict) -> str:
    """Why these cells of a feature cannot be; "" if they can."""
    if not 0 < _cost(cells) < np.inf:
        return f"A cost of {number(_cost(cells))} is not possible for “{feature}”: give a number above 0."
    ordered = now.table.column(feature).kind in ("numeric", "ordinal")
    if WAYS[cells.get("answer") or next(iter(WAYS))] and not ordered:
        return f"The values of “{feature}” have no order with which an answer could rise or fall."
    return ""
