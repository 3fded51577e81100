"""scikit-learn: 32-bit thresholds, x <= threshold, levels as numbers, best-first with a number of leaves."""

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case, class_weights, probe_table, table_of

CRITERIA = {
    "gini": "gini", "entropy": "entropy", "log_loss": "entropy", "squared_error": "squared_error",
    "absolute_error": "absolute_error",
}  # fmt: skip


class Sklearn(Adapter):
    def unsupported(self, case: Case) -> str:
        settings = case["settings"]
        if settings["criterion"] not in CRITERIA:
            return f"criterion {settings['criterion']} is not built yet"
        known = {"criterion", "random_state", "splitter", "max_depth", "max_leaf_nodes", "min_samples_leaf",
                 "min_samples_split", "min_impurity_decrease", "min_weight_fraction_leaf", "class_weight", "ccp_alpha"}
        other = sorted(set(settings) - known)
        return f"setting {other[0]} is not built yet" if other else super().unsupported(case)

    def table(self, case: Case) -> tc.Table:
        table = table_of(case, as_numbers=True)
        return table.with_weights(class_weights(case, table))

    def probes(self, case: Case) -> tc.Table:
        return probe_table(case, as_numbers=True)

    def growth(self, case: Case) -> tc.Growth:
        settings = case["settings"]
        n_rows = len(case["predictions"]["leaf"])

        def rows(name: str, default: int) -> int:
            """A count, or for a fraction the rows it stands for, rounded up."""
            value = settings.get(name, default)
            return value if isinstance(value, int) else max(default, -int(-value * n_rows // 1))

        return tc.Growth(
            criterion=CRITERIA[settings["criterion"]],
            threshold="float32",
            zero_gain="split",
            missing="both_ways",
            max_depth=settings.get("max_depth"),
            max_leaves=settings.get("max_leaf_nodes"),
            min_rows_leaf=rows("min_samples_leaf", 1),
            min_rows_split=rows("min_samples_split", 2),
            min_weighted_gain=settings.get("min_impurity_decrease", 0.0),
            min_share_leaf=settings.get("min_weight_fraction_leaf", 0.0),
        )

    def prune(self, case: Case, tree: tc.Tree) -> tc.Tree:
        alpha = case["settings"].get("ccp_alpha", 0.0)
        if not alpha:
            return tree
        steps = tc.sequence(tree, risk="impurity")
        return tree.cut(steps.cuts(steps.at_alpha(alpha)))

    def merit(self, case: Case, tree: tc.Tree, node: int) -> tuple[str, float]:
        return "impurity_decrease", tree.gain[node] * tree.weight[node] / tree.weight[0]
