"""What may mislead a tree in this table, named with the number that speaks for it, and put right by a click."""

import streamlit as st

from pages.shared.data import columns, split
from pages.shared.server import memo
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.data.counted import counted
from treecore.detectors import BY_DATE, DETECTORS, Finding, findings

MOST_TOLD = 12


def show() -> None:
    """All findings about the features in force, and dates beside them."""
    table = work.table()
    if not table.target or not table.features:
        return
    found = memo.get(("traps", work.table_key()), lambda: findings(table))
    if not found:
        return
    with st.expander(f"{counted(len(found), 'possible trap')} in this table", expanded=True):
        for place, finding in enumerate(found[:MOST_TOLD]):
            _tell(place, finding)
        if len(found) > MOST_TOLD:
            st.caption(f"and {len(found) - MOST_TOLD} more")


def _tell(place: int, finding: Finding) -> None:
    detector = DETECTORS[finding.detector]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{plain(finding.column)}** · {detector.label.lower()}: {plain(finding.text)}", width="stretch",
            help=detector.why,
        )  # fmt: skip
        if finding.remedy == BY_DATE:
            _by_date(place, finding.column)
        elif len(work.features()) > len(finding.columns):
            label = "Leave them out" if finding.others else "Leave it out"
            st.button(label, key=f"trap_{place}", on_click=columns.leave_out, args=(finding.columns,))


def _by_date(place: int, name: str) -> None:
    done = state.record().split.order == name
    st.button(
        "Roles are by date" if done else "Roles by date", key=f"trap_{place}", on_click=split.by_date, args=(name,),
        disabled=done, help="The earliest rows train, the latest test",
    )  # fmt: skip
