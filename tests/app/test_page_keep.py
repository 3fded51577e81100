"""What was made comes back: after a reload, on another server, from a recipe, from a link; and can be forgotten."""

import json
import random
import time
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treecore as tc
from pages.shared.bench import canvas, exports
from pages.shared.server import cache
from pages.shared.session import persistence, saved_session, state
from pages.shared.trees.plan import Plan
from treecore.data.samples import read_sample
from treecore.export.code import to_notebook, to_script
from treecore.recipe import Edit, Grow, Prune, Recipe

WEATHER = "sky,wind,play\n" + "".join(
    f"{random.Random(i).choice(['sun', 'rain', 'fog'])},{i % 7},{'yes' if i % 7 > 2 or i % 5 == 0 else 'no'}\n"
    for i in range(80)
)
KEPT = ("grow", "prune", "split", "edits", "target", "kinds", "features", "options")


def at_work(app):
    """A file with settings, pruning and a step by hand."""
    app.upload(WEATHER.encode(), "weather.csv")
    app.put(grow=Grow("c4.5", (("max_depth", 4),)), prune=Prune(), edits=(Edit("cut", (0, 1)),), selected=2)
    return app.go("grow")


def note_of(app) -> dict:
    """What the browser was given to keep."""
    [found] = [e for e in app.at.get("bidi_component") if e.proto.component_name == "treecore_keeper"]
    data = json.loads(found.proto.json)
    assert data["mode"] == "keep"
    return json.loads(data["note"])


def chosen(app) -> list:
    return chosen_of(app.record())


def chosen_of(record) -> list:
    return [getattr(record, name) for name in KEPT]


def again(app_of, note: dict):
    """Another session of the same browser."""
    other = app_of()
    other.own["offered"] = note
    return other.run()


@pytest.fixture
def app_of(app):
    return type(app)


def test_a_reload_brings_everything_back_while_the_server_lives(app, app_of, monkeypatch):
    note = note_of(at_work(app))
    monkeypatch.setattr(persistence, "_is_connected", lambda session: False)
    other = again(app_of, note)
    assert "weather.csv" in other.text()
    other.click("Go on with it")
    assert other.record() == app.record()
    assert other.own["past"] == app.own["past"]
    assert other.go("grow").pane()["selected"] == app.pane()["selected"]
    assert cache.find_session(note["secret"]) is None


def test_a_reload_draws_the_tree_for_the_room_it_had(app, app_of):
    """Else it would turn as soon as the browser has said how much room there is."""
    at_work(app)
    with app._on_data():
        canvas._take_room(canvas.MAIN, {"room": [640, 700], "window": "900 800"})
    note = note_of(app.go("grow"))
    other = again(app_of, note).click("Go on with it")
    assert other.go("grow").pane()["room"] == [640, 700]


def test_work_that_another_tab_goes_on_with_stays_with_the_first_one(app, app_of, monkeypatch):
    """Until that one is closed; forgetting it then lets go of both."""
    note = note_of(at_work(app))
    monkeypatch.setattr(persistence, "_is_connected", lambda session: session is not None)
    other = again(app_of, note).click("Go on with it")
    assert other.record() == app.record()
    assert cache.find_session(note["secret"]) is not None
    monkeypatch.setattr(persistence, "_is_connected", lambda session: False)
    other.go("data").click("forget")
    assert cache.find_session(note["secret"]) is None


def test_of_who_has_left_the_file_is_kept_and_read_again(app, app_of):
    note = note_of(at_work(app))
    pane, former = app.pane(), app.own["raw table"]
    persistence.sweep(next(iter(persistence._here.values())))
    assert "raw table" not in cache.find_session(note["secret"])
    assert not app.record().derived, "it holds the encoded table"
    other = again(app_of, note).click("Go on with it")
    assert other.own["raw table"] is not former
    assert other.own["raw table"].fingerprint == former.fingerprint
    assert other.record() == app.record()
    assert other.go("grow").pane()["selected"] == pane["selected"]


def test_what_follows_from_a_former_record_goes_with_it(app):
    app.sample("iris").go("grow").set("max_depth", 2).set("max_depth", 3)
    assert "situation" in app.record().derived, "which holds the encoded table"
    app.click("undo")
    assert len(app.own["past"]) == len(app.own["future"]) == 1
    assert not any("situation" in r.derived for r in (*app.own["past"], *app.own["future"]))


