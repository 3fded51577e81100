"""Every split that the settings allow at a node, and those that the rules for ties let win."""

import itertools
import math
from dataclasses import dataclass

from tests.property.naive_scores import SLACK, SUM_TOLERANCE, Part, World, minus_log10_p

SURE, MAYBE = 1e-12, 1e-8
"""Differences that are rounding, and differences that may count as equal."""


@dataclass
class Option:
    """A possible split. threshold : of an ordered feature, infinite for known values against missing ones.

    branch : of every level present (None: missing), for other features. missing : the side (0 low) that missing
    values were tried on. value : what cuts of a feature compete by; gain and score : what features do.
    """

    feature: int
    branches: list
    threshold: float | None = None
    branch: dict | None = None
    missing: int | None = None
    value: float = 0.0
    gain: float = 0.0
    score: float = 0.0


def is_ordered(world: World, f: int) -> bool:
    return world.sample.kinds[f] in ("numeric", "ordinal")


def owns_missing(world: World) -> bool:
    return world.growth.missing in ("own_value", "both_ways")


def by_known(world: World, f: int, parts) -> tuple[list, list]:
    cells = world.sample.columns[f]
    return [p for p in parts if cells[p.row] is not None], [p for p in parts if cells[p.row] is None]


def winners(world: World, parts: list[Part], depth: int) -> tuple[list[Option], bool]:
    """(the options that may win, whether the node may also be a leaf)."""
    growth, impurity = world.growth, world.impurity(parts)
    if not _may_split(world, parts, depth, impurity):
        return [], True
    features = [_best_of_feature(world, parts, f, impurity) for f in range(len(world.sample.kinds))]
    features = [options for options in features if options]
    if not features:
        return [], True
    chosen = _chosen_features(world, features, impurity)
    found, may_stop = [], not chosen
    for options in chosen:
        gain = options[0].gain
        rounding = growth.tolerance * impurity
        weighted = gain * world.weight(parts) / world.total
        if gain < growth.min_gain - rounding or weighted < growth.min_weighted_gain - 1e-12:
            may_stop = True
        elif growth.zero_gain == "stop" and gain <= MAYBE * impurity:
            may_stop = True
            found += options if gain > rounding / 10 else []
        else:
            found += options
    return found, may_stop


def _may_split(world, parts, depth, impurity):
    growth = world.growth
    least_to_split = max(growth.min_weight_split, growth.min_share_split * world.total)
    return (
        impurity > 1e-13
        and impurity >= growth.min_impurity
        and (growth.max_depth is None or depth < growth.max_depth)
        and len(parts) >= growth.min_rows_split
        and world.filled(parts) >= 2 * growth.min_rows_leaf
        and world.weight(parts) >= least_to_split - rounding_of_shares(world)
    )


def rounding_of_shares(world) -> float:
    return 1e-9 if world.growth.missing == "fractional" else 1e-12


def rounding_of_j48(world) -> float:
    """Differences that J48 takes for none are no matter of formulas."""
    return 3e-6 if world.growth.score == "mdl_gain_ratio" or world.growth.selector == "j48" else 0.0


def first_of_equals(items, key, scale, slack=0.0):
    """The items, in order, up to the first whose key surely is the largest; none that surely is smaller."""
    best = max(key(i) for i in items)
    found = []
    for item in items:
        if key(item) >= best - MAYBE * scale - slack:
            found.append(item)
            if key(item) >= best - SURE * scale:
                break
    return found


def _chosen_features(world, features, impurity):
    """The features that may win: lists of options."""
    least = -math.inf
    if world.growth.selector != "best":
        averaged = [o[0].gain for o in features if _averaged(world, o[0].feature)]
        if not averaged:
            return []
        least = math.fsum(averaged) / len(averaged) - SLACK[world.growth.selector]
    features = [o for o in features if o[0].gain >= least and o[0].score > -math.inf]
    if not features:
        return []
    if world.growth.selector == "j48":
        return _clearly_best(features)
    scale = impurity
    if world.growth.score != "decrease" or world.growth.cost_form != "divide":
        scale = max(abs(max(o[0].score for o in features)), 1e-3 * min(impurity, world.worth(impurity, None)))
    # splits of a feature that are equal in value may differ in score, and any of them may stand for it
    least_high, most_high = (max(pick(o.score for o in options) for options in features) for pick in (min, max))
    found = []
    for options in features:
        scores = [o.score for o in options]
        if max(scores) >= least_high - MAYBE * scale - rounding_of_j48(world):
            found.append(options)
            if min(scores) >= most_high - SURE * scale:
                break
    return found


