"""The games of the page Guess: which one is played, where one is in it, and how many points there are."""

import streamlit as st

from pages.shared.bench import stages
from pages.shared.guess import falls, guesses, splits
from pages.shared.session import state
from pages.shared.widgets import fold, present

GAMES = {"one": "Feature", "three": "Three", "cut": "Threshold", "falls": "Pruning"}
HELP = (
    "Which feature is split on here, which three would be best, where to cut one, or which branches pruning takes away "
    "next. First guess, then look."
)


def chosen() -> str:
    """The game in hand."""
    result = state.choice(guesses.GAME)
    return result if result in GAMES else "one"


def draw() -> None:
    """As much of the tree as is known."""
    if chosen() == "falls":
        stages.draw_pruning(falls.step(), falls.shown_node(), falls.point)
    else:
        stages.draw_growth(splits.made(), splits.node(), splits.go, known=len(guesses.answers(guesses.SPLITS)))


def show() -> None:
    """The question or, once it was answered, what the answer was worth."""
    state.controlled(
        st.segmented_control, "Guess", chosen(), _play, "guess_game", options=list(GAMES), format_func=GAMES.get,
        help=HELP, label_visibility="collapsed",
    )  # fmt: skip
    game, part = (guesses.FALLS, falls) if chosen() == "falls" else (guesses.SPLITS, splits)
    n = part.n_questions()
    if not n:
        st.info("The tree has no splits, so there is nothing to guess. Loosen the stopping rules in the sidebar.")
        return
    _walk(game, n)
    known = guesses.place(game, n) < len(guesses.answers(game))
    (part.reveal if known else part.ask)(*((chosen(),) if part is splits and not known else ()))


def _play(game: str | None) -> None:
    if game:
        state.choose(guesses.GAME, game)
        state.choose(guesses.PLACE, None)
        guesses.begin()


def _walk(game: str, n: int) -> None:
    here, known = guesses.place(game, n), len(guesses.answers(game))
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.button("Back", key="guess_back", on_click=_go, args=(here - 1,), disabled=here == 0, shortcut="PageUp")
        st.button(
            "Next", key="guess_next", on_click=_go, args=(here + 1,), disabled=here >= min(known, n - 1),
            shortcut="PageDown",
        )  # fmt: skip
        st.markdown(f"{here + 1:,} of {n:,}", width="content")
        st.space("stretch")
        st.button(
            "", key="guess_again", icon=":material/restart_alt:", type="tertiary", on_click=guesses.forget,
            args=(game,),
            disabled=not known, help="Begin again: forget all guesses of this game",
        )  # fmt: skip
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.markdown(f"**{guesses.score(game)}**" if guesses.score(game) else "No guess yet", width="content")
        st.space("stretch")
        present.button("guess")
    if known == n:
        st.success("All guessed. Page Up and Page Down walk through them.", icon=":material/flag:")
        again = [name for name in GAMES if name != chosen()]
        st.button(f"Another game: {GAMES[again[-1]]}", key="guess_other", on_click=_play, args=(again[-1],))
        fold.offer_next(
            ("step_by_step", "Read the arithmetic of every split"), ("court", "See which branches each method prunes"),
        )  # fmt: skip


def _go(place: int) -> None:
    state.choose(guesses.PLACE, place)
    guesses.begin()
