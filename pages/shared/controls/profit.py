"""What answers earn: for two classes four fields, hit, miss, false alarm and correct rejection; for more a table."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared.controls.growth import situation, take, with_settings
from pages.shared.controls.refit import costs_belong_to
from pages.shared.controls.settings import Situation
from pages.shared.controls.tables import table
from pages.shared.session import state
from pages.shared.trees import interest, work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.brief import visible
from treecore.criteria.criterion import missed
from treecore.data.table import Table
from treecore.figures import number
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.recipe import Prune
from treecore.study.metrics import class_shares

SAID = "loss said"


def of_answers(growth: GrowSettings, n_classes: int) -> np.ndarray:
    """float64 (K, K): what a row of each class earns by each answer; every error costs 1 where nothing is said."""
    if growth.profit is not None:
        return np.array(growth.profit, float)
    loss = 1.0 - np.eye(n_classes) if growth.loss is None else np.array(growth.loss, float)
    return 0.0 - loss


def of_errors(growth: GrowSettings) -> np.ndarray | None:
    """float64 (K, K): the costs of errors that make the same tree as the profits in force; None where a wrong answer
    earns more than the right one of its class, which no cost of an error says."""
    costs = missed(0.0 - np.array(growth.profit, float))
    return None if np.diag(costs).any() or not costs.any() else costs


def looked_for() -> int:
    """The place of the class that a hit finds: the class of interest, or the rarer of the two."""
    classes = work.table().classes
    chosen = state.choice(interest.NAME)
    if chosen in classes:
        return classes.index(chosen)
    shares = class_shares(work.roles()["train"])
    return 0 if shares[0] < shares[1] else 1


def editor(now: Situation) -> None:
    """Four fields for two classes, a table for more."""
    earned = of_answers(now.growth, now.n_classes)
    if now.n_classes == 2:
        fields(now, earned)
    else:
        _table(now.table, earned)


def fields(now: Situation, earned: np.ndarray) -> None:
    """Hit, miss, false alarm and correct rejection of the class of interest."""
    k, classes = looked_for(), list(work.name_of_class().values())
    yes, no = (plain(visible(classes[place])) for place in (k, 1 - k))
    named = (
        ("Hit", k, k, f"a row of “{yes}” that is called so"), ("Miss", k, 1 - k, f"a row of “{yes}” called “{no}”"),
        ("False alarm", 1 - k, k, f"a row of “{no}” called “{yes}”"),
        ("Correct rejection", 1 - k, 1 - k, f"a row of “{no}” that is called so"),
    )  # fmt: skip
    for place, (label, i, j, what) in zip(st.columns(4), named, strict=True):
        with place:
            state.controlled(
                st.number_input, label, float(earned[i, j]), lambda v, at=(i, j): put({at: v}), f"profit_{i}_{j}",
                step=1.0, format="%.6g", help=f"What {what} earns; below 0 for what it loses",
            )  # fmt: skip
    st.caption(f"Profit of one row, in any unit; a loss is below 0. The class of interest is “{yes}”.")


def _table(rows: Table, earned: np.ndarray) -> None:
    classes = list(work.name_of_class().values())
    frame = pd.DataFrame({"true": classes} | {f"c{j}": earned[:, j] for j in range(len(earned))})
    columns = {f"c{j}": st.column_config.NumberColumn(visible(name), width=90) for j, name in enumerate(classes)}
    table(
        frame, "profit", lambda changed: put(cells(changed)), hide_index=True, disabled=["true"],
        column_config={"true": st.column_config.TextColumn("true class", pinned=True), **columns},
        height=frames.height(len(earned), 353),
    )  # fmt: skip


def cells(changed: dict[int, dict]) -> dict[tuple[int, int], float | None]:
    """(true class, answer) -> value, from the editor's (row -> column -> value)."""
    return {(i, int(column[1:])): value for i, row in changed.items() for column, value in row.items()}


def put(given: dict[tuple[int, int], float | None]) -> None:
    """Put new profits in force, or say which of them cannot be; an emptied field earns 0."""
    now = situation()
    earned, classes = of_answers(now.growth, now.n_classes), list(work.name_of_class().values())
    for (i, j), value in given.items():
        value = 0.0 if value is None else float(value)
        if not np.isfinite(value):
            state.choose(SAID, f"A profit of {number(value)} is not possible for “{classes[i]}” called “{classes[j]}”.")
            return
        earned[i, j] = value
    if not np.ptp(earned, axis=1).any():
        state.choose(SAID, "For every class all predictions earn the same, so there would be nothing to decide.")
        return
    take_matrices(profit=tuple(map(tuple, earned.tolist())), loss=None)


OF_SHARES = ("log_loss", "brier")


def _judged_by_them(prune: Prune, before: bool, now: bool) -> Prune:
    """The pruning whose size is no longer chosen by the leaves' shares once answers are worth something of their own,
    and by the log loss again where they no longer are: then no error says how well a rare class is told apart."""
    given = dict(prune.parameters)
    if now and not before and given.get("measure") in OF_SHARES:
        return replace(prune, parameters=tuple((k, v) for k, v in prune.parameters if k != "measure"))
    by_shares = given.get("risk") in ("impurity", *OF_SHARES) and not {"measure", "alpha"} & {*given}
    if before and not now and by_shares:
        return replace(prune, parameters=(*prune.parameters, ("measure", "log_loss")))
    return prune


def take_matrices(**settings: tuple | None) -> None:
    """Costs or profits in force from now on, for the classes of this table; sizes are judged by them."""
    record = state.record()
    grow = with_settings(record.grow, settings)
    take(grow, prune=_judged_by_them(record.prune, record.grow.growth().weighs_answers, grow.growth().weighs_answers))
    state.choose("costs for", costs_belong_to(situation()))
    state.choose(SAID, "")
