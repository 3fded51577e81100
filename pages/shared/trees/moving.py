"""One training row with other values: the tree that your recipe grows then, beside the one that it grew."""

from dataclasses import replace

import treecore as tc
from pages.shared.server import long_work
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import Plan, in_force
from treecore.figures import percent
from treecore.recipe import Prune, Recipe
from treecore.study import RowSensitivity, row_sensitivity


def plan() -> Plan:
    """Yours without steps by hand, which no other tree repeats."""
    return replace(in_force(), edits=())


def whole_plan() -> Plan:
    """The same without pruning, too."""
    return replace(plan(), prune=Prune())


def train() -> tc.Table:
    """The training rows as they were read."""
    return work.unprepared_roles()["train"]


def describe_band() -> tuple[str, str]:
    """Within which a split is the same, as a setting with its name."""
    return "same split within", f"{percent(state.choice('regrow band'))} of the rows"


def key(row: int, values: dict, plan: Plan) -> tuple:
    """What the tree depends on. row : its place among the training rows."""
    return work.cut_key("moved", row, tuple(values.items()), state.choice("regrow band"), plan=plan)


def regrown(row: int, values: dict, plan: Plan) -> RowSensitivity:
    """The tree with these values (column -> value) in the row, and yours."""
    rows, before, band = work.unprepared_roles(), work.pruned(plan), state.choice("regrow band")
    recipe = Recipe((state.record().split, plan.prepare, plan.grow, plan.prune))
    apart = {role: rows.get(role) for role in ("train", "validation", "pruning")}
    make = lambda report: row_sensitivity(before, recipe, row, values, **apart, band=band)  # noqa: E731
    said = lambda now: "Growing anew"  # noqa: E731
    return long_work.cached(key(row, values, plan), make, said, "Growing", "choose another value", "Grow it")
