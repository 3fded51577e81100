"""C4.5's pruning: an upper limit of the errors to come, estimated from the training rows alone, decides."""

import numpy as np

from treecore.pruning.cuts import Cuts
from treecore.pruning.error_estimate import ESTIMATES, estimated_errors
from treecore.pruning.error_pruning import ErrorPruning
from treecore.pruning.j48_collapse import j48_collapse, largest_class
from treecore.pruning.pruner import Given, Parameter, Pruner
from treecore.tree.tree import Tree

METHOD = "C4.5 error-based"


def error_based(
    tree: Tree, given: Given, cf: float = 0.25, raising: bool = True, estimate: str = "weka", collapse: bool = True,
    slack: float = 0.1,
) -> Cuts:  # fmt: skip
    """From the leaves up, a node becomes a leaf, or its largest branch takes its place, if fewer errors are estimated.

    cf : certainty of the estimate; a smaller one prunes more. raising : may a branch take its parent's place? It is
        judged by all rows of the place sent down it, and the place is judged once more if it does.
    estimate : one of error_estimate.ESTIMATES. collapse : first make leaves of the nodes whose branches save no
        training errors, as C4.5 does while it grows. slack : estimated errors that branches must save.
    TreecoreError with raising if `given` has no training rows. Classification only.
    Sources: Quinlan (1993), ch. 4; behaviour of Weka 3.6 (J48), whose verdicts and numbers the defaults give.
    """
    train = given.need_train(METHOD + " pruning with subtree raising") if raising else None
    collapsed = j48_collapse(tree, given) if collapse else Cuts.none(tree)
    weka = estimate == "weka" and tree.priors is None and tree.loss is None

    def estimates(stats: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """float64 (n,): of the rows `ends`, under the labels of nodes with these statistics."""
        label = largest_class(stats) if weka else tree.labels_of(stats)
        weight = ends.sum(axis=1)
        return estimated_errors(weight, weight - ends[np.arange(len(ends)), label], cf, estimate)

    return ErrorPruning(tree, collapsed, METHOD, estimates, slack, train, given.look).cuts()


ERROR_BASED = Pruner(
    name="error_based",
    label="C4.5 error-based",
    formula=r"E(t) \le \sum_{\ell \in T_t} E(\ell) + 0.1,\quad E = N \cdot U_{CF}(e, N)",
    source="Quinlan (1993); Weka 3.6 (J48)",
    cuts=error_based,
    parameters=(
        Parameter("cf", "Confidence factor CF", 0.25, 0.0, "smaller prunes more", most=0.5, above=True),
        Parameter("raising", "Subtree raising", True, note="the largest branch may take its parent's place"),
        Parameter("estimate", "Estimate of errors", "weka", choices=ESTIMATES),
        Parameter(
            "collapse", "Collapse first", True, note="branches that save no training errors are removed before pruning"
        ),
        Parameter("slack", "Estimated errors that branches must save", 0.1, 0.0),
    ),
    task="classification",
    why_task="it estimates classification errors",
)
