"""Targets whose leaves answer with lines: of numbers by the line itself, of two classes by its log-odds."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from treecore.criteria.criterion import missed
from treecore.errors import TreecoreError
from treecore.figures import brief, grouped, in_unit, number, percent
from treecore.target.classes import OF_ANSWERS, ClassTarget
from treecore.target.numbers import NumberTarget
from treecore.target.target import OWN, Target, TreeLike


def signed(coefficient: float, text: str) -> str:
    """ " + 4.5 × area" or " − 0.2 × age": a term behind another one. text : of its size and what it multiplies."""
    return f" {'−' if coefficient < 0 else '+'} {text}"


def signed_number(value: float, write: Callable[[float], str] = number) -> str:
    """A number in a sum, with the sign of mathematics and separators of thousands."""
    return grouped(write(value)).replace("-", "−")


def one_answer_wanted() -> TreecoreError:
    """Refuses what is made for nodes that have one answer each."""
    return TreecoreError(
        "The leaves of this tree answer with lines, and this is made for leaves that have one answer each",
        where="leaf_model",
        remedy="Choose: constant",
    )


class AnsweredByLines(Target):
    """What targets of every kind say where no node has one answer for all of its rows, but a line."""

    def needs_rows(self, measure: str) -> bool:
        return True

    def values(self, tree: TreeLike) -> np.ndarray:
        raise one_answer_wanted()

    def leaf_errors(self, tree: TreeLike, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
        """Refused: errors of lines do not follow from sums of the target alone."""
        self.check_loss(tree, measure)
        what = "The errors of lines do not follow from a node's sums, by which this judges"
        raise TreecoreError(what, where="leaf_model", remedy="Choose: constant")

    def answers_of_lines(self, line: np.ndarray) -> np.ndarray:
        """What nodes answer whose lines are these numbers, float64 (m,): the same, or class shares (m, n_classes)."""
        return line

    def log_odds_cut(self, tree: TreeLike) -> float:
        """See ClassLineTarget: lines of numbers give no odds."""
        raise NotImplementedError

    kept_losses: ClassVar[tuple[str, ...]] = ()
    """Measures that lines keep of their training rows, besides the one that labels are chosen by."""

    def line_losses(self, tree: TreeLike, truth: np.ndarray, line: np.ndarray) -> list[np.ndarray]:
        """What rows lose that their node answers by its line, float64 (m,) each: by the measure that labels are chosen
        by, and by each of kept_losses.

        truth : as in row_sums. line : float64 (m,), what the lines are for these rows."""
        raise NotImplementedError

    def sum_texts(self, tree: TreeLike, terms: str, line: float) -> tuple[str, ...]:
        """What a line is for a row, written out. terms : the sum of its terms. line : what they come to."""
        return (f"{self.line_name(tree)} = {terms} = {self.line_value_text(tree, line)}",)

    def line_value_text(self, tree: TreeLike, line: float) -> str:
        """What a line comes to, as people read it."""
        raise NotImplementedError

    def line_name(self, tree: TreeLike) -> str:
        """What lines are a number of: the target, or the log-odds of its second class."""
        raise NotImplementedError

    def constant_text(self, tree: TreeLike, intercept: float) -> str:
        """The answer of a line without terms."""
        raise NotImplementedError

    def line_text(self, tree: TreeLike, node: int, write: Callable[[float], str] = brief) -> str:
        """ "12.3 + 4.5 × area − 0.2 × age", the line that answers for a node; a constant as an answer is written."""
        at = int(tree.answer[node])
        if at < 0:
            return "no answer"
        line = tree.lines.line(at)
        if not line.terms:
            return self.constant_text(tree, line.intercept)
        text = signed_number(line.intercept, write)
        for term in line.terms:
            size = f"{grouped(write(abs(term.coefficient)))} × {tree.schema.features[term.feature].name}"
            text += signed(term.coefficient, size)
        return text

    def ranges_text(self, tree: TreeLike, node: int) -> str:
        """ "area from 40 to 210, age from 0 to 95": where a node's line was fitted; '' for a constant."""
        at = int(tree.answer[node])
        parts = []
        for term in tree.lines.line(at).terms if at >= 0 else ():
            feature = tree.schema.features[term.feature]
            low, high = (feature.in_unit(grouped(number(end))) for end in (term.low, term.high))
            parts.append(f"{feature.name} from {low} to {high}")
        return ", ".join(parts)

    def cell_text(self, tree: TreeLike, node: int) -> str:
        return self.line_text(tree, node, number)

    def card_line(self, tree: TreeLike, node: int) -> str:
        """ "+4.5 area …": the term that was found first, and whether there are more."""
        at = int(tree.answer[node])
        terms = tree.lines.line(at).terms if at >= 0 and tree.is_leaf[node] else ()
        if not terms:
            return ""
        sign = "−" if terms[0].coefficient < 0 else "+"
        name = tree.schema.features[terms[0].feature].name
        return f"{sign}{brief(abs(terms[0].coefficient))} {name}{' …' if len(terms) > 1 else ''}"

    def has_terms(self, tree: TreeLike, node: int) -> bool:
        """Does the answer of a node change with the row?"""
        at = int(tree.answer[node])
        return at >= 0 and bool(tree.lines.n_terms[at])

    def details(self, tree: TreeLike, node: int) -> tuple[tuple[str, str], ...]:
        if int(tree.answer[node]) < 0:
            return ()
        result = [("line", f"{self.line_name(tree)} = {self.line_text(tree, node)}")]
        ranges = self.ranges_text(tree, node)
        return (*result, *([("fitted for", ranges)] if ranges else []))