@pytest.mark.parametrize("days", [400, -400])
def test_nothing_is_lost_or_fails_when_the_clock_jumps(app, app_of, monkeypatch, days):
    kept, wall = note_of(at_work(app)), time.time
    monkeypatch.setattr(time, "time", lambda: wall() + 86_400 * days)
    app.go("rules").go("size_and_pruning").go("predict").go("grow")
    assert cache.find_session(kept["secret"]) is not None
    assert chosen(again(app_of, kept).click("Go on with it")) == chosen(app)


@pytest.mark.parametrize("guess", ["", "0", "A" * 32, "../", None, 7, ["x"], {"secret": "x"}])
def test_who_guesses_neither_sees_nor_overwrites_the_work_of_others(app, app_of, guess):
    kept = note_of(at_work(app))
    before = dict(cache.find_session(kept["secret"]))
    other = app_of()
    other._at.run()
    told = {"mine": json.dumps(kept | {"secret": guess, "recipe": None}), "tab": guess, "last": None}
    with other._on_data(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "widget", lambda key: {"found": told})
        persistence._take_notes_of_browser()
    other.run()
    assert "weather.csv" not in other.text()
    assert other.own["secret"] != kept["secret"]
    assert dict(cache.find_session(kept["secret"])) == before


def test_the_secret_is_long_and_never_the_same(app, app_of):
    one, two = note_of(at_work(app))["secret"], note_of(at_work(app_of()))["secret"]
    assert one != two
    assert min(len(one), len(two)) >= 32
    assert cache.find_session("") is None


def test_another_server_asks_for_the_file_and_goes_on(app, app_of):
    note = note_of(at_work(app))
    cache.forget_session(note["secret"])
    other = again(app_of, note).click("Go on with it")
    assert "Give **weather.csv** again: its settings and 1 step by hand" in other.text()
    other.uploader("upload").upload("other.csv", WEATHER.replace("fog", "sun").encode(), "text/csv")
    other.run()
    assert "other contents" in other.text()
    other.click("Choose another file")
    other.uploader("upload").upload("weather.csv", WEATHER.encode(), "text/csv")
    other.run()
    assert chosen(other) == chosen(app)
    assert other.go("grow").pane()["nodes"] == app.pane()["nodes"]


def test_another_server_brings_back_history_names_kept_trees_row_and_page(app, app_of):
    at_work(app)
    with_names(app)
    app.go("predict").set("predict_row", 7)
    note = note_of(app)
    assert "fog" not in json.dumps(note), "no value of the table"
    cache.forget_session(note["secret"])
    other = again(app_of, note).click("Go on with it")
    other.follow()
    other.uploader("upload").upload("weather.csv", WEATHER.encode(), "text/csv")
    other.run()
    assert other.at.title[0].value == "Predict"
    assert other.widget("predict_row").value == 7
    kept, names = (other.own[name] for name in ("past", "names of states"))
    assert [chosen_of(r) for r in kept] == [chosen_of(r) for r in app.own["past"]]
    assert [(chosen_of(r), name) for r, name in names] == [(chosen_of(app.record()), "my state")]
    assert dict(other.record().choices["kept trees"]) == dict(app.record().choices["kept trees"])
    other.click("undo")
    assert other.record().edits == ()


@pytest.mark.parametrize("name", ["rows to answer", "other_upload"])
def test_another_server_asks_for_the_other_files_by_name_and_knows_them(app, app_of, name):
    rows = WEATHER.replace("fog", "sun").encode()
    at_work(app).put(choices={**app.record().choices, "ask by": "Table"})
    give(app.go("predict"), name, rows)
    note = note_of(app.go("predict"))
    cache.forget_session(note["secret"])
    for content, said in ((rows, False), (WEATHER.encode(), True)):
        other = again(app_of, note).click("Go on with it")
        other.uploader("upload").upload("weather.csv", WEATHER.encode(), "text/csv")
        other.run()
        assert "Give **new.csv** again" in other.go("predict").all_folds().text()
        give(other, name, content)
        assert "Give **new.csv** again" not in other.text()
        assert ("new.csv has other contents" in other.text()) == said
        cache.forget_session(note_of(other)["secret"])


def give(app, name: str, content: bytes) -> None:
    """A file besides the table."""
    app.uploader(name).upload("new.csv", content, "text/csv")
    app.run()


def with_names(app) -> None:
    """A kept tree, a name for the present state, and one before it."""
    r = app.record()
    app.own["names of states"] = [(r, "my state")]
    app.own["past"] = (replace(r, edits=()),)
    app.put(choices={**r.choices, "kept trees": (("mine", Plan(r.prepare, Grow("id3"), r.prune, r.edits)),)})


