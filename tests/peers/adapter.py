"""What the comparison asks of each system."""

from dataclasses import dataclass

import numpy as np

import treecore as tc
from tests.peers.case import Case, probe_table, table_of
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree


@dataclass(frozen=True)
class Adapter:
    """Maps one system's settings and numbers to ours; subclasses say what differs."""

    def unsupported(self, case: Case) -> str:
        """Why a case cannot be compared yet, '' if it can."""
        return "" if case.get("tree") else "no tree is recorded"

    def table(self, case: Case) -> tc.Table:
        """The rows that the system grew the tree on."""
        table, used = table_of(case), case.get("rows_used") or "all"
        return table if used == "all" else table.take(np.array(used))

    def probes(self, case: Case) -> tc.Table:
        """Rows with blanked features, whose predictions are recorded too."""
        return probe_table(case)

    def growth(self, case: Case) -> tc.GrowSettings:
        raise NotImplementedError

    def prune(self, case: Case, tree: tc.Tree) -> tc.Tree:
        """What the system prunes within its own fit."""
        return tree

    def tree(self, case: Case, table: tc.Table, imposed: tuple[ForcedSplit, ...] = ()) -> tc.Tree:
        return self.prune(case, grow_tree(table, self.growth(case), imposed=imposed, any_target=True))

    def merit(self, case: Case, tree: tc.Tree, node: int) -> tuple[str, float]:
        """The name and our value of the number by which the system judged the node's split."""
        raise NotImplementedError

    def in_our_order(self, case: Case, tree: tc.Tree, node: int, peer: dict) -> dict:
        """The recorded node with its branches in our order, where their order has no meaning."""
        return peer

    def other_candidates(self, case: Case, tree: tc.Tree, node: int, peer: dict, table: tc.Table) -> str:
        """First difference among recorded splits that were not chosen, '' if there is none."""
        return ""

    def probabilities(self, case: Case, tree: tc.Tree, table: tc.Table) -> np.ndarray:
        """float64 (n_rows, n_classes): our class shares as the system tells its own."""
        return tree.predict_proba(table)

    def answer(self, label: str | None) -> str | None:
        """Our predicted label in the system's words."""
        return label
