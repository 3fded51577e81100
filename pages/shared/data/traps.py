"""What may mislead a tree in this table, named with the number that speaks for it, and put right by a click."""

from dataclasses import replace

import streamlit as st

from pages.shared.controls import growth
from pages.shared.data import columns, reading, split
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import growth_in_force
from pages.shared.widgets.messages import plain
from treecore.detectors import BY_DATE, DETECTORS, Finding, findings
from treecore.detectors.missing_values import asks_for_blanks
from treecore.figures import counted
from treecore.recipe import Prepare

MOST_TOLD = 12


def show() -> None:
    """All findings about the features in force, and dates beside them."""
    table = work.table_in_sight()
    if not table.target or not table.features:
        return
    result = cache.get(("traps", work.sight_key()), lambda: findings(table))
    if not result:
        return
    with st.expander(f"{counted(len(result), 'possible trap')} in this table", expanded=True):
        for place, finding in enumerate(result[:MOST_TOLD]):
            _tell(place, finding)
        if len(result) > MOST_TOLD:
            st.caption(f"and {len(result) - MOST_TOLD} more")


def _tell(place: int, finding: Finding) -> None:
    detector = DETECTORS[finding.detector]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{_named(finding)}{detector.label.lower()}: {plain(finding.text)}", width="stretch",
            help=detector.why,
        )  # fmt: skip
        if finding.remedy == BY_DATE:
            _by_date(place, finding.column)
        elif finding.growth:
            _by_growth(place, finding)
        elif finding.reading:
            st.button(
                plain(_sentence(finding.remedy)), key=f"trap_{place}", on_click=reading.more, args=(finding.reading,),
                disabled=state.file() is None, help="How the table is read, which can be undone",
            )  # fmt: skip
        elif finding.use:
            st.button(
                plain(_sentence(finding.remedy)), key=f"trap_{place}", on_click=columns.take_features,
                args=([*work.features(), *finding.use],),
            )  # fmt: skip
        elif finding.remedy and len(work.features()) > len(finding.columns):
            label = "Leave them out" if finding.others else "Leave it out"
            st.button(label, key=f"trap_{place}", on_click=columns.leave_out, args=(finding.columns,))


def _by_date(place: int, name: str) -> None:
    done = state.record().split.order == name
    st.button(
        "Split is by date" if done else "Split by date", key=f"trap_{place}", on_click=split.by_date, args=(name,),
        disabled=done, help="The earliest rows for training, the latest for testing",
    )  # fmt: skip


def _named(finding: Finding) -> str:
    """The column; of features that are missing in the same rows all of them; nothing where it is about rows."""
    name = ", ".join(finding.columns) if finding.growth else finding.column
    return f"**{plain(name)}** · " if name else ""


def _by_growth(place: int, finding: Finding) -> None:
    in_force = growth_in_force()
    is_set = all(getattr(in_force, name) == value for name, value in finding.growth)
    asked = asks_for_blanks(in_force) if "missing" in dict(finding.growth) else is_set
    done = bool(asked) and not _filled(finding)
    told = "In force" if done else "A setting of growth, which can be undone"
    st.button(
        _sentence(finding.remedy), key=f"trap_{place}", on_click=_grow_so, args=(finding,),
        disabled=done or asked is None, help="ctree tests known values alone: take another algorithm first"
        if asked is None else told,
    )  # fmt: skip


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _filled(finding: Finding) -> bool:
    """Would values that are filled in before growing leave the tree nothing to ask?"""
    return "missing" in dict(finding.growth) and state.record().prepare.missing != Prepare().missing


def _grow_so(finding: Finding) -> None:
    """These settings are in force, for the blanks that are there before anything is filled in."""
    if _filled(finding):
        state.change(prepare=replace(state.record().prepare, missing=Prepare().missing))
    for name, value in finding.growth:
        growth.put(name, value)
