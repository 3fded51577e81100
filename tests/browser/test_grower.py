"""The grower of the static explorer, run in Chromium: the same trees as treecore grows, on random tables."""

from pathlib import Path

import numpy as np
import pytest

import treecore as tc
from treecore.cross_validation import cross_validated, make_folds
from treecore.data import level_column, numeric_column
from treecore.data.roles import assign_roles
from treecore.export.code import TEMPLATES
from treecore.recipe import Grow

pytestmark = pytest.mark.browser

PARTS = ("sorting", "grower", "answers", "cross_validation")
GROWER = "\n".join((TEMPLATES / f"{name}.js").read_text("utf-8") for name in PARTS)
NAMES = ("criterion", "score", "selector", "nominal", "threshold", "missing", "zero_gain", "max_surrogates")
PRESETS = ("cart", "id3", "c4.5", "hunt")
LIMITS = (
    {}, {}, {"max_depth": 3}, {"max_leaves": 7}, {"min_rows_leaf": 5}, {"min_rows_split": 12},
    {"min_weighted_gain": 0.01}, {"min_gain": 0.02}, {"min_share_leaf": 0.04}, {"zero_gain": "split"},
    {"criterion": "entropy"}, {"criterion": "misclassification"}, {"max_exhaustive": 3},
)  # fmt: skip


@pytest.fixture
def grower(page):
    """growTree and its neighbours, in an empty page."""
    page.evaluate(f"() => {{ {GROWER}; Object.assign(window, {{ Grower, CrossValidation }}); }}")
    return page


def random_table(rng, n: int, classes: int, ties: bool, gaps: float) -> tc.Table:
    """Numbers with few or many values, levels in an order and without, some of which tell the target."""
    columns, signal = [], np.zeros(n)
    for f in range(int(rng.integers(2, 7))):
        kind = rng.choice(["numeric", "numeric", "ordinal", "nominal", "boolean"])
        missing = rng.random(n) < (gaps if rng.random() < 0.6 else 0.0)
        if kind == "numeric":
            values = rng.integers(0, 6, n) / 4.0 if ties else rng.normal(size=n) * 10.0 ** rng.integers(-3, 6)
            signal += rng.normal() * (values - values.mean()) / (values.std() or 1.0)
            columns.append(numeric_column(f"x{f}", np.where(missing, np.nan, values)))
            continue
        k = 2 if kind == "boolean" else int(rng.integers(2, 8))
        codes = rng.integers(0, k, n)
        signal += rng.normal(size=k + 2)[codes]
        levels = [f"{f}-{v}" for v in range(k + (kind == "nominal"))]
        columns.append(level_column(f"x{f}", str(kind), np.where(missing, -1, codes), levels))
    signal += rng.normal(size=n) * rng.random()
    if classes:
        edges = np.quantile(signal, np.linspace(0, 1, classes + 1)[1:-1])
        target = level_column("y", "nominal", np.searchsorted(edges, signal), [f"c{k}" for k in range(classes)])
    else:
        target = numeric_column("y", np.round(signal, 1) if ties else signal)
    return tc.Table((*columns, target), target="y", features=tuple(c.name for c in columns))


def as_given(table: tc.Table) -> dict:
    """The table as the page has it."""
    features = []
    for column in table.feature_columns:
        numeric = column.kind == "numeric"
        features.append({
            "name": column.name, "kind": column.kind, "codes": column.codes.tolist(),
            "values": column.distinct.tolist() if numeric else None, "levels": None if numeric else list(column.levels),
        })  # fmt: skip
    target, classes = table.target_column, list(table.classes)
    return {
        "n": table.n_rows, "features": features,
        "target": {"name": table.target, "classes": classes or None,
                   "labels": target.codes.tolist() if classes else None,
                   "numbers": None if classes else target.values().tolist()},
    }  # fmt: skip


def settings_of(growth: tc.GrowSettings) -> dict:
    """What differs from the usual settings, for the page."""
    usual = tc.GrowSettings().to_dict()
    return {name: value for name, value in growth.to_dict().items() if value != usual[name]}


