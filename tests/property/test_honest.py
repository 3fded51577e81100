"""Honest trees: the same splits, and every figure counted on rows that chose none of them."""

import json

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.criteria.row_losses import AbsoluteLoss
from treecore.judging.interest import observed_shares
from treecore.tree.predict import route

KINDS = {"y": "classes", "z": "numbers"}
OF_NUMBERS = {"cart", "rpart", "sklearn", "reptree", "ctree", "chaid"}
SETTINGS = [
    {"missing": "fractional"}, {"missing": "surrogates"}, {"missing": "own_value"}, {"missing": "majority"},
    {"missing": "rpart"},
]  # fmt: skip


def frame(n: int = 1500, seed: int = 0) -> pd.DataFrame:
    """Numbers, levels and weights with missing values, and two targets that depend on some of them."""
    rng = np.random.default_rng(seed)
    made = pd.DataFrame(
        {
            "a": rng.normal(size=n).round(3),
            "b": rng.choice(list("pqrst"), n, p=[0.4, 0.3, 0.2, 0.07, 0.03]),
            "c": rng.integers(0, 9, n).astype(float),
            "w": rng.integers(1, 5, n) / 2,
        }
    )
    rate = 0.15 + 0.35 * (made.a > 0.3) * (made.b != "p") + 0.2 * (made.c > 6)
    made["y"] = np.where(rng.random(n) < rate, "yes", np.where(rng.random(n) < 0.3, "maybe", "no"))
    made["z"] = (1000 + made.a * 3 + (made.b == "q") * made.c + rng.exponential(size=n)).round(2)
    for name, share in (("a", 0.15), ("b", 0.1), ("c", 0.05)):
        made.loc[rng.random(n) < share, name] = None
    return made


def parts(target: str, weights: str | None = None, seed: int = 0) -> dict[str, tc.Table]:
    table = tc.read_table(frame(seed=seed).drop(columns=({"y", "z"} - {target}).pop()), target=target, weights=weights)
    return table.by_role(tc.Roles(0.5, 0.1, 0.1, estimation=0.3))


def check_counted(made: tc.Tree, tree: tc.Tree, rows: tc.Table) -> None:
    """Every figure of an honest tree against counting its rows one by one, down the ways that the tree itself sends."""
    inside = [{} for _ in range(tree.n_nodes)]  # row -> share of it, of every node that it passes
    routes = route(tree, rows)
    for row, node, share in zip(routes.row.tolist(), routes.node.tolist(), routes.share.tolist(), strict=True):
        for above in tree.path(node):
            inside[above][row] = inside[above].get(row, 0.0) + share
    weight, target = rows.case_weights, rows.target_column
    labels, numbers = target.labels() if tree.classes else None, None if tree.classes else target.values()
    for t, here in enumerate(inside):
        row = np.array(sorted(here), int)
        part = weight[row] * np.array([here[i] for i in row.tolist()])
        assert made.n_rows[t] == len(row)
        assert made.weight[t] == pytest.approx(part.sum(), abs=1e-9)
        if tree.classes:
            expected = [part[labels[row] == name].sum() for name in tree.classes]
            np.testing.assert_allclose(made.stats[t], expected, atol=1e-9)
        elif len(row) and made.median is not None:
            middle, error = AbsoluteLoss().best_and_total(numbers[row], part)
            assert made.value[t] == pytest.approx(middle)
            assert made.impurity[t] == pytest.approx(error / part.sum())
        elif len(row):
            assert made.value[t] == pytest.approx(np.average(numbers[row], weights=part))
            variance = np.average((numbers[row] - made.value[t]) ** 2, weights=part)
            assert made.impurity[t] == pytest.approx(variance, rel=1e-6, abs=1e-9)
        answering = t
        while not made.weight[answering] > 0:
            answering = int(tree.parent[answering])
        assert made.answer[t] == answering


def check_unseen(made: tc.Tree, tree: tc.Tree, rows: tc.Table) -> None:
    """Nothing of the splits has changed, and every row goes where it went."""
    for name in ("parent", "first_child", "n_children", "score", "surrogate_agree"):
        np.testing.assert_array_equal(getattr(made, name), getattr(tree, name))
    assert all(made.node(t).condition == tree.node(t).condition for t in range(tree.n_nodes))
    ours, its = route(made, rows), route(tree, rows)
    for name in ("row", "node", "share"):
        np.testing.assert_allclose(getattr(ours, name), getattr(its, name))


def check_saved(made: tc.Tree, rows: tc.Table) -> None:
    again = tc.Tree.from_dict(json.loads(tc.export(made, "json")))
    assert again.figures_of == "estimation"
    assert again.figures_told == made.figures_told != ""
    assert again.to_dict() == made.to_dict()
    np.testing.assert_array_equal(again.predict(rows), made.predict(rows))


