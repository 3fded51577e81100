"""Compare: your tree and another one, which rows change their answer, and where the two disagree."""

from pages.shared import comparing, guard
from pages.shared.bench import shell

guard.enter()

shell.show("compare", comparing.show, wide=628, draw=lambda: comparing.draw)
