"""What the learner has guessed of the tree in hand: kept with the page's choices, until another tree is grown."""

import hashlib

from pages.shared.session import state
from pages.shared.trees import work

GUESSES, GAME, PLACE, SAID, AT, LINK = "guesses", "guess game", "guess place", "guess said", "guess at", "guess link"
SPLITS, FALLS = "splits", "falls"
"""The two lists of guesses: of the splits in the order of growth, and of what pruning takes next."""


def answers(game: str) -> list[dict]:
    """The guesses so far, in order: "said" names what was guessed ([]: it was shown), "points" what that was worth."""
    return list(_of_this_tree().get(game, []))


def add(game: str, said: list, points: float | None, /, **more) -> None:
    """One more, to be looked at. points : None where the learner wanted to be shown."""
    made = {"said": said, "points": None if points is None else round(float(points), 6), **more}
    state.choose(PLACE, len(answers(game)))
    state.choose(GUESSES, _of_this_tree() | {game: [*answers(game), made]})
    begin()


def forget(game: str) -> None:
    """All of a game, to begin again."""
    state.choose(GUESSES, _of_this_tree() | {game: []})
    state.choose(PLACE, None)
    begin()


def begin() -> None:
    """The next question has no answer yet."""
    for name, empty in ((SAID, []), (AT, None), (LINK, None)):
        state.choose(name, empty)


def place(game: str, n: int) -> int:
    """The question looked at, of n: one that was answered, or the next one."""
    known = min(len(answers(game)), n - 1)
    chosen = state.choice(PLACE)
    return known if chosen is None else min(max(int(chosen), 0), known)


def score(game: str) -> str:
    """The points of all that was guessed, in words; '' before the first."""
    points = [a["points"] for a in answers(game) if a["points"] is not None]
    if not points:
        return ""
    best, shown = sum(p == 1 for p in points), len(answers(game)) - len(points)
    told = f"{sum(points):.2f} of {len(points)} points · {best} of {len(points)} right"
    return told + (f" · {shown} shown" if shown else "")


def _of_this_tree() -> dict:
    name = hashlib.blake2b(repr(work.tree_key()).encode(), digest_size=8).hexdigest()
    result = state.choice(GUESSES) or {}
    return result if result.get("tree") == name else {"tree": name}
