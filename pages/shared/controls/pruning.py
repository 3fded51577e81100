"""The pruning strategy and its parameters: in the sidebar, and for each method of the court."""

from collections.abc import Callable

import streamlit as st

from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import growth_in_force
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.pruning import PRUNERS, Parameter, Pruner
from treecore.recipe import Prune
from treecore.target import Target, answered_by_lines
from treecore.tree.line_fit import CONSTANT


def choose(key: str = "pruner") -> None:
    """The strategy in force. key : of its widget, one for each place where it stands."""
    prune = state.record().prune
    pruner = PRUNERS[prune.method]
    state.controlled(
        st.selectbox, "Pruning", pruner.name, lambda v: state.change(prune=Prune(v)), key,
        options=list(PRUNERS), format_func=labels().get, help=about(pruner),
    )  # fmt: skip


def of_strategy() -> None:
    """The parameters of the strategy in force."""
    prune = state.record().prune
    if not PRUNERS[prune.method].parameters:
        st.caption(f"{PRUNERS[prune.method].label} has no settings of its own.")
    parameters(prune, "prune", lambda changed: state.change(prune=changed))


def labels() -> dict[str, str]:
    """Name -> what the strategy is called; one that has no meaning for this target says so."""
    held = _target().held
    return {name: p.label if serves(p) else f"{p.label} (not for {held})" for name, p in PRUNERS.items()}


def serves(pruner: Pruner) -> bool:
    """Has it a meaning for the target?"""
    return pruner.serves(_target())


def _target() -> Target:
    """The kind of target, as leaves are to answer it."""
    kind, model = work.table().target_kind, growth_in_force().leaf_model
    has_lines = model != CONSTANT and kind.leaves_open("leaf_model") and kind.allows("leaf_model", model)
    return answered_by_lines(kind.classes) if has_lines else kind


def about(pruner: Pruner) -> str:
    """The strategy's rule and source, as Markdown."""
    lines = [f"${pruner.formula}$", pruner.source and f"{plain(pruner.source)}."]
    if pruner.needs_validation:
        lines.append(f"Judges by the {work.judge()} rows.")
    return "  \n".join(line for line in lines if line)


def parameters(prune: Prune, prefix: str, save: Callable[[Prune], None]) -> None:
    """A control per parameter of the strategy; keys are the prefix and the parameter's name."""
    for parameter in PRUNERS[prune.method].parameters:
        value = dict(prune.parameters).get(parameter.name, parameter.default)
        take = lambda v, name=parameter.name: save(_with(prune, name, v))  # noqa: E731
        _draw(parameter, value, f"{prefix}_{parameter.name}", take)


def _with(prune: Prune, name: str, value) -> Prune:
    """The step with this parameter; one that is at its default is not recorded."""
    default = next(p.default for p in PRUNERS[prune.method].parameters if p.name == name)
    given = dict(prune.parameters) | {name: default if value is None else value}
    return Prune(prune.method, tuple((k, v) for k, v in given.items() if k != name or v != default))


def _draw(parameter: Parameter, value, key: str, save: Callable) -> None:
    note = plain(parameter.note) or None
    if parameter.switch:
        state.controlled(st.toggle, parameter.label, value, save, key, help=note)
    elif parameter.choices:
        names = dict(parameter.choices)
        state.controlled(
            st.selectbox, parameter.label, value, save, key, options=list(names), format_func=names.get, help=note
        )  # fmt: skip
    else:
        _number(parameter, value, key, save, note)


def _number(parameter: Parameter, value, key: str, save: Callable, note: str | None) -> None:
    kind = int if parameter.whole else float
    limits = {"min_value": _limit(parameter.least, kind), "max_value": _limit(parameter.most, kind)}
    small = not parameter.whole and (parameter.most <= 1 or abs(parameter.default or 0.0) < 1)
    state.controlled(
        st.number_input, parameter.label, None if value is None else kind(value), save, key, value=None,
        step=1 if parameter.whole else 0.001 if small else 0.1, format="%d" if parameter.whole else "%.6g",
        placeholder="by its own rule", help=note, **limits,
    )  # fmt: skip


def _limit(value: float, kind: type):
    return None if value in (float("inf"), float("-inf")) else kind(value)


def check() -> None:
    """A strategy that cannot serve says why, and the page goes on with the tree as it was grown."""
    fault = work.refusal()
    if fault is not None:
        messages.show(fault, state.record().prune.method)
        st.caption("Until then the tree is shown unpruned. The sidebar still has every setting.")