def test_another_server_opens_a_sample_at_once(app, app_of):
    app.sample("titanic")
    app.change(grow=Grow("cart", (("max_depth", 3),)))
    note = note_of(app.go("grow"))
    cache.forget_session(note["secret"])
    other = again(app_of, note).click("Go on with it")
    assert chosen(other) == chosen(app)
    assert other.go("grow").pane()["nodes"] == app.pane()["nodes"]


DAMAGES = (
    {"recipe": "{}"}, {"recipe": None}, {"page": "../x"}, {"page": 3}, {"choices": [1]},
    {"before": {"past": [[99]]}}, {"before": None, "choices": {"row to predict": {}}}, {"selected": "x"},
    {"recipe": '{"schema_version": 99, "steps": []}'},
    {"recipe": '{"schema_version": 2, "steps": [{"step": "read", "file": "none", "sample": true}]}'},
)  # fmt: skip


def test_a_damaged_note_loses_nothing(app, app_of):
    note = note_of(at_work(app))
    cache.forget_session(note["secret"])
    for change in DAMAGES:
        other = again(app_of, note | change).click("Go on with it")
        other.sample("iris")
        assert other.go("grow").pane()["nodes"], change


def test_forgetting_lets_go_of_all(app):
    note = note_of(at_work(app))
    app.go("data").click("forget")
    assert cache.find_session(note["secret"]) is None
    [keeper] = [e for e in app.at.get("bidi_component") if e.proto.component_name == "treecore_keeper"]
    assert json.loads(keeper.proto.json)["mode"] == "forget"
    assert "raw table" not in app.own


def shared(app) -> Recipe:
    """The recipe in the link that the page shows."""
    [address] = [code.value for code in app.with_menus().at.code if "recipe=" in code.value]
    return saved_session.recipe_of_link(parse_qs(urlsplit(address).query)["recipe"][0])


def test_a_script_and_a_notebook_make_the_very_tree(app, tmp_path, monkeypatch, capsys):
    recipe = shared(at_work(app))
    (tmp_path / "weather.csv").write_text(WEATHER, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["script.py"])
    expected = tc.fit(tc.read_table("weather.csv", target="play"), Recipe(recipe.steps[2:])).tree
    notebook = json.loads(to_notebook(recipe))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for code in (to_script(recipe), "\n".join(cells)):
        made: dict = {}
        exec(compile(code, "script", "exec"), made)
        assert made["tree"].to_dict() == expected.to_dict()
    assert f"Exported: **{expected.n_leaves} leaves**" in app.text()


def test_a_link_opens_the_sample_with_the_steps(app, app_of):
    app.sample("iris")
    table = read_sample("iris")
    priors = {**app.record().choices, "costs for": (table.target, table.classes)}
    app.change(grow=Grow("cart", (("max_depth", 2), ("priors", (0.2, 0.3, 0.5)))), choices=priors)
    [address] = [code.value for code in app.with_menus().go("grow").at.code if "recipe=" in code.value]
    other = app_of()
    other.follow()
    other.at.query_params["recipe"] = parse_qs(urlsplit(address).query)["recipe"][0]
    other.run()
    assert chosen(other.go("grow")) == chosen(app), "priors are for these classes: they stay"
    assert "recipe" not in other.at.query_params


@pytest.mark.parametrize("text", ["", "x", "!!!", "eJw", "A" * 2000])
def test_a_broken_link_says_so(app, text):
    app.at.query_params["recipe"] = text
    app.run()
    assert bool(app.errors()) == bool(text)
    assert app.has("sample")


def test_a_saved_recipe_is_done_on_the_table_that_is_loaded(app, app_of):
    saved = shared(at_work(app)).to_json().encode()
    other = app_of()
    other.upload(WEATHER.encode(), "weather.csv")
    other.uploader("upload").upload("recipe.json", saved, "application/json")
    other.run()
    assert other.record().grow == app.record().grow
    assert other.record().edits == app.record().edits


def with_findings(app):
    """A recipe tried on folds; the work file of it."""
    at_work(app)
    with_names(app)
    app.put(choices={**app.record().choices, "experiment folds": 3, "experiment recipes": ["in force"]})
    app.go("experiments").click("try").run()
    assert [finding.title for finding in app.own["findings"]] == ["Recipes on the same folds"]
    return app


def open_work(app, content: bytes, table: str = WEATHER):
    app.go("data").upload(table.encode(), "weather.csv")
    app.uploader("upload").upload("work.json", content, "application/json")
    return app.run()


def work_file(app) -> bytes:
    note = note_of(app)
    return json.dumps({**note, **json.loads(note["recipe"])}).encode()


