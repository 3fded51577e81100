"""What it costs to know each feature: a dear one has to gain more to be chosen."""

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared import frames, state
from pages.shared.controls_growth import put, situation
from pages.shared.controls_settings import Situation
from pages.shared.controls_tables import table
from pages.shared.messages import plain
from treecore.figures import number

SAID = "feature costs said"


def editor(now: Situation) -> None:
    """A cost above 0 per feature; how it acts is chosen in the sidebar."""
    st.markdown("**Costs of features**: what it takes to know their values")
    given = dict(now.growth.costs)
    features = now.table.features
    frame = pd.DataFrame({"feature": features, "cost": [given.get(f, 1.0) for f in features]})
    table(
        frame, "feature costs", lambda changed: _take(features, changed), hide_index=True, disabled=["feature"],
        height=frames.height(len(features), 248),
    )  # fmt: skip
    if state.choice(SAID):
        st.error(plain(state.choice(SAID)))
    st.button(
        "Every feature costs 1", key="costs_reset", disabled=not given,
        on_click=lambda: (put("costs", ()), state.choose(SAID, "")),
    )  # fmt: skip
    if given:
        st.latex(_formula(now))


def _formula(now: Situation) -> str:
    """The form in force, g being a split's score and c its feature's cost."""
    w = number(now.growth.cost_power)
    return {"divide": r"\frac{g}{c}", "square": r"\frac{g^2}{c}", "power": rf"\frac{{2^g - 1}}{{(c + 1)^{{{w}}}}}"}.get(
        now.growth.cost_form, ""
    )


def _take(features: tuple[str, ...], changed: dict[int, dict]) -> None:
    """Put new costs in force, or say which of them cannot be; an emptied cell costs 1 again."""
    costs = dict(situation().growth.costs)
    for i, cells in changed.items():
        cost = 1.0 if cells.get("cost") is None else float(cells["cost"])
        if not 0 < cost < np.inf:
            said = f"A cost of {number(cost)} is not possible for “{features[i]}”: give a number above 0."
            state.choose(SAID, said)
            return
        costs[features[i]] = cost
    put("costs", tuple(sorted((f, cost) for f, cost in costs.items() if cost != 1)))
    state.choose(SAID, "")
