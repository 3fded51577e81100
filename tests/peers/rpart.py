"""rpart: CART with competitors, cp applied within the fit, children ordered by mean."""

import math

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from treecore.growing.candidates import Candidate


class Rpart(Adapter):
    def unsupported(self, case: Case) -> str:
        if case["settings"]["method"] not in ("class", "anova"):
            return f"method {case['settings']['method']} is not built yet"
        return super().unsupported(case)

    def growth(self, case: Case) -> tc.Growth:
        settings = case["settings"]
        parms = settings.get("parms", {})
        split = parms.get("split")
        return tc.Growth(
            criterion={"gini": "gini", "information": "entropy", None: "squared_error"}[split],
            min_rows_split=settings["minsplit"],
            min_rows_leaf=settings["minbucket"],
            max_depth=settings["maxdepth"],
            branch_order="mean",
            max_exhaustive=20,
            priors=parms["prior"] if parms.get("prior_given") else None,
            loss=parms["loss"] if parms.get("loss_given") else None,
            costs=case.get("cost") or (),
        )

    def prune(self, case: Case, tree: tc.Tree) -> tc.Tree:
        return tree.cut(tc.prune(tree, "rpart_cp", cp=case["settings"]["cp"]))

    def merit(self, case: Case, tree: tc.Tree, node: int) -> tuple[str, float]:
        cost = (case.get("cost") or {}).get(tree.node(node).feature, 1.0)
        return "improve", self._improve(case, tree, node, tree.gain[node] / cost)

    def _improve(self, case: Case, tree: tc.Tree, node: int, gain: float) -> float:
        """Our gain on rpart's scale: weight * gain (entropy in nats), or the share of the node's SS."""
        if tree.criterion == "squared_error":
            return gain / tree.impurity[node]
        nats = math.log(2) if tree.criterion == "entropy" else 1.0
        return gain * (tree.stats[node] * tree.class_factor).sum() * nats

    def other_candidates(self, case: Case, tree: tc.Tree, node: int, peer: dict, table: tc.Table) -> str:
        """Competitors: the best split of each other feature, in order of improve."""
        costs = case.get("cost") or {}
        found = tc.candidates(tree, node, table, limit=10**6)
        ranked = found.ranked
        ours = [c for c in found.per_feature() if c.feature != peer["split"]["variable"]]
        ours = [c for c in ours if c.gain > 1e-10 * ranked[0].gain]
        recorded = peer.get("competitors", [])
        if len(recorded) != min(len(ours), case["settings"]["maxcompete"]):
            return f"{len(recorded)} competitors recorded, ours {len(ours)}"
        for c, r in zip(ours, recorded, strict=False):
            own = self._improve(case, tree, node, c.gain / costs.get(c.feature, 1.0))
            theirs = next((x for x in ours if x.feature == r["variable"]), None)
            if theirs is None or not np.isclose(own, r["improve"], rtol=1e-8, atol=1e-12):
                return f"competitor {r['variable']}: improve {r['improve']}, ours {c.feature} {own}"
            near = [x for x in ranked if x.feature == r["variable"] and abs(x.gain - theirs.gain) <= 1e-9 * theirs.gain]
            if not any(same_test(x, r) for x in near):
                return f"competitor {r['variable']}: {r.get('threshold', r['branches'])} is not ours"
        return ""


def same_test(candidate: Candidate, recorded: dict) -> bool:
    """The same threshold, or the same two groups of levels."""
    if "threshold" in recorded:
        ours = candidate.threshold
        return ours is not None and bool(np.isclose(ours, recorded["threshold"], rtol=1e-8, atol=1e-300))
    return candidate.groups == frozenset(frozenset(b["in"]) for b in recorded["branches"])
