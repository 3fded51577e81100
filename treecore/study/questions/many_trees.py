"""Would many trees that answer together do better than the one?"""

from dataclasses import replace

import numpy as np

from treecore.ensembles import KINDS, Ensemble, kinds_for
from treecore.explaining.formulas import Line, Words
from treecore.figures import brief, in_unit, percent
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.study.metrics import score
from treecore.study.questions.question import Picture, Setting, Setup, Start, StudyQuestion, Told, Work

OUT_OF_BAG = "out of bag"
MOST_DEPTH = 30
KIND = Setting(
    "many kind", "Kind", width=190,
    options=lambda s: {name: KINDS[name].label for name in kinds_for(s.table.task, s.growth.growth())},
)  # fmt: skip
TREES = Setting("many trees", "Trees", 50, least=1, most=500, step=10, width=110)
DEPTH = Setting("many depth", "Depth", least=1, most=MOST_DEPTH, width=110)


def depth_of_trees(setup: Setup) -> int | None:
    """As chosen, else as usual for their kind; None as deep as the settings of growth allow."""
    chosen = setup[DEPTH]
    return KINDS[setup[KIND]].depth if chosen is None else chosen


def growth_of_trees(setup: Setup) -> GrowSettings:
    """Yours, but for the depth."""
    growth, depth = setup.growth.growth(), depth_of_trees(setup)
    return growth if depth is None else replace(growth, max_depth=depth)


def _work(setup: Setup) -> Work:
    train, growth, kind, n = setup.roles["train"], growth_of_trees(setup), KINDS[setup[KIND]], setup[TREES]
    return lambda report: kind.grown(train, growth, n, 0, report)


def errors_of(found: Ensemble, setup: Setup) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    """(role or OUT_OF_BAG -> errors of the first 1, 2 ... trees; the role that judges -> error of your tree), as they
    are shown: of numbers the RMSE."""
    parts, held = setup.parts, setup.held_back
    errors = {
        role: setup.cached("errors of many", role, make=lambda rows=rows: found.errors(rows))
        for role, rows in parts.items()
    }
    if found.times is not None:
        errors[OUT_OF_BAG] = setup.cached("out of bag", make=found.out_of_bag)
    shown = np.asarray if found.classes else np.sqrt
    return (
        {role: shown(values) for role, values in errors.items()},
        {held: float(shown(score(setup.tree, parts[held]).error))},
    )


def error_name(found: Ensemble) -> str:
    """What these errors are."""
    return "error rate" if found.classes else "RMSE"


def errors_sentence(found: Ensemble, setup: Setup) -> str:
    """All of them beside yours."""
    words = percent if found.classes else lambda value: in_unit(brief(value), setup.tree.schema.target_unit)
    errors, one = errors_of(found, setup)
    [(held, mine)] = one.items()
    many = words(errors[held][-1])
    rows = f"{held} rows" if held != "train" else "training rows"
    name = "Error" if found.classes else error_name(found)
    return f"{name} on the {rows}: {many} for all {len(found.trees):,} trees together, {words(mine)} for your tree."


def _describe(found: Ensemble, setup: Setup) -> list[Line]:
    return [Words(errors_sentence(found, setup))]


def _pictures(found: Ensemble, setup: Setup) -> list[Picture]:
    errors, one = errors_of(found, setup)
    caption = "Error of the first 1, 2, 3 … trees together; dotted: one tree."
    return [Picture("error_curves.many_trees", (errors, one, bool(found.classes), error_name(found)), caption)]


def _about(setup: Setup) -> Told:
    depth = depth_of_trees(setup)
    of_depth = () if depth is None else (("depth", depth),)
    return ("kind", KINDS[setup[KIND]].label), ("trees", setup[TREES]), *of_depth, ("seed", 0)


MANY_TREES = StudyQuestion(
    "many", "Would many trees do better?", "Many trees", _work, _describe, _pictures, (KIND, TREES, DEPTH), _about,
    start=Start(
        "many on", "Grow them",
        "Many different trees predict together, so that their errors can cancel; but nobody can read them like one "
        "tree. Grown from your training rows with your settings, unpruned.",
        "Growing",
    ), report_place=13,
)  # fmt: skip
