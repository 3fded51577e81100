"""Traps on the page Data: named, with the number, and left out by a click that can be undone."""

import re

from treecore.data.read import build_table
from treecore.recipe import Prepare


def missing(app) -> dict[str, int]:
    """Missing values of each column as the table is read now."""
    raw = app.own["raw table"]
    return {column.name: column.n_missing for column in build_table(raw).columns}


def test_a_leak_is_named_and_left_out(app):
    app.sample("trap_leak").go("data")
    assert re.search(r"Alone it predicts 100(\.0)?\s% of unseen rows", app.text())
    app.click("trap_0")
    assert app.record().features == ("income", "age")
    assert "possible trap" not in app.text()
    app.click("undo")
    assert app.record().features is None


def test_a_leak_of_two_columns_is_left_out_by_one_click(app):
    rows = [
        f"{'ab'[i & 1]},{'cd'[i >> 1 & 1]},{i // 4 % 5},{'no' if (i & 1) == (i >> 1 & 1) else 'yes'}"
        for i in range(120)
    ]
    app.upload("\n".join(["left,right,other,paid", *rows]).encode())
    app.change(target="paid", features=("left", "right", "other")).go("data")
    assert "leak of several columns: Together with right" in app.text()
    app.click("Leave them out")
    assert app.record().features == ("other",)


def test_a_table_without_traps_says_nothing(app):
    app.sample("iris").go("data")
    assert not app.has("trap_0")


def test_dates_that_are_shuffled_give_roles_by_date(app):
    app.sample("customers").go("data")
    assert re.search(r"not in date order \(\d+\.\d\s% of steps", app.text())
    app.click("Split by date")
    assert app.record().split.order == "joined"
    assert app.widget("roles_column").value == "in order of joined"
    assert app.errors() == []
    app.set("roles_column", "drawn at random")
    assert app.record().split.order is None


def test_every_sort_of_trap_is_left_out_by_a_click(app):
    four = [i % 4 for i in range(120)]
    rows = [
        f"t{i},{k},{'low' if k < 2 else 'high'},same,{'x' if i else 'z'},{'abcd'[k]},{'uvw'[i % 3]},{'no' if i * 7 % 3 else 'yes'}"  # noqa: E501
        for i, k in enumerate(four)
    ]
    app.upload("\n".join(["code,four,half,fixed,nearly,twin,outcome_flag,outcome", *rows]).encode())
    uses = ("code", "four", "half", "fixed", "nearly", "twin", "outcome_flag")
    app.change(target="outcome", features=uses).go("data")
    told = app.text()
    for sort in ("identifier", "duplicate", "function of another column", "constant", "nearly constant", "named like"):
        assert sort in told, sort
    for _ in range(9):
        if not app.has("trap_0"):
            break
        app.click("trap_0")
    assert "possible trap" not in app.text()
    assert app.record().features == ("four",)


def test_blanks_that_speak_become_a_value_by_a_click(app):
    app.sample("trap_not_at_random").go("data")
    assert re.search(r"yes' in 84\.9\s% of the 73 rows without a value, 10\.6\s% in the 227 with one", app.text())
    app.change(prepare=Prepare(missing="mean"))
    app.click("Missing is a value of its own")
    assert app.record().grow.growth().missing == "own_value"
    assert app.record().prepare.missing == "none"
    assert app.widget("trap_0").disabled
    app.click("undo")
    assert app.record().grow.growth().missing != "own_value"
    assert app.record().prepare.missing == "mean"


def test_a_code_for_missing_is_read_so_in_its_column_alone(app):
    """The same number is a value of another column; target and features stay, and a step back reads as before."""
    rows = [f"{9999 if i % 20 == 0 else 20 + i % 60},{i % 7 + 9993},{i % 11},{'no' if i * 7 % 3 else 'yes'}"
            for i in range(200)]  # fmt: skip
    app.upload("\n".join(["age,code,place,paid", *rows]).encode())
    app.change(target="paid", features=("age", "code")).go("data")
    assert re.search(r"9999 stands in 10 rows \(5\.0\s%\)", app.text())
    app.click("Read 9999 as missing")
    assert app.record().options.missing_in == (("age", ("9999",)),)
    assert (app.record().target, app.record().features) == ("paid", ("age", "code"))
    assert missing(app) == {"age": 10, "code": 0, "place": 0, "paid": 0}
    assert "'9999' in 10 rows read as missing, in this column alone" in app.text()
    app.click("undo")
    assert missing(app)["age"] == 0
    app.click("redo")
    assert missing(app)["age"] == 10
    app.click("Read as numbers again")
    assert missing(app)["age"] == 0


def test_spellings_are_merged_by_a_click_and_in_rows_to_come(app):
    words = ["basic", "basic", "basic", "Basic", "plus", "PLUS", "plus", "pro"]
    rows = [f"{words[i % 8]},{i % 11},{'no' if i * 7 % 3 else 'yes'}" for i in range(200)]
    app.upload("\n".join(["plan,place,paid", *rows]).encode())
    app.change(target="paid", features=("plan",)).go("data")
    assert "'basic' (75), 'Basic' (25); 'plus' (50), 'PLUS' (25)" in app.text()
    app.click("Merge into the most frequent spelling")
    assert app.record().features == ("plan",)
    assert build_table(app.own["raw table"]).column("plan").levels == ("basic", "plus", "pro")
    assert "'Basic' as 'basic', 'PLUS' as 'plus': read as one level" in app.text()
    assert app.record().options.same_levels == (("plan", (("Basic", "basic"), ("PLUS", "plus"))),)
    app.click("undo")
    assert len(build_table(app.own["raw table"]).column("plan").levels) == 5


def test_repeated_rows_are_kept_once_and_all_rows_to_come_are_answered(app):
    rows = [f"{i * 37 % 1009}.5,{i % 8},{'abc'[i % 3]},{'no' if i * 7 % 5 else 'yes'}" for i in range(200)]
    app.upload("\n".join(["balance,visits,plan,paid", *rows, *rows[10:30]]).encode())
    app.change(target="paid", features=("balance", "visits", "plan")).go("data")
    assert "repeated rows: 20 of 220 rows are equal to an earlier one" in app.text()
    app.click("Keep each row once")
    assert "20 rows of 220 left out: equal to an earlier one in every column." in app.text()
    assert build_table(app.own["raw table"]).n_rows == 200
    assert "repeated rows" not in app.text()
    app.set("distinct_rows", False)
    assert build_table(app.own["raw table"]).n_rows == 220
    app.click("undo")
    assert build_table(app.own["raw table"]).n_rows == 200


def test_of_equal_rows_with_other_answers_it_is_said_how_many_can_be_answered(app):
    rows = [f"{i * 37 % 1009}.5,{i % 8},{'abc'[i % 3]}" for i in range(200)]
    answered = [f"{row},{'no' if i * 7 % 5 else 'yes'}" for i, row in enumerate(rows)]
    answered += [f"{row},{'yes' if i * 7 % 5 else 'no'}" for i, row in enumerate(rows[:20])]
    app.upload("\n".join(["balance,visits,plan,paid", *answered]).encode())
    app.change(target="paid", features=("balance", "visits", "plan")).go("data")
    told = r"same features, different target: 40 rows equal .* no tree can predict more than 90\.9"
    assert re.search(told, app.text())
    assert not app.has("trap_0")


def test_levels_that_win_by_chance_are_left_out_by_a_click(app):
    app.sample("trap_many_levels").go("data")
    assert re.search(r"many levels: Its 38 levels gain 0\.286 bit, more than any other feature", app.text())
    app.click("trap_0")
    assert "shop" not in app.record().features
