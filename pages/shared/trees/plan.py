"""How a tree is made from the table and the split in force: the plan of the tree in force, and others beside it."""

from dataclasses import dataclass

from pages.shared.session import state
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.recipe import Edit, Grow, Prepare, Prune, Take


@dataclass(frozen=True)
class Plan:
    """Everything that a tree depends on besides the table and its split.

    edits : steps by hand, in order; those that do not find their node are not in force.
    """

    prepare: Prepare = Prepare()
    grow: Grow = Grow()
    prune: Prune = Prune()
    edits: tuple[Edit | Take, ...] = ()

    def text(self) -> str:
        """The steps in words."""
        prepare = () if self.prepare == Prepare() else (self.prepare,)
        return " → ".join(step.text() for step in (*prepare, self.grow, self.prune, *self.edits))


def in_force() -> Plan:
    """The plan of the tree that the pages are about."""

    def make() -> Plan:
        r = state.record()
        return Plan(r.prepare, r.grow, r.prune, r.edits)

    return state.derived("plan", make)


def growth_in_force() -> GrowSettings:
    """The complete settings of growth of that tree."""
    return state.derived("growth", lambda: state.record().grow.growth())
