"""Weka's REPTree: grown on some rows, pruned by the others, which are then put back into its nodes."""

from dataclasses import dataclass, replace

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from tests.peers.compare import Settled, Verdict, compare_growth, settle
from tests.peers.predict import judge_predictions
from tests.peers.recorded import differs, first_difference_of, prediction_difference
from tests.peers.settings import options
from tests.peers.weka_j48 import as_nominal
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.judging.losses import leaf_errors
from treecore.pruning import Cuts

TINY = 1e-300
"""An impurity that every node exceeds which is not pure: no share of the variance is asked for."""


def options_of(case: Case) -> dict[str, str]:
    """The command line as switch -> value, '' for a switch without one; Weka's own values where it says nothing."""
    return {"M": "2", "V": "0.001", "L": "-1"} | options(case.settings)


class WekaReptree(Adapter):
    """Trees are grown on the recorded grow rows and pruned by the recorded prune rows."""

    def unsupported(self, case: Case) -> str:
        pruned = "P" not in options_of(case)
        if pruned and case.get("split_rows") is None:
            return "its grow and prune rows are not recorded"
        return super().unsupported(case)

    def table(self, case: Case) -> tc.Table:
        return as_nominal(super().table(case))

    def probes(self, case: Case) -> tc.Table:
        return as_nominal(super().probes(case))

    def growth(self, case: Case) -> tc.GrowSettings:
        options = options_of(case)
        least, depth, share = float(options["M"]), int(options["L"]), float(options["V"])
        growth = replace(tc.PRESETS["reptree"].growth, min_weight_leaf=least, min_weight_split=2 * least)
        growth = replace(growth, max_depth=None if depth < 0 else depth)
        if case["task"] == "classification" or share == 1e-3:  # the share that the preset asks for
            return growth
        y = _parts(case, self.table(case))[0]
        variance = np.average((y.target_column.values() - _mean(y)) ** 2, weights=y.weights)
        return replace(growth, min_impurity=max(share * variance, TINY))

    def grown(self, case: Case, table: tc.Table, imposed) -> tc.Tree:
        return grow_tree(_parts(case, table)[0], self.growth(case), imposed=imposed, any_target=True)

    def cuts(self, case: Case, table: tc.Table, grown: tc.Tree) -> Cuts:
        validation = _parts(case, table)[1]
        return Cuts.none(grown) if validation is None else tc.prune(grown, "reptree", validation=validation)

    def tree(self, case: Case, table: tc.Table, imposed=()) -> tc.Tree:
        grown = self.grown(case, table, imposed)
        return grown.cut(self.cuts(case, table, grown))

    def merit(self, case: Case, tree: tc.Tree, node: int) -> tuple[str, float]:
        """Compared with the grown tree only."""
        return "gain of a pruned tree", np.nan

    def compare_grow(self, case: Case) -> Verdict:
        """Every node of the final tree as it was grown."""
        if reason := self.unsupported(case):
            return Verdict(case.id, "grow", "unsupported", reason)
        return compare_growth(_Grown(), _recounted(case, pruned=False))

    def compare_prune(self, case: Case) -> Verdict:
        """The pruned tree with the prune rows in its nodes, and what they erred there."""
        if reason := self.unsupported(case):
            return Verdict(case.id, "prune", "unsupported", reason)
        found, now = _settled(case, self.table(case))
        difference = found.difference or _hold_out_difference(case, now)
        notes = [f"{found.tree.n_nodes} of {now.grown.n_nodes} nodes left"]
        notes += [f"{now.n_ties} ties settled as recorded"] * bool(now.n_ties)
        text = difference or ", ".join(notes)
        return Verdict(case.id, "prune", "mismatch" if difference else "match", text)

    def compare_predict(self, case: Case) -> Verdict:
        """Classes, probabilities and means of the rows of the table and of those with blanked features."""
        if reason := self.unsupported(case):
            return Verdict(case.id, "predict", "unsupported", reason)
        table = self.table(case)
        found = _settled(case, table)[0]
        if found.difference:
            return Verdict(case.id, "predict", "mismatch", found.difference)
        return judge_predictions(self, case, table, lambda rows, told: _prediction_difference(found.tree, rows, told))


class _Grown(WekaReptree):
    """Where the recorded tree was pruned, ours is cut to its shape; what is put back is left out.

    ties : splits that were asked for the last time, which settle ties as the recorded tree does.
    """

    ties: tuple[ForcedSplit, ...] = ()

    def tree(self, case: Case, table: tc.Table, imposed=()) -> tc.Tree:
        self.ties = imposed
        grown = self.grown(case, table, imposed)
        if "P" in options_of(case):
            return grown
        leaves, waiting = [], [(0, case["tree"])]
        while waiting:
            node, peer = waiting.pop()
            children = peer.get("children", [])
            leaves += [] if children else [node]
            if children and len(children) == grown.n_children[node]:
                waiting += zip(grown.children(node), children, strict=True)
        return grown.cut(Cuts.at(grown, leaves))

    def merit(self, case: Case, tree: tc.Tree, node: int) -> tuple[str, float]:
        """Gain of all rows with those without a value shared, from the nodes; of numbers the drop of the squares."""
        own, below = tree.impurity[node] * tree.weight[node], list(tree.children(node))
        drop = own - (tree.impurity[below] * tree.weight[below]).sum()
        return "gain", float(drop / tree.weight[node] if tree.classes else drop)

    def other_candidates(self, case: Case, tree: tc.Tree, node: int, peer: dict, table: tc.Table) -> str:
        """The score of the split among all that were possible."""
        listed = tc.candidates(tree, node, _parts(case, table)[0], limit=10_000).ranked
        ours = [c.score * (1.0 if tree.classes else tree.weight[node]) for c in listed if c.chosen]
        right = len(ours) == 1 and not differs(peer["split"], "gain", ours[0])
        return "" if right else f"gain {peer['split'].get('gain')}, of the candidates {ours}"


