"""The page Experiments: would many trees do better? Each can be looked at, and the one nearest to all."""

from dataclasses import replace

import streamlit as st

from pages.shared.bench.any_tree import Exhibit
from pages.shared.experiments import recipes
from pages.shared.experiments.start import begun
from pages.shared.server import background, memo
from pages.shared.session import state
from pages.shared.trees import nested, work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from pages.shared.widgets.wording import role_rows
from treecore.ensembles import KINDS, Distilled, Ensemble, distilled, kinds_for, mixed_up
from treecore.ensembles.boosted_classes import adds_to, grown_on
from treecore.evaluation.metrics import score
from treecore.figures import brief, percent
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.plots.importances import MOST, of_many
from treecore.plots.many_trees import OUT_OF_BAG, of_one_height
from treecore.plots.many_trees import many_trees as drawn
from treecore.plots.size_curve import size_curve
from treecore.tree.short_text import shorten

MOST_TREES, MOST_DEPTH, MOST_LETTERS = 500, 30, 30
NEAREST = "nearest"
NEEDS = "Permutation importance of all of them together: their error where the values of one feature are mixed up."
TOLD = (
    "One tree follows its sample. Many that differ answer together: their errors may cancel, and nobody reads them as "
    "one reads a tree. Grown from your training rows with your settings, unpruned."
)


def show() -> None:
    """Which kind, how many; the errors, and which tree is on the canvas."""
    _choose()
    if begun("many on", "Grow them", "grow_many", TOLD):
        with messages.caught():
            found = background.kept_for_canvas(key(), _found)
            _draw(found)
            _pick(found)
            if begun("many needs", "Which features do they need?", "many_importance", NEEDS):
                _needs(found)


def exhibit() -> Exhibit | None:
    """The tree chosen from among them, or the one that comes nearest to all; None while they grow."""
    found, shown = grown(), state.choice("many shown")
    if found is None:
        return None
    rows = work.parts()
    if shown == NEAREST:
        return Exhibit((*key(), NEAREST), _nearest(found).tree, "Nearest to what all trees answer", rows)
    place = _place(found)
    if found.classes and not found.trees[place].classes:  # of numbers that only the training rows have
        rows = {"train": work.kept("grown on", key(), place, make=lambda: grown_on(found, place))}
    of = adds_to(found, place)
    tag = f"Tree {place + 1:,} of {len(found.trees):,}" + (f", for “{shorten(of, MOST_LETTERS)}”" if of else "")
    return Exhibit((*key(), place), found.trees[place], tag, rows)


def _choose() -> None:
    kind = _kind()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.selectbox, "Kind", kind, lambda v: state.choose("many kind", v), "many_kind",
            options=kinds_for(work.table().task), format_func=lambda name: KINDS[name].label, width=190,
        )  # fmt: skip
        state.controlled(
            st.number_input, "Trees", _n_trees(), lambda v: state.choose("many trees", int(v)), "many_trees",
            min_value=1, max_value=MOST_TREES, step=10, width=110,
        )  # fmt: skip
        state.controlled(
            st.number_input, "Depth", _depth(), lambda v: state.choose("many depth", v and int(v)), "many_depth",
            min_value=1, max_value=MOST_DEPTH, step=1, width=110, placeholder="yours",
        )  # fmt: skip
    st.caption(plain(f"{KINDS[kind].note} {KINDS[kind].source}."))


def _kind() -> str:
    chosen, known = state.choice("many kind"), kinds_for(work.table().task)
    return chosen if chosen in known else known[0]


def _n_trees() -> int:
    return min(state.choice("many trees"), MOST_TREES)


def _depth() -> int | None:
    chosen = state.choice("many depth")
    return KINDS[_kind()].depth if chosen is None else min(chosen, MOST_DEPTH)


def _growth() -> GrowSettings:
    growth, depth = in_force().grow.growth(), _depth()
    return growth if depth is None else replace(growth, max_depth=depth)


def grown() -> Ensemble | None:
    """The trees, if they have been grown; nothing is begun."""
    return memo.find(key()) if state.choice("many on") else None


def label() -> str:
    """What kind they are, in words."""
    return KINDS[_kind()].label


def key() -> tuple:
    """What the trees depend on."""
    plan = in_force()
    about = (work.table_key(), state.record().split, plan.prepare, plan.grow, _kind(), _n_trees(), _depth())
    return ("many trees", *about)


