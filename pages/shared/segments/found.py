"""The segments of the tree in force, the rows they are counted on, and where the line is."""

import numpy as np

import treecore as tc
from pages.shared.session import state
from pages.shared.trees import interest, work
from treecore.study.segments import Profit, Segments, Selection

FIRST = 0.1
"""Share of the rows before the line until it is moved."""
WORTH = ("hit", "miss", "false_alarm", "correct_rejection")


def segments() -> Segments:
    """Of the pruned tree, counted on the rows of every role."""
    tree, of = work.pruned(), interest.of(work.pruned())
    name, profit = None if of is None else tree.classes[of.k], worth()
    own = work.estimation()
    make = lambda rows: tc.segments(tree, own | rows, name, profit)  # noqa: E731
    return work.of_all_rows("segments", "Counting the segments", make, None, work.cut_key("segments"), name, profit)


def worth() -> Profit | None:
    """What a row is worth, where the reader has said it; None: what the tree was grown with, if anything."""
    told = state.choice("segments worth")
    if set(told) != set(WORTH) or not all(type(value) in (int, float) for value in told.values()):
        return None
    return Profit(**told)


def role() -> str:
    """The role that is counted on."""
    chosen, found = state.choice("segments role"), segments()
    return chosen if chosen in found.held else found.judge()


def selection() -> Selection:
    """What lies before the line: where the reader has left it, else where the flag rule is, else a tenth of all, or the
    first segment where that is more."""
    found, rule, told = segments(), work.flag_rule(), state.choice("segments line")
    if told.get("role") == role() and type(told.get("rows")) in (int, float):
        said = found.first(told["rows"], role())
        if said.rule == rule or (told.get("rate") is not None and rule is not None and rule.threshold == told["rate"]):
            return said
    if rule is not None and rule.class_of_interest == found.name:
        return found.above(rule.threshold, role())
    said = found.first(round(FIRST * found.held[role()].n_rows), role())
    return said if said.rule is not None else found.above(float(found.told[0]), role())


def take(said: Selection, rate: float | None = None) -> None:
    """The line is here now, and flags the segments before it. rate : that was asked for, if any."""
    state.change(flag=said.rule)
    state.choose("segments line", {"role": said.role, "rows": said.rows, "rate": rate})


def grown_ids() -> np.ndarray:
    """int64 (n_nodes of the pruned tree,): what each of its nodes is called in the grown one."""
    return work.cuts().standing(work.grown())


def chosen() -> int | None:
    """The place of the selected node among the segments; None where it is no segment."""
    at = np.flatnonzero(grown_ids()[segments().node] == work.selected())
    return int(at[0]) if len(at) else None


def role_name(name: str) -> str:
    return {"train": "training"}.get(name, name)