class LineTarget(AnsweredByLines, NumberTarget):
    """Numbers, answered by the line of the node that a row ends in: what sums the node's rows up is their mean."""

    def summaries(self, tree: TreeLike) -> np.ndarray:
        return NumberTarget.values(self, tree)

    def line_losses(self, tree: TreeLike, truth: np.ndarray, line: np.ndarray) -> list[np.ndarray]:
        return [(truth - line) ** 2]

    def training_errors(self, tree: TreeLike, staying: np.ndarray, measure: str = OWN) -> tuple[np.ndarray, np.ndarray]:
        self.check_loss(tree, measure)
        if self.losses[measure] != 2:
            remedy = "Take the squared error, by which lines are fitted"
            raise TreecoreError("Lines keep no absolute errors", where="measure", remedy=remedy)
        return tree.lines.error, np.where(tree.is_leaf, tree.lines.error, tree.lines.inside)

    def line_name(self, tree: TreeLike) -> str:
        return tree.schema.target

    def constant_text(self, tree: TreeLike, intercept: float) -> str:
        return self.value_text(tree, intercept)

    def line_value_text(self, tree: TreeLike, line: float) -> str:
        return self.value_text(tree, line)

    def answer_text(self, tree: TreeLike, node: int) -> str:
        return self.line_text(tree, node)

    def card_text(self, tree: TreeLike, node: int) -> str:
        """ "mean 195,196 €": what sums the node's rows up, where there is no room for its line."""
        return f"mean {self.scale_text(tree, node)}"

    def scale_text(self, tree: TreeLike, node: int) -> str:
        return self.value_text(tree, float(tree.summary[node]))

    def end_text(self, tree: TreeLike, node: int, rows: str) -> str:
        if not self.has_terms(tree, node):
            return super().end_text(tree, node, rows)
        return f"By the line of its leaf, fitted to {rows}; {self.spread_text(tree, node)}."

    def line_deviation(self, tree: TreeLike, node: int) -> float:
        """Root mean squared error of the node's line on its training rows; NaN without rows."""
        weight = float(tree.weight[node])
        return float(np.sqrt(tree.lines.error[node] / weight)) if weight > 0 else float("nan")

    def spread_text(self, tree: TreeLike, node: int) -> str:
        off = in_unit(brief(self.line_deviation(tree, node)), tree.schema.target_unit)
        return f"{super().spread_text(tree, node)}, {off} around the line"

    def whole_line(self, tree: TreeLike, node: int) -> str:
        return self.line_text(tree, node) if self.has_terms(tree, node) else ""

    def fit_text(self, tree: TreeLike, node: int) -> str:
        return f"± {in_unit(brief(self.line_deviation(tree, node)), tree.schema.target_unit)}"

    def quantity(self, tree: TreeLike) -> str:
        return f"mean {tree.schema.target}"


def logistic(line: Any) -> Any:
    """1 / (1 + e^-s), the share of the second class where its log-odds are s; NaN stays."""
    return 1.0 / (1.0 + np.exp(-np.clip(line, -700.0, 700.0)))  # e^709 is the last number


