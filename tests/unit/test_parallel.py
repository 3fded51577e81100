"""A limit of threads: held by all that uses them, and without a trace in what they find."""

import sys
import threading
import time

import numpy as np
import pytest

import treecore as tc
from treecore import study as ex
from treecore.cross_validation import cross_validated, in_threads, make_folds
from treecore.data.samples import read_sample
from treecore.ensembles import bagging, extra_trees, mixed_up, random_forest
from treecore.estimators import TreeClassifier, TreeRegressor
from treecore.growing.fast import fast_growth as fast
from treecore.parallel import n_processors, n_threads, parallel
from treecore.recipe import Grow, Prune

PARALLEL = sys.modules[parallel.__module__]  # treecore.parallel is the function
IRIS, MPG, TITANIC = (read_sample(name) for name in ("iris", "mpg", "titanic"))
FOLDS = Prune("cost_complexity", (("choose", "cross-validation"), ("folds", 4)))


def at_once(n: int, n_jobs: int | None = None, wanted: int = 1) -> int:
    """How many of n tasks work at the same time. Each waits for as many as are wanted, then a little for one more."""
    now, most, lock = set(), [0], threading.Lock()
    together = threading.Event()

    def one(i, look):
        with lock:
            now.add(i)
            most[0] = max(most[0], len(now))
            if most[0] >= wanted:
                together.set()
        together.wait(20)  # a machine that is busy starts its threads late
        time.sleep(0.02)
        with lock:
            now.discard(i)
        return i, 0

    assert in_threads(n, one, None, n_jobs) == list(range(n))
    return most[0]


@pytest.mark.parametrize(("n_jobs", "wanted"), [(1, 1), (3, 3), (9, 4), (np.int64(2), 2)])
def test_no_more_threads_than_asked_for(n_jobs, wanted):
    assert at_once(4, n_jobs, wanted) == wanted
    with parallel(n_jobs):
        assert at_once(4, wanted=wanted) == wanted
        assert at_once(4, 1) == 1


def test_negative_numbers_count_from_the_processors(monkeypatch):
    monkeypatch.setattr(PARALLEL, "n_processors", lambda: 4)
    assert [n_threads(n) for n in (-1, -2, -4, -9, None)] == [4, 3, 1, 1, 4]


def test_innermost_limit_holds_and_the_outer_comes_back():
    with parallel(3):
        with parallel(2):
            assert n_threads() == 2
        with parallel():
            assert n_threads() == 3
    assert n_threads() == n_processors()


def test_threads_share_the_limit_with_what_they_start():
    inner = lambda i, look: (n_threads(), 0)  # noqa: E731
    assert in_threads(2, inner, None, 5) == [2, 2]
    assert in_threads(8, inner, None, 3) == [1] * 8
    assert in_threads(1, inner, None, 3) == [3]


def test_the_environment_says_the_limit_where_nobody_else_does(monkeypatch):
    monkeypatch.setenv("TREECORE_JOBS", "3")
    assert (n_threads(), n_threads(2)) == (3, 2)
    assert PARALLEL.n_threads_of_tree() == 3
    monkeypatch.setenv("TREECORE_JOBS", "")  # as a compose file sets what is not given
    assert (n_threads(), PARALLEL.n_threads_of_tree()) == (PARALLEL.n_processors(), 1)
    monkeypatch.setenv("TREECORE_JOBS", "many")
    with pytest.raises(tc.TreecoreError, match="TREECORE_JOBS: 'many' is no number of threads"):
        n_threads()


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two", True, "0"])
def test_no_number_of_threads(n_jobs):
    with pytest.raises(tc.TreecoreError, match=r"n_jobs: .* is no number of threads"):
        random_forest(IRIS, tc.GrowSettings(max_depth=1), 2, n_jobs=n_jobs)


def test_threads_ended_by_a_fault_keep_no_limit():
    def one(i, look):
        raise KeyError(i)

    with pytest.raises(KeyError):
        in_threads(3, one, None, 2)
    assert n_threads() == n_processors()


