"""A tab that is open all day: what the page no longer shows is let go."""

import pytest

pytestmark = pytest.mark.browser
TURNS = ("Iris", "Penguins")
LEAKED = 50
"""Nodes that each turn may leave; a tree that is not let go is hundreds."""


def test_the_page_does_not_grow_once_it_is_warm(app):
    """Every turn replaces the table, the tree, its folds and its settings."""
    devtools = app.page.context.new_cdp_session(app.page)

    def in_use() -> tuple[int, int]:
        """The least of some looks: what is let go is collected when the browser has time for it."""
        looks = []
        for _ in range(3):
            devtools.send("HeapProfiler.collectGarbage")
            app.page.wait_for_timeout(200)
            found = devtools.send("Memory.getDOMCounters")
            looks.append((found["nodes"], found["jsEventListeners"]))
        return min(looks)

    def turn(times: int) -> None:
        for i in range(times):
            app.go("Data")
            app.sample(TURNS[i % len(TURNS)])
            app.tree()
            app.settled()

    turn(len(TURNS))
    nodes, listeners = in_use()
    turn(len(TURNS))
    more_nodes, more_listeners = in_use()
    assert more_nodes - nodes < LEAKED * len(TURNS)
    assert more_listeners - listeners < 2 * len(TURNS)
