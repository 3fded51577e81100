"""Nothing is lost by visiting another page, by another table, or by an error."""

from treecore.data import Ordinal
from treecore.recipe import Edit, Grow, Prune

SETTINGS = {
    "criterion": "entropy",
    "max_depth": 6,
    "max_leaves": 30,
    "min_rows_split": 4,
    "min_rows_leaf": 3,
    "min_share_split": 0.01,
    "min_gain": 0.001,
    "zero_gain": "split",
    "nominal": "multiway",
}


def test_growth_pruning_selection_and_view_survive_every_page(app):
    chosen = {"grow": Grow("cart", tuple(SETTINGS.items())), "prune": Prune("cost_complexity", (("alpha", 0.002),))}
    app.sample("titanic").go("grow", **chosen, selected=2, edits=(Edit("cut", (0,)),))
    record = app.record()
    for page in ("data", "regions", "size_and_pruning", "compare", "data", "grow"):
        app.go(page)
    assert app.record() == record
    assert app.at.subheader[0].value == "Node 2"
    for key, value in SETTINGS.items():
        assert app.widget(key).value == value, key
    assert app.widget("pruner").value == "cost_complexity"
    assert app.widget("prune_alpha").value == 0.002


def test_axes_fixed_values_and_rows_shown_survive(app):
    app.sample("titanic").go("regions")
    app.set("axis_x", "fare").set("axis_y", "age").set("regions_tree", "unpruned")
    app.set("regions_roles", ["train", "test"]).set("fixed sex", "male")
    app.go("grow").go("compare").go("regions")
    assert [app.widget(k).value for k in ("axis_x", "axis_y", "fixed sex")] == ["fare", "age", "male"]
    assert app.widget("regions_roles").value == ["train", "test"]
    assert app.widget("regions_tree").value == "unpruned"
    assert "sex = male" in app.text()
    app.set("axis_x", "age")
    assert app.widget("axis_y").value == "fare", "taking the other axis' feature swaps the two"


def test_target_kinds_features_and_roles_survive(app):
    app.sample("penguins").set("stratify", False).set("roles_ends", (50, 70))
    kinds = (("island", Ordinal(("Torgersen", "Dream", "Biscoe"))),)
    app.change(target="sex", kinds=kinds, features=("island", "body_mass_g"))
    record = app.go("grow").record()
    app.go("regions").go("data")
    assert app.record() == record
    table = app.own["raw table"]
    assert table.source == "penguins.csv"
    assert "predict sex from 2 features" in app.go("grow").text()


def test_measure_and_unit_of_the_curve_survive(app):
    app.sample("titanic").go("size_and_pruning").set("measure", "error").set("size", "nodes")
    app.go("grow").go("size_and_pruning")
    assert app.widget("measure").value == "error"
    assert app.widget("size").value == "nodes"


def test_another_table_keeps_growth_and_forgets_what_named_the_old_columns(app):
    app.sample("titanic").go("grow").set("max_depth", 3)
    app.change(selected=2, edits=(Edit("cut", (0,)),), prune=Prune("reduced_error"))
    app.sample("iris")
    record = app.record()
    assert record.grow.text() == "CART · maximum depth 3"
    assert (record.selected, record.edits, record.prune) == (0, (), Prune())
    assert app.go("grow").errors() == []


def test_a_sample_after_an_upload_and_an_upload_after_a_sample(app):
    csv = b"x,y\n" + b"1.5,a\n2.5,b\n" * 20
    app.uploader("upload").upload("mine.csv", csv, "text/csv")
    assert "mine.csv" in app.run().text()
    app.set("sample", "iris")
    assert "**iris.csv**: 150 rows" in app.text(), "the file in the uploader is not read again"
    assert not app.has("delimiter"), "reading options are about files"
    app.run()
    assert "**iris.csv**: 150 rows" in app.text()
    app.uploader("upload").upload("mine.csv", csv, "text/csv")
    assert "**mine.csv**: 40 rows" in app.run().text()
    assert app.widget("sample").value is None
    app.go("grow").go("data")
    assert "**mine.csv**: 40 rows" in app.text()
    assert app.widget("delimiter").value == "find out"


def test_reading_options_read_the_file_again(app):
    app.upload(b"x;y\n" + b"1,5;a\n2,5;b\n-999;a\n" * 10, "mine.csv")
    assert app.own["raw table"].names == ("x", "y")
    app.set("delimiter", ",")
    assert "line 2 has 2" in app.errors()[0]
    assert "mine.csv is still loaded" in app.text()
    app.set("delimiter", ";")
    assert app.errors() == []
    app.set("extra_missing", "-999")
    assert "x 10 (33.3\u00a0%)" in app.text()
    app.go("grow").go("data")
    assert app.widget("extra_missing").value == "-999"
