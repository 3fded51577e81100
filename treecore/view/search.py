"""What the reader searches for, found in all of the tree: in the nodes that are shown and in those that are not."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from treecore.export.cards import NodeCard
from treecore.view.subject import Subject

MOST_SEARCHED = 10_000
"""Nodes, those of the most rows, whose texts are read."""
MOST_LETTERS = 200
"""Of what is searched for."""


def hits(subject: Subject, text: str, texts: Mapping[int, str], shown: Sequence[int]) -> dict | None:
    """None where nothing is asked. texts : what `searched_texts` has made. shown : ids of the nodes that are drawn.

    text : that was searched for. ids : of the nodes of the branch that is looked at in which it stands. under : id of a
    node that is drawn -> how many of them are hidden below it.
    """
    looked = text.strip().lower()
    if not looked:
        return None
    places, drawn = [place for place, said in texts.items() if looked in said], set(shown)
    above = {int(subject.ids[place]): _drawn_above(subject, place, drawn) for place in places}
    ids = [node for node, seen in above.items() if seen is not None]
    return {"text": text, "ids": ids, "under": Counter(above[node] for node in ids if node not in drawn)}


def _drawn_above(subject: Subject, place: int, drawn: set[int]) -> int | None:
    """Id of the node itself where it is drawn, else of the drawn one below which it is hidden; None: of no such one."""
    path = subject.ids[list(subject.branching.path(place))]
    return next((int(node) for node in path[::-1] if node in drawn), None)


def searched_texts(subject: Subject) -> dict[int, str]:
    """Place -> all that can be found of the node."""
    heaviest = np.argsort(-subject.branching.weight, kind="stable")[:MOST_SEARCHED]
    places = np.sort(heaviest)
    return {int(place): _said(card) for place, card in zip(places, subject.cards(places), strict=True)}


def _said(card: NodeCard) -> str:
    return f"{card.title}\n{card.branch}\n{card.predicted}\n#{card.id}".lower()
