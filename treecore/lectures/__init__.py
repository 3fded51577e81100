"""The worked examples of five lecture notes on decision trees: what they print, where, and what we compute."""

from treecore.lectures.example_counts import COUNTING
from treecore.lectures.example_fruit import FRUITS
from treecore.lectures.example_measures import MEASURES
from treecore.lectures.example_numbers import NUMBERS
from treecore.lectures.example_restaurant import RESTAURANT
from treecore.lectures.example_tennis import TENNIS
from treecore.lectures.example_traps import TRAP_GUIDES
from treecore.lectures.example_unknown import UNKNOWN
from treecore.lectures.example_words import WORDS
from treecore.lectures.guide import Figure, Guide, Step
from treecore.registry import Registry

GUIDES: Registry[Guide] = Registry(
    "worked example", *TENNIS, *UNKNOWN, *WORDS, *RESTAURANT, *MEASURES, *FRUITS, *COUNTING, *NUMBERS, *TRAP_GUIDES
)


def guides_of(sample: str | None) -> tuple[Guide, ...]:
    """The worked examples of a sample table, in the order of the registry."""
    return tuple(guide for guide in GUIDES.values() if guide.sample == sample)


__all__ = ["GUIDES", "Figure", "Guide", "Step", "guides_of"]
