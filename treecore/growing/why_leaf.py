"""Why growth ended at a leaf, in a sentence."""

from treecore.data.table import Table
from treecore.growing.rebuild_node import SearchedAgain, searched_again
from treecore.growing.search.stopping import STOPPING_TESTS
from treecore.growing.searchers import is_tested
from treecore.growing.settings.grow_settings import GrowSettings, in_cases
from treecore.growing.settings.parts import SELECTORS
from treecore.judging.losses import OWN
from treecore.judging.measures import LOSS_NAMES
from treecore.kernels.state import WHOLE_GAIN
from treecore.tree.tree import Tree


def why_leaf(tree: Tree, node: int, best_gain: float | None, train: Table | None = None) -> str:
    """The first reason that holds, in the order in which the grower asks.

    best_gain : of the node's candidates on the training rows; None if there are none.
    train : the training rows, to say the numbers of a stopping rule or of a test of every feature; without them the
        rules in force are named.
    """
    growth = GrowSettings.from_dict(dict(tree.growth))
    limit = _limit(tree, node, growth)
    if limit:
        return limit
    again = searched_again(tree, node, train) if train is not None and _judged(growth) else None
    if is_tested(growth) and (again is None or not again.may_split):
        return _no_dependence(growth, again)
    if best_gain is None:
        return "No split is possible: its rows are equal in every feature, or the branches would be too small."
    return (
        (_small_gain(tree, node, growth, best_gain) if not is_tested(growth) else "")
        or _objection(growth, again)
        or _small_branches(growth)
        or _end_of_growth(tree, growth)
    )


def _judged(growth: GrowSettings) -> bool:
    return is_tested(growth) or growth.test != "none" or growth.size_penalty > 0


def _limit(tree: Tree, node: int, growth: GrowSettings) -> str:
    """Purity or a limit that keeps the node from being searched, '' if there is none."""
    rows, weight = int(tree.n_rows[node]), float(tree.weight[node])
    if rows != weight:
        growth = in_cases(growth)
    if weight <= 0:
        return "No training row reaches this node."
    if tree.impurity[node] <= 0:
        return "Its training rows are all of one class." if tree.classes else "Its training rows have one value."
    if growth.max_depth is not None and tree.node_depth[node] >= growth.max_depth:
        return f"The maximum depth of {growth.max_depth} is reached."
    if rows < growth.min_rows_split:
        return f"It has {rows} training rows, fewer than the {growth.min_rows_split} that a split needs."
    if rows < 2 * growth.min_rows_leaf:
        return f"{rows} training rows are too few for two branches of at least {growth.min_rows_leaf}."
    if weight < growth.min_share_split * tree.weight[0]:
        return f"It has less than {100 * growth.min_share_split:.3g} % of the training weight."
    if weight < growth.min_weight_split - 1e-6:
        return f"Its weight of {weight:.4g} is less than the {growth.min_weight_split:.4g} that a split needs."
    share = SELECTORS[growth.selector].least_variance
    if tree.criterion == "squared_error" and not growth.min_impurity and tree.impurity[node] < share * tree.impurity[0]:
        return f"Its variance is less than {100 * share:.3g} % of that of all training rows."
    return ""


def _no_dependence(growth: GrowSettings, again: SearchedAgain | None) -> str:
    """No feature passed the test, or none has a split that the limits allow."""
    level = f"{100 * growth.alpha:.3g} %"
    if again is None:
        return f"No feature depends on the target at the level of {level}, or the limits allow none of its splits."
    if again.least_p is not None and again.least_p[1] >= growth.alpha:
        name, p = again.least_p
        return (
            f"No feature depends on the target at the level of {level}: the smallest p-value, adjusted for the number "
            f"of tests, is {p:.3g} ({name})."
        )
    return f"{SELECTORS[growth.selector].label}: the limits allow no split of a feature that depends on the target."


def _small_gain(tree: Tree, node: int, growth: GrowSettings, best_gain: float) -> str:
    """A gain that is no reason to split, '' if it is one."""
    if best_gain <= growth.tolerance * float(tree.impurity[node]) and growth.zero_gain == "stop":
        return "No split reduces the impurity."
    if best_gain < growth.min_gain:
        return f"The best gain, {best_gain:.4g}, is below the minimum of {growth.min_gain:.4g}."
    if best_gain * tree.weight[node] / tree.weight[0] < growth.min_weighted_gain:
        return "The best gain, times the node's share of the rows, is below the minimum."
    return ""


def _small_branches(growth: GrowSettings) -> str:
    """What a selector that asks the winner only has against it, '' if there is no such rule."""
    if SELECTORS[growth.selector].code != WHOLE_GAIN:
        return ""
    return (
        f"Its best split does not have two branches of at least {growth.min_weight_leaf:.4g} in weight, or gains "
        "almost "
        "nothing; this algorithm tries no other split."
    )


def _objection(growth: GrowSettings, again: SearchedAgain | None) -> str:
    """What a stopping rule says against the best split, '' if nothing."""
    if again is not None:
        return again.veto.text if again.veto is not None else ""
    rules = [STOPPING_TESTS[growth.test].label] * (growth.test != "none")
    rules += ["α · size + Σ impurity"] * (growth.size_penalty > 0)
    return f"A stopping rule rejects its best split: {' or '.join(rules)}." if rules else ""


def _end_of_growth(tree: Tree, growth: GrowSettings) -> str:
    """A limit of the whole tree."""
    if growth.max_leaves is not None and not growth.patience:
        allowed = f"{tree.n_leaves} of at most {growth.max_leaves} leaves"
        return f"The maximum number of leaves is reached ({allowed}); splits with larger gains came first."
    if growth.patience:
        n_splits = tree.n_nodes - tree.n_leaves
        named = "error" if growth.patience_measure == OWN else LOSS_NAMES[growth.patience_measure]
        return (
            f"The validation {named} is lowest with the {n_splits} splits of this tree: further splits, up to "
            f"{growth.patience} in a row, did not lower it."
        )
    return "Growth stopped here."
