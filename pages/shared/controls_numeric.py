"""How numeric features branch, as settings of the sidebar."""

from pages.shared.controls_settings import Setting, Situation
from treecore.growing.parts import NUMERIC_SPLITS, THRESHOLD


def _fits(entry, now: Situation) -> bool:
    return now.task == "classification" or not entry.needs_classes


def _idle(now: Situation) -> str:
    if now.growth.numeric != THRESHOLD:  # what is in the way says so when the tree grows
        return ""
    if now.tested:
        return "The test that chooses the feature also finds its cuts."
    return "" if "numeric" in now.kinds else "No feature here is numeric."


def _counted(now: Situation) -> bool:
    """Is the number of bins asked for?"""
    return now.growth.numeric != THRESHOLD and not NUMERIC_SPLITS[now.growth.numeric].needs_classes


NUMERIC = (
    Setting("numeric", "Numeric features", "splits", registry=NUMERIC_SPLITS, fits=_fits, idle=_idle),
    Setting("bins", "Bins of a numeric feature", "splits", least=2, most=1000, shown=_counted),
)
