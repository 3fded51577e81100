"""The one tree that comes nearest to what many trees answer."""

from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.data.column import level_column, numeric_column
from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Distilled(Brief):
    """tree : grown on the answers of the ensemble instead of the target, so its leaves count those."""

    tree: Tree
    ensemble: Ensemble

    def agreement(self, rows: Table) -> float:
        """Share of the rows that both answer alike; of numbers R², the share of the ensemble's variance that the tree
        explains (NaN where the ensemble always says the same)."""
        one, many = self.tree.predict(rows), self.ensemble.predict(rows)
        if self.ensemble.classes:
            return float(np.mean(one == many))
        spread = float(((many - many.mean()) ** 2).sum())
        return 1 - float(((one - many) ** 2).sum()) / spread if spread > 0 else float("nan")


def distilled(ensemble: Ensemble, growth: GrowSettings) -> Distilled:
    """A tree by these settings, of the ensemble's answers for the rows that it was grown on.

    Source: Breiman and Shang (1996), Born again trees.
    """
    rows, answers = ensemble.table, ensemble.predict(ensemble.table)
    target = rows.target_column
    if ensemble.classes:
        column = level_column(target.name, target.kind, answers, target.levels)
    else:
        column = numeric_column(target.name, answers)
    told = replace(rows, columns=tuple(column if c.name == target.name else c for c in rows.columns))
    return Distilled(grow_tree(told, growth, any_target=True), ensemble)
