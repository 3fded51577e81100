"""The glossary: the words of the notes are there, each once and in plain sentences."""

import pytest

from treecore.teach.glossary import GLOSSARY, terms


@pytest.mark.parametrize(
    "name",
    ["branching factor", "distinct", "exhaustive", "monothetic", "super-category", "link", "terminal node", "pure",
     "k-ary split", "recursive partitioning", "surrogate split", "split information", "horizon effect"],
)  # fmt: skip
def test_the_words_of_the_notes_are_explained(name):
    assert any(name in (term.name, *term.also) for term in GLOSSARY)


def test_every_word_stands_once_and_ends_as_a_sentence():
    assert len({term.name for term in GLOSSARY}) == len(GLOSSARY)
    for term in GLOSSARY:
        assert term.said[0].isupper()
        assert term.said.endswith(".")


def test_words_are_looked_for_in_names_and_meanings():
    assert [term.name for term in terms("BRANCHING")] == ["branching factor"]
    assert "surrogate split" in {term.name for term in terms("missing")}
    assert terms("no such word") == ()
    assert len(terms()) == len(GLOSSARY)
