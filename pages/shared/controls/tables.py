"""The editable tables of costs and priors, which stand beside each other."""

from collections.abc import Callable

from pages.shared.session import state

EDITS = "cost edits"


def table(frame, name: str, save: Callable, **settings) -> None:
    """An editable table; after an edit in any of them all are drawn anew.

    One that stayed as it was would swallow the first click after an edit in another one.
    """
    n_edits = state.choice(EDITS)

    def take(changed: dict[int, dict]) -> None:
        state.choose(EDITS, n_edits + 1)
        save(changed)

    state.table_editor(frame, f"{name} {n_edits}", take, **settings)
