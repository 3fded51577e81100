"""How often tests of two recipes call luck a difference: uv run python benchmarks/error_rates.py [repetitions]

The classes are drawn at random, so that no recipe can be better than another: at the level of 5 % a test should reject
5 % of the time. Measured is the share of tables on which it does, with the standard error of that share.
"""

import sys
from math import sqrt

import numpy as np

import treecore as tc
from treecore import experiments as ex
from treecore.recipe import Grow, Recipe

N_ROWS, N_FEATURES, LEVEL = 200, 5, 0.05
RECIPES = {
    "small": Recipe((Grow("cart", (("max_depth", 2),)),)),
    "large": Recipe((Grow("c4.5", (("max_depth", 6),)),)),
}
ACCURACY = ex.MEASURES["accuracy"]


def p_values(seed: int) -> dict[str, float]:
    """Test -> p, on one table of chance."""
    draw = np.random.default_rng(seed)
    x, y = draw.normal(size=(N_ROWS, N_FEATURES)).astype(np.float32), draw.integers(0, 2, N_ROWS)
    table = tc.from_arrays(x, y, classes=["n", "y"])
    ten = ex.trials(table, RECIPES, ex.repeated_folds(table, 10, seed=seed))
    halves = ex.trials(table, RECIPES, ex.repeated_folds(table, 2, 5, seed=seed))
    a, b = ten.scores(ACCURACY)
    five = ex.five_by_two(*(s.reshape(5, 2) for s in halves.scores(ACCURACY)))
    return {
        "paired t, 10 folds": ex.paired_t(a, b).p,
        "corrected resampled t, 10 folds": ex.resampled_t(a, b, ten.overlap).p,
        "Wilcoxon, 10 folds": ex.wilcoxon(a, b).p,
        "5 x 2 folds, t": five.p,
        "5 x 2 folds, F": five.f_p,
        "McNemar, exact, rows of 10 folds": ex.mcnemar_of(ten.pooled(0).right, ten.pooled(1).right).p,
    }


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    found = [p_values(seed) for seed in range(n)]
    print(f"{n} tables of {N_ROWS} rows with classes drawn at random, level {LEVEL:.0%}")
    for name in found[0]:
        share = float(np.mean([p[name] < LEVEL for p in found]))
        print(f"{name:36} rejects {share:6.1%} ± {sqrt(share * (1 - share) / n):.1%}")


if __name__ == "__main__":
    main()
