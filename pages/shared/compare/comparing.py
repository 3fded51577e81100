"""The page Compare: what stands on the canvas, and what stands beside it."""

import numpy as np
import streamlit as st

from pages.shared.bench import canvas, tree
from pages.shared.compare import changes
from pages.shared.session import state
from pages.shared.trees import comparable_trees, comparison, interest, twins, work
from pages.shared.trees.comparison import Side
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.export.cards import tree_cards, with_quantile_bars
from treecore.export.overlay_cards import overlay_cards
from treecore.figures import counted
from treecore.study.node_targets import NodeTargets, targets_by_role
from treecore.study.overlay import RELATIONS, Overlay, overlay
from treecore.tree.node_statistics import node_statistics
from treecore.tree.short_text import shorten
from treecore.view import canvas_nodes as canvas_rows
from treecore.view import split_histogram
from treecore.view.subject import Subject

TABS = ("Numbers", "Rows", "Regions", "Classes")


def draw() -> None:
    """Your tree where it always is, or another one in its place; both as one; or the cuts of one as ghosts."""
    fault, view = _fault(), view_of_canvas()
    if fault is not None:
        tree.draw()
    elif view == "overlay":
        draw_overlay()
    elif view == "ghosts":
        _ghosts()
    elif comparison.side_of("A").is_yours:
        tree.draw(tag=comparison.label_of("A"), group=GROUP, key=tree.COMPARED)
    else:
        draw_trees("A", in_drawer=False)


def _fault() -> TreecoreError | None:
    """Why the two cannot be compared."""
    try:
        for side in comparison.SIDES:
            _ = comparison.tree_of(side)
    except TreecoreError as fault:
        return fault
    return None


def _ghosts() -> None:
    side = cut_side()
    cuts = work.cuts(comparison.plan_of(side))
    yours = comparison.side_of(side).is_yours
    tree.draw(cuts=cuts, editable=yours, tag=comparison.label_of(side))


def show() -> None:
    """Which two, the other tree, and what is to be said of them."""
    choose()
    fault = _fault()
    if fault is not None:
        messages.show(fault)
        return
    comparison.say_what_is_lost()
    view = view_of_canvas()
    if view == "beside":
        draw_trees("B", in_drawer=True)
        say_difference()
    elif view == "overlay":
        say_places()
    else:
        say_cuts()
    changes.verdict()
    _tabs()
    twins.choose()
    if view == "beside":
        _about_bars()


def _about_bars() -> None:
    """Which rows the bars are of, and what is hatched, in each of the trees."""
    st.caption(f"Bars: {messages.plain(', '.join(twins.labels(comparison.plan_of('B'))))}.")
    for side in comparison.SIDES:
        chosen = comparison.side_of(side)
        if not chosen.chain:
            twins.legend(twins.in_pruned(chosen.plan), chosen.plan, f"tree {side}")


def _tabs() -> None:
    tabs = TABS if work.grown().classes else TABS[:3]
    now = state.choice("compare tab")
    now = now if now in tabs else TABS[0]
    state.controlled(
        st.segmented_control, "About the two", now, lambda v: state.choose("compare tab", v or now), "compare_tab",
        options=list(tabs), label_visibility="collapsed",
    )  # fmt: skip
    {
        "Numbers": _numbers,
        "Rows": changes.rows,
        "Regions": changes.show_disagreements,
        "Classes": changes.show_confusions,
    }[now]()


def _numbers() -> None:
    comparison.numbers()
    changes.counts()


# Which two trees are compared, how they are drawn, and keeping your tree for later.

VIEWS = {"beside": "Side by side", "overlay": "Overlay", "ghosts": "Ghosts"}


