"""What can be done with a node of the canvas, and doing it: each change is a step of the recipe that can be undone."""

from dataclasses import replace

import treecore as tc
from pages.shared.bench import canvas
from pages.shared.node import alternatives
from pages.shared.session import state
from pages.shared.trees import tables, work
from treecore.export.cards import NodeCard
from treecore.fit import edit_of, node_at
from treecore.growing.inspect.candidates import beyond_limits
from treecore.recipe import Take
from treecore.tree.short_text import shorten
from treecore.view.labels import best_of, deeds_of, question

DRAWER = "drawer"
NEVER = "no split of its rows gains anything"


def of_card(card: NodeCard, grown: tc.Tree, within: int) -> list[str]:
    """Names of what can be done with a node, in the order of their buttons."""
    return deeds_of(card, grown, within, grows=not tables.in_force(), taken=_is_taken)


def _is_taken(node: int) -> bool:
    """Was its split taken by hand, and is another one the best?"""
    takes = work.takes()
    if not takes or work.path(node) not in {take.path for take in takes}:
        return False
    best = best_of(work.candidates(node))
    return best is not None and not best.chosen


def act(kind: str, node: int) -> None:
    """A cut, a restore or a split becomes a step of the recipe; the rest only changes what is looked at."""
    tree = work.grown()
    if node >= tree.n_nodes:
        return
    if kind in ("cut", "restore") and not tree.is_leaf[node]:
        state.do(edit_of(tree, node, kind), selected=node)
        canvas.tell(f"{'Cut' if kind == 'cut' else 'Brought back the branches of'} node {node}")
    elif kind in ("grow", "regrow"):
        _grow(tree, node)
    elif kind in ("only", "widen"):
        state.choose("within", node if kind == "only" else 0)
    elif kind == "split":
        state.change(selected=node)
        state.choose(DRAWER, "Rivals")


def _grow(tree: tc.Tree, node: int) -> None:
    """Split the node by the best that is possible there, as a limit would not have it, or somebody's hand; where the
    pruning would cut that again, it stays by hand."""
    make = lambda: beyond_limits(work.trained(), node, work.roles()["train"])  # noqa: E731
    result = work.cached("beyond limits", node, make=make) if tree.is_leaf[node] else work.candidates(node)
    best = best_of(result)
    take = None if best is None or best.chosen else alternatives.taken(tree, node, best)
    if take is None:
        why = "it has the best split already" if best is not None and best.chosen else NEVER
        canvas.tell(f"Nothing grows at node {node}: {why}", undo=False)
        return
    state.do(take, selected=node)
    kept = _restore_if_cut(take)
    canvas.tell(f"Node {node} grew by {shorten(question(tree, take), 60)}{kept}")


def _restore_if_cut(take: Take) -> str:
    """Restores what the pruning would cut at once, as part of the same step; says so."""
    tree = work.grown()
    node = node_at(tree, replace(take, expect=""))
    if not work.cuts().verdict[node]:
        return ""
    state.do(edit_of(tree, node, "restore"))
    return "; the pruning would cut it, so it is kept by hand"
