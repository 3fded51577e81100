"""Does the tree still hold for the rows it is asked about? What was then and what is now, leaf by leaf."""

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared.database import counted as engine
from pages.shared.session import state
from pages.shared.session.kept_file import KeptFile
from pages.shared.trees import interest, other, work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.data import RawTable
from treecore.data.read import months
from treecore.errors import TreecoreError
from treecore.figures import measure, number, per_cent, percent
from treecore.predicting.batch import Scored
from treecore.study.drift import Drift

INDEX = st.column_config.NumberColumn(format="%.3f")
MOST_PIXELS = 300
"""Of a table's height."""


def say(raw: RawTable, scored: Scored) -> None:
    """The answer in a sentence."""
    found = _found(raw, scored)
    tell = st.success if found.holds else st.warning
    tell(plain(found.sentence), icon=":material/check:" if found.holds else ":material/trending_up:")


def show(file: KeptFile, raw: RawTable, scored: Scored) -> None:
    """What the answer rests on, folded away."""
    found = _found(raw, scored)
    with st.expander("Does the tree still hold on these rows?"):
        _figures(found)
        _leaves(found)
        _features(found)
        _months(found)
        for note in found.notes:
            st.caption(plain(note))
        if found.tests is not None:
            st.button(
                "Draw these rows beside the training rows",
                key="rows_as_bars",
                on_click=_as_bars,
                args=(file,),
                help="Each node gets a second bar, and a mark where the two differ significantly",
            )


def _found(raw: RawTable, scored: Scored) -> Drift:
    tree, rows = scored.tree, scored.table
    training = None if engine.is_on() else work.roles()["train"]
    named = interest.of(tree)

    def make() -> Drift:
        dates = _dates(raw)
        dates = None if dates is None else [dates[row] for row in rows.row_numbers]
        return tc.check(tree, rows, training, months=dates, class_of_interest=named and named.name)

    return work.kept_cut("drift", raw.fingerprint, state.record().derive, named and named.name, make=make)


def _dates(raw: RawTable) -> list[str] | None:
    """Month by month, where there is one column of dates of which nothing is in doubt."""
    try:
        return months(raw)
    except TreecoreError:
        return None


def _figures(found: Drift) -> None:
    show = percent if found.tree.classes else number
    lines = [f"Stability index of the leaves **{found.index:.3f}**. With this many rows up to {found.chance:.3f} can "
             "be "
             f"chance; above {found.fail_above:g} the rows count as a different population."]  # fmt: skip
    if found.tests is not None:
        between = f" ({show(found.low)} to {show(found.high)})" if found.tree.classes else ""
        lines.append(f"{plain(found.about_class)}: expected {show(found.expected)}, "
                     f"observed **{show(found.observed)}**{between}.")  # fmt: skip
    if found.quality:
        lines.append(f"{found.quality}: {measure(found.quality_then)} then, **{measure(found.quality_now)}** now.")
    st.markdown("  \n".join(lines))


def _leaves(found: Drift) -> None:
    rate, look = _rates(found)
    unit = f"share of {found.about_class}" if found.tree.classes else "mean"
    frame = pd.DataFrame({
        "leaf": [leaf.node for leaf in found.leaves],
        "rows then": [per_cent(leaf.then / found.then if found.then else 0.0) for leaf in found.leaves],
        "rows now": [per_cent(leaf.now / found.now) for leaf in found.leaves],
        f"{unit} then": [rate(leaf.rate_then) for leaf in found.leaves],
        f"{unit} now": [rate(leaf.rate_now) for leaf in found.leaves],
        "changed": [leaf.changed for leaf in found.leaves],
        "rule": [leaf.rule for leaf in found.leaves],
    })  # fmt: skip
    if found.tests is None:
        frame = frame.drop(columns=[f"{unit} now", "changed"])
    looks = {"rows then": frames.SHARE, "rows now": frames.SHARE, f"{unit} then": look, f"{unit} now": look}
    _table(frame, looks)


def _features(found: Drift) -> None:
    if not found.features:
        return
    frame = pd.DataFrame({
        "feature": [f.name for f in found.features],
        "index": [f.index for f in found.features],
        "by chance up to": [f.chance for f in found.features],
        "missing then": [per_cent(f.missing_then) for f in found.features],
        "missing now": [per_cent(f.missing_now) for f in found.features],
        "new levels": [", ".join(f.new_levels[:8]) for f in found.features],
    })  # fmt: skip
    looks = {"index": INDEX, "by chance up to": INDEX, "missing then": frames.SHARE, "missing now": frames.SHARE}
    _table(frame, looks)


def _months(found: Drift) -> None:
    if not found.months:
        return
    rate, look = _rates(found)
    frame = pd.DataFrame({
        "month": [m.name for m in found.months],
        "rows": [m.n_rows for m in found.months],
        "index": [m.index for m in found.months],
        "expected": [rate(m.expected) for m in found.months],
        "observed": [rate(m.observed) for m in found.months],
    })  # fmt: skip
    if found.tests is None:
        frame = frame.drop(columns=["expected", "observed"])
    looks = {"rows": frames.COUNT, "index": INDEX, "expected": look, "observed": look}
    _table(frame, looks)


def _table(frame: pd.DataFrame, looks: dict) -> None:
    frames.show(frame, looks, hide_index=True, height=frames.height(len(frame), MOST_PIXELS))


def _rates(found: Drift) -> tuple:
    """How a rate or a mean is put into a table, and how its column is written."""
    return (per_cent, frames.SHARE) if found.tree.classes else (float, st.column_config.NumberColumn())


def _as_bars(file: KeptFile) -> None:
    """The rows become the second bar of every node."""
    other.take(file.name, file.content())
