"""Nodes as the browser draws them, one by one and all at once: every text made here, every number written as on the
rest of the page.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isclose
from typing import Any

import numpy as np

from treecore.export.cards import (
    Bar,
    NodeCard,
    card_part,
    card_rate,
    card_tint,
    deviation_text,
    only_missing,
    spoken,
    with_differences,
)
from treecore.figures import brief, count, percent, short_counts
from treecore.growing.search.split_worth import superclass
from treecore.judging.interest import (
    Interest,
    Tint,
    altered_words,
    around_zero,
    observed_shares,
    rate,
    shown_rate,
    tint,
)
from treecore.study.groups import Groups
from treecore.study.outline import TreeOutline
from treecore.study.twins import Twins, marks
from treecore.tree.condition_text import MISSING
from treecore.tree.short_text import NOWHERE, Places, apart, shorten
from treecore.tree.tree import Tree
from treecore.view.subject import Subject

DETAILS = {"look": 0, "learn": 2, "lab": 4}
"""How much a card says -> its lines of figures."""
MOST_PARTS, MOST_TOLD = 12, 5
WORDS = 200
MOST_LEVELS = 24
"""Of a list beside an edge: more have no room in two lines, however short."""


def row(
    card: NodeCard, level: int, at: tuple[float, float], subject: Subject, detail: str, places: Places = NOWHERE
) -> dict:  # fmt: skip
    """One node as plain values; texts are cleaned and shortened, but not escaped: they are shown as text.

    subject : what the canvas is of; a place of two trees, which has no figures, says what is different there.
    places : where names of the picture differ from others.
    """
    classes, tree, interest = subject.classes, subject.figures, subject.interest
    lines = [card.branch] if tree is not None else card.branch.split("\n")
    bars = card.bars if detail != "look" or tree is None else card.bars[:1]
    result = {
        "id": card.id, "parent": card.parent, "level": level, "x": at[0], "y": at[1], "leaf": card.is_leaf,
        "title": shorten(card.title, WORDS, places), "answer": shorten(card.predicted, WORDS, places),
        "short": _short(card, subject, places), "branch": "\n".join(_condition(line, places) for line in lines),
        "n": count(card.rows, ","), "fewer": short_counts(card.rows),
        "part": card_part(card, classes, interest, places, WORDS), "share": round(card.share, 5),
        "bars": [_bar(bar) for bar in bars], "below": card.below,
        "label": spoken(card, card_rate(card, classes, interest, WORDS, places)),
        "lines": [[shorten(card.mark, WORDS), ""]] if tree is None else _lines(card, tree, detail),
        "told": _tooltip_lines(card, classes, tree, interest),
    }  # fmt: skip
    if (subject.crowd > 1 or subject.gives_way) and not (card.is_leaf and subject.interest is None):
        result["named"] = shorten(card.title, 24, places)
    result |= shade_of_tint(card_tint(card, classes, interest))
    value = card.bars[0].value if card.bars else None
    if "tint" not in result and value is not None:
        result |= {"tint": 0, "value": round(value, 3), "purity": 0.5}
    marks = {
        "differs": card.differs, "cut": shorten(card.cut, WORDS), "place": card.place, "look": card.look,
        "ghost": card.ghost or None,
    }  # fmt: skip
    return result | _levels(card, places) | {name: mark for name, mark in marks.items() if mark not in ("", None)}


def marked(cards: Iterable[NodeCard], twins: Twins | None, ids: np.ndarray | None = None) -> tuple[NodeCard, ...]:
    """The cards with the marks of those that differ; not of nodes to which pruning sent other rows than were tested.

    ids : int64 (n_nodes,), what the nodes that were tested are called on the cards; None where they have one name.
    """
    if twins is None:
        return tuple(cards)
    cards, weight, told = tuple(cards), twins.tests.tree.weight, marks(twins)
    place = {card.id: card.id for card in cards} if ids is None else {int(id_): at for at, id_ in enumerate(ids)}
    found = ((card, place.get(card.id)) for card in cards)
    same = {card.id: told[at] for card, at in found if at in told and isclose(card.rows, weight[at])}
    return with_differences(cards, same)


def marked_as_cut(
    cards: Iterable[NodeCard], standing: np.ndarray, pruned: Twins | None, grown: Callable[[], Twins | None]
) -> tuple[NodeCard, ...]:
    """Cards with the ids of the grown tree: the nodes of the pruned one are tested among themselves, as the sentences
    say, and what was pruned away with all of the grown tree.

    standing : int64, the ids of the pruned tree's nodes. pruned, grown : the tests of the two trees.
    """
    here = set(standing.tolist())
    cards = marked(cards, pruned, standing)
    gone = [card for card in cards if card.id not in here]
    if not gone:
        return cards
    others = {card.id: card for card in marked(gone, grown())}
    return tuple(others.get(card.id, card) for card in cards)


def folded(made: list[dict], tree: Tree, ids: np.ndarray) -> None:
    """Into each node with a folded branch, how many leaves that has. ids : of the tree's nodes on the canvas."""
    for row in made:
        if row["below"]:
            node = int(np.searchsorted(ids, row["id"]))
            row["folded"] = int((tree.descendants(node) & tree.is_leaf).sum())


