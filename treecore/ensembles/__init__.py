"""Many trees that answer together, grown by our growers, and the one tree that comes nearest to them."""

from treecore.ensembles.boosted import adaboost, gradient_boosting
from treecore.ensembles.ensemble import Ensemble, votes_in_plane
from treecore.ensembles.ensemble_kinds import KINDS, Kind, kinds_for
from treecore.ensembles.ensemble_summary import Distilled, MixedUp, distilled, mixed_up
from treecore.ensembles.forest import bagging, extra_trees, random_forest
from treecore.ensembles.linear import linear_of_leaves

__all__ = [
    "KINDS",
    "Distilled",
    "Ensemble",
    "Kind",
    "MixedUp",
    "adaboost",
    "bagging",
    "distilled",
    "extra_trees",
    "gradient_boosting",
    "kinds_for",
    "linear_of_leaves",
    "mixed_up",
    "random_forest",
    "votes_in_plane",
]
