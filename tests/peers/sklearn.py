"""scikit-learn: 32-bit thresholds, x <= threshold, levels as numbers, best-first with a number of leaves."""

from dataclasses import replace

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case, class_weights, n_rows_of, probe_table, table_of
from tests.peers.compare import Verdict, as_rounded, first_difference, settled
from tests.peers.recorded import first_difference_of

CRITERIA = {
    "gini": "gini", "entropy": "entropy", "log_loss": "entropy", "squared_error": "squared_error",
    "absolute_error": "absolute_error", "friedman_mse": "squared_error",  # the same since scikit-learn 1.9
}  # fmt: skip


class Sklearn(Adapter):
    def unsupported(self, case: Case) -> str:
        settings = case.settings
        if settings["criterion"] not in CRITERIA:
            return f"criterion {settings['criterion']} is not built yet"
        known = {
            "criterion",
            "random_state",
            "splitter",
            "max_depth",
            "max_leaf_nodes",
            "min_samples_leaf",
            "min_samples_split",
            "min_impurity_decrease",
            "min_weight_fraction_leaf",
            "class_weight",
            "ccp_alpha",
        }
        other = sorted(set(settings) - known)
        return f"setting {other[0]} is not built yet" if other else super().unsupported(case)

    def table(self, case: Case) -> tc.Table:
        table = table_of(case, as_numbers=True)
        return table.with_weights(class_weights(case, table))

    def probes(self, case: Case) -> tc.Table:
        return probe_table(case, as_numbers=True)

    def growth(self, case: Case) -> tc.GrowSettings:
        settings, n_rows = case.settings, n_rows_of(case)

        def rows(name: str, default: int) -> int:
            """A count, or for a fraction the rows it stands for, rounded up."""
            value = settings.get(name, default)
            return value if isinstance(value, int) else max(default, -int(-value * n_rows // 1))

        return tc.GrowSettings(
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
        if tree.median is not None and case.get("weights"):
            tree = _medians_as_recorded(case["tree"], tree, self.table(case))
        alpha = case.settings.get("ccp_alpha", 0.0)
        if not alpha:
            return tree
        return tree.cut(_cuts_at(alpha, tree, case["tree"]))

    def compare_prune(self, case: Case) -> Verdict:
        """The recorded tree (cut at ccp_alpha), the path of alphas and impurities, and the refits at some of them."""
        if reason := self.unsupported(case):
            return Verdict(case.id, "prune", "unsupported", reason)
        table = self.table(case)
        found, difference = settled(self, case), ""
        notes = [f"cut at ccp_alpha {case.settings.get('ccp_alpha', 0):g}: {found.tree.n_leaves} leaves"]
        if not found.difference and case.get("pruning_path"):
            difference = _path_difference(tc.sequence(found.tree, risk="impurity"), case["pruning_path"])
            notes.append("path of alphas")
        if not (found.difference or difference) and case.get("ccp_refits"):
            difference = self._refits_difference(case, found.tree, table)
            notes.append(f"{len(case['ccp_refits'])} refits")
        difference = found.difference or difference
        return Verdict(case.id, "prune", "mismatch" if difference else "match", difference or ", ".join(notes))

    def _refits_difference(self, case: Case, tree: tc.Tree, table: tc.Table) -> str:
        """Trees refitted with a ccp_alpha, node for node: ties were settled as in the tree recorded without one."""
        for refit in case["ccp_refits"]:
            alpha = refit["ccp_alpha"]
            # at 0 nothing is cut, not even what saves nothing
            small = tree.cut(_cuts_at(alpha, tree, refit.get("tree", {}))) if alpha else tree
            text = first_difference_of(refit, {"n_nodes": small.n_nodes, "n_leaves": small.n_leaves})
            if not text and "tree" in refit:
                recorded = replace(case, data={**case.data, "tree": refit["tree"]})
                text = first_difference(self, recorded, table, small)
            if text:
                return f"refit at {alpha}: {text}"
        return ""

    def merit(self, case: Case, tree: tc.Tree, node: int) -> tuple[str, float]:
        return "impurity_decrease", tree.gain[node] * tree.weight[node] / tree.weight[0]


def _medians_as_recorded(peer: dict, tree: tc.Tree, table: tc.Table) -> tc.Tree:
    """The tree with the recorded medians where half of the weight lies on either side but for rounding: it decides
    whether that is one of the two values next to the middle, or half way between them."""
    median, ends, waiting = tree.median.copy(), tree.apply(table), [(0, peer)]
    while waiting:
        node, peer = waiting.pop()
        inside = tree.descendants(node)
        inside[node] = True
        y, weight = (numbers[inside[ends]] for numbers in (table.target_column.values(), table.case_weights))
        value = peer.get("value")
        if value is not None:
            sides = [weight[y < value].sum(), weight[y <= value].sum()]
            if np.isclose(sides, weight.sum() / 2, rtol=1e-12).any():
                median[node] = value
        waiting += zip(tree.children(node), peer.get("children", ()), strict=False)
    return replace(tree, median=median)


def _cuts_at(alpha: float, tree: tc.Tree, recorded: dict) -> tc.pruning.Cuts:
    """The cuts at an alpha; where a node's own equals it up to rounding, as recorded."""
    steps = tc.sequence(tree, risk="impurity")
    cuts = steps.cuts(steps.at_alpha(alpha * (1 + 1e-9)))
    return as_rounded(recorded, tree, cuts, alpha, 1e-9 * steps.risk[-1])


def _path_difference(steps: tc.pruning.Sequence, path: dict) -> str:
    """Alphas and impurities; alphas that differ by rounding only are one step, whose last impurity counts."""
    if not path.keys() >= {"ccp_alphas", "impurities"}:
        return ""
    ours = _merged(steps.alpha, steps.risk, steps.risk[-1])
    theirs = _merged(np.array(path["ccp_alphas"]), np.array(path["impurities"]), steps.risk[-1])
    if len(ours) != len(theirs):
        return f"path has {len(theirs)} different alphas, ours {len(ours)}"
    for k, pairs in enumerate(zip(ours, theirs, strict=True)):
        if not np.allclose(*pairs, rtol=1e-8, atol=1e-12 * steps.risk[-1]):
            return f"path step {k}: alpha and impurity {pairs[1]}, ours {pairs[0]}"
    return ""


def _merged(alphas: np.ndarray, impurities: np.ndarray, unit: float) -> list[tuple[float, float]]:
    last = np.append(np.diff(alphas) > 1e-10 * unit, True)
    first = np.append(True, last[:-1])
    return [(0.0, float(impurities[0])), *zip(alphas[first].tolist(), impurities[last].tolist(), strict=True)]
