"""From the record to tables, trees and cuts: each result is made once per recipe and then kept."""

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared import engine, memo, messages, state
from treecore.data import build_table, guess_target
from treecore.errors import TreecoreError
from treecore.fit import edit_of, edited, grow_with, node_at, without_regrown
from treecore.growing.candidates import Candidates
from treecore.pruning import Sequence
from treecore.recipe import Data, Edit, Prepare, Recipe, Take
from treecore.tree.tally import node_statistics
from treecore.warm import parts_for

ROLES = ("train", "validation", "test")
# Streamlit's own Stop would leave an empty page; ours says what was stopped and how to go on.
NO_OTHER_STOP = "<style>[data-testid=stStatusWidget] button { display: none; }</style>"


def table_key() -> tuple:
    r = state.record()
    return ("table", state.raw().fingerprint, target(), r.kinds, r.features, r.derive, r.weights, r.infinite)


def target() -> str | None:
    """The chosen target, or the guessed one."""
    return state.record().target or guess_target(state.raw().guesses)


def table() -> tc.Table:
    """The encoded table with its target and features; rows without a target are left out, with a note."""
    messages.need(state.raw(), "Load a table first: a file of yours or a sample.", "pages/data.py", "Data")
    r = state.record()

    def make() -> tc.Table:
        built = build_table(
            state.raw(),
            target=target(),
            kinds=dict(r.kinds),
            features=None if r.features is None else features(),
            weights=r.weights,
            derive=dict(r.derive) or None,
            infinite=r.infinite,
        )
        known = built.target is not None and built.target_column.present().any()
        return built.without_missing_target() if known else built

    return memo.get(table_key(), make)


def _roles_key() -> tuple:
    return ("roles", table_key(), state.record().split, state.record().prepare)


def roles_as_given() -> dict[str, tc.Table]:
    """The rows of each role before any preparation; they share the table's encoding."""
    split = state.record().split
    whole = table()
    return memo.get(("roles", table_key(), split), lambda: dict(zip(ROLES, whole.split(split.roles()), strict=True)))


def roles() -> dict[str, tc.Table]:
    """The rows of each role as trees see them; as given where the preparation fails, which growing then says."""
    return _prepared()[0]


def preparation_notes() -> tuple[str, ...]:
    """What the preparation filled, left out or put in bins, a sentence each."""
    return roles()["train"].notes[len(roles_as_given()["train"].notes) :]


def _prepared() -> tuple[dict[str, tc.Table], TreecoreError | None]:
    """The rows of each role, and why they could not be prepared."""
    given = roles_as_given()

    def make() -> tuple[dict[str, tc.Table], TreecoreError | None]:
        try:
            return dict(zip(ROLES, state.record().prepare.tables(*given.values()), strict=True)), None
        except TreecoreError as fault:
            return given, fault

    return memo.get(_roles_key(), make)


def tree_key() -> tuple:
    """What the grown tree depends on, the splits taken by hand included."""
    return _tree_key(_by_hand()[0])


def _tree_key(takes: tuple[Take, ...]) -> tuple:
    return ("tree", _roles_key(), state.record().grow, takes)


def grown() -> tc.Tree:
    """The full tree on the training rows, with the splits taken by hand; shows progress while it grows."""
    return _grown(_by_hand()[0])


def _by_hand() -> tuple[tuple[Take, ...], int, TreecoreError | None]:
    """The takes that are in force, how many steps by hand find their node in turn, and what stopped the next one."""
    edits = state.record().edits

    def make() -> tuple[tuple[Take, ...], int, TreecoreError | None]:
        takes, tree = (), _grown(())
        for done, step in enumerate(edits):
            try:
                node_at(tree, step)
                if isinstance(step, Take):
                    tree = _grown((*takes, step))
                    takes = (*takes, step)
            except TreecoreError as fault:
                return takes, done, fault
        return takes, len(edits), None

    return memo.get(("by hand", _tree_key(()), edits), make) if edits else ((), 0, None)


def _grown(takes: tuple[Take, ...]) -> tc.Tree:
    """The tree with these takes; shows progress with a way to stop while it grows."""
    parts, fault = _prepared()
    if fault is not None:
        raise fault
    train = parts["train"]
    train.check_trainable()
    key, growth = _tree_key(takes), state.record().grow.growth()
    if memo.has(key):
        return memo.get(key, lambda: None)
    if state.record().stopped == key:
        st.warning("Growing was stopped. Nothing is lost: change a limit, or go on.")
        st.button("Grow this tree", on_click=lambda: state.change(stopped=None))
        st.stop()
    engine.wait(parts_for(train, growth))
    place, quiet = st.empty(), st.empty()
    quiet.html(NO_OTHER_STOP)
    report = _progress(place, key, train.n_rows)
    tree = memo.get(key, lambda: grow_with(train, growth, takes, report, parts["validation"]))
    place.empty()
    quiet.empty()
    return tree


