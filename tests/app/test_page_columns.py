"""Edits of the column table, which AppTest cannot type into: the functions behind it, in a session."""

from streamlit.testing.v1 import AppTest

from pages.shared.session import state

SCRIPT = """
from pages.shared.data import columns, source
from pages.shared.session import state
from pages.shared.trees import work
if state.raw() is None:
    source.take_sample("penguins")
{step}
"""


def after(step: str):
    at = AppTest.from_string(SCRIPT.format(step=step)).run()
    assert not at.exception
    return at.session_state[state.OWN]["record"]


NAMES = "names = [g.name for g in state.raw().guesses]"


def test_another_target_makes_the_former_one_a_feature():
    record = after("columns.take_target('sex')")
    assert record.target == "sex"
    assert "species" in record.features
    assert "sex" not in record.features


def test_use_and_kind_of_a_column():
    record = after(f"{NAMES}\ncolumns._take({{0: {{'kind': 'ordinal'}}, 1: {{'use': 'left out'}}}}, names)")
    assert len(record.kinds) == 1
    assert record.kinds[0][1] == "ordinal"
    assert len(record.features) == 5
    out, back = (f"columns._take({{1: {{'use': {use!r}}}}}, names)" for use in ("left out", "feature"))
    back = after(f"{NAMES}\n{out}\n{back}")
    assert len(back.features) == 6


def test_a_level_moves_to_its_place():
    order = "columns._take_order('size', ('S', 'M', 'L', 'XL'), {changed})\n"
    cases = {"{3: {'place': 1}}": "XL S M L", "{0: {'place': 4}}": "M L XL S", "{0: {'place': 2.5}}": "M S L XL"}
    for changed, expected in cases.items():
        record = after(order.format(changed=changed))
        assert " ".join(dict(record.kinds)["size"].levels) == expected


def test_a_column_of_case_weights_counts_and_is_no_feature():
    record = after("columns.take_weights('body_mass_g')")
    assert record.weights == "body_mass_g"
    assert "body_mass_g" not in record.features
    again = after("columns.take_weights('body_mass_g')\ncolumns.take_weights(None)")
    assert again.weights is None
    assert "body_mass_g" in again.features


def test_weights_reach_the_tree(app):
    rows = "\n".join(f"{i * 1.5},{1 + i % 3}.5,{'ab'[i > 20]}" for i in range(40))
    app.upload(f"x,w,y\n{rows}\n".encode())
    app.set("weights", "w").go("grow")
    assert app.record().weights == "w"
    assert "predict y from 1 feature " in app.text()
    assert any(weight % 1 == 0.5 for weight in app.at.dataframe[0].value["train"]), "weighted counts of the classes"


def test_what_a_run_asks_of_the_record_grows_with_the_columns_not_with_their_square(app, monkeypatch):
    def asked(n: int) -> int:
        lines = [",".join(f"c{i}" for i in range(n)), *(",".join(str(i * j % 9) for i in range(n)) for j in range(40))]
        app.upload("\n".join(lines).encode())
        count, record = [0], state.record

        def counted():
            count[0] += 1
            return record()

        monkeypatch.setattr(state, "record", counted)
        app.run()
        monkeypatch.setattr(state, "record", record)
        return count[0]

    few, many = asked(20), asked(120)
    assert many - few < 100 * 5, "a run took 5 s with 1 000 columns"


def test_of_many_notes_the_later_ones_are_folded_away(app):
    lines = ["x,y," + ",".join("abcdefghijklmnopq"), "1.5,n" + ",k" * 17, "2.5,y" + ",k" * 17]
    app.upload("\n".join(lines).encode())
    assert "5 more notes" in [e.label for e in app.at.expander]
    assert "Column 'q' is left out" in app.text()
    assert "2 rows, 19 columns" in app.text()


