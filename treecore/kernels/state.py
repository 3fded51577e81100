"""The arrays that the grower's kernels share: the problem, the rules, the nodes grown so far.

Records (structured arrays) keep a row's or a node's fields in one cache line and the kernels'
signatures short, which is most of their compile time.
"""

from typing import NamedTuple

import numpy as np

from treecore.criteria.criterion import CriterionArgs
from treecore.criteria.split_scores import DECREASE, GAIN_RATIO

ORDERED, SUBSET, MULTIWAY, ONE_LEVEL = 0, 1, 2, 3
"""Splitters: a cut of an order, two groups of levels, a branch per level, one level against the rest."""
N_NODES, N_LEVELS, N_ENTRIES, N_SURROGATES = 0, 1, 2, 3
BEST, AVERAGE_GAIN, TESTED, WHOLE_GAIN = 0, 1, 2, 3
"""Selectors: the feature with the best score; that among the features whose gain is at least the average; a test of
every feature, which no kernel makes (see growing.searchers); the best gain of all rows (see
kernels.general.scores)."""
MAJORITY, STAY, SHARE, SURROGATES, NODE_VALUE, OWN_VALUE = range(6)
"""What becomes of rows without the value that a split asks for."""
ALL_CUTS, BOUNDARIES, ONE_RANDOM = range(3)
"""Which cuts of an ordered feature are tried."""
OPEN = -9
"""A missing branch that the split found does not name: the strategy decides when the rows are sent."""

ROW = np.dtype([("weight", "f8"), ("response", "f8"), ("label", "i8"), ("case", "f8")])
"""A training row: weight that splits are judged by, target minus the center of the node that the row is at, class (of
survival times see kernels.log_rank_search.time_labels), case weight. The unused target is 0; the two weights differ by
what priors and costs do."""

FEATURE = np.dtype([
    ("n_codes", "i8"), ("value_start", "i8"), ("splitter", "i8"), ("n_branches", "i8"), ("averaged", "i8"),
    ("cost", "f8"), ("ordinal", "i8"), ("monotonic", "i8"),
])  # fmt: skip
"""n_codes stands for missing in `codes`; value_start is where the feature's distinct values begin; n_branches is
that of a split with a branch per level (one more where missing is a value of its own); averaged features count in
the average gain. cost : see growing.settings.costs. ordinal : its values are indices of levels. monotonic : see
kernels.constraints."""

SCAN = np.dtype([
    ("value", "f8"), ("gain", "f8"), ("score", "f8"), ("share", "f8"), ("at", "i8"), ("n_levels", "i8"),
    ("missing_branch", "i8"), ("n_large", "i8"),
])  # fmt: skip
"""The best split of one feature at a node: `value` is what its cuts were compared by, `gain` the decrease of the
impurity over known rows times their share, `score` what features compete by, `at` the position of the last low row
in `order` of an ordered feature, n_levels the levels present of another, n_large the branches of enough weight where
the winner alone is asked for them."""

RULES = np.dtype([
    ("criterion", "i8"), ("n_classes", "i8"),
    ("max_depth", "i8"),
    ("min_rows_split", "i8"), ("min_rows_leaf", "i8"), ("min_weight_split", "f8"), ("min_weight_leaf", "f8"),
    ("min_impurity", "f8"), ("min_gain", "f8"), ("min_weighted_gain", "f8"), ("split_at_zero", "i8"),
    ("order_by_mean", "i8"), ("min_gap", "f8"), ("max_exhaustive", "i8"), ("tolerance", "f8"),
    ("closed", "i8"), ("cut_at", "f8"), ("on_data", "i8"),
    ("score", "i8"), ("selector", "i8"), ("average_slack", "f8"), ("step", "f8"), ("cost_form", "i8"),
    ("cost_power", "f8"),
    ("cuts", "i8"), ("missing", "i8"), ("majority_rows", "i8"), ("majority_ties", "i8"), ("min_share", "f8"),
    ("max_surrogates", "i8"), ("surrogate_style", "i8"), ("surrogate_majority", "i8"), ("errs_on", "i8"),
    ("n_sampled", "i8"), ("root_key", "u8"), ("monotonic", "i8"),
])  # fmt: skip
"""What the grower obeys, as numbers; growing.settings.grow_settings.GrowSettings says what they mean. cut_at : where
thresholds stand between two values, 0 for the lower and 1 for the upper one; closed, on_data : as
growing.settings.parts.ThresholdRule says. n_sampled : features drawn at every node, 0 where all are looked at; root_key
: see kernels.random_features. monotonic : is the answer bound to any feature? See kernels.constraints."""

