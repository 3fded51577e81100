"""What an impurity is: a name, a formula to show, traits, and the three ways to compute it."""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from treecore.engine.pointers import address_of
from treecore.errors import TreecoreError

ROUNDING = 1e-13
"""Of squares: what is left of them when less than this is left is rounding."""


class CriterionArgs(NamedTuple):
    """A criterion as compiled code takes it.

    code, scale : of the Criterion. loss : float64 (K, K), cost of true class i called j, or what is missed of a profit;
    (1, 3), the coefficients of a loss of single rows; (0, 0) where neither plays a part. address : of the machine code
    of `node`, for a criterion of another package; else 0.
    """

    code: int
    scale: float
    loss: np.ndarray
    address: int = 0


class RowLossLike(Protocol):
    """A loss of single rows, as far as a criterion needs to know it; see criteria.row_losses."""

    parameter: ClassVar[str]

    @property
    def coefficients(self) -> tuple[float, float, float]: ...


@dataclass(frozen=True)
class Criterion:
    """One impurity of a node.

    task : "classification" (statistics are class weights), "regression" (w, wy, wyy), "counts" or "effects": `many` and
        `written` take those of target.CountTarget or EffectTarget, `node` what kernels have instead, see
        criteria.poisson and criteria.effect.
    formula : LaTeX, shown beside the number it produces.
    node : (statistics float64 (S,), total weight, loss) -> impurity; 0 for an empty node. Ours are compiled; that of
        an entry of another package is when it is first used, and called by its address. None for an entry of another
        package whose trees are grown in NumPy, from `many`.
    many : the same in NumPy, of many nodes at once: (one array per statistic, their total weights, loss) -> float64 of
        their shape; rounded as `node` rounds, anything for an empty node. Of numbers only the distances may count: an
        entry of another package is given the statistics of the numbers less their mean.
    written : the right-hand side of the formula with the counts put in, in LaTeX, as the terms of a sum:
        (statistics (S,), loss, center) -> list of str, the statistics being those of the target less `center`.
    unit : of the impurity, '' for a pure number.
    concave : no split of a node can raise the weighted impurity.
    additive : the impurity follows from the statistics; otherwise it needs the rows, and `many` and `written` are None.
    row_loss : the kind of loss (criteria.row_losses) whose mean over the rows it is, where it needs them; else None.
    scale : the impurity is `node` times this, and `many` times this. max_classes : most classes it is defined for, None
        for any. needs_loss : it reads the matrix of costs, as Judge has it.
    has_scan : the fast kernels have scans of their own for it, also of weights, levels and buckets. Any other concave
        one of classes that has a `node` is scanned cut by cut, where rows count once and every feature is cut in two.
    by_address : kernels call `node` by its address: given by the registry, as the code.
    code : the integer by which kernels call `node` (functions passed to compiled code are never cached on disk,
        integers are): given by the registry, the same for entries of the same `node`.
    """

    name: str
    label: str
    task: str
    formula: str
    source: str
    node: Callable | None = None
    many: Callable | None = None
    written: Callable | None = None
    unit: str = ""
    concave: bool = True
    additive: bool = True
    row_loss: type[RowLossLike] | None = None
    scale: float = 1.0
    max_classes: int | None = None
    needs_loss: bool = False
    has_scan: bool = False
    by_address: bool = False
    code: int = -1

    def __post_init__(self):
        if self.additive and None in (self.many, self.written):
            raise TypeError(f"{self.name} needs its impurity in NumPy (many) and its arithmetic (written)")

    def of_many(self, stats, total: np.ndarray, loss: np.ndarray) -> np.ndarray:
        """float64: `many` of these nodes. Of numbers, an entry of another package sees (w, 0, squares around the mean),
        so that no formula of its own makes something of what rounding leaves of squares that cancel."""
        if self.node is None and self.task == "regression":
            w, wy, wyy = stats
            within = wyy - wy * wy / total
            stats = [w, np.zeros_like(w), np.where(within > ROUNDING * wyy, within, 0.0)]
        assert self.many is not None
        return self.many(stats, total, loss)

    def tries_groupings(self, n_classes: int) -> bool:
        """Is the best parting of levels into two found only by trying all? Otherwise it is a cut of the levels in the
        order of their mean target, which kernels take for granted where they try none."""
        if n_classes > 2 or not self.additive:
            return True
        return self.node is None and not (n_classes and self.concave)

    @property
    def parameter(self) -> str:
        """The setting of growth that it reads, as the quantile; "" for none."""
        return "" if self.row_loss is None else self.row_loss.parameter

    def judge(self, loss: np.ndarray | None = None, row_loss: RowLossLike | None = None) -> CriterionArgs:
        """The criterion for compiled code; loss as in Judge, for a criterion that needs it. row_loss : where it is the
        mean of one, this very loss; None for the usual one of its kind."""
        matrix = missed(loss) if self.needs_loss and loss is not None else np.zeros((0, 0))
        if self.row_loss is not None:
            matrix = np.array([(row_loss or self.row_loss()).coefficients])
        # a copy: whether an array may be written to is part of the type for which kernels are compiled
        return CriterionArgs(self.code, self.scale, np.array(matrix, np.float64, order="C"), self._address())

    def _address(self) -> int:
        """Of `node`, where kernels call it so; TreecoreError if it cannot be compiled."""
        if not self.by_address:
            return 0
        try:
            return address_of(self.node)
        except Exception as fault:  # whatever numba makes of it
            raise TreecoreError(
                f"The function `node` of {self.label} cannot be compiled: {str(fault).splitlines()[0]}",
                where="criterion",
                remedy="Leave it out of the package's entry: trees are then grown in NumPy, from `many`",
            ) from fault

    @property
    def scanned_by_cuts(self) -> bool:
        """Can fast kernels that have no scan for it judge cut by cut?"""
        usual = self.task == "classification" and self.additive and self.concave and not self.needs_loss
        return usual and self.node is not None


