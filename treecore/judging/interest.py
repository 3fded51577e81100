"""The class that is looked for: by its share nodes are told, wherever there is one."""

from dataclasses import dataclass
from math import inf, log2

from treecore.tree.tree import Tree


@dataclass(frozen=True)
class Interest:
    """A class of interest. k : its place among the classes. base : its share of the training rows, by weight."""

    k: int
    name: str
    base: float

    def lift(self, share: float) -> float:
        """How many times the base rate a share is."""
        return share / self.base if self.base > 0 else inf if share > 0 else 1.0

    def octaves(self, share: float, most: float = 2.0) -> float:
        """log2 of the lift within -most and most: what a diverging scale of colours shows, 0 at the base rate."""
        lift = self.lift(share)
        return most if lift == inf else max(-most, min(most, log2(lift))) if lift > 0 else -most


def class_of_interest(tree: Tree) -> str | None:
    """The class that is looked for: the rarer of two among the training rows, of equals the last; else None."""
    if len(tree.classes) != 2:
        return None
    return tree.classes[0 if tree.stats[0, 0] < tree.stats[0, 1] else 1]


def interest_of(tree: Tree, name: str | None = None) -> Interest | None:
    """The class called `name`, or by itself the rarer of two; None where no single class is looked for."""
    name = name if name in tree.classes else class_of_interest(tree)
    if name is None:
        return None
    k = tree.classes.index(name)
    total = float(tree.weight[0])
    return Interest(k, name, float(tree.stats[0, k]) / total if total > 0 else 0.0)
