"""Experiments: is your tree's recipe better than another one, how good are its answers, is it stable?"""

from pages.shared.bench import shell
from pages.shared.experiments import questions
from pages.shared.server import guard

guard.enter()

shell.show("experiments", questions.show, wide=628, draw=questions.canvas)