def test_a_work_file_brings_results_history_and_choices_back(app, app_of):
    written = []
    with pytest.MonkeyPatch.context() as patch:
        make = saved_session.work_file
        patch.setattr(exports.saved_session, "work_file", lambda page: written.append(make(page)) or b"")
        with_findings(app.with_menus())
    other = open_work(app_of(), written[-1]())
    assert chosen(other) == chosen(app)
    assert other.own["findings"] == app.own["findings"]
    assert [chosen_of(r) for r in other.own["past"]] == [chosen_of(r) for r in app.own["past"]]
    assert "fog" not in written[-1]().decode(), "no value of the table"
    other.go("experiments").set("experiment", "found")
    [told] = [e.label for e in other.at.expander if e.label.startswith("Recipes on the same folds")]
    assert "other" not in told
    assert len(other.at.get("image")) == 1
    assert "seed 0" in other.text()


def test_results_of_other_rows_are_marked(app, app_of):
    other = open_work(app_of(), work_file(with_findings(app)), WEATHER.replace("fog", "sun"))
    other.go("experiments").set("experiment", "found")
    assert any("of other rows" in e.label for e in other.at.expander)
    other.click("forget_found")
    assert other.own["findings"] == ()


def test_a_work_file_without_results_or_with_damaged_ones_loses_nothing(app, app_of):
    made = json.loads(work_file(with_findings(app)))
    other = with_findings(app_of())
    before = other.own["findings"]
    for found, said in ((None, False), ([], False), ([{"kind": 3}], True)):
        open_work(other, json.dumps(made | {"findings": found}).encode())
        assert other.own["findings"] == before
        assert chosen(other) == chosen(app)
        assert any("damaged" in text for text in other.errors()) == said


def test_another_server_brings_results_back(app, app_of):
    note = note_of(with_findings(app))
    cache.forget_session(note["secret"])
    other = again(app_of, note).click("Go on with it")
    other.uploader("upload").upload("weather.csv", WEATHER.encode(), "text/csv")
    other.run()
    assert other.own["findings"] == app.own["findings"]


HISTORY, RAW, AWAITED = ("past", "future"), "raw table", "awaited"
ODD = st.sampled_from([None, -1, 1e308, True, "", "sky", "no such", [], [["sky"]], {}, {"step": "grow"}])


def places(value, at=()) -> list[tuple]:
    """The way to every part of a JSON value but the whole."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way for key, part in parts for way in ((*at, key), *places(part, (*at, key)))]


@pytest.fixture
def opens_damaged(app, app_of):
    """Opens the recipe with one part changed or gone; a message, or what it says is done, and undo is as it was."""
    recipe = json.loads(shared(at_work(app)).to_json())
    other = app_of()
    other.upload(WEATHER.encode(), "weather.csv")
    other.change(grow=Grow("c4.5", (("max_depth", 2),)))
    kept = lambda: [other.own[name] for name in HISTORY]  # noqa: E731

    def opens(drawn) -> None:
        damaged = json.loads(json.dumps(recipe))
        *way, last = drawn.draw(st.sampled_from(places(recipe)))
        part = damaged
        for key in way:
            part = part[key]
        if drawn.draw(st.booleans()):
            part[last] = drawn.draw(ODD)
        else:
            del part[last]
        before = other.record(), kept()
        other.uploader("upload").upload("recipe.json", json.dumps(damaged).encode(), "application/json")
        other.run()
        assert other.own[RAW].n_rows == 80
        if (other.record(), kept()) != before:  # it could be done; a setting that cannot be is said by the page
            other.change(**{name: getattr(before[0], name) for name in KEPT})
        else:
            assert other.errors() or other.own[AWAITED] or damaged == recipe

    return opens


def test_a_damaged_recipe_gives_a_message_and_changes_nothing(opens_damaged):
    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def check(drawn):
        opens_damaged(drawn)

    check()


def test_a_recipe_of_other_columns_changes_nothing(app, app_of):
    saved = shared(at_work(app)).to_json().encode()
    other = app_of()
    other.upload(b"a,play\n1,yes\n2,no\n" * 5, "weather.csv")
    before = other.record()
    other.uploader("upload").upload("recipe.json", saved, "application/json")
    other.run()
    assert any("sky" in text for text in other.errors())
    assert other.record().grow == before.grow
    newer = saved.replace(b'"schema_version": 2', b'"schema_version": 7')
    for damaged, words in ((b"\xff not JSON", "not a recipe"), (newer, "newer version"), (saved[:-9], "not a recipe")):
        other.uploader("upload").upload("recipe.json", damaged, "application/json")
        other.run()
        assert any(words in text for text in other.errors())
        assert other.record().grow == before.grow
