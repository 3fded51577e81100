"""J48's collapse: what its fit takes back before any pruning, with -U too."""

import numpy as np

from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason
from treecore.pruning.pruner import Given, Parameter, Pruner
from treecore.tree.tree import Tree

EQUAL = 1e-6
"""A class is more frequent than those before it if its weight, maybe a sum of fractions, is larger by more."""


def j48_collapse(tree: Tree, given: Given, slack: float = 1e-3) -> Cuts:
    """From the root down, make a node a leaf when its branches save no more than `slack` training errors.

    A node is judged with all that grew below it, before anything there is taken back; below a node that becomes
    a leaf nothing is judged. Errors are weights of training rows. Classification only.
    Source: behaviour of Weka 3.6 (J48); Quinlan (1993) does the same while growing.
    """
    as_leaf = training_errors(tree.stats)
    below = tree.add_up(np.where(tree.is_leaf, as_leaf, 0.0))
    verdict, reasons, waiting = np.full(tree.n_nodes, KEEP), {}, [0]
    while waiting:
        t = waiting.pop()
        given.look(len(reasons), tree.n_nodes)
        if tree.is_leaf[t]:
            continue
        text = f"training errors {as_leaf[t]:.6g} as a leaf, {below[t]:.6g} with its branches"
        reasons[t] = Reason("J48 collapse", text, float(as_leaf[t]), float(below[t]) + slack)
        if below[t] >= as_leaf[t] - slack:
            verdict[t] = CUT
        else:
            waiting += reversed(tree.children(t))
    return Cuts(verdict, reasons=reasons)


def training_errors(stats: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): weight of all classes but the most frequent one.

    stats : float64 (n_nodes, n_classes), class weights.
    """
    return stats.sum(axis=1) - stats[np.arange(len(stats)), largest_class(stats)]


def largest_class(amounts: np.ndarray, at_first: float = 0.0) -> np.ndarray:
    """int64 (n,): the last class that exceeds the largest one before it by more than EQUAL; of all 0 the first.

    amounts : float64 (n, n_classes), weights or probabilities. at_first : what the first class must exceed.
    """
    label, most = np.zeros(len(amounts), np.int64), np.full(len(amounts), at_first)
    for k in range(amounts.shape[1]):
        more = amounts[:, k] - most > EQUAL
        label, most = np.where(more, k, label), np.where(more, amounts[:, k], most)
    return label


J48_COLLAPSE = Pruner(
    name="j48_collapse",
    label="J48's collapse",
    formula=r"\sum_{\ell \in T_t} e(\ell) \ge e(t) - 0.001",
    source="Weka 3.6 (J48)",
    cuts=j48_collapse,
    parameters=(Parameter("slack", "Errors that branches must save", 1e-3, 0.0),),
    task="classification",
    why_task="it counts classification errors",
)
