"""Many trees that answer together, grown by our growers, and the one tree that comes nearest to them."""

from treecore.ensembles.boosted import adaboost, gradient_boosting
from treecore.ensembles.distilled import Distilled, distilled
from treecore.ensembles.drawn import bagging
from treecore.ensembles.ensemble import Ensemble
from treecore.ensembles.forest import extra_trees, random_forest
from treecore.ensembles.kinds import KINDS, Kind, kinds_for
from treecore.ensembles.linear import linear_of_leaves
from treecore.ensembles.mixed_up import MixedUp, mixed_up
from treecore.ensembles.votes import votes_in_plane

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
