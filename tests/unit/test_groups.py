"""Groups of any column in the nodes of a tree: against pandas by leaf, tests against scipy, weights against repeats."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

import treecore as tc
from treecore.errors import TreecoreError
from treecore.study.groups import grouping, groups
from treecore.tree.node_statistics import node_statistics


def churners(n: int = 900, seed: int = 3) -> pd.DataFrame:
    """Who is in the north leaves more often, which no feature tells; some regions are not known."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "x": rng.normal(size=n).round(2), "years": rng.integers(0, 30, n),
        "region": rng.choice(["north", "south", "east"], n), "year": rng.integers(2019, 2023, n),
    })  # fmt: skip
    odds = frame["x"] - 1.2 + 1.5 * (frame["region"] == "north")
    frame["churn"] = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no")
    frame["spend"] = (10 * frame["x"] + 5 * (frame["region"] == "south") + rng.normal(size=n)).round(3)
    frame.loc[rng.random(n) < 0.1, "region"] = None
    return frame


def table_of(frame: pd.DataFrame, target: str, **more) -> tc.Table:
    return tc.read_table(frame, target=target, features=["x", "years"], **more)


@pytest.mark.parametrize("target", ["churn", "spend"])
def test_every_leaf_is_as_pandas_groups_it(target):
    frame = churners()
    table = table_of(frame, target)
    tree = tc.grow(table, "cart", max_depth=3)
    found = tc.groups(tree, table, "region")
    y = (frame["churn"] == "yes").astype(float) if target == "churn" else frame["spend"]
    by = pd.DataFrame({"leaf": tree.apply(table), "group": frame["region"].fillna("missing"), "y": y})
    leaves = found.to_frame(nodes=np.flatnonzero(tree.is_leaf)).set_index(["node", "group"])
    wanted = by.groupby(["leaf", "group"])["y"].agg(["size", "mean"])
    assert sorted(leaves.index) == sorted(wanted.index)
    wanted = wanted.loc[leaves.index]
    assert leaves["rows"].to_numpy() == pytest.approx(wanted["size"].to_numpy())
    assert leaves["rate"].to_numpy() == pytest.approx(wanted["mean"].to_numpy())
    for (leaf, group), line in leaves.iterrows():
        others = by[(by["leaf"] == leaf) & (by["group"] != group)]["y"]
        assert line["others"] == pytest.approx(others.mean())
        assert line["difference"] == pytest.approx(line["rate"] - others.mean())
        assert line["share"] == pytest.approx(line["rows"] / (by["leaf"] == leaf).sum())
        assert line["told"] == pytest.approx(by[by["leaf"] == leaf]["y"].mean()), "a leaf tells all its rows the same"
    whole = found.to_frame(nodes=np.array([0])).set_index("group")
    answers = by["leaf"].map(by.groupby("leaf")["y"].mean())
    assert whole["told"].to_dict() == pytest.approx(answers.groupby(by["group"]).mean().to_dict())


def test_p_values_are_those_of_scipy_corrected_for_the_groups():
    frame = churners()
    table = table_of(frame, "churn")
    found = tc.groups(tc.grow(table, "cart", max_depth=1), table, "region").of_node(0)
    by = frame["region"].fillna("missing")
    raw = {}
    for group in found:
        counts = pd.crosstab(by == group.name, frame["churn"])
        raw[group.name] = scipy_stats.chi2_contingency(counts, correction=False).pvalue
    order = sorted(raw, key=raw.get)
    holm, so_far = {}, 0.0
    for i, name in enumerate(order):
        so_far = max(so_far, min(1.0, (len(order) - i) * raw[name]))
        holm[name] = so_far
    assert {group.name: group.p_value for group in found} == pytest.approx(holm)
    assert {group.name: group.method for group in found} == dict.fromkeys(raw, "chi-square")
    north = next(group for group in found if group.name == "north")
    assert north.differs()
    low, high = scipy_stats.binomtest(round(north.rate * north.rows), round(north.rows)).proportion_ci(method="wilson")
    assert (north.low, north.high) == pytest.approx((low, high))