def choose() -> None:
    """Two menus, with a way to swap; then the view, and what is kept."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="compared"):
        for side in comparison.SIDES:
            label = comparable_trees.offers()[comparison.name_of(side)].label
            with st.popover(plain(f"{side}: {shorten(label, 26)}"), width="content", key=f"menu_{side}"):
                _menu(side)
        st.button("", icon=":material/swap_horiz:", key="swap_trees", on_click=comparison.swap, help="Swap A and B")
        with st.popover("Keep", width="content", key="kept_trees"):
            comparable_trees.show()
    views = list(VIEWS) if comparison.same_growth() else ["beside", "overlay"]
    now = view_of_canvas()
    state.controlled(
        st.segmented_control, "View", now, lambda v: state.choose("view", v or now), "view", options=views,
        format_func=VIEWS.get, label_visibility="collapsed",
    )  # fmt: skip


def view_of_canvas() -> str:
    """How the two are drawn; ghosts only where both are cuts of the grown tree in force."""
    result = state.choice("view")
    return result if result in VIEWS and (result != "ghosts" or comparison.same_growth()) else "beside"


def _menu(side: str) -> None:
    """A group, and a tree of it."""
    result, now = comparable_trees.offers(), comparison.name_of(side)
    groups = [group for group in comparable_trees.GROUPS if any(offer.group == group for offer in result.values())]
    group = result[now].group
    state.controlled(
        st.segmented_control, f"Tree {side}", group, lambda g: comparison.take(side, _first_of(g)),
        f"compared_{side}_group", options=groups,
    )  # fmt: skip
    if group == comparable_trees.ALGORITHM:
        _algorithm(side, now)
        return
    here = [name for name, offer in result.items() if offer.group == group]
    state.controlled(
        st.radio, group, now, lambda name: comparison.take(side, name), f"compared_{side}", options=here,
        format_func=lambda name: result[name].label, label_visibility="collapsed",
    )  # fmt: skip


def _first_of(group: str | None) -> str | None:
    """The tree that a group begins with: none that is grown as yours is, where there is another."""
    here = [name for name, offer in comparable_trees.offers().items() if offer.group == group]
    own = f"preset {state.record().grow.preset}"
    return next((name for name in here if name.startswith("preset ") and name != own), here[0] if here else None)


def _algorithm(side: str, now: str) -> None:
    """Another algorithm: pruned, unless it is asked for as it grows."""
    result, (sort, _, preset) = comparable_trees.offers(), now.partition(" ")
    here = [name.partition(" ")[2] for name in result if name.startswith("preset ")]
    state.controlled(
        st.selectbox, "Algorithm", preset, lambda name: comparison.take(side, f"{sort} {name}"), f"compared_{side}",
        options=here, format_func=lambda name: result[f"preset {name}"].label,
    )  # fmt: skip
    state.controlled(
        st.toggle, "As it grows, unpruned", sort == "grown",
        lambda on: comparison.take(side, f"{'grown' if on else 'preset'} {preset}"), f"compared_{side}_unpruned",
    )  # fmt: skip
    if sort == "preset":
        st.caption(plain(result[now].said) + ".")


# Another tree on a canvas of its own beside yours, and two trees laid over each other.

GROUP = "compared"
SHARE = 0.68
"""Of the window's height, for the canvas in the drawer."""


def draw_trees(side: str, in_drawer: bool) -> None:
    """The tree of a side; a click selects in both."""
    subject = _subject(side, comparison.side_of(side), in_drawer)
    about = (*canvas.looked_at(subject), *twins.key(comparison.plan_of(side)), twins.correction(), twins.level())
    about = (*about, side, comparison.side_of("A").key)  # what A lacks is marked in B
    try:
        drawn, _ = comparison.side_of(side).kept("bench", *about, make=lambda: canvas.drawing(subject))
    except TreecoreError as error:
        tree.plainly(error, comparison.tree_of(side))
        return
    more = {"tag": comparison.label_of(side), "group": GROUP, "acts": False} | tree.shape_of(comparison.tree_of(side))
    more |= {"pixels": SHARE, "slim": True, "mark": "other-tree"} if in_drawer else {"shapes": True}
    events = {
        "select": lambda event: _select(side, event.get("node")),
        "choose": lambda event: canvas.choose(event, canvas.CHOICES | {"shape"}),
    }
    canvas.pane(subject, drawn, more, events, tree.no_deed)


def _subject(side: str, chosen: Side, in_drawer: bool) -> Subject:
    made, statistics, targets = chosen.tree, _statistics(chosen), _targets(chosen)
    tested = None if chosen.chain else twins.in_pruned(chosen.plan)
    return Subject(
        _key(side, in_drawer), chosen.key, made, np.arange(made.n_nodes), made, made.class_names,
        lambda nodes: canvas_rows.marked(
            with_quantile_bars(tree_cards(made, nodes, statistics), made, targets), tested
        ),
        lambda cards, rows: _dress(rows, chosen, side), selected=comparison.selected(side),
        bars=canvas.n_bars(statistics), lines=canvas.n_lines(), interest=interest.of(made),
        beside_key=_first_key() if in_drawer else "",
    )  # fmt: skip


def _key(side: str, in_drawer: bool) -> str:
    return f"bench_{side}{in_drawer * '_in_drawer'}"


def _first_key() -> str:
    """Of the canvas at the left."""
    return tree.COMPARED if comparison.side_of("A").is_yours else _key("A", in_drawer=False)


def _statistics(chosen: Side) -> dict[str, np.ndarray]:
    """Role -> statistics of its rows in the nodes of the tree."""
    if not chosen.chain:
        return twins.pruned_statistics(chosen.plan)
    parts = twins.tables(chosen.plan)
    make = lambda: {role: node_statistics(chosen.tree, rows) for role, rows in parts.items()}  # noqa: E731
    return chosen.kept("bars of the chain", twins.key(chosen.plan), make=make)


