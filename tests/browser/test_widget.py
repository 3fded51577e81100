"""The widget of a notebook in Chromium, without a notebook: its script in an empty page, its model played here."""

import json

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.recipe import Edit, Grow, Prune, Recipe, Split, Take

pytest.importorskip("anywidget")

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=hurt()>"
PAGE = "<!doctype html><meta charset=utf-8><body style='margin: 0'><div id=cell style='width: 1180px'></div>"
MODEL = """async ([script, state]) => {
    const heard = {}, data = JSON.parse(state);
    window.hurt = () => { window.hurtful = true; };
    window.model = {
        get: (name) => data[name],
        on: (name, told) => { (heard[name] ??= new Set()).add(told); },
        off: (name, told) => heard[name]?.delete(told),
        set: (name, value) => { data[name] = value; },
        save_changes: () => { window.echoed = data._heard; },
        send: (content) => window.python(JSON.stringify(content)),
        take: (more) => {
            Object.assign(data, JSON.parse(more));
            for (const name of Object.keys(JSON.parse(more))) for (const told of heard[`change:${name}`] ?? []) told();
        },
    };
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const { default: widget } = await import(address);
    window.show = (element) => widget.render({ model: window.model, el: element });
    window.end = window.show(document.getElementById("cell"));
}"""


def loans(n: int = 500) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"income": rng.gamma(3.0, 12.0, n).round(1), "age": rng.integers(19, 80, n)})
    frame["region"] = rng.choice(["north", HOSTILE, "west"], n)
    late = 1 / (1 + np.exp(0.09 * frame.income - 0.03 * (frame.age - 45) - 1.6 * (frame.region == HOSTILE) - 1.0))
    return frame.assign(late=np.where(rng.random(n) < late, HOSTILE + "?", "no")).rename(columns={"age": "<b>age</b>"})


@pytest.fixture
def shown(page):
    """A view of a tree in an empty page; `view` is the widget behind it."""
    table = tc.read_table(loans(), target="late")
    growing = Grow("cart", (("max_depth", 4), ("min_rows_leaf", 5)))
    view = tc.explore(table, recipe=Recipe((Split(seed=2), growing)))
    page.set_content(PAGE)

    def python(content: str) -> None:
        before = view._drawing
        view._hear(json.loads(content))
        more = {"_state": view._state} | ({"_drawing": view._drawing} if view._drawing is not before else {})
        page.evaluate("(more) => window.model.take(more)", json.dumps(more))

    answered: list[str] = []
    page.evaluate("() => { window.said = []; window.python = (content) => window.said.push(content); }")
    page.evaluate(MODEL, [view._esm, json.dumps({"_drawing": view._drawing, "_state": view._state})])
    return Shown(page, view, python, answered)


class Shown:
    """The page, the widget, and what passes between them when it is asked to."""

    def __init__(self, page, view, python, answered):
        self.page, self.view, self.python = page, view, python
        page.locator(".treecore-view .node").first.wait_for()
        self.settle()

    def settle(self) -> None:
        """Until neither side has more to say."""
        quiet = 0
        while quiet < 2:
            said = self.page.evaluate("() => window.said.splice(0)")
            for content in said:
                self.python(content)
            quiet = 0 if said else quiet + 1
            self.page.wait_for_timeout(200)

    def click(self, selector: str) -> None:
        self.page.locator(f".treecore-view {selector}").first.click()
        self.settle()

    def texts(self, selector: str) -> list[str]:
        return self.page.locator(f".treecore-view {selector}").all_text_contents()


def test_a_click_a_rival_and_a_drag_come_back_to_python(shown, outside_requests):
    shown.click("#n2 .card-face")
    assert shown.view.selected == 2
    assert shown.page.evaluate("window.echoed") == shown.view._state["count"]
    assert shown.texts(".side h3") == ["Node 2"]
    shown.click(".tabs [data-tab=rivals]")
    own = shown.page.locator(".treecore-view .rival.own").count()
    assert own == 1
    shown.click(".rival:not(.own)")
    shown.click(".take")
    assert isinstance(shown.view.recipe.steps[-1], Take)
    feature = shown.view.grown.node(2).feature
    assert shown.texts("#n2 .title")[0] == feature
    shown.page.locator(".treecore-view .dock .slide").focus()
    shown.page.keyboard.press("Home")
    shown.page.wait_for_timeout(500)
    shown.settle()
    assert shown.view.tree.n_leaves == 1
    assert shown.view.recipe.last(Prune).method == "cost_complexity"
    shown.click(".notice button")
    assert shown.view.tree.n_leaves > 1
    assert not outside_requests


def test_cutting_searching_and_the_rings(shown):
    shown.click("#n1 .card-face")
    shown.page.keyboard.press("x")
    shown.settle()
    assert isinstance(shown.view.recipe.steps[-1], Edit)
    shown.page.locator(".treecore-view .find").fill("income")
    shown.settle()
    assert shown.page.locator(".treecore-view .node.hit").count() >= 1
    shown.page.get_by_role("button", name="Rings").click()
    shown.settle()
    assert shown.page.locator(".treecore-view .whole .part").count() == shown.view.grown.n_nodes
    shown.click(".tabs [data-tab=rows]")
    assert "answer" in shown.texts(".rows th")


