"""A class link: the pages that it opens, guesses before them, the code, and the teacher's reading of thirty codes."""

import pytest

import treecore as tc
from tests.app.conftest import App
from treecore.recipe import Data, Grow, Read, Recipe, Split
from treecore.teach import guess as guess_codes
from treecore.teach.classwork import Classwork

RECIPE = Recipe((Read("play_tennis", True), Data(target="PlayTennis"), Split(1.0, 0.0, 0.0), Grow("id3")))
WORK = Classwork(RECIPE, ("grow", "guess"), 2, True, 0, ("gains",))


def grown() -> tc.Tree:
    return tc.fit(RECIPE.read(), RECIPE).grown


@pytest.fixture
def learner(app):
    """Who has come by the link."""
    return come(app, WORK)


def come(app, given: Classwork):
    app._at.query_params["class"] = given.to_text()
    app.follow()
    app.run()
    return app


def named(app) -> str:
    return app.at.title[0].value


def guess(app, feature: str):
    node = guess_codes.guessed_nodes(grown(), 9)
    known = len(app.record().choices.get("guesses", {}).get("splits", []))
    if known:
        app.click("guess_next")
    return app.set(f"guess_one_{node[known]}", feature).click("guess_tell")


def test_it_opens_with_guesses_and_nothing_else(learner):
    assert named(learner) == "Guess"
    assert named(learner.go("grow")) == "Guess"
    assert not learner.has("preset")
    assert learner.errors() == []


def test_all_guesses_open_the_pages_and_make_a_code(learner):
    learner.set("class_number", 17)
    guess(learner, "Outlook")
    assert named(learner.go("grow")) == "Guess"
    guess(learner, "Wind")
    assert named(learner.go("grow")) == "Explore"
    written = learner.record().choices["class code"]
    tree = grown()
    assert guess_codes.read_guess_code(written, tree) == guess_codes.Guesses(17, ("Outlook", "Wind"))
    assert written in [code.value for code in learner.at.code]
    learner.set("max_depth", 1)
    assert learner.record().choices["class code"] == written
    assert named(learner.go("rules")) == "Explore"
    assert named(learner.click("leave_class").go("rules")) == "Rules"


def test_without_a_number_nothing_is_handed_in(learner):
    guess(guess(learner, "Outlook"), "Wind")
    assert not learner.record().choices.get("class code")
    learner.set("class_number", 3)
    assert learner.record().choices["class code"]


def test_without_guesses_the_chosen_pages_are_open_at_once(app):
    come(app, Classwork(RECIPE, ("impurity", "rules")))
    assert named(app) == "Impurity"
    assert named(app.go("rules")) == "Rules"
    assert named(app.go("data")) == "Impurity"


def test_a_damaged_link_is_named_and_the_app_stays(app):
    app._at.query_params["class"] = "AAAA"
    app.run()
    assert any("holds no work for a class" in text for text in app.errors())


def test_the_teacher_makes_the_link_and_reads_thirty_codes(app):
    app.sample("play_tennis").go("exercises", grow=Grow("id3"), split=Split(1.0, 0.0, 0.0))
    app.set("class_guesses", 3).set("class_pages", ["grow"]).set("class_numbered", True)
    [address] = [code.value for code in app.at.code if "?class=" in code.value]
    given = Classwork.from_text(address.split("?class=")[1])
    assert (given.pages, given.guesses, given.numbered, given.kinds) == (("grow",), 3, True, ())
    tree = tc.fit(given.recipe.read(), given.recipe).grown
    right = [tree.node(int(t)).feature for t in guess_codes.guessed_nodes(tree, 3)]
    said = [right if i % 3 else ["Temperature", "", right[2]] for i in range(30)]
    codes = [f"pupil {i}: {guess_codes.guess_code(tree, i, of)}" for i, of in enumerate(said)]
    app.set("hand_in_codes", "\n".join([*codes, "someone XXXX"]))
    table = next(t.value for t in app.at.dataframe if "best" in t.value)
    assert len(table) == 30
    assert table["best"].astype(int).tolist() == [3 if i % 3 else 1 for i in range(30)]
    assert "20 Outlook, 10 Temperature" in app.text()
    assert any("no hand-in code" in w.value for w in app.at.warning)


def test_a_code_of_another_tree_is_named(app):
    app.sample("play_tennis").go("exercises", grow=Grow("cart"), split=Split(1.0, 0.0, 0.0))
    app.set("hand_in_codes", guess_codes.guess_code(grown(), 1, ["Outlook"]))
    assert any("another tree" in w.value for w in app.at.warning)


def test_nobody_is_locked_in_by_a_tree_of_one_leaf(app):
    lone = Recipe((*RECIPE.steps[:-1], Grow("id3", (("min_gain", 9.0),))))
    come(app, Classwork(lone, ("grow",), 3))
    app.run()
    assert named(app.go("grow")) == "Explore"


def test_two_learners_differ_in_their_sheets_alone():
    pages = []
    for number in (1, 2):
        app = come(App(), Classwork(RECIPE, ("grow",), 0, True, 0, ("gains",)))
        app.set("class_number", number)
        pages.append([b.label for b in app.at.get("download_button")])
    assert pages[0] == pages[1]
    assert "Your sheet: it marks itself" in pages[0]