WORK = {
    "random forest": lambda n: random_forest(TITANIC, tc.GrowSettings(), 6, seed=1, n_jobs=n).trees,
    "extra trees": lambda n: extra_trees(MPG, tc.GrowSettings(), 6, seed=1, n_jobs=n).trees,
    "bagging": lambda n: bagging(IRIS, tc.GrowSettings(), 6, 0.5, seed=1, n_jobs=n).trees,
    "permutations": lambda n: mixed_up(bagging(MPG, tc.GrowSettings(max_depth=3), 3), MPG, 2, n_jobs=n).worse,
    "bootstrap": lambda n: ex.regrown(TITANIC, tc.Recipe((Grow("cart"), FOLDS)), 5, n_jobs=n).trees,
    "one row out": lambda n: ex.regrown(MPG, tc.Recipe((Grow("rpart"),)), 5, "leave one out", n_jobs=n).trees,
    "trials": lambda n: ex.trials(
        TITANIC, {"a": tc.Recipe((Grow("c4.5"),)), "b": tc.Recipe((Grow("cart"), FOLDS))},
        ex.repeated_folds(TITANIC, 3), n_jobs=n,
    ).scores(ex.MEASURES["log_loss"]),
    "tables": lambda n: ex.across(
        {"iris": IRIS, "mpg": IRIS}, {"a": tc.Recipe((Grow("cart"),))}, ex.MEASURES["accuracy"], 3, n_jobs=n
    ).scores,
    "pruning": lambda n: tc.prune(
        tc.grow(TITANIC), FOLDS.method, train=TITANIC, **dict(FOLDS.parameters), n_jobs=n
    ).reasons,
    "fit": lambda n: [tc.fit(MPG, tc.Recipe((Grow("cart"), FOLDS)), n_jobs=n).tree],
}  # fmt: skip


@pytest.mark.parametrize("name", WORK)
def test_the_same_with_any_number_of_threads(name):
    one, *others = (WORK[name](n) for n in (1, 2, 5))
    for other in others:
        if isinstance(one, np.ndarray):
            assert one.tobytes() == other.tobytes()
        else:
            assert [saved(of) for of in one] == [saved(of) for of in other]


def saved(of) -> object:
    return of.to_dict() if isinstance(of, tc.Tree) else of


def test_folds_are_the_same_with_any_number_of_threads():
    tree = tc.grow(MPG)
    found = [cross_validated(tree, MPG, tc.sequence(tree), make_folds(MPG, 5), n_jobs=n) for n in (1, 4)]
    assert found[0].mean.tobytes() == found[1].mean.tobytes()
    assert found[0].error.tobytes() == found[1].error.tobytes()


@pytest.mark.parametrize(("kind", "table"), [(TreeClassifier, IRIS), (TreeRegressor, MPG)])
def test_an_estimator_limits_the_threads_of_its_folds(kind, table, monkeypatch):
    seen = []
    monkeypatch.setattr("treecore.cross_validation.n_threads", lambda n: seen.append(n_threads(n)) or n_threads(n))
    X, y = np.random.RandomState(0).rand(60, 3), np.arange(60) % 2
    of = {"pruning": "cost_complexity", "pruning_params": {"choose": "cross-validation", "folds": 3}}
    one, two = (kind(**of, n_jobs=n).fit(X, y).tree_.to_dict() for n in (1, 2))
    assert one == two
    assert seen == [1, 2]


def one_tree(n_jobs, by_class, missing, progress=None, n=3000):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n)
    X[rng.random(X.shape) < (0.05 if missing else 0.0)] = np.nan
    table = tc.from_arrays(X, (y > 0).astype(int) if by_class else y, classes="ab" if by_class else None)
    growth = tc.GrowSettings(missing=missing or "majority", threshold="float32", max_surrogates=0)
    return tc.grow(table, growth, n_jobs=n_jobs, progress=progress)


@pytest.mark.parametrize("by_class", [True, False])
@pytest.mark.parametrize("missing", ["", "majority", "both_ways"])
def test_one_tree_is_the_same_with_any_number_of_threads(by_class, missing, monkeypatch):
    monkeypatch.setattr(fast, "ROWS_OF_A_THREAD", 300)
    monkeypatch.setattr(fast.SIZES.__class__, "block", lambda sizes, n_rows: 200)
    begun, in_threads = [], fast._grow_in_threads
    monkeypatch.setattr(fast, "_grow_in_threads", lambda *a: begun.append(a[2]) or in_threads(*a))
    one = one_tree(1, by_class, missing)
    assert begun == []
    for n in (2, 3):
        assert one_tree(n, by_class, missing).to_dict() == one.to_dict()
    assert begun == [2, 3]
    one_tree(None, by_class, missing)  # where nobody asks for threads a tree leaves the other processors alone
    assert begun == [2, 3]


def test_a_tree_in_threads_reports_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr(fast, "ROWS_OF_A_THREAD", 300)
    monkeypatch.setattr(fast.SIZES.__class__, "block", lambda sizes, n_rows: 200)
    seen = set()
    one_tree(2, True, "", lambda told: seen.add(threading.current_thread()))
    assert seen == {threading.current_thread()}

    def stop(told):
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        one_tree(2, True, "", stop)
    assert threading.active_count() == before
