"""Every preset, and the estimators' defaults, on every kind of table beside scikit-learn on the same table.

In one process, in turn, best of the repetitions in seconds of the processor, from raw arrays to a grown tree, kernels
compiled before. What a preset does is often more work than scikit-learn's tree (surrogates, parts of rows, tests), or
less (limits of rows): the ratio says what a user waits, not which engine is better.
"""

from collections.abc import Callable, Iterator
from itertools import product
from statistics import median
from time import process_time
from typing import NamedTuple

import numpy as np

DEFAULTS = "estimator"
"""Stands for TreeClassifier() and TreeRegressor(); the others are names of presets."""
TO_REACH = {DEFAULTS: 10, "sklearn": 10, "cart": 10, "rpart": 10, "c4.5": 5, "j48": 5, "reptree": 5}
"""Times as fast as scikit-learn. ctree and chaid do other work: they are to take less than 2 s at 1e5 x 10."""
N_FEATURES, MISSING, REPEATS = 10, 0.05, 3
LONG = 3.0
"""Seconds of a fit that is not repeated."""


class Kind(NamedTuple):
    """Of table. numbers : "normal" and "money" in float64, "uniform" in float32, "integers"."""

    numbers: str
    by_class: bool
    missing: bool

    def __str__(self) -> str:
        target = "classes" if self.by_class else "numbers"
        return f"{self.numbers}, {target}{f', {MISSING:.0%} missing' if self.missing else ''}"


KINDS = [Kind(*kind) for kind in product(("normal", "uniform", "money", "integers"), (True, False), (False, True))]


def arrays(kind: Kind, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """(X, y): a target of three features and as much noise, so that full trees are deep."""
    rng, shape = np.random.default_rng(1), (n_rows, N_FEATURES)
    made = {
        "normal": lambda: rng.normal(size=shape),
        "uniform": lambda: rng.random(shape).astype(np.float32),
        "money": lambda: np.round(rng.lognormal(4, 1, shape), 2),
        "integers": lambda: rng.integers(0, 100, shape).astype(float),
    }
    x = made[kind.numbers]()
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    y = z[:, 0] + z[:, 1] * z[:, 2] + 0.5 * (z[:, 3] > 0) + rng.normal(size=n_rows)
    if kind.missing:
        x[rng.random(shape) < MISSING] = np.nan
    return x, (y > 0.3).astype(int) if kind.by_class else y


def fits(kind: Kind, x: np.ndarray, y: np.ndarray) -> dict[str, Callable]:
    """Preset -> what grows its tree; scikit-learn's under ''."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    import treecore as tc
    from benchmarks.treecore_plugin import table_of
    from treecore.estimators import TreeClassifier, TreeRegressor

    peer, ours = (DecisionTreeClassifier, TreeClassifier) if kind.by_class else (DecisionTreeRegressor, TreeRegressor)
    made = {"": lambda: peer(random_state=0).fit(x, y), DEFAULTS: lambda: ours().fit(x, y)}
    for name, preset in tc.PRESETS.items():
        if kind.by_class or preset.task != "classification":
            made[name] = lambda name=name: tc.grow(table_of(x, y, 2 * kind.by_class, []), name)
    return made


def seconds(kind: Kind, n_rows: int) -> dict[str, float]:
    """Of the processor, by preset; scikit-learn's under ''. The peer is asked before and after each preset's turn."""
    made = fits(kind, *arrays(kind, n_rows))
    small = fits(kind, *arrays(kind, 2000))
    for name, fit in small.items():
        fit()
        if n_rows > 20_000 and name not in ("chaid", "ctree"):
            made[name]()  # what large tables ask for besides
    best = dict.fromkeys(made, np.inf)
    for repeat in range(REPEATS):
        for name, fit in made.items():
            if repeat and best[name] > LONG:
                continue
            begin = process_time()
            fit()
            best[name] = min(best[name], process_time() - begin)
    return best


def grid(sizes: list[int]) -> Iterator[str]:
    """Tables of ratios to scikit-learn, Markdown, one for each number of rows; then worst and median by preset."""
    for n_rows in sizes:
        found = {}
        for kind in KINDS:
            found[kind] = seconds(kind, n_rows)
            print(f"{n_rows} rows, {kind}: {found[kind]}", flush=True)
        names = [name for name in next(iter(found.values())) if name]
        yield f"{n_rows:,} rows of {N_FEATURES} columns; seconds of scikit-learn, then how many times as fast:"
        yield ""
        yield _line(["table", "scikit-learn, s", *names])
        yield _line(["---"] * (len(names) + 2))
        for kind, times in found.items():
            ratios = [f"{times[''] / times[name]:.1f}" if name in times else "-" for name in names]
            yield _line([str(kind), f"{times['']:.3f}", *ratios])
        by_name = {name: [t[""] / t[name] for t in found.values() if name in t] for name in names}
        for label, summary in (("worst", min), ("median", median)):
            yield _line([f"**{label}**", "", *(f"**{summary(of):.1f}**" for of in by_name.values())])
        yield _line(["to reach", "", *(str(TO_REACH.get(name, "-")) for name in names)])
        longest = {name: max(t[name] for t in found.values() if name in t) for name in names}
        yield _line(["longest, s", "", *(f"{s:.3g}" for s in longest.values())])
        yield ""


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
