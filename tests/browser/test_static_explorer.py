"""The explorer without a server, from the disk with the network off: a table, its tree, a page and a recipe to keep."""

import json

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.browser.explorer_scripts import alike, constants
from tests.browser.test_app_dark import barriers
from tests.hostile import NAMES
from treecore.data.samples import SAMPLES
from treecore.export.static_explorer import BUILT_IN, explorer_page
from treecore.figures import percent
from treecore.judging.ranking import ranking_by
from treecore.notebook.exploration import first_steps
from treecore.recipe import Data, Read, Recipe, Split
from treecore.recipe_data import read

pytestmark = pytest.mark.browser
LIMIT = 480_000
"""Bytes of the page."""
FOCUS = "Blocked autofocusing"
"""Of a button in the frame, which a browser leaves where it is until somebody asks for it."""
WINDOW = {"width": 1366, "height": 768}
SETTLED = """(title) => !document.getElementById("work").hidden && document.getElementById("progress").hidden
    && document.getElementById("tree").srcdoc.includes(title)"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("explorer") / "explorer.html"
    path.write_text(explorer_page(), "utf-8")
    return path


@pytest.fixture
def offline(chromium, file):
    """opened(**settings of the context) -> the page; it may ask for nothing and must not fail."""
    contexts, asked, faults = [], [], []

    def opened(**more):
        contexts.append(chromium.new_context(**{"viewport": WINDOW, "offline": True, "bypass_csp": False} | more))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on(
            "console",
            lambda line: faults.append(line.text) if line.type == "error" and FOCUS not in line.text else None,
        )
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(("file://", "blob:", "about:"))] == []
    assert faults == []


def customers(n: int = 300) -> pd.DataFrame:
    """A table of our own: kinds of every sort, gaps, an identifier, a date, classes that follow from them."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "customer id": np.arange(1000, 1000 + n), "age": rng.integers(18, 80, n).astype(float),
            "income, net": rng.normal(3000, 900, n).round(2), "<b>plan": rng.choice(["low", "medium", "high"], n),
            "region": rng.choice(["north", "south", "east"], n),
            "joined": [f"2024-01-{d:02}" for d in rng.integers(1, 29, n)],
        }
    )  # fmt: skip
    leaves = (frame.age < 35) & (frame.region != "north") | (frame["income, net"] < 2000)
    frame["churn"] = np.where(leaves ^ (rng.random(n) < 0.1), "yes", "no")
    frame.loc[rng.random(n) < 0.08, "age"] = np.nan
    frame.loc[rng.random(n) < 0.05, "region"] = np.nan
    frame.loc[[3, 17], "churn"] = np.nan
    return frame


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "our customers.csv"
    customers().to_csv(path, index=False)
    return path


def give(page, *paths, title: str = "") -> None:
    page.set_input_files("#file", paths)
    page.wait_for_function(SETTLED, arg=title or paths[0].stem)


def shown(page) -> dict:
    """The constants of the page in the frame."""
    return constants(page.evaluate("() => document.getElementById('tree').srcdoc"))


