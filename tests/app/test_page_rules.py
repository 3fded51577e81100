"""The Rules page: its numbers, its three views, and the node that a rule selects."""

import pytest

import treecore as tc
from treecore.covering import learn_rules
from treecore.data.samples import read_sample
from treecore.figures import percent

VIEWS = ("as read", "without implied", "post-pruned")


@pytest.fixture
def titanic(app):
    return app.sample("titanic").go("grow").set("max_depth", 4).go("rules")


def parts_of(name):
    return dict(zip(("train", "validation", "test"), read_sample(name).split(tc.Roles()), strict=True))


def shown(app):
    """The table of the rules, in the order of the list."""
    if app.widget("rule_order").value != "in their order":
        app.set("rule_order", "in their order")
    return next(d.value for d in app.at.dataframe if "IF" in d.value.columns)


def shares(values):
    return [round(100 * value, 1) for value in values]


def test_every_rule_with_the_numbers_of_its_rows(titanic):
    parts = parts_of("titanic")
    rules = tc.rules(tc.grow(parts["train"], max_depth=4), merged=False)
    frame = shown(titanic)
    assert frame["IF"].tolist() == [rule.premise for rule in rules]
    assert frame["THEN"].tolist() == [rule.said for rule in rules]
    for role in ("train", "validation"):
        figures = rules.figures(parts[role])
        assert frame[f"rows, {role}"].tolist() == [f.n_rows for f in figures]
        assert sum(f.n_rows for f in figures) == parts[role].n_rows
        known = [f for f in figures if f.n_rows]
        rates = {"confidence": [f.confidence for f in known], "rate of 1": [f.shares[1] for f in known]}
        for name, of in rates.items():
            told = frame[f"{name}, {role}"]
            assert told.dtype == float, "text would sort 9.0 behind 20.5"
            assert told.dropna().tolist() == [round(100 * share, 1) for share in of]
    assert frame["support"].dtype == float
    assert f"{len(rules)} rules, {rules.n_conditions:,} conditions" in titanic.text()


def test_without_implied_conditions_rules_are_shorter(titanic):
    before = shown(titanic)
    after = shown(titanic.set("rules_view", VIEWS[1]))
    assert after["rows, train"].tolist() == before["rows, train"].tolist()
    assert sum(after["IF"].str.len()) < sum(before["IF"].str.len())


def test_post_pruned_rules_in_their_order_beside_the_tree(titanic):
    titanic.set("rules_view", VIEWS[2])
    parts = parts_of("titanic")
    tree = tc.grow(parts["train"], max_depth=4)
    ordered = tc.rules(tree).simplified(parts["validation"], parts["train"]).listed(parts["validation"], parts["train"])
    frame, quality = shown(titanic), titanic.at.dataframe[0].value
    assert frame["IF"].tolist() == [rule.premise for rule in ordered.rules]
    assert frame["dropped"].tolist() == [len(rule.dropped) for rule in ordered.rules]
    assert frame["predicts, validation"].tolist() == ordered.answered(parts["validation"])[:-1].tolist()
    for about, *told in quality.itertuples(index=False):
        role = next(r for r in parts if r in about)
        truth = parts[role].target_column.labels()
        assert told == shares((t.predict(parts[role]) == truth).mean() for t in (tree, ordered))
    assert f"OTHERWISE** survived = {ordered.default_text}" in titanic.text()


def test_what_was_dropped_is_struck_through_with_the_numbers_that_decided(titanic):
    titanic.set("rules_view", VIEWS[2])
    parts = parts_of("titanic")
    tree = tc.grow(parts["train"], max_depth=4)
    rule = max(tc.rules(tree).simplified(parts["validation"]), key=lambda r: len(r.dropped))
    text = titanic.change(selected=rule.leaf).text()
    for step, drop in enumerate(rule.dropped, 1):
        line = next(line for line in text.splitlines() if f"~~{drop.condition.text}~~" in line)
        assert f"dropped in step {step}: validation error {percent(drop.before)} with it" in line
        assert f"{percent(drop.after)} without ({drop.rows_after} row" in line
    for condition in rule.conditions:
        assert f"- {condition.text}" in text
    assert f"THEN** survived = {rule.said}" in text


def test_the_selected_leaf_is_marked_and_its_rule_is_told(titanic):
    tree = tc.grow(parts_of("titanic")["train"], max_depth=4)
    rules = tc.rules(tree, merged=False)
    assert f"of {len(rules)}: node" not in titanic.text(), "the root has branches"
    assert set(shown(titanic)[""]) == {""}
    titanic.change(selected=rules[3].leaf)
    assert shown(titanic)[""].tolist() == ["▶" if i == 3 else "" for i in range(len(rules))]
    assert f"Rule 4 of {len(rules)}: node {rules[3].leaf}" in titanic.text()


