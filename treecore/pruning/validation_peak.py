"""The tree as it was when the validation error, or another measure, was best."""

from math import inf

import numpy as np

from treecore.judging.losses import OWN, error_name
from treecore.judging.measures import LOSS_NAMES, MEASURED, OF_ORDER
from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason
from treecore.pruning.pruner import Parameter, Pruner, PruningContext
from treecore.pruning.validation import check_judged, errors_while_growing, losses_on, rows_text
from treecore.tree.tree import Tree, peak_of, split_order


def validation_peak(tree: Tree, given: PruningContext, patience: float | None = None, measure: str = OWN) -> Cuts:
    """Replay how the tree grew, and take back every split after the one that reached the least validation error.

    Of several sizes with the least error the smallest. Splits count in the order in which they were made, so the
    result depends on how the tree was grown (depth by depth, or the best leaf first).
    patience : stop looking after so many splits without a lower error, as growing with `patience` does; None looks at
        all of them.
    measure : a name in judging.measures.MEASURED, by which the tree is judged after every split.
    """
    rows = given.need_validation("The peak of the validation accuracy")
    errors = errors_while_growing(tree, rows, measure)
    check_judged(float(losses_on(tree, rows).weight))
    best = peak_of(errors, inf if patience is None else patience)[0]
    order = split_order(tree)
    verdict, reasons = np.full(tree.n_nodes, KEEP), {}
    verdict[order[best:]] = CUT
    named = LOSS_NAMES[measure] if measure in OF_ORDER else f"{error_name(tree, measure)} per row"
    for i, t in enumerate(order.tolist(), 1):
        text = (
            f"split {i} of {len(order)}: {given.judges} {named} {_error_text(errors[i - 1])} before, "
            f"{_error_text(errors[i])} after it; the least is {errors[best]:.6g}, after {best}"
        )
        details = (("error before", float(errors[i - 1])), ("error after", float(errors[i])))
        reasons[t] = Reason("validation peak", text, float(i), float(best), more=True, details=details)
    return Cuts(verdict, reasons=reasons, judged_by=rows_text(tree, given))


def _error_text(error: float) -> str:
    return "not judged" if np.isnan(error) else f"{error:.6g}"


VALIDATION_PEAK = Pruner(
    name="validation_peak",
    label="Peak of the validation accuracy",
    formula=r"\min_k E_{\text{validation}}(T \text{ after } k \text{ splits})",
    source="Prechelt (1998), early stopping",
    cuts=validation_peak,
    needs_validation=True,
    parameters=(
        Parameter(
            "patience", "Splits without improvement", None, 1.0, "empty: the least error of all sizes", whole=True
        ),
        Parameter("measure", "Judged by", OWN, choices=MEASURED),
    ),
)