def saved(page, button: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return download.value.path().read_text("utf-8")


def follow(recipe: Recipe, path) -> tc.Tree:
    rows = read(path, recipe.last(Read) or Read(), recipe.last(Data))
    return tc.fit(rows, recipe).tree


def change(page, action) -> None:
    """Do it, and wait for the tree that follows from it."""
    page.evaluate("() => { document.getElementById('tree').srcdoc = ''; }")
    action()
    page.wait_for_function(SETTLED, arg="<title>")


def grow_all(page) -> None:
    """CART of all rows, with all its branches."""
    empty = "for (const id of ['prune', 'validation', 'test', 'min_rows_leaf']) find(id).value = '';"
    chosen = "find('preset').value = 'cart'; find('preset').dispatchEvent(new Event('change'));"
    change(page, lambda: page.evaluate(f"() => {{ {empty} {chosen} }}"))


def test_a_table_becomes_a_tree_that_can_be_kept(offline, table, tmp_path):
    page = offline(accept_downloads=True)
    give(page, table)
    assert page.locator("#target").input_value() == "churn"
    assert "2 rows without a target are left out" in page.locator("#figures").inner_text()
    grow_all(page)
    change(page, lambda: page.locator("#preset").select_option(label="C4.5"))
    change(page, lambda: page.locator("#min_rows_leaf").fill("4") or page.locator("#min_rows_leaf").press("Tab"))
    change(page, lambda: page.locator("#validation").fill("30") or page.locator("#validation").press("Tab"))
    change(page, lambda: page.locator("#seed").fill("7") or page.locator("#seed").press("Tab"))
    recipe = Recipe.from_json(saved(page, "Save the recipe"))
    assert recipe.last(Split) == Split(train=0.7, validation=0.3, test=0.0, seed=7)
    assert recipe.growth().min_rows_leaf == 4
    assert recipe.last(Data).features == ("age", "income, net", "<b>plan", "region")
    tree = follow(recipe, table)
    assert tree.n_nodes > 8
    expected = constants(tc.export(tree, "html", name="our customers"))
    assert alike(shown(page), expected)

    kept = tmp_path / "kept.html"
    kept.write_text(saved(page, "Save this page"), "utf-8")
    reader = page.context.new_page()
    reader.goto(kept.as_uri())
    reader.locator(".node").first.wait_for()
    rows = customers().drop(columns="churn").head(3)
    for at, answer in enumerate(tree.predict(rows)):
        told = reader.evaluate("(row) => predict(row)", json.loads(rows.iloc[at].to_json()))
        assert told == answer


@pytest.mark.parametrize("name", BUILT_IN)
def test_samples_open_as_the_app_opens_them(offline, name):
    """Grown by a textbook's algorithm on all rows; or as folds prefer, and pruned to the size they choose."""
    sample, page = SAMPLES[name], offline(accept_downloads=True)
    page.get_by_role("button", name=sample.label, exact=True).click()
    page.wait_for_function(SETTLED, arg=name)
    rows = tc.read_table(sample.path, target=sample.target, kinds=sample.kinds)
    expected = tc.grow(rows, sample.preset) if sample.preset else tc.fit(rows, first_steps(rows)).tree
    recipe = Recipe.from_json(saved(page, "Save the recipe"))
    made = tc.fit(rows, recipe)
    assert str(made.tree) == str(expected)
    sizes = shown(page)["SIZES"]
    assert sum(until > sizes["at"] for until in sizes["until"]) == expected.n_nodes
    assert sizes["leaves"][sizes["at"]] == expected.n_leaves
    assert page.locator("#figures").inner_text().startswith(f"{expected.n_leaves} leaves")
    inside = page.frame_locator("#tree")
    inside.locator("#all").click()
    assert inside.locator(".node").count() == expected.n_nodes
    if not sample.preset:
        assert made.tree.n_leaves < made.grown.n_leaves
        path = sample.path.with_name(f"{name}-recipe.json")  # with its file the recipe makes the same page again
        page.set_input_files("#file", [
            {"name": sample.file, "mimeType": "text/csv", "buffer": sample.path.read_bytes()},
            {"name": path.name, "mimeType": "application/json", "buffer": recipe.to_json().encode()},
        ])  # fmt: skip
        page.wait_for_function("() => document.getElementById('progress').hidden")
        change(page, lambda: page.locator("#seed").fill("0") or page.locator("#seed").press("Tab"))
        assert shown(page)["SIZES"] == sizes
        change(page, lambda: page.locator("#prune").select_option(""))
        assert shown(page)["SIZES"]["at"] == 0


def test_another_target_gets_a_tree_of_its_own_size(offline):
    """What folds chose for the first target is chosen anew; what somebody has set stays."""
    sample, page = SAMPLES["titanic"], offline(accept_downloads=True)
    page.get_by_role("button", name=sample.label, exact=True).click()
    page.wait_for_function(SETTLED, arg="titanic")
    change(page, lambda: page.locator("#target").select_option("fare"))
    rows = tc.read_table(sample.path, target="fare", kinds={k: v for k, v in sample.kinds.items() if k != "fare"})
    expected = tc.fit(rows, first_steps(rows)).tree
    assert shown(page)["SIZES"]["leaves"][shown(page)["SIZES"]["at"]] == expected.n_leaves
    change(page, lambda: page.locator("#prune").select_option(""))
    change(page, lambda: page.locator("#target").select_option("survived"))
    assert page.locator("#prune").input_value() == ""


def test_held_back_rows_are_judged_as_the_library_judges_them(offline, table):
    page = offline()
    give(page, table)
    grow_all(page)
    change(page, lambda: page.locator("#validation").fill("25") or page.locator("#validation").press("Tab"))
    rows = tc.read_table(table, target="churn").without_missing_target()
    train, validation, _ = rows.split(tc.Roles(train=0.75, validation=0.25, test=0.0))
    tree = tc.grow(train)
    told = page.locator("#figures").inner_text()
    for role, part in (("training", train), ("validation", validation)):
        right = np.mean(np.asarray(tree.predict(part)) == part.target_column.labels())
        assert f"{100 * right:.1f}\u00a0% on {part.n_rows} {role} rows" in told


def test_a_rare_class_is_judged_by_how_well_it_is_told_apart(offline, tmp_path):
    rng = np.random.default_rng(9)
    x, z = rng.uniform(0, 1, 800), rng.choice(["a", "b", "c"], 800)
    frame = pd.DataFrame(
        {"x": x.round(3), "z": z, "left": np.where(rng.random(800) < 0.03 + 0.3 * (x > 0.8), "yes", "no")}
    )
    path = tmp_path / "rare.csv"
    frame.to_csv(path, index=False)
    page = offline()
    give(page, path, title="left of rare")
    grow_all(page)
    change(page, lambda: page.locator("#min_rows_leaf").fill("8") or page.locator("#min_rows_leaf").press("Tab"))
    table = tc.read_table(path, target="left")
    tree = tc.grow(table, min_rows_leaf=8)
    found = ranking_by(tree, table, tree.classes.index("yes"))
    told = page.locator("#figures").inner_text()
    assert (
        f"AUC {found.area:.2f}, riskiest 10 % hold {percent(found.captured(0.1))} of {found.positives:.0f} “yes”"
        in told
    )
    assert "on 800 training rows (accuracy" in told


def test_numbers_are_judged_too(offline, tmp_path):
    page = offline()
    page.get_by_role("button", name="Cars").click()
    page.wait_for_function(SETTLED, arg="mpg of mpg")
    grow_all(page)
    told = page.locator("#figures").inner_text()
    sample = tc.read_table(
        "assets/samples/mpg.csv", target="mpg", kinds={"cylinders": tc.Ordinal(["3", "4", "5", "6", "8"])}
    )
    tree = tc.grow(sample)
    answers, truth = np.asarray(tree.predict(sample)), sample.target_column.values()
    rmse, r2 = np.sqrt(np.mean((answers - truth) ** 2)), 1 - np.mean((answers - truth) ** 2) / np.var(truth)
    assert f"RMSE {rmse:.4g}, R² {r2:.3f} on 398 training rows" in told
    assert page.locator("#preset option").all_inner_texts() == ["CART", "ID3", "C4.5"]
    page.locator("#preset").select_option("id3")
    page.locator("#fault").wait_for()
    assert page.locator("#fault").inner_text() == (
        "ID3 is for classes, and “mpg” holds numbers. Choose CART, or make the column nominal."
    )
    assert "mpg of mpg" in page.evaluate("() => document.getElementById('tree').srcdoc")  # nothing is lost by it


def test_kinds_levels_and_columns_are_chosen(offline, table):
    page = offline(accept_downloads=True)
    give(page, table)
    grow_all(page)
    page.locator("#read summary").click()
    change(page, lambda: page.get_by_label("Kind of region").select_option("ordinal"))
    levels = page.get_by_label("Levels of region")
    assert [text.split()[0] for text in levels.locator("li").all_inner_texts()] == ["east", "north", "south"]
    change(page, lambda: page.get_by_role("button", name="Move south before north").click())
    change(page, lambda: page.get_by_label("Use income, net").uncheck())
    change(page, lambda: page.get_by_label("Kind of <b>plan").select_option("nominal"))
    recipe = Recipe.from_json(saved(page, "Save the recipe"))
    kinds = recipe.last(Data).column_kinds()
    assert kinds["region"].levels == ("east", "south", "north")
    assert kinds["<b>plan"] == "nominal"
    assert alike(shown(page), constants(tc.export(follow(recipe, table), "html", name="our customers")))
    page.get_by_label("Kind of joined").select_option("numeric")
    page.locator("#fault").wait_for()
    assert "“2024-01" in page.locator("#fault").inner_text()
    assert page.locator("b").count() == 0


def test_a_recipe_that_comes_with_the_table_is_followed_or_refused(offline, table, tmp_path):
    page, path = offline(), tmp_path / "steps.json"
    grow = tc.Recipe.from_json(
        json.dumps(
            {
                "schema_version": 2,
                "steps": [
                    {"step": "data", "target": "region", "features": ["age", "churn"], "kinds": {"age": "nominal"}},
                    {"step": "split", "train": 0.5, "validation": 0.25, "test": 0.25, "seed": 3},
                    {"step": "grow", "preset": "id3", "settings": {"max_depth": 2, "criterion": "gini"}},
                ],
            }
        )
    )
    path.write_text(grow.to_json(), "utf-8")
    give(page, table, path, title="region of our customers")
    assert alike(shown(page), constants(tc.export(follow(grow, table), "html", name="our customers")))
    assert page.locator("#test").input_value() == "25"
    pruned = Recipe((*grow.steps, tc.recipe.Prune("error_based")))
    path.write_text(pruned.to_json(), "utf-8")
    page.set_input_files("#file", [table, path])
    page.locator("#fault").wait_for()
    assert page.locator("#fault").inner_text().startswith("Step 4 of the recipe (prune): ")
    path.write_text("{}", "utf-8")
    page.set_input_files("#file", path)
    page.wait_for_function("() => document.getElementById('fault').textContent.includes('no recipe')")
    assert "region of our customers" in page.evaluate("() => document.getElementById('tree').srcdoc")


def test_a_file_that_is_refused_leaves_the_former_one(offline, table, tmp_path):
    page, odd = offline(), tmp_path / "odd.csv"
    give(page, table)
    odd.write_bytes(b"a,b\n1,2\n3\n")
    page.set_input_files("#file", odd)
    page.locator("#fault").wait_for()
    assert page.locator("#fault").inner_text() == (
        "Line 3 has 1 fields, the names are 2. Correct the line, or open the file in the app."
    )
    change(page, lambda: page.locator("#preset").select_option("id3"))
    assert "our customers" in page.frame_locator("#tree").locator("h1").inner_text()


def stopped(page, path):
    """The page while it grows the first tree of a table, which takes long, stopped."""
    rng = np.random.default_rng(0)
    wide = pd.DataFrame({f"x{i}": rng.normal(size=60_000) for i in range(12)})
    wide.assign(y=rng.integers(0, 2, 60_000)).to_csv(path, index=False)
    page.set_input_files("#file", path)
    page.get_by_role("button", name="Stop").click(timeout=60_000)
    return page


def test_growing_can_be_stopped(offline, tmp_path):
    page = stopped(offline(), tmp_path / "noise.csv")
    assert page.locator("#status").inner_text().startswith("Stopped.")
    change(page, lambda: page.locator("#max_depth").fill("1") or page.locator("#max_depth").press("Tab"))
    assert "1 leaf, pruned from 2, depth 0." in page.locator("#figures").inner_text()


def test_what_is_set_before_the_first_tree_stays(offline, tmp_path):
    page = stopped(offline(), tmp_path / "noise.csv")
    change(page, lambda: page.locator("#min_rows_leaf").fill("15000") or page.locator("#min_rows_leaf").press("Tab"))
    assert page.locator("#min_rows_leaf").input_value() == "15000"
    assert page.locator("#prune").input_value() == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("window", [WINDOW, {"width": 390, "height": 844}, {"width": 1920, "height": 1080}], ids=str)
def test_nothing_keeps_people_out(offline, table, scheme, window):
    page = offline(color_scheme=scheme, viewport=window, bypass_csp=True)
    assert barriers(page) == []
    give(page, table)
    page.locator("#read summary").click()
    page.frame_locator("#tree").locator(".node").first.wait_for()
    assert barriers(page) == []
    wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    paper = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(21, 24, 27)") is (scheme == "dark")


def test_it_is_walked_by_keyboard(offline, table):
    page = offline()
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.id") == "file"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function(SETTLED, arg="play_tennis")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.id") == "preset":
            break
    change(page, lambda: page.keyboard.press("ArrowDown"))
    assert page.locator("#preset").input_value() == "c4.5"  # the table opens with ID3, as textbooks grow it


def test_hostile_names_stay_text(offline, tmp_path):
    page, path, n = offline(), tmp_path / "names.csv", 60
    frame = pd.DataFrame({name: np.arange(n) % (at + 2) for at, name in enumerate(NAMES[:12])})
    frame["</script><img src=x>"] = ["<i>a</i>", '%SAID%",alert(1),"', "$&%NAMES%"] * 20
    frame["%title% of </title>"] = ["__proto__", "constructor"] * 30
    frame.to_csv(path, index=False)
    give(page, path, title="names")
    assert page.locator("img, i").count() == 0
    frame_ = page.frame_locator("#tree")
    frame_.locator(".node").first.wait_for()
    assert frame_.locator("img, :not(.scale) > i").count() == 0
    assert frame_.locator("h1").inner_text().startswith("%title% of </title> of names")


def test_the_file_is_small():
    assert len(explorer_page().encode()) <= LIMIT
