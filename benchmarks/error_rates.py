"""How often tests of two recipes call luck a difference: uv run python benchmarks/error_rates.py [repetitions]

No recipe can be better than another, and at the level of 5 % a test should reject 5 % of the time. Measured is the
share of times that it does, with the standard error of that share: of scores drawn as each test supposes them, ten
times as often, and of trees on tables whose classes are drawn at random.
"""

import sys
from math import sqrt

import numpy as np

import treecore as tc
from treecore import study as ex
from treecore.recipe import Grow, Recipe

N_ROWS, N_FEATURES, LEVEL = 200, 5, 0.05
RECIPES = {
    "small": Recipe((Grow("cart", (("max_depth", 2),)),)),
    "large": Recipe((Grow("c4.5", (("max_depth", 6),)),)),
}
ACCURACY = ex.MEASURES["accuracy"]


def as_supposed(seed: int) -> dict[str, float]:
    """Test -> p, each on scores that are what it takes them for."""
    draw = np.random.default_rng(seed)
    a, b = draw.normal(size=(2, 10))
    both = draw.normal()  # in common to all folds: any two correlate as test rows / all rows
    folds = sqrt(0.1) * both + sqrt(0.9) * draw.normal(size=10)
    halves = draw.normal(size=(2, 5, 2))
    four = ex.friedman(draw.normal(size=(30, 4)))
    right = draw.random((2, 500)) < 0.8
    return {
        "paired t, independent scores": ex.paired_t(a, b).p,
        "corrected resampled t, folds correlate by 1/10": ex.resampled_t(np.zeros(10), folds, 1 / 9).p,
        "Wilcoxon, independent scores": ex.wilcoxon(a, b).p,
        "5 x 2, t, independent scores": ex.five_by_two(*halves).p,
        "5 x 2, F, independent scores": ex.five_by_two(*halves).f_p,
        "McNemar, exact, 500 rows": ex.mcnemar_of(*right).p,
        "Friedman, 30 tables, 4 recipes": four.p,
        "Nemenyi, any two of them": 0.0 if np.ptp(four.mean) > four.critical else 1.0,
    }


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


def tell(found: list[dict[str, float]]) -> None:
    """A line per test."""
    for name in found[0]:
        share = float(np.mean([p[name] < LEVEL for p in found]))
        print(f"{name:46} rejects {share:6.1%} ± {sqrt(share * (1 - share) / len(found)):.1%}")


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"{10 * n} draws of scores, level {LEVEL:.0%}")
    tell([as_supposed(seed) for seed in range(10 * n)])
    print(f"{n} tables of {N_ROWS} rows with classes drawn at random, level {LEVEL:.0%}")
    tell([p_values(seed) for seed in range(n)])


if __name__ == "__main__":
    main()
