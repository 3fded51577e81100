"""Named ways to grow a tree."""

from dataclasses import dataclass

from treecore.growing.settings import Growth
from treecore.registry import Registry


@dataclass(frozen=True)
class Preset:
    """A growth with a name. `task` is the only kind of target it is for, '' for both."""

    name: str
    label: str
    note: str
    source: str
    growth: Growth
    task: str = ""


PRESETS: Registry[Preset] = Registry(
    "preset",
    Preset(
        name="cart",
        label="CART",
        note="Binary splits: thresholds at mid-points, levels in two groups; Gini index or squared error.",
        source="Breiman et al. (1984)",
        growth=Growth(),
    ),
    Preset(
        name="id3",
        label="ID3",
        note="Information gain; one branch per level of a nominal feature, numeric features cut in two.",
        source="Quinlan (1986)",
        growth=Growth(criterion="entropy", nominal="multiway"),
        task="classification",
    ),
)
