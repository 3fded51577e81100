"""The ways to learn from rows as they come, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from treecore.data.table import Table
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.incremental.exact_tree import ExactTree
from treecore.incremental.hoeffding import Bound, HoeffdingTree
from treecore.incremental.row_store import Step
from treecore.registry import Registry
from treecore.tree.tree import Tree


class IncrementalTree(Protocol):
    """A tree that is fed with rows."""

    @property
    def n_rows(self) -> int: ...

    @property
    def tree(self) -> Tree: ...

    def add(self, table: Table) -> Step: ...


@dataclass(frozen=True)
class IncrementalLearner:
    """begun : (first rows, settings of growth, bound) -> the tree of these rows, that can be fed with more."""

    name: str
    label: str
    note: str
    source: str
    begun: Callable[[Table, GrowSettings, Bound], IncrementalTree]


LEARNERS: Registry[IncrementalLearner] = Registry(
    "way to learn row by row",
    IncrementalLearner(
        "exact", "Exact (ITI)", "After every row it is the tree that grows of all rows so far: what a row makes worse "
        "is grown anew.", "Utgoff (1989); Utgoff, Berkman and Clouse (1997)",
        lambda rows, growth, bound: ExactTree(rows, growth),
    ),
    IncrementalLearner(
        "hoeffding", "Streaming (Hoeffding)", "A leaf waits until its best feature leads by more than chance allows; "
        "a split stays for good.", "Domingos and Hulten (2000)", HoeffdingTree,
    ),
)  # fmt: skip
