"""Exercises: a sheet of questions from the table in hand, with a key, to print."""

from pages.shared.bench import strip
from pages.shared.data import source
from pages.shared.learn import exercise_sheets
from pages.shared.server import guard
from pages.shared.trees import work

guard.enter()

strip.show("exercises")
source.without_table("exercises")
exercise_sheets.show(work.table_in_sight())
