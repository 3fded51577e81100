"""Guess: which split comes here, or what does pruning take next? Then it is shown, and told how good the guess was."""

from pages.shared.bench import shell
from pages.shared.guess import games
from pages.shared.server import guard

guard.enter()
shell.show("guess", games.show, wide=520, draw=lambda: games.draw)
