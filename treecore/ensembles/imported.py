"""Trees of a model made elsewhere that answer together: averaged, or added up and put through a link function."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from treecore.data.column import numeric_column
from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble, softmax
from treecore.registry import Registry
from treecore.tree.node_statistics import labels_among
from treecore.tree.values import n_rows_of


@dataclass(frozen=True)
class LinkFunction:
    """applied : scores, float64 or float32 (n_rows, K), K = 1 for one score -> answers of the same shape.

    formula : in LaTeX, of a score z.
    """

    name: str
    label: str
    formula: str
    applied: Callable[[np.ndarray], np.ndarray]


def _logistic(scores: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-scores))


def _exponential(scores: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.exp(scores)


def _one_against_rest(scores: np.ndarray) -> np.ndarray:
    each = _logistic(scores)
    return each / each.sum(axis=1, keepdims=True)


LINKS: Registry[LinkFunction] = Registry(
    "link function",
    LinkFunction("identity", "the sum itself", "z", lambda scores: scores),
    LinkFunction("logistic", "logistic function", r"1 / (1 + e^{-z})", _logistic),
    LinkFunction("softmax", "softmax", r"e^{z_k} / \sum_j e^{z_j}", softmax),
    LinkFunction(
        "one against rest", "logistic functions, shared out", r"\sigma(z_k) / \sum_j \sigma(z_j)", _one_against_rest
    ),
    LinkFunction("exponential", "exponential function", "e^z", _exponential),
    LinkFunction("signed square", "square with the sign kept", r"\mathrm{sign}(z)\, z^2", lambda z: np.sign(z) * z * z),
)


def with_numbers(rows: Table, numbers: np.ndarray, name: str) -> Table:
    """The rows with these numbers as their target, in the place of a column of this name."""
    target = numeric_column(name, numbers)
    columns = tuple(c for c in rows.columns if c.name != name)
    return replace(rows, columns=(*columns, target), target=name)


@dataclass(frozen=True, eq=False, repr=False)
class Averaged(Ensemble):
    """A forest: class shares, or numbers, averaged. table : rows to count, None where there were none.

    names : of the classes, () for numbers. made_by : the package's name for it.
    """

    names: tuple[str, ...] = ()
    made_by: str = ""

    @property
    def classes(self) -> tuple[str, ...]:
        return self.names

    def predict_proba(self, rows: Table) -> np.ndarray:
        """float64 (n_rows, n_classes), in the order of `classes`."""
        *_, last = self.votes(rows)
        return last / self.weights.sum()


@dataclass(frozen=True, eq=False, repr=False)
class SummedTrees(Ensemble):
    """Boosted trees: what their leaves say is added up, to one score or one per class, and put through a link.

    table : rows to count, None where there were none. names : of the classes, () for numbers. adds_to : int64
    (n_trees,), the score that each tree adds to. starts : the scores without any tree. link : in LINKS. precision : the
    kind of number in which the package adds up. weights : by which each tree's outputs are multiplied. factor : of the
    sum before the link. ties_up : of two classes with one score, is it the second that wins at a score of 0?
    averaged : is the sum divided by the number of trees per score? made_by : the package.
    """

    names: tuple[str, ...] = ()
    adds_to: np.ndarray = None
    starts: np.ndarray = None
    link: str = "identity"
    precision: str = "float64"
    factor: float = 1.0
    ties_up: bool = False
    averaged: bool = False
    made_by: str = ""

    @property
    def classes(self) -> tuple[str, ...]:
        return self.names

    def scores(self, rows: Table) -> Iterator[np.ndarray]:
        """After each tree: (n_rows, n scores), the sums so far. The array is the same one every time."""
        total = np.tile(self.starts.astype(self.precision), (n_rows_of(rows), 1))
        for tree, weight, k in zip(self.trees, self.weights, self.adds_to, strict=True):
            total[:, k] += np.asarray(tree.predict(rows), self.precision) * total.dtype.type(weight)
            yield total

    def raw_scores(self, rows: Table) -> np.ndarray:
        """(n_rows, n scores), in `precision`: the sums of all trees, before the link."""
        total = np.tile(self.starts.astype(self.precision), (n_rows_of(rows), 1))
        for total in self.scores(rows):  # noqa: B007
            pass
        return total

    def votes(self, rows: Table) -> Iterator[np.ndarray]:
        """After each tree: float64 (n_rows, n_classes) of probabilities, or (n_rows,) of numbers, of all so far."""
        for total in self.scores(rows):
            yield self._answered(total)

    def _answered(self, scores: np.ndarray) -> np.ndarray:
        if self.averaged:
            scores = scores / (len(self.trees) // len(self.starts))
        result = LINKS[self.link].applied(scores * np.asarray(self.factor, scores.dtype)).astype(np.float64)
        if not self.names:
            return result[:, 0]
        return np.concatenate([1 - result, result], axis=1) if result.shape[1] == 1 else result

    def answers(self, rows: Table) -> np.ndarray:
        scores = self.raw_scores(rows)
        if self.names and scores.shape[1] == 1:
            second = scores[:, 0] >= 0 if self.ties_up else self._answered(scores)[:, 1] > 0.5
            return second.astype(np.int64)
        result = self._answered(scores)
        return result.argmax(axis=1) if self.names else result

    def predict_proba(self, rows: Table) -> np.ndarray:
        """float64 (n_rows, n_classes), in the order of `classes`."""
        return self._answered(self.raw_scores(rows))

    def shares(self, rows: Table) -> np.ndarray:
        """The probabilities: its trees do not vote."""
        return self.predict_proba(rows)

    def adds_to_class(self, place: int) -> str:
        """The class whose score a tree adds to; "" of a numeric target."""
        if not self.names:
            return ""
        return self.names[1] if len(self.starts) == 1 else self.names[self.adds_to[place]]

    def summand(self, place: int, rows: Table) -> Table:
        """The rows with what a tree adds itself in place of the target, which is what its nodes count."""
        return with_numbers(rows, self.trees[place].predict(rows), self.trees[place].schema.target)

    def _truth(self, rows: Table) -> np.ndarray:
        # its trees are of numbers where it is of classes
        target = rows.column(rows.target)
        return labels_among(self.names, target) if self.names else target.values()


@dataclass(frozen=True, eq=False, repr=False)
class WeightedMedian(Ensemble):
    """Trees of numbers that answer with their median, by weight: the least answer up to which half of the weight goes.

    table : rows to count, None where there were none. made_by : the package. Source: Drucker (1997), AdaBoost.R2.
    """

    made_by: str = ""

    @property
    def classes(self) -> tuple[str, ...]:
        return ()

    def votes(self, rows: Table) -> Iterator[np.ndarray]:
        """After each tree: float64 (n_rows,), the median of all so far."""
        answers = np.empty((n_rows_of(rows), len(self.trees)))
        for i, tree in enumerate(self.trees):
            answers[:, i] = tree.predict(rows)
            yield self._median(answers[:, : i + 1])

    def answers(self, rows: Table) -> np.ndarray:
        return self._median(np.stack([np.asarray(tree.predict(rows), float) for tree in self.trees], axis=1))

    def _median(self, answers: np.ndarray) -> np.ndarray:
        order = np.argsort(answers, axis=1)
        weight = np.cumsum(self.weights[: answers.shape[1]][order], axis=1)
        place = (weight >= 0.5 * weight[:, -1:]).argmax(axis=1)
        row = np.arange(len(answers))
        return answers[row, order[row, place]]