def _found() -> Ensemble:
    train, growth, kind, n = work.roles()["train"], _growth(), KINDS[_kind()], _n_trees()
    make = lambda report: kind.grown(train, growth, n, 0, report)  # noqa: E731
    return background.kept(key(), make, recipes.said("Growing"), "Growing", "choose fewer trees", "Grow them")


def errors_of(found: Ensemble) -> tuple[dict, dict[str, float]]:
    """(role or "out of bag" -> errors of the first 1, 2 ... trees; the role that judges -> error of your tree)."""
    parts = work.parts()
    errors = {
        role: work.kept_cut("errors of many", key(), role, make=lambda rows=rows: found.errors(rows))
        for role, rows in parts.items()
    }
    if found.times is not None:
        errors[OUT_OF_BAG] = work.kept_cut("out of bag", key(), make=found.out_of_bag)
    held = next(iter(_held()))
    return errors, {held: score(work.pruned(), parts[held]).error}


def settings() -> tuple[tuple[str, object], ...]:
    """As they are told with what was found."""
    depth = () if _depth() is None else (("depth", _depth()),)
    return (("kind", label()), ("trees", _n_trees()), *depth, ("seed", 0))


def said(found: Ensemble, errors: dict, one: dict[str, float]) -> str:
    """All of them beside yours."""
    told = percent if found.classes else brief
    [(held, mine)] = one.items()
    many = told(errors[held][-1])
    return f"All {len(found.trees):,} trees err by {many} on the {role_rows(held)}, your tree by {told(mine)}."


def _draw(found: Ensemble) -> None:
    errors, one = errors_of(found)
    st.markdown(plain(said(found, errors, one)))
    chart, sizes = of_one_height(drawn(errors, one, bool(found.classes)), size_curve(nested.curve()))
    st.plotly_chart(chart, key="many_errors", height=340)
    st.caption("Your one tree at every size it can be pruned to, drawn as high; sizes that err more are not in sight:")
    st.plotly_chart(sizes, key="one_error", height=240)


def _needs(found: Ensemble) -> None:
    """Permutation importance, on rows that no tree has seen if there are any."""
    role, rows = next((role, part) for role, part in _held().items())
    make = lambda report: mixed_up(found, rows, progress=report)  # noqa: E731
    said = recipes.said("Trying", "features")
    told = background.kept((*key(), "needs", role), make, said, "Trying", "choose fewer trees", "Which features?")
    chart = of_many(told.names, told.worse, told.sd, bool(found.classes))
    st.plotly_chart(chart, key="many_needs", height=90 + 26 * min(len(told.names), MOST))
    st.caption(f"By how much they err more on the {role_rows(role)} where the values of one feature are dealt anew.")


def _held() -> dict:
    """Role -> rows, those that no tree has seen first."""
    parts = work.parts()
    return {role: parts[role] for role in ("validation", "test", "train") if role in parts}


def _nearest(found: Ensemble) -> Distilled:
    growth = in_force().grow.growth()
    return work.kept("nearest to many", key(), make=lambda: distilled(found, growth))


def _place(found: Ensemble) -> int:
    return min(state.choice("many tree"), len(found.trees)) - 1


def _pick(found: Ensemble) -> None:
    """One of the trees, or the one that comes nearest to all of them."""
    options = {"one": "One of the trees", NEAREST: "The one nearest to all"}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.segmented_control, "On the canvas", state.choice("many shown"),
            lambda v: state.choose("many shown", v or "one"), "many_shown", options=list(options),
            format_func=options.get,
        )  # fmt: skip
        if state.choice("many shown") != NEAREST:
            state.controlled(
                st.number_input, "Tree", _place(found) + 1, lambda v: state.choose("many tree", int(v)), "many_tree",
                min_value=1, max_value=len(found.trees), step=1, width=110,
            )  # fmt: skip
            return
    nearest, told = _nearest(found), percent if found.classes else brief
    same = {role: nearest.agreement(rows) for role, rows in work.parts().items()}
    what = "It answers as all of them do for" if found.classes else "Of what all of them answer it explains (R²)"
    said = ", ".join(
        f"{told(share)} of the {role_rows(role)}" if found.classes else f"{told(share)} on {role_rows(role)}"
        for role, share in same.items()
    )
    st.markdown(plain(f"{nearest.tree.n_leaves:,} leaves, grown by your settings on their answers. {what} {said}."))