NODE = np.dtype([
    ("id", "i8"), ("parent", "i8"), ("first_child", "i8"), ("n_children", "i8"), ("depth", "i8"),
    ("feature", "i8"), ("low", "i8"), ("high", "i8"), ("low_branch", "i8"), ("missing_branch", "i8"),
    ("level_start", "i8"), ("n_cuts", "i8"), ("start", "i8"), ("stop", "i8"), ("sort_rows", "i8"),
    ("surrogate_start", "i8"), ("n_surrogates", "i8"), ("missing_rows", "i8"), ("missing_weight", "f8"),
    ("n_rows", "i8"), ("weight", "f8"), ("impurity", "f8"), ("score", "f8"), ("gain", "f8"), ("missing_named", "i8"),
    ("center", "f8"), ("key", "u8"), ("lowest", "f8"), ("highest", "f8"),
])  # fmt: skip
"""A node: `low` and `high` are the codes on either side of an ordered cut, `low_branch` the child that
gets the low side, `level_start` where its levels begin in level_branch (-1: none; with n_cuts > 0 the last codes
of all branches of an ordered feature but the last one stand there), `start:stop` its slice of every row of `order`,
`n_rows` its rows of positive weight, `missing_rows` and `missing_weight` those without the value its split asks for.
`sort_rows` asks for the children's rows to be sorted apart even if no limit lets them be searched. `score` is what
the split was selected by, `gain` the decrease of the impurity. `missing_named` : has the split itself, not the strategy
for missing values, named where rows without a value go? A node that has a split has n_children > 0. `center` : see
kernels.sums. `key` : see kernels.random_features. `lowest`, `highest` : see kernels.constraints."""

SURROGATE = np.dtype([
    ("feature", "i8"), ("low", "i8"), ("high", "i8"), ("low_branch", "i8"), ("level_start", "i8"), ("n_used", "i8"),
    ("agree", "f8"), ("adjusted", "f8"),
])  # fmt: skip
"""A backup test of a node; agreements as growing.settings.grow_settings.GrowSettings says, n_used rows were sent by
it."""

LINE = np.dtype([("weight", "f8"), ("response", "f8"), ("label", "i4"), ("code", "i4")])
"""A row of the node that is being searched, in the order of a feature (working memory): as ROW says, and the row's code
in the feature. Scans look at rows more than once, and they stand all over the table."""

LEVEL = np.dtype([
    ("weight", "f8"), ("key", "f8"), ("n_rows", "i8"), ("id", "i8"), ("order", "i8"), ("side", "i8"),
])  # fmt: skip
"""A level present at the node that is being searched (working memory)."""


def is_special_search(rules, *splitters: int) -> bool:
    """Do these rules, or splits of these sorts, ask for more than a decrease of the impurity over known values?"""
    asked = any(rules[name] for name in ("score", "selector", "cuts", "cost_form", "monotonic"))
    return bool(asked or rules["missing"] in (SHARE, OWN_VALUE) or ONE_LEVEL in splitters)


def is_special_split(rules) -> bool:
    """Are rows shared, sent by the node's usual value or by what the search named, is the gain not known yet, or have
    answers bounds?"""
    gain_is_known = rules["score"] in (DECREASE, GAIN_RATIO) and rules["selector"] != TESTED
    return not gain_is_known or bool(rules["monotonic"] or rules["missing"] in (SHARE, NODE_VALUE, OWN_VALUE))


NO_TARGETS = np.empty(0)
NO_TARGETS.flags.writeable = False  # as all targets: that is part of the type for which kernels are compiled


class Problem(NamedTuple):
    """The training rows, encoded; nothing here changes while a tree grows.

    codes : int32 (d, n), rank of each value in its column, FEATURE.n_codes where missing.
    values : float64, the distinct values, feature after feature.
    targets : float64 (n,), the target as it is; (0,) for classes. center : of the root, around which `rows` have it.
    """

    codes: np.ndarray
    rows: np.ndarray
    features: np.ndarray
    values: np.ndarray
    rules: np.ndarray
    judge: CriterionArgs
    targets: np.ndarray = NO_TARGETS
    center: float = 0.0

    @property
    def special_search(self) -> bool | None:
        """None where the plain part of search_nodes is enough: only a decrease over known values is asked for."""
        return True if is_special_search(self.rules[0], *self.features["splitter"]) else None

    @property
    def special_split(self) -> bool | None:
        """None where the plain part of split_nodes is enough."""
        return True if is_special_split(self.rules[0]) else None

    def around(self, rows: np.ndarray, center: float) -> np.ndarray:
        """ROW records of these training rows, int64 (m,), with their targets around this center."""
        records = self.rows[rows]
        if len(self.targets):
            records["response"] = self.targets[rows] - center
        return records

    @property
    def has_weightless(self) -> bool:
        """Are there rows of weight 0? They reach nodes and count as rows, but decide nothing."""
        return bool((self.rows["weight"] <= 0).any())

    @property
    def has_nominal(self) -> bool:
        """Is any feature split by its levels?"""
        return bool((self.features["splitter"] != ORDERED).any())


