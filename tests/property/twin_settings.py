"""Random settings for the slow twin, for samples of any kind."""

from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample

SCORES = ("decrease", "gain_ratio", "mdl_gain_ratio", "twoing", "chi_square", "g_test")
CRITERIA = ("gini", "entropy", "misclassification", "entropy_nats", "half_gini", "cost_gini")
PRIORS = {2: [(0.5, 0.5), (0.125, 0.875)], 3: [(0.25, 0.25, 0.5), (0.625, 0.25, 0.125)]}
PICKS = 32
"""As many as settings need at most."""
COSTS = st.sampled_from([0.0, 0.5, 1.0, 2.0, 5.0])


@st.composite
def losses(draw, n_classes):
    """A matrix in which every error of one class costs something."""
    cells = [[0.0 if i == j else draw(COSTS) for j in range(n_classes)] for i in range(n_classes)]
    for i in range(n_classes):
        cells[i][(i + 1) % n_classes] += 1.0
    return tuple(tuple(row) for row in cells)


@st.composite
def twin_growths(draw, sample, **fixed):
    """Settings that fit the sample.

    A minimum per branch only where the search of groupings stays exact, and off the grid of possible weights. All is
    picked by one draw, the first of the values being the simplest: a draw for each would take longer than most checks.
    """
    drawn = iter(draw(st.binary(min_size=PICKS, max_size=PICKS)))
    pick = lambda *values: values[next(drawn) % len(values)]  # noqa: E731
    k = sample.n_classes
    criterion = pick(*CRITERIA, *(["two_class_variance"] if k == 2 else [])) if k else "squared_error"
    criterion = fixed.get("criterion", criterion)
    score = fixed.get("score", pick(*SCORES) if k else pick("decrease", "gain_ratio"))
    nominal = fixed.get("nominal", pick("subset", "one_level", *(["multiway"] if score != "twoing" else [])))
    exact = nominal != "subset" or k > 2 or not {"nominal", "boolean"} & set(sample.kinds)
    altered = k and pick(False, False, True) and "priors" not in fixed
    # rpart leaves out rows without the value of any feature, and their class may go with them
    counted = [sample.weight(i) > 0 and any(c[i] is not None for c in sample.columns) for i in range(sample.n_rows)]
    present = {y for y, counts in zip(sample.target, counted, strict=True) if counts} == set(range(k))
    found = {
        "criterion": criterion,
        "score": score,
        "nominal": nominal,
        "selector": pick("best", "best", "average_gain", "j48"),
        "threshold": pick("midpoint", "midpoint", "data_value", "j48", "low_value"),
        "cuts": pick("all", "boundaries") if k else "all",
        "missing": pick("majority", "stay", "node_value", "own_value", "both_ways", "surrogates", "surrogates_only",
                        "rpart", "rpart_only", "rpart_stay", "fractional", "majority_rows", "tested_surrogates"),
        "max_surrogates": pick(0, 1, 2, 5),
        "surrogate_style": pick("all", "known"),
        "branch_order": pick("value", "value", "mean"),
        "zero_gain": pick("stop", "stop", "split"),
        "max_depth": pick(None, 1, 2, 3, 4),
        "min_rows_split": pick(2, 2, 5),
        "min_rows_leaf": pick(1, 1, 2) if exact else 1,
        "min_weight_split": pick(0.0, 0.0, 3.1347),
        "min_weight_leaf": pick(0.0, 0.0, 1.1347) if exact else 0.0,
        "min_share_leaf": pick(0.0, 0.0, 0.0937) if exact else 0.0,
        "min_impurity": pick(0.0, 0.0, 0.2137),
        "min_gain": pick(0.0, 0.0, 0.0437),
        "min_weighted_gain": pick(0.0, 0.0, 0.0237),
        "priors": pick(*PRIORS[k]) if altered and present and pick(False, True) else None,
        "loss": draw(losses(k)) if k and (altered or criterion == "cost_gini") else None,
        "costs": pick((), (("x0", 2.0),), (("x0", 0.5),)),
        "cost_form": pick("divide", "divide", "square", "power"),
        "cost_power": pick(0.0, 0.5, 1.0),
    }  # fmt: skip
    return tc.GrowSettings(**found | fixed)


def many_rows(rng, n_classes: int, missing: float, n: int = 40) -> Sample:
    """Five features of every kind, of which the first two matter. missing : share of the cells."""
    kinds, levels = ["numeric", "nominal", "numeric", "ordinal", "boolean"], [0, 4, 0, 5, 2]
    values = [rng.integers(0, 12, n) / 2, *(rng.integers(0, k, n) for k in (4, 5, 5, 2))]
    target = values[0] + values[1] + rng.integers(0, 3, n)
    target = (target % n_classes).astype(int) if n_classes else target / 2
    columns = [[None if rng.random() < missing else v for v in column.tolist()] for column in values]
    weights = rng.choice([0.0, 0.5, 1.0, 1.0, 2.0], n).tolist() if rng.random() < 0.5 else None
    return Sample(kinds, columns, levels, target.tolist(), n_classes, weights)