def _short(card: NodeCard, subject: Subject, places: Places) -> str:
    """What a chip says: the answer, or in a crowd of nodes that lights up by rates the rate."""
    shares = card.bars[0].shares if card.bars else None
    if subject.crowd > 1 and subject.interest is not None and shares is not None:
        return percent(shares[subject.interest.k])
    if shares is None and subject.figures is not None and (subject.crowd > 1 or subject.gives_way):
        return subject.figures.target_kind.scale_text(subject.figures, card.id)  # its unit stands in the legend
    return shorten(card.predicted, 24, places)


def _levels(card: NodeCard, places: Places) -> dict:
    return listed((*card.levels, MISSING) if card.branch.endswith(f"}} or {MISSING}") else card.levels, places)


def listed(levels: Sequence[str], places: Places = NOWHERE) -> dict:
    """The levels that lead to a node, and how many they are: the canvas says how many of them it does not show."""
    if len(levels) < 2:
        return {}
    return {"levels": [shorten(level, WORDS, places) for level in levels[:MOST_LEVELS]], "n_levels": len(levels)}


def _condition(text: str, places: Places) -> str:
    """What leads to a node; on its edge a list of levels needs no braces."""
    return shorten(text[1:-1] if text.startswith("{") and text.endswith("}") else text, 400, places)


def shade_of_tint(tint: Tint | None) -> dict:
    """A tint as the browser draws it."""
    if tint is None:
        return {}
    return {"tint": tint.k, "lift" if tint.diverging else "purity": round(tint.depth, 3)}


def scale(interest: Interest | None) -> dict | None:
    """The legend of that scale."""
    if interest is None:
        return None
    return {"k": interest.k, "name": shorten(interest.name, 24), "base": f"base {percent(interest.base)}"}


def numbers(tree: Tree | None) -> dict | None:
    """The legend of predicted numbers: the least and the largest of the tree."""
    if tree is None or tree.classes or not np.ptp(tree.summary) > 0:
        return None
    ends = (np.nanargmin(tree.summary), np.nanargmax(tree.summary))
    low, high = (tree.target_kind.scale_text(tree, int(node)) for node in ends)
    legend: dict[str, Any] = {"name": shorten(tree.target_kind.scale_name(tree), 40), "low": low, "high": high}
    if tree.target_kind.diverging:
        ends = (around_zero(tree, float(tree.value[int(node)])) for node in ends)
        legend["ends"] = [[end.k, round(end.depth, 3)] for end in ends]
        legend["zero"] = bool(tree.value.min() < 0 < tree.value.max())
    return legend


