"""The page Experiments: the tree of fewest training errors for a depth, and the greedy one beside it."""

import streamlit as st

import treecore as tc
from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.experiments.panel import controls
from pages.shared.experiments.setup import SessionSetup
from pages.shared.experiments.start import begun
from pages.shared.server import cache, long_work
from pages.shared.session import state
from pages.shared.trees import comparable_trees, work
from pages.shared.trees.plan import Plan, in_force
from pages.shared.widgets import frames, messages
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.figures import percent
from treecore.optimal import GROWTH, GoodTrees, Optimal, good_trees, n_trees
from treecore.optimal.nearly_optimal import describe_functions, power_of_ten, where_they_part
from treecore.recipe import Prune
from treecore.study.metrics import score
from treecore.study.questions.optimal_depth import DEPTH, OPTIMAL_DEPTH, errors_sentence


def show() -> None:
    """How deep, at what price; what was found, and what can be done with it."""
    _choose()
    if not begun(OPTIMAL_DEPTH.start, "find_optimal"):
        return
    with messages.caught():
        result, greedy = long_work.cached_for_canvas(key(), _answer), _greedy()
        _say(result, greedy)
        _act(result)
        st.caption(_how_many(result))
        fold("Others nearly as good", "good trees", lambda: _others(result))


def exhibit() -> Exhibit | None:
    """The tree that was found; None while it is looked for: the drawer says how far that is."""
    result = cache.find(key()) if state.choice("optimal on") else None
    if result is None:
        return None
    place, good = state.choice("optimal place"), _listed()
    if good is None or place == 1:
        return Exhibit(key(), result.tree, _tag(result), work.parts())
    place = min(place, len(good))
    tag = f"Tree {place:,} of {len(good):,} that are nearly as good"
    return Exhibit((*key(), "good", place), _good_tree(good, place)[0], tag, work.parts())


def _tag(found: Optimal) -> str:
    return f"{'Fewest errors' if found.proved else 'Best so far'} at depth {SessionSetup()[DEPTH]}"


def _choose() -> None:
    controls(*OPTIMAL_DEPTH.settings, setup=SessionSetup())


def key() -> tuple:
    """What the search depends on."""
    names = ("optimal depth", "optimal penalty", "optimal cuts", "optimal seconds")
    plan = in_force()
    least = plan.grow.growth().min_rows_leaf
    return ("optimal", work.table_key(), state.record().split, plan.prepare, least, *map(state.choice, names))


def _answer() -> Optimal:
    words = lambda now: "Looking through the trees"  # noqa: E731
    make = OPTIMAL_DEPTH.work(SessionSetup())
    return long_work.cached_in_background(
        key(), make, words, "The search", "choose a smaller depth", "Find it", as_far=True
    )


def _greedy() -> tc.Tree:
    """By your algorithm, to the same depth, unpruned."""
    train, depth, growth = work.roles()["train"], SessionSetup()[DEPTH], in_force().grow.growth()
    return work.cached("greedy", depth, make=lambda: tc.grow(train, growth, max_depth=depth))


def _say(found: Optimal, greedy: tc.Tree) -> None:
    st.markdown(errors_sentence(found, SessionSetup()))
    trees = {"best" if found.proved else "best so far": found.tree, "greedy": greedy, "your tree": work.pruned()}
    table = frames.of({"": list(trees), "leaves": [tree.n_leaves for tree in trees.values()]})
    for role, part in work.parts().items():
        scores = [
            work.cached_cut("scored", key(), name, role, make=lambda t=t, p=part: score(t, p))
            for name, t in trees.items()
        ]
        table[role] = [percent(of.accuracy) for of in scores]
    frames.figures(table, hide_index=True)
    if parting := where_they_part(greedy, found.tree):
        st.markdown(plain(parting))
    st.caption("Fewest errors on training rows need not mean fewest on new rows: look at validation and test.")


def _others(found: Optimal) -> None:
    """All trees that cost a few rows more at most: how many, what they ask, and one after the other."""
    with messages.caught():
        state.controlled(
            st.number_input, "Up to this many more errors", state.choice("optimal within"),
            lambda v: state.choose("optimal within", None if v is None else int(v)), "optimal_within", min_value=0,
            max_value=10_000, step=1, placeholder="none yet", width=200,
        )  # fmt: skip
        if state.choice("optimal within") is None:
            st.caption("Lists every tree of this depth with at most this many more errors.")
            return
        good = long_work.cached_for_canvas(_list_key(), _good)
        same = [name for name, n in good.features().items() if n == len(good)]
        first = ", ".join(f"{name} ({n:,})" for name, n in good.first_features().most_common(6))
        told = f"All of them use {', '.join(same)}." if same else "No feature is in all of them."
        st.markdown(plain(f"{len(good):,} trees. Feature at the root: {first or 'none'}. {told}"))
        state.controlled(
            st.number_input, "On the canvas", min(state.choice("optimal place"), len(good)),
            lambda v: state.choose("optimal place", int(v)), "optimal_place", min_value=1, max_value=len(good), step=1,
            width=200,
        )  # fmt: skip


def _list_key() -> tuple:
    return (*key(), "good", state.choice("optimal within"))


def _listed() -> GoodTrees | None:
    """The trees nearly as good, if they have been listed; nothing is begun."""
    return None if state.choice("optimal within") is None else cache.find(_list_key())


def _good() -> GoodTrees:
    train, result, within = work.roles()["train"], _answer(), state.choice("optimal within")
    penalty, cuts = state.choice("optimal penalty"), state.choice("optimal cuts")
    least = in_force().grow.growth().min_rows_leaf

    def make(report) -> GoodTrees:
        return good_trees(train, result, within, penalty, least, cuts, lambda: report(None))

    said = lambda now: "Listing the trees"  # noqa: E731
    return long_work.cached_in_background(_list_key(), make, said, "The list", "ask for fewer rows", "List them")


def _good_tree(good: GoodTrees, place: int) -> tuple[tc.Tree, tuple]:
    within = state.choice("optimal within")
    return work.cached("good tree", key(), within, place, make=lambda: good.tree(place - 1))


def _act(found: Optimal) -> None:
    plan = Plan(in_force().prepare, GROWTH, Prune(), _takes(found))
    name = f"fewest errors, depth {found.depth}"
    with st.container(horizontal=True):
        st.button("Take this tree", key="take_optimal", on_click=_take, args=(plan,),
                  help="Your tree becomes this one; Undo brings yours back")  # fmt: skip
        st.button("Keep it to compare", key="keep_optimal", on_click=comparable_trees.keep, args=(name, plan))


def _takes(found: Optimal) -> tuple:
    """Of the tree on the canvas."""
    place, good = state.choice("optimal place"), _listed()
    if good is None or place == 1:
        return found.takes
    return _good_tree(good, min(place, len(good)))[1]


def _take(plan: Plan) -> None:
    state.change(grow=plan.grow, prune=plan.prune, edits=plan.edits, selected=0)


def _how_many(found: Optimal) -> str:
    m, k = len(found.questions), len(found.tree.classes)
    return plain(
        f"Trees of depth {found.depth} with these {m:,} questions: {power_of_ten(n_trees(m, found.depth, k))}. "
        f"Ways to answer all combinations of answers: {describe_functions(m, k)}."
    )
