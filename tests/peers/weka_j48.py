"""Weka's J48: gain ratio, a branch per level or one level against the rest, missing values in shares, collapse."""

from dataclasses import replace

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from tests.peers.compare import Verdict
from tests.peers.j48_nodes import path_of, tree_difference
from treecore.growing.grower import grow_tree
from treecore.pruning.cuts import Cuts
from treecore.pruning.j48_collapse import largest_class
from treecore.tree.predict import route

NOT_BUILT = "error-based pruning is not built yet"


class WekaJ48(Adapter):
    """Every comparison is strict: J48's rule for ties is ours here."""

    def not_pruned(self, case: Case) -> str:
        """Why the final tree cannot be compared, '' if it can."""
        if case["settings"]["reduced_error"]:
            return "reduced-error pruning as J48 does it is not built yet"
        return "" if case["settings"]["unpruned"] else NOT_BUILT

    def table(self, case: Case) -> tc.Table:
        return as_nominal(super().table(case))

    def probes(self, case: Case) -> tc.Table:
        return as_nominal(super().probes(case))

    def growth(self, case: Case) -> tc.Growth:
        least = float(case["settings"]["min_num_obj"])
        nominal = "one_level" if case["settings"]["binary_splits"] else "multiway"
        return replace(tc.PRESETS["j48"].growth, nominal=nominal, min_weight_leaf=least, min_weight_split=2 * least)

    def prune(self, case: Case, tree: tc.Tree) -> tc.Tree:
        return tree.cut(tc.prune(tree, "j48_collapse"))

    def compare_grow(self, case: Case) -> Verdict:
        """Grown and collapsed size, the collapse log, every node of the final tree that raising did not change."""
        table = self.table(case)
        if case["settings"]["reduced_error"]:
            return self._compare_part(case, table)
        grown = grow_tree(table, self.growth(case))
        cuts = tc.prune(grown, "j48_collapse")
        tree = grown.cut(cuts)
        counted = [0]
        difference = (
            _size_difference("grown", grown, case["size_grown"])
            or _collapse_difference(grown, cuts, case["collapse_log"])
            or _size_difference("collapsed", tree, case["size_collapsed"])
            or tree_difference(case, tree, table, counted)
        )
        nodes = f"{grown.n_nodes} nodes grown, {counted[0]}/{case['size']['n_nodes']} of the final ones compared"
        return Verdict(case.id, "grow", "mismatch" if difference else "match", difference or nodes)

    def _compare_part(self, case: Case, table: tc.Table) -> Verdict:
        """The nodes of a tree that was grown on part of the rows, but for thresholds: they are values of all rows."""
        part = table.take(np.array(case["split_rows"]["grow_rows_in_weka_order"]))
        grown, counted = grow_tree(part, self.growth(case)), [0]
        difference = tree_difference(case, grown, part, counted, whole=table)
        nodes = f"{grown.n_nodes} nodes grown, {counted[0]}/{case['size']['n_nodes']} of the final ones compared"
        return Verdict(case.id, "grow", "mismatch" if difference else "match", difference or nodes)

    def compare_prune(self, case: Case) -> Verdict:
        """Without error-based pruning, what the collapse left: size and log."""
        if reason := self.not_pruned(case):
            return Verdict(case.id, "prune", "unsupported", reason)
        grown = grow_tree(self.table(case), self.growth(case))
        cuts = tc.prune(grown, "j48_collapse")
        difference = _collapse_difference(grown, cuts, case["collapse_log"])
        difference = difference or _size_difference("final", grown.cut(cuts), case["size"])
        text = difference or f"{len(cuts.cut_nodes)} of {grown.n_nodes} nodes collapsed"
        return Verdict(case.id, "prune", "mismatch" if difference else "match", text)

    def compare_predict(self, case: Case) -> Verdict:
        """Classes exactly, probabilities to 1e-8, of the training and of the probe rows."""
        if reason := self.not_pruned(case):
            return Verdict(case.id, "predict", "unsupported", reason)
        table = self.table(case)
        tree, probes = self.tree(case, table), self.probes(case)
        laplace = case["settings"]["laplace"]
        difference = _prediction_difference(tree, table, case["predictions"], laplace)
        difference = difference or _prediction_difference(tree, probes, case["probe_predictions"], laplace)
        text = difference or f"{table.n_rows} training and {probes.n_rows} probe rows"
        return Verdict(case.id, "predict", "mismatch" if difference else "match", text)


def as_nominal(table: tc.Table) -> tc.Table:
    """Ordinal features as nominal ones, as Weka takes them."""
    columns = tuple(replace(c, kind="nominal") if c.kind == "ordinal" else c for c in table.columns)
    return replace(table, columns=columns)


def _size_difference(name: str, tree: tc.Tree, size: dict) -> str:
    ours = {"n_nodes": tree.n_nodes, "n_leaves": tree.n_leaves, "depth": tree.depth}
    return "" if size.items() <= ours.items() else f"{name}: {size}, ours {ours}"


def _collapse_difference(grown: tc.Tree, cuts: Cuts, log: list[dict]) -> str:
    """The same nodes in the same order, with the same errors."""
    ours = {path_of(grown, int(t)): cuts.reasons[int(t)] for t in cuts.cut_nodes}
    theirs = [entry["path"] for entry in log]
    if sorted(ours) != sorted(theirs):
        return f"collapsed {sorted(set(theirs) ^ set(ours))} in one of the trees only"
    for entry in log:
        reason = ours[entry["path"]]
        pair = reason.number, reason.threshold - 1e-3
        if not np.allclose(pair, (entry["errors_leaf"], entry["errors_subtree"]), rtol=1e-8, atol=1e-6):
            return f"collapse at {entry['path']}: {entry}, ours {pair}"
    return ""


def _prediction_difference(tree: tc.Tree, table: tc.Table, recorded: dict, laplace: bool) -> str:
    """The first row that differs. laplace : (n + 1) / (N + K) at the leaf; labels are those without it."""
    proba = tree.predict_proba(table)
    labels = np.array(tree.classes, object)[largest_class(proba, at_first=-1.0)]
    if laplace:
        routes, smooth = route(tree, table), tree.stats[tree.answer] + 1.0
        smooth /= smooth.sum(axis=1, keepdims=True)
        proba = np.zeros((table.n_rows, len(tree.classes)))
        np.add.at(proba, routes.row, routes.share[:, None] * smooth[routes.node])
    for row, (ours, theirs) in enumerate(zip(labels, recorded["class"], strict=True)):
        if ours != theirs:
            return f"row {row} of {table.n_rows}: class {theirs}, ours {ours} {proba[row]}"
    wrong = np.flatnonzero(~np.isclose(proba, recorded["prob"], rtol=1e-8, atol=1e-12).all(axis=1))
    return f"row {wrong[0]}: {recorded['prob'][wrong[0]]}, ours {proba[wrong[0]]}" if len(wrong) else ""
