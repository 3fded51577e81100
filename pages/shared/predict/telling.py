"""The answer for a row and how it came about, on the page."""

import numpy as np
import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared.node import survival
from pages.shared.predict import asked
from pages.shared.session import state
from pages.shared.trees import interest, work
from pages.shared.widgets import explained, frames
from pages.shared.widgets.messages import plain
from treecore.figures import count, per_cent, percent
from treecore.growing.settings.parts import LEAF_SHARES
from treecore.judging.interest import rate, shown_class
from treecore.predicting.decision_path import Ending, Story
from treecore.predicting.mixture import likeliest, mixed_share, mixture_lines

WEIGHTED = "share used by the tree"


def answer(found: Story) -> None:
    """The answer first, and how sure it is."""
    tree = work.pruned()
    st.subheader(f"{plain(tree.schema.target)} = {plain(found.said)}", anchor=False)
    if len(found.ends) > 1:
        looked_for = interest.of(tree)
        order = likeliest(found) if looked_for is None else dict.fromkeys([looked_for.k, *likeliest(found)])
        mixed = ", ".join(
            f"{tree.class_names[k]} {mixed_share(tree, found, k)}" for k in order if found.answer is not None
        )
        told = f"The row is shared among {len(found.ends)} leaves; the prediction averages them by its parts"
        how = _how(tree) if tree.classes and any(_is_estimated(end) for end in found.ends) else ""
        st.caption(plain(f"{told}{f', with {how}' if how else ''}: {mixed}." if mixed else f"{told}."))
    elif tree.classes and found.ends[0].weight:
        end = found.ends[0]
        k = shown_class(end.counted, int(tree.value[end.node]), interest.of(tree))
        said = f"{rate(float(end.counted[k]), tree.class_names[k])} among the {_rows(end)} in its leaf"
        st.caption(plain(f"{said}; 95 % interval {percent(float(end.low[k]))} to {percent(float(end.high[k]))}."))
        if _is_estimated(end):
            st.caption(plain(f"With {_how(tree)} the tree uses {rate(float(end.shares[k]), tree.class_names[k])}."))
    elif not tree.classes and found.ends[0].weight:
        end = found.ends[0]
        kind, from_ = tree.target_kind, int(tree.answer[end.node])
        st.caption(plain(f"{kind.noun.capitalize()} of the {_rows(end)} in its leaf, {kind.spread_text(tree, from_)}."))


def flag(found: Story) -> None:
    """Whether the row is flagged, where there is a flag rule."""
    rule = work.flag_rule()
    if rule is not None and found.ends:
        ends = [end.node for end in found.ends], [end.share for end in found.ends]
        st.markdown(f":material/flag: {plain(rule.verdict(work.pruned(), *ends))}")


def curve(found: Story) -> None:
    """Of times until an event, how long rows like this one are without it: the curve of its leaf."""
    if len(found.ends) == 1:
        survival.of_node(asked.grown_node(int(work.pruned().answer[found.ends[0].node])))


def _is_estimated(end: Ending) -> bool:
    """Is a share another one than that of the rows?"""
    return len(end.counted) > 0 and not np.allclose(end.shares, end.counted, rtol=0, atol=1e-12)


def _how(tree: tc.Tree) -> str:
    """What makes the shares others than those of the rows."""
    priors = ["the class weights"] if tree.priors is not None else []
    estimate = LEAF_SHARES[tree.growth["leaf_shares"]].label
    return " and ".join([*priors, f"“{estimate}”"] if tree.added is not None else priors)


def _rows(end: Ending) -> str:
    return f"{count(end.weight, ',')} {work.pruned().rows_named.removesuffix('s')}{'' if end.weight == 1 else 's'}"


def way(found: Story) -> None:
    """Step by step."""
    lines = [f"{i}. {plain(step.text)}" for i, step in enumerate(found.steps, 1)]
    st.markdown("\n".join(lines) or "The tree has no splits.")


def mixture(found: Story) -> None:
    """Of a row that is shared: the leaves, its parts in them, and the sums of their answers."""
    lines = mixture_lines(work.pruned(), found)
    if lines:
        st.markdown("**How the leaves' predictions are averaged**")
        explained.show(lines)


def endings(found: Story) -> None:
    """The leaves, their rows, and the interval of each share."""
    tree = work.pruned()
    if tree.classes:
        looked_for = interest.of(tree)
        order = sorted(range(len(tree.classes)), key=lambda k: looked_for is not None and k != looked_for.k)
        rows = [_shares_row(end, k) for end in found.ends for k in order]
    else:
        rows = [
            {"leaf": e.node, "part": e.share, "rows": e.weight, tree.target_kind.noun: e.answer} for e in found.ends
        ]
    frame = pd.DataFrame(rows)
    shares = [name for name in ("part", "share", "from", "to", WEIGHTED) if name in frame]
    frame[shares] = frame[shares].map(per_cent)
    frames.show(frame, dict.fromkeys(shares, frames.SHARE), hide_index=True)
    for end in found.ends[:4]:
        at = asked.grown_node(end.node)
        st.button(
            f"Show leaf {end.node} in the tree", key=f"show_leaf_{end.node}", disabled=at == state.record().selected,
            on_click=lambda at=at: state.change(selected=at),
        )  # fmt: skip


def _shares_row(end: Ending, k: int) -> dict:
    known = len(end.low) > 0
    row = {
        "leaf": end.node, "part": end.share, "rows": end.weight, "class": work.pruned().class_names[k],
        "share": float(end.counted[k]) if known else None, "from": float(end.low[k]) if known else None,
        "to": float(end.high[k]) if known else None,
    }  # fmt: skip
    return row | {WEIGHTED: float(end.shares[k])} if _is_estimated(end) else row
