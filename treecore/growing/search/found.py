"""A split that was found for a node, before the node is given it."""

from dataclasses import dataclass, field

import numpy as np

from treecore.brief import Brief


def _none() -> np.ndarray:
    return np.empty(0, np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class Found(Brief):
    """A split in the kernels' terms.

    feature : its index. score : what the search maximised.
    cuts : int64, of an ordered feature: the last code of every branch but the last one, ascending.
    branch_of_level : int64 (n_codes,), of a nominal feature: the branch of every level, -1 for a level without rows.
    missing_branch : where rows without a value go; None leaves that to the missing-value strategy.
    """

    feature: int
    score: float
    cuts: np.ndarray = field(default_factory=_none)
    branch_of_level: np.ndarray = field(default_factory=_none)
    missing_branch: int | None = None

    @property
    def n_branches(self) -> int:
        return len(self.cuts) + 1 if len(self.cuts) else int(self.branch_of_level.max()) + 1