READY = """const ready = (table) => {
    for (const feature of table.features) {
        feature.codes = Int32Array.from(feature.codes);
        if (feature.values) feature.values = Float64Array.from(feature.values);
    }
    const {target} = table;
    if (target.labels) target.labels = Int32Array.from(target.labels);
    if (target.numbers) target.numbers = Float64Array.from(target.numbers);
    return table;
}"""
JUDGED = f"""tasks => {{ {READY};
    return tasks.map(({{table, settings, by, many, seed}}) => {{
        ready(table);
        const folds = CrossValidation.folds(table, many, seed), tree = Grower.growTree(table, settings);
        const links = Grower.weakestLinks(tree, by);
        const {{mean, error}} = CrossValidation.crossValidated(tree, links, table, settings, {{many, seed}});
        const best = [0, 1].map((errors) => CrossValidation.best({{mean, error}}, errors));
        return {{folds: Array.from(folds), mean: Array.from(mean), error: Array.from(error), best}};
    }});
}}"""
GROWN = """tasks => { const made = ({table, settings}) => {
    ready(table);
    const tree = Grower.growTree(table, settings);
    const plain = (value) => ArrayBuffer.isView(value) ? Array.from(value, (v) => Number.isNaN(v) ? null : v) : value;
    const flat = Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, plain(value)]));
    flat.stats = tree.stats.map(plain);
    flat.level_branch = tree.level_branch.map(plain);
    const plainly = (one) => ({...one, level_branch: plain(one.level_branch)});
    flat.surrogates = tree.surrogates.map((some) => some.map(plainly));
    delete flat.target; delete flat.features;
    const found = (by) => Object.entries(Grower.weakestLinks(tree, by));
    const links = (by) => Object.fromEntries(found(by).map(([name, value]) => [name, plain(value)]));
    return {tree: flat, links: {error: links("error"), impurity: links("impurity"), log_loss: links("log_loss")}};
}; return tasks.map(made); }"""
GROWN = GROWN.replace("{", f"{{ {READY};", 1)


def check(found: dict, tree: tc.Tree, what: str) -> None:
    """Node for node: tests, routes, counts, answers, surrogates; then the nested subtrees."""
    grown, splits = found["tree"], tree.splits
    for name, ours in (
        ("parent", tree.parent), ("feature", splits.feature), ("kind", splits.kind), ("n_children", tree.n_children),
        ("first_child", np.where(tree.is_leaf, -1, tree.first_child)), ("low_branch", splits.low_branch),
        ("missing_branch", splits.missing_branch), ("n_rows", tree.n_rows), ("missing_rows", tree.missing_rows),
    ):  # fmt: skip
        assert grown[name] == np.asarray(ours).tolist(), f"{what}: {name}"
    ours = [None if np.isnan(t) else t for t in splits.threshold.tolist()]
    assert grown["threshold"] == ours, f"{what}: threshold"
    for t in np.flatnonzero(splits.kind == 2):
        assert grown["level_branch"][t] == splits.levels(t).tolist(), f"{what}: levels of node {t}"
    for name in ("weight", "impurity", "gain", "score", "value"):
        theirs = np.array([np.nan if v is None else v for v in grown[name]])
        np.testing.assert_allclose(theirs, getattr(tree, name), rtol=1e-8, atol=1e-11, err_msg=f"{what}: {name}")
    check_surrogates(grown["surrogates"], tree, what)
    for by in ("error", "impurity", "log_loss"):
        steps, links = tc.sequence(tree, risk=by if tree.classes else "error"), found["links"][by]
        assert links["leaves"] == steps.n_leaves.tolist(), f"{what}: leaves of the nested subtrees by {by}"
        assert links["step"] == steps.step.tolist(), f"{what}: steps by {by}"
        assert links["until"] == steps.until.tolist(), f"{what}: until by {by}"
        np.testing.assert_allclose(links["risk"], steps.risk, rtol=1e-9, atol=1e-12)


def check_surrogates(grown: list, tree: tc.Tree, what: str) -> None:
    for t, some in enumerate(grown):
        if tree.surrogates is None:
            assert not some
            continue
        entries = range(*tree.surrogate_start[t : t + 2])
        assert [one["feature"] for one in some] == [int(tree.surrogates.feature[e]) for e in entries], f"{what}: {t}"
        for one, e in zip(some, entries, strict=True):
            assert one["agree"] == pytest.approx(tree.surrogate_agree[e], rel=1e-12)
            assert one["rows"] == tree.surrogate_rows[e]
            if one["kind"] == 1:
                place = one["threshold"], one["low_branch"]
                assert place == (tree.surrogates.threshold[e], tree.surrogates.low_branch[e]), f"{what}: {t}"
            else:
                assert one["level_branch"] == tree.surrogates.levels(e).tolist(), f"{what}: {t}"


