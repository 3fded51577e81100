"""Which rows train, validate and test, and which are for pruning or for figures alone."""

from dataclasses import replace

import streamlit as st

import treecore as tc
from pages.shared.database import external_table
from pages.shared.session import state
from pages.shared.trees import nested, tables, work
from pages.shared.widgets.messages import plain
from treecore.data import infer_kinds
from treecore.data.roles import MIN_JUDGES, too_few_to_hold_back
from treecore.figures import counted, percent
from treecore.recipe import Split
from treecore.seal import Seal

ALONE = (
    "These rows are used only for pruning, so that the validation rows can compare differently pruned trees fairly. "
    "0: pruning uses the validation rows"
)
HONEST = (
    "Honest leaves: these rows choose neither splits nor size. Every figure of the tree (class shares, predictions, "
    "intervals) is counted on them, so that none is too optimistic. 0: figures come from the training rows"
)
RANDOM, ORDERED = "drawn at random", "in order of "
ROLES = {"train": 0.6, "validation": 0.2, "test": 0.2, "pruning": 0.0, "estimation": 0.0}


ALL = dict.fromkeys(ROLES, 0.0) | {"train": 1.0}


def chooser() -> None:
    """Shares of the rows, or a column that names the roles."""
    split = state.record().split
    here = state.opened() is None  # elsewhere a row's hash says which role it has
    columns = [c.name for c in work.table().columns if c.kind != "numeric" and c.n_distinct <= 3 and here]
    orders = [*dict.fromkeys((*(_dates() if here else ()), *([split.order] if split.order else [])))]
    if split.column not in (None, *columns):
        columns.append(split.column)
    state.controlled(
        st.selectbox, "Train / validation / test split",
        ORDERED + split.order if split.order else split.column or RANDOM,
        lambda v: _take_roles(v, orders), "roles_column",
        options=[RANDOM, *(ORDERED + name for name in orders), *columns],
    )  # fmt: skip
    if split.column is None:
        first = split.train + split.estimation
        ends = round(100 * first), round(100 * (first + _held(split)))
        state.controlled(
            st.slider, "Training | validation | test, in %", ends, _take_ends, "roles_ends",
            min_value=0, max_value=100, step=5,
        )  # fmt: skip
        state.controlled(
            st.number_input, "Share of validation kept only for pruning, in %", _apart(split), _take_apart,
            "roles_pruning",
            min_value=0, max_value=100, step=10, disabled=not _held(split), help=ALONE,
        )  # fmt: skip
        state.controlled(
            st.number_input, "Share of training kept only for honest leaves, in %", _estimating(split),
            _take_estimating, "roles_estimation", min_value=0, max_value=90, step=10, disabled=not here, help=HONEST,
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="bottom"):
            all_rows()
            state.controlled(
                st.toggle, "Stratified", split.stratify, lambda v: _take(stratify=v), "stratify",
                disabled=bool(split.order) or not here,
            )  # fmt: skip
            state.controlled(
                st.number_input, "Seed", split.seed, lambda v: _take(seed=int(v or 0)), "seed", min_value=0, step=1,
                width=140, disabled=bool(split.order),
            )  # fmt: skip
    show()
    sizes = ", ".join(map(_size, work.roles().items()))
    of = " of the sample" * external_table.is_sampled()
    told = " All figures of the tree are counted on the estimation rows." if work.estimation() else ""
    st.caption(f"Rows{of}: {plain(sizes)}. The tree learns only from the training rows.{told}{_why_all()}")


def _size(role: tuple[str, tc.Table]) -> str:
    name, rows = role
    hidden = name == "test" and work.is_sealed()
    return f"{name} {tables.n_test() if hidden else rows.n_rows:,}" + " (sealed)" * hidden


def _why_all() -> str:
    """Why all rows train, where there are too few to hold some back."""
    n_rows, split = work.table().n_rows, state.record().split
    if split.column is not None or split.train < 1 or not too_few_to_hold_back(n_rows, Split()):
        return ""
    return (
        f" {percent(Split().validation)} of {counted(n_rows, 'row')} would be fewer than {MIN_JUDGES}, too few for a "
        f"validation set: all rows train, and cross-validation {'judges' if nested.is_on() else 'can judge'} the tree."
    )