def test_means_are_compared_by_welch():
    frame = churners()
    table = table_of(frame, "spend")
    found = tc.groups(tc.grow(table, "cart", max_depth=1), table, "year").of_node(0)
    raw = []
    for group in found:
        here = frame["year"].astype(str) == group.name
        raw.append(scipy_stats.ttest_ind(frame["spend"][here], frame["spend"][~here], equal_var=False).pvalue)
    least = int(np.argmin(raw))
    assert found[least].p_value == pytest.approx(min(1.0, len(raw) * raw[least]))
    assert found[least].method == "Welch's t"


def test_the_sentence_says_who_is_treated_differently():
    frame = churners()
    table = table_of(frame, "churn")
    tree = tc.grow(table, "cart", max_depth=2)
    found = tc.groups(tree, table, "region")
    north = next(group for group in found.of_node(0) if group.name == "north")
    said = found.text(0)
    assert said.startswith(
        f"In all rows, region north: {100 * north.rate:.1f}\u00a0% of {north.rows:.0f} rows are “yes”, "
    )
    assert f"{100 * north.others:.1f}\u00a0% of the others (p < 0.001)" in said
    told = tc.groups(tree, table, "year").text(0)
    assert told.startswith("In all rows, no group of year differs significantly from the others")
    alone = frame.assign(region="north")
    assert "All rows here are of one group" in tc.groups(tree, table_of(alone, "churn"), "region").text(0)


def test_leaves_that_differ_are_corrected_for_all_leaves():
    frame = churners(3000)
    table = table_of(frame, "churn")
    tree = tc.grow(table, "cart", max_depth=2)
    found = tc.groups(tree, table, "region")
    differing = found.differing()
    assert "north" in {group.name for _, group in differing}
    assert {node for node, _ in differing} <= set(np.flatnonzero(tree.is_leaf).tolist())
    for node, group in differing:
        alone = next(g for g in found.of_node(node) if g.name == group.name)
        assert alone.p_value <= group.p_value <= 0.05


