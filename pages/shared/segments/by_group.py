"""Who is treated differently: the groups of any column in the selected segment, or in all rows."""

import numpy as np
import streamlit as st

from pages.shared.node import by_group
from pages.shared.segments import found
from pages.shared.trees import groups
from pages.shared.widgets.messages import plain
from treecore.figures import counted
from treecore.study.groups import Groups
from treecore.study.segments import ALL

MOST_NAMED = 3


def of_rows() -> Groups | None:
    """Of the rows that are counted, in the nodes of the pruned tree; None where no column is chosen."""
    return groups.of_pruned(_roles())


def show() -> None:
    """The column; where groups differ in any segment, and each group in the one that is selected."""
    if not groups.offered():
        return
    groups.choose("segments_groups", "Groups of")
    of = of_rows()
    if of is None:
        return
    st.markdown(plain(_over_all(of)))
    i = found.chosen()
    by_group.show(of, 0 if i is None else int(found.segments().node[i]))
    rows = "of all roles" if found.role() == ALL else f"of {found.role_name(found.role())}"
    st.caption(f"Rows {rows}. p: against the other rows of the segment, corrected for the number of groups (Holm).")


def _roles() -> tuple[str, ...]:
    held = found.segments().held
    return tuple(role for role in held if role != ALL) if found.role() == ALL else (found.role(),)


def _over_all(of: Groups) -> str:
    """Of how many segments a group differs, and the surest of them."""
    segments = found.segments()
    number = dict(zip(segments.node.tolist(), segments.number.tolist(), strict=True))
    differing = of.differing(np.sort(segments.node))
    all_of = counted(len(segments), "segment")
    if not differing:
        return f"In none of {all_of} does a group of {of.column} differ significantly from the others."
    n = len({node for node, _ in differing})
    named = [f"segment {number[node]}, {of.of_group(group)}" for node, group in differing[:MOST_NAMED]]
    more = f"; and {len(differing) - MOST_NAMED:,} more" if len(differing) > MOST_NAMED else ""
    return f"In {n:,} of {all_of} a group differs significantly from the others: {'; '.join(named)}{more}."