@dataclass(frozen=True)
class _Pruned:
    """A grown tree, how many of its ties were settled as recorded, and its cuts."""

    grown: tc.Tree
    n_ties: int
    cuts: Cuts


class _Given(WekaReptree):
    """Answers with a tree that is there already."""

    def __init__(self, tree: tc.Tree):
        self._tree = tree

    def tree(self, case: Case, table: tc.Table, imposed=()) -> tc.Tree:
        return self._tree


def _settled(case: Case, table: tc.Table) -> tuple[Settled, _Pruned]:
    """Our pruned tree and its first difference, and what it is made of; ties are settled before it is pruned."""
    adapter = _Grown()
    settle(adapter, _recounted(case, pruned=False), table)
    grown = adapter.grown(case, table, adapter.ties)
    now = _Pruned(grown, len(adapter.ties), _with_kept(case, grown, adapter.cuts(case, table, grown)))
    return settle(_Given(grown.cut(now.cuts)), _recounted(case, pruned=True), table), now


def _with_kept(case: Case, grown: tc.Tree, cuts: Cuts) -> Cuts:
    """The cuts without those that Weka did not make because its two sums of the same errors differ in the last bits."""
    waiting = [(0, case["tree"])]
    while waiting:
        t, peer = waiting.pop()
        reason = cuts.reasons.get(t)
        if "children" in peer and reason is not None and reason.number == reason.threshold:
            cuts = cuts.restore(t, reason)
        waiting += zip(grown.children(t), peer.get("children", ()), strict=False)
    return cuts


def _parts(case: Case, table: tc.Table) -> tuple[tc.Table, tc.Table | None]:
    """(rows to grow on, rows to prune by or None)."""
    rows = case.get("split_rows")
    if rows is None:
        return table, None
    return tuple(table.take(np.array(rows[f"{part}_rows_in_weka_order"])) for part in ("grow", "prune"))


def _mean(table: tc.Table) -> float:
    return float(np.average(table.target_column.values(), weights=table.weights))


def _recounted(case: Case, pruned: bool) -> Case:
    return replace(case, data={**case.data, "tree": _as_counted(case, case["tree"], pruned)})


def _as_counted(case: Case, peer: dict, pruned: bool) -> dict:
    """A recorded node in the words of the other systems. pruned : with the prune rows."""
    node = {name: peer[name] for name in ("id", "split", "tie") if name in peer}
    if "children" in peer:
        node["children"] = [_as_counted(case, child, pruned) for child in peer["children"]]
    names = ("grow_distribution", "holdout_distribution") if pruned else ("grow_distribution",)
    if any(name not in peer for name in names):
        return node
    grow, *put_back = (np.array(peer[name], float) for name in names)
    if case["task"] == "classification":
        return node | {"counts": sum(put_back, grow)}
    if not pruned:
        return node | {"n": grow[1], "deviance": grow[0]}
    n = grow[1] + put_back[0][0]
    return node | {"n": n} | ({"mean": peer.get("mean")} if n > 0 else {})


def _prediction_difference(tree: tc.Tree, table: tc.Table, recorded: dict) -> str:
    """The first row that differs; of classes that are equal up to rounding any may be the answer."""
    if not tree.classes:
        return prediction_difference(None, tree.predict(table), recorded)
    proba = tree.predict_proba(table)

    def equal(row: int, *labels: str) -> bool:
        return bool(np.isclose(*(proba[row, tree.classes.index(name)] for name in labels), rtol=1e-12))

    return prediction_difference(tree.predict(table), proba, recorded, equal)


def _hold_out_difference(case: Case, now: _Pruned) -> str:
    """Statistics and errors of the prune rows in every node of the pruned tree."""
    grown, added = now.grown, now.cuts.added
    if added is None:
        return ""
    errors, waiting = leaf_errors(grown, added), [(0, case["tree"])]
    while waiting:
        t, peer = waiting.pop()
        stats = added[t] if grown.classes else [added[t, 0], added[t, 1] + grown.center[t] * added[t, 0]]
        told = now.cuts.reasons[t].number if t in now.cuts.reasons else errors[t]
        text = first_difference_of(peer, {"holdout_distribution": stats}, atol=1e-6)
        for ours in (errors[t], told):
            text = text or first_difference_of(peer, {"holdout_error": ours}, atol=1e-8)
        if text:
            return f"node {peer.get('id', t)}: {text}"
        waiting += zip(grown.children(t), peer.get("children", ()), strict=False)
    return ""