def test_the_rules_are_those_of_the_pruned_tree_and_their_leaves_nodes_of_the_grown_one(app):
    app.sample("titanic").go("grow").set("pruner", "reduced_error").go("rules")
    parts = parts_of("titanic")
    tree = tc.grow(parts["train"])
    cuts = tc.prune(tree, "reduced_error", validation=parts["validation"])
    rules = tc.rules(tree.cut(cuts), merged=False)
    assert shown(app)["IF"].tolist() == [rule.premise for rule in rules]
    for place in (0, len(rules) // 2, len(rules) - 1):
        node = int(cuts.standing(tree)[rules[place].leaf])
        app.change(selected=node)
        assert shown(app)[""].tolist().index("▶") == place
        assert f"Rule {place + 1} of {len(rules)}: node {node}" in app.text()
    ghosts = [t for t in range(tree.n_nodes) if cuts.hidden(tree)[t]]
    app.change(selected=ghosts[-1])
    assert "▶" in shown(app)[""].tolist(), "a ghost has the rule of the leaf that stands in its place"


def test_without_validation_rows_there_is_a_remedy(app):
    app.sample("titanic").set("roles_ends", (100, 100)).go("grow").set("max_depth", 3).go("rules")
    assert app.errors() == []
    app.set("rules_view", VIEWS[2])
    assert "There are no validation rows to judge rules by" in app.text()
    assert "Data" in [link.label for link in app.at.get("page_link")]
    assert "dropped" not in shown(app).columns
    assert app.set("rules_view", VIEWS[0]).errors() == []


def test_numbers_are_judged_by_their_root_mean_squared_error(app):
    app.sample("mpg").go("grow").set("max_depth", 3).go("rules").set("rules_view", VIEWS[2])
    assert "RMSE, validation" in shown(app).columns
    assert "lift" not in shown(app).columns
    assert app.at.dataframe[0].value.columns[0] == "RMSE"


def cards(app) -> list[str]:
    return [m.value for m in app.at.markdown if m.value.startswith("**IF** ")]


def test_rules_of_few_rows_come_last_and_more_are_a_click_away(app):
    app.sample("customers").go("rules")
    rules = tc.rules(tc.grow(parts_of("customers")["train"]), merged=False)
    weights = sorted((rule.train.n_rows for rule in rules), reverse=True)
    assert f"{len(rules)} rules" in app.text()
    assert len(cards(app)) == 12
    app.click("more_rules")
    assert len(cards(app)) == 36
    told = [c.value for c in app.at.caption if "training row" in c.value and c.value[0].isdigit()]
    assert [int(text.split()[0].replace(",", "")) for text in told[-36:]] == weights[:36]


def test_rules_are_found_by_a_word_and_by_their_answer(titanic):
    rules = tc.rules(tc.grow(parts_of("titanic")["train"], max_depth=4), merged=False)
    titanic.set("rule_answer", "yes" if "yes" in rules.tree.classes else rules.tree.classes[-1])
    answer = titanic.widget("rule_answer").value
    assert set(shown(titanic)["THEN"]) == {answer}
    titanic.set("find_rule", "PCLASS")
    wanted = [rule.premise for rule in rules if rule.said == answer and "pclass" in rule.text]
    assert shown(titanic)["IF"].tolist() == wanted
    assert f"{len(wanted)} of {len(rules)} rules" in titanic.text()
    titanic.set("find_rule", "no such word")
    assert "No rule matches" in titanic.text()


def test_names_from_the_data_are_plain_text(app):
    bad = "![x](http://outside.example/a.png)"
    lines = [f"{bad},y"] + [f"{i},{'<b>a</b>' if i % 20 < 10 else '~~b~~'}" for i in [*range(20)] * 5]
    app.upload("\n".join(lines).encode()).go("rules").set("rules_view", VIEWS[2])
    app.change(selected=1)
    assert app.errors() == []
    said = [m.value for m in (*app.at.markdown, *app.at.caption)]
    assert not any("![" in text or "<b>" in text for text in said)
    assert any("\\!\\[x\\]" in text for text in said)


def test_shared_rows_and_costs_are_spoken_of(app):
    app.sample("titanic").go("grow").set("preset", "c4.5").go("rules")
    assert "covered by no rule that needs this value" in app.text()


def test_rules_learned_from_the_rows_stand_beside_those_of_the_tree(titanic):
    titanic.set("rules_learned", "ripper")
    parts = parts_of("titanic")
    found = learn_rules(parts["train"], "ripper")
    frame = next(d.value for d in titanic.at.dataframe if "RIPPER" in d.value.columns)
    assert frame["RIPPER"].tolist() == [round(100 * (1 - found.error(part)), 1) for part in parts.values()]
    assert f"{len(found.listed)} rules" in titanic.text()
    assert found.listed.rules[0].conclusion in titanic.text()
    titanic.set("rules_learned", "depth_first")
    assert titanic.errors() == []


def test_each_class_is_told_in_one_line(app):
    app.sample("iris").go("grow").set("max_depth", 2).go("rules")
    assert "**Iris-setosa**: petal" in app.text()
    assert "1 term for 1 path of the tree; nothing shorter says the same" in app.text()


def test_of_a_large_tree_it_is_said_why_no_class_has_a_line(app):
    app.sample("titanic").go("rules")
    assert "combinations of values apart" in app.text()
    assert app.errors() == []
