"""Explore: the tree, and the node you look at."""

from pages.shared.bench import drawer, shell
from pages.shared.server import guard

guard.enter()

shell.show("grow", drawer.show, ways=drawer.ways)
