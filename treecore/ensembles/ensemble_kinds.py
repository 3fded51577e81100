"""The ways to grow many trees, by name."""

from collections.abc import Callable
from dataclasses import dataclass

from treecore.data.table import Table
from treecore.ensembles.boosted import adaboost, gradient_boosting
from treecore.ensembles.ensemble import Ensemble
from treecore.ensembles.forest import bagging, extra_trees, random_forest
from treecore.ensembles.linear import linear_of_leaves
from treecore.growing.searchers import is_tested
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.registry import Registry

SUBSPACE_SHARE = 0.5


@dataclass(frozen=True)
class Kind:
    """grown : (table, settings of growth, number of trees, seed, progress) -> Ensemble. depth : of its trees, where
    none is chosen; None as deep as the settings allow. task : the only kind of target it is for, "" for both. draws :
    are features or thresholds drawn at its nodes? Settings that choose by significance refuse that."""

    name: str
    label: str
    note: str
    source: str
    grown: Callable[[Table, GrowSettings, int, int, Callable | None], Ensemble]
    depth: int | None = None
    task: str = ""
    draws: bool = False


KINDS: Registry[Kind] = Registry(
    "kind of ensemble",
    Kind(
        "bagging", "Bagging", "Trees of bootstrap samples vote: variance goes, bias stays.", "Breiman (1996)",
        lambda rows, growth, n, seed, progress: bagging(rows, growth, n, 1.0, seed, progress),
    ),
    Kind(
        "subspaces", "Random subspaces", "As bagging, and each tree has half of the features, drawn at random: its "
        "errors are more its own.", "Ho (1998)",
        lambda rows, growth, n, seed, progress: bagging(rows, growth, n, SUBSPACE_SHARE, seed, progress),
    ),
    Kind(
        "forest", "Random forest", "As bagging, and each node is split on one of a few features drawn there: √d for "
        "classes, a third for numbers, unless your settings say otherwise.", "Breiman (2001)",
        lambda rows, growth, n, seed, progress: random_forest(rows, growth, n, seed, progress),
        draws=True,
    ),
    Kind(
        "extra", "Extremely randomised trees", "Trees of all rows; each node is split at one threshold drawn for each "
        "feature, of which the best is taken, and for classes of √d features drawn there.",
        "Geurts, Ernst and Wehenkel (2006)",
        lambda rows, growth, n, seed, progress: extra_trees(rows, growth, n, seed, progress),
        draws=True,
    ),
    Kind(
        "adaboost", "AdaBoost", "Small trees one after the other, each with more weight on what the last got wrong.",
        "Freund and Schapire (1997)", lambda rows, growth, n, seed, progress: adaboost(rows, growth, n, progress),
        depth=2, task="classification",
    ),
    Kind(
        "gradient", "Gradient boosting", "Small trees one after the other, each on what is left of the target, or "
        "of the classes' probabilities: of three classes and more, one for each class in turn.", "Friedman (2001)",
        lambda rows, growth, n, seed, progress: gradient_boosting(rows, growth, n, progress=progress), depth=3,
    ),
    Kind(
        "linear", "Linear model of leaves", "Every leaf of small bootstrap trees is a feature, 1 for its rows; a "
        "logistic or ridge regression weighs all together. The error is told as coefficients are added tree by tree.",
        "Friedman and Popescu (2008)",
        lambda rows, growth, n, seed, progress: linear_of_leaves(rows, growth, n, seed, progress), depth=3,
    ),
)  # fmt: skip


def kinds_for(task: str, growth: GrowSettings) -> list[str]:
    """Names of those for this kind of target that can be grown with these settings."""
    tests = is_tested(growth)
    return [kind.name for kind in KINDS.values() if kind.task in ("", task) and not (tests and kind.draws)]
