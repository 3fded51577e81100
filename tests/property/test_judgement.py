"""Sizes judged by every measure: the figures of each subtree for itself, by ours and by scikit-learn's."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_pruning import check_sequence, other_rows
from tests.property.test_core_twins import growths, samples
from treecore.data.samples import read_sample
from treecore.judging.answers import answers_of
from treecore.judging.losses import OF_CLASSES, leaf_errors, least_cost, row_losses, smoothed_shares
from treecore.judging.measures import ADDITIVE, MEASURED, MEASURES, OF_ORDER
from treecore.judging.ranking import ranking_of
from treecore.pruning.sequence import RISKS, sequence
from treecore.pruning.validation import errors_while_growing, judgement, smallest_within

LIMITS = {"max_depth": 3, "min_gain": 0.0, "min_weighted_gain": 0.0}
OF_ANSWERS = {"error": "cost", "profit": "profit", "log_loss": "log_loss", "brier": "brier", "auc": "auc",
              "captured": "captured", "average_precision": "average_precision"}  # fmt: skip


def some_tree(data, **fixed):
    """(sample, tree) of classes whose rows go down whole, in whatever way."""
    sample = data.draw(samples(n_classes=data.draw(st.sampled_from([2, 3])), missing=False))
    fixed = {name: made(sample.n_classes) for name, made in fixed.items()}
    tree = tc.grow(sample.table(), data.draw(growths(sample, **LIMITS)), **fixed)
    assume(1 <= (~tree.is_leaf).sum() <= 7)
    return sample, tree


def profits(data):
    """n_classes -> a matrix of what answers earn, in some row not all the same, right answers not always best."""
    earned = st.sampled_from([0.0, 0.0, 1.0, -1.0, 0.1, -0.3, 7.5, -40.0, 1e6])

    def made(k: int) -> list[list[float]]:
        drawn = data.draw(st.lists(st.lists(earned, min_size=k, max_size=k), min_size=k, max_size=k))
        assume(np.ptp(drawn, axis=1).any())
        return drawn

    return {"profit": made}


@pytest.mark.parametrize("measure", sorted(OF_ANSWERS))
@given(data=st.data())
@settings(max_examples=15)
def test_a_subtree_is_judged_as_it_is_for_itself(measure, data):
    """Log losses of a pruned tree are those of its leaves within the grown one: one root, one m-estimate."""
    sample, tree = some_tree(data, **(profits(data) if measure == "profit" else {}))
    rows = other_rows(data, sample)
    assume(rows.case_weights.sum() > 0 and tree.n_rows[0] > 0)
    assume(measure != "captured" or len(tree.classes) == 2)
    assume(measure not in OF_ORDER or len(set(answers_of(tree, rows).truth.tolist())) > 1)
    steps = tc.sequence(tree)
    found = judgement(steps, rows, measure)
    for k in range(len(steps)):
        answers = answers_of(tree.cut(steps.cuts(k)), rows)
        assume((answers.weight > 0).any())
        np.testing.assert_allclose(found.mean[k], MEASURES[OF_ANSWERS[measure]](answers), rtol=1e-9, atol=1e-12)
        if measure == "auc" and len(tree.classes) == 2:
            np.testing.assert_allclose(found.error[k], ranking_of(answers).area_error, rtol=1e-9, atol=1e-12)
    best = found.best()
    assert found.mean[best] == pytest.approx(np.nanmax(found.mean) if found.higher else np.nanmin(found.mean))


@pytest.mark.parametrize("risk", [name for name, _ in RISKS if name != "impurity"])
@given(data=st.data())
@settings(max_examples=15)
def test_every_additive_measure_has_its_nested_sequence(risk, data):
    _, tree = some_tree(data, **(profits(data) if risk == "profit" else {}))
    check_sequence(tree, leaf_errors(tree, tree.stats, risk) / tree.weight[0], sequence(tree, risk))


@given(data=st.data())
@settings(max_examples=60)
def test_the_sequence_of_profits_is_that_of_all_subtrees_by_brute_force(data):
    """Of all prunings of the tree, none earns more at any alpha; and what is missed and the profit differ by the same
    in every one of them."""
    _, tree = some_tree(data, **profits(data))
    steps, earned = sequence(tree, "profit"), -(tree.stats * row_losses(tree, "profit")).sum(axis=1) / tree.weight[0]
    scale = np.abs(tree.loss).max()

    def prunings(t: int) -> list[tuple[int, float]]:
        """(leaves, profit) of every way to prune the branch at t."""
        ways = [(1, earned[t])]
        if not tree.is_leaf[t]:
            found = [(0, 0.0)]
            for child in tree.children(t):
                found = [(n + m, a + b) for n, a in found for m, b in prunings(child)]
            ways += found
        return ways

    every = prunings(0)
    for k in range(len(steps)):
        alpha = steps.alpha[k] if k + 1 == len(steps) else (steps.alpha[k] + steps.alpha[k + 1]) / 2
        best = max(profit - alpha * n for n, profit in every)
        leaves = [t for t in range(tree.n_nodes) if steps.until[t] > k and (tree.is_leaf[t] or steps.step[t] <= k)]
        ours = earned[leaves].sum()
        assert len(leaves) == steps.n_leaves[k]
        assert ours - alpha * len(leaves) >= best - 1e-9 * scale
        assert least_cost(tree, tree.stats[0]) / tree.weight[0] + steps.risk[k] == pytest.approx(
            -ours, abs=1e-9 * scale
        )


@given(data=st.data())
@settings(max_examples=60)
def test_a_leaf_answers_what_earns_most(data):
    _, tree = some_tree(data, **profits(data))
    earned = tree.stats @ -tree.loss
    best = earned.max(axis=1)
    ours = earned[np.arange(tree.n_nodes), np.maximum(tree.value, 0)]
    assert ((ours >= best - 1e-9 * np.abs(tree.loss).max() * tree.weight) | (tree.value < 0)).all()


def judged_alone(tree, rows, measure) -> float:
    """A tree by itself, less for better; profits as what is missed of the best."""
    answers = answers_of(tree, rows)
    value = MEASURES[OF_ANSWERS.get(measure, measure)](answers)
    if measure in OF_ORDER:
        return 1 - value
    if measure != "profit":
        return value
    best = (-tree.loss).max(axis=1) if tree.earns else np.zeros(len(tree.loss))  # where nothing earns, it is a cost
    return np.average(best[answers.truth], weights=answers.weight) - value


def subtrees(tree, t=0) -> list[tuple[int, ...]]:
    """Every pruning of the branch at t, as the inner nodes that become leaves."""
    if tree.is_leaf[t]:
        return [()]
    ways = [()]
    for child in tree.children(t):
        ways = [(*a, *b) for a in ways for b in subtrees(tree, child)]
    return [(t,), *ways]


@pytest.mark.parametrize("measure", [name for name, _ in ADDITIVE if name != "mae"])
@given(data=st.data())
@settings(max_examples=15)
def test_reduced_error_children_first_is_the_best_of_all_subtrees_by_any_measure(measure, data):
    sample, tree = some_tree(data, **(profits(data) if measure == "profit" else {}))
    rows = other_rows(data, sample)
    assume(rows.case_weights.sum() > 0 and tree.n_rows[0] > 0 and len(answers_of(tree, rows)))
    assume((answers_of(tree, rows).weight > 0).any())
    every = []
    for cut in subtrees(tree):
        mask = np.zeros(tree.n_nodes, bool)
        mask[list(cut)] = True
        every.append(judged_alone(tree.pruned_at(mask), rows, measure))
    small = tree.cut(tc.prune(tree, "reduced_error", validation=rows, measure=measure))
    assert judged_alone(small, rows, measure) == pytest.approx(min(every), rel=1e-9, abs=1e-12 * max(map(abs, every)))


@pytest.mark.parametrize("measure", sorted(OF_ANSWERS))
@given(data=st.data())
@settings(max_examples=15)
def test_a_growth_is_judged_after_every_split_by_any_measure(measure, data):
    sample, tree = some_tree(data, **(profits(data) if measure == "profit" else {}))
    rows = other_rows(data, sample)
    assume(rows.case_weights.sum() > 0 and tree.n_rows[0] > 0)
    assume(measure != "captured" or len(tree.classes) == 2)
    answers = answers_of(tree, rows)
    assume((answers.weight > 0).any())
    assume(measure not in OF_ORDER or len(set(answers.truth[answers.weight > 0].tolist())) > 1)
    errors = errors_while_growing(tree, rows, measure)
    alone = [judged_alone(tree.after(k), rows, measure) for k in range(len(errors))]
    scale = np.abs(tree.loss).max() if measure == "profit" else 1
    np.testing.assert_allclose(errors, alone, rtol=1e-9, atol=1e-12 * scale)
    small = tree.cut(tc.prune(tree, "validation_peak", validation=rows, measure=measure))
    assert alone[small.n_nodes - small.n_leaves] == pytest.approx(min(alone), abs=1e-9 * scale)


@pytest.mark.parametrize("measure", ["log_loss", "auc", "captured", "profit"])
@pytest.mark.parametrize("patience", [1, 4])
def test_early_stopping_watches_any_measure(measure, patience):
    """The tree is that of its peak in the whole growth; where the measure falls no more for long, growth has ended."""
    train, validation, _ = read_sample("titanic").split(tc.Roles(0.5, 0.4, 0.1, seed=2))
    more = {"profit": [[0, -2], [-1, 3]]} if measure == "profit" else {}
    whole = tc.grow(train, "cart", max_leaves=10_000, **more)
    stopped = tc.grow(train, "cart", validation=validation, patience=patience, patience_measure=measure, **more)
    at, least = 0, np.inf
    for k in range(whole.n_nodes - whole.n_leaves + 1):
        loss = judged_alone(whole.after(k), validation, measure)
        if loss < least * (1 - 1e-12):
            at, least = k, loss
        elif k - at >= patience:
            break
    assert stopped.to_frame().drop(columns="node").equals(whole.after(at).to_frame().drop(columns="node"))
    assert stopped.n_leaves > 1


def test_numbers_are_pruned_and_stopped_by_absolute_errors():
    train, validation, _ = read_sample("mpg").split(tc.Roles(0.6, 0.2, 0.2, seed=1))
    tree = tc.grow(train, "cart", min_rows_leaf=5, max_leaves=40)
    small = tree.cut(tc.prune(tree, "reduced_error", validation=validation, measure="mae"))
    assert 1 < small.n_leaves < tree.n_leaves
    for t in np.flatnonzero(~small.is_leaf):
        mask = np.zeros(small.n_nodes, bool)
        mask[t] = True
        worse = MEASURES["mae"](answers_of(small.pruned_at(mask), validation))
        assert worse > MEASURES["mae"](answers_of(small, validation))
    errors = errors_while_growing(tree, validation, "mae")
    assert errors[7] == pytest.approx(MEASURES["mae"](answers_of(tree.after(7), validation)))
    with pytest.raises(tc.TreecoreError, match="no meaning for a target of numbers"):
        tc.grow(train, "cart", validation=validation, patience=3, patience_measure="auc")


def test_rows_of_one_class_say_nothing_of_an_order():
    train, validation, _ = read_sample("titanic").split(tc.Roles(0.6, 0.2, 0.2, seed=1))
    one = validation.take(np.flatnonzero(validation.target_column.codes == 1))
    with pytest.raises(tc.TreecoreError, match="have one class") as refused:
        tc.grow(train, "cart", validation=one, patience=3, patience_measure="auc")
    assert refused.value.where == "patience_measure"
    with pytest.raises(tc.TreecoreError, match="have one class"):
        tc.prune(tc.grow(train, "cart", max_depth=4), "validation_peak", validation=one, measure="auc")


def test_scikit_learn_has_the_same_profit_from_its_confusion_matrix():
    skl = pytest.importorskip("sklearn.metrics")
    train, validation, _ = read_sample("titanic").split(tc.Roles(0.6, 0.2, 0.2, seed=1))
    profit = np.array([[1.0, -5.0], [-2.0, 9.0]])
    tree = tc.grow(train, "cart", min_rows_leaf=7, profit=profit.tolist())
    steps = tc.sequence(tree)
    found = judgement(steps, validation)
    for k in (0, len(steps) // 2, len(steps) - 1):
        answers = answers_of(tree.cut(steps.cuts(k)), validation)
        theirs = (skl.confusion_matrix(answers.truth, answers.said) * profit).sum() / len(answers)
        each = profit[answers.truth, answers.said]
        assert found.mean[k] == pytest.approx(theirs) == pytest.approx(MEASURES["profit"](answers))
        assert found.error[k] == pytest.approx(each.std() / np.sqrt(len(each)))
        assert steps.curve(validation)[k] == pytest.approx(-theirs)
    assert found.measure == "profit"
    assert found.mean[found.best()] == found.mean.max()


def test_profits_without_a_loss_in_them_grow_the_tree_of_the_same_costs():
    """Costs are profits turned over, and what every answer to a class earns besides changes no tree."""
    train, validation, _ = read_sample("titanic").split(tc.Roles(0.6, 0.2, 0.2, seed=1))
    by_cost = tc.grow(train, "cart", min_rows_leaf=7, loss=[[0, 1], [4, 0]])
    by_profit = tc.grow(train, "cart", min_rows_leaf=7, profit=[[20, 19], [-3, 1]])
    assert by_cost.to_frame().drop(columns="node").equals(by_profit.to_frame().drop(columns="node"))
    for method in ("cost_complexity", "reduced_error", "validation_peak", "rpart_cp"):
        cuts = [tc.prune(tree, method, train=train, validation=validation) for tree in (by_cost, by_profit)]
        assert cuts[0].verdict.tolist() == cuts[1].verdict.tolist(), method
    costs, profits = (tc.sequence(tree) for tree in (by_cost, by_profit))
    np.testing.assert_allclose(costs.alpha, profits.alpha, atol=1e-12)
    shares = np.bincount(validation.target_column.codes, minlength=2) / validation.n_rows
    np.testing.assert_allclose(costs.curve(validation), profits.curve(validation) + shares @ [20, 1])


@given(data=st.data())
@settings(max_examples=25)
def test_smoothed_shares_are_never_nothing_and_add_up(data):
    share = data.draw(st.sampled_from([0.01, 0.5, 0.9]))
    sample = data.draw(samples(n_classes=2, missing=False))
    assume(sample.weights is None or all(sample.weights))
    growth = data.draw(growths(sample, criterion="gini", **LIMITS))
    tree = tc.grow(sample.table(), growth, priors=data.draw(st.sampled_from([None, (share, 1 - share)])))
    shares = smoothed_shares(tree)
    assert (shares > 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    weighted, m = tree.stats * tree.prior_factor, 2 * tree.weight[0] / tree.n_rows[0]
    root = (weighted[0] + m / 2) / (weighted[0].sum() + m)
    for t in range(tree.n_nodes):
        n = weighted[max(tree.answer[t], 0)] * (tree.answer[t] >= 0)
        np.testing.assert_allclose(shares[t], (n + m * root) / (n.sum() + m))


def test_the_m_estimate_by_hand():
    """willwait: 6 of 12 wait, so two rows of halves are added: Patrons = none has 0 of 2, (0 + 1) / (2 + 2) = 1/4."""
    table = read_sample("willwait")
    tree = tc.grow(table, "id3")
    none = next(t for t in range(1, tree.n_nodes) if tree.parent[t] == 0 and tree.stats[t].tolist() in ([2, 0], [0, 2]))
    assert sorted(smoothed_shares(tree)[none]) == pytest.approx([1 / 4, 3 / 4])
    assert row_losses(tree, "log_loss")[none].max() == pytest.approx(np.log(4))
    assert row_losses(tree, "brier")[none].tolist() == [0, 2] or row_losses(tree, "brier")[none].tolist() == [2, 0]


def test_scikit_learn_has_the_same_losses_along_the_sequence():
    skl = pytest.importorskip("sklearn.metrics")
    train, validation, _ = read_sample("titanic").split(tc.Roles(0.6, 0.2, 0.2, seed=1))
    tree = tc.grow(train, "cart", min_rows_leaf=7)
    steps = tc.sequence(tree, risk="impurity")
    of = {
        measure: judgement(steps, validation, measure) for measure in ("log_loss", "brier", "auc", "average_precision")
    }
    for k in (0, len(steps) // 2, len(steps) - 1):
        answers = answers_of(tree.cut(steps.cuts(k)), validation)
        shares, truth = answers.shares[:, 1], answers.truth
        theirs = {
            "log_loss": skl.log_loss(truth, answers.smoothed), "brier": 2 * skl.brier_score_loss(truth, shares),
            "auc": skl.roc_auc_score(truth, shares), "average_precision": skl.average_precision_score(truth, shares),
        }  # fmt: skip
        for measure, value in theirs.items():
            assert of[measure].mean[k] == pytest.approx(value), measure


def test_absolute_errors_choose_a_size_too():
    train, validation, _ = read_sample("mpg").split(tc.Roles(0.6, 0.2, 0.2, seed=1))
    tree = tc.grow(train, "cart", min_rows_leaf=5)
    steps = tc.sequence(tree)
    found = judgement(steps, validation, "mae")
    for k in (0, len(steps) - 1):
        answers = answers_of(tree.cut(steps.cuts(k)), validation)
        assert found.mean[k] == pytest.approx(MEASURES["mae"](answers))
    cuts = tc.prune(tree, "cost_complexity", validation=validation, measure="mae")
    assert tree.cut(cuts).n_leaves == steps.n_leaves[found.best()]


@pytest.mark.parametrize("choose", ["validation", "cross-validation"])
@pytest.mark.parametrize("measure", [name for name, _ in MEASURED if name not in ("mae", "roots", "profit")])
def test_cost_complexity_chooses_by_any_measure(measure, choose):
    train, validation, _ = read_sample("titanic").split(tc.Roles(0.6, 0.2, 0.2, seed=1))
    tree = tc.grow(train, "cart", min_rows_leaf=7)
    cuts = tc.prune(
        tree, "cost_complexity", train=train, validation=validation, risk="impurity", measure=measure, choose=choose,
        folds=4,
    )  # fmt: skip
    if choose == "validation":
        steps = tc.sequence(tree, risk="impurity")
        assert tree.cut(cuts).n_leaves == steps.n_leaves[judgement(steps, validation, measure).best()]
    assert 1 < tree.cut(cuts).n_leaves <= tree.n_leaves
    reason = cuts.reasons[0].text
    assert ("cross-validation" in reason) == (choose == "cross-validation")


def test_folds_average_what_ranks_rows():
    from treecore.cross_validation import cross_validated, make_folds

    train = read_sample("titanic")
    tree = tc.grow(train, "cart", min_rows_leaf=7)
    steps = tc.sequence(tree, risk="impurity")
    found = cross_validated(tree, train, steps, make_folds(train, 5), measure="auc")
    np.testing.assert_allclose(found.mean, found.per_fold.mean(axis=0))
    np.testing.assert_allclose(found.error, found.per_fold.std(axis=0, ddof=1) / np.sqrt(5))
    assert found.mean[-1] == 0.5
    assert found.best() == smallest_within(-found.mean, found.error) < len(steps) - 1


def test_a_measure_without_meaning_says_which_there_are():
    train, validation, _ = read_sample("iris").split(tc.Roles(0.6, 0.2, 0.2))
    tree = tc.grow(train, "cart")
    with pytest.raises(tc.TreecoreError, match=r"captured.*of 3 classes.*log_loss"):
        tc.prune(tree, "cost_complexity", validation=validation, measure="captured")
    with pytest.raises(tc.TreecoreError, match=r"absolute error.*no meaning for a target of 3 classes"):
        tc.prune(tree, "cost_complexity", validation=validation, measure="mae")
    cars = read_sample("mpg")
    with pytest.raises(tc.TreecoreError, match=r"log_loss.*numbers"):
        tc.prune(tc.grow(cars, "cart"), "cost_complexity", validation=cars, risk="log_loss")
    train, validation, _ = read_sample("titanic").split(tc.Roles(0.6, 0.2, 0.2))
    with pytest.raises(tc.TreecoreError, match=r"no profit of its answers.*Grow it with profit"):
        tc.prune(tc.grow(train, "cart"), "cost_complexity", validation=validation, measure="profit")
    assert set(OF_CLASSES) >= {"error", "log_loss", "brier"}
