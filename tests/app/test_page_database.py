"""Tables that stay where they are, on every page: opened, grown from counts, judged, and shown by a sample."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from pages import PAGES
from pages.shared.bench import exports
from pages.shared.database import external_table, place
from pages.shared.server import cache
from pages.shared.trees import first_recipe
from treecore.data import Ordinal
from treecore.database.connection import ConnectionLost
from treecore.errors import TreecoreError
from treecore.recipe import Grow, Prepare, Prune, Take

ibis = pytest.importorskip("ibis")
N = 3000
SMALL = Grow("cart", (("max_depth", 2), ("min_rows_leaf", 50), ("missing", "majority")))


def frame_of() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"a": rng.normal(size=N), "k": rng.integers(0, 5, N), "w": rng.choice(["x", "y", "z"], N)})
    frame["price"] = frame.a * 3 + frame.k + rng.normal(size=N)
    frame["y"] = np.where(frame.a + (frame.w == "x") + rng.normal(size=N) * 0.7 > 0.5, "yes", "no")
    return frame


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with Parquet files in one below it, and a database."""
    path = tmp_path_factory.mktemp("owner")
    (path / "rows").mkdir()
    frame = frame_of()
    for part in (0, 1):
        frame[part::2].to_parquet(path / "rows" / f"{part}.parquet")
    written = ibis.duckdb.connect(path / "sales.duckdb")
    written.raw_sql(f"create table orders as from '{path}/rows/*.parquet'")
    written.disconnect()
    return path


@pytest.fixture
def allowed(made, monkeypatch):
    """The owner allows this folder, which the tests leave as it is; trees are small, as each level asks the engine."""
    monkeypatch.setenv(place.FOLDER, str(made))
    monkeypatch.setattr(external_table, "N_DRAWN", 600)
    monkeypatch.setattr(external_table, "AGAIN", 0.0)
    monkeypatch.setattr(first_recipe, "IN_AN_ENGINE", SMALL)
    return made


