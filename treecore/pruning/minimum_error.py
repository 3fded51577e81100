"""Niblett and Bratko's pruning: the error to be expected of a node, from shares that rows nobody has seen draw in."""

import numpy as np

from treecore.judging.losses import misclassified
from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason
from treecore.pruning.pruner import LINES_OF_CLASSES, Parameter, Pruner, PruningContext
from treecore.pruning.risk import snapped_threshold, staying
from treecore.tree.tree import Tree


def expected_errors(tree: Tree, m: float | None = None) -> np.ndarray:
    """float64 (n_nodes,): how many rows like its own a node as a leaf is expected to get wrong.

    Of N rows with e errors, N (e + (1 - p) m) / (N + m): m rows are added that have the label's class by the share p.
    m : None for Laplace's estimate, as many rows as there are classes, one of each; else p is the class's share at
    the root. Sources: Niblett and Bratko (1986), Learning decision rules in noisy domains; Cestnik and Bratko (1991),
    On estimating probabilities in tree pruning.
    """
    rows, wrong = (tree.stats * tree.prior_factor).sum(axis=1), misclassified(tree, tree.stats)
    n_classes = len(tree.classes)
    shares = np.full(n_classes, 1 / n_classes) if m is None else tree.stats[0] * tree.prior_factor / rows[0]
    added = float(n_classes if m is None else m)
    other = 1.0 - np.where(tree.value < 0, 0.0, shares[tree.value])
    return np.divide(rows * (wrong + other * added), rows + added, out=np.zeros_like(rows), where=rows > 0)


def minimum_error(tree: Tree, given: PruningContext, m: float | None = None) -> Cuts:
    """From the leaves up, make a node a leaf where fewer errors, or as many, are expected of it than of its branches.

    Of the branches the errors that are left once they have been judged themselves are added up; rows that stay in a
    node count with it. m : as in expected_errors. Errors are weights of rows, times prior over training share, whatever
    they cost.
    """
    rows = (tree.stats * tree.prior_factor).sum(axis=1)
    as_leaf = expected_errors(tree, m)
    inside = (staying(tree) * tree.prior_factor).sum(axis=1)
    least = np.where(tree.is_leaf, as_leaf, np.divide(as_leaf * inside, rows, out=np.zeros_like(rows), where=rows > 0))
    verdict, reasons = np.full(tree.n_nodes, KEEP), {}
    inner = np.concatenate([nodes[~tree.is_leaf[nodes]] for nodes in reversed(tree.levels)])
    for t in given.told(inner.tolist()):
        number, below = float(as_leaf[t]), float(least[t] + sum(least[c] for c in tree.children(t)))
        text = f"{number:.6g} errors expected as a leaf, {below:.6g} with its branches"
        details = (("rows", float(rows[t])), ("rate as a leaf", number / rows[t] if rows[t] > 0 else 0.0))
        reasons[t] = Reason("minimum error", text, number, snapped_threshold(number, below), details=details)
        verdict[t] = CUT if reasons[t].cuts else KEEP
        least[t] = number if reasons[t].cuts else below
    return Cuts(verdict, reasons=reasons)


MINIMUM_ERROR = Pruner(
    name="minimum_error",
    label="Minimum error (Niblett–Bratko)",
    formula=r"N(t)\,\frac{e(t) + (1-p)\,m}{N(t) + m} \le \sum_b E(b)",
    source="Niblett and Bratko (1986); Cestnik and Bratko (1991)",
    cuts=minimum_error,
    parameters=(
        Parameter(
            "m", "m-estimate: rows added, with the class shares of the root (m)", None, most=1e9,
            note="Empty: Laplace's estimate, one row of each class. A larger m prunes more.",
        ),
    ),
    task="classification",
    not_for=(LINES_OF_CLASSES,),
    why_task="it estimates shares of classes",
)  # fmt: skip