def _progress(place, key: tuple, n_rows: int):
    """A callback that shows how far a long fit is; its Stop button ends the fit at the next call."""
    shown = []

    def report(progress) -> None:
        if not shown:
            with place.container(horizontal=True, vertical_alignment="center"):
                shown.append(st.empty())
                st.button("Stop", on_click=lambda: state.change(stopped=key), key=f"stop_growing {len(key[-1])}")
        shown[0].markdown(
            f"Growing on {n_rows:,} rows: {progress.n_nodes:,} nodes so far, {progress.n_waiting:,} waiting to be split"
        )

    return report


def selected() -> int:
    """The selected node, the root when the last one is not in this tree."""
    node = state.record().selected
    return node if node < grown().n_nodes else 0


def path(node: int) -> tuple[int, ...]:
    """Branch numbers from the root to this node of the grown tree."""
    return edit_of(grown(), node, "cut").path


def candidates(node: int) -> Candidates:
    """Every split of the training rows that was possible at this node of the grown tree."""
    tree = grown()
    return kept("candidates", node, make=lambda: tc.candidates(tree, node, roles()["train"]))


def sequence() -> Sequence:
    """The nested sequence of cost-complexity pruning over the grown tree."""
    tree = grown()
    engine.wait(("prune",))
    return memo.get(("sequence", tree_key()), lambda: tc.sequence(tree))


def cuts() -> tc.Cuts:
    """The cuts of the chosen strategy, and then those by hand."""
    return _replay()[0]


def lost_edit() -> TreecoreError | None:
    """Why the replay of the steps by hand stopped, as after a change of settings; None if it did not."""
    return _replay()[2]


def edits() -> tuple[Edit | Take, ...]:
    """The steps by hand that are in force."""
    return state.record().edits[: _replay()[1]]


def _replay() -> tuple[tc.Cuts, int, TreecoreError | None]:
    """The cuts, how many steps by hand could be replayed, and what stopped the next one."""
    r, tree, parts = state.record(), grown(), roles()
    _, n_found, lost = _by_hand()

    def make() -> tuple[tc.Cuts, int, TreecoreError | None]:
        parameters = dict(r.prune.parameters)
        made = tc.prune(tree, r.prune.method, train=parts["train"], validation=parts["validation"], **parameters)
        steps = r.edits[:n_found]
        standing = {id(step) for step in without_regrown(steps)}
        for done, step in enumerate(steps):
            try:
                made = edited(tree, made, step) if isinstance(step, Edit) and id(step) in standing else made
            except TreecoreError as fault:
                return made, done, fault
        return made, n_found, lost

    return memo.get(("cuts", tree_key(), r.prune, r.edits), make)


def pruned() -> tc.Tree:
    """The tree that the cuts leave, with ids of its own."""
    r, tree, made = state.record(), grown(), cuts()
    return memo.get(("pruned", tree_key(), r.prune, r.edits), lambda: tree.cut(made))


def statistics() -> dict[str, np.ndarray]:
    """Role -> statistics of its rows in every node of the grown tree; roles without rows are left out."""
    tree, parts = grown(), roles()
    make = lambda: {name: node_statistics(tree, part) for name, part in parts.items() if part.n_rows}  # noqa: E731
    return memo.get(("statistics", tree_key()), make)


def cut_by_hand() -> bool:
    """Did the user cut or restore a node?"""
    return any(isinstance(step, Edit) for step in state.record().edits)


def takes() -> tuple[Take, ...]:
    """The splits that the user took, in force or not."""
    return tuple(step for step in state.record().edits if isinstance(step, Take))


def kept(name: str, *more, make):
    """Any other result of the grown tree, kept under its name and what it depends on besides the tree."""
    return memo.get((name, tree_key(), *more), make)


def kept_cut(name: str, *more, make):
    """The same for results that depend on the cuts too."""
    r = state.record()
    return memo.get((name, tree_key(), r.prune, r.edits, *more), make)


def recipe() -> Recipe:
    """All steps from the table to the pruned tree."""
    r, whole = state.record(), table()
    kinds = tuple((name, kind) for name, kind in r.kinds if isinstance(kind, str))
    data = Data(whole.fingerprint, whole.target or "", whole.features, kinds)
    prepare = () if r.prepare == Prepare() else (r.prepare,)
    return Recipe((data, r.split, *prepare, r.grow, r.prune, *edits()))


def features() -> tuple[str, ...]:
    """Names of the features in force."""
    r = state.record()
    if r.features is not None:
        return tuple(f for f in r.features if f not in (target(), r.weights))
    return tuple(g.name for g in state.raw().guesses if g.use == "feature" and g.name not in (target(), r.weights))


def pruned_away() -> bool:
    """Do the cuts in force change the tree at all?"""
    return bool(len(cuts().cut_nodes))
