"""Is there a drawer beside the tree, and has the reader asked for more room for it? Each page has its own answer."""

from pages.shared.session import state

OPEN, WIDER = "beside is open", "beside is wider"


def is_open(page: str) -> bool:
    return state.choice(f"{OPEN} {page}")


def is_wider(page: str) -> bool:
    return state.choice(f"{WIDER} {page}")
