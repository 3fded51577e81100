"""What experiments have found, for the report: of those that were made of the tree as it is now, and nothing anew."""

from collections.abc import Callable, Iterator

from pages.shared import (
    experiment_bias,
    experiment_curves,
    experiment_importance,
    experiment_samples,
    experiment_stability,
    experiments,
    memo,
    state,
    work,
)
from pages.shared.plan import in_force
from treecore.errors import TreecoreError
from treecore.experiments import (
    across_lines,
    along_lines,
    importance_lines,
    plain_lines,
    recipes_lines,
    stability,
    stability_lines,
)  # fmt: skip
from treecore.experiments.bias_told import bias_lines
from treecore.export.report import Told


def sections() -> list[Callable[[], Told]]:
    """Each makes its section when the report is written, outside of any run."""
    try:
        return list(_found())
    except TreecoreError:  # the page says what is wrong with the recipe
        return []


def _section(title: str, recipe: str, lines: Callable[[], list]) -> Callable[[], Told]:
    return lambda: (title, [f"Recipe: {recipe}.", *plain_lines(lines())])


def _found() -> Iterator[Callable[[], Told]]:
    mine, measure = in_force().text(), experiments.measure()
    what = experiments.asked()
    tried = memo.find(what.key)
    if tried is not None:
        told = "; ".join(f"{name}: {text}" for name, text in experiments.texts().items())
        yield _section("Recipes on the same folds", told, lambda: recipes_lines(tried, measure))
    across = memo.find(experiment_samples.key())
    if across is not None:
        yield _section("Recipes on other tables", "as above", lambda: across_lines(across, measure))
    regrown = memo.find(experiment_stability.key())
    if regrown is not None:
        tree, band = work.pruned(), state.choice("regrow band")
        yield _section("Stability", mine, lambda: stability_lines(tree, stability(tree, regrown, band), regrown))
    bias = memo.find(experiment_bias.key())
    if bias is not None:
        yield _section("Bias and variance", mine, lambda: bias_lines(bias, bias.definitions[0]))
    along = memo.find(experiment_curves.key())
    if along is not None:
        scale = experiment_curves.scale()
        yield _section(f"Against {scale}", mine, lambda: along_lines(along, measure, scale))
    importances = memo.find(experiment_importance.key())
    if importances is not None:
        yield _section("Importance", mine, lambda: importance_lines(importances, measure))
