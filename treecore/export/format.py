"""What every format of an export is: an entry of the registry, and what it is given."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.judging.interest import FlagRule, Interest, interest_named, interest_of
from treecore.tree.oblique import oblique_nodes
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class ExportRequest(Brief):
    """What may be written down.

    tree : as it stands, pruned. name : of the table or file, for titles. rows : the training rows, or None; formats
    that need them refuse without. options : of one format, checked against its `options`. interest : name of the class
    whose share texts and pictures tell; None: the rarer of two; see judging.interest.
    """

    tree: Tree
    name: str = "tree"
    rows: Table | None = None
    options: dict = field(default_factory=dict)
    interest: str | None = None

    @cached_property
    def looked_for(self) -> Interest | None:
        """The class of interest."""
        return interest_of(self.tree, self.interest)

    @property
    def trained_on(self) -> Table | None:
        """The rows, where they are those of the tree's figures by their number; else None."""
        return self.rows if self.rows is not None and self.rows.n_rows == self.tree.n_rows[0] else None

    @cached_property
    def rules(self):
        """One rule per leaf, without implied conditions."""
        from treecore.rules import rules

        return rules(self.tree).without_implied()


FLAG_OPTIONS = (("flag", None),)
"""Of formats that can flag rows: a FlagRule, or its threshold for the class of interest."""


def flag_rule(given: ExportRequest) -> FlagRule | None:
    """The rule by which an export flags rows; None where it flags none. TreecoreError for a class that is none."""
    flag, tree = given.options.get("flag"), given.tree
    if flag is None:
        return None
    if not isinstance(flag, FlagRule):
        flag = FlagRule(flag, interest_named(tree, given.interest))
    flag.rates(tree)
    return flag


@dataclass(frozen=True)
class Format:
    """One way in which a tree leaves.

    name, label : as in every registry. group : "picture", "rules", "model" or "table", a heading of the menu.
    suffix : of a file, with its dot. media : the media type. write : Given -> str, or bytes.
    limits : what it cannot express and why, for people; '' where it says all. refuse : Given -> the reason why this
    tree cannot be written, '' where it can. options : name -> default, what may be set besides. sums : can it say a
    threshold on a weighted sum of features, as oblique splits ask? lines : can it say a leaf that answers with a line?
    log_odds : also where the line gives the log-odds of a class?
    """

    name: str
    label: str
    group: str
    suffix: str
    media: str
    write: Callable[[ExportRequest], str | bytes]
    limits: str = ""
    refuse: Callable[[ExportRequest], str] = lambda given: ""
    options: tuple[tuple[str, object], ...] = ()
    sums: bool = False
    lines: bool = False
    log_odds: bool = False

    def written(self, given: ExportRequest) -> str | bytes:
        """The export; TreecoreError with the reason where the format cannot say this tree."""
        reason = self.reason(given)
        if reason:
            raise TreecoreError(reason, where=self.label, remedy=self.limits or "Choose another format")
        return self.write(given)

    def reason(self, given: ExportRequest) -> str:
        """Why it cannot say this tree; '' where it can."""
        nodes = [] if self.sums else oblique_nodes(given.tree).tolist()
        if nodes:
            return f"Node {nodes[0]} asks for a weighted sum of features, which {self.label} does not say yet"
        if given.tree.lines is not None and not self.lines:
            return f"The leaves answer with lines, which {self.label} does not say yet"
        if given.tree.lines is not None and given.tree.classes and not self.log_odds:
            return f"The leaves answer with lines of log-odds, which {self.label} does not say yet"
        return self.refuse(given)