def _clearly_best(features):
    """The last feature whose score is clearly above those of all before, and above 0."""
    best, found = 0.0, []
    for options in features:
        if options[0].score - best > SUM_TOLERANCE:
            best, found = options[0].score, [options]
    return found


def _averaged(world, f):
    """J48 leaves out features with many levels, unless all have."""
    if world.growth.selector != "j48":
        return True
    few = [
        kind == "numeric" or levels < 0.3 * world.sample.n_rows - SUM_TOLERANCE
        for kind, levels in zip(world.sample.kinds, world.sample.levels, strict=True)
    ]
    return few[f] or not any(few)


# one feature


def _best_of_feature(world, parts, f, impurity):
    """The splits of a feature that may be its best one, with their scores."""
    options = list(_cuts(world, parts, f) if is_ordered(world, f) else _groupings(world, parts, f))
    if not options:
        return []
    growth, known = world.growth, by_known(world, f, parts)[0]
    for option in options:
        _judge(world, parts, option)
    scale = impurity if growth.score in ("decrease", "gain_ratio", "mdl_gain_ratio") else abs(max(
        o.value for o in options
    ))  # fmt: skip
    if is_ordered(world, f) and growth.score == "mdl_gain_ratio":
        _pay_for_thresholds(world, parts, options, world.filled(known))
    by_cut = is_ordered(world, f) or growth.nominal == "one_level"
    if by_cut and growth.score == "mdl_gain_ratio":
        return _last_clear_step(options)
    if by_cut:
        found = first_of_equals(options, lambda o: o.value, scale, rounding_of_j48(world))
    else:
        best = max(o.value for o in options)
        found = [o for o in options if o.value >= best - MAYBE * scale]
    return [o for o in found if o.score > -math.inf]


def _last_clear_step(options):
    """J48: the last option that is clearly better than all before; the first declared level needs not be.

    A feature whose levels all part nothing counts in the average with a gain of 0, but is never chosen.
    """
    best, found = 0.0, None
    for o in options:
        if o.value - max(best, 0.0) > SUM_TOLERANCE or (o.branch is not None and o.branch.get(0) == 0):
            best, found = o.value, o
    if found is None and options[0].branch is not None:
        options[0].gain, options[0].score = 0.0, -math.inf
        return options[:1]
    return [found] if found is not None and found.score > -math.inf else []


def _judge(world, parts, option):
    score, branches = world.growth.score, option.branches
    gain = world.decrease(parts, branches)
    if score == "mdl_gain_ratio" and gain * world.weight([p for b in branches for p in b]) < SUM_TOLERANCE:
        gain = 0.0
    option.value = option.gain = raw = gain
    if score in ("gain_ratio", "mdl_gain_ratio"):
        raw = gain / world.split_information(parts, branches)
        if world.growth.nominal == "one_level" and not is_ordered(world, option.feature):
            option.value = raw
    elif score == "twoing":
        option.value = option.gain = raw = world.twoing(parts, branches)
    elif score != "decrease":
        option.value, df = world.statistic(branches)
        option.gain = raw = minus_log10_p(option.value, df)
    option.score = world.worth(raw, option.feature)


def _pay_for_thresholds(world, parts, options, n_known):
    """log2(number of cuts) / weight off the gain of an ordered feature; none without a gain left."""
    paid = math.log2(len(options)) / world.weight(parts)
    for o in options:
        o.gain = o.value - paid
        o.score = -math.inf
        if o.gain >= SUM_TOLERANCE and n_known >= 2 * least_weight(world, o) + SUM_TOLERANCE:
            o.score = world.worth(o.gain / world.split_information(parts, o.branches), o.feature)


