"""What answers are worth: the table of what each error costs, a row per true class; or what each answer earns."""

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared.controls import profit
from pages.shared.controls.growth import situation
from pages.shared.controls.settings import Situation
from pages.shared.controls.tables import table
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.brief import visible
from treecore.errors import TreecoreError
from treecore.figures import brief, number
from treecore.growing.settings.costs import class_factors

WHOLE = 12
"""Most classes whose whole table is shown; with more, one true class at a time."""
SAID = profit.SAID
WORTH = {"loss": "Costs of errors", "profit": "Profit of predictions"}


def editor(now: Situation) -> None:
    """What a row of each true class costs when it is called another one, right answers nothing; or what it earns."""
    worth = _worth(now)
    state.controlled(
        st.segmented_control, "Costs or profit of predictions", worth, lambda v: speak_of(v or worth), "answers_worth",
        options=list(WORTH), format_func=WORTH.get,
    )  # fmt: skip
    if worth == "profit":
        profit.editor(now)
    else:
        st.caption("Rows: true class. Columns: predicted class.")
        _costs_editor(now)
    if state.choice(SAID):
        st.error(plain(state.choice(SAID)))
    st.button(
        "Every error costs 1", key="loss_reset", disabled=not now.growth.weighs_answers,
        on_click=lambda: profit.take_matrices(loss=None, profit=None),
    )  # fmt: skip
    if now.growth.weighs_answers:
        st.caption(plain(_how_they_act(now)))


def _worth(now: Situation) -> str:
    """What is in force, else what was chosen to be spoken of: costs or profits."""
    if now.growth.weighs_answers:
        return "loss" if now.growth.profit is None else "profit"
    return state.choice("answers worth")


def speak_of(worth: str) -> None:
    """Say the same as costs, or as profits; costs that say the same there may be none."""
    now = situation()
    state.choose("answers worth", worth)
    if worth == "profit" and now.growth.loss is not None:
        earned = profit.of_answers(now.growth, now.n_classes)
        profit.take_matrices(profit=tuple(map(tuple, earned.tolist())), loss=None)
    elif worth == "loss" and now.growth.profit is not None:
        costs = profit.of_errors(now.growth)
        if costs is None:
            state.choose(
                SAID,
                "A wrong prediction earns more than the right one of its class; costs of errors cannot express that.",
            )
            return
        profit.take_matrices(loss=_or_none(costs), profit=None)


def _or_none(costs: np.ndarray) -> tuple | None:
    """As the recipe has them; None where every error costs 1."""
    return None if np.array_equal(costs, 1.0 - np.eye(len(costs))) else tuple(map(tuple, costs.tolist()))


def _costs_editor(now: Situation) -> None:
    costs = _costs(now)
    if len(costs) <= WHOLE:
        _whole(now, costs)
    else:
        _one_row(now, costs)


def _costs(now: Situation) -> np.ndarray:
    """float64 (K, K): the costs in force."""
    return 1.0 - np.eye(now.n_classes) if now.growth.loss is None else np.array(now.growth.loss)


def _whole(now: Situation, costs: np.ndarray) -> None:
    classes = list(work.name_of_class().values())
    frame = pd.DataFrame({"true": classes} | {f"c{j}": costs[:, j] for j in range(len(costs))})
    columns = {f"c{j}": st.column_config.NumberColumn(visible(name), width=90) for j, name in enumerate(classes)}
    table(
        frame, "loss", lambda changed: _take(profit.cells(changed)), hide_index=True, disabled=["true"],
        column_config={"true": st.column_config.TextColumn("true class", pinned=True), **columns},
        height=frames.height(len(costs)),
    )  # fmt: skip


def _one_row(now: Situation, costs: np.ndarray) -> None:
    classes = list(work.name_of_class().values())
    i = min(state.choice("loss row"), len(classes) - 1)
    state.controlled(
        st.selectbox, "True class", i, lambda v: state.choose("loss row", v), "loss_row",
        options=range(len(classes)), format_func=lambda k: classes[k],
    )  # fmt: skip
    table(
        pd.DataFrame({"answer": classes, "cost": costs[i]}), f"loss {i}",
        lambda changed: _take({(i, j): cells.get("cost") for j, cells in changed.items()}), hide_index=True,
        disabled=["answer"], column_config={"answer": f"{visible(classes[i])} predicted as"}, height=353,
    )  # fmt: skip


def _take(cells: dict[tuple[int, int], float | None]) -> None:
    """Put new costs in force, or say which of them cannot be; an emptied cell costs 1 again."""
    now = situation()
    costs, classes = _costs(now), list(work.name_of_class().values())
    for (i, j), given in cells.items():
        cost = float(i != j) if given is None else float(given)
        fault = _fault(classes, i, j, cost)
        if fault:
            state.choose(SAID, fault)
            return
        costs[i, j] = cost
    if not costs.any():
        state.choose(SAID, "At least one error must cost more than 0.")
        return
    profit.take_matrices(loss=_or_none(costs), profit=None)


def _fault(classes: list[str], i: int, j: int, cost: float) -> str:
    if i == j and cost != 0:
        return f"A correct prediction costs nothing: row “{classes[i]}”, column “{classes[j]}” stays 0."
    if not 0 <= cost < np.inf:
        return f"A cost of {number(cost)} is not possible in row “{classes[i]}”, column “{classes[j]}”: give 0 or more."
    return ""


def _how_they_act(now: Situation) -> str:
    """Where costs or profits enter: in the weights of the classes or in the impurity, and in the leaves' answers."""
    earns = now.growth.profit is not None
    leaves = "Each leaf predicts the class with the lowest expected cost, and trees are judged by cost."
    if earns:
        leaves = "Each leaf predicts the class with the highest expected profit, and trees are judged by profit."
    if now.growth.criterion == "cost_gini":
        if now.n_classes == 2:
            return (
                "With two classes the cost-weighted Gini is the Gini index times a constant: it splits as if every "
                f"error cost the same. With another impurity the costs also act as weights of the classes. {leaves}"
            )
        return (
            "The impurity itself has the costs in it: of a pair of classes the sum of both directions. It need not "
            f"be concave, so a split can have a negative gain. {leaves}"
        )
    try:
        factors = class_factors(work.roles()["train"], now.growth).tolist()
    except TreecoreError:  # the page says so below, with the way back
        return leaves
    named = list(zip(work.name_of_class().values(), factors, strict=True))[:WHOLE]
    shown = ", ".join(f"{brief(factor)} times if it is “{name}”" for name, factor in named)
    how = "exactly so with two classes" if now.n_classes == 2 else "their sum per true class decides"
    acts = "missed profits act" if earns else "costs act"
    return f"When splits are chosen, {acts} like class weights ({how}): a row counts {shown}. {leaves}"
