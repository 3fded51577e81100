"""Explore: the tree, and the node you look at."""

from pages.shared import guard
from pages.shared.bench import drawer, shell

guard.enter()

shell.show("grow", drawer.show, ways=drawer.ways)
