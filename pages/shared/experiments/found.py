"""What each experiment has found by now, as a finding to keep: told and drawn by the library, and nothing made anew."""

from collections.abc import Iterator

import treecore as tc
from pages.shared.experiments import (
    answers,
    bias,
    curves,
    effort,
    fed,
    horizon,
    importance,
    many,
    moved,
    optimal,
    partial,
    recipes,
    samples,
)
from pages.shared.experiments import stability as experiment_stability
from pages.shared.experiments.source import Made, Source
from pages.shared.regions import move
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import moving, work
from pages.shared.trees.plan import Plan, in_force
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Words
from treecore.plots.found import (
    across_charts,
    along_charts,
    bias_charts,
    fed_charts,
    horizon_charts,
    importance_charts,
    many_charts,
    moved_charts,
    recipes_charts,
    stability_charts,
)  # fmt: skip
from treecore.study import (
    describe_curve,
    describe_feeding,
    describe_importances,
    describe_recipes,
    describe_stability,
    describe_tables,
    stability,
)  # fmt: skip
from treecore.study.questions.bias_variance import describe_bias_variance
from treecore.study.questions.effort import describe_effort
from treecore.study.questions.horizon import describe_horizon
from treecore.study.questions.row_sensitivity import describe_row_change

LOOKED_THROUGH = ("rows", "class", "called so from")


def sources() -> list[Source]:
    """Every experiment as it is set now; none where the recipe in force cannot be done, which the page says."""
    try:
        return list(_sources())
    except TreecoreError:
        return []


def done(kind: str) -> Iterator[tuple[Source, object]]:
    """That of this kind with its result, if that is there."""
    for source in sources():
        result = cache.find(source.key) if source.kind == kind else None
        if result is not None:
            yield source, result


def _sources() -> Iterator[Source]:
    yield from _of_recipes()
    yield _answers()
    mine = (_without_edits(in_force()),)
    yield from _moved(mine)
    yield _stability(mine)
    about, of_table = bias.settings(), not bias.of_world()
    yield Source("bias", "Bias and variance", bias.key(), about, _bias, mine, False, of_table)
    yield _along(mine)
    measure = recipes.measure()
    told = lambda found: (describe_importances(found, measure), importance_charts(found, measure))  # noqa: E731
    about = (("measure", measure.label), ("rows", importance.key()[-2]), ("seed", 0))
    yield Source("importance", "Importance", importance.key(), about, told, mine)
    yield _partial()
    yield _horizon(mine)
    yield _effort()
    yield _many(mine)
    yield _optimal(mine)
    role = fed.role()
    told = lambda found: (describe_feeding(found, role), fed_charts(found, role))  # noqa: E731
    about = fed.settings()
    yield Source("fed", "Rows one after the other", fed.key(), about, told, mine, False)


def _answers() -> Source:
    """Of your tree as it is, with the steps by hand."""
    about = answers.settings()
    told = lambda found: answers.told()  # noqa: E731 — of all roles and folds, not of one result
    return Source("answers", "Answers", answers.key(), about, told, (in_force(),), passing=LOOKED_THROUGH)


def _along(mine: tuple[Plan, ...]) -> Source:
    scale, measure = curves.scale(), curves.measure()
    told = lambda found: (describe_curve(found, measure, scale), along_charts(found, measure, scale))  # noqa: E731
    about = (("measure", measure.label), ("times", curves.key()[-1]), ("seed", 0))
    return Source("along", f"Against {scale}", curves.key(), about, told, mine)


def _effort() -> Source:
    """Of your tree as it is, with the steps by hand."""
    told = lambda found: (describe_effort(found), [])  # noqa: E731
    return Source("effort", "Tests per answer", effort.key(), (), told, (in_force(),))


def _partial() -> Source:
    """Of your tree as it is, with the steps by hand."""
    of = partial
    return Source("partial", "One feature alone", of.key(), of.settings(), of.told, (in_force(),))


def _moved(mine: tuple[Plan, ...]) -> Iterator[Source]:
    """One value of a row chosen here, or two by its place in the plane of Regions."""
    told = lambda found: (describe_row_change(found), moved_charts(found))  # noqa: E731
    for kind, title, of in (("plane", "One row moved in the plane", move),
                            ("moved", "One value of a row changed", moved)):  # fmt: skip
        yield Source(kind, title, of.key(), of.settings(), told, mine, passing=("to",))


def _optimal(mine: tuple[Plan, ...]) -> Source:
    def told(found) -> Made:
        paths = tc.rules(found.tree)
        return [Words(optimal.said(found).replace("**", "")), *(Words(rule.text) for rule in paths)], []

    title = "Fewest errors of a depth"
    return Source("optimal", title, optimal.key(), optimal.settings(), told, mine, False)


def _many(mine: tuple[Plan, ...]) -> Source:
    def told(found) -> Made:
        errors, one = many.errors_of(found)
        return [Words(many.said(found, errors, one))], many_charts(errors, one, bool(found.classes))

    return Source("many", "Many trees", many.key(), many.settings(), told, mine)


def _horizon(mine: tuple[Plan, ...]) -> Source:
    name = horizon.rows_of()
    of_table = name == horizon.MINE
    about = ("judged by", f"{horizon.role_that_judges()} rows") if of_table else ("rows of", name)
    told = lambda found: (describe_horizon(found), horizon_charts(found))  # noqa: E731
    return Source("horizon", "Stop early, or prune", horizon.key(), (about,), told, mine, False, of_table)


def _of_recipes() -> Iterator[Source]:
    """Recipes on folds of this table, and on others."""
    what, measure = recipes.asked(), recipes.measure()
    plans = tuple(Plan(*steps) for steps in what.plans)
    names = ("folds", "times", "seed", "together")
    drawn = tuple((name, value) for name, value in zip(names, what.drawn, strict=True) if value != "")
    told = lambda found: (describe_recipes(found, measure), recipes_charts(found, measure))  # noqa: E731
    about = (("measure", measure.label), *drawn)
    yield Source("recipes", "Recipes on the same folds", what.key, about, told, plans)
    told = lambda found: (describe_tables(found, measure), across_charts(found, measure))  # noqa: E731
    about = (("measure", measure.label), ("folds", samples.MOST_FOLDS), ("seed", 0))
    yield Source("samples", "Recipes on other tables", samples.key(), about, told, plans)


def _stability(mine: tuple[Plan, ...]) -> Source:
    way, n, seed = experiment_stability.key()[-1]

    def told(found) -> Made:
        tree = work.pruned()
        of = stability(tree, found, state.choice("regrow band"))
        return describe_stability(tree, of, found), stability_charts(tree, of, found)

    about = (("samples", way), ("trees", n), ("seed", seed), moving.describe_band())
    return Source("stability", "Stability", experiment_stability.key(), about, told, mine)


def _bias(found) -> Made:
    definition = found.definitions[0]
    return describe_bias_variance(found, definition), bias_charts(found, definition)


def _without_edits(plan: Plan) -> Plan:
    """Steps by hand are not repeated in any sample."""
    return Plan(plan.prepare, plan.grow, plan.prune)
