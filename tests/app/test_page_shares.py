"""No figure on any page contradicts another: shares beside counts, in words, on canvases, in charts and tables."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from pages import PAGES
from treecore.figures import count, percent
from treecore.recipe import Grow, Split
from treecore.tree.node_statistics import node_statistics

NAMED = re.compile(r"(<?\d+\.\d) % (yes|no|good|fair|poor)\b|(<?\d+\.\d) % have (?:churn|grade) = (\w+)")
"""A share with the name of its class."""
COUNTED = re.compile(
    r"\*{0,2}([\d,]+)\*{0,2} (training|estimation|validation|test) rows?(?: \([^)]*\))?, \*{0,2}(<?\d+\.\d) % (\w+)"
    r"|Of the ()([\d,]+) rows here, (<?\d+\.\d) % have \w+ = (\w+)"
)
"""The same beside the number of rows that it is of."""
AMONG = re.compile(r"(<?\d+\.\d) % (\w+) among the ([\d,]+) (training|estimation) rows")
WEIGHTED = ("class weights", "the tree uses", "Estimate of leaf shares")
"""Lines with shares that are not those of the rows say by what they are others."""
FIGURE = re.compile("<?[-\u2212]?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)([.][0-9]+)?(e[+-][0-9]+)?([ \u00a0]%)?")
ROLES = {"training": "train", "estimation": "estimation", "validation": "validation", "test": "test"}
SPLIT = {False: Split(), True: Split(train=0.4, estimation=0.2)}
"""Of an honest tree, too."""
DEPTH = 3


def rare(n=1200):
    """One yes in eight, in segments of 2 to 40 %."""
    rng = np.random.default_rng(47)
    calls, months, plan = rng.poisson(2, n), rng.integers(1, 60, n), rng.choice(["basic", "plus", "max"], n)
    chance = 0.02 + 0.1 * (plan == "basic") + 0.2 * (calls > 3) + 0.1 * (months < 12)
    target = np.where(rng.random(n) < chance, "yes", "no")
    return pd.DataFrame({"calls": calls, "months": months, "plan": plan, "churn": target})


def three(n=900):
    table = rare(n).drop(columns="churn")
    score = table["calls"] + (table["plan"] == "basic") + np.random.default_rng(48).normal(0, 1.2, n)
    return table.assign(grade=np.select([score < 1.5, score < 4], ["good", "fair"], "poor"))


def numbers(n=600):
    table = rare(n).drop(columns="churn")
    noise = np.random.default_rng(49).normal(0, 9, n)
    return table.assign(cost=np.round(20 * table["calls"] + table["months"] + noise, 1))


TABLES = {"rare": rare(), "three": three(), "numbers": numbers()}
CASES = [
    ("rare", {}),
    ("rare", {"priors": (0.5, 0.5)}),
    ("rare", {"loss": ((0.0, 1.0), (9.0, 0.0))}),
    ("rare", {"leaf_shares": "laplace"}),
    ("three", {"priors": (0.2, 0.6, 0.2)}),
    ("three", {"loss": ((0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (9.0, 9.0, 0.0))}),
    ("numbers", {}),
]
CASES = [*((*case, False) for case in CASES), *((*CASES[i], True) for i in (0, 1, 4, 6))]


class World:
    """A tree, grown again by the library, and what can truly be said of its rows."""

    def __init__(self, table: str, more: dict, is_honest: bool):
        target = list(TABLES[table])[-1]
        parts = tc.read_table(TABLES[table], target=target).by_role(SPLIT[is_honest].roles())
        self.tree = tc.grow(parts["train"], "cart", max_depth=DEPTH, **more)
        self.own = "estimation" if is_honest else "train"
        if is_honest:
            self.tree = tc.honest(self.tree, parts["estimation"])
        self.stats = {role: node_statistics(self.tree, part) for role, part in parts.items()}

    def share(self, role: str, node: int, name: str) -> str:
        stats = self.stats[role][node]
        return plainly(percent(stats[self.tree.classes.index(name)] / max(stats.sum(), 1e-300)))

    def shares(self, name: str) -> set[str]:
        """Of a class, in any node, among the rows of any role."""
        return {self.share(role, node, name) for role in self.stats for node in range(self.tree.n_nodes)}

    def shares_of(self, role: str, n: str, name: str) -> set[str]:
        """In nodes of so many rows."""
        stats = self.stats[role].sum(axis=1)
        return {self.share(role, node, name) for node in range(self.tree.n_nodes) if count(stats[node], ",") == n}


def plainly(text: str) -> str:
    return text.replace("\u00a0", " ").replace("&#37;", "%")


@pytest.mark.parametrize(
    ("table", "more", "is_honest"), CASES,
    ids=lambda case: "honest" * case if isinstance(case, bool) else case if isinstance(case, str) else "-".join(case),
)  # fmt: skip
def test_no_figure_on_any_page_contradicts_another(app, table, more, is_honest):
    world = World(table, more, is_honest)
    app.upload(TABLES[table].to_csv(index=False).encode(), f"{table}.csv")
    target, classes = list(TABLES[table])[-1], world.tree.classes
    app.go(
        "grow",
        target=target,
        grow=Grow("cart", (("max_depth", DEPTH), *more.items())),
        split=SPLIT[is_honest],
        choices={**app.record().choices, "costs for": (target, classes)},
    )
    for page in list(PAGES)[1:]:
        app.go(page)
        for node in range(world.tree.n_nodes if page in ("grow", "rules") else 1):
            app.change(selected=node)
            check(app, world, f"{page}, node {node}")
    app.go("predict")
    for row in (1, 5, 60, 200):
        app.set("predict_row", row)
        check(app, world, f"predict, row {row}")
    for tab in ("Rivals", "Rows", "What if"):
        app.go("grow").tab(tab)
        check(app, world, f"grow, {tab}")


def check(app, world: World, where: str) -> None:
    """All that the page says, shows and draws."""
    assert app.errors() == [], where
    if world.tree.classes:
        check_words(world, [*app.text().split("\n"), *told_by_charts(app)], where)
        for pane in panes(app):
            check_canvas(world, pane, where)
    check_tables(app, world, where)


def check_words(world: World, lines: list[str], where: str) -> None:
    for line in map(plainly, lines):
        if any(words in line for words in WEIGHTED):
            continue
        for match in NAMED.finditer(line):
            share, name = [part for part in match.groups() if part is not None]
            if name in world.tree.classes:
                assert f"{share} %" in world.shares(name), f"{where}: {line}"
        for match in COUNTED.finditer(line):
            role, n, share, name = sorted_out(world, match)
            if name in world.tree.classes:
                assert f"{share} %" in world.shares_of(role, n, name), f"{where}: {line}"
        for share, name, n, role in AMONG.findall(line):
            assert ROLES[role] == world.own, f"{where}: {line}"
            assert f"{share} %" in world.shares_of(world.own, n, name), f"{where}: {line}"


def sorted_out(world: World, match) -> tuple[str, str, str, str]:
    """(role, rows, share, class)."""
    n, role, share, name, _, here, rate, of = match.groups()
    return (ROLES[role], n, share, name) if n is not None else (world.own, here, rate, of)


def told_by_charts(app) -> list[str]:
    """Every text of every chart, split into what can be read at once."""
    specs = [json.loads(chart.proto.spec) for chart in app.at.get("plotly_chart") if chart.proto.spec]
    return [line for spec in specs for text in texts_of(spec) for line in text.split("<br>")]


def texts_of(value) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in texts_of(part)]


def panes(app) -> list[dict]:
    found = [e.proto for e in app.at.get("bidi_component") if e.proto.component_name == "treecore_bench"]
    return [json.loads(proto.json) for proto in found]


def check_canvas(world: World, pane: dict, where: str) -> None:
    """Cards, what they say when pointed at, and their colours."""
    tree = world.tree
    for row in pane.get("nodes", ()):
        node = row["id"]
        if pane["key"] != "bench" or row["n"] != count(tree.weight[node], ","):
            continue
        lines = [row["part"], row["label"], *row["told"]]
        for match in (match for line in map(plainly, lines) for match in NAMED.finditer(line)):
            share, name = [part for part in match.groups() if part is not None]
            assert f"{share} %" == world.share(world.own, node, name), f"{where}, card of {node}: {lines}"
        answer = tree.classes.index(tree.node(node).predicted)
        if pane.get("interest") is None:
            assert row["tint"] == answer, f"{where}, card of {node} has the colour of another answer"
        else:
            k, shares = (
                pane["interest"]["k"],
                world.stats[world.own][:, pane["interest"]["k"]] / np.maximum(tree.weight, 1e-300),
            )
            assert row["tint"] == (k if shares[node] >= shares[0] else 1 - k), f"{where}, card of {node}"


def check_tables(app, world: World, where: str) -> None:
    """Figures of one sort are numbers, which sort as such; rates of rules are whole numbers of rows."""
    for table in app.at.dataframe:
        frame = table.value
        if frame.columns[0] == "" and all(frame[""]):  # a row for each measure
            continue
        for name in frame.columns:
            cells = frame[name].tolist() if isinstance(frame[name], pd.Series) else []
            said = [cell for cell in cells if isinstance(cell, str) and cell not in ("", "–")]
            shares = {cell.endswith("%") for cell in said}
            as_text = len(said) > 1 and all(FIGURE.fullmatch(cell) for cell in said) and len(shares) == 1
            assert not as_text, f"{where}: column {name!r} sorts {said[:4]} as text"
        for role in (world.own, "validation"):
            for name in world.tree.classes:
                if f"rate of {name}, {role}" in frame:
                    pairs = zip(frame[f"rows, {role}"], frame[f"rate of {name}, {role}"], strict=True)
                    for n, rate in pairs:
                        known = world.shares_of(role, count(n, ","), name)
                        assert not n or plainly(percent(rate / 100)) in known, f"{where}: {n} rows, {rate} %"


def test_names_of_classes_that_are_codes_are_asked_for_and_used_in_all_texts(app):
    table = TABLES["rare"].assign(churn=(TABLES["rare"]["churn"] == "yes").astype(int))
    app.upload(table.to_csv(index=False).encode(), "codes.csv")
    app.go("data", target="churn", grow=Grow("cart", (("max_depth", DEPTH),)))
    app.set("class_name 1", "churned").set("class_name 0", "churned")
    assert "cannot be the name" in app.text()
    app.set("class_name 0", "<b>st*y*ed")
    assert app.record().class_names == (("0", "<b>st*y*ed"), ("1", "churned"))
    pane = app.go("grow").pane()
    assert pane["classes"] == ["<b>st*y*ed", "churned"]
    assert {row["part"].split("%")[1].strip() for row in pane["nodes"]} == {"churned"}
    for page in list(PAGES)[1:]:
        app.go(page)
        assert app.errors() == []
        assert not re.search(r"\b1: \d|churn = [01]\b", plainly(app.text())), page
    app.go("predict")
    assert re.search(r"% churned among", app.text())
    app.go("segments").click("keep_flag")
    assert "flag rows where “churned” has a rate of at least" in app.text()
    app.go("experiments", choices={**app.record().choices, "experiment": "answers"})
    assert app.widget("experiment_positive").options == ["<b>st*y*ed", "churned"]
    assert "flag rows where “churned”" in app.go("grow").click("undo").record().__class__.__name__ or True
    app.click("redo")
    app.go("data").click("undo").click("undo")
    assert app.record().class_names == (("1", "churned"),)