class GrowState(NamedTuple):
    """The tree while it grows, with room for more, and the working memory of the fit.

    order : int32 (d, entries), rows sorted by code within every node's slice, missing last. As many entries as rows,
        more where rows are shared among branches.
    rows : ROW records; the problem's own, or a copy that holds the shares of the node at work and responses
        around the centers of nodes.
    share : float64, parallel to order[0]: the part of each row that is at the node; empty where rows are whole.
    stats : float64 (capacity, S), class weights or (w, wy, wyy) of each node.
    level_branch : int64, the branch of each level of the nodes that have levels, -1 where absent.
    counts : int64 (4,), how many nodes there are (N_NODES) and entries of level_branch (N_LEVELS), of order
        (N_ENTRIES) and of surrogates (N_SURROGATES) are used.
    sums : float64 (7, S), left, right and known side of the cut that is being judged, the rows without a value, the
        bounds of kernels.constraints, what gaps of classes count, and the left side of the best cut so far
        (general.ordered_cuts.GAPS, AT_BEST).
    scans : SCAN (d,), of each feature at the node that is being searched. queue : int64 (d,), the features in the order
        in which they are looked at. line : LINE (n,), the rows of the node and the feature that are being scanned.
    """

    order: np.ndarray
    rows: np.ndarray
    share: np.ndarray
    nodes: np.ndarray
    stats: np.ndarray
    level_branch: np.ndarray
    surrogates: np.ndarray
    counts: np.ndarray
    sums: np.ndarray
    scans: np.ndarray
    levels: np.ndarray
    level_stats: np.ndarray
    side: np.ndarray
    spare: np.ndarray
    part: np.ndarray
    queue: np.ndarray
    line: np.ndarray


def new_growing(problem: Problem, order: np.ndarray, capacity: int) -> GrowState:
    """No nodes yet, room for `capacity`; a node can have 62 branches, or as many as a nominal feature asks for."""
    d, n = order.shape
    rules, features = problem.rules[0], problem.features
    n_stats = int(rules["n_classes"]) or 3
    nominal = features["splitter"] != ORDERED
    widest = max(64, int(features["n_codes"][nominal].max(initial=0)) + 2)
    shared = rules["missing"] == SHARE
    changing = shared or len(problem.targets) > 0
    growing = GrowState(
        order=order, rows=problem.rows.copy() if changing else problem.rows, share=np.ones(n if shared else 0),
        nodes=np.zeros(max(capacity, 2 * widest), NODE), stats=np.zeros((max(capacity, 2 * widest), n_stats)),
        level_branch=np.zeros(2 * widest + capacity, np.int64), surrogates=np.zeros(8, SURROGATE),
        counts=np.array([0, 0, n, 0]), sums=np.zeros((7, n_stats)), scans=np.zeros(d, SCAN),
        levels=np.zeros(widest, LEVEL), level_stats=np.zeros((widest, n_stats)),
        side=np.zeros(n, np.int32), spare=np.zeros(n, np.int32),
        part=np.zeros(n if shared else 0), queue=np.arange(d), line=np.empty(n, LINE),
    )  # fmt: skip
    growing.nodes["key"][0] = rules["root_key"]
    growing.nodes["lowest"][0], growing.nodes["highest"][0] = -np.inf, np.inf
    return growing


def with_room(growing: GrowState, nodes: int = 0, levels: int = 0, surrogates: int = 0) -> GrowState:
    """Room for so many more nodes, entries of level_branch and surrogates; the working memory is shared."""
    short = {}
    if growing.counts[N_NODES] + nodes > len(growing.nodes):
        short = {name: _longer(getattr(growing, name), nodes) for name in ("nodes", "stats")}
    if growing.counts[N_LEVELS] + levels > len(growing.level_branch):
        short["level_branch"] = _longer(growing.level_branch, levels)
    if growing.counts[N_SURROGATES] + surrogates > len(growing.surrogates):
        short["surrogates"] = _longer(growing.surrogates, surrogates)
    return growing._replace(**short) if short else growing


def with_entries(growing: GrowState, waiting: np.ndarray, entries: int) -> GrowState:
    """Room for so many more entries of `order`; only the slices of the nodes still waiting (ids) are kept."""
    used = int(growing.counts[N_ENTRIES])
    if used + entries <= growing.order.shape[1]:
        return growing
    nodes = growing.nodes
    used_entries = np.concatenate([np.arange(nodes["start"][i], nodes["stop"][i]) for i in waiting])
    size = nodes["stop"][waiting] - nodes["start"][waiting]
    room = max(2 * len(used_entries) + entries, growing.spare.shape[0])
    order = np.empty((growing.order.shape[0], room), np.int32)
    for new, old in zip(order, growing.order, strict=True):  # all features at once take about twice as long
        np.take(old, used_entries, out=new[: len(used_entries)], mode="clip")
    share = np.ones(room)
    share[: len(used_entries)] = growing.share[used_entries]
    nodes["stop"][waiting] = np.cumsum(size)
    nodes["start"][waiting] = nodes["stop"][waiting] - size
    growing.counts[N_ENTRIES] = len(used_entries)
    return growing._replace(order=order, share=share)


def _longer(old: np.ndarray, more: int) -> np.ndarray:
    """At least twice as long, so that growing step by step copies each entry a few times only."""
    new = np.zeros((2 * len(old) + more, *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return new