@pytest.mark.parametrize("weights", [None, "w"])
@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize("preset", [entry.name for entry in tc.PRESETS.values()])
def test_every_preset(preset, target, weights):
    rows = parts(target, weights)
    if target == "z" and preset not in OF_NUMBERS:
        with pytest.raises(tc.TreecoreError):
            tc.grow(rows["train"], preset)
        return
    tree = tc.grow(rows["train"], preset, max_depth=5)
    made = tc.honest(tree, rows["estimation"])
    check_counted(made, tree, rows["estimation"])
    check_unseen(made, tree, rows["test"])
    check_saved(made, rows["test"])


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: s["missing"])
@pytest.mark.parametrize("target", KINDS)
def test_every_way_with_missing_values(settings, target):
    rows = parts(target, "w", seed=3)
    for more in ({}, {"criterion": "absolute_error"} if target == "z" else {"priors": (0.2, 0.3, 0.5)}):
        tree = tc.grow(rows["train"], "cart", max_depth=5, **settings, **more)
        made = tc.honest(tree, rows["estimation"])
        check_counted(made, tree, rows["estimation"])
        check_unseen(made, tree, rows["test"])
        check_saved(made, rows["test"])


@pytest.mark.parametrize("missing", ["fractional", "surrogates", "own_value"])
def test_a_tree_that_is_honest_by_its_own_rows_has_its_own_figures(missing):
    """Gains and impurities of the rows it grew on are those it grew with: the arithmetic is the same."""
    rows = parts("y", "w")["train"]
    tree = tc.grow(rows, "cart", max_depth=5, missing=missing)
    made = tc.honest(tree, rows)
    for name in ("stats", "impurity", "gain", "n_rows", "missing_rows", "missing_weight", "surrogate_rows", "proba"):
        np.testing.assert_allclose(getattr(made, name), getattr(tree, name), atol=1e-12, err_msg=name)


@pytest.mark.parametrize("estimate", ["laplace", "m_estimate"])
def test_estimates_of_leaf_shares_start_from_the_estimation_rows(estimate):
    rows = parts("y")
    tree = tc.grow(rows["train"], "cart", max_depth=4, leaf_shares=estimate, leaf_rows=5)
    made = tc.honest(tree, rows["estimation"])
    base = made.stats[0] / made.stats[0].sum()
    added = np.ones(3) if estimate == "laplace" else 5 * base
    np.testing.assert_allclose(made.proba[0], (made.stats[0] + added) / (made.stats[0].sum() + added.sum()))


def test_the_shares_of_chance_are_near_the_base_rate():
    """On pure noise the leaves of a deep tree tell extreme shares of the rows they were grown on, and no others."""
    rng = np.random.default_rng(7)
    n = 8000
    data = pd.DataFrame(rng.normal(size=(n, 6)), columns=list("abcdef"))
    data["y"] = np.where(rng.random(n) < 0.2, "yes", "no")
    rows = tc.read_table(data, target="y").by_role(tc.Roles(0.4, 0.0, 0.2, estimation=0.4))
    tree = tc.grow(rows["train"], "cart", min_rows_leaf=40)
    made = tc.honest(tree, rows["estimation"])
    leaves = np.flatnonzero(tree.is_leaf)
    assert len(leaves) > 20
    base = made.stats[0, made.classes.index("yes")] / made.weight[0]

    def spread(one: tc.Tree) -> float:
        """Mean of squared distances from the base rate in units of what chance makes of a leaf of its size: 1."""
        k, of = one.classes.index("yes"), one.weight[leaves]
        return float(np.mean((observed_shares(one)[leaves, k] - base) ** 2 * of / (base * (1 - base))))

    assert spread(made) < 1.8
    assert spread(tree) > 3
    found = tc.segments(made, {"test": rows["test"]}, "yes")
    assert list(found.held) == ["estimation", "test", "all"]
    covered = (found.held["estimation"].low <= base) & (base <= found.held["estimation"].high)
    of_training = tc.segments(tree, None, "yes").held["train"]
    assert covered.mean() > 0.85 > (((of_training.low <= base) & (base <= of_training.high)).mean())


def test_pruning_does_not_look_at_estimation_rows():
    rows = parts("y")
    tree = tc.grow(rows["train"], "cart", max_depth=5)
    made = tc.honest(tree, rows["estimation"])
    for refused in (
        lambda: tc.prune(made, "cost_complexity", validation=rows["validation"]),
        lambda: tc.sequence(made),
    ):
        with pytest.raises(tc.TreecoreError, match="estimation rows, which must not decide"):
            refused()
    cuts = tc.prune(tree, "reduced_error", validation=rows["validation"])
    first, last = tc.honest(tree.cut(cuts), rows["estimation"]), made.cut(cuts)
    np.testing.assert_allclose(first.stats, last.stats)
    np.testing.assert_array_equal(first.answer, last.answer)


def test_branches_that_were_raised():
    rows = parts("y")
    tree = tc.grow(rows["train"], "c4.5", max_depth=6)
    cuts = tc.prune(tree, "error_based", train=rows["train"])
    small = tree.cut(cuts)
    check_counted(tc.honest(small, rows["estimation"]), small, rows["estimation"])
    if cuts.stand(tree).any_raised:
        with pytest.raises(tc.TreecoreError, match="must not decide"):
            tc.honest(tree, rows["estimation"]).cut(cuts)


def test_rows_without_a_target_say_nothing():
    rows = parts("y")
    tree = tc.grow(rows["train"], "cart", max_depth=3)
    with pytest.raises(tc.TreecoreError, match="None of the estimation rows"):
        tc.honest(tree, rows["estimation"].take(np.zeros(0, int)))
