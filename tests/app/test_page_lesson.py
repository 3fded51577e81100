"""The lesson: examples by theme and search, a tree that grows with its steps, empty branches, what to try next."""

from treecore.teach.index import GUIDES, INDEX, THEMES, splits_made


def links(app) -> list[str]:
    return [link.label for link in app.at.get("page_link")]


def test_examples_are_found_by_theme_by_a_search_and_by_what_a_class_is_to_see(app):
    app.go("worked_examples")
    assert all(f"**{theme}**" in app.text() for theme in THEMES)
    app.set("guide_search", "gain ratio")
    assert app.has("guide_play_tennis")
    assert not app.has("guide_fruit")
    app.set("guide_search", "no such words here")
    assert "No example has all of these words" in app.text()
    app.set("guide_search", "")
    place = next(i for i, shown in enumerate(INDEX) if shown.step)
    app.set("guide_index", place)
    wanted = GUIDES[INDEX[place].guide]
    assert f"{INDEX[place].step + 1}: {wanted.steps[INDEX[place].step].title}" in [h.value for h in app.at.subheader]
    app.click("guide_all")
    assert app.has("guide_fruit")
    app.click("guide_open")
    assert not app.has("guide_fruit")
    assert app.errors() == []


def test_the_tree_of_an_example_grows_with_its_steps_and_the_last_says_what_is_next(app):
    guide = GUIDES["play_tennis"]
    app.go("worked_examples").click("guide_play_tennis")
    made = [app.pane()["made"]]
    for _ in guide.steps[1:]:
        assert "Exercises from this table, with a key" not in links(app)
        app.click("guide_next")
        made.append(app.pane()["made"])
    assert made == [splits_made(guide, place) for place in range(len(guide.steps))]
    assert "Exercises from this table, with a key" in links(app)
    app.click("guide_follow")
    assert "1: Splitting on A leaves nothing open" in [h.value for h in app.at.subheader]
    assert app.errors() == []


def test_an_empty_branch_is_hidden_and_shown_again(app):
    app.sample("play_tennis", as_it_opens=True).go("grow")
    assert app.pane()["switches"]["empty"]["on"]
    before = {node["id"] for node in app.pane()["nodes"]}
    app.change(choices={"empty": False})
    after = {node["id"] for node in app.pane()["nodes"]}
    assert len(before) == len(after) + 1
    assert not app.pane()["switches"]["empty"]["on"]
    app.sample("iris").go("grow")
    assert "empty" not in app.pane()["switches"]


def test_step_court_and_exercises_end_with_what_to_try_next(app):
    app.sample("play_tennis", as_it_opens=True).go("step_by_step")
    assert "Guess the splits yourself" not in links(app)
    app.click("step_last")
    assert "Guess the splits yourself" in links(app)
    app.go("court")
    assert "Guess which branch is pruned next" in links(app)
    app.go("exercises")
    assert any(label.startswith("Watch this table's tree grow") for label in links(app))
    assert app.errors() == []


def test_a_game_ends_with_another_one(app):
    app.sample("play_tennis", as_it_opens=True).go("guess")
    while app.has("guess_show"):
        app.click("guess_show")
        if not app._button("guess_next").disabled:
            app.click("guess_next")
    assert "Read the arithmetic of every split" in links(app)
    app.click("guess_other")
    assert "Which branches fall next?" in [h.value for h in app.at.subheader]
    assert app.errors() == []