def column(name: str, cells) -> object:
    return tc.read_table(pd.DataFrame({name: cells, "y": ["a", "b"] * (len(cells) // 2)}), target="y").column(name)


def test_rare_levels_are_put_together_and_missing_ones_apart():
    cells = [*(f"p{i}" for i in range(12) for _ in range(20 - i)), None, None]
    found = grouping(column("plan", cells))
    assert found.names == ("p0", "p1", "p2", "p3", "p4", "p5", "all others", "missing")
    assert found.n_others == 6
    places = found.places(column("plan", cells))
    assert np.bincount(places).tolist() == [20, 19, 18, 17, 16, 15, sum(range(9, 15)), 2]


def test_seven_levels_are_named_and_a_level_called_missing_stays_apart():
    cells = ["a", "b", "c", "d", "e", "f", "missing", None] * 3
    found = grouping(column("plan", cells))
    assert found.n_others == 0
    assert found.names[-1] == "(missing)"
    assert np.bincount(found.places(column("plan", cells))).tolist() == [3, 3, 3, 3, 3, 3, 3, 0, 3]


def test_numbers_are_parted_into_ranges_of_about_as_many_rows():
    cells = np.arange(100.0)
    found = grouping(column("age", cells))
    assert found.names == ("< 20", "20 to 40", "40 to 60", "60 to 80", "≥ 80", "all others", "missing")
    assert np.bincount(found.places(column("age", cells))).tolist() == [20] * 5
    skewed = grouping(column("age", [*[0.0] * 80, *np.arange(1, 21.0)]))
    assert skewed.names[0] == "< 1", "most rows have one value: fewer ranges"
    weighted = grouping(column("age", cells), np.where(cells < 10, 91.0, 1.0))
    assert all(cut <= 10 for cut in weighted.cuts), "by weight, nine tenths lie below 10"


def test_few_numbers_are_groups_of_their_own_and_later_ones_are_others():
    found = grouping(column("year", [2019, 2020, 2021, 2021]))
    assert found.names == ("2019", "2020", "2021", "all others", "missing")
    assert found.places(column("year", [2021, 2023])).tolist() == [2, 3]


def test_groups_of_other_rows_are_those_of_the_first():
    frame = churners()
    table, later = table_of(frame, "churn"), table_of(frame[:200].assign(region="west"), "churn")
    tree = tc.grow(table, "cart", max_depth=2)
    found = tc.groups(tree, {"train": table, "later": later}, "region")
    by_group = {group.name: group.rows for group in found.of_node(0)}
    assert by_group["all others"] == 200
    assert sum(by_group.values()) == len(frame) + 200


@pytest.mark.parametrize("preset", ["cart", "c4.5", "j48", "rpart"])
def test_shared_and_stopped_rows_add_up_to_the_statistics_of_the_node(preset):
    frame = churners()
    frame.loc[::4, "x"] = np.nan
    table = table_of(frame, "churn")
    tree = tc.grow(table, preset)
    found = tc.groups(tree, table, "region", "yes")
    whole = node_statistics(tree, table)
    k = tree.classes.index("yes")
    assert found.rows.sum(axis=1) == pytest.approx(whole.sum(axis=1))
    assert found.stats[..., 1].sum(axis=1) == pytest.approx(whole[:, k])
    assert found.shares.sum(axis=1) == pytest.approx(np.ones(tree.n_nodes))


@settings(max_examples=30)
@given(st.lists(st.integers(0, 4), min_size=40, max_size=80), st.integers(0, 99), st.sampled_from(["churn", "spend"]))
def test_a_weight_is_so_many_rows(weights, seed, target):
    frame = churners(len(weights), seed).assign(w=weights)
    if not frame["w"].gt(0).sum() > 10 or frame.loc[frame["w"] > 0, "churn"].nunique() < 2:
        return
    weighted = table_of(frame, target, weights="w")
    repeated = table_of(frame.loc[frame.index.repeat(frame["w"])], target)
    tree = tc.grow(repeated, "cart", max_depth=2)
    name = "yes" if target == "churn" else None
    one, other = groups(tree, weighted, "region", name), groups(tree, repeated, "region", name)
    for node in range(tree.n_nodes):
        mine = {group.name: (group.rows, group.rate, group.told) for group in one.of_node(node)}
        theirs = {group.name: (group.rows, group.rate, group.told) for group in other.of_node(node)}
        assert mine.keys() == theirs.keys()
        for group, figures in mine.items():
            assert figures == pytest.approx(theirs[group])


def test_a_scale_of_the_weights_changes_no_test():
    frame = churners().assign(w=0.01)
    table = table_of(frame, "churn", weights="w")
    tree = tc.grow(table, "cart", max_depth=2)
    plain = tc.groups(tree, table_of(frame.drop(columns="w"), "churn"), "region").of_node(1)
    assert [g.p_value for g in tc.groups(tree, table, "region").of_node(1)] == pytest.approx([g.p_value for g in plain])


def test_what_cannot_be_grouped_is_said():
    frame = churners()
    table = table_of(frame, "churn")
    tree = tc.grow(table, "cart", max_depth=2)
    with pytest.raises(TreecoreError, match="rows, the table"):
        tc.groups(tree, table, table.take(np.arange(5)).column("region"))
    with pytest.raises(TreecoreError, match="Region"):
        tc.groups(tree, table, "Region")
    with pytest.raises(TreecoreError, match="no class"):
        tc.groups(tree, table, "region", "maybe")
    with pytest.raises(TreecoreError, match="ranges of numbers"):
        tc.groups(tree, table, "region", by=grouping(table.column("x")))


def test_groups_of_counts_have_rates_by_their_exposure():
    draw = np.random.default_rng(5)
    frame = pd.DataFrame({"x": draw.integers(0, 9, 3000), "region": draw.choice(["north", "south"], 3000)})
    frame["years"] = draw.uniform(0.5, 4, 3000).round(2)
    frame["claims"] = draw.poisson(frame.years * (0.1 + 0.1 * (frame.x > 4) + 0.15 * (frame.region == "north")))
    table = tc.read_table(frame, target=tc.Counts("claims", exposure="years"), features=["x"])
    tree = tc.grow(table, "cart", max_depth=1)
    found = tc.groups(tree, table, "region")
    for node, here in enumerate((frame, frame[frame.x <= 4], frame[frame.x > 4])):
        sums = here.groupby("region")[["claims", "years"]].sum()
        for group in found.of_node(node):
            events, years = sums.loc[group.name]
            low, high = scipy_stats.chi2.ppf([0.025, 0.975], [2 * events, 2 * events + 2]) / 2 / years
            assert (group.rate, group.low, group.high) == pytest.approx((events / years, low, high))
            assert group.differs()
    leaf = tree.apply(table)
    said = (tree.value[leaf] * frame.years).groupby(frame.region).sum() / frame.groupby("region").years.sum()
    assert [group.told for group in found.of_node(0)] == pytest.approx(said.tolist())
    assert "claims per 10 years" in found.text(0)
    assert "rate" in str(found)


def test_groups_of_survival_times_have_hazard_ratios():
    draw = np.random.default_rng(6)
    frame = pd.DataFrame({"x": draw.integers(0, 9, 2000), "site": draw.choice(["a", "b"], 2000)})
    fails, seen = draw.exponential(5 / (1 + 2 * (frame.site == "b"))), draw.uniform(1, 8, 2000)
    frame["t"], frame["failed"] = np.minimum(fails, seen) + 0.01, (fails <= seen) * 1
    table = tc.read_table(frame, target=tc.Survival("t", "failed"), features=["x"])
    tree = tc.grow(table, "cart", max_depth=0)
    first, second = tc.groups(tree, table, "site").of_node(0)
    assert second.rate / first.rate == pytest.approx(3.0, rel=0.2)
    assert second.differs()


def test_groups_of_a_trial_have_effects_of_their_own():
    draw = np.random.default_rng(7)
    frame = pd.DataFrame({"x": draw.integers(0, 9, 2000), "site": draw.choice(["a", "b"], 2000)})
    frame["arm"] = draw.choice(["drug", "placebo"], 2000)
    frame["y"] = draw.normal(0, 1, 2000) + (frame.arm == "drug") * np.where(frame.site == "b", 1.0, 0.2)
    frame["times"] = draw.integers(0, 3, 2000)
    table = tc.read_table(frame, target=tc.Effect("y", "arm"), features=["x"], weights="times")
    tree = tc.grow(table, "cart", max_depth=1)
    repeated = frame.loc[frame.index.repeat(frame.times)]
    means = repeated.groupby(["site", "arm"]).y.mean().unstack()
    found = tc.groups(tree, table, "site").of_node(0)
    assert [group.rate for group in found] == pytest.approx((means["drug"] - means["placebo"]).tolist())
    assert [group.rows for group in found] == repeated.groupby("site").size().tolist()
    assert all(group.differs() and group.low < group.rate < group.high for group in found)


def test_columns_by_role_need_tables_by_role():
    table = tc.read_table(pd.DataFrame({"x": range(40), "g": list("ab") * 20, "y": list("nnyy") * 10}), target="y")
    tree = tc.grow(table, "cart", max_depth=1)
    both = {"train": table.column("g"), "test": table.column("g")}
    assert groups(tree, {"train": table, "test": table}, both).names
    for rows, columns in ((table, both), ({"train": table}, {"test": table.column("g")})):
        with pytest.raises(TreecoreError, match="Columns are given by role"):
            groups(tree, rows, columns)
