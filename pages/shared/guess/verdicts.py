"""What is told of a guessed split: its rank, what the best gains more, and both with their arithmetic."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from pages.shared.bench import rival_cuts, tried
from pages.shared.node import rivals
from pages.shared.trees import work
from pages.shared.widgets import explained, frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.exercises.guess import Judged, cut_guess, order_guess, split_guess
from treecore.figures import brief
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.view.labels import competes_by, question
from treecore.view.rivals import figure


def tell_button(ready: bool, tell: Callable, *given) -> None:
    """Asks what the guess is worth, once there is one."""
    st.button(
        "Check", key="guess_tell", type="primary" if ready else "secondary", on_click=tell, args=given,
        disabled=not ready, shortcut="Alt+T", help="How good is this guess?",
    )  # fmt: skip


def points(found: Candidates, game: str, said: list, at: float | None) -> float:
    """What a guess is worth, from 0 to 1."""
    own = work.grown().node(found.node).feature
    if not found.of(said[0]):  # only the tree's own split, taken by hand or of several cuts, is not among the others
        return float(said[0] == own)
    if game == "cut":
        return cut_guess(rival_cuts.of_node(found.node), said[0], at)[0].points
    listed = tuple(name for name in said if found.of(name))
    return order_guess(found, listed)[1] if game == "three" else split_guess(found, said[0]).points


def show(found: Candidates, answer: dict) -> None:
    """The rank and what the best does better."""
    said = [name for name in answer["said"] if found.of(name)]
    if not said:
        st.markdown("This split is not among those that the search compares: it was taken by hand.")
        return
    if answer["game"] == "cut":
        _of_cut(found, said[0], answer["at"])
    elif answer["game"] == "three":
        _of_three(found, tuple(said), answer["points"])
    else:
        _of_one(found, said[0])


def _of_one(found: Candidates, feature: str) -> None:
    judged, mine = split_guess(found, feature), found.of(feature)[0]
    if judged.is_best:
        st.success(
            f"**{plain(feature)}** is the best here: {_word(found)} {_figure(mine.score)}.", icon=":material/check:"
        )
        return
    best = found.per_feature()[0]
    st.warning(
        f"**{plain(feature)}** is number {judged.rank} of {judged.of}: {_word(found)} {_figure(mine.score)}. "
        f"**{plain(best.feature)}** is best: {_figure(best.score)}, {_more(judged)}.",
        icon=":material/trending_up:",
    )  # fmt: skip
    if not mine.drawn:
        st.caption("It was not among the random features of this node.")
    elif not mine.eligible:
        st.caption("The algorithm does not consider it: its gain is below the average of the features' best splits.")


def _of_three(found: Candidates, said: tuple[str, ...], points: float) -> None:
    judged, _ = order_guess(found, said)
    right = round(points * len(said))
    tell = st.success if right == len(said) else st.warning
    tell(f"**{right} of {len(said)} places** are right.", icon=":material/format_list_numbered:")
    rows = [(i, name, g.rank, _figure(g.value)) for i, (name, g) in enumerate(zip(said, judged, strict=True), 1)]
    frames.figures(pd.DataFrame(rows, columns=["you", "feature", "rank", _word(found)]), hide_index=True)


def _of_cut(found: Candidates, feature: str, at: float) -> None:
    scape = rival_cuts.of_node(found.node)
    judged, best = cut_guess(scape, feature, at)
    mine, tree = scape.candidate(feature, at), work.grown()
    asked = f"**{plain(question(tree, mine))}**: {_word(found)} {_figure(mine.gain)}"
    if judged.is_best:
        st.success(f"{asked}, the best of all {judged.of:,} thresholds of this feature.", icon=":material/check:")
    else:
        st.warning(
            f"{asked}, **number {judged.rank:,} of {judged.of:,}** thresholds of this feature. "
            f"The best is {plain(question(tree, best))}: {_figure(best.gain)}, {_more(judged)}.",
            icon=":material/trending_up:",
        )  # fmt: skip
    if scape.best > best.gain + 1e-12:
        st.caption(f"The best split of all features here: {_figure(scape.best)}. Points are the share of that.")


def _word(found: Candidates) -> str:
    return competes_by(work.grown(), found)


def _figure(value: float) -> str:
    return figure(value)


def _more(judged: Judged) -> str:
    """ "0.0949 more, 1.6 times as much"."""
    more = f"{_figure(judged.best - judged.value)} more"
    if not judged.value > 1e-12 * abs(judged.best):
        return more
    return f"{brief(judged.best / judged.value)} times as much"


def _candidate(found: Candidates, answer: dict) -> Candidate | None:
    """The split that was guessed."""
    if not found.of(answer["said"][0]):
        return None
    if answer["game"] == "cut":
        return rival_cuts.of_node(found.node).candidate(answer["said"][0], answer["at"])
    return next(c for c in found.per_feature() if c.feature == answer["said"][0])


def open_guess(found: Candidates, answer: dict) -> None:
    """The arithmetic of the split that was guessed, where it is not the tree's own, and what it would do."""
    split, tree = _candidate(found, answer), work.grown()
    if split is None or split.chosen or _is_own(found, split):
        return
    take = rivals.taken(tree, found.node, split)
    if take is not None:
        tried.show(take, found.node)


def _is_own(found: Candidates, split: Candidate) -> bool:
    own = next((c for c in found.ranked if c.chosen), None)
    return own is not None and (own.feature, own.threshold) == (split.feature, split.threshold) and (
        split.threshold is not None or own.groups == split.groups
    )  # fmt: skip


def open_own(node: int) -> None:
    """The arithmetic of the tree's own split."""
    explained.show(explained.feature_tests(node))
    fold("The arithmetic of the tree's split", "arithmetic", lambda: explained.arithmetic(node))
