"""Impurity: the measures against the classes' shares, with the selected node on the curve."""

from pages.shared.bench import strip
from pages.shared.controls import sidebar
from pages.shared.data import source
from pages.shared.learn import impurities
from pages.shared.server import guard
from pages.shared.trees import work

guard.enter()

strip.show("impurity")
source.without_table("impurity")
work.table()
sidebar.show()
work.grown()  # faults of growing are said by the page
guard.part(lambda: impurities.show(work.grown(), work.selected()), own=impurities.OWN)
