"""In what a tree's mistakes are counted: error rate, mean cost or mean squared error."""

import numpy as np

from treecore.tree.tree import Tree


def reckons(tree: Tree) -> bool:
    """Do costs or priors make its risk another number than the error rate?"""
    return tree.loss is not None or tree.priors is not None


def measure_of(tree: Tree) -> str:
    """What the risk R(T) of pruning and of the size curve is called for this tree."""
    if not tree.classes:
        return "mean squared error"
    name = "error rate" if tree.loss is None else "mean cost"
    return name if tree.priors is None else f"{name} by the priors"


def row_costs(tree: Tree, truth: np.ndarray, answer: np.ndarray) -> np.ndarray:
    """float64 (n_rows,): what each answer costs, times the prior over the training share of the true class.

    truth, answer : int64 (n_rows,), class indices; an answer of -1 ("no answer") costs as much as the class's
    dearest error. Source: Breiman et al. (1984), section 4.4.
    """
    if tree.loss is None:
        cost = (answer != truth).astype(float)
    else:
        cost = np.append(tree.loss, tree.loss.max(axis=1, keepdims=True), axis=1)[truth, answer]
    return cost * tree.prior_factor[truth]
