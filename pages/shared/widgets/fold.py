"""Folds: what is drawn and sent only while it is open, and stays open when the page changes."""

from collections.abc import Callable

from pages.shared.server import guard
from pages.shared.session import state


def fold(label: str, name: str, show: Callable[[], None]) -> None:
    """An expander that calls `show` to fill it while it is open; opening it runs nothing else of the page.

    name : what it is called in all runs, whatever its label says.
    """
    key, opened = f"fold {name}", state.kept_for("open folds", set())

    def take() -> None:
        (opened.add if state.widget(key) else opened.discard)(name)

    def folded() -> None:
        with state.expander(label, name in opened, key, take) as box:
            if box.open:
                show()

    guard.part(folded)