def figures(tree: Tree | None) -> dict | None:
    """The legend's word on whose figures the nodes show, where they are not of the training rows."""
    if tree is None or tree.figures_of == "train":
        return None
    return {"text": f"Figures: {tree.rows_named}", "title": tree.figures_told.strip()}


def _bar(bar: Bar):
    if bar.n <= 0:
        return None
    if bar.shares is None:
        assert bar.value is not None
        value = round(bar.value, 4)
        return value if bar.band is None else {"mean": value, "band": [round(end, 4) for end in bar.band]}
    largest = sorted(range(len(bar.shares)), key=bar.shares.__getitem__, reverse=True)[:MOST_PARTS]
    parts = [[i, round(bar.shares[i], 5)] for i in sorted(largest) if bar.shares[i] > 0]
    rest = 1 - sum(share for _, share in parts)
    return [*parts, [-1, round(rest, 5)]] if rest > 1e-4 else parts


def grouped(rows: list[dict], nodes: Sequence[int], groups: Groups) -> None:
    """Into the rows: the groups of a column among each node's rows, in place of the bars, and in words. nodes : of the
    groups' tree, one per row."""
    for row, shares in zip(rows, groups.shares[nodes], strict=True):
        row["bars"], told = [shares_of_groups(shares) or None], describe_groups(groups, shares)
        row["told"], row["label"] = [*row["told"], told], f"{row['label']}; {told}"


def shares_of_groups(shares: np.ndarray) -> list[list]:
    """(place, share) of the groups that have rows."""
    return [[i, round(float(shares[i]), 5)] for i in np.flatnonzero(shares > 0).tolist()]


def describe_groups(groups: Groups, shares: np.ndarray) -> str:
    """ "region: North 40.0 %, South 60.0 %"."""
    there = np.flatnonzero(shares > 0).tolist()
    told = ", ".join(f"{shorten(groups.names[i], 24)} {percent(shares[i])}" for i in there)
    return f"{shorten(groups.column, 40)}: {told or 'no rows'}"


Shades = Callable[[int, bool, int], list[str]]
"""How many groups, whether they have an order, how many classes stand beside them -> a colour each, and two more for
the others and the unknown: plots.palette.group_colors."""


def groups_legend(groups: Groups | None, n_classes: int, shades: Shades | None) -> dict | None:
    """The column, and the name and colour of every group that has rows; None of the others."""
    if groups is None or shades is None:
        return None
    colors, met = shades(len(groups.names) - 2, groups.grouping.ordered, n_classes), groups.rows[0] > 0
    names = [shorten(name, 24) if some else None for name, some in zip(groups.names, met.tolist(), strict=True)]
    return {"column": shorten(groups.column, 24), "names": names, "colors": colors}


def _lines(card: NodeCard, tree: Tree, detail: str) -> list[list[str]]:
    """Figures of a card, as (name, figure)."""
    own = [[shorten(name, 24), text] for name, text in tree.target_kind.card_lines(tree, card.id)]
    if tree.lines is not None:  # a card of the pruned tree has its line, though its node in the grown one is no leaf
        own = [["line" if card.line else "", card.line]]
    if detail == "look":
        return own
    lines = _spreads(card, tree) if tree.criterion == "squared_error" else _impurities(card, tree)
    if detail == "lab":
        lines.append([f"node {card.id}", percent(card.share)])
        second = card.bars[1] if len(card.bars) > 1 else None
        lines.append([second.role, count(second.n, ",")] if second else ["depth", str(int(tree.node_depth[card.id]))])
    return own + lines


def _impurities(card: NodeCard, tree: Tree) -> list[list[str]]:
    if not tree.target_kind.tells_impurity:
        gain = "" if card.is_leaf else brief(float(tree.gain[card.id]))
        return [["of all rows", percent(card.share)], ["gain", gain]]
    return [
        [shorten(card.impurity_name, 14), "" if card.impurity is None else brief(card.impurity)],
        ["gain", brief(float(tree.gain[card.id]))] if not card.is_leaf else ["answer", shorten(card.predicted, 12)],
    ]


