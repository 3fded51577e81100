"""A worked example for an HTML page: steps of text and figures, each with the tree that it is about."""

from dataclasses import dataclass

from treecore.brief import Brief, visible
from treecore.errors import TreecoreError
from treecore.export.format import ExportRequest
from treecore.tree.tree import Tree, split_order

EXAMPLE_OPTION = ("example", None)
"""Of an export: a WorkedExample that goes into it."""


@dataclass(frozen=True, eq=False, repr=False)
class ExampleStep(Brief):
    """One step of a worked example, in plain text.

    title, text : what is looked at, and what to see. tree : that the step is about. node : of it, the one that is
    selected. made : how many of its splits are made at this step, in the order of its growth; None for all. place :
    where the step is printed. figures : (what, as printed, as computed). remarks : on the figures.
    TreecoreError for a node or a number of splits that the tree does not have.
    """

    title: str
    text: str
    tree: Tree
    node: int = 0
    made: int | None = None
    place: str = ""
    figures: tuple[tuple[str, str, str], ...] = ()
    remarks: tuple[str, ...] = ()

    def __post_init__(self):
        splits = len(split_order(self.tree))
        if self.made is None:
            object.__setattr__(self, "made", splits)
        if not 0 <= self.made <= splits:
            remedy = f"Give 0 to {splits}, or None for all"
            raise TreecoreError(f"The tree has no {self.made} splits", where=f"Step {self.title!r}", remedy=remedy)
        if not 0 <= self.node < self.tree.n_nodes:
            remedy = f"Give 0 to {self.tree.n_nodes - 1}"
            raise TreecoreError(f"The tree has no node {self.node}", where=f"Step {self.title!r}", remedy=remedy)

    def in_words(self) -> dict:
        """Its texts, in which everything can be seen."""
        return {
            "title": visible(self.title), "text": visible(self.text), "place": visible(self.place),
            "figures": [[visible(str(cell)) for cell in figure] for figure in self.figures],
            "remarks": [visible(remark) for remark in self.remarks],
        }  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class WorkedExample(Brief):
    """Steps that are walked through, one after the other. label : its name, for people."""

    label: str
    steps: tuple[ExampleStep, ...]


def worked_example_of(given: ExportRequest) -> WorkedExample | None:
    """The example that goes into the export, None where none does; TreecoreError for what is none, or has no step."""
    example = given.options.get("example")
    if example is None or (isinstance(example, WorkedExample) and example.steps):
        return example
    remedy = "Give a WorkedExample of some steps; treecore.teach.index.worked_example makes those of the notes"
    raise TreecoreError("This is no worked example with steps", where="example", remedy=remedy)