def least_weight(world, option_or_parts) -> float:
    """J48: a tenth of an even share of the classes for ordered features, at most 25."""
    growth = world.growth
    least = max(growth.min_weight_leaf, growth.min_share_leaf * world.total) - rounding_of_shares(world)
    if growth.score != "mdl_gain_ratio" or option_or_parts is None:
        return least
    parts = option_or_parts
    if isinstance(parts, Option):
        parts = [p for b in parts.branches for p in b]
    return max(least, min(0.1 * world.weight(parts) / world.sample.n_classes, 25.0) - SUM_TOLERANCE)


def _enough(world, branch, least):
    return world.filled(branch) >= world.growth.min_rows_leaf and world.weight(branch) >= least


def _cuts(world, parts, f):
    """Cuts in ascending order; with missing values of their own first above, then below, then alone."""
    cells = world.sample.columns[f]
    known, missing = by_known(world, f, parts)
    own = owns_missing(world) and world.filled(missing)
    if not own:
        missing = []
    present = sorted({cells[p.row] for p in known if world.weights[p.row] > 0})
    least = least_weight(world, known + missing)
    for side in (1, 0) if own else (None,):
        for low, high in itertools.pairwise(present):
            branches = [p for p in known if cells[p.row] < high], [p for p in known if cells[p.row] >= high]
            if world.growth.cuts == "boundaries" and not _parts_classes(world, known, cells, low, high):
                continue
            if world.growth.threshold == "j48" and world.sample.kinds[f] == "numeric" and high - low <= 1e-5:
                continue
            if side is not None:
                branches[side].extend(missing)
            if all(_enough(world, b, least) for b in branches):
                yield Option(f, list(branches), threshold_between(world, f, low, high), missing=side)
    if own and known and all(_enough(world, b, least) for b in (known, missing)):
        yield Option(f, [known, missing], math.inf, missing=1)


def _parts_classes(world, known, cells, low, high):
    near = [p for p in known if cells[p.row] in (low, high) and world.weights[p.row] > 0]
    return len({world.sample.target[p.row] for p in near}) > 1


def threshold_between(world, f, low, high) -> float:
    """The mid-point, or the largest value in the whole column that is not above it; for levels always between two."""
    middle = (low + high) / 2
    if world.sample.kinds[f] == "ordinal":
        return math.floor(low if world.growth.threshold == "low_value" else middle) + 0.5
    if world.growth.threshold == "low_value":
        return low
    if world.growth.threshold in ("data_value", "j48"):
        values = world.sample.columns[f]
        return max(v for v in values if v is not None and v <= middle)
    return middle


def _groupings(world, parts, f):
    """Groups of levels; where missing is a value of its own, it is the last level."""
    cells, growth = world.sample.columns[f], world.growth
    known, missing = by_known(world, f, parts)
    if owns_missing(world):
        known = known + missing
        if not known:
            return
    present = {cells[p.row] for p in known if world.weights[p.row] > 0}
    present = sorted(present, key=lambda v: math.inf if v is None else v)
    if len(present) < 2:
        return
    rows = {v: [p for p in known if cells[p.row] == v] for v in present}
    least = least_weight(world, None)
    if growth.nominal == "multiway":
        if sum(_enough(world, rows[v], least) and world.weight(rows[v]) > 0 for v in present) >= 2:
            last = world.sample.levels[f]
            yield Option(f, list(rows.values()), branch={v: last if v is None else v for v in present})
        return
    n = len(present)
    one_level = [1 << j for j in range(n)]
    for subset in one_level if growth.nominal == "one_level" else range(1, 1 << (n - 1)):
        branch = {v: 1 - (subset >> j & 1) for j, v in enumerate(present)}
        branches = [[p for v in present if branch[v] == side for p in rows[v]] for side in (0, 1)]
        if all(_enough(world, b, least) for b in branches):
            yield Option(f, branches, branch=branch)
