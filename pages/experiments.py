"""Experiments: is your tree's recipe better than another one, how good are its answers, is it stable?"""

from pages.shared import experiment_kinds, guard
from pages.shared.bench import shell

guard.enter()

shell.show("experiments", experiment_kinds.show, wide=628, draw=experiment_kinds.canvas)
