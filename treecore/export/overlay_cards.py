"""Two trees laid over each other as the cards of one diagram."""

import numpy as np

from treecore.export.cards import Bar, NodeCard, describe_prediction
from treecore.study.overlay import (
    ONLY_A,
    ONLY_B,
    OTHER_ANSWER,
    OTHER_TEST,
    SAME,
    SHIFTED,
    SPLIT_A,
    SPLIT_B,
    Overlay,
)
from treecore.tree.node import NodeView
from treecore.tree.short_text import clean, shorten
from treecore.tree.tree import Tree

LOOKS = {SAME: "", ONLY_A: "only-a", ONLY_B: "only-b"}
"""The line of a card; "changed" for every other relation."""
SIDE = 24
"""Columns of what one tree has at a place, where both are named."""


def overlay_cards(overlay: Overlay, entries: np.ndarray, names: tuple[str, str] = ("A", "B")) -> tuple[NodeCard, ...]:
    """One card per place to draw, its id the entry; the bars are the training rows of both trees' nodes.

    entries : ascending, closed under parents. names : of the two trees, short. What the trees do not share says so in
    words (`mark`) and has a line of its own (`look`).
    """
    low, high = _range(overlay)
    drawn, below = set(entries.tolist()), _below(overlay)
    above = set(overlay.parent[entries].tolist())

    def card(entry: int) -> NodeCard:
        sides = list(_sides(overlay, entry))
        relation, parent = overlay.relation[entry], int(overlay.parent[entry])
        tree, node, _ = sides[0]
        leaf = all(t.is_leaf[n] for t, n, _ in sides)
        branch, levels = _branch(overlay, entry, names)
        return NodeCard(
            id=entry,
            parent=parent if parent in drawn else None,
            branch=branch,
            levels=levels,
            title=_title(overlay, entry),
            is_leaf=leaf,
            rows=float(tree.weight[node]),
            share=float(tree.weight[node] / tree.weight[0]),
            impurity=None,
            impurity_name="",
            bars=tuple(_bar(t, n, names[which], low, high) for t, n, which in sides),
            predicted=_both([_answer_text(t.node(n)) for t, n, _ in sides], names),
            below=0 if leaf or entry in above else int(below[entry]),
            mark=mark(overlay, entry, names),
            look=LOOKS.get(relation, "changed"),
        )

    return tuple(card(int(entry)) for entry in entries)


def mark(overlay: Overlay, entry: int, names: tuple[str, str] = ("A", "B")) -> str:
    """What is different here, in words; '' where both trees are the same."""
    relation = overlay.relation[entry]
    a, b = overlay.nodes(entry)
    if relation == OTHER_TEST:
        return f"{names[1]} asks: {overlay.tree_b.node(b).feature}"
    if relation == OTHER_ANSWER:
        return f"{names[1]} answers: {overlay.tree_b.node(b).predicted}"
    if relation == SPLIT_A:
        return f"{names[1]} stops: {_answer_text(overlay.tree_b.node(b))}"
    if relation == SPLIT_B:
        return f"{names[0]} stops: {_answer_text(overlay.tree_a.node(a))}"
    words = {
        SAME: "",
        SHIFTED: "parted elsewhere",
        ONLY_A: f"only in {names[0]}",
        ONLY_B: f"only in {names[1]}",
    }
    return words[relation]


def _sides(overlay: Overlay, entry: int):
    """(tree, node, 0 for A and 1 for B) of those that are here."""
    for which, (tree, node) in enumerate(zip((overlay.tree_a, overlay.tree_b), overlay.nodes(entry), strict=True)):
        if node >= 0:
            yield tree, node, which


def _answer_text(view: NodeView) -> str:
    """The answer of a node; where it is a line, what sums it up."""
    return view.predicted if view.tree.lines is None else describe_prediction(view)


def _title(overlay: Overlay, entry: int) -> str:
    """The feature that is tested here, else the answer; of the first tree where they differ, as the mark says."""
    views = [tree.node(node) for tree, node, _ in _sides(overlay, entry)]
    return next((view.feature for view in views if not view.is_leaf), _answer_text(views[0]))


def _branch(overlay: Overlay, entry: int, names: tuple[str, str]) -> tuple[str, tuple[str, ...]]:
    """The condition on the way here and the levels that it lists; of both trees, on a line each, where they part the
    feature elsewhere."""
    views = [tree.node(node) for tree, node, _ in _sides(overlay, entry)]
    told = [view.branch.removeprefix("∈ ").removeprefix("= ") for view in views]
    parent = int(overlay.parent[entry])
    if parent < 0 or overlay.relation[parent] == SAME or len(set(told)) == 1:
        return clean(told[0]), views[0].branch_levels
    return _both([_bare(text) for text in told], names, ",\n"), ()


def _bare(levels: str) -> str:
    """A list of levels without its braces."""
    return levels[1:-1] if levels.startswith("{") and levels.endswith("}") else levels


def _both(texts: list[str], names: tuple[str, str], glue: str = ", ") -> str:
    """One text where all are the same."""
    if len(set(texts)) == 1:
        return clean(texts[0])
    return glue.join(f"{name}: {shorten(text, SIDE)}" for name, text in zip(names, texts, strict=True))


def _below(overlay: Overlay) -> np.ndarray:
    """int64 (n,): how many places are below each."""
    below = np.zeros(len(overlay), np.int64)
    for entry in range(len(overlay) - 1, 0, -1):  # children come after their parents
        below[overlay.parent[entry]] += below[entry] + 1
    return below


def _range(overlay: Overlay) -> tuple[float, float]:
    """The least and the greatest mean of both trees, the ends of the bars of a regression."""
    if overlay.tree_a.classes:
        return 0.0, 1.0
    values = np.concatenate([overlay.tree_a.summary, overlay.tree_b.summary])
    return float(np.nanmin(values)), float(np.nanmax(values))


def _bar(tree: Tree, node: int, name: str, low: float, high: float) -> Bar:
    n = float(tree.weight[node])
    if tree.classes:
        return Bar(name, tuple((tree.stats[node] / n).tolist()) if n > 0 else None, None, n)
    mean = tree.center[node] + tree.target_kind.answer_of(tree.stats[node]) if n > 0 else low
    return Bar(name, None, float(np.clip((mean - low) / (high - low), 0.0, 1.0)) if high > low else 0.5, n)
