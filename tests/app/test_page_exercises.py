"""Exercises in the app: a sheet of the table in hand, its key on request, another variant; quizzes of several."""

import xml.etree.ElementTree as ET

from pages.shared.learn import exercise_sheets
from treecore import read_table
from treecore.data.samples import read_sample
from treecore.teach.exercises import sheet
from treecore.teach.hand_in import RIGHT, WRONG, sheet_code


def test_a_sheet_its_key_and_another_variant(app):
    app.sample("play_tennis").go("exercises")
    assert "Compute the gain of Outlook." in app.text()
    assert "0.2467" not in app.text()
    app.set("exercise_key", True)
    assert "gain(Outlook) = 0.9403 − 5/14 · 0.9710 − 4/14 · 0.0000 − 5/14 · 0.9710 = 0.2467" in app.text()
    app.set("exercise_variant", 3)
    assert "= 0.2467" not in app.text()
    assert app.errors() == []


def test_a_table_of_numbers_says_what_to_do(app):
    app.sample("iris").go("exercises")
    assert "No feature has two to six levels" in app.text()
    assert app.errors() == []


def test_numbers_are_asked_what_numbers_can_be(app):
    app.sample("mpg").go("exercises")
    assert "sum of squared errors" in app.text()
    app.sample("claims").go("exercises")
    assert "the target holds counts. Choose a target of few values on Data." in app.text()
    assert "Without columns of words" not in app.text()
    assert app.errors() == []


def test_of_a_node_and_of_the_tree(app):
    app.sample("play_tennis", as_it_opens=True).change(selected=1).go("exercises")
    app.set("exercise_rows", True).set("exercise_key", True)
    assert "over all 5 rows" in app.text()
    app.set("exercise_kinds", ["prune", "alphas"])
    assert "Prune this tree by reduced error" in app.text()
    assert "g(t1) = (2/14 − 0/14) / (3 − 1) = 1/14 = 0.0714" in app.text()
    app.sample("iris").go("exercises").set("exercise_kinds", ["alphas"]).set("exercise_key", True)
    assert "g(t0) = " in app.text()
    app.set("exercise_kinds", [])
    assert "Choose a question" in app.text()
    app.sample("xor").go("exercises")
    assert app.errors() == []


def test_a_quiz_has_the_variants_asked_for(app, monkeypatch):
    files = {}
    keep = lambda label, make, *_, **__: files.__setitem__(label, make)  # noqa: E731
    monkeypatch.setattr(exercise_sheets.st, "download_button", keep)
    app.sample("willwait").go("exercises")
    app.set("exercise_variant", 4).set("quiz_variants", 3)
    made = ET.fromstring(files["Quiz: Moodle XML"]())
    told = [q.findtext("category/text") for q in made if q.get("type") == "category"]
    assert [text.rsplit(" ", 1)[1] for text in told] == ["4", "5", "6"]
    assert len(made) > 3 * 5
    assert files["Quiz: GIFT"]().startswith(b"$CATEGORY: ")
    assert files["Quiz: QTI 2.1 package"]().startswith(b"PK")
    assert app.errors() == []


def test_codes_of_a_class_are_read(app):
    app.sample("willwait").go("exercises")
    app.set("exercise_kinds", ["gains", "tree"])
    made = {v: sheet(read_sample("willwait"), v, kinds=("gains", "tree")) for v in (0, 2)}
    n = {v: sum(len(task.blanks) for task in one.markable) for v, one in made.items()}
    codes = sheet_code(made[0], [RIGHT] * n[0]), sheet_code(made[2], [WRONG] * n[2])
    app.set("hand_in_codes", f"Ada: {codes[0]}\nBob: {codes[1]}\nEve: ABCD-EFGH-JKMN")
    told = next(frame.value for frame in app.at.dataframe if "who" in frame.value.columns)
    assert told["who"].tolist() == ["Ada", "Bob"]
    assert told["variant"].tolist() == [0, 2]
    assert told["right"].astype(int).tolist() == [n[0], 0]
    assert any("Eve" in w.value and "no hand-in code" in w.value for w in app.at.warning)
    app.set("exercise_measure", "gini")
    assert all("another sheet" in w.value or "no hand-in" in w.value for w in app.at.warning)
    assert app.errors() == []


def test_a_variant_without_a_question_of_another_is_read_too(app):
    """Of one level in the rows of a variant no ratio is asked."""
    rows = "a,b,y\n" + "x,u,n\nx,v,y\n" * 7 + "z,u,n\n"
    table = read_table(rows.encode(), target="y")
    made = {v: sheet(table, v, kinds=("ratios",)) for v in range(30)}
    few = next(v for v, one in made.items() if len(one.markable) < len(made[0].markable))
    app.upload(rows.encode(), "few.csv").put(target="y")
    app.go("exercises").set("exercise_kinds", ["ratios"])
    n = {v: sum(len(task.blanks) for task in made[v].markable) for v in (0, few)}
    app.set("hand_in_codes", "\n".join(f"Ada: {sheet_code(made[v], [RIGHT] * n[v])}" for v in (few, 0)))
    told = next(frame.value for frame in app.at.dataframe if "who" in frame.value.columns)
    assert told["right"].astype(int).tolist() == [n[few], n[0]]
    assert "–" in told.iloc[0].tolist()
    assert app.errors() == []
    assert not app.at.exception
