"""Exercises: a sheet of questions from the table in hand, with a key, to print."""

from pages.shared import exercise_sheets, guard, work
from pages.shared.bench import strip

guard.enter()

strip.show("exercises")
exercise_sheets.show(work.table())
