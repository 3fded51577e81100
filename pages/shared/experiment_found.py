"""What each experiment has found by now, as a finding to keep: told and drawn by the library, and nothing made anew."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import treecore as tc
from pages.shared import (
    experiment_bias,
    experiment_curves,
    experiment_fed,
    experiment_horizon,
    experiment_importance,
    experiment_many,
    experiment_optimal,
    experiment_samples,
    experiment_stability,
    experiments,
    memo,
    state,
    work,
)
from pages.shared.plan import Plan, in_force
from treecore.errors import TreecoreError
from treecore.experiments import (
    across_lines,
    along_lines,
    fed_lines,
    importance_lines,
    plain_lines,
    recipes_lines,
    stability,
    stability_lines,
)  # fmt: skip
from treecore.experiments.bias_told import bias_lines
from treecore.experiments.horizon_told import horizon_lines
from treecore.explaining.lines import Words
from treecore.export.chart import Chart
from treecore.export.finding import Finding
from treecore.figures import percent
from treecore.plots.found import (
    across_charts,
    along_charts,
    bias_charts,
    fed_charts,
    horizon_charts,
    importance_charts,
    many_charts,
    recipes_charts,
    stability_charts,
)  # fmt: skip
from treecore.recipe import Data, Recipe

Made = tuple[list, list[Chart]]
"""Lines and pictures."""


@dataclass(frozen=True)
class Source:
    """An experiment as it is set now.

    key : what memo.py keeps its result under. settings : names and values. told : lines and pictures of a result.
    plans : the recipes that it tries. pruned : does their pruning count? of_table : does the table?
    """

    kind: str
    title: str
    key: tuple
    settings: tuple[tuple[str, object], ...]
    told: Callable[[object], Made]
    plans: tuple[Plan, ...] = ()
    pruned: bool = True
    of_table: bool = True

    @property
    def steps(self) -> tuple[str, ...]:
        """The recipes as JSON: what they depend on besides the table's values."""
        r, whole = state.record(), work.table()
        about = (Data("", whole.target or "", whole.features, r.kinds), r.split) if self.of_table else ()
        made = [
            Recipe((*about, *((plan.prepare,) if self.of_table else ()), plan.grow, *((plan.prune,) * self.pruned)))
            for plan in self.plans
        ]
        return tuple(recipe.to_json() for recipe in made)

    @property
    def data(self) -> str:
        """What tells the table from others; '' where rows are invented."""
        return work.table().fingerprint if self.of_table else ""

    @property
    def name(self) -> tuple:
        """As Finding.key of what it finds."""
        return self.kind, self.steps, self.data, self._settings

    @property
    def _settings(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, str(value)) for name, value in self.settings)

    def finding(self, result: object) -> Finding:
        """What the result says."""
        lines, charts = self.told(result)
        texts = [plan.text() for plan in self.plans]
        recipe = (
            texts[0] if len(texts) == 1 else "; ".join(f"{a}: {t}" for a, t in zip("ABCDEFGH", texts, strict=False))
        )
        table = state.raw().source if self.of_table else ""
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
        lines = tuple(plain_lines(lines))
        return Finding(
            self.kind, self.title, recipe, self._settings, self.steps, table, self.data, now, lines, tuple(charts)
        )


def sources() -> list[Source]:
    """Every experiment as it is set now; none where the recipe in force cannot be done, which the page says."""
    try:
        return list(_sources())
    except TreecoreError:
        return []


def done(kind: str) -> Iterator[tuple[Source, object]]:
    """That of this kind with its result, if that is there."""
    for source in sources():
        result = memo.find(source.key) if source.kind == kind else None
        if result is not None:
            yield source, result