def all_rows() -> None:
    """One click: every row trains, and back."""
    split = state.record().split
    every = split.column is None and split.train == 1
    st.button(
        "Use validation and test rows again" if every else "Use all rows for training", key="all_rows",
        disabled=split.column is not None,
        on_click=lambda: _take(**ROLES) if every else _take(**ALL),
        help="60 % training, 20 % validation, 20 % test" if every else "No rows are held back, so only "
                                                                       "cross-validation "
        "can say how good the tree is on new rows",
    )  # fmt: skip


def _dates() -> list[str]:
    """Columns by whose dates rows can be put in order."""
    return [guess.name for guess in infer_kinds(state.raw()) if guess.derived]


def _take_roles(chosen: str, orders: list[str]) -> None:
    """By chance, by dates, or by a column that names the roles."""
    order = next((name for name in orders if chosen == ORDERED + name), None)
    _take(order=order, column=None if order or chosen == RANDOM else chosen)


def by_date(name: str) -> None:
    """The earlier rows train, the later ones validate and test."""
    _take(order=name, column=None, **ROLES)


def _take(**changes) -> None:
    state.change(split=replace(state.record().split, **changes), selected=0)


def _take_ends(ends: tuple[int, int]) -> None:
    """At least 5 % of the rows train; the same parts of them are for estimation, and of validation for pruning."""
    first, second, split = max(ends[0], 5), max(ends[1], 5), state.record().split
    held = _shares_held_out(second - first, _apart(split))
    _take(test=(100 - second) / 100, **_trained(first, _estimating(split)), **held)


def _take_apart(percent: int | None) -> None:
    _take(**_shares_held_out(round(100 * _held(state.record().split)), int(percent or 0)))


def _take_estimating(percent: int | None) -> None:
    split = state.record().split
    _take(**_trained(round(100 * (split.train + split.estimation)), min(int(percent or 0), 90)))


def _trained(first: int, apart: int) -> dict[str, float]:
    """Shares of the rows for training and for estimation. first : of both together, and apart : of that, in %."""
    estimation = round(first * apart / 1e4, 6)
    return {"train": round(first / 100 - estimation, 6), "estimation": estimation}


def _estimating(split: Split) -> int:
    return round(100 * split.estimation / (split.train + split.estimation)) if split.estimation else 0


def _shares_held_out(held: int, apart: int) -> dict[str, float]:
    """Shares of the rows for validation and for pruning. held : of both together, and apart : of that, in %."""
    pruning = round(held * apart / 1e4, 6)
    return {"validation": round(held / 100 - pruning, 6), "pruning": pruning}


def _held(split: Split) -> float:
    return split.validation + split.pruning


def _apart(split: Split) -> int:
    return round(100 * split.pruning / _held(split)) if split.pruning else 0


# The switch that seals the test rows, and the one that opens them.

WHY = (
    "While they are sealed no page tells how good a tree is on them: what is chosen is chosen by validation rows or by "
    "folds. They can be opened once; the report then says when, and whether the tree was changed after that. Undo does "
    "not bring a seal back, or take it away."
)


def show() -> None:
    """Seal; or that they are sealed, and a way to open them; or when they were opened."""
    seal = state.record().seal
    if seal is not None and not seal.is_closed:
        st.caption(seal.told(work.recipe().digest()))
    elif seal is not None:
        _opener()
    elif tables.n_test():
        st.button("Seal the test rows", key="seal_test", icon=":material/lock:", help=WHY, on_click=_close)


def _opener() -> None:
    with st.popover("Test rows are sealed", icon=":material/lock:", help=WHY):
        st.markdown(
            "**Open the test rows?** They judge one tree, once. Open them when nothing is to be changed any more: what "
            "is chosen after that has seen them."
        )
        st.button("Open them now, for good", key="open_test", type="primary", on_click=_open)


def _close() -> None:
    state.change(seal=Seal())


def _open() -> None:
    state.change(seal=work.recipe().opened().last(Seal))
