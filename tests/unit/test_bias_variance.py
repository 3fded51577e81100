"""Bias, variance, noise: they add up to the error, by hand and by counting; sizes are subtrees of the sequence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treecore as tc
import treecore.study.questions.bias_variance as bias_variance_of
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.plots.error_curves import bias_variance, overfitting
from treecore.recipe import Grow, Recipe
from treecore.study import WORLDS, domingos, in_table, in_world, kohavi, squared
from treecore.study.questions.bias_variance import BOOTSTRAP, HALVES, ManyTrees, cut_answers, overfitting_sentence
from treecore.tree.predict import predicted_labels

CART = Recipe((Grow("cart"),))
SURE = np.eye(2)


def test_numbers_by_hand():
    """Answers 1 and 3 to a truth of 1: bias (2 - 1)^2, variance 1; noise 0.5."""
    of = squared(np.array([[1.0], [3.0]]), np.array([1.0]), np.array([0.5]))
    assert (of.bias, of.variance, of.noise, of.error) == (1, 1, 0.5, 2.5)


def test_classes_by_hand():
    """Of four trees three say a, one says b. Where a is true: bias 0, variance 1/4. Where b is: bias 1, variance -1/4,
    as straying from the main answer is right there."""
    said = np.array([[0], [0], [0], [1]])
    a, b = domingos(said, SURE[:1]), domingos(said, SURE[1:])
    assert (a.bias, a.variance, a.error) == (0, 0.25, 0.25)
    assert (b.bias, b.variance, b.error) == (1, -0.25, 0.75)
    k = kohavi(said, SURE[:1])
    assert (k.bias, k.variance, k.error) == (0.0625, 0.1875, 0.25)


def test_noise_of_classes_by_hand():
    """a is true in 9 of 10: who always says a errs by the noise alone, who always says b gets 2 (N) less of it."""
    chances = np.array([[0.9, 0.1]])
    always_a, always_b = (domingos(np.full((3, 1), k), chances) for k in (0, 1))
    assert (always_a.bias, always_a.variance) == (0, 0)
    assert always_a.error == always_a.noise == pytest.approx(0.1)
    assert (always_b.bias, always_b.noise, always_b.error) == (1, pytest.approx(-0.1), pytest.approx(0.9))


@given(st.integers(2, 4), st.integers(1, 6), st.integers(1, 8), st.integers(0, 2**32 - 1), st.booleans())
def test_parts_add_up_to_the_error_as_counted(k, n_trees, n_rows, seed, sure):
    rng = np.random.default_rng(seed)
    said = rng.integers(-1, k, (n_trees, n_rows))
    chances = np.eye(k)[rng.integers(0, k, n_rows)] if sure else rng.dirichlet(np.ones(k), n_rows)
    counted = np.mean([1 - (chances[i, said[t, i]] if said[t, i] >= 0 else 0)
                       for t in range(n_trees) for i in range(n_rows)])  # fmt: skip
    for of in [kohavi(said, chances), *([domingos(said, chances)] if sure else [])]:
        assert of.error == pytest.approx(counted)
        assert of.bias + of.variance + of.noise == pytest.approx(counted)
    if not sure and k == 2 and (said >= 0).all():
        of = domingos(said, chances)
        assert of.error == pytest.approx(counted)
        assert of.bias + of.variance + of.noise == pytest.approx(counted)


@pytest.mark.parametrize("sample", ["titanic", "iris", "mpg"])
def test_each_size_answers_as_its_own_pruned_tree(sample):
    table = read_sample(sample).without_missing_target()
    tree = tc.grow(table, "cart")
    steps = tc.sequence(tree)
    at = sorted({0, len(steps) // 2, len(steps) - 1})
    for k, said in zip(at, cut_answers(steps, table, at), strict=True):
        cut = tree.cut(steps.cuts(k))
        want = predicted_labels(cut, table) if tree.classes else cut.predict(table)
        assert said.tolist() == want.tolist()


def test_a_bootstrap_sample_repeats_rows_and_a_half_does_not(monkeypatch):
    table, drawn = read_sample("iris"), {}
    for way, times in ((BOOTSTRAP, 1.0), (HALVES, 0.5)):
        rows = []
        grown = lambda sample, *rest, rows=rows: rows.extend(sample(i).row_numbers for i in range(2)) or 1 / 0  # noqa: E731
        monkeypatch.setattr(bias_variance_of, "_grown", grown)
        with pytest.raises(ZeroDivisionError):
            in_table(table, CART, 2, samples=way)
        drawn[way] = rows
        assert [len(of) for of in rows] == [int(100 * times)] * 2
        assert set(rows[0].tolist()) != set(rows[1].tolist())
    assert all(len(np.unique(of)) == 50 for of in drawn[HALVES])
    assert all(50 < len(np.unique(of)) < 75 for of in drawn[BOOTSTRAP])
    with pytest.raises(TreecoreError, match="draws no samples"):
        in_table(table, CART, 2, samples="thirds")


def test_larger_trees_have_less_bias_and_more_variance():
    many = in_world(WORLDS["wave"], CART, 200, 20)
    parts = many.parts("squared loss")
    assert many.sizes[0] == 1
    assert parts[0].bias > 10 * parts[-1].bias
    assert parts[0].variance * 5 < parts[-1].variance
    assert parts[0].noise == parts[-1].noise == 0.25**2
    best = min(range(len(parts)), key=lambda i: parts[i].error)
    assert 0 < best < len(parts) - 1, "over-fitting"
    assert many.train.mean(axis=1)[-1] < parts[best].error


@pytest.mark.parametrize("name", WORLDS)
def test_every_world_can_be_drawn_and_taken_apart(name):
    many = in_world(WORLDS[name], CART, 60, 3)
    for definition in many.definitions:
        for of in many.parts(definition):
            assert of.bias + of.variance + of.noise == pytest.approx(of.error)


def test_a_table_of_ones_own():
    many = in_table(read_sample("titanic"), CART, 4, seed=1)
    assert not many.is_known
    assert many.said.shape == (len(many.sizes), 4, 297)
    assert [of.noise for of in many.parts("Domingos (2000)")] == [0.0] * len(many.sizes)
    with pytest.raises(TreecoreError, match="does not serve"):
        many.parts("squared loss")
    with pytest.raises(TreecoreError, match="vary by nothing"):
        in_table(read_sample("titanic"), CART, 1)


def test_every_part_is_a_line():
    many = in_world(WORLDS["wave"], CART, 60, 3)
    parts = many.parts("squared loss")
    drawn = bias_variance(many.sizes, parts, "bias²", share=False)
    assert [t.name for t in drawn.data] == ["error of new rows", "bias²", "variance", "noise"]
    assert list(drawn.data[1].y) == [of.bias for of in parts]


@pytest.mark.parametrize("make", [
    lambda: in_world(WORLDS["wave"], CART, 60, 4), lambda: in_world(WORLDS["board"], CART, 60, 4),
    lambda: in_table(read_sample("titanic"), CART, 4), lambda: in_table(read_sample("iris"), CART, 4),
])  # fmt: skip
def test_the_trees_err_as_their_parts_say_and_the_picture_shows_it(make):
    many = make()
    assert many.errors.shape == many.train.shape
    for definition in many.definitions:
        assert many.errors.mean(axis=1) == pytest.approx([of.error for of in many.parts(definition)])
    drawn = overfitting(many.sizes, many.train, many.errors)
    lines = {trace.name: trace for trace in drawn.data}
    assert list(lines["new rows"].y) == many.errors.mean(axis=1).tolist()
    assert list(lines["training rows"].y) == many.train.mean(axis=1).tolist()
    best = int(many.sizes[many.errors.mean(axis=1).argmin()])
    assert lines[f"least: {best}"].x == (best, best)


def test_over_fitting_in_words():
    """Of 1, 2 and 3 leaves; two trees that judge two rows of class a. With 2 leaves one row is wrong once."""

    def told(said, train):
        made = ManyTrees(
            "classification", np.array([1, 2, 3]), np.array(said), np.array(train), SURE[[0, 0]], None, True
        )
        return overfitting_sentence(made)

    train = [[0.5, 0.5], [0.25, 0.25], [0.0, 0.1]]
    worse = [[[1, 1], [1, 1]], [[0, 0], [0, 1]], [[0, 1], [0, 1]]]
    assert told(worse, train) == (
        "Beyond 2 leaves the trees over-fit: error on their own rows from 25.0\u00a0% to 5.0\u00a0%, of new rows from "
        "25.0\u00a0% to 50.0\u00a0%."
    )
    assert told([worse[0], worse[1], [[0, 0], [0, 0]]], train).startswith("Up to 3 leaves there is no over-fitting")
    assert told([[[0, 0], [0, 0]], *worse[1:]], train).startswith("At once the trees over-fit")
    assert told([[[-1, -1], [-1, -1]], *worse[1:]], train).startswith("Beyond 2 leaves"), "no answer is a wrong one"
