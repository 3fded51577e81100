"""A short notice on the canvas: what was just done, with the way back."""

import time

from pages.shared.session import state

SHOWN = 7.0
"""Seconds that a notice stands on the canvas."""


def tell(text: str, undo: bool = True) -> None:
    """undo : was it a step that can be taken back?"""
    kept = state.kept_for("notice", {})
    kept["now"] = {"id": kept.get("now", {}).get("id", 0) + 1, "text": text, "at": time.monotonic(), "undo": undo}


def last() -> dict | None:
    """What the canvas shows of it. fresh : on a canvas that has just come, too."""
    now = state.kept_for("notice", {}).get("now")
    return now and {
        "id": now["id"],
        "text": now["text"],
        "undo": now["undo"],
        "fresh": time.monotonic() - now["at"] < SHOWN,
    }
