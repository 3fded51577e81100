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
    Preset(
        name="c4.5",
        label="C4.5",
        note="Gain ratio, among the features whose gain is at least the average; one branch per level of a nominal "
        "feature, numeric features cut in two at a value of the data; rows without the value go down every branch in "
        "shares.",
        source="Quinlan (1993)",
        growth=Growth(
            criterion="entropy",
            score="gain_ratio",
            selector="average_gain",
            nominal="multiway",
            threshold="data_value",
            missing="fractional",
        ),
        task="classification",
    ),
    Preset(
        name="weka-id3",
        label="Id3 (Weka)",
        note="Information gain, one branch per level; a branch without training rows gives no answer.",
        source="Weka 3.6 (Id3)",
        growth=Growth(criterion="entropy", nominal="multiway", empty_leaf="none"),
        task="classification",
    ),
    Preset(
        name="j48",
        label="J48 (Weka)",
        note="As C4.5 release 8: a numeric feature pays for the number of its cuts, a cut needs a tenth of an even "
        "share of the classes on either side, two branches need 2 rows; numbers up to 0.000001 apart are equal. "
        "Weka prunes the tree that grows by the pruner j48_collapse at least. Ordinal features, which Weka takes "
        "for nominal ones, are cut in two.",
        source="Weka 3.6 (J48); Quinlan (1996)",
        growth=Growth(
            criterion="entropy",
            score="mdl_gain_ratio",
            selector="j48",
            nominal="multiway",
            threshold="j48",
            missing="fractional",
            min_weight_split=4.0,
            min_weight_leaf=2.0,
        ),
        task="classification",
    ),
    Preset(
        name="ctree",
        label="Conditional inference tree",
        note="A permutation test chooses the feature and says when to stop, so that many values are no advantage; "
        "then its best cut is taken. Limits of R's partykit; rows without a value follow the larger branch.",
        source="Hothorn, Hornik & Zeileis (2006)",
        growth=Growth(
            selector="conditional",
            threshold="low_value",
            zero_gain="split",
            min_rows_split=20,
            min_rows_leaf=7,
        ),
    ),
    Preset(
        name="chaid",
        label="CHAID",
        note="Categories that do not differ significantly are merged; the most significant feature gets a branch per "
        "group. Chi-square for classes, F for numbers; missing is a category. Limits of R's CHAID.",
        source="Kass (1980)",
        growth=Growth(
            selector="chaid",
            threshold="low_value",
            zero_gain="split",
            min_rows_split=20,
            min_rows_leaf=7,
            missing="own_value",
        ),
    ),
)
