"""Class priors, costs of answers and of features, shares at leaves: checked, as the numbers a grower needs."""

import itertools

import numpy as np

from treecore.criteria.criterion import missed
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import LEAF_SHARES

LARGEST = 1e100
"""Of costs: their sums and products stay within what a double holds."""


def loss_matrix(table: Table, growth: GrowSettings) -> np.ndarray | None:
    """float64 (K, K), cost of a row of class i called j, the profit turned over; None where every error costs 1.

    TreecoreError unless it is square with a row per class; costs are of 0 to 1e100, 0 on the diagonal and not all 0;
    profits of -1e100 to 1e100, and in some row not all the same. TreecoreError also for costs and profits at once.
    """
    if not growth.weighs_answers:
        return None
    if growth.loss is not None and growth.profit is not None:
        raise TreecoreError(
            "Costs and profits cannot both be in force", where="profit", remedy="Set one of loss and profit to none"
        )
    name = "loss" if growth.profit is None else "profit"
    given, classes = getattr(growth, name), _classes(table, name)
    n_values = [len(row) for row in given]
    if n_values != [len(classes)] * len(classes):
        raise TreecoreError(
            f"The {name} matrix has rows of {n_values} values for the classes {', '.join(classes)}",
            where=name,
            remedy="Give one row and one column per class, in this order",
        )
    matrix = np.array(given, float)
    if name == "profit":
        _check_profits(matrix, classes)
        return 0.0 - matrix
    _check_costs(matrix, classes)
    return matrix


def _check_profits(profit: np.ndarray, classes: tuple[str, ...]) -> None:
    """TreecoreError naming the first profit that is not possible, by its classes."""
    for i, j in np.argwhere(~(np.abs(profit) <= LARGEST)):
        what = f"A row of class {classes[i]!r} called {classes[j]!r} earns {profit[i, j]:g}"
        raise TreecoreError(what, where="profit", remedy=f"Give a number from {-LARGEST:g} to {LARGEST:g}")
    if not np.ptp(profit, axis=1).any():
        what = "For every class all predictions earn the same, so there is nothing to decide"
        raise TreecoreError(what, where="profit", remedy="Give some right answer more than a wrong one of its class")


def _check_costs(loss: np.ndarray, classes: tuple[str, ...]) -> None:
    """TreecoreError naming the first cost that is not possible, by its classes."""
    for i, j in np.argwhere(~((loss >= 0) & (loss <= LARGEST))):
        what = f"A row of class {classes[i]!r} called {classes[j]!r} costs {loss[i, j]:g}"
        raise TreecoreError(what, where="loss", remedy=f"Give a number of 0 or more, up to {LARGEST:g}")
    for i in np.flatnonzero(np.diag(loss)):
        what = f"A right answer, {classes[i]!r}, costs {loss[i, i]:g}"
        raise TreecoreError(what, where="loss", remedy="Give costs of 0 on the diagonal")
    if not loss.any():
        remedy = "Give a cost above 0 to at least one error"
        raise TreecoreError("Some error has to cost something, and nothing does", where="loss", remedy=remedy)


def class_priors(table: Table, growth: GrowSettings) -> np.ndarray | None:
    """float64 (K,), the classes' shares to reckon with; None for those of the training rows."""
    if growth.priors is None:
        return None
    classes = _classes(table, "priors")
    priors = np.array(growth.priors, float)
    if len(priors) != len(classes) or not (priors >= 0).all() or abs(priors.sum() - 1) > 1e-6:
        given = ", ".join(f"{p:g}" for p in priors) or "()"
        raise TreecoreError(
            f"The priors {given} are not one share of 0 or more per class that sum to 1",
            where="priors",
            remedy="Give a share for each of: " + ", ".join(classes),
        )
    shares = _shares(table)
    absent = [name for name, prior, share in zip(classes, priors, shares, strict=True) if prior > 0 and share == 0]
    if absent:
        raise TreecoreError(
            f"No training row has the class {absent[0]!r}, so its prior cannot be met",
            where="priors",
            remedy="Give it the prior 0, or add rows",
        )
    return priors


def class_factors(table: Table, growth: GrowSettings) -> np.ndarray:
    """float64 (K,), by which the weights of each class are multiplied while splits are judged.

    prior_j * sum_k L_jk / sum_i prior_i * sum_k L_ik, over the class's share of the training weight: costs act
    like priors, exactly so for two classes. Of profits L is what each answer misses of the best one of its class.
    1 without priors and costs. Source: Breiman et al. (1984), 4.4.
    """
    loss, priors = loss_matrix(table, growth), class_priors(table, growth)
    if growth.criterion == "cost_gini":  # costs act in the impurity itself
        loss = None
    shares = _shares(table)
    if loss is None and priors is None:
        return np.ones(len(shares))
    wanted = shares if priors is None else priors
    if loss is not None:
        wanted = wanted * missed(loss).sum(axis=1)
    if not wanted.sum() > 0:
        remedy = "Give a class that occurs a prior above 0 and answers that differ in cost"
        where = "loss" if growth.profit is None else "profit"
        raise TreecoreError("Every class counts nothing", where=where, remedy=remedy)
    return np.divide(wanted / wanted.sum(), shares, out=np.ones(len(shares)), where=shares > 0)


def feature_costs(table: Table, growth: GrowSettings) -> np.ndarray:
    """float64 (d,), by which gains are divided when splits compete: 1 where nothing else is said."""
    given = dict(growth.costs)
    for (name, cost), (other, further) in itertools.pairwise(growth.costs):  # they are sorted
        if name == other:
            what, remedy = f"It costs both {cost:g} and {further:g}", "Give one cost per feature"
            raise TreecoreError(what, where=f"Feature {name!r}", remedy=remedy)
    for name, cost in given.items():
        if name not in table.features:
            remedy = "The features are: " + ", ".join(table.features)
            raise TreecoreError("There is no such feature", where=f"costs, {name!r}", remedy=remedy)
        if not 0 < cost < np.inf:
            remedy = "Give a number above 0"
            raise TreecoreError(f"A cost of {cost!r} is not possible", where=f"Feature {name!r}", remedy=remedy)
    return np.array([float(given.get(name, 1.0)) for name in table.features])


def _classes(table: Table, setting: str) -> tuple[str, ...]:
    if table.task != "classification":
        remedy = "Leave it empty, or choose a target with classes"
        raise TreecoreError("It is for targets with classes", where=setting, remedy=remedy)
    return table.classes


def _shares(table: Table) -> np.ndarray:
    """float64 (K,): each class's share of the training weight."""
    if table.weights is None:
        counts = table.target_column.present()
    else:
        counts = np.bincount(table.target_column.codes, table.weights, len(table.classes))[: len(table.classes)]
    return counts / counts.sum()


# What is added to the rows of a leaf before its class shares are taken.


def added_rows(growth: GrowSettings, root: np.ndarray, priors: np.ndarray | None) -> np.ndarray | None:
    """float64 (K,), rows of each class that are added to those of every leaf; None where none are.

    root : float64 (K,), training weight of each class; for numbers (S,), to which nothing is ever added.
    priors : float64 (K,), the classes' shares to reckon with; None for those of the training rows.
    """
    added = LEAF_SHARES[growth.leaf_shares].added
    if added is None:
        return None
    return added(root / root.sum() if priors is None else priors, growth.leaf_rows)
