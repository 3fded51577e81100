"""Rules in an order: the first that covers a row answers for it."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief, visible
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.rules.cover import Cover
from treecore.rules.judged import Judged
from treecore.rules.rule import Figures, Rule, numbered
from treecore.rules.simplify import has_answer
from treecore.tree.tree import Tree


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
        otherwise = visible(f"else {self.tree.schema.target} = {self.default_text}")
        return f"{numbered(self.rules)}\n{otherwise}" if self.rules else otherwise

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def default_text(self) -> str:
        """The default answer in words."""
        if not self.tree.classes:
            return self.tree.target_kind.value_text(self.tree, float(self.default))
        return self.tree.class_names[self.default] if self.default >= 0 else "no answer"

    @property
    def unjudged(self) -> int:
        """How many rules cover no validation row; they stand at the end."""
        return sum(f.weight <= 0 for f in self.validation)

    def largest(self, n: int) -> list[int]:
        """Positions of the n rules that cover most training weight, in the order of the list."""
        weight = [-rule.train.weight if rule.train else 0.0 for rule in self.rules]
        return sorted(np.argsort(weight, kind="stable")[:n].tolist())

    def answered(self, rows) -> np.ndarray:
        """int64 (n_rules + 1,): rows that each rule answers for, being the first to cover them; last the default's."""
        fired = rows.cover.fired(self.rules) if isinstance(rows, Judged) else self.fired(rows)
        return np.roll(np.bincount(fired + 1, minlength=len(self) + 1), -1)

    def fired(self, rows) -> np.ndarray:
        """int64 (n_rows,): position in `rules` of the rule that answers for each row, -1 for the default."""
        return Cover(self.tree, rows).fired(self.rules)

    def predict(self, rows) -> np.ndarray:
        """Class labels (object; None for "no answer") or float64 numbers. rows : a Table or a DataFrame."""
        answers = self._answers(self.fired(rows))
        return np.array([*self.tree.classes, None], object)[answers] if self.tree.classes else answers

    def predict_proba(self, rows) -> np.ndarray:
        """float64 (n_rows, n_classes): class shares of the training rows that the rule answers from."""
        if not self.tree.classes:
            what = "Rules that answer with numbers have no class shares"
            raise TreecoreError(what, where="Rules", remedy="Use predict")
        return np.array([*(rule.shares for rule in self.rules), self.default_shares])[self.fired(rows)]

    def error(self, table: Table | Judged) -> float:
        """Share of wrong answers, or the mean squared error, by weight; NaN where no row can be judged."""
        judged = Judged.of(self.tree, table)
        return judged.error(self._answers(judged.cover.fired(self.rules)))

    def _answers(self, fired: np.ndarray) -> np.ndarray:
        kind = np.int64 if self.tree.classes else np.float64
        return np.array([*(rule.answer for rule in self.rules), self.default], kind)[fired]


def listed(
    tree: Tree, rules: tuple[Rule, ...], validation: Table | Judged | None, train: Table | Judged | None
) -> RuleList:
    """The rules sorted by their error on the validation rows they cover, best first.

    Of equals the one that covers more validation rows comes first, then the one further left in the tree; rules that
    cover none come last. Without validation rows the order stays. The default answer is the class of least expected
    cost (that of most weight, where errors cost the same), or the mean, of the training rows that no rule covers;
    what the root answers where all are covered, or without train.
    """
    figures = ()
    if validation is not None:
        judged = Judged.of(tree, validation)
        found = [judged.figures(rule) for rule in rules]
        order = sorted(range(len(rules)), key=lambda i: _merit(rules[i], found[i]))
        rules, figures = tuple(rules[i] for i in order), tuple(found[i] for i in order)
    return RuleList(tree, rules, *_default(tree, rules, train), figures)


def _merit(rule: Rule, figures: Figures) -> tuple:
    silent, unknown = not has_answer(rule), not figures.weight > 0
    # errors that are equal by the formula may differ in their last digits
    return silent, unknown, 0.0 if silent or unknown else round(figures.error, 12), -figures.weight


def _default(tree: Tree, rules: tuple[Rule, ...], train: Table | Judged | None) -> tuple:
    """(answer, class shares, training rows that it is from)."""
    shares = tuple(tree.proba[0].tolist()) if tree.classes else ()
    root = (tree.value[0].item(), shares, None)
    if train is None:
        return root
    judged = Judged.of(tree, train)
    rows = np.flatnonzero((judged.cover.fired(rules) < 0) & (judged.weight > 0))
    if not len(rows):
        return root
    if not tree.classes:
        return float(np.average(judged.truth[rows], weights=judged.weight[rows])), (), len(rows)
    totals = judged.totals(rows)
    shares = totals * tree.prior_factor
    return int(tree.labels_of(totals[None])[0]), tuple((shares / max(shares.sum(), 1e-300)).tolist()), len(rows)
