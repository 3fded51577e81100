"""The rules of a tree together: as a set, and as a list in which the first rule that covers a row answers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treecore.brief import Brief, visible
from treecore.data.frames import as_pandas
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.rules.cover import Cover, LabelledRows, RuleColumns
from treecore.rules.from_tree import path_rules
from treecore.rules.rule import Figures, Rule, numbered
from treecore.rules.simplify import has_answer, simplified_rule, without_implied
from treecore.tree.predict import answers_at, predictions_at
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from treecore.data.table import RowsLike


# Rules in an order: the first that covers a row answers for it.


@dataclass(frozen=True, eq=False, repr=False)
class RuleList(Brief):
    """Rules in the order of their use, and the answer for rows that none covers.

    validation : figures by which they were sorted, one per rule; () where the order is the tree's.
    default : class index or number; default_shares : class shares it answers with, () for numbers.
    default_rows : training rows that it is from; None: it is what the root answers.
    """

    tree: Tree
    rules: tuple[Rule, ...]
    default: int | float
    default_shares: tuple[float, ...]
    default_rows: int | None
    validation: tuple[Figures, ...] = ()

    def __str__(self) -> str:
        """The rules in the order of their use, and the default."""
        otherwise = visible(f"else {self.tree.target_kind.answer_name(self.tree)} = {self.default_text}")
        return f"{numbered(self.rules)}\n{otherwise}" if self.rules else otherwise

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def default_text(self) -> str:
        """The default answer in words."""
        if not self.tree.classes:
            return self.tree.target_kind.value_text(self.tree, float(self.default))
        return self.tree.class_names[int(self.default)] if self.default >= 0 else "no answer"

    @property
    def unjudged(self) -> int:
        """How many rules cover no validation row; they stand at the end."""
        return sum(f.weight <= 0 for f in self.validation)

    def largest(self, n: int) -> list[int]:
        """Positions of the n rules that cover most training weight, in the order of the list."""
        weight = [-rule.train.weight if rule.train else 0.0 for rule in self.rules]
        return sorted(np.argsort(weight, kind="stable")[:n].tolist())

    def answered(self, rows: Any) -> np.ndarray:
        """int64 (n_rules + 1,): rows that each rule answers for, being the first to cover them; last the default's."""
        fired = rows.cover.fired(self.rules) if isinstance(rows, LabelledRows) else self.fired(rows)
        return np.roll(np.bincount(fired + 1, minlength=len(self) + 1), -1)

    def fired(self, rows: Any) -> np.ndarray:
        """int64 (n_rows,): position in `rules` of the rule that answers for each row, -1 for the default."""
        return Cover(self.tree, rows).fired(self.rules)

    def predict(self, rows: Any) -> np.ndarray:
        """Class labels (object; None for "no answer") or float64 numbers. rows : a Table or a DataFrame."""
        answers = self._answers(self.fired(rows), None if self.tree.lines is None else predictions_at(self.tree, rows))
        return np.array([*self.tree.classes, None], object)[answers] if self.tree.classes else answers

    def predict_proba(self, rows: Any) -> np.ndarray:
        """float64 (n_rows, n_classes): class shares of the training rows that the rule answers from, or by its line."""
        if not self.tree.classes:
            what = "Rules that answer with numbers have no class shares"
            raise TreecoreError(what, where="Rules", remedy="Use predict")
        fired = self.fired(rows)
        shares = np.array([*(rule.shares for rule in self.rules), self.default_shares])[fired]
        if self.tree.lines is None:
            return shares
        leaf, at = np.array([*(rule.leaf for rule in self.rules), 0])[fired], np.arange(len(fired))
        return np.where(fired[:, None] < 0, shares, answers_at(self.tree, rows)(at, leaf))

    def error(self, table: Table | LabelledRows) -> float:
        """Share of wrong answers, or the mean squared error, by weight; NaN where no row can be judged."""
        judged = LabelledRows.of(self.tree, table)
        return judged.error(self._answers(judged.cover.fired(self.rules), judged.answers))

    def _answers(self, fired: np.ndarray, by_line: Callable | None) -> np.ndarray:
        """What the rules at these positions say, -1 the default. by_line : see LabelledRows.answers."""
        if by_line is not None:
            leaf = np.array([*(rule.leaf for rule in self.rules), -1])[fired]
            return np.where(fired < 0, self.default, by_line(np.arange(len(fired)), np.maximum(leaf, 0)))
        kind = np.int64 if self.tree.classes else np.float64
        return np.array([*(rule.answer for rule in self.rules), self.default], kind)[fired]


