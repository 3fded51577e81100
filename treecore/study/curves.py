"""How error changes with size along the nested sequence: the picture of over-fitting."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.judging.losses import OF_ANSWERS, OWN, leaf_errors, least_cost, measure_of, reckons
from treecore.judging.measures import LOSS_NAMES, own_measure
from treecore.pruning.risk import last_of_least
from treecore.pruning.sequence import Sequence
from treecore.pruning.validation import CrossValidated, Judgement, check_measure, judgement
from treecore.tree.node_statistics import add_up_statistics, end_statistics
from treecore.tree.tree import Tree

SQUARED = "mean squared error"


@dataclass(frozen=True, eq=False, repr=False)
class SizeCurve(Brief):
    """Sizes and errors of every subtree of a sequence; entry k of each array is step k.

    alpha : float64, rising; n_leaves, n_nodes, depth : int64, falling (a lone root has depth 0).
    measure : what `error` is, see judging.losses.measure_of. by : the name of the measure in judgement.MEASURED.
    error : role -> float64, the risk on that role's rows, NaN for a role without rows: error rate or mean squared
        error; with costs their mean, with priors rows weighted by prior over training share. By another measure that
        one; of those of which more is better 1 less what they are, of profits less than 0.
    judged : the judgement by the rows that choose a size; None without such rows.
    accuracy : role -> float64, weight of the rows answered rightly over that of all; empty for a target of numbers.
    baseline : role -> the error of always answering what the root does (the training majority class or mean; with
        costs the cheapest class).
    cv_mean, cv_error : float64, the error by cross-validation and its standard error; None without one. The band to
        draw is cv_mean - cv_error to cv_mean + cv_error.
    """

    task: str
    alpha: np.ndarray
    n_leaves: np.ndarray
    n_nodes: np.ndarray
    depth: np.ndarray
    error: dict[str, np.ndarray]
    baseline: dict[str, float]
    measure: str = ""
    accuracy: dict[str, np.ndarray] = field(default_factory=dict)
    by: str = OWN
    judged: Judgement | None = None
    cv_mean: np.ndarray | None = None
    cv_error: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.alpha)

    @property
    def of_profit(self) -> bool:
        """Is it a curve of profits, of which more is better? Then `error` has them turned over."""
        return self.by == "profit"

    @property
    def name(self) -> str:
        """What is shown is called: a mean squared error is shown as its root, in the unit of the target, everywhere."""
        return "RMSE" if self.measure == SQUARED else self.measure

    def _figure(self, error: np.ndarray) -> np.ndarray:
        return 0.0 - error if self.of_profit else np.sqrt(np.maximum(error, 0.0)) if self.measure == SQUARED else error

    @property
    def shown(self) -> dict[str, np.ndarray]:
        """Role -> what `name` names: the error, or the profit."""
        return {role: self._figure(error) for role, error in self.error.items()}

    @property
    def baseline_shown(self) -> dict[str, float]:
        """Role -> the same of what the root answers."""
        return {role: float(self._figure(np.array(error))) for role, error in self.baseline.items()}

    @property
    def cv_shown(self) -> np.ndarray | None:
        """The same of the cross-validation."""
        return None if self.cv_mean is None else self._figure(self.cv_mean)

    @property
    def cv_error_shown(self) -> np.ndarray | None:
        """Its standard error; of a root by the delta method."""
        root = self.cv_shown
        if self.cv_error is None or root is None or self.measure != SQUARED:
            return self.cv_error
        return self.cv_error / np.maximum(2.0 * root, 1e-300)

    @property
    def judge(self) -> str:
        """The role by whose rows a size is chosen: pruning where there are such rows, else validation."""
        return "pruning" if np.isfinite(self.error.get("pruning", np.empty(0))).any() else "validation"

    def best(self, role: str | None = None) -> int | None:
        """The step with the fewest leaves among those of least error on a role; None without rows to judge by.

        role : of the rows that judge, where it is None.
        """
        error = self.error.get(role or self.judge, np.empty(0))
        if not np.isfinite(error).any():
            return None
        return last_of_least(error)[0]


def size_curve(
    sequence: Sequence,
    tables: Mapping[str, Table | None],
    cross_validated: CrossValidated | None = None,
    measure: str = OWN,
) -> SizeCurve:
    """Size and error of every subtree, on the tables of any roles (role -> Table; None is passed over).

    Every row is routed once, and every subtree is judged in one pass over the nodes.
    cross_validated : of the same sequence and by the same measure, for the band of its mean and standard error.
    measure : by which the subtrees are judged, see pruning.judgement.
    """
    measure = own_measure(measure, sequence.tree)
    check_measure(sequence, measure)
    known = {role: table for role, table in tables.items() if table is not None}
    ends = {role: end_statistics(sequence.tree, table) for role, table in known.items()}
    errors = {role: sequence.curve(known[role], stats) for role, stats in ends.items()}
    accuracies = _accuracies(sequence, known, ends, errors)
    judged = {role: _judged(sequence, table, measure) for role, table in tables.items() if table is not None}
    if measure not in (OWN, "profit"):
        missing = np.full(len(sequence), np.nan)
        errors = {role: missing if found is None else _filled(found.loss) for role, found in judged.items()}
    n_nodes, depth = _sizes(sequence.tree, sequence.until, len(sequence))
    return SizeCurve(
        task=sequence.tree.task,
        alpha=sequence.alpha,
        n_leaves=sequence.n_leaves,
        n_nodes=n_nodes,
        depth=depth,
        error=errors,
        baseline={role: _of_root(sequence, errors[role], stats, measure) for role, stats in ends.items()},
        measure=measure_of(sequence.tree) if measure in (OWN, "profit") else LOSS_NAMES[measure],
        accuracy=accuracies,
        by=measure,
        judged=judged.get("pruning") or judged.get("validation"),
        cv_mean=None if cross_validated is None else cross_validated.loss,
        cv_error=None if cross_validated is None else cross_validated.error,
    )


def _of_root(sequence: Sequence, error: np.ndarray, ends: np.ndarray, measure: str) -> float:
    """The error of answering every row what the training rows say as a whole, which the last subtree, the root, does;
    where that has a line, of their mean or label. ends : see Sequence.curve."""
    tree = sequence.tree
    if tree.lines is None or measure not in (*OF_ANSWERS, "mse", "accuracy", "log_loss", "brier"):
        return float(error[-1])
    root, whole = tree.baseline(), add_up_statistics(tree, ends)[:1]
    weight, least = float(tree.weight_of(whole)[0]), least_cost(tree, whole[0]) if measure in OF_ANSWERS else 0.0
    return (float(leaf_errors(root, whole, measure)[0]) + least) / weight if weight > 0 else float("nan")


def _judged(sequence: Sequence, table: Table, measure: str) -> Judgement | None:
    """None where no row of the table can be judged."""
    try:
        result = judgement(sequence, table, measure)
    except TreecoreError:
        return None
    return None if np.isnan(result.mean).all() else result


def _filled(values: np.ndarray) -> np.ndarray:
    """Along a straight line where a step was not looked at, as of very long sequences."""
    known = np.flatnonzero(~np.isnan(values))
    return values if len(known) == len(values) else np.interp(np.arange(len(values)), known, values[known])


def _accuracies(
    sequence: Sequence, tables: Mapping[str, Table], ends: Mapping, errors: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Role -> accuracy of every subtree; costs and priors play no part in it."""
    if not sequence.tree.classes:
        return {}
    if not reckons(sequence.tree):
        return {role: 1 - error for role, error in errors.items()}
    if sequence.tree.lines is None:
        return {role: _accuracy(sequence, stats) for role, stats in ends.items()}
    every = np.ones(len(sequence.tree.classes))
    moments = {role: sequence.losses(table, every, "accuracy") for role, table in tables.items()}
    return {
        role: 1 - (sums[:, 0] / weight if weight > 0 else np.full(len(sequence), np.nan))
        for role, (sums, weight) in moments.items()
    }


def _accuracy(sequence: Sequence, ends: np.ndarray) -> np.ndarray:
    """Weight of the rows answered rightly over that of all, from the statistics of the ends of their routes."""
    tree, total = sequence.tree, ends.sum()
    if total <= 0:
        return np.full(len(sequence), np.nan)
    through, inside = (_right(tree, stats) for stats in (tree.add_up(ends), ends))
    return sequence.along(through, inside) / total


def _right(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): weight of the rows that have the node's label."""
    return np.where(tree.value < 0, 0.0, stats[np.arange(tree.n_nodes), tree.value])


def _sizes(tree: Tree, until: np.ndarray, n_steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and depth of every subtree: a node counts in the steps before `until`."""
    at_least = np.bincount(until, minlength=n_steps + 1)[::-1].cumsum()[::-1]
    deepest = np.zeros(n_steps + 1, np.int64)
    np.maximum.at(deepest, until, tree.node_depth)
    return at_least[1:], np.maximum.accumulate(deepest[::-1])[::-1][1:]
