"""Weka's Id3: one branch per level, first largest gain, an empty branch gives no answer."""

import numpy as np

import treecore as tc
from tests.peers.adapter import Adapter
from tests.peers.case import Case
from tests.peers.weka_j48 import as_nominal


class WekaId3(Adapter):
    def table(self, case: Case) -> tc.Table:
        return as_nominal(super().table(case))

    def probes(self, case: Case) -> tc.Table:
        return as_nominal(super().probes(case))

    def probabilities(self, case: Case, tree: tc.Tree, table: tc.Table) -> np.ndarray:
        """Zeros where there is no answer."""
        return np.nan_to_num(tree.predict_proba(table), nan=0.0)

    def growth(self, case: Case) -> tc.GrowSettings:
        return tc.GrowSettings(criterion="entropy", nominal="multiway", empty_leaf="none")

    def merit(self, case: Case, tree: tc.Tree, node: int) -> tuple[str, float]:
        return "info_gain", float(tree.gain[node])

    def other_candidates(self, case: Case, tree: tc.Tree, node: int, peer: dict, table: tc.Table) -> str:
        ours = {c.feature: c.gain for c in tc.candidates(tree, node, table).ranked}
        for name, gain in peer.get("info_gains", {}).items():
            if not np.isclose(ours.get(name, 0.0), gain, rtol=1e-8, atol=1e-12):
                return f"gain of {name}: {gain}, ours {ours.get(name, 0.0)}"
        return ""
