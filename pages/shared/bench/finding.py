"""What the reader searches for on a canvas, kept for it."""

from collections.abc import Sequence

from pages.shared.session import state
from treecore.view.subject import MOST_LETTERS, Subject, hits, searched_texts


def ask(subject: Subject, text) -> None:
    """Search this canvas for a text; for nothing, where it is empty."""
    if isinstance(text, str):
        _memory(subject)["text"] = text[:MOST_LETTERS]


def found(subject: Subject, shown: Sequence[int]) -> dict | None:
    """The hits, see view.search.hits; None where nothing is asked. shown : ids of the nodes that are drawn."""
    text = _memory(subject)["text"]
    return hits(subject, text, _texts(subject), shown) if text.strip() else None


def _memory(subject: Subject) -> dict:
    return state.kept_for(f"search in {subject.key}", {"text": "", "of": None, "texts": {}})


def _texts(subject: Subject) -> dict[int, str]:
    memory, now = _memory(subject), (subject.name, subject.cut)
    if memory["of"] != now:
        memory.update(of=now, texts=searched_texts(subject))
    return memory["texts"]