def _sources() -> Iterator[Source]:
    yield from _of_recipes()
    mine = (_without_edits(in_force()),)
    yield _stability(mine)
    world = experiment_bias.key()[1] if isinstance(experiment_bias.key()[1], str) else ""
    settings = (("trees", experiment_bias.key()[-2 if world else -1]), *((("rows of", world),) if world else ()))
    yield Source(
        "bias", "Bias and variance", experiment_bias.key(), (*settings, ("seed", 0)), _bias, mine, False, not world
    )
    scale, measure = experiment_curves.scale(), experiments.measure()
    told = lambda found: (along_lines(found, measure, scale), along_charts(found, measure, scale))  # noqa: E731
    about = (("measure", measure.label), ("times", experiment_curves.key()[-1]), ("seed", 0))
    yield Source("along", f"Against {scale}", experiment_curves.key(), about, told, mine)
    told = lambda found: (importance_lines(found, measure), importance_charts(found, measure))  # noqa: E731
    about = (("measure", measure.label), ("rows", experiment_importance.key()[-2]), ("seed", 0))
    yield Source("importance", "Importance", experiment_importance.key(), about, told, mine)
    yield _horizon(mine)
    yield _many(mine)
    yield _optimal(mine)
    role = experiment_fed.role()
    told = lambda found: (fed_lines(found, role), fed_charts(found, role))  # noqa: E731
    about = experiment_fed.settings()
    yield Source("fed", "Rows one after the other", experiment_fed.key(), about, told, mine, False)


def _optimal(mine: tuple[Plan, ...]) -> Source:
    def told(found) -> Made:
        paths = tc.rules(found.tree)
        return [Words(experiment_optimal.said(found).replace("**", "")), *(Words(rule.text) for rule in paths)], []

    title = "Fewest errors of a depth"
    return Source("optimal", title, experiment_optimal.key(), experiment_optimal.settings(), told, mine, False)


def _many(mine: tuple[Plan, ...]) -> Source:
    def told(found) -> Made:
        errors, one = experiment_many.errors_of(found)
        return [Words(experiment_many.said(found, errors, one))], many_charts(errors, one, bool(found.classes))

    return Source("many", "Many trees", experiment_many.key(), experiment_many.settings(), told, mine)


def _horizon(mine: tuple[Plan, ...]) -> Source:
    name, share = experiment_horizon.rows_of(), experiment_horizon.is_share()
    of_table = name == experiment_horizon.MINE
    about = ("judged by", f"{experiment_horizon.role_that_judges()} rows") if of_table else ("rows of", name)
    told = lambda found: (horizon_lines(found, share), horizon_charts(found, share))  # noqa: E731
    return Source("horizon", "Stop early, or prune", experiment_horizon.key(), (about,), told, mine, False, of_table)


def _of_recipes() -> Iterator[Source]:
    """Recipes on folds of this table, and on others."""
    what, measure = experiments.asked(), experiments.measure()
    plans = tuple(Plan(*steps) for steps in what.plans)
    names = ("folds", "times", "seed", "together")
    drawn = tuple((name, value) for name, value in zip(names, what.drawn, strict=True) if value != "")
    told = lambda found: (recipes_lines(found, measure), recipes_charts(found, measure))  # noqa: E731
    about = (("measure", measure.label), *drawn)
    yield Source("recipes", "Recipes on the same folds", what.key, about, told, plans)
    told = lambda found: (across_lines(found, measure), across_charts(found, measure))  # noqa: E731
    about = (("measure", measure.label), ("folds", experiment_samples.MOST_FOLDS), ("seed", 0))
    yield Source("samples", "Recipes on other tables", experiment_samples.key(), about, told, plans)


def _stability(mine: tuple[Plan, ...]) -> Source:
    band = state.choice("regrow band")
    way, n, seed = experiment_stability.key()[-1]

    def told(found) -> Made:
        tree = work.pruned()
        of = stability(tree, found, band)
        return stability_lines(tree, of, found), stability_charts(tree, of, found)

    about = (("samples", way), ("trees", n), ("seed", seed), ("same split within", f"{percent(band)} of the rows"))
    return Source("stability", "Stability", experiment_stability.key(), about, told, mine)


def _bias(found) -> Made:
    definition = found.definitions[0]
    return bias_lines(found, definition), bias_charts(found, definition)


def _without_edits(plan: Plan) -> Plan:
    """Steps by hand are not repeated in any sample."""
    return Plan(plan.prepare, plan.grow, plan.prune)
