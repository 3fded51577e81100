"""Predict: the page's answers are the tree's, whichever way it is asked."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from pages.shared.predict import one_row
from pages.shared.server import cache
from treecore.data.samples import read_sample
from treecore.recipe import Grow, Prune, Split

WHOLE = Split(train=1.0, validation=0.0, test=0.0)


def opened(app, sample: str = "titanic", **settings):
    """The page on a sample all of whose rows train, and the tree that it is about."""
    app.sample(sample)
    settings = settings or {"max_depth": 4}
    app.change(grow=Grow("cart", tuple(settings.items())), prune=Prune(), split=WHOLE)
    app.go("predict")
    table = read_sample(sample)
    return table, tc.grow(table, **settings)


def said(app) -> str:
    return app.at.subheader[0].value.replace("\\", "")


def test_a_row_of_the_table_is_answered_and_its_leaf_is_looked_at(app):
    table, tree = opened(app)
    for place in (1, 6, 100):
        app.set("predict_row", place)
        row = table.take(np.array([place - 1]))
        assert said(app) == f"survived = {tree.predict(row)[0]}"
        assert app.record().selected == tree.apply(row)[0]
    assert "training rows went the same way" in app.text()


def test_values_are_typed_over_forgotten_and_taken_back(app):
    table, tree = opened(app)
    frame = table.take(np.array([0])).to_frame()
    app.set("predict sex", 1)
    frame["sex"] = tree.schema.features[1].levels[0]
    assert said(app) == f"survived = {tree.predict(frame)[0]}"
    app.set("predict age", None)
    frame["age"] = np.nan
    assert said(app) == f"survived = {tree.predict(frame)[0]}"
    app.click("predict_reset")
    assert said(app) == f"survived = {tree.predict(table)[0]}"
    assert app.widget("predict age").value == 22.0


def test_the_row_stays_on_another_page_and_numbers_are_told(app):
    opened(app, "mpg", max_depth=3)
    app.set("predict_row", 5)
    before = said(app)
    app.go("rules").go("predict")
    assert said(app) == before
    assert app.widget("predict_row").value == 5
    assert "standard deviation" in app.text()


def test_questions_ask_only_what_the_way_needs(app):
    table, tree = opened(app)
    app.set("predict_tab", "Questions")
    row = table.take(np.array([3])).to_frame().iloc[0]
    n = 0
    while not app.at.subheader:
        [field] = [w for w in app.at._tree if str(getattr(w, "key", "")).startswith("question ")]
        name = field.key.split(" ", 2)[2]
        feature = next(f for f in tree.schema.features if f.name == name)
        field.set_value(float(row[name]) if feature.numeric else feature.levels.index(str(row[name])))
        app.click("Next")
        n += 1
    assert said(app) == f"survived = {tree.predict(table)[3]}"
    assert 1 <= n <= 4
    app.click("question_back")
    app.click("I don't know")
    assert said(app).startswith("survived = ")
    app.click("question_anew")
    assert not app.at.subheader


def test_what_is_tried_gives_the_answer_wanted(app):
    table, tree = opened(app)
    app.set("predict_tab", "Changes")
    before = said(app)
    app.click("try_0")
    app.set("predict_tab", "Row")
    assert said(app) != before
    assert said(app) == f"survived = {1 - int(tree.predict(table)[0])}"


def test_a_range_of_numbers_can_be_wanted(app):
    opened(app, "mpg", max_depth=3)
    app.set("predict_tab", "Changes")
    app.set("wanted_low", 30.0)
    app.click("try_0")
    app.set("predict_tab", "Row")
    assert float(said(app).split(" = ")[1]) >= 30


def give(app, content: str):
    app.set("predict_tab", "Table")
    app.uploader("rows to answer").upload("new.csv", content.encode(), "text/csv")
    return app.run()


def test_a_table_in_another_order_with_a_new_level_is_answered(app):
    table, tree = opened(app)
    frame = table.to_frame().head(40).drop(columns="survived")
    frame["sex"] = frame["sex"].astype(str).where(frame.index % 9 > 0, "unsaid")
    expected = tree.predict(frame)
    give(app, frame[frame.columns[::-1]].to_csv(index=False))
    shown = app.at.dataframe[0].value
    assert shown["answer"].tolist() == expected.tolist()
    assert list(shown.columns) == ["answer", "share_0", "share_1", "leaf", "rule", *frame.columns[::-1]]
    assert "unsaid" in app.text()
    assert app.has("answers CSV")


@pytest.mark.parametrize(("change", "words"), [
    (lambda frame: frame.drop(columns="sex"), "sex"),
    (lambda frame: frame.assign(fare=frame["fare"].astype(str).where(frame.index != 3, "dear")), "dear"),
])  # fmt: skip
def test_what_does_not_fit_is_named_and_nothing_is_answered(app, change, words):
    table, _ = opened(app)
    frame = change(table.to_frame().head(20))
    give(app, frame.to_csv(index=False))
    assert any(words in error for error in app.errors())
    assert not app.at.dataframe
    assert "No predictions for" in app.text()


def test_rows_to_answer_for_are_kept_and_forgotten_with_all_else(app):
    opened(app)
    give(app, read_sample("titanic").to_frame().head(20).to_csv(index=False))
    kept = cache.find_session(app.own["secret"])
    assert kept["rows to answer"].name == "new.csv"
    app.go("data").click("forget")
    assert "rows to answer" not in app.own


def test_the_rows_of_a_file_run_down_the_tree_by_what_they_are_answered(app):
    """To every node as many of each answer as the tree sends there, also when some of its branches are pruned."""
    table, _ = opened(app)
    app.change(prune=Prune("cost_complexity", (("alpha", 0.01),)))
    rows = table.to_frame().head(300)
    give(app, rows.to_csv(index=False))
    grown = tc.grow(table, "cart", max_depth=4)
    tree = grown.cut(tc.prune(grown, "cost_complexity", alpha=0.01))
    assert 1 < tree.n_leaves < grown.n_leaves
    said, found = tree.predict(rows), app.pane()["stream"]
    assert found["n"] == 300
    assert found["rows"]["0"] == [[k, int((said == name).sum())] for k, name in enumerate(tree.classes)]
    ends, label = tree.apply(rows), [tree.classes.index(name) for name in said]
    expected = sorted(
        [[k, n] for k, n in enumerate(np.bincount(np.array(label)[ends == leaf], minlength=2).tolist()) if n]
        for leaf in np.unique(ends)
    )
    leaves = {str(t) for t in found["rows"]} - {str(grown.parent[int(t)]) for t in found["rows"]}
    assert sorted(found["rows"][t] for t in leaves) == expected
    app.go("grow")
    assert app.pane()["stream"] is None


def test_with_the_target_its_accuracy_is_told(app):
    table, tree = opened(app)
    give(app, table.to_frame().to_csv(index=False))
    right = np.mean(tree.predict(table) == table.target_column.labels())
    assert f"**{100 * right:.1f}".removesuffix(".0") in app.text().replace("\u00a0", " ")


def test_a_level_that_a_row_lacks_is_not_known(app):
    rows = "a,b,y\n" + "".join(f"{i % 7},{['', 'u', 'v'][i % 3]},{'yes' if i % 3 == 1 else 'no'}\n" for i in range(60))
    app.upload(rows.encode())
    app.go("predict")
    assert app.widget("predict b").value == 0
    assert app.widget("predict b").options[0] == "not known"


def test_the_fields_are_those_that_the_tree_asks_for(app):
    opened(app, "iris", max_depth=2)
    fields = [w.key for w in app.at.number_input if w.key.startswith("predict ")]
    assert fields[0] in ("predict petallength", "predict petalwidth")
    assert one_row.VALUES not in app.record().choices or app.record().choices[one_row.VALUES] == {}


def test_what_surrogates_alone_read_is_asked_in_a_fold_of_its_own(app):
    _, tree = opened(app, max_depth=2, missing="surrogates")
    portable = one_row.Portable(tree)
    backups = one_row.backup_features(portable)
    asked = {view.feature for view in map(tree.node, range(tree.n_nodes)) if not view.is_leaf}
    assert backups
    assert not asked & set(backups)
    assert asked | set(backups) == set(one_row.asked_features(portable))
    many = f"{len(backups)} more column" + "s" * (len(backups) > 1)
    assert any(f"Read only where a value is missing: {many}" in box.label for box in app.at.expander)
    assert app.errors() == []


def test_odd_names_are_asked_for(app):
    rows = "a:b=c,__proto__,y\n" + "".join(
        f"{i // 2},{'x' if i % 3 else '*z*'},{'no' if i < 30 else 'yes'}\n" for i in range(60)
    )
    app.upload(rows.encode())
    app.go("predict")
    assert said(app).startswith("y = ")
    app.set("predict a:b=c", 25.0)
    assert said(app) == "y = yes"
    assert pd.notna(app.record().selected)


def test_from_a_row_clicked_in_the_plane_to_what_would_change_it(app):
    table, tree = opened(app, "iris", max_depth=3)
    app.change(choices={**app.record().choices, "clicked row": 70})
    app.go("regions").click("change_clicked")
    assert app.at.title[0].value == "Predict"
    assert said(app) == f"class = {tree.predict(table)[70]}"
    assert app.has("try_0")


def test_a_row_that_is_shared_is_answered_with_mixed_shares(app):
    opened(app, "play_tennis", max_depth=1, nominal="multiway", missing="fractional", criterion="entropy")
    app.set("predict Outlook", 0)
    assert (
        "the prediction is their average, weighted by the parts: No 35.7\u00a0% (5/14), Yes 64.3\u00a0% (9/14)."
        in app.text()
    )
    assert any("frac{9}{14}" in formula.value for formula in app.at.latex)
    assert any("part of the row" in frame.value.columns for frame in app.at.dataframe)
    assert app.errors() == []


@pytest.mark.parametrize(
    ("sample", "column"),
    [("claims", "claims per 10 years"), ("pumps", "hazard ratio of failed"), ("backs", "effect on recovered")],
)
def test_later_rows_of_targets_of_two_columns_are_compared_leaf_by_leaf(app, sample, column):
    app.sample(sample)
    app.put(grow=Grow("cart", (("max_depth", 2), ("min_rows_leaf", 100))), prune=Prune("none"))
    app.go("predict")
    give(app, read_sample(sample).to_frame().to_csv(index=False))
    assert app.errors() == []
    assert "The tree still holds" in " ".join(s.value for s in app.at.success)
    leaves = next(f.value for f in app.at.dataframe if "rows then" in f.value)
    then, now = (leaves[f"{column} {when}"].to_numpy() for when in ("then", "now"))
    assert now == pytest.approx(then, abs=0.5 * np.abs(then).max())
    assert np.abs(then).max() > 1.0  # per 10 years, and in points
    assert f"{column}: expected" in app.text()


def test_later_rows_say_whether_the_tree_still_holds(app):
    table, tree = opened(app)
    frame = table.to_frame()
    give(app, frame.to_csv(index=False))
    assert "The tree still holds" in " ".join(s.value for s in app.at.success)
    older = frame.assign(age=60.0, sex="male", survived=1)
    give(app, older.to_csv(index=False))
    assert tc.check(tree, tc.read_table(older, target="survived"), table).reasons
    assert "The tree no longer holds" in " ".join(w.value for w in app.at.warning)
    leaves = next(f.value for f in app.at.dataframe if "rows then" in f.value)
    assert leaves["rows now"].sum() == pytest.approx(100, abs=0.3)
    app.click("rows_as_bars")
    assert app.errors() == []
    assert any("new.csv" in caption.value for caption in app.at.caption)