def missed(loss: np.ndarray) -> np.ndarray:
    """float64 (K, K): what each answer costs more than the best one of its class; costs of errors as they are.

    A loss that turns profits over is below 0 where an answer earns. What the best answers earn is the same whatever is
    answered, so that trees and nodes are compared by what they miss of it: regret, or opportunity loss.
    """
    return loss - loss.min(axis=1, keepdims=True)


def coded(*entries: Criterion) -> list[Criterion]:
    """The entries with their codes: the place of their `node` among the different ones."""
    nodes = list(dict.fromkeys(entry.node for entry in entries))
    return [replace(entry, code=nodes.index(entry.node)) for entry in entries]


def of_packages(first: int, entries: Iterable[Criterion]) -> list[Criterion]:
    """Entries of other packages, with codes from `first` on. Kernels call their `node`, of a concave one of classes.

    One that cannot judge nodes by their statistics is left out with a warning, one whose `node` and `many` differ keeps
    the latter.
    """
    fitting: list[Criterion] = []
    for given in entries:
        entry = replace(given, node=given.node if given.scanned_by_cuts else None, has_scan=False)
        fault = _fault(replace(entry, node=None))
        if fault:
            warnings.warn(f"{entry.name} is left out: {fault}", stacklevel=2)
            continue
        if entry.node is not None and not _says_the_same(entry):
            warnings.warn(f"{entry.name}: `node` is left out, as it does not say what `many` says", stacklevel=2)
            entry = replace(entry, node=None)
        fitting.append(replace(entry, by_address=entry.node is not None, code=first + len(fitting)))
    return fitting


_CLASSES = np.array([[3.0, 1.0, 0.0, 2.0], [0.0, 1.0, 5.0, 2.5]])
"""Weights of two classes at four nodes."""


def _says_the_same(entry: Criterion) -> bool:
    """Do `node` and `many` agree on some nodes of two classes?"""
    loss, total = np.zeros((0, 0)), _CLASSES.sum(axis=0)
    assert entry.node is not None
    assert entry.many is not None
    try:
        one_by_one = [entry.node(stats, float(stats.sum()), loss) for stats in _CLASSES.T.copy()]
        return bool(np.allclose(one_by_one, entry.many(list(_CLASSES), total, loss), rtol=1e-9, atol=1e-12))
    except Exception:  # whatever the other package does wrong
        return False


_TRIED = np.array([[3.0, 3.0], [3.0, 4.0], [3.0, 10.0]])
"""w, wy, wyy of the numbers 1, 1, 1, and of 0, 1, 3."""


def _fault(entry: Criterion) -> str:
    """Why an entry cannot judge nodes by their statistics; '' if it can."""
    if not entry.additive:
        return "it is not made of the statistics of a node"
    if entry.task != "regression":
        return ""
    try:
        alike, different = entry.of_many(list(_TRIED), _TRIED[0], np.zeros((0, 0)))
    except Exception as fault:  # whatever the other package does wrong
        return f"it fails at three numbers ({fault})"
    return "" if alike == 0.0 < different else "it is not 0 of equal numbers and more of others, less their mean"
