"""rpart: CART with competitors, cp applied within the fit, children ordered by mean."""

import math

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from tests.peers.compare import Verdict, as_rounded, same_test_of, settled, threshold_in
from tests.peers.events import is_counted, parms_of
from tests.peers.recorded import differs, first_difference_of
from tests.peers.rpart_prune import prune_difference
from treecore.data.table_like import lone_value
from treecore.growing.inspect.candidates import Candidate


class Rpart(Adapter):
    def unsupported(self, case: Case) -> str:
        if case.settings["method"] not in ("class", "anova") and not is_counted(case.data):
            return f"method {case.settings['method']} is not built yet"
        if "split" in (case.get("tree") or {}) and lone_value(self.table(case)):
            return "the peer splits what rounding leaves of one value"
        return super().unsupported(case)

    def growth(self, case: Case) -> tc.GrowSettings:
        settings = case.settings
        parms = parms_of(case.data)
        split = parms.get("split", "gini") if settings["method"] == "class" else None
        return tc.GrowSettings(
            criterion="poisson" if is_counted(case.data) else CRITERIA_OF[split],
            min_rows_split=settings["minsplit"],
            min_rows_leaf=settings["minbucket"],
            max_depth=settings["maxdepth"],
            branch_order="mean",
            max_exhaustive=20,
            missing=("rpart_stay", "rpart_only", "rpart")[settings["usesurrogate"]],
            max_surrogates=settings["maxsurrogate"],
            surrogate_style=("all", "known")[settings["surrogatestyle"]],
            priors=parms["prior"] if parms.get("prior_given") else None,
            loss=parms["loss"] if parms.get("loss_given") else None,
            costs=costs_of(case),
        )

    def prune(self, case: Case, tree: tc.Tree) -> tc.Tree:
        cp = case.settings["cp"]
        return tree.cut(as_rounded(case["tree"], tree, tc.prune(tree, "rpart_cp", cp=cp), cp))

    def compare_prune(self, case: Case) -> Verdict:
        """The table of complexities, the pruned trees, and cross-validation with the recorded folds."""
        if reason := self.unsupported(case):
            return Verdict(case.id, "prune", "unsupported", reason)
        table = self.table(case)
        found = settled(self, case)
        difference, notes = found.difference, []
        if not difference:
            difference, notes = prune_difference(case, found.tree, table)
        return Verdict(case.id, "prune", "mismatch" if difference else "match", difference or "; ".join(notes))

    def probabilities(self, case: Case, tree: tc.Tree, table: tc.Table) -> np.ndarray:
        """rpart divides by the weight that a class has at the root, or by 1 where that is less."""
        light = np.minimum(tree.stats[0], 1.0)
        shares = tree.predict_proba(table) * np.where(light > 0, light, 1.0)
        return shares / shares.sum(axis=1, keepdims=True)

    def merit(self, case: Case, tree: tc.Tree, node: int) -> tuple[str, float]:
        cost = costs_of(case).get(tree.node(node).feature, 1.0)
        return "improve", self._improve(case, tree, node, tree.gain[node] / cost)

    def _improve(self, case: Case, tree: tc.Tree, node: int, gain: float) -> float:
        """Our gain on rpart's scale: weight * gain (entropy in nats), or the share of the node's SS."""
        if tree.criterion == "poisson":
            return gain * tree.weight[node]
        if tree.criterion == "squared_error":
            return gain / tree.impurity[node]
        nats = math.log(2) if tree.criterion == "entropy" else 1.0
        return gain * (tree.stats[node] * tree.class_factor).sum() * nats

    def other_candidates(self, case: Case, tree: tc.Tree, node: int, peer: dict, table: tc.Table) -> str:
        return self._surrogates(tree, node, peer) or self._competitors(case, tree, node, peer, table)

    def _surrogates(self, tree: tc.Tree, node: int, peer: dict) -> str:
        """Surrogates: the same features, cuts and agreements in the same order; ties of their own settled freely."""
        recorded = peer.get("surrogates")
        if recorded is None:
            return ""
        start, stop = tree.surrogate_start[node : node + 2]
        names = [tree.schema.features[f].name for f in tree.surrogates.feature[start:stop]]
        if names != [r["variable"] for r in recorded]:
            return f"surrogates {[r['variable'] for r in recorded]}, ours {names}"
        for s, r in zip(range(start, stop), recorded, strict=True):
            numbers = {"agree": tree.surrogate_agree[s], "adj": tree.surrogate_adjusted[s]}
            numbers |= {} if r.get("tie") else {"n_used": tree.surrogate_rows[s]}
            if text := first_difference_of(r, numbers):
                return f"surrogate {r['variable']}: {text}"
            if not r.get("tie") and not same_test_of(tree, tree.surrogates, s, r):
                return f"surrogate {r['variable']}: {r.get('branches')} is not ours"
        return ""

    def _competitors(self, case: Case, tree: tc.Tree, node: int, peer: dict, table: tc.Table) -> str:
        """Competitors: the best split of each other feature, in order of improve."""
        recorded, costs = peer.get("competitors"), costs_of(case)
        if recorded is None:
            return ""
        found = tc.candidates(tree, node, table, limit=10**6)
        ranked = found.ranked
        ours = [c for c in found.per_feature() if c.feature != peer["split"]["variable"]]
        ours = [c for c in ours if c.gain > 1e-10 * ranked[0].gain]
        if len(recorded) != min(len(ours), case.settings["maxcompete"]):
            return f"{len(recorded)} competitors recorded, ours {len(ours)}"
        for c, r in zip(ours, recorded, strict=False):
            own = self._improve(case, tree, node, c.gain / costs.get(c.feature, 1.0))
            theirs = next((x for x in ours if x.feature == r["variable"]), None)
            if theirs is None or differs(r, "improve", own):
                return f"competitor {r['variable']}: improve {r.get('improve')}, ours {c.feature} {own}"
            near = [x for x in ranked if x.feature == r["variable"] and abs(x.gain - theirs.gain) <= 1e-9 * theirs.gain]
            if not any(same_test(x, r, table) for x in near):
                return f"competitor {r['variable']}: {r.get('threshold', r.get('branches'))} is not ours"
        return ""


CRITERIA_OF = {"gini": "gini", "information": "entropy", None: "squared_error"}


def costs_of(case: Case) -> dict:
    """What asking for each feature costs, {} if nothing is said."""
    return case.get("cost") or case.settings.get("cost") or {}


def same_test(candidate: Candidate, recorded: dict, table: tc.Table) -> bool:
    """The same threshold, or the same two groups of levels."""
    levels, branches = table.column(candidate.feature).levels, recorded.get("branches") or [{}]
    threshold = threshold_in(recorded)
    if threshold is None and "in" not in branches[0]:
        return True
    if candidate.threshold is not None and levels:
        below = {frozenset(levels.index(v) < candidate.threshold for v in b["in"]) for b in branches}
        return below == {frozenset([True]), frozenset([False])}
    if threshold is not None:
        ours = candidate.threshold
        return ours is not None and bool(np.isclose(ours, threshold, rtol=1e-8, atol=1e-300))
    return candidate.groups == frozenset(frozenset(b["in"]) for b in branches)