def _targets(chosen: Side) -> dict[str, NodeTargets]:
    make = lambda: targets_by_role(chosen.tree, twins.tables(chosen.plan))  # noqa: E731
    return chosen.kept("targets at nodes", twins.key(chosen.plan), make=make)


def _dress(rows: list[dict], chosen: Side, side: str) -> None:
    others = _of_both() if side == "B" and comparison.same_growth() else None
    for row in rows if others is not None else []:
        if not others[row["id"]]:
            row["look"] = "only-b"
    canvas_rows.folded(rows, chosen.tree, np.arange(chosen.tree.n_nodes))
    own = work.own_rows(chosen.plan)
    make = lambda: chosen.tree.apply(own)  # noqa: E731
    split_histogram.into(rows, chosen.tree, own, lambda: chosen.kept("ends in the cut tree", make=make))


def _select(side: str, node) -> None:
    if isinstance(node, int):
        comparison.select(side, node)


def _of_both() -> np.ndarray:
    """bool, one per node of B: is it a node of A, too? Both are cuts of the same grown tree."""
    grown, (a, b) = (
        work.grown(),
        (work.cuts(comparison.plan_of(side)).standing(work.grown()) for side in comparison.SIDES),
    )
    in_a = np.zeros(grown.n_nodes, bool)
    in_a[a] = True
    return in_a[b]


def say_difference() -> None:
    """What one of two cuts of the same tree has and the other has not, in a sentence."""
    if not comparison.same_growth():
        return
    a, b = (comparison.tree_of(side).n_leaves for side in comparison.SIDES)
    if a < b:
        more = counted(b - a, "more leaf", "more leaves")
        st.markdown(f"B has {more} than A: dotted. A wedge is a folded branch, as wide as its number of leaves.")


# ---------------------------------------------------------------- one over the other


def laid_over() -> Overlay:
    """Both trees as one."""
    tree_a, tree_b = (comparison.tree_of(side) for side in comparison.SIDES)
    return comparison.cached_of_pair("overlay", make=lambda: overlay(tree_a, tree_b))


def draw_overlay() -> None:
    """Both as one; a click selects the node of A, or of B where A has none."""
    result = laid_over()
    key = tuple(comparison.side_of(side).key for side in comparison.SIDES)
    subject = Subject(
        "bench_overlay", key, result, np.arange(len(result)), None, result.tree_a.class_names,
        lambda entries: overlay_cards(result, entries), selected=_entry(result), bars=2, lines=1,
        interest=interest.of(result.tree_a),
    )  # fmt: skip
    about = canvas.looked_at(subject)
    try:
        drawn, _ = comparison.cached_of_pair("bench overlay", *about, make=lambda: canvas.drawing(subject))
    except TreecoreError as error:
        tree.plainly(error, result.tree_a)
        return
    more = {"tag": " · ".join(comparison.label_of(side) for side in comparison.SIDES), "acts": False}
    events = {"select": lambda event: _select_entry(result, event.get("node"))}
    canvas.pane(subject, drawn, more, events, tree.no_deed)


def _entry(found: Overlay) -> int:
    """The place of the node that is looked at, in the tree in which it was pointed at."""
    side = comparison.pointed_side()
    return int((found.of_b if side == "B" else found.of_a)[comparison.selected(side)])


def _select_entry(found: Overlay, entry) -> None:
    if isinstance(entry, int) and 0 <= entry < len(found):
        a, b = found.nodes(entry)
        comparison.select(*(("A", a) if a >= 0 else ("B", b)))


WORDS = {
    "same": "the same in both (split, or prediction of a leaf)",
    "shifted": "same feature, split elsewhere",
    "other test": "another feature",
    "other answer": "leaves with another prediction",
    "splits in A": "split in A, a leaf in B",
    "splits in B": "split in B, a leaf in A",
    "only A": "only in A (dashed)",
    "only B": "only in B (dotted)",
}


def say_places() -> None:
    """How many places of the overlay are what to each other."""
    counts = laid_over().counts()
    told = [f"{counts[name]:,} {WORDS[name]}" for name in RELATIONS if counts[name]]
    st.markdown(plain("Places: " + "; ".join(told) + "."))
    st.caption("Nodes are matched from the root down, as far as both trees split on the same feature. Bars: training "
               "rows, "
               "A over B.")  # fmt: skip


def say_cuts() -> None:
    """Whose cuts are drawn as ghosts."""
    st.markdown(f"Ghosts: what is pruned in {plain(comparison.label_of(cut_side()))}.")


def cut_side() -> str:
    """The side whose cuts are shown as ghosts: B, or A where B cuts nothing."""
    return "B" if work.pruned_away(comparison.plan_of("B")) else "A"
