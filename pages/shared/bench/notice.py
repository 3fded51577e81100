"""A short notice on the canvas: what was just done, with the way back."""

from pages.shared import state


def tell(text: str, undo: bool = True) -> None:
    """undo : was it a step that can be taken back?"""
    kept = state.kept_for("notice", {})
    kept["now"] = {"id": kept.get("now", {}).get("id", 0) + 1, "text": text, "fresh": True, "undo": undo}


def last() -> dict | None:
    """What the canvas shows of it."""
    return state.kept_for("notice", {}).get("now")
