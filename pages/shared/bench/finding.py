"""What the reader searches for, found in all of the tree: in the nodes that are shown and in those that are not."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from pages.shared.bench.subject import Subject
from pages.shared.session import state
from treecore.export.cards import NodeCard

MOST_SEARCHED = 10_000
"""Nodes, those of the most rows, whose texts are read."""
MOST_LETTERS = 200


def ask(subject: Subject, text) -> None:
    """Search this canvas for a text; for nothing, where it is empty."""
    if isinstance(text, str):
        _memory(subject)["text"] = text[:MOST_LETTERS]


def found(subject: Subject, shown: Sequence[int]) -> dict | None:
    """None where nothing is asked. shown : ids of the nodes that are drawn.

    text : that was searched for. ids : of the nodes of the branch that is looked at in which it stands. under : id of a
    node that is drawn -> how many of them are hidden below it.
    """
    text = _memory(subject)["text"]
    if not text.strip():
        return None
    looked = text.strip().lower()
    hits, drawn = [place for place, said in _texts(subject).items() if looked in said], set(shown)
    above = {int(subject.ids[place]): _drawn_above(subject, place, drawn) for place in hits}
    ids = [node for node, seen in above.items() if seen is not None]
    return {"text": text, "ids": ids, "under": Counter(above[node] for node in ids if node not in drawn)}


def _drawn_above(subject: Subject, place: int, drawn: set[int]) -> int | None:
    """Id of the node itself where it is drawn, else of the drawn one below which it is hidden; None: of no such one."""
    path = subject.ids[list(subject.branching.path(place))]
    return next((int(node) for node in path[::-1] if node in drawn), None)


def _memory(subject: Subject) -> dict:
    return state.kept_for(f"search in {subject.key}", {"text": "", "of": None, "texts": {}})


def _texts(subject: Subject) -> dict[int, str]:
    """Place -> all that can be found of the node."""
    memory, now = _memory(subject), (subject.name, subject.cut)
    if memory["of"] != now:
        memory.update(of=now, texts=_read(subject))
    return memory["texts"]


def _read(subject: Subject) -> dict[int, str]:
    heaviest = np.argsort(-subject.branching.weight, kind="stable")[:MOST_SEARCHED]
    places = np.sort(heaviest)
    return {int(place): _said(card) for place, card in zip(places, subject.cards(places), strict=True)}


def _said(card: NodeCard) -> str:
    return f"{card.title}\n{card.branch}\n{card.predicted}\n#{card.id}".lower()
