"""Named ways to grow a tree."""

from dataclasses import dataclass

from treecore.growing.settings.grow_settings import GrowSettings
from treecore.registry import Registry
from treecore.target import Target


@dataclass(frozen=True)
class Preset:
    """A growth with a name.

    task : the only kind of target it is for, '' for both. prune : the strategy, a name in pruning.PRUNERS, by which a
        peer prunes within its fit.
    """

    name: str
    label: str
    note: str
    source: str
    growth: GrowSettings
    task: str = ""
    prune: str = "none"

    def serves(self, target: Target) -> bool:
        """Has it a meaning for this kind of target?"""
        return self.task in ("", target.task) and not target.odd_settings(self.growth)


PRESETS: Registry[Preset] = Registry(
    "preset",
    Preset(
        name="cart",
        label="CART",
        note="Binary splits: thresholds at mid-points, levels in two groups; Gini index or squared error. A row "
        "without the value follows a surrogate split, and the larger branch if none knows; surrogates are found for "
        "rows to come even if no training row lacks a value, which can take most of the time on large tables.",
        source="Breiman et al. (1984)",
        growth=GrowSettings(missing="surrogates"),
    ),
    Preset(
        name="id3",
        label="ID3",
        note="Information gain; one branch per level of a nominal feature. It is for words without gaps: here numeric "
        "features are cut in two, and a row without the value follows the larger branch.",
        source="Quinlan (1986)",
        growth=GrowSettings(criterion="entropy", nominal="multiway"),
        task="classification",
    ),
    Preset(
        name="c4.5",
        label="C4.5",
        note="Gain ratio, among the features whose gain is at least the average; one branch per level of a nominal "
        "feature, numeric features cut in two at a value of the data; rows without the value go down every branch in "
        "shares. Two branches need 2 rows, as in Quinlan's program, which then prunes by the error-based "
        "strategy; what its release 8 changed is in J48.",
        source="Quinlan (1993)",
        growth=GrowSettings(
            criterion="entropy",
            score="gain_ratio",
            selector="average_gain",
            nominal="multiway",
            threshold="data_value",
            missing="fractional",
            min_weight_split=4.0,
            min_weight_leaf=2.0,
        ),
        task="classification",
    ),
    Preset(
        name="hunt",
        label="Hunt",
        note="Nodes are split until they are pure or their rows equal, even if the best split gains nothing; one "
        "branch per level of a nominal feature, numeric features cut in two. The algorithm leaves the measure and "
        "missing values open: here it is the Gini index, and a row without the value follows the larger branch.",
        source="Hunt, Marin & Stone (1966)",
        growth=GrowSettings(criterion="gini", nominal="multiway", zero_gain="split"),
        task="classification",
    ),
    Preset(
        name="rpart",
        label="rpart (R)",
        note="CART with the limits of R's package: 20 rows to split, 7 per leaf, depth 30; the branch of the smaller "
        "mean first, surrogates as rpart counts them. Its cp is no limit here but a pruning strategy: 0.01 for the "
        "tree that R prints.",
        source="Therneau & Atkinson, rpart 4.1",
        growth=GrowSettings(
            branch_order="mean",
            max_exhaustive=20,
            missing="rpart",
            min_rows_split=20,
            min_rows_leaf=7,
            max_depth=30,
        ),
        prune="rpart_cp",
    ),
    Preset(
        name="sklearn",
        label="scikit-learn",
        note="CART on 32-bit numbers, x ≤ θ, without limits: grown until the leaves are pure; missing values are tried "
        "below and above the cut. Of equal splits the first wins, where scikit-learn draws one; levels of nominal "
        "features, which it does not know, are cut in two groups. Rows of weight 0 are left out.",
        source="Pedregosa et al. (2011), DecisionTreeClassifier and DecisionTreeRegressor",
        growth=GrowSettings(threshold="float32", zero_gain="split", missing="both_ways"),
    ),
    Preset(
        name="weka-id3",
        label="Id3 (Weka)",
        note="Information gain, one branch per level; a branch without training rows gives no answer. Weka refuses "
        "numbers and gaps: here numbers are cut in two, and a row without the value follows the larger branch.",
        source="Weka 3.6 (Id3)",
        growth=GrowSettings(criterion="entropy", nominal="multiway", empty_leaf="none"),
        task="classification",
    ),
    Preset(
        name="j48",
        label="J48 (Weka)",
        note="As C4.5 release 8: a numeric feature pays for the number of its cuts, a cut needs a tenth of an even "
        "share of the classes on either side, two branches need 2 rows; numbers up to 0.00001 apart are equal. "
        "Weka then prunes by the error-based strategy. Ordinal features, which Weka takes for nominal ones, are cut "
        "in two.",
        source="Weka 3.6 (J48); Quinlan (1996)",
        growth=GrowSettings(
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
        prune="error_based",
    ),
    Preset(
        name="reptree",
        label="REPTree (Weka)",
        note="Information gain, or the drop of the squared error; one branch per level of a nominal feature, numeric "
        "features cut in two at mid-points, rows without the value down every branch in shares. Two branches need 2 "
        "rows, a node of numbers 0.001 of the variance. Weka prunes it on a third of the rows by the strategy of its "
        "name. Ordinal features, which Weka takes for nominal ones, are cut in two.",
        source="Weka 3.6 (REPTree)",
        growth=GrowSettings(
            selector="reptree",
            nominal="multiway",
            missing="fractional",
            min_weight_split=4.0,
            min_weight_leaf=2.0,
        ),
        prune="reptree",
    ),
    Preset(
        name="ctree",
        label="Conditional inference tree",
        note="A permutation test chooses the feature and says when to stop, so that many values are no advantage; "
        "then its best cut is taken. Limits of R's partykit, to which a row of weight 2 is two rows; a row without the "
        "value follows the branch of more rows.",
        source="Hothorn, Hornik & Zeileis (2006)",
        growth=GrowSettings(
            selector="conditional",
            threshold="low_value",
            zero_gain="split",
            min_rows_split=20,
            min_rows_leaf=7,
            missing="majority_rows",
        ),
    ),
    Preset(
        name="chaid",
        label="CHAID",
        note="Categories that do not differ significantly are merged; the most significant feature gets a branch per "
        "group. Chi-square for classes, F for numbers; missing is a category. Limits of R's CHAID.",
        source="Kass (1980)",
        growth=GrowSettings(
            selector="chaid",
            threshold="low_value",
            zero_gain="split",
            min_rows_split=20,
            min_rows_leaf=7,
            missing="own_value",
        ),
    ),
)
