"""Compare: your tree and another one, which rows change their answer, and where the two disagree."""

from pages.shared.bench import shell
from pages.shared.compare import comparing
from pages.shared.server import guard

guard.enter()

shell.show("compare", comparing.show, wide=900, narrow=("50vw", "50vw"), draw=lambda: comparing.draw)