def _spreads(card: NodeCard, tree: Tree) -> list[list[str]]:
    """Standard deviations of a node's rows, now and within its branches: they have the unit of the target, and the
    squared errors of which splits are judged are their squares."""
    if card.impurity is None:
        return [["spread", ""], ["", ""]]
    after = max(card.impurity - float(tree.gain[card.id]), 0.0) if not card.is_leaf else None
    lines = [["spread", deviation_text(tree, card.impurity)]]
    if after is not None:
        return [*lines, ["after split", deviation_text(tree, after)]]
    fit = tree.target_kind.fit_text(tree, int(card.id)) if card.line else ""
    return [*lines, ["around line", fit] if fit else ["answer", card.predicted]]


def _tooltip_lines(card: NodeCard, classes: Sequence[str], tree: Tree | None, interest: Interest | None) -> list[str]:
    """What the card beside the pointer says."""
    if tree is None:
        return [shorten(text, 160) for text in (card.mark or "the same in both trees", card.branch) if text] + [
            f"{bar.role}: {count(bar.n, ',')} rows" + (f", {_mix(bar, classes, interest)}" if bar.shares else "")
            for bar in card.bars
        ]
    lines = [shorten(tree.node(card.id).rule, 160), f"{card.rows_told}, {percent(card.share)} of all"]
    if card.bars and card.bars[0].shares:
        lines.append(_mix(card.bars[0], classes, interest))
    lines += [shorten(f"{name}: {text}", 80) for name, text in tree.target_kind.details(tree, card.id)]
    lines += [shorten(f"{bar.role}: {bar.told}", 120) for bar in card.bars if bar.told]
    if card.impurity is not None and tree.criterion == "squared_error":
        after = f"; after the split {_spreads(card, tree)[1][1]}" if not card.is_leaf else ""
        lines.append(f"standard deviation {deviation_text(tree, card.impurity)}{after}")
        if not card.is_leaf and tree.lines is None:  # lines are among the details
            lines.append(f"as a leaf it would predict {shorten(card.predicted, 40)}")
    elif card.impurity is not None and tree.target_kind.tells_impurity:
        altered = altered_words(tree)
        weighed = f" of rows reweighted by {altered}" if altered else ""
        lines.append(f"{card.impurity_name}{weighed} {brief(card.impurity)}")
    if not card.is_leaf and tree.criterion != "squared_error":
        lines.append(
            f"gain {brief(float(tree.gain[card.id]))}; as a leaf it would predict {shorten(card.predicted, 40)}"
        )
    if card.missing_rows > 0:
        lines.append(f"{count(card.missing_rows, ',')} rows without a value: {shorten(card.missing_goes, 80)}")
    return [*lines, *[text for text in (card.differs, card.cut) if text]]


def _mix(bar: Bar, classes: Sequence[str], interest: Interest | None) -> str:
    """The classes of a bar with their shares: that of interest, then the others, the largest first."""
    shares = bar.shares
    assert shares is not None
    order = sorted(range(len(shares)), key=shares.__getitem__, reverse=True)
    if interest is not None:
        order = [interest.k, *(k for k in order if k != interest.k)]
    places = apart(classes)
    told = [
        rate(shares[k], classes[k], 24, places)
        for k in order
        if shares[k] > 0 or (interest is not None and k == interest.k)
    ]
    return ", ".join(told[:MOST_TOLD]) + (" …" if len(told) > MOST_TOLD else "")


def levels(cards: tuple[NodeCard, ...]) -> Mapping[int, int]:
    """Id -> level, 1 for the first."""
    result: dict[int, int] = {}
    for card in cards:
        result[card.id] = 1 if card.parent is None else result[card.parent] + 1
    return result