def ordered_rules(
    tree: Tree, rules: tuple[Rule, ...], validation: Table | LabelledRows | None, train: Table | LabelledRows | None
) -> RuleList:
    """The rules sorted by their error on the validation rows they cover, best first.

    Of equals the one that covers more validation rows comes first, then the one further left in the tree; rules that
    cover none come last. Without validation rows the order stays. The default answer is the class of least expected
    cost (that of most weight, where errors cost the same), or the mean, of the training rows that no rule covers;
    what the root answers where all are covered, or without train.
    """
    figures: tuple[Figures, ...] = ()
    if validation is not None:
        judged = LabelledRows.of(tree, validation)
        each = [judged.figures(rule) for rule in rules]
        order = sorted(range(len(rules)), key=lambda i: _merit(rules[i], each[i]))
        rules, figures = tuple(rules[i] for i in order), tuple(each[i] for i in order)
    default, shares, n_rows = _default(tree, rules, train)
    return RuleList(tree, rules, default, shares, n_rows, figures)


def _merit(rule: Rule, figures: Figures) -> tuple:
    silent, unknown = not has_answer(rule), not figures.weight > 0
    # errors that are equal by the formula may differ in their last digits
    return silent, unknown, 0.0 if silent or unknown else round(figures.error, 12), -figures.weight


def _default(tree: Tree, rules: tuple[Rule, ...], train: Table | LabelledRows | None) -> tuple:
    """(answer, class shares, training rows that it is from)."""
    shares = tuple(tree.summary_shares[0].tolist()) if tree.classes else ()
    root = (tree.summary[0].item(), shares, None)
    if train is None:
        return root
    judged = LabelledRows.of(tree, train)
    rows = np.flatnonzero((judged.cover.fired(rules) < 0) & (judged.weight > 0))
    if not len(rows):
        return root
    if tree.schema.row_loss is not None:
        return tree.schema.row_loss.best(judged.truth[rows], judged.weight[rows]), (), len(rows)
    if not tree.classes:
        return float(np.average(judged.truth[rows], weights=judged.weight[rows])), (), len(rows)
    totals = judged.totals(rows)
    shares = totals * tree.prior_factor
    return int(tree.labels_of(totals[None])[0]), tuple((shares / max(shares.sum(), 1e-300)).tolist()), len(rows)


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
        values = RuleColumns(self.tree, as_pandas(rows))
        return [rule.covered(values) for rule in self.rules]

    def figures(self, table: Table | LabelledRows) -> tuple[Figures, ...]:
        """How every rule does on the rows of a table."""
        judged = LabelledRows.of(self.tree, table)
        return tuple(judged.figures(rule) for rule in self.rules)

    def without_implied(self) -> "RuleSet":
        """Without the conditions that follow from the others; every rule covers the same rows as before."""
        return replace(self, rules=tuple(without_implied(rule) for rule in self.rules))

    def simplified(
        self,
        validation: Table | LabelledRows,
        train: Table | LabelledRows | None = None,
        progress: Callable[[RuleProgress], None] | None = None,
    ) -> "RuleSet":
        """Rule post-pruning: every rule without the preconditions that do not lower its validation error.

        train : the training rows, for the figures and class shares of the shorter rules; without them these are
        unknown, and the shares stay those of the leaf. Rules that cover no validation row are kept as they are.
        progress : called before every rule; an exception that it raises ends the work. TreecoreError without
        validation rows.
        """
        if validation is None or not (len(validation) if isinstance(validation, LabelledRows) else validation.n_rows):
            raise TreecoreError(
                "There are no validation rows to judge rules by",
                where="Rule post-pruning",
                remedy="Give validation rows a share when the table is split into roles",
            )
        judged = LabelledRows.of(self.tree, validation)
        counted = None if train is None else LabelledRows.of(self.tree, train)
        made: list[Rule] = []
        for rule in self.rules:
            if progress is not None:
                progress(RuleProgress(len(made), len(self)))
            short = simplified_rule(rule, judged)
            made.append(_counted(self.tree, short, counted) if short.dropped else short)
        return replace(self, rules=tuple(made))

    def listed(
        self, validation: Table | LabelledRows | None = None, train: Table | LabelledRows | None = None
    ) -> RuleList:
        """In an order, so that the first rule that covers a row answers; see ordered_rules."""
        return ordered_rules(self.tree, self.rules, validation, train)


def _counted(tree: Tree, rule: Rule, train: LabelledRows | None) -> Rule:
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
