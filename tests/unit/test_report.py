"""The report of a tree: its figures are those of the library, and names stay text."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pandas as pd
import pytest

import treecore as tc
from tests.hostile import NAMES
from treecore.data.samples import read_sample
from treecore.export.chart import Chart, ChartAxis, Mark
from treecore.export.report import to_report
from treecore.figures import brief, percent
from treecore.judging.ranking import ranking_by
from treecore.recipe import Data, Grow, Prune, Recipe, Split
from treecore.study.metrics import score


class Checked(HTMLParser):
    """Every tag is closed in its turn; the text of the page."""

    VOID = frozenset({"meta", "line", "polyline", "polygon", "path", "ellipse", "br"})

    def __init__(self, html: str):
        super().__init__()
        self.open, self.tags, self.words = [], set(), []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module", params=["titanic", "mpg"])
def fit(request) -> tc.Fit:
    table = read_sample(request.param)
    data = Data(target=table.target, features=table.features)
    return tc.fit(table, Recipe((data, Split(), Grow("cart"), Prune("reduced_error"))))


def test_the_report_tells_recipe_scores_rules_and_data(fit):
    page = Checked(to_report(fit, "a table.csv"))
    for step in fit.recipe.steps:
        assert " ".join(step.text().split()) in page.text
    for rows in (fit.train, fit.validation, fit.test):
        found = score(fit.tree, rows)
        assert (percent(found.accuracy) if fit.tree.classes else f"{found.r2:.3f}").replace("\u00a0", " ") in page.text
    for name in fit.train.features:
        assert name in page.text
    heaviest = max(tc.rules(fit.tree).without_implied(), key=lambda rule: rule.train.weight)
    assert heaviest.premise in page.text
    assert "a table.csv" in page.text


def test_what_answers_earn_comes_before_how_many_are_right():
    table = read_sample("titanic")
    growth = Grow("cart", (("max_depth", 4), ("profit", ((0, -2), (-1, 5)))))
    fit = tc.fit(table, Recipe((Split(), growth, Prune("cost_complexity"))))
    page, found = Checked(to_report(fit)), score(fit.tree, fit.validation)
    assert "mean profit baseline accuracy" in page.text
    assert (
        f"{brief(found.cost)} {brief(found.cost_baseline)} {percent(found.accuracy)}".replace("\u00a0", " ")
        in page.text
    )
    assert "profit 0 -2 | -1 5" in page.text


def test_how_a_rare_class_is_told_apart_comes_before_how_many_are_right():
    table = read_sample("customers")
    fit = tc.fit(table, Recipe((Split(), Grow("cart", (("min_rows_leaf", 36),)))))
    page, k = Checked(to_report(fit)), fit.tree.classes.index("yes")
    assert "rows number AUC of yes yes among the riskiest 10 % accuracy baseline" in page.text
    found = ranking_by(fit.tree, fit.validation, k)
    assert f"{found.area:.3f} {percent(found.captured(0.1))}".replace("\u00a0", " ") in page.text
    common = Checked(to_report(tc.fit(read_sample("titanic"), Recipe((Split(), Grow("cart"))))))
    assert "AUC" not in common.text.split("Rules")[0]


def test_a_flag_rule_has_a_section_of_its_own(fit):
    assert "Which rows are flagged" not in Checked(to_report(fit)).text
    found = tc.segments(fit.tree, {"train": fit.train, "validation": fit.validation, "test": fit.test})
    rule = found.rule(2)
    page = Checked(to_report(replace(fit, recipe=fit.recipe.then(rule))))
    assert "Which rows are flagged" in page.text
    for role in ("train", "validation", "test"):
        assert found.above(rule.threshold, role).text.replace("\u00a0", " ") in page.text
    assert page.text.count(" yes ") >= 2


def test_it_asks_for_nothing_and_has_no_script(fit):
    made = to_report(fit)
    assert "script" not in Checked(made).tags
    assert not re.search(r"(href|src)=", re.sub(r"xmlns(:\w+)?=\"[^\"]*\"", "", made))


def test_a_deep_tree_has_a_page_of_its_own_at_the_end():
    table, place = read_sample("titanic"), []
    for depth in (2, 7):
        made = to_report(tc.fit(table, Recipe((Grow("cart", (("max_depth", depth),)),))))
        place.append(made.index("The tree</h2>") > made.index("The data</h2>"))
        assert ('class="wide"' in made) == place[-1]
    assert place == [False, True]


def test_hostile_names_and_a_lone_root_stay_text():
    frame = pd.DataFrame({name: [1.0, 2.0, 3.0, 4.0] * 5 for name in NAMES[:6]} | {"y": ["<b>&", "</table>"] * 10})
    for growth in (Grow("cart", (("max_depth", 0),)), Grow("cart")):
        table = tc.read_table(frame, target="y")
        page = Checked(to_report(tc.fit(table, Recipe((growth,))), '"><img src=x>'))
        assert "img" not in page.tags
        assert '"><img src=x>' in page.text
        assert "<b>&" in page.text


def test_sections_of_ones_own_are_text():
    table = read_sample("iris")
    fit = tc.fit(table, Recipe((Grow("cart", (("max_depth", 1),)),)))
    more = [("<b>Folds</b>", ["<i>so</i> it is", (("a", "<u>"), [("1", "</td>")])])]
    made = to_report(fit, "a", more)
    assert "&lt;b&gt;Folds&lt;/b&gt;" in made
    assert "<p>&lt;i&gt;so&lt;/i&gt; it is</p>" in made
    assert "<td>&lt;/td&gt;</td>" in made
    assert made.index("Folds") < made.index("<h2>Rules</h2>")


def test_pictures_stand_in_it_with_their_captions(fit):
    side = ChartAxis("leaves", ((0.0, "1"), (1.0, "8")))
    chart = Chart("What <b>is</b> seen.", side, side, (Mark("line", (0.0, 1.0), (1.0, 0.0), "error"),))
    page = to_report(fit, more=[("Bias", (chart, "A sentence."))])
    assert "<figcaption>What &lt;b&gt;is&lt;/b&gt; seen.</figcaption>" in page
    assert {"leaves", "error", "A", "sentence."} <= set(Checked(page).text.split())
    assert not re.search(r"(href|src)=", re.sub(r"xmlns(:\w+)?=\"[^\"]*\"", "", page))
