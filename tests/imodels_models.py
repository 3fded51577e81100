"""Trees of imodels and interpret read as ours: the same answers and classes.

Neither is a dependency, so that the suite does not collect this:

uv run --with imodels==3.0.4 --with interpret-core==0.7.8 pytest -n 0 tests/imodels_models.py
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imodels import (
    FIGSClassifier,
    FIGSRegressor,
    GreedyTreeClassifier,
    GreedyTreeRegressor,
    HSTreeClassifier,
    HSTreeRegressor,
    RuleFitClassifier,
)
from imodels.tree.cart_ccp import DecisionTreeCCPClassifier, DecisionTreeCCPRegressor
from interpret.glassbox import ClassificationTree, ExplainableBoostingClassifier, RegressionTree
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treecore as tc

SLOW = settings(max_examples=6)
EXTREME = (0.0, -0.0, 1e-36, 3e38, -3e38, 1 + 2**-24, 0.1)
CLASSIFIERS = {
    "greedy": lambda: GreedyTreeClassifier(max_depth=4),
    "pruned": lambda: DecisionTreeCCPClassifier(DecisionTreeClassifier(), desired_complexity=4),
    "shrunk": lambda: HSTreeClassifier(),
    "shrunk at leaves": lambda: HSTreeClassifier(shrinkage_scheme_="leaf_based"),
    "shrunk forest": lambda: HSTreeClassifier(RandomForestClassifier(3, max_depth=4, random_state=0)),
    "shrunk boosting": lambda: HSTreeClassifier(GradientBoostingClassifier(n_estimators=3, max_depth=2)),
    "sum": lambda: FIGSClassifier(max_rules=6),
    "shallow": lambda: ClassificationTree(max_depth=3),
}
REGRESSORS = {
    "greedy": lambda: GreedyTreeRegressor(max_depth=4),
    "pruned": lambda: DecisionTreeCCPRegressor(DecisionTreeRegressor(), desired_complexity=4),
    "shrunk": lambda: HSTreeRegressor(DecisionTreeRegressor(max_depth=4)),
    "shrunk forest": lambda: HSTreeRegressor(RandomForestRegressor(3, max_depth=4, random_state=0)),
    "sum": lambda: FIGSRegressor(max_rules=6),
    "shallow": lambda: RegressionTree(max_depth=3),
}


@st.composite
def tables(draw):
    """(features with ties and extreme numbers, another draw of them, numbers)."""
    rng = np.random.RandomState(draw(st.integers(0, 2**32 - 1)))
    n, frames = draw(st.integers(60, 200)), []
    for _ in range(2):
        X = rng.randn(n, 3).round(draw(st.integers(0, 3)))
        odd = rng.rand(n, 3) < 0.05
        X[odd] = rng.choice(EXTREME, odd.sum())
        frames.append(pd.DataFrame(X, columns=["a", "b", "c"]))
    return frames[0], frames[1], (np.clip(frames[0]["a"], -3, 3) + rng.randn(n)).to_numpy()


@pytest.mark.parametrize("name", CLASSIFIERS)
@given(given=tables(), n=st.sampled_from([2, 3]))
@SLOW
def test_classes(name, given, n):
    frame, probes, z = given
    n = 2 if name == "shrunk boosting" else n  # of more classes imodels shrinks none
    y = np.array(["low", "middle", "high"])[np.digitize(z, [0, 1][: n - 1])]
    told = CLASSIFIERS[name]().fit(frame, y)
    table = tc.read_table(frame.assign(y=y), target="y")
    for found in (tc.read_model(told), tc.read_model(told, table)):
        for rows in (frame, probes):
            answers = told.predict_proba(rows)
            np.testing.assert_allclose(found.predict_proba(rows), answers, rtol=1e-12, atol=1e-14)
            known = np.sort(answers, axis=1)
            clear = known[:, -1] > known[:, -2] + 1e-12
            assert (found.predict(rows)[clear] == told.predict(rows)[clear]).all()


@pytest.mark.parametrize("name", REGRESSORS)
@given(given=tables())
@SLOW
def test_numbers(name, given):
    frame, probes, z = given
    told = REGRESSORS[name]().fit(frame, z)
    for found in (tc.read_model(told), tc.read_model(told, tc.read_table(frame.assign(y=z), target="y"))):
        for rows in (frame, probes):
            np.testing.assert_allclose(found.predict(rows), told.predict(rows), rtol=1e-12, atol=1e-14)


def test_names_are_the_models():
    rng = np.random.RandomState(0)
    frame = pd.DataFrame(rng.randn(60, 2), columns=["b", "a"])
    for make in (*CLASSIFIERS.values(),):
        found = tc.read_model(make().fit(frame, rng.randint(0, 2, 60)))
        schema = found.schema if hasattr(found, "schema") else found.trees[0].schema
        assert schema.own_names == ("b", "a")


def test_what_a_tree_here_cannot_say_is_refused():
    rng = np.random.RandomState(0)
    frame = pd.DataFrame({"a": rng.randn(60), "k": rng.choice(["u", "v"], 60)})
    codes = frame.assign(k=rng.randint(0, 3, 60))
    y = rng.randint(0, 2, 60)
    for model in (RuleFitClassifier(), ExplainableBoostingClassifier()):
        with pytest.raises(tc.TreecoreError, match="no reader for this model"):
            tc.read_model(model)
    for model in (GreedyTreeClassifier(), HSTreeRegressor(), FIGSClassifier(), ClassificationTree()):
        with pytest.raises(tc.TreecoreError, match="not fitted"):
            tc.read_model(model)
    with pytest.raises(tc.TreecoreError, match="codes that are not said"):
        tc.read_model(ClassificationTree(feature_types=["continuous", "nominal"]).fit(codes, y))
    with pytest.raises(tc.TreecoreError, match="encodes its categories"):
        tc.read_model(FIGSClassifier().fit(frame, y, categorical_features=["k"]))
