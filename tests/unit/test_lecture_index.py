"""Worked examples by theme, by what a class is to see, by a search; and how their trees grow with the steps."""

import pytest

from treecore.teach.index import GUIDES, INDEX, THEMES, search_guides, splits_made, theme_of, weighed_split
from treecore.tree.tree import split_order


def test_every_example_has_one_theme():
    assert sorted(name for names in THEMES.values() for name in names) == sorted(GUIDES)
    assert {theme_of(guide) for guide in GUIDES.values()} == set(THEMES)


def test_the_index_leads_to_steps_there_are_and_to_every_theme():
    for shown in INDEX:
        assert 0 <= shown.step < len(GUIDES[shown.guide].steps)
    assert {theme_of(GUIDES[shown.guide]) for shown in INDEX} == set(THEMES)
    assert len({shown.what for shown in INDEX}) == len(INDEX)


def test_a_search_finds_what_has_all_words_and_names_first():
    found = [(guide.name, step) for guide, step in search_guides("Gain RATIO")]
    assert ("play_tennis", 8) in found
    assert [guide.name for guide, _ in search_guides("trap leak")] == ["trap_leak"]
    assert search_guides("no example has such words") == []
    assert {guide.name for guide, _ in search_guides("judging")} >= set(THEMES["Judging"])
    assert len(search_guides("")) == len(GUIDES)
    for guide, step in search_guides("entropy"):
        text = f"{guide.label} {theme_of(guide)} {guide.steps[step].title} {guide.steps[step].text}"
        whats = " ".join(s.what for s in INDEX if (s.guide, s.step) == (guide.name, step))
        assert "entropy" in f"{text} {whats}".casefold()


@pytest.mark.parametrize("name", GUIDES)
def test_the_tree_of_an_example_grows_with_its_steps(name):
    guide, before = GUIDES[name], {}
    for place in range(len(guide.steps)):
        here, made = guide.opened(place), splits_made(guide, place)
        order = split_order(here.tree).tolist()
        assert set(here.tree.path(here.node)[:-1]) <= set(order[:made]), "what the step is about is there"
        assert made >= before.get(guide.growth(place), 0), "no branch goes again"
        before[guide.growth(place)] = made
    assert made == len(order), "at the last step all of it is there"


def test_a_lesson_begins_with_the_root_alone():
    guide = GUIDES["play_tennis"]
    assert [splits_made(guide, place) for place in range(7)] == [0, 0, 0, 1, 2, 2, 3]


def test_a_split_that_a_step_weighs_is_shown_until_it_is_made():
    guide = GUIDES["play_tennis"]
    found = [weighed_split(guide, place) for place in range(len(guide.steps))]
    assert [split and split.feature for split in found[:5]] == [None, "Outlook", "Humidity", None, None]
    assert found[1].branches == (("Sunny",), ("Overcast",), ("Rain",))
    for name, example in GUIDES.items():
        for place in range(len(example.steps)):
            here, split = example.opened(place), weighed_split(example, place)
            made = split_order(here.tree)[: splits_made(example, place)].tolist()
            assert split is None or (here.node not in made and not here.tree.is_leaf[here.node]), (name, place)
