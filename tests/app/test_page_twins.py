"""Twin bars on the pages: what stands beside the training rows, the test, and a table of the user's own."""

import csv
import io

from treecore.data.samples import SAMPLES


def passengers(**changes) -> bytes:
    """The sample's rows, or those with some columns made anew by a function of the row; None leaves a column out."""
    rows = list(csv.DictReader(io.StringIO(SAMPLES["titanic"].path.read_text("utf-8"))))
    made = [{**row, **{name: make(row) for name, make in changes.items() if make}} for row in rows]
    names = [name for name in rows[0] if changes.get(name, True)]
    out = io.StringIO()
    writer = csv.DictWriter(out, names, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(made)
    return out.getvalue().encode()


def other(app, content: bytes, name: str = "other.csv"):
    app.uploader("other_upload").upload(name, content, "text/csv")
    return app.run()


def caption(app, start: str) -> str:
    return next(line for line in app.text().split("\n") if line.startswith(start))


def legend(app) -> str:
    return next(line for line in app.text().split("\n") if "differ significantly (" in line)


def drowned(app):
    """A second table in which no woman survives."""
    return other(app, passengers(survived=lambda row: "0" if row["sex"] == "female" else row["survived"]))


def test_validation_stands_beside_training_and_holm_is_named(app):
    app.sample("titanic").go("grow").set("max_depth", 3)
    assert caption(app, "Drawn").endswith("bars: train, validation.")
    assert "train and validation differ significantly (" in legend(app)
    assert "nodes of your tree tested: chi-square or exact, Holm-corrected, level 0.05)" in legend(app)
    told = app.text().replace("\xa0", " ")
    assert "train: 38.5 % of 535 rows are 1; validation: 38.2 % of 178 rows. Chi-square " in told


def test_another_bar_level_and_correction(app):
    app.sample("titanic").go("grow").set("max_depth", 3).set("second_bar", "test")
    assert caption(app, "Drawn").endswith("bars: train, test.")
    app.set("twin_level", 0.1).set("twin_correction", "none")
    assert "not corrected, level 0.1)" in legend(app)
    app.set("second_bar", "none")
    assert caption(app, "Drawn").endswith("bars: train.")
    assert "differ significantly (" not in app.text()
    for page in ("compare", "size_and_pruning", "grow"):
        assert app.go(page).widget("second_bar").value == "none"
    assert app.errors() == []


def test_a_table_of_ones_own_is_tested_kept_and_removed(app):
    app.sample("titanic").go("grow").set("max_depth", 3)
    drowned(app)
    assert app.errors() == []
    assert app.widget("second_bar").value == "other"
    assert "other.csv: 891 rows." in app.text()
    assert caption(app, "Drawn").endswith("bars: train, other.csv.")
    assert legend(app).startswith("Marked ≠")
    app.change(selected=2)
    told = app.text().replace("\xa0", " ")
    assert "other.csv: 0.0 % of 314 rows" in told or "other.csv: 100.0 % of 314 rows" in told
    assert "Holm-adjusted p < 0.001: a significant difference" in told
    assert "number 1 of the" in told
    assert caption(app.go("size_and_pruning"), "Drawn").endswith("bars: train, other.csv.")
    assert "Bars: train, other.csv." in app.go("compare").text()
    assert app.text().count("train and other.csv differ significantly") == 2, "one legend for each tree"
    assert app.errors() == []
    app.go("grow").click("put_other_away")
    assert caption(app, "Drawn").endswith("bars: train, validation.")
    assert "other" not in app.widget("second_bar").options


def test_the_hatched_nodes_are_the_ones_told(app):
    """The rows of the sample itself differ nowhere; with every survivor drowned, wherever there were some."""
    app.sample("titanic").go("grow").set("max_depth", 2)
    other(app, passengers(survived=lambda row: row["survived"]))
    assert legend(app).startswith("In no node")
    drowned(app)
    app.change(selected=2)
    assert "a significant difference." in app.text()
    app.change(selected=1)
    assert "no significant difference at level 0.05." in app.text()


def test_marks_of_a_pruned_tree_are_those_that_are_told(app):
    """By the ids of the grown tree, and corrected for the nodes of the pruned one, in the sentence of the node, too."""
    app.sample("titanic").go("grow").set("pruner", "cost_complexity")
    drowned(app)
    cards = app.pane()["nodes"]
    marked = [card["id"] for card in cards if card.get("differs")]
    assert f"Marked ≠: {len(marked)} nodes where" in legend(app)
    assert marked
    assert max(marked) > len(cards), "one whose id in the pruned tree is another"
    for card in cards:
        app.change(selected=card["id"])
        differs = "a significant difference." in app.text().replace("no significant", "")
        assert differs == bool(card.get("differs")), card["id"]


def test_a_table_without_a_tested_column_is_a_message_that_names_it(app):
    app.sample("titanic").go("grow").set("max_depth", 1)
    other(app, passengers(sex=None))
    assert app.errors() == [
        "**Column 'sex'**: It is tested by the tree, and the table other.csv has no such column.  \n"
        "Add the column; it may be empty."
    ]
    assert "Not compared, other.csv: Column 'sex'" in app.text()
    assert caption(app, "Drawn").endswith("bars: train, validation.")
    app.click("put_other_away")
    assert app.errors() == []
    other(app, passengers(survived=None), "no target.csv")
    assert "It is what the tree predicts, and the table no target.csv has no such column" in app.errors()[0]


def test_files_that_cannot_be_read(app):
    app.sample("titanic").go("grow").set("max_depth", 2)
    other(app, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), "photo.csv")
    assert "PNG" in app.errors()[0]
    other(app, passengers() + b"1,2,3\n", "ragged.csv")
    assert "1 line has not the" in app.errors()[0]
    app.click("other_skip")
    assert app.errors() == []
    assert "ragged.csv: 891 rows." in app.text()


def test_unknown_classes_and_levels_are_said(app):
    app.sample("titanic").go("grow").set("max_depth", 2)
    changed = {"survived": lambda row: "perhaps" if row["pclass"] == "1" else row["survived"]}
    changed["sex"] = lambda row: "unknown" if row["age"] == "22.0" else row["sex"]
    other(app, passengers(**changed))
    assert app.errors() == []
    assert "216 rows of classes the tree does not know (perhaps) are in no bar and in no test." in app.text()
    assert "27 rows with levels of 'sex' the tree does not know (unknown) take the branch" in app.text()


def test_numbers_are_compared_by_welch(app):
    app.sample("mpg").go("grow").set("max_depth", 2)
    assert "tested: Welch's t," in legend(app)
    assert "Welch's t " in app.text()
    rows = SAMPLES["mpg"].path.read_bytes()
    other(app, rows, "train")
    assert caption(app, "Drawn").endswith("bars: train, other.")
    assert app.errors() == []


def test_a_table_that_no_longer_fits_another_tree_is_said_and_comes_back(app):
    app.sample("titanic").go("grow").set("max_depth", 1)
    other(app, b"sex,survived\n" + b"male,0\nfemale,1\n" * 20)
    assert caption(app, "Drawn").endswith("bars: train, other.csv.")
    app.set("max_depth", 3)
    assert "the table other.csv has none of them" in app.errors()[0]
    assert caption(app, "Drawn").endswith("bars: train, validation.")
    app.set("max_depth", 1)
    assert caption(app, "Drawn").endswith("bars: train, other.csv.")
    app.sample("iris").go("grow")
    assert "Column 'class'" in app.errors()[0]
    app.click("put_other_away")
    assert app.errors() == []