def test_a_row_with_other_values_is_answered_and_its_node_shown(shown):
    shown.click("#n1 .card-face")
    shown.click(".tabs [data-tab=what_if]")
    answer = shown.texts(".asked h4")
    income = shown.page.locator(".treecore-view .asked label", has_text="income").locator("input")
    before = float(income.input_value())
    income.fill(str(before + 500))
    income.press("Enter")
    shown.settle()
    assert shown.view._screen.drawer.typed == {"income": before + 500}
    assert shown.texts(".asked label.changed span") == ["income"]
    assert "With its own values the tree predicts" in shown.texts(".asked .remark")[0]
    assert any(text.startswith(f"income is {before + 500:g}") for text in shown.texts(".asked .way li"))
    end = shown.texts(".asked .ends button")[0]
    shown.click(".asked .ends button")
    assert end == f"Show node {shown.view.selected}"
    assert shown.view.node.rule.count("income ≥")
    shown.click("#n1 .card-face")
    shown.click(".asked .which button")
    assert shown.texts(".asked h4") == answer
    assert shown.view._screen.drawer.typed == {}
    shown.page.locator(".treecore-view .asked label", has_text="region").locator("select").select_option(HOSTILE)
    shown.settle()
    assert shown.view._screen.drawer.typed == {"region": HOSTILE}


def test_a_split_taken_by_hand_is_grown_as_before(shown):
    own = shown.view.grown.node(0).feature
    assert "regrow" not in {deed for row in shown.view._drawing["nodes"] for deed in row["deeds"]}
    shown.click("#n0 .card-face")
    shown.click(".tabs [data-tab=rivals]")
    shown.click(".rival:not(.own)")
    shown.click(".take")
    assert shown.view.grown.node(0).feature != own
    assert "regrow" in shown.view._drawing["nodes"][0]["deeds"]
    shown.python(json.dumps({"kind": "act", "type": "regrow", "node": 0}))
    shown.settle()
    assert shown.view.grown.node(0).feature == own
    assert "regrow" not in shown.view._drawing["nodes"][0]["deeds"]


def test_hostile_names_and_levels_stay_text(shown):
    for tab in ("why", "rivals", "rows"):
        if tab != "why":
            shown.click(f".tabs [data-tab={tab}]")
        markup = "document.querySelector('.treecore-view').shadowRoot.querySelectorAll('img, b > b, script').length"
        assert shown.page.evaluate(markup) == 0
    shown.page.locator(".treecore-view #n0 .card-face").hover()
    shown.page.wait_for_timeout(400)
    assert any("<b>age</b>" in text for text in shown.texts(".rows th"))
    assert any(HOSTILE in text for text in shown.texts(".rows td"))
    assert shown.page.evaluate("window.hurtful") is None


def test_a_second_view_follows_the_first_and_goes_alone(shown):
    shown.page.evaluate("""() => {
        const cell = document.body.appendChild(document.createElement("div"));
        window.endSecond = window.show(cell);
    }""")
    second = shown.page.locator(".treecore-view").nth(1)
    second.locator(".node").first.wait_for()
    shown.click("#n1 .card-face")
    assert "selected" in second.locator("#n1").get_attribute("class")
    second.locator("#n2 .card-face").click()
    shown.settle()
    assert shown.view.selected == 2
    assert "selected" in shown.page.locator(".treecore-view").first.locator("#n2").get_attribute("class")
    shown.page.evaluate("window.endSecond()")
    shown.click("#n0 .card-face")
    assert shown.view.selected == 0


def test_the_wheel_and_letters_belong_to_the_notebook_until_the_tree_is_used(shown):
    shown.page.evaluate("""() => {
        document.body.style.height = "4000px";
        window.keys = [];
        document.addEventListener("keydown", (event) => window.keys.push(event.key));
    }""")
    scale = "document.querySelector('.treecore-view').shadowRoot.querySelector('.bench').pane.camera.at.k"
    before = shown.page.evaluate(scale)
    shown.page.mouse.move(300, 300)
    shown.page.mouse.wheel(0, 200)
    shown.page.wait_for_timeout(300)
    assert shown.page.evaluate("scrollY") > 0
    assert shown.page.evaluate(scale) == before
    shown.page.evaluate("scrollTo(0, 0)")
    shown.click("#n1 .card-face")
    shown.page.mouse.wheel(0, -200)
    shown.page.wait_for_timeout(300)
    assert shown.page.evaluate(scale) > before
    assert shown.page.evaluate("scrollY") == 0
    shown.page.keyboard.press("f")
    shown.settle()
    assert shown.page.evaluate("window.keys") == []


def test_a_closed_drawer_leaves_its_room_to_the_tree_in_the_view_that_is_used(shown):
    shown.page.evaluate("window.show(document.body.appendChild(document.createElement('div'))) && null")
    shown.settle()
    before = shown.view._screen.look.room[0]
    shown.click(".tabs .turn")
    shown.page.wait_for_timeout(600)
    shown.settle()
    assert shown.view._screen.look.room[0] > before + 200
    shown.page.wait_for_timeout(2500)  # the other view, whose room is another one, says nothing of it
    assert shown.page.evaluate("window.said") == []


def test_a_narrow_cell_has_the_drawer_below(shown):
    shown.page.evaluate("document.getElementById('cell').style.width = '520px'")
    shown.page.wait_for_timeout(700)
    shown.settle()
    tree, side = (shown.page.locator(f".treecore-view {part}").bounding_box() for part in (".bench", ".side"))
    assert side["y"] >= tree["y"] + tree["height"] - 1
    assert tree["height"] > 250
    assert side["height"] > 100