@pytest.fixture
def folder(allowed, tmp_path, monkeypatch):
    """A folder of one's own, to be changed: nothing is known of it."""
    shutil.copytree(allowed, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv(place.FOLDER, str(tmp_path))
    return tmp_path


def open_place(app, text: str):
    app.follow()
    app.widget("place").set_value(text)
    return app.click("open_place")


def open_by(app, text: str, **chosen):
    """A table that is grown by this recipe from the start."""
    open_place(app, text).follow(False)
    app.put(**chosen)
    return app


def test_nothing_can_be_opened_unless_the_owner_says_so(app):
    assert not app.has("place")


def test_every_page_shows_a_table_that_stays_where_it_is(allowed, app):
    open_place(app.with_menus(), "rows")
    assert app.errors() == []
    assert "3,000 rows, 5 columns" in app.text()
    assert not app.record().split.stratify, "its rows are parted by their hash"
    assert "then at the best value within the two bins beside it" in app.text()
    for page in PAGES:
        app.go(page)
        assert app.at.title[0].value == PAGES[page].heading
        assert app.errors() == []
        assert page == "data" or "of a sample of " in app.text(), "what is no count of all rows is named"


def test_counts_of_columns_are_said_to_be_of_the_sample(allowed, app):
    labels = "".join(table.proto.columns for table in open_place(app, "rows").at.dataframe)
    assert "missing in the sample" in labels
    assert "values in the sample" in labels


def test_a_tree_of_numbers_in_a_database_counts_all_rows(allowed, app):
    open_place(app, "sales.duckdb::orders").set("target", "price").go("size_and_pruning")
    assert app.errors() == []
    stats = app.go("compare").at.dataframe[0].value[""]
    rows = [int("".join(c for c in s.split("(")[1] if c.isdigit())) for s in stats if "rows)" in s]
    assert sum(rows) == N, "train, validation and test together"


def test_digits_that_an_engine_keeps_as_text_are_grown_on_as_levels(folder, app):
    written = ibis.duckdb.connect(folder / "sales.duckdb")
    written.raw_sql("create table digits as select k % 3 || '' shelf, a, y from orders")
    written.disconnect()
    open_place(app, "sales.duckdb::digits").go("grow")
    assert app.errors() == []
    assert "leaves" in app.text()


@pytest.mark.parametrize("kind", ["ordinal", Ordinal(["mid", "low", "high"])])
def test_levels_have_the_order_in_the_engine_that_the_page_shows(folder, app, kind):
    written = ibis.duckdb.connect(folder / "sales.duckdb")
    written.raw_sql("create table ranks as select ['low', 'mid', 'high'][1 + k % 3] rank, a, y from orders")
    written.disconnect()
    cache.clear()
    open_by(app, "sales.duckdb::ranks", kinds=(("rank", kind),), target="y", grow=SMALL).go("grow")
    assert app.errors() == []
    made = [kept.value for kept in cache._results.values()]
    sample = [table for table in made if isinstance(table, tc.Table) and "rank" in table.column_names][-1]
    rank = [f for tree in made if isinstance(tree, tc.Tree) for f in tree.schema.features if f.name == "rank"][-1]
    levels = ("low", "mid", "high") if kind == "ordinal" else kind.levels
    assert (rank.kind, rank.levels, sample.column("rank").levels) == ("ordinal", levels, levels)


@pytest.mark.parametrize("place", ["../../etc/passwd", "/etc/passwd", "sales.duckdb::none", "http://example.org/a.csv",
                                   "postgres://me:topsecret@elsewhere/shop::orders"])  # fmt: skip
def test_what_is_not_allowed_or_not_there_is_said(allowed, app, place):
    open_place(app, place)
    assert len(app.errors()) == 1
    assert "topsecret" not in app.widget("place").value + "".join(app.errors()) + str(dict(app.at.session_state))
    assert app.has("open_place"), "another place can be given"


def test_files_of_sqlite_are_the_owners_files_too(folder):
    (folder / "shop.db").write_bytes(b"")
    assert place.allowed("sqlite://shop.db::orders") == f"{folder / 'shop.db'}::orders"
    with pytest.raises(TreecoreError, match="no such"):
        place.allowed("sqlite:///etc/passwd::orders")


def test_links_do_not_lead_out_of_the_owners_folder(folder):
    (folder / "rows" / "2.parquet").symlink_to("/etc/passwd")
    with pytest.raises(TreecoreError, match="links"):
        place.allowed("rows")
    with pytest.raises(TreecoreError, match="no such"):
        place.allowed("rows/2.parquet")


def test_connections_are_allowed_by_host(monkeypatch):
    monkeypatch.setenv(place.HOSTS, "db.example.org")
    assert place.allowed("postgres://a:b@db.example.org/shop::orders") == "postgres://a:b@db.example.org/shop::orders"
    for address in (
        "postgres://a@other.org/shop::t",
        "postgres://a@db.example.org/shop",
        "mysql://db.example.org@x/s::t",
    ):
        with pytest.raises(TreecoreError):
            place.allowed(address)
    with pytest.raises(TreecoreError, match="does not allow its files"):
        place.allowed("rows")


def test_a_column_that_vanishes_is_said_and_nothing_is_lost(folder, app):
    open_place(app, "rows")
    kept = {file: file.read_bytes() for file in (folder / "rows").iterdir()}
    for file in kept:
        pd.read_parquet(file).drop(columns="a").to_parquet(file)
    assert any("The engine says" in error for error in app.go("grow").errors())
    for file, content in kept.items():
        file.write_bytes(content)
    assert app.go("data").go("grow").errors() == []


def test_what_cannot_be_counted_is_said(allowed, app):
    open_place(app, "rows").go("grow")
    for changed in ({"grow": Grow("cart")}, {"prepare": Prepare(bins=(("a", "equal_width", 3),))},
                    {"weights": "price"}, {"edits": (Take((), "", "k", 2.5),)}):  # fmt: skip
        before = {name: getattr(app.record(), name) for name in changed}
        assert len(set(app.change(**changed).errors())) == 1
        assert app.change(**before).errors() == []


@pytest.mark.parametrize("missing", ["its own", "majority"])
def test_c45_is_judged_where_no_row_lacks_a_value(allowed, app, missing):
    chosen = (("max_depth", 2), *([("missing", missing)] if missing == "majority" else ()))
    open_by(app, "rows", grow=Grow("c4.5", chosen))
    assert app.go("size_and_pruning").errors() == []
    assert app.record().grow.preset == "c4.5"


def test_a_size_is_chosen_by_folds_in_the_engine(allowed, app):
    folds = Prune("cost_complexity", (("choose", "cross-validation"), ("folds", 2)))
    open_by(app, "rows", grow=SMALL, prune=folds)
    assert app.go("size_and_pruning").errors() == []
    assert "by 2-fold cross-validation" in app.text()


def test_cuts_between_bins_are_moved_or_not_as_is_chosen(folder, app, monkeypatch):
    asked, open_it = [], external_table.table_of
    monkeypatch.setattr(external_table, "table_of", lambda *given: asked.append(given[-1]) or open_it(*given))
    open_place(app, "rows").go("grow").all_folds()
    assert "cut at the best value beside each cut" in app.text()
    for chosen, said in (("never", "Your tree is cut between bins."), ("always", "at the best value beside each cut")):
        assert app.set("refine", chosen).errors() == []
        assert app.widget("refine").label.endswith("●")
        assert said in app.text()
        assert f"cuts between bins at the best value: {chosen}" in app.text()
    assert asked == [True, False, True]
    app.click("undo")
    assert app.widget("refine").value == "never"
    assert app.click("redo").widget("refine").value == "always"
    assert "cuts between bins" in "".join(button.label for button in app.at.button)


def test_the_report_says_how_numbers_were_cut(allowed, app, monkeypatch):
    given, write = [], exports.to_report
    monkeypatch.setattr(exports, "to_report", lambda *told: given.append(write(*told)) or given[-1])
    monkeypatch.setattr(exports.st, "download_button", lambda label, make, *_, **__: label == "Report" and make())
    open_place(app.with_menus(), "rows").put(refine="never")
    app.go("grow")
    assert "cuts between bins at the best value: never." in given[-1]


@pytest.mark.parametrize("others", [["a"], ["a", "k"]])
def test_a_target_without_a_value_is_said_and_what_was_taken_in_its_place(folder, app, others):
    frame_of()[others].assign(y=pd.Series([None] * N, dtype="string")).to_parquet(folder / "empty.parquet")
    said = "Every value of 'y' is missing, so it cannot be predicted (looked at: the sample)"
    said += f": “{others[-1]}” was taken in its place."
    open_place(app, "empty.parquet").go("grow")
    told = app.errors() if len(others) == 1 else [app.text()]
    assert len(told) == 1
    assert said in told[0]
    if len(others) == 1:
        assert "give a table in which the target has values" in told[0]
        assert "No feature is left" in told[0]
    else:
        assert app.errors() == []


def test_what_needs_the_rows_is_said_once_and_a_button_applies_the_remedy(folder, app, monkeypatch):
    asked, open_it, tried, grow = [], external_table.table_of, [], external_table.tc.grow
    monkeypatch.setattr(external_table, "table_of", lambda *given: asked.append(given) or open_it(*given))
    monkeypatch.setattr(external_table.tc, "grow", lambda *given, **more: tried.append(given) or grow(*given, **more))
    frame_of().assign(a=lambda f: f.a.mask(f.k == 2)).to_parquet(folder / "gaps.parquet")
    open_place(app, "gaps.parquet").go("grow").set("preset", "c4.5").set("missing", "fractional")
    refused, n_asked, n_tried = app.errors(), len(asked), len(tried)
    assert len(refused) == 1
    assert "missing values cannot be had from sums alone" in refused[0]
    assert app.go("size_and_pruning").errors() == refused
    assert len(asked) == n_asked, "the columns are not described anew to refuse once more"
    assert len(tried) > n_tried, "no refusal is kept: it is tried again"
    assert app.click("take_instead").errors() == []
    assert dict(app.record().grow.settings)["missing"] == "majority"
    assert not app.has("take_instead")


def test_what_an_engine_had_no_answer_to_is_tried_again(folder, app, monkeypatch):
    grow, lost = external_table.tc.grow, ConnectionLost("The connection was lost", where="Table", remedy="Try again")

    def raised(*_, **__):
        raise lost

    monkeypatch.setattr(external_table.tc, "grow", raised)
    assert len(open_place(app, "rows").go("grow").errors()) == 1
    monkeypatch.setattr(external_table.tc, "grow", grow)
    assert app.click("try_again").errors() == []
    assert not app.has("try_again")


def with_work(app, content: bytes):
    app.uploader("upload").upload("work.json", content, "application/json")
    return app.run()


def test_a_work_file_brings_the_steps_on_an_opened_table_back(folder, app, monkeypatch):
    written, make = [], exports.saved_session.work_file
    monkeypatch.setattr(exports.saved_session, "work_file", lambda page: written.append(make(page)) or b"")
    limits = Grow("cart", (("missing", "majority"), ("max_depth", 3)))
    open_place(app.with_menus(), "rows").go("grow").change(grow=limits, refine="never")
    work = written[-1]()
    assert str(folder).encode() not in work
    assert "3,000 rows" in with_work(app.go("data"), work).text(), "its rows stay where they are"
    other = with_work(type(app)().go("data"), work)
    pd.read_parquet(folder / "rows" / "1.parquet").iloc[1:].to_parquet(folder / "rows" / "1.parquet")
    assert open_place(other, "rows").errors() == []
    assert (other.record().grow, other.record().refine) == (limits, "never")
    assert not other.record().split.stratify
    assert "2,999 rows" in other.go("data").text()
    assert "again: its settings" not in other.text()
    older = json.loads(work)
    del older["steps"][0]["refine"]
    assert with_work(app.go("data"), json.dumps(older).encode()).record().refine == "by size"


def to_half(folder, name="1.parquet"):
    file = folder / "rows" / name
    pd.read_parquet(file).iloc[::2].to_parquet(file)


def test_a_table_that_changes_after_it_was_opened_is_said_and_opened_again(folder, app):
    open_place(app, "rows").change(refine="never", target="y")
    to_half(folder)
    for page in ("grow", "size_and_pruning", "compare", "data"):
        assert app.go(page).errors() == []
        assert "Files 'rows'**: it has changed since it was opened: 3,000 rows then, 2,250 now." in app.text()
    limits = Grow("cart", (("max_depth", 2), ("missing", "majority")))
    app.go("grow").change(grow=limits)
    assert app.errors() == []
    n_past = len(app.own["past"])
    assert "has changed" not in app.click("open_again").text()
    assert app.errors() == []
    assert (app.record().grow, app.record().refine, app.record().target) == (limits, "never", "y")
    assert len(app.own["past"]) == n_past
    assert "2,250 rows" in app.go("data").text()
    assert "3,000 rows" not in app.text()


def test_a_change_is_said_though_only_a_later_count_finds_it(folder, app):
    open_place(app, "rows").go("grow")
    assert "has changed" not in app.text()
    to_half(folder)
    app.change(prune=Prune("cost_complexity", (("alpha", 0.01),)))
    assert "3,000 rows then, 2,250 now" in app.text()
    assert app.errors() == []


def test_files_that_were_written_anew_with_as_many_rows_are_said(folder, app):
    open_place(app, "rows")
    frame = pd.read_parquet(folder / "rows" / "0.parquet")
    frame.assign(a=frame.a + 1).to_parquet(folder / "rows" / "0.parquet")
    assert "its files were written anew, with as many rows" in app.go("grow").text()


def test_a_table_that_is_gone_or_not_allowed_any_more_is_not_opened_again(folder, app, monkeypatch):
    open_place(app, "rows")
    to_half(folder)
    app.go("grow")
    monkeypatch.setenv(place.FOLDER, str(folder / "elsewhere"))
    assert "no such file or folder" in app.click("open_again").errors()[0]
    assert "Your tree stays" in app.text()


def test_a_table_that_has_lost_all_its_rows_is_said(folder, app):
    open_place(app, "rows")
    for file in (folder / "rows").iterdir():
        pd.read_parquet(file).iloc[:0].to_parquet(file)
    assert "no rows to train on" in app.go("grow").errors()[0]
    assert app.has("try_again")