def test_why_this_column_is_the_target_is_said_until_another_is_chosen(app):
    app.upload(b"survived,age,note\n" + b"yes,1.5,a\nno,2.5,b\n" * 30)
    assert app.widget("target").value == "survived"
    assert "Chosen for you: 'survived' is what targets are often called." in app.text()
    app.set("target", "note")
    assert "Chosen for you" not in app.text()


def test_words_that_differ_by_spaces_are_said_and_can_be_kept_apart(app):
    app.upload(("x,y\n" + "1.5,yes\n2.5,no\n3.5,no \n" * 10).encode())
    assert "were read as the same (with spaces: 'no' 10 times)" in app.text()
    app.set("keep_spaces", True)
    assert "were read as the same" not in app.text()
    assert "no " in app.own["raw table"].guesses[1].levels
    app.set("keep_spaces", False)
    assert "were read as the same" in app.text()


def test_what_cells_were_taken_to_mean_is_said_and_changed_by_a_click(app):
    people = (f"{700 + 37 * i:,}".replace(",", ".") for i in range(60))
    rows = (
        f"{['NA', 'ZA', 'BW'][i % 3]};{2020 + i % 5}{i % 12 + 1:02}{i % 28 + 1:02};{n};"
        f"{['(null)', 'u', 'v', 'w'][i % 4]};{'ab'[i >= 30]}"
        for i, n in enumerate(people)
    )
    app.upload("\n".join(["land;tag;einwohner;code;y", *rows, "Summe;;107.490;;"]).encode()).go("data")
    text = app.text()
    for said in (
        "The last line is left out ('Summe;;107.490;;')", "**land**: 'NA' (20) is read like any word",
        "**tag**: 20200101 is read as the date 2020-01-01", "**einwohner**: '1.033' is read as 1033",
        "**code**: '(null)' (15) is read as missing",
    ):  # fmt: skip
        assert said in text
    app.click("It is a word").click("It is a missing value").click("They are numbers")
    app.click("The point of 'einwohner' is a decimal sign").click("It is a row")
    text = app.text()
    for said in (
        "61 rows", "**land**: 'NA' (20) is read as missing", "20200101 could be the date 2020-01-01",
        "'1.033' is read as 1.033, with a decimal point, as you said", "'(null)' (15) is read like any word",
    ):  # fmt: skip
        assert said in text
    assert app.errors() == []


def test_a_file_whose_cells_leave_a_question_open_stays_on_data_until_it_is_answered(app):
    rows = (f"{1.234 + i * 1.011:.3f};{'ab'[i >= 100]}" for i in range(200))
    app.upload("\n".join(["x;y", *rows]).encode(), as_it_opens=True)
    assert app.at.warning
    assert "'1.234' is read as 1.234, with a decimal point." in app.text()
    app.click("The point of 'x' is a decimal sign")
    assert not app.at.warning
    assert "as you said" in app.text()
    assert app.errors() == []


def test_two_columns_are_counted_for_each_level_of_a_third(app):
    app.sample("play_tennis").go("data").all_folds()
    app.set("third_counted", "Wind")
    counted = next(t.value for t in app.at.dataframe if "Wind" in t.value and len(t.value.columns) == 4)
    assert list(counted.columns)[:2] == ["Wind", "Outlook \\ PlayTennis"]
    assert counted.iloc[0].tolist() == ["Weak", "Sunny", 2, 1]
    assert counted.iloc[5].tolist() == ["Strong", "Rain", 2, 0]
    app.set("third_counted", "")
    assert not any("Wind" in t.value and len(t.value.columns) == 4 for t in app.at.dataframe)


def test_a_column_without_values_is_not_counted(app):
    app.upload(
        b"empty,a,b,y\n" + b"".join(b",%d,%d,%s\n" % (i % 2, i % 3, b"no" if i % 2 else b"yes") for i in range(40))
    )
    app.go("data").all_folds()
    offered = app.widget("third_counted").options
    assert "b" in offered
    assert "empty" not in offered
    app.set("third_counted", "b")
    assert app.errors() == []
