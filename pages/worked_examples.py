"""Worked examples: the figures that lecture notes print, step by step, beside the tree that they are about."""

from pages.shared.bench import shell, strip
from pages.shared.learn import guides
from pages.shared.server import guard

guard.enter()

if guides.in_hand() is None:
    strip.show("worked_examples")
    guides.offer()
else:
    shell.show("worked_examples", guides.show, wide=guides.WIDE, draw=guides.canvas_of_guide)
