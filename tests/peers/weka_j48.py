"""Weka's J48: gain ratio, a branch per level or one level against the rest, missing values in shares, pruning."""

from dataclasses import replace

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from tests.peers.compare import Verdict
from tests.peers.j48_nodes import path_of, tree_difference
from tests.peers.j48_pruned import final_difference, log_difference
from tests.peers.predict import judge_predictions
from tests.peers.recorded import first_difference_of, prediction_difference
from treecore.growing.grower import grow_tree
from treecore.pruning.cuts import CUT, RAISED, Cuts
from treecore.pruning.error_based import METHOD
from treecore.pruning.j48 import largest_class
from treecore.tree.predict import route


class WekaJ48(Adapter):
    """Every comparison is strict: J48's rule for ties is ours here."""

    def unsupported(self, case: Case) -> str:
        if case.settings["reduced_error"] and case.get("split_rows") is None:
            return "its grow and prune rows are not recorded"
        return super().unsupported(case)

    def table(self, case: Case) -> tc.Table:
        return as_nominal(super().table(case))

    def probes(self, case: Case) -> tc.Table:
        return as_nominal(super().probes(case))

    def growth(self, case: Case) -> tc.GrowSettings:
        least = float(case.settings["min_num_obj"])
        nominal = "one_level" if case.settings["binary_splits"] else "multiway"
        return replace(tc.PRESETS["j48"].growth, nominal=nominal, min_weight_leaf=least, min_weight_split=2 * least)

    def grown(self, case: Case, table: tc.Table) -> tc.Tree:
        """The full tree; with -R on the rows that are for growing, which for Weka are rows among all others: thresholds
        are values of all of them, and how many there are says which features have many levels."""
        if not case.settings["reduced_error"]:
            return grow_tree(table, self.growth(case), any_target=True)
        weight = np.zeros(table.n_rows)
        weight[case["split_rows"]["grow_rows_in_weka_order"]] = 1.0
        return grow_tree(table.with_weights(weight), self.growth(case), any_target=True)

    def cuts(self, case: Case, grown: tc.Tree, table: tc.Table) -> Cuts:
        """What J48 prunes within its fit."""
        settings = case.settings
        if settings["unpruned"]:
            return tc.prune(grown, "j48_collapse")
        if settings["reduced_error"]:
            return tc.prune(grown, "j48_reduced_error", validation=_part(case, table, "prune"))
        cf, raising = settings["confidence_factor_as_float"], settings["subtree_raising"]
        return tc.prune(grown, "error_based", train=table, cf=cf, raising=raising)

    def compare_grow(self, case: Case) -> Verdict:
        """Grown and collapsed size, the collapse log, every node of the final tree that raising did not change."""
        if reason := self.unsupported(case):
            return Verdict(case.id, "grow", "unsupported", reason)
        table = self.table(case)
        grown, counted = self.grown(case, table), [0]
        if case.settings["reduced_error"]:
            difference = tree_difference(case, grown, _part(case, table, "grow"), counted, table)
        else:
            cuts = tc.prune(grown, "j48_collapse")
            tree = grown.cut(cuts)
            difference = (
                _size_difference("grown", grown, case.get("size_grown"))
                or _collapse_difference(grown, cuts, case.get("collapse_log"))
                or _size_difference("collapsed", tree, case.get("size_collapsed"))
                or tree_difference(case, tree, table, counted, table)
            )
        final = case.get("size", {}).get("n_nodes", "?")
        nodes = f"{grown.n_nodes} nodes grown, {counted[0]}/{final} of the final ones compared"
        return Verdict(case.id, "grow", "mismatch" if difference else "match", difference or nodes)

    def compare_prune(self, case: Case) -> Verdict:
        """Every step of both logs in its order, then every node of the final tree, raised ones too."""
        if reason := self.unsupported(case):
            return Verdict(case.id, "prune", "unsupported", reason)
        table = self.table(case)
        grown = self.grown(case, table)
        cuts = self.cuts(case, grown, table)
        final, steps = grown.cut(cuts), [d for d in cuts.decisions if d.reason.method == METHOD]
        difference = ""
        if not case.settings["reduced_error"]:
            collapsed = tc.prune(grown, "j48_collapse")
            difference = _collapse_difference(grown, collapsed, case.get("collapse_log"))
            if not difference and case.get("prune_log") is not None:
                difference = log_difference(grown, steps, case["prune_log"])
        difference = difference or _size_difference("final", final, case.get("size")) or final_difference(case, final)
        counts = [int((cuts.verdict == verdict).sum()) for verdict in (CUT, RAISED)]
        text = f"{counts[0]} of {grown.n_nodes} nodes cut, {counts[1]} raised over, {len(steps)} steps in order"
        return Verdict(case.id, "prune", "mismatch" if difference else "match", difference or text)

    def compare_predict(self, case: Case) -> Verdict:
        """Classes exactly, probabilities to 1e-8, of the training and of the probe rows."""
        if reason := self.unsupported(case):
            return Verdict(case.id, "predict", "unsupported", reason)
        table, laplace = self.table(case), case.settings["laplace"]
        grown = self.grown(case, table)
        tree = grown.cut(self.cuts(case, grown, table))

        def difference(rows: tc.Table, recorded: dict) -> str:
            return _prediction_difference(tree, rows, recorded, laplace)

        return judge_predictions(self, case, table, difference)


def _part(case: Case, table: tc.Table, role: str) -> tc.Table:
    """The rows that -R grows with or prunes with."""
    return table.take(np.array(case["split_rows"][f"{role}_rows_in_weka_order"]))


def as_nominal(table: tc.Table) -> tc.Table:
    """Ordinal features as nominal ones, as Weka takes them."""
    columns = tuple(replace(c, kind="nominal") if c.kind == "ordinal" else c for c in table.columns)
    return replace(table, columns=columns)


def _size_difference(name: str, tree: tc.Tree, size: dict | None) -> str:
    ours = {"n_nodes": tree.n_nodes, "n_leaves": tree.n_leaves, "depth": tree.depth}
    text = first_difference_of(size or {}, ours)
    return f"{name}: {text}" if text else ""


def _collapse_difference(grown: tc.Tree, cuts: Cuts, log: list[dict] | None) -> str:
    """The same nodes, with the same errors."""
    if log is None:
        return ""
    ours = {path_of(grown, int(t)): cuts.reasons[int(t)] for t in cuts.cut_nodes}
    theirs = [entry["path"] for entry in log]
    if sorted(ours) != sorted(theirs):
        return f"collapsed {sorted(set(theirs) ^ set(ours))} in one of the trees only"
    for entry in log:
        reason = ours[entry["path"]]
        pair = {"errors_leaf": reason.number, "errors_subtree": reason.threshold - 1e-3}
        if text := first_difference_of(entry, pair, atol=1e-6):
            return f"collapse at {entry['path']}: {text}"
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
    return prediction_difference(labels, proba, recorded)
