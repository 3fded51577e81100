"""TreeRegressor(criterion="poisson"): scikit-learn's trees of counts, with the exposure as weights or by itself."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import mean_poisson_deviance
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeRegressor

import treecore as tc
from treecore.estimators import TreeRegressor


def rows(seed: int, n: int = 600) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(X, counts, exposure); no leaf of a twin is without events, which scikit-learn never makes."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 4)).astype(np.float32)
    exposure = draw.uniform(0.5, 3.0, n)
    rate = np.exp(0.8 + 0.7 * (X[:, 0] > 0.3) - 0.5 * (X[:, 1] > 0) * (X[:, 2] < 0.5))
    return X, draw.poisson(rate * exposure).astype(float), exposure


@pytest.mark.parametrize(
    "settings",
    [{"min_samples_leaf": 20}, {"max_depth": 3, "min_samples_leaf": 5}, {"max_leaf_nodes": 6, "min_samples_leaf": 15}],
    ids=str,
)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_tree_is_scikit_learn_s(seed, weighted, settings):
    X, y, exposure = rows(seed)
    y, weights = (y / exposure, exposure) if weighted else (y, None)
    theirs = DecisionTreeRegressor(criterion="poisson", random_state=0, **settings).fit(X, y, weights)
    ours = TreeRegressor(criterion="poisson", **settings).fit(X, y, weights)
    assert ours.get_n_leaves() == theirs.get_n_leaves() > 3
    assert ours.predict(X) == pytest.approx(theirs.predict(X), rel=1e-9)


def test_alpha_is_in_scikit_learn_s_unit():
    X, y, _ = rows(5)
    theirs = DecisionTreeRegressor(criterion="poisson", min_samples_leaf=20, random_state=0)
    ours = TreeRegressor(criterion="poisson", min_samples_leaf=20)
    path, wanted = ours.cost_complexity_pruning_path(X, y), theirs.cost_complexity_pruning_path(X, y)
    assert path.ccp_alphas == pytest.approx(wanted.ccp_alphas, rel=1e-6, abs=1e-12)
    assert path.impurities == pytest.approx(wanted.impurities, rel=1e-6)
    alpha = float(wanted.ccp_alphas[len(wanted.ccp_alphas) // 2]) * (1 + 1e-6)
    small, like = (clone(model).set_params(ccp_alpha=alpha).fit(X, y) for model in (ours, theirs))
    assert small.predict(X) == pytest.approx(like.predict(X), rel=1e-9)


def test_an_exposure_is_a_weight_of_rates():
    X, y, exposure = rows(1)
    own = TreeRegressor(criterion="poisson", min_samples_leaf=20).fit(X, y, exposure=exposure)
    other = TreeRegressor(criterion="poisson", min_samples_leaf=20).fit(X, y / exposure, exposure)
    assert (own.predict(X) == other.predict(X)).all()
    both = TreeRegressor(criterion="poisson", min_samples_leaf=20).fit(X, y, np.full(len(y), 2.0), exposure)
    assert both.predict(X) == pytest.approx(own.predict(X))
    assert own.predict(X) @ exposure == pytest.approx(y.sum(), rel=1e-9), "events expected are those that there were"


def test_it_is_the_library_s_tree_of_counts_without_shrinkage():
    X, y, exposure = rows(2)
    frame = pd.DataFrame(X.astype(float), columns=list("abcd")).assign(events=y, years=exposure)
    table = tc.read_table(frame, target=tc.Counts("events", "years", shrink=0.0), features=list("abcd"))
    tree = tc.grow(table, "sklearn", min_rows_leaf=30)
    ours = TreeRegressor(criterion="poisson", min_samples_leaf=30).fit(X, y, exposure=exposure)
    assert ours.predict(X) == pytest.approx(tree.predict(table), rel=1e-9)


def test_folds_pruning_levels_and_gaps():
    X, y, exposure = rows(3)
    X[::17, 1] = np.nan
    model = TreeRegressor(criterion="poisson", min_samples_leaf=10, pruning="cost_complexity", random_state=0)
    scores = cross_val_score(model, X, y, cv=3, scoring="neg_mean_poisson_deviance")
    assert np.isfinite(scores).all()
    frame = pd.DataFrame(X, columns=list("abcd")).assign(town=np.where(X[:, 0] > 0.3, "south", "north"))
    fitted = TreeRegressor(criterion="poisson", preset="rpart").fit(frame, y, exposure=exposure)
    said = fitted.predict(frame)
    assert fitted.get_n_leaves() > 2
    whole = np.full(len(y), y.sum() / exposure.sum())
    assert mean_poisson_deviance(y, said * exposure) < mean_poisson_deviance(y, whole * exposure)


def test_no_rate_is_0_with_shrinkage():
    X, y = np.arange(40.0)[:, None], np.repeat([0.0, 3.0], 20)
    assert TreeRegressor(criterion="poisson").fit(X, y).predict(X).min() == 0.0
    drawn = TreeRegressor(criterion="poisson", shrink=1.0).fit(X, y)
    assert drawn.predict(X)[[0, -1]] == pytest.approx([1 / (20 + 1 / 1.5), 61 / (20 + 1 / 1.5)])
    assert np.isfinite(mean_poisson_deviance(y, drawn.predict(X)))


@pytest.mark.parametrize(
    ("y", "settings", "more", "said"),
    [
        ([1.0, -1.0, 2.0], {}, {}, "negative"),
        ([0.0, 0.0, 0.0], {}, {}, "not strictly positive"),
        ([1.0, 0.0, 2.0], {}, {"exposure": [1.0, 0.0, 1.0]}, "not above 0"),
        ([1.0, 0.0, 2.0], {"criterion": "squared_error"}, {"exposure": [1.0, 1.0, 1.0]}, "Only counts"),
        ([1.0, 0.0, 2.0], {"min_impurity_decrease": 0.1}, {}, "counts"),
        ([1.0, 0.0, 2.0], {"shrink": -1.0}, {}, "shrink"),
        ([1.0, 0.0, 2.0], {"splitter": "random"}, {}, "counts"),
        ([1.0, 0.0, 2.0], {"honest_fraction": 0.5}, {}, "counts"),
    ],
)
def test_what_is_no_count_or_has_no_meaning_is_refused(y, settings, more, said):
    X = np.arange(3.0)[:, None]
    with pytest.raises(ValueError, match=said):
        TreeRegressor(**{"criterion": "poisson"} | settings).fit(X, y, **more)
