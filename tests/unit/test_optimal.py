"""Optimal trees against plain enumeration, the bound of a search that was stopped, and what is refused."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.optimal import good_trees, n_functions, n_trees, optimal_tree, questions
from treecore.optimal.branch_and_bound import BranchAndBound


def cheapest(answers, weight, penalty, least, depth) -> float:
    """By trying every tree."""
    cost = weight.sum() - weight.sum(axis=0).max(initial=0) + penalty
    for question in range(answers.shape[1]) if depth else ():
        yes = answers[:, question]
        if min(yes.sum(), (~yes).sum()) >= least:
            parts = ((answers[side], weight[side]) for side in (yes, ~yes))
            cost = min(cost, sum(cheapest(*part, penalty, least, depth - 1) for part in parts))
    return float(cost)


@st.composite
def asked(draw):
    n, n_questions, n_classes = draw(st.integers(2, 12)), draw(st.integers(1, 4)), draw(st.integers(2, 3))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    weight = np.zeros((n, n_classes))
    weight[np.arange(n), random.integers(0, n_classes, n)] = random.integers(1, 4, n)
    return random.random((n, n_questions)) < 0.5, weight


@given(asked(), st.integers(0, 4), st.sampled_from([0.0, 0.5, 1.0]), st.integers(1, 3))
@settings(max_examples=60)
def test_no_tree_is_cheaper(table, depth, penalty, least):
    answers, weight = table
    found = BranchAndBound(answers, weight, penalty, least, lambda: False).best(depth)
    assert found.cost == pytest.approx(cheapest(answers, weight, penalty, least, depth))
    assert found.lower == found.cost


@given(asked(), st.integers(0, 6))
@settings(max_examples=30)
def test_a_search_that_is_stopped_knows_how_good_others_can_be(table, looks):
    answers, weight = table
    counted = itertools.count()
    found = BranchAndBound(answers, weight, 0.5, 1, lambda: next(counted) >= looks).best(4)
    assert found.lower <= cheapest(answers, weight, 0.5, 1, 4) + 1e-9 <= found.cost + 2e-9


@pytest.mark.parametrize(
    ("sample", "depth"), [("titanic", 3), ("play_tennis", 3), ("iris", 3), ("penguins", 3), ("xor", 2)]
)
def test_the_tree_makes_the_errors_that_were_found(sample, depth):
    table = read_sample(sample)
    found = optimal_tree(table, depth)
    wrong = found.tree.predict(table) != table.target_column.labels()
    assert found.proved
    assert found.errors == wrong.sum() == found.cost
    assert found.tree.depth <= depth
    greedy = tc.grow(found_questions(table), "cart", max_depth=depth)
    assert found.errors <= (greedy.predict(found_questions(table)) != table.target_column.labels()).sum()


def found_questions(table):
    """The same questions as columns, for the greedy grower."""
    _, answers = questions(table)
    return tc.from_arrays(answers.astype(float), table.target_column.codes, classes=list(table.classes))


def test_xor_is_what_greedy_growth_misses():
    assert optimal_tree(read_sample("xor"), 2).errors == 0
    assert optimal_tree(read_sample("xor"), 2, leaf_penalty=5.0).tree.n_nodes == 1


def test_a_recipe_of_its_splits_grows_it_again():
    from treecore.optimal.fewest_errors import GROWTH

    table = read_sample("penguins")
    found = optimal_tree(table, 2)
    again = tc.fit(table, tc.Recipe((GROWTH, *found.takes))).tree
    assert again.to_dict() == found.tree.to_dict()


@pytest.mark.parametrize(("n_questions", "depth"), [(1, 1), (2, 1), (2, 2), (3, 2)])
def test_trees_are_counted_as_they_are_listed(n_questions, depth):
    def listed(left: frozenset, depth: int) -> list:
        trees = [0, 1]
        for question in left if depth else ():
            below = listed(left - {question}, depth - 1)
            trees += [(question, a, b) for a in below for b in below]
        return trees

    assert n_trees(n_questions, depth) == len(listed(frozenset(range(n_questions)), depth))
    assert n_functions(n_questions) == len(set(itertools.product((0, 1), repeat=2**n_questions)))


@pytest.mark.parametrize(
    ("more", "words"),
    [({"depth": 6}, "depth"), ({"leaf_penalty": -1.0}, "leaf_penalty"), ({"seconds": 0}, "seconds")],
)
def test_what_is_not_possible_is_refused(more, words):
    with pytest.raises(TreecoreError, match=words):
        optimal_tree(read_sample("xor"), **more)


def test_numbers_have_no_errors_to_count():
    with pytest.raises(TreecoreError, match="a target of numbers has none"):
        optimal_tree(read_sample("mpg"))


def listed(answers, weight, penalty, least, depth):
    """(cost, class of a lone leaf or -1) of every tree without a question that both answers of which say the same."""
    total = weight.sum(axis=0)
    found = [(total.sum() - total.max(initial=0) + penalty, int(total.argmax()))]
    for question in range(answers.shape[1]) if depth else ():
        yes = answers[:, question]
        if min(yes.sum(), (~yes).sum()) >= least:
            one, other = (listed(answers[side], weight[side], penalty, least, depth - 1) for side in (yes, ~yes))
            found += [(a + b, -1) for a, i in one for b, j in other if i < 0 or i != j]
    return found


@given(st.integers(0, 10**6), st.integers(1, 2), st.sampled_from([0.0, 1.0]), st.integers(0, 4))
@settings(max_examples=25)
def test_every_good_tree_is_listed_once(seed, depth, penalty, within):
    random = np.random.default_rng(seed)
    X, y = (random.random((12, 3)) < 0.5).astype(float), random.integers(0, 2, 12)
    y[:2] = 0, 1
    table = tc.from_arrays(X, y, classes=["a", "b"])
    asked, answers = questions(table)
    if not asked:
        return
    best = optimal_tree(table, depth, penalty)
    found = good_trees(table, best, within, penalty)
    weight = np.eye(2)[y]
    every = [cost for cost, _ in listed(answers, weight, penalty, 1, depth) if cost <= best.cost + within + 1e-9]
    assert found.costs == pytest.approx(sorted(every))
    assert len(set(found.shapes)) == len(found)
    tree, _ = found.tree(len(found) - 1)
    errors = (tree.predict(table) != table.target_column.labels()).sum()
    assert errors + penalty * tree.n_leaves == pytest.approx(found.costs[-1])


def test_what_good_trees_share_is_counted():
    table = read_sample("titanic")
    found = good_trees(table, optimal_tree(table, 2), 20)
    assert sum(found.first_features().values()) == len(found) > 5
    assert found.features()["sex"] == sum(
        "sex" in {take.feature for take in found.tree(i)[1]} for i in range(len(found))
    )
    with pytest.raises(TreecoreError, match="more than 20,000"):
        good_trees(table, optimal_tree(table, 3), 60)
