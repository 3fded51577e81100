"""The size curve of the tree in force, small in the dock or large beside the tree."""

from pages.shared.trees import nested, work
from treecore.pruning.sequence import Sequence
from treecore.study.curves import SizeCurve
from treecore.view.size_picker import CurveDrawing


def of_tree() -> tuple[dict | None, Sequence | None]:
    """What the dock draws and the sequence it is about; (None, None) for a lone root."""
    steps = nested.steps()
    if len(steps) < 2:
        return None, None
    result = nested.curve()
    about = (nested.risk(), nested.measure(), nested.folds_and_seed() if result.cv_mean is not None else None)
    drawing = drawing_of(result)
    return drawing.small(nested.chosen_step(), work.cached("dock", *about, make=drawing.drawn)), steps


def drawing_of(found: SizeCurve, measure: str = "") -> CurveDrawing:
    """How the curve is drawn. measure : "accuracy", "r2" or "error", which is what it names."""
    return CurveDrawing(found, measure, nested.cross_validation()[0], _honest(), work.grown().schema.target_unit)


def _honest() -> dict[str, str]:
    """Whose answers the curve judges, where the nodes show those of other rows."""
    if not work.estimation():
        return {}
    full = "Sizes are judged by predictions counted on the training rows: estimation rows choose none"
    return {"answers": "predictions of training rows", "answers_title": full}


def take(step: int) -> None:
    """Prune to this step, if there is one."""
    if 0 <= step < len(nested.steps()):
        nested.take(step)
