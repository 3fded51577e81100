"""Impurity: the measures against the classes' shares, with the selected node on the curve."""

from pages.shared import controls, guard, impurities, work
from pages.shared.bench import strip

guard.enter()

strip.show("impurity")
work.table()
controls.sidebar()
impurities.show(work.grown(), work.selected())
