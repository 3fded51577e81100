"""Guessing the split of the node that was split next: one feature, three in order, or a threshold."""

from collections.abc import Callable

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import stages
from pages.shared.guess import guesses
from pages.shared.guess.guesses import AT, SAID, SPLITS
from pages.shared.node import alternatives
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import explained, frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.figures import brief, count
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.growing.inspect.landscape import Curve, Landscape
from treecore.plots.distributions import column_histogram
from treecore.study.column_counts import column_counts
from treecore.teach.guess import GuessScore, cut_guess, order_guess, ordered_features, split_guess
from treecore.teach.tree_tasks import rows_below
from treecore.view.labels import competes_by, question
from treecore.view.rivals import figure

# A threshold to be dragged over the rows of a node, by class.

MOST = 240
"""Places of the handle; the best cut is among them."""


def choose_threshold(found: Candidates) -> bool:
    """A feature, its histogram here, and the handle; is a cut chosen?"""
    scape = alternatives.of_node(found.node)
    names = ordered_features(scape)
    if not names:
        st.info("No feature here is cut by a threshold. Show it, or guess a feature.")
        return False
    said = state.choice(SAID) or []
    feature = said[0] if said and said[0] in names else names[0]
    state.controlled(
        st.selectbox, "Where is it cut?", feature, _take_feature, f"guess_feature_{found.node}", options=list(names),
    )  # fmt: skip
    part, asks = _cuts(scape, feature)
    at = state.choice(AT)
    place = len(asks) // 2 if at is None else int(np.abs(part.threshold - at).argmin())
    counts = column_counts(_rows(found.node), feature)
    st.plotly_chart(
        column_histogram(counts, (float(part.threshold[place]),)), key=f"guess_histogram_{found.node}", height=230,
    )  # fmt: skip
    if len(asks) > 1:
        state.controlled(
            st.select_slider, "Threshold", place, lambda i: _take_cut(feature, float(part.threshold[i])),
            f"guess_cut_{found.node}_{feature}", options=list(range(len(asks))), format_func=asks.__getitem__,
        )  # fmt: skip
    if at is None or said[:1] != [feature]:
        st.caption("Drag the handle, or move it by the arrow keys.") if len(asks) > 1 else None
    return _chosen(feature, part.threshold, place, said, at)


def _cuts(scape: Landscape, feature: str) -> tuple[Curve, list[str]]:
    """Cuts that the handle can stand at, and what each asks: those that would read alike are one place."""
    part = next(p for p in scape.parts if p.feature == feature).thinned(MOST)
    cuts = [scape.candidate(feature, float(t)) for t in part.threshold]
    asks = [question(work.grown(), c).removeprefix(feature).strip() for c in cuts]
    place = {}
    for i, ask in enumerate(asks):
        if ask not in place or part.gain[i] > part.gain[place[ask]]:
            place[ask] = i
    return part.take(np.array(list(place.values()))), list(place)


def _chosen(feature: str, thresholds: np.ndarray, place: int, said: list, at) -> bool:
    if len(thresholds) == 1 and (said[:1] != [feature] or at is None):
        _take_cut(feature, float(thresholds[place]))
        return True
    return said[:1] == [feature] and at is not None


def _take_feature(name: str) -> None:
    state.choose(SAID, [name])
    state.choose(AT, None)


def _take_cut(feature: str, threshold: float) -> None:
    state.choose(SAID, [feature])
    state.choose(AT, threshold)


def _rows(node: int):
    """The training rows that come to a node."""
    tree, train = work.grown(), work.roles()["train"]
    return work.cached("rows of a node", node, make=lambda: rows_below(tree, node, train, work.ends()))


MANY = 9
"""Features from which on they are chosen from a list."""


def n_questions() -> int:
    return len(stages.order())


def place() -> int:
    return guesses.place(SPLITS, n_questions()) if n_questions() else 0


def is_known() -> bool:
    """Was the question looked at answered?"""
    return place() < len(guesses.answers(SPLITS))


def made() -> int:
    """Splits that are drawn."""
    return place() + is_known()


def node() -> int:
    """The node that is asked about."""
    return int(stages.order()[place()]) if n_questions() else 0


def go(k: int) -> None:
    """To the question whose answer is split k of the canvas."""
    state.choose(guesses.PLACE, max(k - 1, 0))


