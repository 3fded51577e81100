"""Step by step: the tree grows one split at a time, and every split says why it was made."""

from pages.shared.bench import shell
from pages.shared.learn import steps
from pages.shared.server import guard

guard.enter()


def panel() -> None:
    """The steps, and why the last one was made."""
    steps.walk()
    steps.explain()


shell.show("step_by_step", panel, draw=lambda: steps.draw)
