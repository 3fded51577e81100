"""What answers are worth: the table of what each error costs, a row per true class; or what each answer earns."""

from dataclasses import replace

import numpy as np
import streamlit as st

from pages.shared.controls import growth
from pages.shared.controls.growth import put, situation, table, take, with_settings
from pages.shared.controls.refit import costs_belong_to
from pages.shared.controls.settings import PANEL, Situation
from pages.shared.session import state
from pages.shared.trees import interest, work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.brief import visible
from treecore.criteria.criterion import missed
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import brief, number
from treecore.growing.settings.costs import class_factors
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.recipe import Prune, setting_text
from treecore.study.metrics import class_shares

WHOLE = 12
"""Most classes whose whole table is shown; with more, one true class at a time."""
COSTS_FAULT = "loss said"
WORTH = {"loss": "Costs of errors", "profit": "Profit of predictions"}


def loss_editor(now: Situation) -> None:
    """What a row of each true class costs when it is called another one, right answers nothing; or what it earns."""
    worth = _worth(now)
    state.controlled(
        st.segmented_control, "Costs or profit of predictions", worth, lambda v: speak_of(v or worth), "answers_worth",
        options=list(WORTH), format_func=WORTH.get,
    )  # fmt: skip
    if worth == "profit":
        profit_editor(now)
    else:
        st.caption("Rows: true class. Columns: predicted class.")
        _costs_editor(now)
    if state.choice(COSTS_FAULT):
        st.error(plain(state.choice(COSTS_FAULT)))
    st.button(
        "Every error costs 1", key="loss_reset", disabled=not now.growth.weighs_answers,
        on_click=lambda: take_matrices(loss=None, profit=None),
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
        earned = of_answers(now.growth, now.n_classes)
        take_matrices(profit=tuple(map(tuple, earned.tolist())), loss=None)
    elif worth == "loss" and now.growth.profit is not None:
        costs = of_errors(now.growth)
        if costs is None:
            state.choose(
                COSTS_FAULT,
                "A wrong prediction earns more than the right one of its class; costs of errors cannot express that.",
            )
            return
        take_matrices(loss=_or_none(costs), profit=None)


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
    frame = frames.of({"true": classes} | {f"c{j}": costs[:, j] for j in range(len(costs))})
    columns = {f"c{j}": st.column_config.NumberColumn(visible(name), width=90) for j, name in enumerate(classes)}
    table(
        frame, "loss", lambda changed: _take(cells(changed)), hide_index=True, disabled=["true"],
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
        frames.of({"answer": classes, "cost": costs[i]}), f"loss {i}",
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
            state.choose(COSTS_FAULT, fault)
            return
        costs[i, j] = cost
    if not costs.any():
        state.choose(COSTS_FAULT, "At least one error must cost more than 0.")
        return
    take_matrices(loss=_or_none(costs), profit=None)


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


# What answers earn: for two classes four fields, hit, miss, false alarm and correct rejection; for more a table.


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


def profit_editor(now: Situation) -> None:
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
                st.number_input, label, float(earned[i, j]), lambda v, at=(i, j): put_profit({at: v}),
                f"profit_{i}_{j}",
                step=1.0, format="%.6g", help=f"What {what} earns; below 0 for what it loses",
            )  # fmt: skip
    st.caption(f"Profit of one row, in any unit; a loss is below 0. The class of interest is “{yes}”.")


def _table(rows: Table, earned: np.ndarray) -> None:
    classes = list(work.name_of_class().values())
    frame = frames.of({"true": classes} | {f"c{j}": earned[:, j] for j in range(len(earned))})
    columns = {f"c{j}": st.column_config.NumberColumn(visible(name), width=90) for j, name in enumerate(classes)}
    table(
        frame, "profit", lambda changed: put_profit(cells(changed)), hide_index=True, disabled=["true"],
        column_config={"true": st.column_config.TextColumn("true class", pinned=True), **columns},
        height=frames.height(len(earned), 353),
    )  # fmt: skip


def cells(changed: dict[int, dict]) -> dict[tuple[int, int], float | None]:
    """(true class, answer) -> value, from the editor's (row -> column -> value)."""
    return {(i, int(column[1:])): value for i, row in changed.items() for column, value in row.items()}


def put_profit(given: dict[tuple[int, int], float | None]) -> None:
    """Put new profits in force, or say which of them cannot be; an emptied field earns 0."""
    now = situation()
    earned, classes = of_answers(now.growth, now.n_classes), list(work.name_of_class().values())
    for (i, j), value in given.items():
        value = 0.0 if value is None else float(value)
        if not np.isfinite(value):
            state.choose(
                COSTS_FAULT, f"A profit of {number(value)} is not possible for “{classes[i]}” called “{classes[j]}”."
            )
            return
        earned[i, j] = value
    if not np.ptp(earned, axis=1).any():
        state.choose(COSTS_FAULT, "For every class all predictions earn the same, so there would be nothing to decide.")
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
    state.choose(COSTS_FAULT, "")


# The classes' shares to reckon with: those of the training rows, equal ones, or the user's.

MODES = {"rows": "as in the data", "equal": "balanced", "own": "custom"}
DRAFT, PRIORS_SAID = "priors draft", "priors said"
"""Own numbers as they are typed: they come into force when they sum to 1."""


def priors_editor(now: Situation) -> None:
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
    state.choose(PRIORS_SAID, "")
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
    frame = frames.of({"class": classes, "share of training rows": shares, "prior": numbers})
    table(
        frame, "priors", lambda changed: _take_cells(numbers, changed), hide_index=True,
        disabled=["class", "share of training rows"], height=frames.height(len(numbers), 353),
        column_config={"share of training rows": st.column_config.NumberColumn(format="%.4f"),
                       "prior": st.column_config.NumberColumn(format="%.6g")},
    )  # fmt: skip
    if state.choice(PRIORS_SAID):
        st.error(plain(state.choice(PRIORS_SAID)))
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
            state.choose(
                PRIORS_SAID, f"A class weight of {number(prior)} is not possible for “{classes[i]}”: give 0 or more."
            )
            return
        new[i] = prior
    state.choose(PRIORS_SAID, "")
    _take_own(tuple(new))


# Costs and priors: what is in force in the sidebar, and the editors over the page that they act on.

OPEN = "costs panel"


def summary() -> None:
    """What is in force, in a line each, and the button that opens the editors."""
    now = situation()
    classes = now.task == "classification"
    for name, label in PANEL.items():
        value = getattr(now.growth, name)
        if (name == "profit" and not value) or (name == "loss" and now.growth.profit):
            continue  # what an answer is worth is said once, as a cost or as a profit
        if classes or name in ("costs", "monotonic"):
            st.caption(f"{label}: " + (plain(_in_force(name, value)) if value else _at_first(name)))
    if not classes:
        st.caption("Costs of errors and class weights are for targets with classes.")
    opened = bool(state.choice(OPEN))
    st.button(
        "Close the editors" if opened else "Edit costs and class weights" if classes else "Edit costs",
        key="costs_panel",
        on_click=lambda: state.choose(OPEN, not opened),
    )  # fmt: skip


def _in_force(name: str, value) -> str:
    """As the recipe has it, without the word that the label says already."""
    return setting_text(name, value).removeprefix(f"{name} ").replace("cost of ", "").replace("answers ", "")


def _at_first(name: str) -> str:
    return {
        "loss": "every error costs 1", "priors": "as in the data", "costs": "all cost the same",
        "monotonic": "none",
    }[name]  # fmt: skip


def show() -> None:
    """The editors, when they are open: errors, priors, features."""
    if not state.choice(OPEN):
        return
    now = situation()
    with st.container(border=True, key="costs_editors"):  # it scrolls, so that the tree stays in sight
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="costs_head"
        ):
            st.markdown("**Costs and class weights**: the tree below follows every change", width="content")
            st.button("Close", key="close_costs", on_click=lambda: state.choose(OPEN, False))
        if now.task != "classification":
            growth.features_editor(now)
            return
        left, right = st.columns([3, 2], gap="large")
        with left:
            loss_editor(now)
            priors_editor(now)
        with right:
            growth.features_editor(now)