def gathered(rows: list[dict], tree: Tree, ids: np.ndarray) -> None:
    """Into the rows of the two branches of a split by twoing: the classes that it puts together there.

    tree : of more than two classes. ids : of its nodes on the canvas.
    """
    for row in rows:
        node = int(np.searchsorted(ids, row["id"]))
        parent = int(tree.parent[node])
        sides = tree.children(parent) if parent >= 0 else ()
        if len(sides) != 2:
            continue
        stats = tree.stats[list(sides)]
        here = superclass(stats) == (node == sides[0])
        row["gathers"] = np.flatnonzero(here & (stats.sum(axis=0) > 0)).tolist()
        names = ", ".join(shorten(tree.class_names[k], WORDS) for k in row["gathers"][:MOST_PARTS])
        row["told"] = [*row["told"], f"gathers {names}"]


def falls(rows: list[dict], until: np.ndarray, closes: np.ndarray) -> None:
    """Into every row: the steps of the nested sequence at which its node is gone, and at which it is a leaf."""
    for row in rows:
        row["until"], row["closes"] = int(until[row["id"]]), int(closes[row["id"]])


def routed(
    rows: list[dict], place: Mapping[int, int], came: Mapping[int, str], rest: Mapping[int, str], tree: Tree
) -> None:  # fmt: skip
    """Into the rows: what went there without a value, whether nothing else goes there, and what stayed at a node.

    place : id -> node of `tree`. came, rest : see from_tree.missing_marks; only of nodes whose branches are shown.
    """
    parents = {row["parent"] for row in rows}
    for row in rows:
        node = place[row["id"]]
        if row["parent"] is not None and node in came:
            row["came"], row["alone"] = came[node], only_missing(tree, node)
        if row["id"] in parents and node in rest:
            row["rest"] = rest[node]


# All of the tree at once, for the icicle and the rings: the heaviest nodes as shares of the training rows.


def whole(
    tree: Tree,
    found: TreeOutline,
    hidden: np.ndarray,
    looked_for: Interest | None = None,
    by_group: Groups | None = None,
) -> list[dict]:
    """One entry per node, parents before children: where it lies among the rows, and what it answers.

    hidden : bool (n_nodes,), is it pruned away? looked_for : the class of interest.
    by_group : what the bars show in place of the answer."""
    total = float(found.weight[0]) or 1.0
    low, high = float(np.min(tree.summary)), float(np.max(tree.summary))
    rows, places = [], apart((feature.name for feature in tree.schema.features), tree.class_names)
    shares = observed_shares(tree) if tree.classes else None
    parts = None if by_group is None else by_group.shares
    ends = [bool(tree.is_leaf[node] or hidden[tree.first_child[node]]) for node in found.node.tolist()]
    for i, node in enumerate(found.node.tolist()):
        leads, answer = found.words[i]
        title = answer if ends[i] else tree.node(node).feature
        row = {
            "id": node, "depth": int(found.depth[i]), "left": round(float(found.left[i]) / total, 6),
            "width": round(float(found.weight[i]) / total, 6), "title": shorten(title, 40, places),
            "leaf": ends[i], "cut": bool(hidden[node]),
            "told": shorten(f"{leads}: {answer}, {percent(found.weight[i] / total)} of the rows", 200),
        }  # fmt: skip
        if shares is not None:
            about = shares[node].tolist(), int(found.value[i])
            row["told"] = shorten(f"{row['told']}, {shown_rate(*about, tree.class_names, looked_for)}", 240)
            shade = shade_of_tint(tint(*about, looked_for))
        else:
            shade = {"value": (found.value[i] - low) / ((high - low) or 1.0)}
            shade |= shade_of_tint(around_zero(tree, float(found.value[i])))
        if parts is not None and by_group is not None:
            row["parts"] = shares_of_groups(parts[node])
            row["told"] = f"{row['told']}; {describe_groups(by_group, parts[node])}"
        rows.append(row | shade)
    return rows