def ask(game: str) -> None:
    """The node, what is to be guessed, and the way to be told."""
    tree, here = work.grown(), node()
    result = work.candidates(here)
    view = tree.node(here)
    st.subheader(f"Node {here}: which split?", anchor=False)
    where = plain(view.rule) if here else "the root"
    st.markdown(f"{where}: {plain(explained.rows(view))}, {plain(_mix(tree, here))}.")
    ready = {"one": _one, "three": _three, "cut": choose_threshold}[game](result)
    with st.container(horizontal=True, gap="xsmall"):
        tell_button(ready, _tell, game, here)
        st.button("Show the answer", key="guess_show", on_click=guesses.add, args=(SPLITS, [], None))


def _mix(tree: tc.Tree, here: int) -> str:
    """ "9 Yes, 5 No" of the node, or its mean."""
    if not tree.classes:
        return tree.target_kind.named_answer(tree, here)
    pairs = sorted(zip(tree.stats[here], tree.class_names, strict=True), key=lambda pair: -pair[0])
    shown = [f"{count(n, ',')} {name}" for n, name in pairs if n > 0]
    return ", ".join(shown if len(shown) <= 6 else [*shown[:5], f"{len(shown) - 5} other classes"])


def _offered(found: Candidates) -> list[str]:
    """Features that can be split here, by name: the order of the table could give the best one away."""
    return sorted({c.feature for c in found.ranked} | {work.grown().node(found.node).feature})


def _one(found: Candidates) -> bool:
    names, said = _offered(found), state.choice(SAID) or []
    value = said[0] if said and said[0] in names else None
    widget = st.radio if len(names) <= MANY else st.selectbox
    state.controlled(
        widget, "Which feature is split on here?", value, lambda v: state.choose(SAID, [v] if v else []),
        f"guess_one_{found.node}", options=names, index=None,
    )  # fmt: skip
    return value is not None


def _three(found: Candidates) -> bool:
    names = _offered(found)
    most = min(3, len(names))
    said = [name for name in state.choice(SAID) or [] if name in names][:most]
    state.controlled(
        st.multiselect, f"The best {most}, best first" if most > 1 else "The best", said,
        lambda v: state.choose(SAID, list(v)), f"guess_three_{found.node}", options=names, max_selections=most,
    )  # fmt: skip
    return len(said) == most


def _tell(game: str, here: int) -> None:
    result, said = work.candidates(here), list(state.choice(SAID) or [])
    guesses.add(
        SPLITS, said, points(result, game, said, state.choice(guesses.AT)), at=state.choice(guesses.AT), game=game
    )


def reveal() -> None:
    """What the guess was worth, what the tree has done, and all splits that were possible."""
    tree, here, answer = work.grown(), node(), guesses.answers(SPLITS)[place()]
    result = work.candidates(here)
    st.subheader(f"Node {here}: {'shown' if not answer['said'] else 'your guess'}", anchor=False)
    if answer["said"]:
        show(result, answer)
    st.markdown(f"The tree splits on **{alternatives.own_question(tree, result)}**.")
    if result.ranked:
        alternatives.table(tree, result, alternatives.best_of_each(result))
        note = alternatives.remarks(tree, result, every=False)
        if note:
            st.caption(plain(note))
    if answer["said"]:
        open_guess(result, answer)
    open_own(here)


# What is told of a guessed split: its rank, what the best gains more, and both with their arithmetic.


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
        return cut_guess(alternatives.of_node(found.node), said[0], at)[0].points
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
    frames.figures(frames.of(rows, columns=["you", "feature", "rank", _word(found)]), hide_index=True)


def _of_cut(found: Candidates, feature: str, at: float) -> None:
    scape = alternatives.of_node(found.node)
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


def _more(judged: GuessScore) -> str:
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
        return alternatives.of_node(found.node).candidate(answer["said"][0], answer["at"])
    return next(c for c in found.per_feature() if c.feature == answer["said"][0])


def open_guess(found: Candidates, answer: dict) -> None:
    """The arithmetic of the split that was guessed, where it is not the tree's own, and what it would do."""
    split, tree = _candidate(found, answer), work.grown()
    if split is None or split.chosen or _is_own(found, split):
        return
    take = alternatives.taken(tree, found.node, split)
    if take is not None:
        alternatives.show_tried(take, found.node)


def _is_own(found: Candidates, split: Candidate) -> bool:
    own = next((c for c in found.ranked if c.chosen), None)
    return own is not None and (own.feature, own.threshold) == (split.feature, split.threshold) and (
        split.threshold is not None or own.groups == split.groups
    )  # fmt: skip


def open_own(node: int) -> None:
    """The arithmetic of the tree's own split."""
    explained.show(explained.feature_tests(node))
    fold("The arithmetic of the tree's split", "arithmetic", lambda: explained.arithmetic(node))
