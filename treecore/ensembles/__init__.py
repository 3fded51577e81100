"""Many trees that answer together, grown by our growers, and the one tree that comes nearest to them."""

from treecore.ensembles.boosted import adaboost, gradient_boosting
from treecore.ensembles.distilled import Distilled, distilled
from treecore.ensembles.drawn import bagging
from treecore.ensembles.ensemble import Ensemble
from treecore.ensembles.forest import random_forest
from treecore.ensembles.kinds import KINDS, Kind, kinds_for

__all__ = [
    "KINDS",
    "Distilled",
    "Ensemble",
    "Kind",
    "adaboost",
    "bagging",
    "distilled",
    "gradient_boosting",
    "kinds_for",
    "random_forest",
]