class ClassLineTarget(AnsweredByLines, ClassTarget):
    """Two classes, answered by the line of the node that a row ends in, which gives the log-odds of the second class:
    what sums the node's rows up are their class shares, and the label that these give."""

    held: ClassVar[str] = "classes, answered by lines"
    kept_losses: ClassVar[tuple[str, ...]] = ("log_loss", "brier")
    n_card_lines: ClassVar[int] = 1
    own_kind: ClassVar[str] = "lines of classes"

    @property
    def kinds(self) -> tuple[str, ...]:
        return (*super().kinds, self.own_kind)

    def node_shares(self, tree: TreeLike) -> np.ndarray:
        raise one_answer_wanted()

    def summaries(self, tree: TreeLike) -> np.ndarray:
        return ClassTarget.values(self, tree)

    def answers_of_lines(self, line: np.ndarray) -> np.ndarray:
        second = logistic(line)
        return np.stack([1.0 - second, second], axis=1)

    def log_odds_cut(self, tree: TreeLike) -> float:
        """The log-odds above which a row is answered with the second class; infinite where costs never or always do."""
        if tree.loss is None:
            return 0.0
        first, second = float(tree.loss[0, 1] - tree.loss[0, 0]), float(tree.loss[1, 0] - tree.loss[1, 1])
        if first > 0 and second > 0:
            return float(np.log(first / second))
        return float("inf") if first >= 0 >= second else float("-inf")

    def misclassified(self, tree: TreeLike, stats: np.ndarray) -> np.ndarray:
        return self.leaf_errors(tree, stats)

    def class_losses(self, tree: TreeLike, measure: str = OWN, factor: np.ndarray | None = None) -> np.ndarray:
        return self.leaf_errors(tree, tree.stats, measure)

    def _label_losses(self, tree: TreeLike, truth: np.ndarray, shares: np.ndarray, loss: np.ndarray | None):
        """float64 (m,): what the labels of these shares cost rows of these classes; see ClassTarget.class_losses."""
        loss = 1.0 - np.eye(len(self.classes)) if loss is None else loss
        return np.append(loss, loss.max(axis=1, keepdims=True), axis=1)[truth, self.labels_of_shares(tree, shares)]

    def row_losses(
        self, tree: TreeLike, measure: str, factor: np.ndarray | None = None
    ) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        """(class indices (m,), class shares (m, K)) -> float64 (m,): as ClassTarget.class_losses has them per node."""
        self.check_loss(tree, measure)
        factor = tree.prior_factor if factor is None else factor

        def losses(truth: np.ndarray, shares: np.ndarray) -> np.ndarray:
            if measure == "brier":
                shares = np.nan_to_num(shares)
                lost = 1.0 - 2.0 * shares[np.arange(len(truth)), truth] + (shares**2).sum(axis=1)
            elif measure == "log_loss":
                own = np.where(np.isnan(shares), tree.summary_shares[0], shares)[np.arange(len(truth)), truth]
                lost = -np.log(np.maximum(own, np.finfo(float).tiny))
            else:
                lost = self._label_losses(tree, truth, shares, None if measure == "accuracy" else tree.loss)
            return lost * factor[truth]

        return losses

    def line_losses(self, tree: TreeLike, truth: np.ndarray, line: np.ndarray) -> list[np.ndarray]:
        loss = missed(tree.loss) if tree.loss is not None and tree.earns else tree.loss
        truth, shares = np.asarray(truth, np.int64), self.answers_of_lines(line)
        own = self._label_losses(tree, truth, shares, loss) * tree.prior_factor[truth]
        return [own, *(self.row_losses(tree, measure)(truth, shares) for measure in self.kept_losses)]

    def training_errors(self, tree: TreeLike, staying: np.ndarray, measure: str = OWN) -> tuple[np.ndarray, np.ndarray]:
        self.check_loss(tree, measure)
        kept = getattr(tree.lines, measure) if measure in self.kept_losses else None
        if kept is not None:
            return kept[:, 0], np.where(tree.is_leaf, kept[:, 0], kept[:, 1])
        if measure not in OF_ANSWERS and not (measure == "accuracy" and tree.loss is None and tree.priors is None):
            what = "Its lines keep the errors of their labels in training, not this loss"
            raise TreecoreError(what, where="risk", remedy=f"Choose: {OWN}")
        return tree.lines.error, np.where(tree.is_leaf, tree.lines.error, tree.lines.inside)

    def line_name(self, tree: TreeLike) -> str:
        return f"log-odds of “{tree.class_names[1]}”"

    def constant_text(self, tree: TreeLike, intercept: float) -> str:
        return f"{signed_number(intercept, brief)} ({percent(float(logistic(intercept)))})"

    def answer_text(self, tree: TreeLike, node: int) -> str:
        at = int(tree.answer[node])
        return f"{self.line_name(tree)} = {self.line_text(tree, node)}" if at >= 0 else "no answer"

    def line_value_text(self, tree: TreeLike, line: float) -> str:
        return signed_number(line, brief)

    def sum_texts(self, tree: TreeLike, terms: str, line: float) -> tuple[str, ...]:
        power = f"e^{signed_number(-line)}" if line < 0 else f"e^−{signed_number(line)}"
        share = f"share of “{tree.class_names[1]}” = 1 / (1 + {power}) = {percent(float(logistic(line)))}"
        return (*super().sum_texts(tree, terms, line), share)

    def rule_words(self, tree: TreeLike, node: int) -> tuple[str, str]:
        return self.line_name(tree), self.line_text(tree, node)

    def card_text(self, tree: TreeLike, node: int) -> str:
        """The class that most of the node's rows have, where there is no room for its line."""
        label = int(tree.summary[node])
        return tree.class_names[label] if label >= 0 else "no answer"

    def card_lines(self, tree: TreeLike, node: int) -> list[list[str]]:
        line = self.card_line(tree, node)
        return [["line" if line else "", line]]

    def short_text(self, tree: TreeLike, node: int) -> str:
        return self.card_text(tree, node)

    def whole_line(self, tree: TreeLike, node: int) -> str:
        line = self.line_text(tree, node)
        return f"{self.line_name(tree)} = {line}" if self.has_terms(tree, node) else ""

    def node_text(self, tree: TreeLike, node: int) -> str:
        weight = float(tree.weight[node])
        if not (weight > 0 and tree.answer[node] >= 0) or tree.loss is not None or tree.priors is not None:
            return ""
        return f"{percent(1.0 - float(tree.lines.error[node]) / weight)} right"