@pytest.mark.parametrize("seed", range(6))
def test_random_tables_grow_the_same_trees(grower, seed):
    rng = np.random.default_rng(seed)
    tasks, trees = [], []
    for _ in range(40):
        preset = str(rng.choice(PRESETS))
        classes = int(rng.choice([0, 2, 2, 3, 5])) if preset == "cart" else int(rng.choice([2, 3, 5]))
        table = random_table(rng, int(rng.integers(8, 160)), classes, rng.random() < 0.5, rng.choice([0.0, 0.15]))
        limits = LIMITS[rng.integers(len(LIMITS))]
        if not classes and "criterion" in limits:
            limits = {}
        growth = Grow(preset, tuple(limits.items())).growth()
        tasks.append({"table": as_given(table), "settings": settings_of(growth)})
        trees.append((tc.grow(table, growth), f"{preset} {limits} {classes} classes, {table.n_rows} rows"))
    for found, (tree, what) in zip(grower.evaluate(GROWN, tasks), trees, strict=True):
        check(found, tree, what)


def test_samples_grow_the_same_trees(grower):
    samples = Path("assets/samples")
    tasks, trees = [], []
    for name in ("titanic", "iris", "play_tennis", "mpg", "penguins"):
        target = tc.read_table(samples / f"{name}.csv").columns[-1].name
        table = tc.read_table(samples / f"{name}.csv", target=target).without_missing_target()
        for preset in PRESETS if table.classes else ("cart",):
            growth = Grow(preset).growth()
            tasks.append({"table": as_given(table), "settings": settings_of(growth)})
            trees.append((tc.grow(table, growth), f"{name} {preset}"))
    for found, (tree, what) in zip(grower.evaluate(GROWN, tasks), trees, strict=True):
        check(found, tree, what)


def test_sizes_are_chosen_by_the_same_folds(grower):
    """The folds, the loss of every size and its standard error, and the sizes that the rules choose of them."""
    rng, tasks, expected = np.random.default_rng(11), [], []
    for classes, gaps in ((2, 0.0), (2, 0.15), (3, 0.15), (0, 0.0), (0, 0.15), (5, 0.0)) * 3:
        table = random_table(rng, int(rng.integers(30, 160)), classes, rng.random() < 0.5, gaps)
        growth = Grow("cart", (("min_rows_leaf", int(rng.integers(1, 5))),)).growth()
        by = str(rng.choice(["impurity", "log_loss"])) if classes else "error"
        many, seed = int(rng.choice([5, 10])), int(rng.integers(0, 2**32))
        tasks.append({"table": as_given(table), "settings": settings_of(growth), "by": by, "many": many, "seed": seed})
        folds, steps = make_folds(table, many, seed), tc.sequence(tc.grow(table, growth), risk=by)
        measure = {"measure": "log_loss"} if classes else {}
        expected.append((folds, cross_validated(growth, table, steps, folds, **measure)))
    for found, (folds, judged) in zip(grower.evaluate(JUDGED, tasks), expected, strict=True):
        assert found["folds"] == folds.tolist()
        np.testing.assert_allclose(found["mean"], judged.mean, rtol=1e-9)
        np.testing.assert_allclose(found["error"], judged.error, rtol=1e-6, atol=1e-12)
        assert found["best"] == [judged.best(0.0), judged.best(1.0)]


def test_roles_are_drawn_as_treecore_draws_them(grower):
    rng = np.random.default_rng(3)
    for classes in (0, 2, 5):
        table = random_table(rng, 203, classes, ties=True, gaps=0.0)
        for seed, stratify in ((0, True), (7, True), (12345, False)):
            roles = tc.Roles(train=0.5, validation=0.3, test=0.2, stratify=stratify, seed=seed)
            split = {"train": 0.5, "validation": 0.3, "test": 0.2, "stratify": stratify, "seed": seed}
            draw = "([table, split]) => Array.from(Grower.rolesOf(table, split))"
            found = grower.evaluate(draw, [as_given(table), split])
            assert found == assign_roles(table, roles).tolist()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"oblique": "cart_lc"}, "oblique"),
        ({"criterion": "twoing"}, "twoing"),
        ({"criterion": "squared_error"}, "target"),
    ],
)
def test_what_it_does_not_know_is_refused(grower, settings, said):
    table = random_table(np.random.default_rng(0), 20, 2, ties=True, gaps=0.0)
    grow = "([table, settings]) => { try { Grower.growTree(table, settings); } catch (e) { return e.message; } }"
    assert said in grower.evaluate(grow, [as_given(table), settings])
