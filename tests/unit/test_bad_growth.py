"""Settings and tables that growth cannot work with: what is wrong, where, the remedy; or the route that is promised."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.data import numeric_column
from treecore.data.samples import read_sample
from treecore.growing.settings.parts import MISSING_STRATEGIES

NAN, INF = float("nan"), float("inf")
SETOSA, VERSICOLOR = "Iris-setosa", "Iris-versicolor"


@pytest.fixture(scope="module")
def iris():
    return read_sample("iris")


def refusal(table, preset="cart", validation=None, **settings) -> tc.TreecoreError:
    with pytest.raises(tc.TreecoreError) as caught:
        tc.grow(table, preset, validation=validation, **settings)
    assert caught.value.what
    assert caught.value.remedy
    return caught.value


# costs of errors


@pytest.mark.parametrize(
    ("loss", "sizes"),
    [
        ([[0, 1], [1, 0]], "[2, 2]"),
        ([[0, 1, 1], [1, 0], [1, 1, 0]], "[3, 2, 3]"),
        ([[0, 1, 1], [1, 0, 1]], "[3, 3]"),
        ([], "[]"),
        ([[]], "[0]"),
    ],
)
def test_a_loss_matrix_has_a_row_and_a_column_per_class(iris, loss, sizes):
    error = refusal(iris, loss=loss)
    assert error.where == "loss"
    assert f"rows of {sizes} values" in error.what
    assert SETOSA in error.what


@pytest.mark.parametrize("cost", [-1, NAN, INF, -INF, 1e101])
def test_a_cost_that_is_no_amount_is_named_by_its_classes(iris, cost):
    error = refusal(iris, loss=[[0, cost, 1], [1, 0, 1], [1, 1, 0]])
    assert (error.where, error.what) == ("loss", f"A row of class '{SETOSA}' called '{VERSICOLOR}' costs {cost:g}")


def test_a_right_answer_costs_nothing_and_some_error_something(iris):
    error = refusal(iris, loss=[[0, 1, 1], [1, 3, 1], [1, 1, 0]])
    assert error.what == f"A right answer, '{VERSICOLOR}', costs 3"
    assert "nothing does" in refusal(iris, loss=[[0, 0, 0]] * 3).what


@pytest.mark.parametrize("loss", ["abc", 5, {"a": 1}, [[0, "1", 1]], [[0, None, 1]], [0, 1, 1], [[0, True, 1]]])
def test_a_loss_matrix_is_rows_of_numbers(iris, loss):
    assert refusal(iris, loss=loss).where == "loss"


def test_large_and_small_costs_work(iris):
    for size in (1e-100, 1e100):
        tree = tc.grow(iris, loss=[[0, size, size], [size, 0, size], [size, size, 0]])
        assert tree.n_leaves == tc.grow(iris).n_leaves


def test_an_impurity_of_costs_needs_them(iris):
    error = refusal(iris, criterion="cost_gini")
    assert error.where == "loss"
    assert "gini" in error.remedy


# priors


@pytest.mark.parametrize(
    "priors", [[0.5, 0.5, 0.5], [0.5, 0.5], [0.25] * 4, [], [1.5, -0.5, 0], [NAN, 0.5, 0.5], [INF, 0, 0], [0, 0, 0]]
)
def test_priors_are_a_share_per_class(iris, priors):
    error = refusal(iris, priors=priors)
    assert error.where == "priors"
    assert all(f"{p:g}" in error.what for p in priors)
    assert SETOSA in error.remedy


@pytest.mark.parametrize("priors", ["abc", 1.0, ["a", 0.5, 0.5], {"a": 1.0}])
def test_priors_are_numbers(iris, priors):
    assert refusal(iris, priors=priors).where == "priors"


@pytest.mark.parametrize("priors", [[0.3, 0.3, 0.4], [0, 0, 1]])
def test_a_class_without_rows_has_no_prior(iris, priors):
    two = iris.take(np.arange(100))
    error = refusal(two, priors=priors)
    assert (error.where, "Iris-virginica" in error.what) == ("priors", True)
    assert tc.grow(two, priors=[0.3, 0.7, 0]).n_leaves == 2


# costs of features


@pytest.mark.parametrize("cost", [0, -1, NAN, INF])
def test_a_feature_costs_more_than_nothing(iris, cost):
    error = refusal(iris, costs={"sepalwidth": 2.0, "sepallength": cost})
    assert error.where == "Feature 'sepallength'"
    assert "above 0" in error.remedy


@pytest.mark.parametrize("name", ["no such", "class", ""])
def test_only_features_have_costs(iris, name):
    error = refusal(iris, costs={name: 2.0})
    assert name in error.where
    assert "sepallength" in error.remedy


def test_a_feature_has_one_cost(iris):
    error = refusal(iris, costs=[("petalwidth", 1), ("sepallength", 1), ("sepallength", 2)])
    assert (error.where, error.what) == ("Feature 'sepallength'", "It costs both 1 and 2")


@pytest.mark.parametrize("costs", [5, None, "abc", {"sepallength": "2"}, [("sepallength",)]])
def test_costs_are_numbers_by_feature(iris, costs):
    assert refusal(iris, costs=costs).where == "costs"


# what does not go together


@pytest.mark.parametrize(
    ("settings", "where", "remedy"),
    [
        ({"score": "twoing", "nominal": "multiway"}, "nominal", "subset"),
        ({"criterion": "two_class_variance"}, "criterion", "half_gini"),
        ({"criterion": "squared_error"}, "criterion", "gini"),
        ({"patience": 3}, "patience", "validation rows"),
    ],
)
def test_settings_that_do_not_go_together(iris, settings, where, remedy):
    error = refusal(iris, **settings)
    assert error.where == where
    assert remedy in error.remedy


def test_patience_needs_validation_rows_of_the_same_target(iris):
    assert refusal(iris, validation=iris.take([]), patience=3).where == "patience"
    others = iris.with_target("petalwidth").with_features(["sepallength"])
    assert "petalwidth" in refusal(iris, validation=others, patience=3).what


@pytest.mark.parametrize("settings", [{"score": "twoing"}, {"cuts": "boundaries"}, {"criterion": "cost_gini"}])
def test_what_is_for_classes_refuses_numbers(settings):
    assert refusal(read_sample("mpg"), **settings).where in settings


@pytest.mark.parametrize("settings", [{"loss": ((0, 1), (1, 0))}, {"priors": (0.5, 0.5)}])
def test_numbers_have_no_costs_of_errors_and_no_priors(settings):
    error = refusal(read_sample("mpg"), **settings)
    assert error.where in settings
    assert "classes" in error.remedy


# numbers out of range, and text in their place


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("alpha", v) for v in (-0.05, 1.05, NAN)),
        *(("max_surrogates", v) for v in (-1, 0.5, None)),
        *(("bins", v) for v in (1, 0, -3, 2.5)),
        *(("chaid_bins", v) for v in (1, 61)),
        ("patience", -1),
        ("cost_power", 1.5),
    ],
)
def test_numbers_out_of_range(iris, name, value):
    assert refusal(iris, **{name: value}).where == name


NUMBERS = [name for name, value in tc.GrowSettings().to_dict().items() if isinstance(value, int | float)]


@pytest.mark.parametrize("name", [*NUMBERS, "max_depth", "max_leaves"])
@pytest.mark.parametrize("text", ["3", "0,5", "", "many"])
def test_text_in_place_of_a_number(iris, name, text):
    error = refusal(iris, **{name: text})
    assert (error.where, repr(text) in error.what) == (name, True)
    assert "number" in error.remedy


def test_no_split_is_significant_at_a_level_of_0(iris):
    assert tc.grow(iris, test="chi_square", alpha=0).n_nodes == 1
    assert tc.grow(iris, "ctree", alpha=0).n_nodes == 1


# values that are not there


def holed():
    """x0 decides where it is known, which is only where x1 is 0; where x1 is 1 it is missing in every row."""
    x0 = [0, 0, 0, 1, 1, 1] + [None] * 8
    x1 = [0] * 6 + [1] * 8
    x2 = [0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1]
    y = [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1]
    return x0, x1, x2, y


@pytest.mark.parametrize("missing", MISSING_STRATEGIES)
@pytest.mark.parametrize("kind", ["numeric", "nominal", "ordinal"])
def test_a_feature_that_is_missing_in_every_row_of_a_node_is_no_candidate_there(missing, kind):
    *columns, y = holed()
    table = Sample([kind, "nominal", "nominal"], columns, [2 * (kind != "numeric"), 2, 2], y, 2).table()
    first = tc.grow(table.take(np.arange(6, 14)), missing=missing)
    assert first.node(0).feature == "x2"
    assert {c.feature for c in tc.candidates(first, 0, table.take(np.arange(6, 14))).ranked} == {"x2"}
    tree = tc.grow(table, missing=missing)
    assert np.isfinite(tree.impurity).all()
    assert len(tree.predict(table)) == 14


def test_a_feature_without_any_value_is_passed_over():
    nothing = numeric_column("x9", np.full(6, np.nan))
    table = Sample(["numeric"], [[1, 2, 3, 4, 5, 6]], [0], [0, 0, 0, 1, 1, 1], 2).table()
    more = tc.Table((nothing, *table.columns), target="y", features=("x9", "x0"))
    assert tc.grow(more).node(0).feature == "x0"
    alone = tc.Table((nothing, *table.columns), target="y", features=("x9",))
    assert tc.grow(alone).n_nodes == 1


# levels that were not there


def leveled(kind, gaps):
    """60 rows of levels a, b, c, which decide the class, and a twin that agrees; some cells missing."""
    level = [None if gaps and i % 10 == 9 else i % 3 for i in range(60)]
    y = [int(i % 3 == 2) for i in range(60)]
    return Sample([kind, "numeric"], [level, [i % 3 for i in range(60)]], [3, 0], y, 2).table()


def answers(tree, level):
    """Class shares for a row of this level whose twin is high, low, unknown."""
    rows = pd.DataFrame({"x0": [level] * 3, "x1": [2.0, 0.0, np.nan]}).astype({"x0": object})
    return tree.predict_proba(rows)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("nominal", ["subset", "multiway", "one_level"])
@pytest.mark.parametrize("missing", MISSING_STRATEGIES)
@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_a_level_never_seen_goes_where_missing_values_go(kind, missing, nominal, gaps):
    table = leveled(kind, gaps)
    tree = tc.grow(table, missing=missing, nominal=nominal, costs={"x1": 9.0})
    assert tree.node(0).feature == "x0"
    assert answers(tree, "never seen").tolist() == answers(tree, None).tolist()
    assert answers(tree, "never seen").sum(axis=1) == pytest.approx([1, 1, 1])


def test_a_level_never_seen_asks_the_surrogate():
    tree = tc.grow(leveled("nominal", gaps=False), missing="surrogates", costs={"x1": 9.0})
    assert answers(tree, "never seen").tolist() == [[0, 1], [1, 0], [1, 0]]


def test_a_level_never_seen_is_shared_by_weight():
    tree = tc.grow(leveled("nominal", gaps=False), missing="fractional", costs={"x1": 9.0})
    assert answers(tree, "never seen") == pytest.approx(np.array([[2 / 3, 1 / 3]] * 3))


def test_a_level_never_seen_without_a_branch_of_its_own_answers_as_the_larger_branch():
    tree = tc.grow(leveled("nominal", gaps=False), nominal="multiway", missing="own_value", costs={"x1": 9.0})
    assert tree.n_children[0] == 3
    assert answers(tree, "never seen").tolist() == [[1, 0]] * 3
