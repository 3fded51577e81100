"""The rules of a tree together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from treecore.brief import Brief
from treecore.data.frames import as_pandas
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.rules.cover import Columns
from treecore.rules.from_tree import path_rules
from treecore.rules.implied import without_implied
from treecore.rules.judged import Judged
from treecore.rules.rule import Figures, Rule, numbered
from treecore.rules.rule_list import RuleList, listed
from treecore.rules.simplify import simplified_rule
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from treecore.data.table import RowsLike


@dataclass(frozen=True)
class RuleProgress:
    """How far post-pruning has come. n_done : rules of n_rules."""

    n_done: int
    n_rules: int


@dataclass(frozen=True, eq=False, repr=False)
class RuleSet(Brief):
    """One rule per leaf, from the left of the tree to its right."""

    tree: Tree
    rules: tuple[Rule, ...]

    def __str__(self) -> str:
        """One rule per line, numbered; of many the first ones."""
        return numbered(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, place: int) -> Rule:
        return self.rules[place]

    @property
    def n_conditions(self) -> int:
        """Conditions of all rules together."""
        return sum(len(rule.conditions) for rule in self.rules)

    def covered(self, rows: "RowsLike") -> list[np.ndarray]:
        """For every rule, int64 positions of the rows it covers. rows : a Table or a DataFrame."""
        values = Columns(self.tree, as_pandas(rows))
        return [rule.covered(values) for rule in self.rules]

    def figures(self, table: Table | Judged) -> tuple[Figures, ...]:
        """How every rule does on the rows of a table."""
        judged = Judged.of(self.tree, table)
        return tuple(judged.figures(rule) for rule in self.rules)

    def without_implied(self) -> "RuleSet":
        """Without the conditions that follow from the others; every rule covers the same rows as before."""
        return replace(self, rules=tuple(without_implied(rule) for rule in self.rules))

    def simplified(
        self,
        validation: Table | Judged,
        train: Table | Judged | None = None,
        progress: Callable[[RuleProgress], None] | None = None,
    ) -> "RuleSet":
        """Rule post-pruning: every rule without the preconditions that do not lower its validation error.

        train : the training rows, for the figures and class shares of the shorter rules; without them these are
        unknown, and the shares stay those of the leaf. Rules that cover no validation row are kept as they are.
        progress : called before every rule; an exception that it raises ends the work. TreecoreError without
        validation rows.
        """
        if validation is None or not (len(validation) if isinstance(validation, Judged) else validation.n_rows):
            raise TreecoreError(
                "There are no validation rows to judge rules by",
                where="Rule post-pruning",
                remedy="Give validation rows a share when the table is split into roles",
            )
        judged = Judged.of(self.tree, validation)
        counted, made = None if train is None else Judged.of(self.tree, train), []
        for rule in self.rules:
            if progress is not None:
                progress(RuleProgress(len(made), len(self)))
            short = simplified_rule(rule, judged)
            made.append(_counted(self.tree, short, counted) if short.dropped else short)
        return replace(self, rules=tuple(made))

    def listed(self, validation: Table | Judged | None = None, train: Table | Judged | None = None) -> RuleList:
        """In an order, so that the first rule that covers a row answers; see rule_list.listed."""
        return listed(self.tree, self.rules, validation, train)


def _counted(tree: Tree, rule: Rule, train: Judged | None) -> Rule:
    """The rule with the figures and the class shares of the training rows that it covers; unknown without them."""
    if train is None:
        return replace(rule, train=None)
    figures = train.figures(rule)
    if not tree.classes or not figures.weight > 0:
        return replace(rule, train=figures)
    totals = train.totals_of(rule) * tree.prior_factor
    return replace(rule, train=figures, shares=tuple((totals / max(totals.sum(), 1e-300)).tolist()))


def rules(tree: Tree, merged: bool = True) -> RuleSet:
    """Every path from the root to a leaf as a rule: IF conditions THEN answer.

    merged : conditions on one feature are taken together; else every branch is a condition of its own.
    """
    return RuleSet(tree, path_rules(tree, merged))
